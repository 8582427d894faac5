"""From one battle to the next: who was taken out by whom, and what units bring over of their losses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.engine.events import Event
from app.engine.ruleset import Carried, Fallen, Json, Problem, Refused, Rest
from app.rulesets.cohesion.events import Destroyed, Lost
from app.rulesets.cohesion.state import State, Unit, UnitType
from app.rulesets.cohesion.types import read_type, unit_types


def fallen(before: State, events: Sequence[Event], after: State) -> tuple[Fallen, ...]:
    """Units that were destroyed (LOSS-2) and are not on the board after the turn. Struck by: every seat with a unit that
    took something off it in the phase in which it fell; nobody, if it melted away in a rout."""
    struck: dict[tuple[str, str], tuple[str, ...]] = {}
    found: dict[str, Fallen] = {}
    for event in events:
        if isinstance(event, Lost):
            key = (event.unit, event.phase)
            struck[key] = (*struck.get(key, ()), *event.by)
        elif isinstance(event, Destroyed) and event.unit in before.units and event.unit not in after.units:
            unit = before.units[event.unit]
            hands = [before.units[other] for other in struck.get((event.unit, event.phase), ()) if other in before.units]
            by = tuple(dict.fromkeys(sorted(hand.seat for hand in hands if hand.side != unit.side)))
            found[event.unit] = Fallen(event.unit, unit.seat, by, event.scorer, event.value)
    return tuple(found.values())


def carry(state: State, scenario: Json, carried: Sequence[Carried], rest: Rest) -> Mapping[str, Json | None]:
    """A unit brings its strength (or its parts) and its cohesion into the place of one of its type; after a rest of half,
    half of what each has lost since the type's start is back, rounded down. A unit that comes back has its type's cohesion;
    of two parts, the upper is made whole first."""
    problems: list[Problem] = []
    types = unit_types() | {key: read_type(key, form) for key, form in scenario.get("types", {}).items()}
    brought: dict[str, Json | None] = {}
    for one in carried:
        place = {name: scenario["units"][one.place][name] for name in ("type", "contingent", "at")}
        key = place["type"]
        unit, kind = state.units.get(one.unit), types[key]
        if unit is not None and not _same(key, kind, unit, state.types[unit.type]):
            problems.append(Problem("carry-other-type", (one.place,), {"unit": one.unit, "type": unit.type, "needed": key}))
        elif unit is not None and one.back is not None:
            problems.append(Problem("carry-stands", (one.place,), {"unit": one.unit}))
        elif one.back is not None and not 1 <= one.back <= kind.strength:
            problems.append(Problem("carry-back", (one.place,), {"unit": one.unit, "most": kind.strength}))
        elif unit is not None:
            brought[one.place] = place | _differing(_rested(unit, kind, rest), kind)
        else:
            brought[one.place] = None if one.back is None else place | _differing(_back(one.back, kind), kind)
    if problems:
        raise Refused(problems)
    return brought


def _same(key: str, kind: UnitType, unit: Unit, was: UnitType) -> bool:
    """Whether the values of the one are values of the other."""
    return key == unit.type and (kind.strength, kind.sections, kind.cohesion_max) == (
        was.strength,
        was.sections,
        was.cohesion_max,
    )


def _starts(kind: UnitType) -> dict[str, int]:
    return {**(kind.sections or {"strength": kind.strength}), "cohesion": kind.cohesion_start}


def _rested(unit: Unit, kind: UnitType, rest: Rest) -> dict[str, int]:
    values = {}
    for name, start in _starts(kind).items():
        now: int = getattr(unit, name)
        if rest == "rallied" and name == "cohesion":
            now = max(now, start)
        elif rest == "half":
            now += max(0, start - now) // 2
        values[name] = min(now, kind.cohesion_max if name == "cohesion" else start)
    return values


def _back(strength: int, kind: UnitType) -> dict[str, int]:
    if not kind.sections:
        return {"strength": strength, "cohesion": kind.cohesion_start}
    upper = min(strength, kind.sections.get("upper", 0))
    return {"upper": upper, "lower": strength - upper, "cohesion": kind.cohesion_start}


def _differing(values: Mapping[str, int], kind: UnitType) -> Json:
    """As a frozen scenario has them: only what is not the type's start."""
    starts = _starts(kind)
    return {
        name: values[name]
        for name in ("strength", "upper", "lower", "cohesion")
        if name in values and values[name] != starts[name]
    }
