"""One event of a turn taken back, as changes that `amend` makes. What came after it stays as it was."""

from __future__ import annotations

from typing import Any

from app.engine.events import Event
from app.engine.ruleset import Json, Problem, Refused
from app.rulesets.cohesion.evolve import evolve, unit_form
from app.rulesets.cohesion.state import State, Unit

Values = dict[str, Any]
SECTIONS = (("upper", 1), ("lower", 0))


def undo(before: State, event: Event, now: State) -> tuple[Json, ...]:
    """The difference that the event made, the other way round, laid over the state as it stands now: losses are given back
    up to the maximum, gains taken down to the least, who went is put back if it still stands where it went to, who fell
    stands again as it stood. Raises `Refused`: `nothing-came-of-it`, `unit-gone`, `moved-on`."""
    after = evolve(before, (event,))
    changes: list[Json] = []
    for unit_id in sorted({*before.units, *after.units}):
        changes += _unit(before, after, now, unit_id)
    points = {
        side: max(0, now.points[side] + before.points[side] - score)
        for side, score in after.points.items()
        if before.points.get(side) != score
    }
    if points:
        changes.append({"points": points})
    if before.winner != after.winner and now.winner == after.winner:
        changes.append({"winner": before.winner})
    labels = now.board.grid.labels
    ground = {
        labels[cell]: before.board.terrain.get(cell, "open")
        for cell in sorted({*before.board.terrain, *after.board.terrain})
        if before.board.terrain.get(cell) != after.board.terrain.get(cell)
    }
    if ground:
        changes.append({"terrain": ground})
    if not changes:
        raise Refused([Problem("nothing-came-of-it")])
    return tuple(changes)


def _unit(before: State, after: State, now: State, unit_id: str) -> list[Json]:
    was, became, stands = before.units.get(unit_id), after.units.get(unit_id), now.units.get(unit_id)
    if was == became:
        return []
    if was is None:
        return [{"unit": unit_id, "remove": True}] if stands is not None else []
    if became is None:
        if stands is not None:
            return []
        form = unit_form(before.board, was, has_sections=_has_sections(before, was))
        return [{"unit": unit_id, "add": form}]
    if stands is None:
        raise Refused([Problem("unit-gone", params={"unit": unit_id})])
    values = _values(before, was, became, stands)
    if was.at != became.at:
        if stands.at != became.at:
            raise Refused([Problem("moved-on", params={"unit": unit_id, "cell": now.board.grid.labels[stands.at]})])
        values["at"] = before.board.grid.labels[was.at]
    return [{"unit": unit_id, **values}] if values else []


def _values(state: State, was: Unit, became: Unit, stands: Unit) -> Values:
    kind = state.types[was.type]
    found: Values = {}
    if was.cohesion != became.cohesion:
        found["cohesion"] = _within(stands.cohesion + was.cohesion - became.cohesion, 0, kind.cohesion_max)
    if _has_sections(state, was):
        for name, least in SECTIONS:
            lost = getattr(was, name) - getattr(became, name)
            if lost:
                found[name] = _within(getattr(stands, name) + lost, least, kind.sections[name])
    elif was.strength != became.strength:
        found["strength"] = _within(stands.strength + was.strength - became.strength, 1, kind.strength)
    return found


def _within(value: int, least: int, most: int) -> int:
    return max(least, min(value, most))


def _has_sections(state: State, unit: Unit) -> bool:
    return bool(state.types[unit.type].sections)
