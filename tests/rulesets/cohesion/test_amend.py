"""The game master's corrections: what they change, what is told, and all that is wrong with a bad one at once."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from app.engine.ruleset import Refused, Ruling
from app.rulesets.cohesion import codec
from app.rulesets.cohesion.amend import amend
from app.rulesets.cohesion.events import Amended
from app.rulesets.cohesion.evolve import evolve
from app.rulesets.cohesion.state import State
from tests.rulesets.cohesion.boards import battle


def field() -> State:
    return battle(
        {"S1": "LM D6", "S2": "WS E6", "N1": "HM D4"},
        terrain={"A1": "impassable", "C3": "rough"},
        seats={"north": "north", "south": "south", "south-left": "south"},
    )


def ruled(*changes: Any) -> State:
    """The state after the changes; the events alone give it, too."""
    state = field()
    before = codec.dump_state(state)
    step = amend(state, Ruling(tuple(changes), "a slip of mine", "UNIT-1"))
    assert evolve(state, step.events) == step.state
    assert codec.load_state(codec.dump_state(step.state)) == step.state
    assert codec.dump_state(state) == before
    for event in step.events:
        assert isinstance(event, Amended)
        assert (event.reason, event.rule) == ("a slip of mine", "UNIT-1")
        assert codec.load_event(codec.dump_event(event)) == event
    return step.state


def refused(*changes: Any) -> list[tuple[str, tuple[str, ...]]]:
    with pytest.raises(Refused) as bad:
        amend(field(), Ruling(tuple(changes), "a slip"))
    return [(problem.code, problem.field) for problem in bad.value.problems]


def test_a_unit_s_values_and_place() -> None:
    unit = ruled({"unit": "S1", "strength": 2, "cohesion": 0, "at": "D7"}).units["S1"]
    assert (unit.strength, unit.cohesion, unit.at) == (2, 0, 6 * 9 + 3)
    strider = ruled({"unit": "S2", "lower": 0}).units["S2"]
    assert (strider.upper, strider.lower, strider.strength) == (6, 0, 6)


def test_two_units_change_places_in_one_ruling() -> None:
    units = ruled({"unit": "S1", "at": "E6"}, {"unit": "S2", "at": "D6"}).units
    assert (units["S1"].at, units["S2"].at) == (5 * 9 + 4, 5 * 9 + 3)


def test_a_unit_is_put_on_the_field_with_its_start_values() -> None:
    unit = ruled({"unit": "S-PR1", "add": {"type": "PR", "seat": "south-left", "at": "B9"}}).units["S-PR1"]
    assert (unit.side, unit.seat, unit.strength, unit.cohesion) == ("south", "south-left", 6, 3)
    worn = ruled({"unit": "N-WS1", "add": {"type": "WS", "seat": "north", "at": "B1", "upper": 2}}).units["N-WS1"]
    assert (worn.upper, worn.lower, worn.strength) == (2, 6, 8)


def test_a_unit_is_taken_off_and_nobody_scores() -> None:
    state = ruled({"unit": "N1", "remove": True})
    assert "N1" not in state.units
    assert state.points == {"north": 0, "south": 0}


def test_points_winner_and_ground() -> None:
    state = ruled({"points": {"north": 4, "south": 1}}, {"winner": "north"}, {"terrain": {"D5": "building", "C3": "open"}})
    assert state.points == {"north": 4, "south": 1}
    assert state.winner == "north"
    assert state.board.terrain == {0: "impassable", 4 * 9 + 3: "building"}


def test_a_winner_is_taken_back() -> None:
    won = amend(field(), Ruling(({"winner": "draw"},), "")).state
    assert won.winner == "draw"
    assert amend(won, Ruling(({"winner": None},), "")).state.winner is None


def test_what_was_and_what_is_stand_in_the_event() -> None:
    step = amend(
        field(), Ruling(({"unit": "S1", "cohesion": 1}, {"points": {"south": 2}}, {"terrain": {"C3": "open"}}), "why")
    )
    unit, points, terrain = step.events
    assert isinstance(unit, Amended)
    assert isinstance(points, Amended)
    assert isinstance(terrain, Amended)
    assert (unit.target, unit.key, unit.before["cohesion"], unit.after["cohesion"]) == ("unit", "S1", 3, 1)
    assert (points.key, points.before, points.after) == ("south", 0, 2)
    assert (terrain.key, terrain.before, terrain.after) == ("C3", "rough", "open")


def test_every_problem_is_told_at_once() -> None:
    assert refused(
        {"unit": "X9", "cohesion": 1},
        {"unit": "S1", "cohesion": 4, "strength": True, "at": "Z99", "upper": 1},
        {"points": {"east": 1}},
        {"winner": "east"},
        {"terrain": {"Z99": "rough", "C4": "lava"}},
        {"weather": "rain"},
        [],
    ) == [
        ("unknown-unit", ("changes", "1", "unit")),
        ("out-of-bounds", ("changes", "2", "cohesion")),
        ("not-a-number", ("changes", "2", "strength")),
        ("off-board", ("changes", "2", "at")),
        ("value-of-another-type", ("changes", "2", "upper")),
        ("unknown-key", ("changes", "3", "points", "east")),
        ("not-one-of", ("changes", "4", "winner")),
        ("off-board", ("changes", "5", "terrain", "Z99")),
        ("not-one-of", ("changes", "5", "terrain", "C4")),
        ("not-one-change", ("changes", "6")),
        ("not-a-mapping", ("changes", "7")),
    ]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"unit": "S1", "at": "D4"}, "cell-taken"),
        ({"unit": "S1", "at": "A1"}, "cell-impassable"),
        ({"unit": "S1", "at": 7}, "off-board"),
        ({"unit": "S1", "strength": 0}, "out-of-bounds"),
        ({"unit": "S1"}, "no-changes"),
        ({"unit": "S1", "speed": 3}, "unknown-key"),
        ({"unit": "S2", "strength": 3}, "value-of-another-type"),
        ({"unit": 3, "cohesion": 1}, "not-a-text"),
        ({"unit": "S1", "remove": False}, "not-one-of"),
        ({"unit": "S1", "points": {}}, "not-one-change"),
        ({"unit": "S1", "add": {"type": "LM", "seat": "south", "at": "A9"}}, "unit-there"),
        ({"unit": "s1", "add": {"type": "LM", "seat": "south", "at": "A9"}}, "unit-there"),
        ({"unit": "S 9", "add": {"type": "LM", "seat": "south", "at": "A9"}}, "bad-name"),
        ({"unit": "C4", "add": {"type": "LM", "seat": "south", "at": "A9"}}, "id-is-a-cell"),
        ({"unit": "S9", "add": {"type": "LM", "seat": "south"}}, "missing-key"),
        ({"unit": "S9", "add": {"type": "??", "seat": "south", "at": "A9"}}, "not-one-of"),
        ({"unit": "S9", "add": {"type": "LM", "seat": "south", "side": "north", "at": "A9"}}, "not-one-of"),
        ({"unit": "S9", "add": {"type": "LM", "seat": "south", "at": "D6"}}, "cell-taken"),
        ({"unit": "S9", "add": []}, "not-a-mapping"),
        ({"points": {"north": -1}}, "out-of-bounds"),
        ({"points": 3}, "not-a-mapping"),
        ({"winner": []}, "not-one-of"),
        ({"terrain": {"C4": ["rough"]}}, "not-one-of"),
        ({"terrain": {"C4": "rough"}, "reason": "x"}, "unknown-key"),
    ],
)
def test_a_bad_change_is_refused(change: Any, code: str) -> None:
    assert code in [told for told, _ in refused(change)]


def test_a_ruling_without_changes_or_with_too_many_is_refused() -> None:
    assert refused() == [("no-changes", ("changes",))]
    assert refused(*[{"winner": None}] * 501) == [("too-many", ("changes",))]


def test_a_unit_that_stood_in_a_cell_before_it_was_closed_stays_there() -> None:
    state = ruled({"terrain": {"D6": "impassable"}}, {"unit": "N1", "cohesion": 1})
    assert state.units["S1"].at == 5 * 9 + 3


def test_a_battle_that_a_turn_had_ended_goes_on_with_the_turn_after_it() -> None:
    """WIN-1 ends a turn in its middle; when the ruling lets the battle go on, that turn is over all the same."""
    over = msgspec.structs.replace(field(), winner="south")
    ruling = Ruling(({"winner": None},), "a slip", awaits=2)
    step = amend(over, ruling)
    assert (step.state.winner, step.state.turn) == (None, 2)
    assert evolve(over, step.events) == step.state
    assert amend(step.state, Ruling(({"points": {"north": 1}},), "a slip", awaits=2)).state.turn == 2
    assert amend(over, Ruling(({"winner": "draw"},), "a slip", awaits=2)).state.turn == 1
