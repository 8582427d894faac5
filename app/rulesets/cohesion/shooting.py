"""The shooting phase (section 7 of the rules)."""

from __future__ import annotations

from app.rulesets.cohesion.attacks import Blow, strike
from app.rulesets.cohesion.events import AttackDropped, PhaseBegan
from app.rulesets.cohesion.gather import gather_shot
from app.rulesets.cohesion.losses import take_losses
from app.rulesets.cohesion.orders import UnitOrder
from app.rulesets.cohesion.turn import Turn


def shoot(turn: Turn) -> None:
    """All shots at once (SHOOT-7). Range and line of sight were settled when the orders were sealed (ORDER-3): nothing has
    moved since."""
    turn.tell(PhaseBegan(phase="shooting"))
    blows: list[Blow] = []
    for unit_id, order in turn.orders.items():
        if order.shoot:
            blow = _shot(turn, unit_id, order, order.shoot)
            if blow is not None:
                blows.append(blow)
    take_losses(turn, "shooting", blows)


def _shot(turn: Turn, unit_id: str, order: UnitOrder, target_id: str) -> Blow | None:
    unit, target = turn.units[unit_id], turn.units.get(target_id)
    if target is None or target.side == unit.side:
        turn.tell(AttackDropped(phase="shooting", attacker=unit_id, target=target_id, reason="target-gone", rule="ORDER-4"))
        return None
    attack = gather_shot(turn.ground, turn.types, unit, target, moving=bool(order.move))
    return strike(turn, "shooting", unit, target, attack)
