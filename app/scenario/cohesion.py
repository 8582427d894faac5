"""Checking a scenario of the ruleset `cohesion` whole: every mistake, then what looks odd."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from app.engine.fields import Fields, Path, shown
from app.geometry.hex import Grid, grid, parse_label
from app.rulesets.cohesion.setup import SWITCHES
from app.rulesets.cohesion.state import UnitType
from app.rulesets.cohesion.typeform import colour_field, type_fields
from app.rulesets.cohesion.types import terrain_kinds, type_form, unit_types
from app.scenario.board import Drawn, Spot, board_fields, is_name, kinds_fields

KEYS: Final = ("goal", "board", "terrain", "types", "sides", "contingents", "units", "rulings")
NEEDED: Final = ("goal", "board", "sides", "contingents", "units")
EDGES: Final = ("top", "bottom", "left", "right")
COLOURS: Final = ("#d8d8d8", "#5f9e4f")
MAX_GOAL: Final = 999
MAX_CONTINGENTS: Final = 40
MAX_TYPES: Final = 80
MAX_UNITS: Final = 3000
NAME_LENGTH: Final = 120
_VALUES: Final = ((), ("strength",), ("sections",), ("cohesion",))
"""What a type's mistakes may be in for its values to be unsound; nothing: it is wrong as a whole."""


def check(fields: Fields, read: Mapping[str, Any]) -> tuple[dict[str, Any], dict[int, Spot]]:
    """The ruleset's part of a scenario -> its frozen form, which holds only if no mistake was found, and the spots in
    the map of those mistakes that lie there."""
    goal = fields.whole(read["goal"], ("goal",), 1, MAX_GOAL) if "goal" in read else 1
    kinds = kinds_fields(fields, read["terrain"]) if "terrain" in read else {}
    drawn = board_fields(fields, read["board"], kinds) if "board" in read else None
    own = _types(fields, read["types"]) if "types" in read else {}
    sides = _sides(fields, read["sides"]) if "sides" in read else {}
    contingents = _contingents(fields, read["contingents"], sides) if "contingents" in read else {}
    known = unit_types() | own
    shut = {key for key, kind in terrain_kinds().items() if not kind.enter} - kinds.keys()
    shut |= {key for key, form in kinds.items() if form.get("enter") is False}
    units = _Units(fields, known, contingents, drawn, shut).read(read["units"]) if "units" in read else {}
    rulings = _rulings(fields, read.get("rulings", {}))
    frozen = {
        "goal": goal,
        "board": _board(drawn, sides, kinds) if drawn is not None else {},
        "types": {key: type_form(unit_type) for key, unit_type in own.items()},
        "sides": sides,
        "contingents": contingents,
        "units": units,
        "rulings": rulings,
    }
    return frozen, drawn.spots if drawn is not None else {}


def _board(drawn: Drawn, sides: Mapping[str, Any], kinds: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "size": f"{drawn.columns}x{drawn.rows}",
        "layout": drawn.layout,
        "home": {side: given["home"] for side, given in sides.items()},
        "terrain": drawn.terrain,
        "kinds": dict(kinds),
    }


def _types(fields: Fields, given: Any) -> dict[str, UnitType]:
    read = fields.mapping(given, ("types",))
    if len(read) > MAX_TYPES:
        fields.wrong("too-many", ("types",), count=len(read), most=MAX_TYPES)
        return {}
    own: dict[str, UnitType] = {}
    for key, form in read.items():
        if not is_name(key):
            fields.wrong("bad-name", ("types", key), value=shown(key))
        own[key] = type_fields(fields, form, ("types", key))
    _codes(fields, own)
    return own


def _codes(fields: Fields, own: Mapping[str, UnitType]) -> None:
    """No two types of a battle share a code, whichever language, full stops and case aside (text orders)."""
    whose: dict[str, str] = {}
    built_in = {key: unit_type for key, unit_type in unit_types().items() if key not in own}
    for key, unit_type in [*built_in.items(), *own.items()]:
        for code in dict.fromkeys(unit_type.code.values()):
            other = whose.setdefault(code.replace(".", "").casefold(), key)
            if other != key and code != "?":
                fields.wrong("code-twice", ("types", key, "code"), value=code, other=other)


def _sides(fields: Fields, given: Any) -> dict[str, Any]:
    read = fields.mapping(given, ("sides",))
    if isinstance(given, Mapping) and len(read) != 2:
        fields.wrong("not-two-sides", ("sides",), count=len(read))
    sides: dict[str, Any] = {}
    for index, (side, form) in enumerate(list(read.items())[:8]):
        path: Path = ("sides", side)
        if side == "draw":
            fields.wrong("side-called-draw", path)
        elif not is_name(side):
            fields.wrong("bad-name", path, value=shown(side))
        part = fields.mapping(form, path, known=("name", "home", "colour"), needed=("name", "home"))
        colour = part.get("colour")
        sides[side] = {
            "name": fields.texts(part["name"], (*path, "name"), longest=NAME_LENGTH) if "name" in part else {},
            "home": fields.word(part["home"], (*path, "home"), EDGES) if "home" in part else EDGES[index % 2],
            "colour": colour_field(fields, colour, (*path, "colour")) if colour is not None else COLOURS[index % 2],
        }
    return sides


def _contingents(fields: Fields, given: Any, sides: Mapping[str, Any]) -> dict[str, Any]:
    read = fields.mapping(given, ("contingents",))
    if isinstance(given, Mapping) and not read:
        fields.wrong("none-at-all", ("contingents",))
    if len(read) > MAX_CONTINGENTS:
        fields.wrong("too-many", ("contingents",), count=len(read), most=MAX_CONTINGENTS)
        return {}
    contingents: dict[str, Any] = {}
    for seat, form in read.items():
        path: Path = ("contingents", seat)
        if not is_name(seat):
            fields.wrong("bad-name", path, value=shown(seat))
        part = fields.mapping(form, path, known=("side", "name"), needed=("side", "name"))
        contingents[seat] = {
            "side": fields.word(part["side"], (*path, "side"), list(sides)) if "side" in part and sides else "?",
            "name": fields.texts(part["name"], (*path, "name"), longest=NAME_LENGTH) if "name" in part else {},
        }
    return contingents


def _rulings(fields: Fields, given: Any) -> dict[str, str]:
    read = fields.mapping(given, ("rulings",), known=[switch.key for switch in SWITCHES])
    return {
        switch.key: fields.word(read[switch.key], ("rulings", switch.key), switch.values)
        if switch.key in read
        else switch.default
        for switch in SWITCHES
    }


class _Units:
    """The section `units`, and what must not be there twice."""

    def __init__(
        self,
        fields: Fields,
        types: Mapping[str, UnitType],
        contingents: Mapping[str, Any],
        drawn: Drawn | None,
        shut: set[str],
    ) -> None:
        self.fields = fields
        self.types = types
        self.contingents = contingents
        self.drawn = drawn
        self.shut = shut
        self.grid: Grid | None = grid(drawn.columns, drawn.rows, drawn.layout) if drawn else None
        self.unsound = {
            problem.field[1]
            for problem in fields.problems
            if problem.field[:1] == ("types",) and problem.field[2:3] in _VALUES and len(problem.field) > 1
        }
        """Types whose own values are wrong: what a unit of theirs has cannot be held to them."""
        self.ids: dict[str, str] = {}
        self.cells: dict[str, str] = {}

    def read(self, given: Any) -> dict[str, Any]:
        read = self.fields.mapping(given, ("units",))
        if isinstance(given, Mapping) and not read:
            self.fields.wrong("none-at-all", ("units",))
        if len(read) > MAX_UNITS:
            self.fields.wrong("too-many", ("units",), count=len(read), most=MAX_UNITS)
            return {}
        return {unit_id: self.unit(unit_id, form) for unit_id, form in read.items()}

    def unit(self, unit_id: str, form: Any) -> dict[str, Any]:
        fields, path = self.fields, ("units", unit_id)
        self.name(unit_id, path)
        known = ("type", "contingent", "at", "strength", "cohesion", "upper", "lower")
        part = fields.mapping(form, path, known=known, needed=("type", "contingent", "at"))
        read: dict[str, Any] = {}
        if "type" in part:
            read["type"] = fields.word(part["type"], (*path, "type"), self.types.keys())
        if "contingent" in part and self.contingents:
            read["contingent"] = fields.word(part["contingent"], (*path, "contingent"), self.contingents.keys())
        if "at" in part:
            read["at"] = self.cell(unit_id, part["at"], (*path, "at"))
        if read.get("type") == part.get("type") and "type" in read and read["type"] not in self.unsound:
            read |= self.values(part, path, self.types[read["type"]])
        return read

    def name(self, unit_id: str, path: Path) -> None:
        if not is_name(unit_id):
            self.fields.wrong("bad-name", path, value=shown(unit_id))
            return
        if self.grid is not None and self.grid.cell(unit_id.upper()) is not None:
            self.fields.wrong("id-is-a-cell", path, value=unit_id)
        other = self.ids.setdefault(unit_id.casefold(), unit_id)
        if other != unit_id:
            self.fields.wrong("id-twice", path, value=unit_id, other=other)

    def cell(self, unit_id: str, given: Any, path: Path) -> str:
        label = given.strip().upper() if isinstance(given, str) else ""
        if parse_label(label) is None:
            self.fields.wrong("not-a-cell", path, value=shown(given))
            return "A1"
        if self.grid is None or self.drawn is None:
            return label
        if self.grid.cell(label) is None:
            self.fields.wrong(
                "off-board", path, cell=label, columns=self.drawn.columns, rows=self.drawn.rows, last=self.grid.labels[-1]
            )
            return label
        kind = self.drawn.terrain.get(label, "open")
        if kind in self.shut:
            self.fields.wrong("cell-impassable", path, cell=label, kind=kind)
        other = self.cells.setdefault(label, unit_id)
        if other != unit_id:
            self.fields.wrong("cell-taken", path, cell=label, other=other)
        return label

    def values(self, part: Mapping[str, Any], path: Path, unit_type: UnitType) -> dict[str, int]:
        """Values other than the type's start values, kept only where they differ."""
        highest = {"cohesion": (0, unit_type.cohesion_max, unit_type.cohesion_start)}
        if unit_type.sections:
            upper, lower = unit_type.sections.get("upper", 1), unit_type.sections.get("lower", 1)
            highest |= {"upper": (1, upper, upper), "lower": (0, lower, lower)}
        else:
            highest["strength"] = (1, unit_type.strength, unit_type.strength)
        read: dict[str, int] = {}
        for name in ("strength", "upper", "lower", "cohesion"):
            if name not in part:
                continue
            if name not in highest:
                self.fields.wrong("value-of-another-type", (*path, name), name=name, known=", ".join(highest))
                continue
            low, high, start = highest[name]
            value = self.fields.whole(part[name], (*path, name), low, high)
            if value != start:
                read[name] = value
        return read
