"""A frozen scenario -> the first state. The scenario was checked when it was frozen."""

from __future__ import annotations

import msgspec

from app.engine.ruleset import Json, RulingSwitch, Step
from app.geometry.hex import grid
from app.rulesets.cohesion.events import BattleBegan
from app.rulesets.cohesion.state import Board, Rulings, State, Unit, UnitType
from app.rulesets.cohesion.types import read_terrain, read_type, start_unit, terrain_kinds, unit_types

SWITCHES = (
    RulingSwitch("missing-orders", ("holds", "fights"), "holds", "ORDER-6"),
    RulingSwitch("reroll", ("any", "counted"), "any", "ATTACK-4"),
    RulingSwitch("second-only", ("strength", "both"), "strength", "ATTACK-6"),
    RulingSwitch("credit", ("all", "most"), "all", "LOSS-4"),
    RulingSwitch("uncontrolled-catch", ("no", "yes"), "no", "MOVE-7"),
    RulingSwitch("caught-rout", ("bleeds", "exempt"), "bleeds", "ROUT-4"),
    RulingSwitch("tie", ("draw", "on"), "draw", "WIN-2"),
)


def setup(frozen: Json) -> Step[State]:
    """The state at the opening of turn 1 and the event that opens the battle."""
    board = _board(frozen)
    types = unit_types() | {key: read_type(key, form) for key, form in frozen.get("types", {}).items()}
    seats = {seat: contingent["side"] for seat, contingent in frozen["contingents"].items()}
    units = {unit_id: _unit(unit_id, given, types, seats, board) for unit_id, given in frozen["units"].items()}
    state = State(
        turn=1,
        board=board,
        types=types,
        units=units,
        points=dict.fromkeys(frozen["sides"], 0),
        goal=frozen["goal"],
        rulings=msgspec.convert(frozen.get("rulings", {}), Rulings),
        seats=seats,
    )
    return Step(state, (BattleBegan(units=tuple(units)),))


def _board(frozen: Json) -> Board:
    given = frozen["board"]
    columns, rows = (int(number) for number in given["size"].split("x"))
    cells = grid(columns, rows, given["layout"])
    terrain = {cells.cell(label): kind for label, kind in given["terrain"].items()}
    return Board(
        columns=columns,
        rows=rows,
        layout=given["layout"],
        home=dict(given["home"]),
        terrain={cell: terrain[cell] for cell in sorted(cell for cell in terrain if cell is not None)},
        kinds=terrain_kinds() | {key: read_terrain(key, kind) for key, kind in given.get("kinds", {}).items()},
    )


def _unit(unit_id: str, given: Json, types: dict[str, UnitType], seats: dict[str, str], board: Board) -> Unit:
    seat, key = given["contingent"], given["type"]
    cell = board.grid.cell(given["at"])
    if cell is None:
        raise ValueError(f"{unit_id}: {given['at']} is not on the board")
    unit = start_unit(types[key], id=unit_id, type=key, side=seats[seat], seat=seat, at=cell)
    values = {name: given[name] for name in ("strength", "cohesion", "upper", "lower") if name in given}
    if "upper" in values or "lower" in values:
        values["strength"] = values.get("upper", unit.upper) + values.get("lower", unit.lower)
    return msgspec.structs.replace(unit, **values)
