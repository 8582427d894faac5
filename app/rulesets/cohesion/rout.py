"""The uncontrolled retreat (section 11 of the rules): how fast, which way, and what it costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from app.rulesets.cohesion.events import Retreated
from app.rulesets.cohesion.formula import evaluate
from app.rulesets.cohesion.losses import wound
from app.rulesets.cohesion.marching import Mover
from app.rulesets.cohesion.position import is_passable
from app.rulesets.cohesion.state import Unit, UnitType
from app.rulesets.cohesion.turn import Turn


class Ways(NamedTuple):
    """All the ways that ROUT-2 leaves to choose from, none of them written out. `depth`: steps to a cell; `ends`: the cells
    next to the last -> the last cells that they lead to."""

    depth: dict[int, int]
    ends: dict[int, list[int]]
    nearest: int
    length: int


def retreat_speed(unit_type: UnitType, unit: Unit) -> int:
    """ROUT-1, and the type's own rule (PR)."""
    return evaluate(unit_type.speed if unit_type.retreat_speed is None else unit_type.retreat_speed, unit)


def choose_way(turn: Turn, unit: Unit, steps: int) -> tuple[int, ...]:
    """ROUT-2: the cells of one way home, by lot among the shortest of those that come nearest. Empty: there is none."""
    start = unit.at
    home = turn.ground.home[unit.side]
    goal = max(0, home[start] - steps)
    if goal == home[start]:
        return ()
    # Where steps straight towards home reach as near as can be, those are all the ways there are to choose from.
    found = _ways(turn, unit, steps, home, sideways=False)
    if found.nearest > goal:
        found = _ways(turn, unit, steps, home, sideways=True)
    if not found.length:
        return ()
    counts = _counts(turn, found, home)
    number = turn.pick("movement", "retreat", unit.id, counts[start])
    way, cell = [], start
    for depth in range(1, found.length + 1):
        for ahead in _ahead(turn, found, home, cell, depth):
            onward = counts.get(ahead, 0) if depth < found.length else 1
            if number < onward:
                way.append(ahead)
                cell = ahead
                break
            number -= onward
    return tuple(way)


def _ways(turn: Turn, unit: Unit, steps: int, home: Sequence[int], *, sideways: bool) -> Ways:
    neighbours, held, shut = turn.grid.neighbours, turn.held, turn.ground.shut
    units, types = turn.units, turn.types
    depth = {unit.at: 0}
    ends: dict[int, list[int]] = {}
    nearest, length = home[unit.at], 0
    front = [unit.at]
    for step in range(1, steps + 1):
        ahead: list[int] = []
        for cell in front:
            limit = home[cell]
            for near in neighbours[cell]:
                distance = home[near]
                if distance > limit or (distance == limit and not sideways) or near in shut:
                    continue
                if near not in held:
                    # The last step comes nearer; of ways that come equally near the shorter were found before.
                    if distance < limit and (distance < nearest or (distance == nearest and step == length)):
                        if distance < nearest:
                            ends, nearest, length = {}, distance, step
                        ends.setdefault(cell, []).append(near)
                elif not is_passable(types, unit, units[held[near]]):
                    continue
                if near not in depth:
                    depth[near] = step
                    ahead.append(near)
        front = ahead
    return Ways(depth, ends, nearest, length)


def _counts(turn: Turn, ways: Ways, home: Sequence[int]) -> dict[int, int]:
    """Cell -> how many of the ways lead on from it."""
    layers: list[list[int]] = [[] for _ in range(ways.length)]
    for cell, depth in ways.depth.items():
        if depth < ways.length:
            layers[depth].append(cell)
    counts = {cell: len(ends) for cell, ends in ways.ends.items()}
    for depth in range(ways.length - 1, 0, -1):
        for cell in layers[depth - 1]:
            counts[cell] = sum([counts.get(ahead, 0) for ahead in _ahead(turn, ways, home, cell, depth)])
    return counts


def _ahead(turn: Turn, ways: Ways, home: Sequence[int], cell: int, depth: int) -> list[int]:
    """The cells that ways lead to from a cell by their step number `depth`, in canonical order."""
    if depth == ways.length:
        return ways.ends.get(cell, [])
    limit, depths = home[cell], ways.depth
    return [near for near in turn.grid.neighbours[cell] if depths.get(near) == depth and home[near] <= limit]


def settle_retreat(turn: Turn, mover: Mover, speed: int, *, caught: bool) -> None:
    """Tell a retreat as it came off."""
    made = mover.path[: mover.made]
    reason: str | None = None
    if caught:
        reason = "caught"
    elif mover.made < speed:
        if mover.stopped is not None:
            reason = "contest" if mover.stopped == "contest" else "blocked"
        else:
            reason = "edge" if turn.ground.home[mover.unit.side][mover.at] == 0 else "blocked"
    turn.tell(
        Retreated(
            unit=mover.unit.id,
            start=turn.labels[mover.unit.at],
            path=turn.way(made),
            speed=speed,
            reason=reason,
            rule="ROUT-4" if caught else "ROUT-2",
        )
    )


def bleed(turn: Turn, mover: Mover, speed: int) -> None:
    """ROUT-3, ROUT-5: one strength for each step of its speed that it did not make."""
    owed = speed - mover.made
    unit = turn.units[mover.unit.id]
    if owed and wound(turn, "movement", unit, owed, rule="ROUT-3"):
        turn.destroy(unit, "movement")
