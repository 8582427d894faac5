"""Withdrawals after the melee (WITHDRAW-2 to WITHDRAW-5)."""

from __future__ import annotations

from app.rulesets.cohesion.events import PhaseBegan, WithdrawalDropped, Withdrew
from app.rulesets.cohesion.formula import evaluate
from app.rulesets.cohesion.marching import Mover, march
from app.rulesets.cohesion.position import is_passable
from app.rulesets.cohesion.state import Unit
from app.rulesets.cohesion.turn import Turn


def withdraw(turn: Turn) -> None:
    """Those that were told to withdraw and still have their orders go back, the faster first (WITHDRAW-5)."""
    lost = sorted(unit_id for unit_id, order in turn.spoilt.items() if order.withdraw)
    going = [turn.units[unit_id] for unit_id, order in turn.orders.items() if order.withdraw]
    if not lost and not going:
        return
    turn.tell(PhaseBegan(phase="withdrawal"))
    for unit_id in lost:
        reason = "orders-lost" if unit_id in turn.units else "gone"
        turn.tell(WithdrawalDropped(unit=unit_id, reason=reason, rule="WITHDRAW-1" if reason == "orders-lost" else "LOSS-2"))
    able = [unit for unit in going if turn.types[unit.type].withdraws]
    if len(able) < len(going):  # another unit was put on the field under the id of the one that was told to withdraw
        for unit in going:
            if unit not in able:
                turn.tell(WithdrawalDropped(unit=unit.id, reason="cannot", rule="WITHDRAW-1"))
    by_speed: dict[int, list[Unit]] = {}
    for unit in able:
        by_speed.setdefault(evaluate(turn.types[unit.type].speed, unit), []).append(unit)
    for speed in sorted(by_speed, reverse=True):
        turn.tell(PhaseBegan(phase="withdrawal", speed=speed))
        _go(turn, by_speed[speed])


def _go(turn: Turn, units: list[Unit]) -> None:
    movers = [Mover(unit, find_way(turn, unit, turn.orders[unit.id].withdraw or ""), unit.at) for unit in units]
    for steps in (1, 2):
        march(turn, [mover for mover in movers if len(mover.path) == steps], "withdrawal")
    for mover in movers:
        _tell(turn, mover)


def find_way(turn: Turn, unit: Unit, named: str) -> tuple[int, ...]:
    """WITHDRAW-4, on the board as it stands: one or two steps back, by lot where the named cell is out of reach.
    Empty: there is no way back."""
    cell = turn.grid.cell(named)
    held, stop = turn.held, turn.ground.stop
    once = _back(turn, unit, unit.at)
    twice: dict[int, tuple[int, ...]] = {}
    for first in once:
        if first in stop or (first in held and not is_passable(turn.types, unit, turn.units[held[first]])):
            continue
        for last in _back(turn, unit, first):
            if last not in held:
                twice.setdefault(last, (first, last))
    if cell in twice:
        return twice[cell]
    if twice:
        lasts = sorted(twice)
        return twice[lasts[turn.pick("withdrawal", "withdraw", unit.id, len(lasts))]]
    free = [first for first in once if first not in held]
    if cell in free:
        return (cell,)
    return (free[turn.pick("withdrawal", "withdraw", unit.id, len(free))],) if free else ()


def _back(turn: Turn, unit: Unit, cell: int) -> list[int]:
    """The cells one step back (BOARD-4) that may be entered, in canonical order."""
    home, shut = turn.ground.home[unit.side], turn.ground.shut
    nearer = home[cell] - 1
    return [near for near in turn.grid.neighbours[cell] if home[near] == nearer and near not in shut]


def _tell(turn: Turn, mover: Mover) -> None:
    unit = mover.unit
    if not mover.made:
        rule = "WITHDRAW-4" if mover.stopped is None else "MOVE-5" if mover.stopped == "contest" else "MOVE-3"
        turn.tell(WithdrawalDropped(unit=unit.id, reason="blocked", rule=rule))
        return
    path = turn.way(mover.path[: mover.made])
    named = turn.orders[unit.id].withdraw
    turn.tell(Withdrew(unit=unit.id, start=turn.labels[unit.at], path=path, named=None if path[-1] == named else named))
