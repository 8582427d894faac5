"""A scenario's board: the map as signs, its legend, kinds of ground of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from app.engine.fields import Fields, Path, shown
from app.geometry.hex import cell_label
from app.rulesets.cohesion.typeform import terrain_fields
from app.rulesets.cohesion.types import terrain_form, terrain_kinds

MAX_SIDE: Final = 100
MIN_SIDE: Final = 2
MAX_KINDS: Final = 40


class Spot(NamedTuple):
    """A sign of the map: which line of its text, and which sign of the line that is not blank, both from 0."""

    line: int
    sign: int


class Drawn(NamedTuple):
    """A board as read. `spots`: where in the map's text a mistake of `Fields.problems` lies, by its place in that list."""

    columns: int
    rows: int
    layout: str
    terrain: dict[str, str]
    spots: dict[int, Spot]


def kinds_fields(fields: Fields, given: Any) -> dict[str, Any]:
    """The section `terrain`: kinds of the scenario's own, in the form of a scenario file, all values said."""
    read = fields.mapping(given, ("terrain",))
    if len(read) > MAX_KINDS:
        fields.wrong("too-many", ("terrain",), count=len(read), most=MAX_KINDS)
        return {}
    kinds: dict[str, Any] = {}
    for key, form in read.items():
        path = ("terrain", key)
        if key == "open":
            fields.wrong("open-is-fixed", path)
        elif not is_name(key):
            fields.wrong("bad-name", path, value=shown(key))
        kinds[key] = terrain_form(terrain_fields(fields, form, path))
    return kinds


def board_fields(fields: Fields, given: Any, own_kinds: Mapping[str, Any]) -> Drawn | None:
    """The section `board`. None where no map could be made of it."""
    read = fields.mapping(given, ("board",), known=("layout", "map", "legend"), needed=("map", "legend"))
    layout = fields.word(read.get("layout", "pointy"), ("board", "layout"), ("pointy", "flat"))
    legend = _legend(fields, read["legend"], ("board", "legend"), own_kinds) if "legend" in read else None
    if "map" not in read:
        return None
    if not isinstance(read["map"], str):
        fields.wrong("not-a-map", ("board", "map"), value=shown(read["map"]))
        return None
    rows = [(line, "".join(text.split())) for line, text in enumerate(read["map"].split("\n"))]
    rows = [(line, signs) for line, signs in rows if signs]
    return _drawn(fields, rows, layout, legend)


def is_name(key: str) -> bool:
    """Whether a key can be a name in addresses and orders: Latin letters, digits and hyphens, a letter first."""
    return 0 < len(key) <= 30 and key[0].isascii() and key[0].isalpha() and key.replace("-", "a").isalnum() and key.isascii()


def _legend(fields: Fields, given: Any, path: Path, own_kinds: Mapping[str, Any]) -> dict[str, str]:
    read = fields.mapping(given, path)
    known = list(dict.fromkeys([*terrain_kinds(), *own_kinds]))
    legend: dict[str, str] = {}
    for sign, kind in read.items():
        if len(sign) != 1 or sign.isspace() or not sign.isprintable():
            fields.wrong("bad-sign", (*path, sign), value=shown(sign))
        legend[sign] = fields.word(kind, (*path, sign), known)
    return legend


def _drawn(fields: Fields, rows: list[tuple[int, str]], layout: str, legend: Mapping[str, str] | None) -> Drawn | None:
    path = ("board", "map")
    columns = len(rows[0][1]) if rows else 0
    spots: dict[int, Spot] = {}
    if not (MIN_SIDE <= columns <= MAX_SIDE and MIN_SIDE <= len(rows) <= MAX_SIDE):
        fields.wrong("board-size", path, columns=columns, rows=len(rows), least=MIN_SIDE, most=MAX_SIDE)
        return None
    terrain: dict[str, str] = {}
    strange: set[str] = set()
    for row, (line, signs) in enumerate(rows):
        if len(signs) != columns:
            spots[len(fields.problems)] = Spot(line, min(len(signs), columns) - 1)
            fields.wrong("row-length", path, row=row + 1, count=len(signs), columns=columns)
        for column, sign in enumerate(signs[:columns]):
            kind = legend.get(sign) if legend is not None else "open"
            if kind is None:
                if sign not in strange:
                    strange.add(sign)
                    spots[len(fields.problems)] = Spot(line, column)
                    fields.wrong("sign-not-in-legend", path, value=shown(sign), cell=cell_label(column, row))
            elif kind != "open":
                terrain[cell_label(column, row)] = kind
    return Drawn(columns, len(rows), layout, terrain, spots)
