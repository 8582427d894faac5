"""Ways over the board as it stands: shortest paths (ORDER-2) and withdrawals (WITHDRAW-2, WITHDRAW-3)."""

from __future__ import annotations

from app.rulesets.cohesion.formula import evaluate
from app.rulesets.cohesion.position import Position, is_passable, position
from app.rulesets.cohesion.state import State, Unit

Way = tuple[str, ...]
"""Labels of the cells entered, the cell of departure left out."""


def reach(state: Position, unit: Unit) -> int:
    """The most steps that a unit's order may have now: its speed, or what a charge allows (PR)."""
    unit_type = state.types[unit.type]
    steps = evaluate(unit_type.speed, unit)
    return steps if unit_type.charge_speed is None else max(steps, evaluate(unit_type.charge_speed, unit))


def ways(state: Position, unit: Unit, start: int, steps: int, *, through: bool = False) -> dict[int, Way]:
    """Cells that a unit could end in and the shortest way to each, nearest first; of several ways the first in canonical
    order. Other units as they stand are obstacles, save passable ones, which it may pass over; with `through` none is.
    """
    grid, held, shut, stop = state.grid, state.held, state.ground.shut, state.ground.stop
    neighbours, labels = grid.neighbours, grid.labels
    found: dict[int, Way] = {}
    seen = {start}
    front: list[tuple[int, Way]] = [(start, ())]
    # Each front is in the canonical order of its ways, so the first way to a cell is the first of all that short.
    for _ in range(steps):
        ahead: list[tuple[int, Way]] = []
        for cell, way in front:
            for near in neighbours[cell]:
                if near in seen:
                    continue
                seen.add(near)
                if near in shut:
                    continue
                longer = (*way, labels[near])
                if near in held and not through and near != unit.at:
                    if near not in stop and is_passable(state.types, unit, held[near]):
                        ahead.append((near, longer))
                    continue
                found[near] = longer
                if near not in stop:
                    ahead.append((near, longer))
        front = ahead
        if not front:
            break
    return found


def shortest(state: State, unit_id: str, end: str, *, start: str | None = None) -> Way:
    """The path that a player means who names only the last cell (ORDER-2), from the unit's cell or from `start`.

    Where none is legal on the board as it stands, one that other units block; where none is short enough, one that is too
    long; where there is none at all, the bare cell. What is wrong with such a path is for `check` to say.
    """
    here = position(state)
    unit, goal = here.state.units[unit_id], here.grid.cell(end)
    departure = unit.at if start is None else here.grid.cell(start)
    if goal is None or departure is None or goal == departure:
        return (end,)
    if goal in here.grid.neighbours[departure]:
        return (end,)
    steps = reach(here, unit)
    legal = ways(here, unit, departure, steps)
    if goal in legal:
        return legal[goal]
    blocked = ways(here, unit, departure, steps, through=True)
    if goal in blocked:
        return _around_others(here, unit, departure, goal, steps) or blocked[goal]
    return _any_way(here, unit, departure, goal)


def withdrawals(state: Position, unit: Unit) -> list[int]:
    """The cells that a withdrawal may name, in canonical order: two steps back, or one where two are impossible. Empty:
    no step back is possible. Whether the type can withdraw is not asked."""
    once = _steps_back(state, unit, unit.at)
    twice = {
        last
        for first in once
        if first not in state.ground.stop and _may_pass(state, unit, first)
        for last in _steps_back(state, unit, first)
        if last not in state.held
    }
    return sorted(twice) or [cell for cell in once if cell not in state.held]


def _steps_back(state: Position, unit: Unit, cell: int) -> list[int]:
    home, shut = state.ground.home[unit.side], state.ground.shut
    nearer = home[cell] - 1
    return [near for near in state.grid.neighbours[cell] if home[near] == nearer and near not in shut]


def _may_pass(state: Position, unit: Unit, cell: int) -> bool:
    holder = state.held.get(cell)
    return holder is None or is_passable(state.types, unit, holder)


def _around_others(state: Position, unit: Unit, start: int, goal: int, steps: int) -> Way | None:
    """A way to a held cell that goes around all other units."""
    if steps < 2:
        return None
    before = ways(state, unit, start, steps - 1)
    beside = set(state.grid.neighbours[goal])
    for cell, way in before.items():
        if cell in beside and cell not in state.ground.stop:
            return (*way, state.grid.labels[goal])
    return None


def _any_way(state: Position, unit: Unit, start: int, goal: int) -> Way:
    """A way of any length, over units too, that enters the goal even if nobody can."""
    label = state.grid.labels[goal]
    free = ways(state, unit, start, len(state.grid), through=True)
    if goal in free:
        return free[goal]
    stop = state.ground.stop
    ends = [free[near] for near in state.grid.neighbours[goal] if near in free and near not in stop]
    return (*min(ends, key=len), label) if ends else (label,)
