"""What the game master may correct, as a form; and what was typed into one, as changes for `amend`.

Fields: `unit` with `remove`, or with `at`, `strength`, `upper`, `lower`, `cohesion` (those that differ from how the unit
stands are changed); `add-id`, `add-type`, `add-seat`, `add-at`; `cell` with `kind`; `points-SIDE`; `winner` (a side, `draw`,
`none`; empty: as it is). What is left empty is left alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.engine.ruleset import Json, Problem, Refused
from app.rulesets.cohesion.evolve import unit_form
from app.rulesets.cohesion.state import State, Texts, Unit

NUMBERS = ("strength", "upper", "lower", "cohesion")


@dataclass(frozen=True)
class NumberField:
    """A value of a unit with the least and the most that it may be."""

    name: str
    value: int
    least: int
    most: int


@dataclass(frozen=True)
class UnitFields:
    id: str
    type: str
    seat: str
    at: str
    numbers: tuple[NumberField, ...]


@dataclass(frozen=True)
class AmendForm:
    """`types` and `kinds`: key -> name by language. `ground`: label -> kind, of cells that are not open."""

    units: tuple[UnitFields, ...]
    types: Mapping[str, Texts]
    seats: Mapping[str, str]
    kinds: Mapping[str, Texts]
    ground: Mapping[str, str]
    points: Mapping[str, int]
    winner: str | None
    last_cell: str


def amend_form(state: State) -> AmendForm:
    """The form, filled with how everything stands."""
    labels = state.board.grid.labels
    return AmendForm(
        units=tuple(_unit(state, state.units[unit_id]) for unit_id in sorted(state.units)),
        types={key: kind.name for key, kind in state.types.items()},
        seats=dict(state.seats),
        kinds={key: kind.name for key, kind in state.board.kinds.items()},
        ground={labels[cell]: kind for cell, kind in sorted(state.board.terrain.items())},
        points=dict(state.points),
        winner=state.winner,
        last_cell=labels[-1],
    )


def amend_read(state: State, fields: Mapping[str, str]) -> tuple[Json, ...]:
    """Changes as `amend` takes them, which judges what is legal. Raises `Refused`: `not-a-number`,
    `no-changes` where everything was left as it is."""
    wrong: list[Problem] = []
    changes = [*_corrected(state, fields, wrong), *_added(fields)]
    cell, kind = fields.get("cell", "").strip().upper(), fields.get("kind", "")
    if cell and kind:
        changes.append({"terrain": {cell: kind}})
    points = {}
    for side, score in state.points.items():
        given = _number(fields, f"points-{side}", wrong)
        if given is not None and given != score:
            points[side] = given
    if points:
        changes.append({"points": points})
    winner = fields.get("winner", "")
    if winner:
        changes.append({"winner": None if winner == "none" else winner})
    if wrong:
        raise Refused(wrong)
    if not changes:
        raise Refused([Problem("no-changes", ("changes",), {"key": "changes"})])
    return tuple(changes)


def _unit(state: State, unit: Unit) -> UnitFields:
    kind = state.types[unit.type]
    if kind.sections:
        values = [("upper", unit.upper, 1, kind.sections["upper"]), ("lower", unit.lower, 0, kind.sections["lower"])]
    else:
        values = [("strength", unit.strength, 1, kind.strength)]
    values.append(("cohesion", unit.cohesion, 0, kind.cohesion_max))
    numbers = tuple(NumberField(*value) for value in values)
    return UnitFields(unit.id, unit.type, unit.seat, state.board.grid.labels[unit.at], numbers)


def _corrected(state: State, fields: Mapping[str, str], wrong: list[Problem]) -> list[Json]:
    unit_id = fields.get("unit", "")
    if not unit_id:
        return []
    if fields.get("remove"):
        return [{"unit": unit_id, "remove": True}]
    values: dict[str, Any] = {}
    if fields.get("at", "").strip():
        values["at"] = fields["at"].strip().upper()
    for name in NUMBERS:
        given = _number(fields, name, wrong)
        if given is not None:
            values[name] = given
    unit = state.units.get(unit_id)
    if unit is not None:
        stands = unit_form(state.board, unit, has_sections=bool(state.types[unit.type].sections))
        values = {name: value for name, value in values.items() if stands.get(name) != value}
    return [{"unit": unit_id, **values}] if values else []


def _added(fields: Mapping[str, str]) -> list[Json]:
    unit_id = fields.get("add-id", "").strip()
    if not unit_id:
        return []
    given = {name: fields.get(f"add-{name}", "").strip() for name in ("type", "seat", "at")}
    return [{"unit": unit_id, "add": {**given, "at": given["at"].upper()}}]


def _number(fields: Mapping[str, str], name: str, wrong: list[Problem]) -> int | None:
    text = fields.get(name, "").strip()
    if not text:
        return None
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    wrong.append(Problem("not-a-number", ("changes", name), {"key": name, "value": text[:40], "low": 0, "high": 999}))
    return None
