"""A position as JSON -> a state: every value is looked at, for it may come from a stranger's record."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, Final, get_args

import msgspec

from app.engine.fields import W
from app.engine.ruleset import Json, Problem, Refused
from app.geometry.hex import Layout, grid
from app.rulesets.cohesion.state import Board, Rulings, State, Terrain, Unit, UnitType
from app.rulesets.cohesion.typeform import SECTIONS, read_terrain, read_type
from app.rulesets.cohesion.types import terrain_kinds, unit_types
from app.rulesets.cohesion.unreadable import Mistakes, UnreadableAt, Where, fail

MOST_CELLS: Final = 10_000
MOST_LINES: Final = 200
MOST_NUMBER: Final = 1_000_000
_SIZE = re.compile(r"([1-9][0-9]{0,2})x([1-9][0-9]{0,2})")
_POSITION: Final = ("format", "turn", "board", "seats", "units", "points", "goal", "rulings", "types", "winner")
_BOARD: Final = ("size", "layout", "home", "terrain", "kinds")
_EDGES: Final = ("top", "bottom", "left", "right")
_RULINGS: Final[dict[str, tuple[str, ...]]] = {
    switch.encode_name: get_args(switch.type) for switch in msgspec.structs.fields(Rulings)
}


def position_of_form(position: Mapping[str, Json]) -> State:
    """A position with nothing left out. Raises `UnreadableAt` with every mistake; while the board, the seats or a type is
    wrong, nothing is said of what stands on it."""
    mistakes = Mistakes()
    with mistakes:
        _mapping(position, (), known=_POSITION)
    with mistakes:
        turn = _whole(_part(position, "turn", ()), ("turn",), 1)
    with mistakes:
        goal = _whole(_part(position, "goal", ()), ("goal",), 1)
    with mistakes:
        rulings = _rulings(_part(position, "rulings", ()))
    with mistakes:
        types, board, seats = _setting(position)
        sides = tuple(board.home)
        with mistakes:
            points = _points(_part(position, "points", ()), sides)
        with mistakes:
            winner = None if position.get("winner") is None else _word(position["winner"], ("winner",), (*sides, "draw"))
        units = _units(_part(position, "units", ()), board, types, seats)
    mistakes.end()
    return State(
        turn=turn,
        board=board,
        types=types,
        units=units,
        points=points,
        goal=goal,
        rulings=rulings,
        seats=seats,
        winner=winner,
    )


def _setting(position: Mapping[str, Json]) -> tuple[dict[str, UnitType], Board, dict[str, str]]:
    """What all else in a position is read by."""
    mistakes = Mistakes()
    with mistakes:
        types = unit_types() | _own_types(position.get("types", {}))
    with mistakes:
        board = _board(_part(position, "board", ()))
        seats = _seats(_part(position, "seats", ()), tuple(board.home))
    mistakes.end()
    return types, board, seats


def read_unit(
    unit_id: str,
    form: Json,
    where: Where,
    *,
    board: Board,
    types: Mapping[str, UnitType],
    seats: Mapping[str, str],
) -> Unit:
    """A unit as a case writes it; values left out are its type's start values (UNIT-1). Raises `UnreadableAt`."""
    known = ("type", "side", "seat", "at", "strength", "upper", "lower", "cohesion")
    given = _mapping(form, where, known=known)
    key = _word(_part(given, "type", where), (*where, "type"), types)
    kind = types[key]
    if "side" in given:
        _word(given["side"], (*where, "side"), tuple(board.home))
    seat = _word(_part(given, "seat", where), (*where, "seat"), seats)
    side = given.get("side", seats[seat])
    if seats[seat] != side:
        raise fail((*where, "side"), f"the seat {seat} is of the side {seats[seat]}")
    mistakes = Mistakes()
    with mistakes:
        at = read_cell(_part(given, "at", where), (*where, "at"), board)
    with mistakes:
        cohesion = _whole(given.get("cohesion", kind.cohesion_start), (*where, "cohesion"), 0, kind.cohesion_max)
    with mistakes:
        strength, upper, lower = _strength(given, where, key, kind)
    mistakes.end()
    return Unit(
        id=unit_id, type=key, side=side, seat=seat, at=at, strength=strength, cohesion=cohesion, upper=upper, lower=lower
    )


def _strength(given: Mapping[str, Json], where: Where, key: str, kind: UnitType) -> tuple[int, int, int]:
    """Strength, upper, lower."""
    if kind.sections:
        if "strength" in given:
            raise fail((*where, "strength"), f"a unit of type {key} has upper and lower in place of strength")
        upper, lower = (
            _whole(given.get(part, kind.sections[part]), (*where, part), low, kind.sections[part])
            for part, low in (("upper", 1), ("lower", 0))
        )
        return upper + lower, upper, lower
    for part in SECTIONS:
        if part in given:
            raise fail((*where, part), f"a unit of type {key} has one strength")
    return _whole(given.get("strength", kind.strength), (*where, "strength"), 1, kind.strength), 0, 0


def read_cell(label: Json, where: Where, board: Board) -> int:
    cell = board.grid.cell(label) if isinstance(label, str) else None
    if cell is None:
        raise fail(where, f"{_shown(label)} is not on the board, which has {board.columns} columns and {board.rows} rows")
    return cell


def _board(form: Json) -> Board:
    given = _mapping(form, ("board",), known=_BOARD)
    size = _part(given, "size", ("board",))
    found = _SIZE.fullmatch(size) if isinstance(size, str) else None
    if found is None:
        raise fail(("board", "size"), f"{_shown(size)} is no size; a size is columns x rows, as 9x9")
    columns, rows = int(found[1]), int(found[2])
    if max(columns, rows) > MOST_LINES or columns * rows > MOST_CELLS:
        raise fail(("board", "size"), f"at most {MOST_LINES} columns, {MOST_LINES} rows and {MOST_CELLS} cells")
    layout: Layout = _word(_part(given, "layout", ("board",)), ("board", "layout"), ("pointy", "flat"))
    home = _mapping(_part(given, "home", ("board",)), ("board", "home"))
    if len(home) != 2:
        raise fail(("board", "home"), "a battle has two sides")
    for side, edge in home.items():
        _name(side, ("board", "home"))
        _word(edge, ("board", "home", side), _EDGES)
    if "draw" in home:
        raise fail(("board", "home"), "no side is called draw")
    kinds = terrain_kinds() | _own_kinds(given.get("kinds", {}))
    cells = grid(columns, rows, layout)
    terrain: dict[int, str] = {}
    mistakes = Mistakes()
    for label, kind in _mapping(given.get("terrain", {}), ("board", "terrain")).items():
        with mistakes:
            cell = cells.cell(label)
            if cell is None:
                raise fail(("board", "terrain", label), f"{_shown(label)} is not on the board")
            if _word(kind, ("board", "terrain", label), kinds) != "open":
                terrain[cell] = kind
    mistakes.end()
    return Board(
        columns=columns,
        rows=rows,
        layout=layout,
        home=dict(home),
        terrain=dict(sorted(terrain.items())),
        kinds=kinds,
    )


def _own_kinds(form: Json) -> dict[str, Terrain]:
    given = _mapping(form, ("board", "kinds"))
    try:
        return {_name(key, ("board", "kinds")): read_terrain(key, kind) for key, kind in given.items()}
    except (Refused, RecursionError) as refused:
        raise _refused(("board", "kinds"), refused) from refused


def _own_types(form: Json) -> dict[str, UnitType]:
    given = _mapping(form, ("types",))
    try:
        return {_name(key, ("types",)): read_type(key, kind) for key, kind in given.items()}
    except (Refused, RecursionError) as refused:
        raise _refused(("types",), refused) from refused


def _refused(where: Where, refused: Refused | RecursionError) -> UnreadableAt:
    if isinstance(refused, RecursionError):
        return fail(where, "it is nested too deeply")
    first, *rest = (_told(where, problem) for problem in refused.problems)
    return UnreadableAt(first.where, first.why, first.problem, tuple(rest))


def _told(where: Where, problem: Problem) -> UnreadableAt:
    told = ", ".join(f"{name} {value}" for name, value in problem.params.items() if name != "key")
    return UnreadableAt((*where, *problem.field), f"{problem.code} ({told})" if told else problem.code, problem)


def _seats(form: Json, sides: Collection[str]) -> dict[str, str]:
    given = _mapping(form, ("seats",))
    return {_name(seat, ("seats",)): _word(side, ("seats", seat), sides) for seat, side in given.items()}


def _units(form: Json, board: Board, types: Mapping[str, UnitType], seats: Mapping[str, str]) -> dict[str, Unit]:
    units: dict[str, Unit] = {}
    held: dict[int, str] = {}
    mistakes = Mistakes()
    for unit_id, given in _mapping(form, ("units",)).items():
        with mistakes:
            where = ("units", _name(unit_id, ("units",)))
            unit = read_unit(unit_id, given, where, board=board, types=types, seats=seats)
            if unit.at in held:
                raise fail((*where, "at"), f"{board.grid.labels[unit.at]} is held by {held[unit.at]}")
            held[unit.at] = unit_id
            units[unit_id] = unit
    mistakes.end()
    return units


def _points(form: Json, sides: Collection[str]) -> dict[str, int]:
    given = _mapping(form, ("points",), known=sides)
    return {side: _whole(_part(given, side, ("points",)), ("points", side), 0) for side in sides}


def _rulings(form: Json) -> Rulings:
    given = _mapping(form, ("rulings",), known=_RULINGS)
    mistakes = Mistakes()
    for key, value in given.items():
        with mistakes:
            _word(value, ("rulings", key), _RULINGS[key])
    mistakes.end()
    return msgspec.convert(dict(given), Rulings)


def _mapping(value: Json, where: Where, *, known: Collection[str] | None = None) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise fail(where, f"here a mapping is expected, not {_shown(value)}")
    strange = [key for key in value if not isinstance(key, str) or (known is not None and key not in known)]
    if strange:
        mistakes = Mistakes()
        for key in strange:
            if not isinstance(key, str):
                mistakes.add(where, f"the key {_shown(key)} is not a text")
            else:
                mistakes.add((*where, key), f"there is no such key; known are {', '.join(known or ())}")
        mistakes.end()
    return value


def _part(given: Mapping[str, Any], key: str, where: Where) -> Any:
    if key not in given:
        raise fail((*where, key), "it is missing")
    return given[key]


def _whole(value: Json, where: Where, low: int, high: int = MOST_NUMBER) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise fail(where, f"{_shown(value)} is not a whole number")
    if not low <= value <= high:
        raise fail(where, f"{_shown(value)} is not within {low} .. {high}")
    return int(value)


def _word(value: Json, where: Where, choices: Collection[W]) -> W:
    for choice in choices:
        if value == choice:
            return choice
    raise fail(where, f"{_shown(value)} is none of {', '.join(choices)}")


def _name(value: str, where: Where) -> str:
    if not is_name(value):
        raise fail(where, f"{_shown(value)} is no name: up to 60 Latin letters, digits and signs, no blanks, no / and no #")
    return value


def is_name(value: str) -> bool:
    """Whether a name can stand in the address of a die (DICE-1)."""
    return 0 < len(value) <= 60 and value.isascii() and value.isprintable() and set("/# ").isdisjoint(value)


def _shown(value: Json) -> str:
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, (list, tuple)):
        return "a list"
    if isinstance(value, int) and value.bit_length() > 64:
        return "so large a number"
    text = "".join(sign if sign.isprintable() else "·" for sign in str(value)[:60])
    return text or "nothing"
