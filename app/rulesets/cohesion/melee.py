"""The melee phase (section 8 of the rules)."""

from __future__ import annotations

from app.rulesets.cohesion.attacks import Blow, strike
from app.rulesets.cohesion.events import AttackDropped, PhaseBegan
from app.rulesets.cohesion.gather import gather_blow
from app.rulesets.cohesion.losses import take_losses
from app.rulesets.cohesion.turn import Turn


def fight(turn: Turn) -> None:
    """All blows at once, with the values left by the shooting (MELEE-1)."""
    turn.tell(PhaseBegan(phase="melee"))
    for unit_id in sorted(turn.spoilt):
        target_id = turn.spoilt[unit_id].melee
        if target_id:
            _drop(turn, unit_id, target_id, *_lost_orders(turn, unit_id))
    blows: list[Blow] = []
    for unit_id, order in turn.orders.items():
        if order.melee:
            blow = _blow(turn, unit_id, order.melee)
            if blow is not None:
                blows.append(blow)
    take_losses(turn, "melee", blows)


def _blow(turn: Turn, unit_id: str, target_id: str) -> Blow | None:
    unit, target = turn.units[unit_id], turn.units.get(target_id)
    if target is None or target.side == unit.side:
        _drop(turn, unit_id, target_id, "target-gone", "MELEE-2")
        return None
    if turn.types[unit.type].melee is None:
        _drop(turn, unit_id, target_id, "cannot-fight", "MELEE-1")
        return None
    if target.at not in turn.grid.neighbours[unit.at]:  # the board was corrected after the orders were sealed
        _drop(turn, unit_id, target_id, "not-adjacent", "MELEE-1")
        return None
    ordered = turn.orders.get(target_id)
    withdraws = ordered is not None and bool(ordered.withdraw)
    return strike(turn, "melee", unit, target, gather_blow(turn.ground, turn.types, unit, target, withdraws=withdraws))


def _lost_orders(turn: Turn, unit_id: str) -> tuple[str, str]:
    """Why a unit that lost its orders in the shooting does not strike, and the rule that says so."""
    unit = turn.units.get(unit_id)
    if unit is None:
        return "attacker-gone", "MELEE-2"
    return ("attacker-uncontrolled", "MELEE-2") if unit.cohesion == 0 else ("orders-lost", "LOSS-5")


def _drop(turn: Turn, unit_id: str, target_id: str, reason: str, rule: str) -> None:
    turn.tell(AttackDropped(phase="melee", attacker=unit_id, target=target_id, reason=reason, rule=rule))
