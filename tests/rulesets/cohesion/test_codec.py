"""Positions, orders and events as JSON, and junk in their place."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.ruleset import Unreadable
from app.rulesets.cohesion import codec
from app.rulesets.cohesion.events import AttackDropped, Attacked, Destroyed, Moved
from app.rulesets.cohesion.orders import Sheet, UnitOrder
from app.rulesets.cohesion.state import Rulings, State, Terrain
from app.rulesets.cohesion.types import unit_types
from tests.rulesets.cohesion.boards import battle

MARSH = Terrain(name={"en": "marsh", "ru": "болото"}, must_stop=True, colour="#778899")


def rich() -> State:
    """A state with everything in it that can be."""
    own = msgspec.structs.replace(unit_types()["LM"], strength=9, value=4)
    state = battle(
        {"S1": "LM D6", "N1": "WS D4", "S2": "XX A1", "N2": "PR I9"},
        size="12x9",
        layout="flat",
        terrain={"C3": "building", "B2": "marsh"},
        changed={"S1": {"cohesion": 0, "seat": "south-left"}, "N1": {"upper": 2, "lower": 5, "strength": 7}},
        seats={"north": "north", "south": "south", "south-left": "south"},
        types={"XX": own},
        tie="on",
    )
    board = msgspec.structs.replace(state.board, kinds=state.board.kinds | {"marsh": MARSH})
    return msgspec.structs.replace(state, board=board, turn=7, goal=9, points={"north": 3, "south": 2}, winner="draw")


def test_a_position_has_the_shape_of_a_case() -> None:
    written = codec.dump_state(rich())
    assert written["format"] == 1
    assert written["board"]["size"] == "12x9"
    assert written["board"]["terrain"] == {"B2": "marsh", "C3": "building"}
    assert written["board"]["kinds"]["marsh"]["name"]["ru"] == "болото"
    assert list(written["types"]) == ["XX"]
    assert written["units"]["N1"] == {
        "type": "WS",
        "side": "north",
        "seat": "north",
        "at": "D4",
        "upper": 2,
        "lower": 5,
        "cohesion": 6,
    }
    assert written["units"]["S1"]["strength"] == 6
    assert written["rulings"]["second-only"] == "strength"
    assert (written["turn"], written["goal"], written["points"], written["winner"]) == (
        7,
        9,
        {"north": 3, "south": 2},
        "draw",
    )


def test_a_position_survives_its_JSON() -> None:
    state = rich()
    text = json.dumps(codec.dump_state(state))
    assert codec.load_state(json.loads(text)) == state
    assert json.dumps(codec.dump_state(codec.load_state(json.loads(text)))) == text


def test_what_is_the_ruleset_s_own_is_not_written() -> None:
    written = codec.dump_state(battle({"S1": "LM D6"}))
    assert "types" not in written
    assert "kinds" not in written["board"]
    assert "winner" not in written


def test_a_bare_case_is_format_0_and_is_filled_in() -> None:
    state = codec.load_state({"units": {"S1": {"type": "WS", "side": "south", "at": "C5", "lower": 2}}})
    assert (state.board.columns, state.board.rows, state.board.layout) == (9, 9, "pointy")
    assert state.board.home == {"north": "top", "south": "bottom"}
    assert state.seats == {"north": "north", "south": "south"}
    assert (state.turn, state.goal, state.points, state.rulings) == (1, 6, {"north": 0, "south": 0}, Rulings())
    unit = state.units["S1"]
    assert (unit.seat, unit.upper, unit.lower, unit.strength, unit.cohesion) == ("south", 6, 2, 8, 6)
    upgraded = codec.dump_state(state)
    assert codec.load_state(upgraded) == state


@pytest.mark.parametrize(
    ("way", "value", "told"),
    [
        (("format",), 2, "format: this program reads the formats 0 to 1"),
        (("format",), True, "format: this program"),
        (("turn",), "1", "turn: 1 is not a whole number"),
        (("turn",), 0, "turn: 0 is not within 1 .."),
        (("turn",), 10**40, "turn: so large a number is not within"),
        (("goal",), 1.5, "goal: 1.5 is not a whole number"),
        (("board",), [], "board: here a mapping is expected"),
        (("board", "size"), "12", "board.size: 12 is no size"),
        (("board", "size"), "900x900", "board.size: at most"),
        (("board", "layout"), "round", "board.layout: round is none of pointy, flat"),
        (("board", "home"), {"north": "top"}, "board.home: a battle has two sides"),
        (("board", "home"), {"draw": "top", "south": "left"}, "board.home: no side is called draw"),
        (("board", "home", "north"), "up", "board.home.north: up is none of top"),
        (("board", "terrain", "Z99"), "rough", "board.terrain.Z99: Z99 is not on the board"),
        (("board", "terrain", "C3"), "lava", "board.terrain.C3: lava is none of"),
        (("board", "kinds"), {"lava": {"enter": 3}}, "board.kinds"),
        (("types", "XX", "speed"), "fast", "types.XX.speed: bad-formula"),
        (("seats", "east"), "east", "seats.east: east is none of"),
        (("seats", "a/b"), "north", "seats: a/b is no name"),
        (("units", "S1", "type"), "??", "units.S1.type: ?? is none of"),
        (("units", "S1", "at"), "A99", "units.S1.at: A99 is not on the board"),
        (("units", "S1", "at"), "D4", "at: D4 is held by"),
        (("units", "S1", "cohesion"), 4, "units.S1.cohesion: 4 is not within 0 .. 3"),
        (("units", "S1", "strength"), 0, "units.S1.strength: 0 is not within 1 .. 6"),
        (("units", "S1", "upper"), 1, "units.S1.upper: a unit of type LM has one strength"),
        (("units", "N1", "strength"), 7, "units.N1.strength: a unit of type WS has upper and lower"),
        (("units", "N1", "upper"), 0, "units.N1.upper: 0 is not within 1 .. 6"),
        (("units", "S1", "side"), "north", "units.S1.side: the seat south-left is of the side south"),
        (("units", "S1", "speed"), 9, "units.S1.speed: there is no such key"),
        (("units", "S 1"), {}, "units: S 1 is no name"),
        (("points", "east"), 1, "points.east: there is no such key"),
        (("points", "north"), -1, "points.north: -1 is not within"),
        (("rulings", "tie"), "maybe", "rulings"),
        (("rulings", "luck"), "good", "rulings"),
        (("winner",), "east", "winner: east is none of north, south, draw"),
        (("weather",), "rain", "weather: there is no such key"),
    ],
)
def test_a_position_that_cannot_be_says_where_and_why(way: tuple[str, ...], value: Any, told: str) -> None:
    position = codec.dump_state(rich())
    here: Any = position
    for key in way[:-1]:
        here = here[key]
    here[way[-1]] = value
    with pytest.raises(Unreadable) as bad:
        codec.load_state(position)
    assert told in str(bad.value)


@pytest.mark.parametrize("key", ["turn", "board", "seats", "units", "points", "goal", "rulings"])
def test_a_stored_position_has_all_its_parts(key: str) -> None:
    position = codec.dump_state(rich())
    del position[key]
    with pytest.raises(Unreadable, match=f"{key}: it is missing"):
        codec.load_state(position)


def test_orders_have_the_shape_of_a_case_and_survive_their_JSON() -> None:
    sheet = Sheet(
        {
            "S1": UnitOrder(shoot="N1", melee="N2", withdraw="C7", move=("C4", "C3")),
            "S2": UnitOrder(),
            "S3": UnitOrder(move=("A1",)),
        }
    )
    written = codec.dump_order(sheet)
    assert written == {
        "S1": {"shoot": "N1", "melee": "N2", "withdraw": "C7", "move": ["C4", "C3"]},
        "S2": {},
        "S3": {"move": ["A1"]},
    }
    assert codec.load_order(json.loads(json.dumps(written))) == sheet


@pytest.mark.parametrize(
    "orders",
    [
        None,
        7,
        "S1",
        [],
        {"S1": None},
        {"S1": []},
        {"S1": {"move": "C4"}},
        {"S1": {"move": [1]}},
        {"S1": {"run": "C4"}},
        {1: {}},
        {f"S{i}": {} for i in range(10_001)},
    ],
)
def test_orders_that_cannot_be_read(orders: Any) -> None:
    with pytest.raises(Unreadable):
        codec.load_order(orders)


def test_an_event_is_written_with_its_key() -> None:
    event = Moved(unit="S1", start="D6", path=("D5",), stopped="cut")
    written = codec.dump_event(event)
    assert written["event"] == "moved"
    assert list(written["path"]) == ["D5"]
    assert codec.load_event(json.loads(json.dumps(written))) == event


@pytest.mark.parametrize(
    "event",
    [None, 1, {}, {"event": "sneezed"}, {"event": "moved"}, {"event": "moved", "unit": 1, "start": "A1", "path": []}],
)
def test_an_event_that_cannot_be_read(event: Any) -> None:
    with pytest.raises(Unreadable):
        codec.load_event(event)


def test_events_of_one_key_keep_their_numbers_and_lists() -> None:
    for event in (
        Destroyed(unit="S1", cell="D5", phase="melee", scorer="north", value=3),
        AttackDropped(phase="melee", attacker="S1", target="N1", reason="no-dice", rule="ATTACK-1"),
        Attacked(
            phase="melee",
            attacker="S1",
            target="N1",
            power="ordinary",
            mode="reroll",
            counts="second",
            dice=2,
            first=3,
            second=5,
            cohesion=0,
            strength=1,
            faces=(0, 6),
            modifiers=("WS",),
            rule="ATTACK-4",
        ),
    ):
        assert codec.load_event(json.loads(json.dumps(codec.dump_event(event)))) == event


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
WAYS = st.sampled_from(
    [
        *(
            ("format",),
            ("turn",),
            ("board",),
            ("board", "size"),
            ("board", "home"),
            ("board", "terrain"),
            ("board", "kinds"),
        ),
        *(("board", "kinds", "marsh"), ("types",), ("types", "XX"), ("types", "XX", "cohesion"), ("seats",), ("units",)),
        *(
            ("units", "S1"),
            ("units", "S1", "at"),
            ("units", "S1", "type"),
            ("points",),
            ("goal",),
            ("rulings",),
            ("winner",),
        ),
    ]
)


@settings(max_examples=300, deadline=None)
@given(WAYS, JUNK)
def test_junk_anywhere_in_a_position_is_read_or_refused(way: tuple[str, ...], junk: Any) -> None:
    position = codec.dump_state(rich())
    here: Any = position
    for key in way[:-1]:
        here = here[key]
    here[way[-1]] = junk
    try:
        state = codec.load_state(position)
    except Unreadable:
        return
    assert codec.load_state(codec.dump_state(state)) == state


@settings(max_examples=300, deadline=None)
@given(JUNK)
def test_junk_is_refused(junk: Any) -> None:
    for load in (codec.load_state, codec.load_event):
        with pytest.raises(Unreadable):
            load(junk)
    try:
        sheet = codec.load_order(junk)
    except Unreadable:
        return
    assert codec.dump_order(sheet) == junk


def test_what_is_nested_without_end_is_refused() -> None:
    deep: Any = {}
    deep["units"] = deep
    endless: Any = []
    endless.append(endless)
    for junk in (deep, {"units": endless}, {"board": {"kinds": {"x": endless}}, "units": {}}):
        with pytest.raises(Unreadable):
            codec.load_state(junk)
    with pytest.raises(Unreadable):
        codec.load_order({"S1": endless})
