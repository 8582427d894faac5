"""State, orders and events <-> JSON. A state is written as the position of an adjudication case, with a format number;
a bare case is its format 0 and is read as well."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, get_args

import msgspec

from app.engine.events import Event
from app.engine.ruleset import Json
from app.rulesets.cohesion.events import AnyEvent
from app.rulesets.cohesion.evolve import unit_form
from app.rulesets.cohesion.orders import Sheet, UnitOrder
from app.rulesets.cohesion.position_form import position_of_form
from app.rulesets.cohesion.state import Board, Rulings, State
from app.rulesets.cohesion.typeform import terrain_form, type_form
from app.rulesets.cohesion.types import terrain_kinds, unit_types
from app.rulesets.cohesion.unreadable import Where, fail

FORMAT: Final = 1
_SIDES: Final = {"north": "top", "south": "bottom"}
_DEFAULT_RULINGS: Final[dict[str, Json]] = msgspec.to_builtins(Rulings())
_EVENTS: Final[dict[str, type[Event]]] = {str(kind.__struct_config__.tag): kind for kind in get_args(AnyEvent)}
MOST_ORDERS: Final = 10_000


def dump_state(state: State) -> dict[str, Json]:
    """The position as a case writes it. Types and ground are written where they are not the ruleset's own."""
    types, known = state.types, unit_types()
    own = {key: type_form(given) for key, given in types.items() if known.get(key) != given}
    position: dict[str, Json] = {
        "format": FORMAT,
        "turn": state.turn,
        "board": _board_form(state.board),
        "seats": dict(state.seats),
        "units": {
            unit.id: unit_form(state.board, unit, has_sections=bool(types[unit.type].sections))
            for unit in state.units.values()
        },
        "points": dict(state.points),
        "goal": state.goal,
        "rulings": msgspec.to_builtins(state.rulings),
    }
    if own:
        position["types"] = own
    if state.winner is not None:
        position["winner"] = state.winner
    return position


def load_state(position: Json) -> State:
    """A position as `dump_state` wrote it, in any format so far, or a case. Raises `Unreadable`: where and why."""
    if not isinstance(position, Mapping):
        raise fail((), "a position is a mapping")
    form = position.get("format", 0)
    if isinstance(form, bool) or not isinstance(form, int) or not 0 <= form <= FORMAT:
        raise fail(("format",), f"this program reads the formats 0 to {FORMAT}")
    while form < FORMAT:
        position = _UPGRADES[form](position)
        form += 1
    return position_of_form(position)


def _from_case(case: Mapping[str, Json]) -> dict[str, Json]:
    """Format 0 -> 1: what a case may leave out is filled in, and what is no part of a position is left out."""
    board = {"size": "9x9", "layout": "pointy", "home": _SIDES, "terrain": {}}
    if isinstance(case.get("board", {}), Mapping):
        board |= case.get("board", {})
    else:
        raise fail(("board",), "a board is a mapping")
    if "units" not in case:
        raise fail(("units",), "it is missing")
    home, units, seats = board["home"], case["units"], case.get("seats")
    if not isinstance(home, Mapping):
        raise fail(("board", "home"), "the home edges are a mapping of sides")
    if not isinstance(units, Mapping):
        raise fail(("units",), "units are a mapping")
    position = {
        "turn": 1,
        "goal": 6,
        "seats": {side: side for side in home} if seats is None else seats,
        **{key: case[key] for key in ("turn", "goal", "types", "winner") if key in case},
        "format": 1,
        "board": board,
        "points": case.get("points", {}),
        "rulings": case.get("rulings", {}),
        "units": {
            unit_id: {"seat": unit["side"], **unit} if isinstance(unit, Mapping) and "side" in unit else unit
            for unit_id, unit in units.items()
        },
    }
    if isinstance(position["points"], Mapping):
        position["points"] = dict.fromkeys(home, 0) | dict(position["points"])
    if isinstance(position["rulings"], Mapping):
        position["rulings"] = _DEFAULT_RULINGS | dict(position["rulings"])
    return position


_UPGRADES: Final[dict[int, Callable[[Mapping[str, Json]], dict[str, Json]]]] = {0: _from_case}


def dump_order(sheet: Sheet) -> dict[str, Json]:
    """`{unit: {shoot?, melee?, withdraw?, move?}}`, parts that are none left out."""
    orders: dict[str, Json] = {}
    for unit_id, order in sheet.orders.items():
        parts: dict[str, Json] = {}
        if order.shoot is not None:
            parts["shoot"] = order.shoot
        if order.melee is not None:
            parts["melee"] = order.melee
        if order.withdraw is not None:
            parts["withdraw"] = order.withdraw
        if order.move:
            parts["move"] = list(order.move)
        orders[unit_id] = parts
    return orders


def load_order(orders: Json) -> Sheet:
    """Raises `Unreadable`. Nothing is asked of the board."""
    if isinstance(orders, Mapping) and len(orders) > MOST_ORDERS:
        raise fail(("orders",), f"orders for more than {MOST_ORDERS} units")
    return Sheet(_converted(orders, dict[str, UnitOrder], ("orders",)))


def dump_event(event: Event) -> Json:
    """`{"event": key, …}`; what is at its default is left out."""
    return msgspec.to_builtins(event)


def load_event(event: Json) -> Event:
    """Raises `Unreadable`."""
    key = event.get("event") if isinstance(event, Mapping) else None
    kind = _EVENTS.get(key) if isinstance(key, str) else None
    if kind is None:
        raise fail(("event",), "there is no event of that name")
    loaded: Event = _converted(event, kind, ("event",))
    return loaded


def _converted(tree: Json, shape: Any, where: Where) -> Any:
    try:
        return msgspec.convert(tree, shape, strict=True)
    except msgspec.ValidationError as bad:
        raise fail(where, str(bad)) from bad
    except (RecursionError, TypeError, ValueError) as bad:
        raise fail(where, f"it cannot be read ({type(bad).__name__})") from bad


def _board_form(board: Board) -> dict[str, Json]:
    labels, known = board.grid.labels, terrain_kinds()
    own = {key: terrain_form(kind) for key, kind in board.kinds.items() if known.get(key) != kind}
    form: dict[str, Json] = {
        "size": f"{board.columns}x{board.rows}",
        "layout": board.layout,
        "home": dict(board.home),
        "terrain": {labels[cell]: board.terrain[cell] for cell in sorted(board.terrain)},
    }
    if own:
        form["kinds"] = own
    return form
