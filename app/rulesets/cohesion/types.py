"""The types and kinds of ground that the ruleset knows, from its data file, and what a type is for a unit."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from ruamel.yaml import YAML

from app.rulesets.cohesion.formula import evaluate
from app.rulesets.cohesion.state import State, Terrain, Unit, UnitType
from app.rulesets.cohesion.typeform import read_terrain, read_type, terrain_form, type_form

__all__ = [
    "read_terrain",
    "read_type",
    "speed",
    "start_unit",
    "terrain_form",
    "terrain_kinds",
    "type_form",
    "type_of",
    "unit_types",
]


@cache
def unit_types() -> dict[str, UnitType]:
    """The ten types of the rules by key, the same mapping each time: read it, never change it."""
    return {key: read_type(key, form) for key, form in _data()["types"].items()}


@cache
def terrain_kinds() -> dict[str, Terrain]:
    """The built-in ground by key, `open` first (TERRAIN-1 to TERRAIN-3): read it, never change it."""
    return {key: read_terrain(key, form) for key, form in _data()["terrain"].items()}


def type_of(state: State, unit: Unit) -> UnitType:
    return state.types[unit.type]


def speed(state: State, unit: Unit) -> int:
    """The unit's maximum speed now (MOVE-1), without what a charge or a retreat allows (PR)."""
    return evaluate(state.types[unit.type].speed, unit)


def start_unit(unit_type: UnitType, *, id: str, type: str, side: str, seat: str, at: int) -> Unit:
    """A unit with its type's start values (UNIT-1)."""
    return Unit(
        id=id,
        type=type,
        side=side,
        seat=seat,
        at=at,
        strength=unit_type.strength,
        cohesion=unit_type.cohesion_start,
        upper=unit_type.sections.get("upper", 0),
        lower=unit_type.sections.get("lower", 0),
    )


def _data() -> Any:
    text = files("app.rulesets.cohesion").joinpath("types.yaml").read_text(encoding="utf-8")
    return YAML(typ="safe", pure=True).load(text)
