"""The shooting phase (section 7 of the rules)."""

from __future__ import annotations

from typing import Final

from app.rulesets.cohesion.attacks import Blow, strike
from app.rulesets.cohesion.checking import shot_refusal
from app.rulesets.cohesion.events import AttackDropped, PhaseBegan
from app.rulesets.cohesion.gather import gather_shot
from app.rulesets.cohesion.losses import take_losses
from app.rulesets.cohesion.orders import UnitOrder
from app.rulesets.cohesion.position import position
from app.rulesets.cohesion.turn import Turn

REFUSED: Final = {
    "cannot-shoot": "SHOOT-1",
    "shooting-on-the-move": "ORDER-5",
    "enemies-adjacent": "SHOOT-6",
    "out-of-range": "SHOOT-1",
    "no-line-of-sight": "SHOOT-2",
}
"""Why a shot is dropped that could be sealed once -> the rule that forbids it."""


def shoot(turn: Turn) -> None:
    """All shots at once (SHOOT-7). Nothing has moved since the orders were sealed (ORDER-3), unless the game master has
    corrected the board: what that made impossible is dropped (ORDER-4)."""
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
    refusal = shot_refusal(position(turn.draft.state), unit, order, target_id)
    if refusal is not None:
        reason = refusal[0]
        turn.tell(AttackDropped(phase="shooting", attacker=unit_id, target=target_id, reason=reason, rule=REFUSED[reason]))
        return None
    attack = gather_shot(turn.ground, turn.types, unit, target, moving=bool(order.move))
    return strike(turn, "shooting", unit, target, attack)
