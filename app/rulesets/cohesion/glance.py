"""The sheets of a side at a glance: which orders are missing, which clash, who goes when (sections 5, 8 and 10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from app.engine.glance import Finding, Glance, Going
from app.rulesets.cohesion.formula import evaluate
from app.rulesets.cohesion.movement import Travel
from app.rulesets.cohesion.orders import Sheet
from app.rulesets.cohesion.position import Position
from app.rulesets.cohesion.quiet import Quiet, quiet_turns
from app.rulesets.cohesion.state import State, Unit
from app.rulesets.cohesion.stops import Side, stops
from app.rulesets.cohesion.ways import reach, ways

ORDER = (
    "no-order",
    "same-cell",
    "friends-swap",
    "friend-later",
    "friend-first",
    "friend-stopped",
    "friend-stays",
    "friend-unknown",
    "enemy-there",
    "uncontrolled-there",
)
"""What is told first; all else comes behind."""


class _Threat(NamedTuple):
    speed: int
    beside: frozenset[int]
    """Cells that lie beside one at which it may end a move of that speed."""


def glance(state: State, sheets: Mapping[str, Sheet]) -> Glance:
    """What the commanders of some seats of one side should see in their sheets.

    Clashes are those of a quiet turn: these orders, carried out by the rules, while nobody loses strength, cohesion or
    orders and no enemy moves. What an enemy may do about a move (MOVE-7) is asked of each enemy by itself, on the board as
    it stands when the movement begins.
    """
    known = {seat: sheet for seat, sheet in sheets.items() if seat in state.seats}
    if not known:
        return Glance()
    side = Side(state, state.seats[next(iter(known))], frozenset(known))
    quiet, is_whole = quiet_turns(state, known)
    found = [Finding("no-order", unit.id, rule="ORDER-6") for unit in _silent(state, known)]
    seen = [set(stops(side, turn)) for turn in quiet]
    always = set.intersection(*seen) if is_whole else set()
    found += [msgspec.structs.replace(one, sure=one in always) for one in set.union(*seen)]
    found += _catches(side, quiet[0])
    found.sort(key=lambda one: (_place(one.code), one.unit, one.others, one.cell or ""))
    return Glance(tuple(found), _going(side, quiet[0], known), _awaited(side), is_whole)


def _place(code: str) -> int:
    return ORDER.index(code) if code in ORDER else len(ORDER)


def _silent(state: State, known: Mapping[str, Sheet]) -> list[Unit]:
    """ORDER-6: controlled units of these seats without an order."""
    return [
        unit
        for unit in state.units.values()
        if unit.seat in known and unit.cohesion > 0 and unit.id not in known[unit.seat].orders
    ]


def _going(side: Side, quiet: Quiet, known: Mapping[str, Sheet]) -> tuple[Going, ...]:
    """Withdrawals (WITHDRAW-5), then moves and retreats (MOVE-2), as groups."""
    state = side.state
    grid = state.board.grid
    back: dict[tuple[int, int], list[str]] = {}
    for seat, sheet in known.items():
        for unit_id, order in sheet.orders.items():
            unit = state.units.get(unit_id)
            cell = grid.cell(order.withdraw or "")
            if unit is not None and unit.seat == seat and unit.cohesion and cell is not None:
                key = (evaluate(state.types[unit.type].speed, unit), grid.distance(unit.at, cell))
                back.setdefault(key, []).append(unit_id)
    gone = [Going("withdrawal", *key, tuple(sorted(back[key]))) for key in sorted(back, key=_sooner)]
    for key in sorted(quiet.groups, key=_sooner):
        travels = [travel for travel in quiet.groups[key] if travel.retreats or side.has(travel.unit)]
        units = tuple(travel.unit.id for travel in travels)
        if units:
            gone.append(Going("movement", *key, units, tuple(travel.unit.id for travel in travels if travel.retreats)))
    return tuple(gone)


def _sooner(key: tuple[int, int]) -> tuple[int, int]:
    return -key[0], key[1]


def _awaited(side: Side) -> tuple[tuple[int, tuple[str, ...]], ...]:
    by_speed: dict[int, list[str]] = {}
    for enemy in side.enemies():
        kind = side.state.types[enemy.type]
        speeds = {evaluate(kind.speed, enemy)}
        if kind.charge_speed is not None:
            speeds.add(evaluate(kind.charge_speed, enemy))
        for speed in speeds - {0}:
            by_speed.setdefault(speed, []).append(enemy.id)
    return tuple((speed, tuple(sorted(by_speed[speed]))) for speed in sorted(by_speed, reverse=True))


def _catches(side: Side, quiet: Quiet) -> list[Finding]:
    """MOVE-7: moves that are lost if a faster enemy comes beside the unit before it goes."""
    moves = [travel for group in quiet.groups.values() for travel in group if not travel.retreats and side.has(travel.unit)]
    if not moves:
        return []
    here = Position(quiet.before)
    slowest = min(travel.speed for travel in moves)
    threats = {enemy.id: found for enemy in side.enemies() if (found := _threats(here, enemy, slowest))}
    told = []
    for travel in moves:
        faster = tuple(sorted(enemy for enemy, ways_of in threats.items() if _reaches(ways_of, travel)))
        if faster:
            told.append(Finding("may-be-caught", travel.unit.id, faster, here.grid.labels[travel.unit.at], "MOVE-7"))
    return told


def _reaches(threats: list[_Threat], travel: Travel) -> bool:
    return any(threat.speed > travel.speed and travel.unit.at in threat.beside for threat in threats)


def _threats(here: Position, enemy: Unit, slowest: int) -> list[_Threat]:
    """Where an enemy may end a move, by the speed that a move of such a length has (PR)."""
    unit_type = here.types[enemy.type]
    usual, most = evaluate(unit_type.speed, enemy), reach(here, enemy)
    if most <= slowest:
        return []
    neighbours = here.grid.neighbours
    near: dict[int, set[int]] = {}
    for cell, way in ways(here, enemy, enemy.at, most).items():
        charges = len(way) > usual
        if charges and not here.enemies_beside(cell, enemy.side):
            continue
        near.setdefault(most if charges else usual, set()).update(neighbours[cell])
    return [_Threat(speed, frozenset(cells)) for speed, cells in near.items()]
