"""A turn as it is told: the order of its events, and what became of each order (sections 4, 5, 8 to 13)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from app.engine.dice import DiceError, ScriptedDice, SeededDice
from app.engine.events import Event, event_key
from app.engine.ruleset import Ruling
from app.rulesets.cohesion.amend import amend
from app.rulesets.cohesion.events import (
    AttackDropped,
    Attacked,
    BattleEnded,
    Caught,
    Contested,
    Lost,
    Moved,
    MoveDropped,
    OrdersFilled,
    PhaseBegan,
    Retreated,
    WithdrawalDropped,
    Withdrew,
)
from app.rulesets.cohesion.orders import Sheet, UnitOrder
from app.rulesets.cohesion.sequence import advance, audience, outcome
from app.rulesets.cohesion.state import State
from tests.rulesets.cohesion.boards import battle


def turn(state: State, orders: dict[str, dict[str, Any]], dice: dict[str, list[int]] | None = None) -> list[Event]:
    """What a turn tells. Moves are written as one text; faces that are asked for must be there."""
    sheets: dict[str, dict[str, UnitOrder]] = {seat: {} for seat in state.seats}
    for unit_id, parts in orders.items():
        seat = state.units[unit_id].seat if unit_id in state.units else next(iter(state.seats))
        move = tuple(parts.pop("move", "").split())
        sheets[seat][unit_id] = UnitOrder(move=move, **parts)
    scripted = ScriptedDice(dice or {})
    step = advance(state, {seat: Sheet(given) for seat, given in sheets.items()}, scripted)
    assert scripted.left_over() == {}
    return list(step.events)


def of(events: list[Event], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def test_the_phases_come_in_the_order_of_the_rules() -> None:
    state = battle({"S1": "LR D8", "S2": "LM B5", "N1": "HM B4", "N2": "LM H2"})
    told = turn(state, {"S1": {"move": "D7"}, "S2": {"withdraw": "B7"}, "N1": {}, "N2": {"move": "H3 H4"}})
    phases = [(event.phase, event.speed, event.length) for event in told if isinstance(event, PhaseBegan)]
    assert phases == [
        ("shooting", None, None),
        ("melee", None, None),
        ("withdrawal", None, None),
        ("withdrawal", 2, None),
        ("movement", None, None),
        ("movement", 4, 1),
        ("movement", 2, 2),
        ("recovery", None, None),
    ]
    assert event_key(told[0]) == "turn-began"
    assert event_key(told[-1]) == "turn-ended"


def test_the_next_turn_is_awaited_afterwards_unless_the_battle_is_over() -> None:
    state = battle({"S1": "LM D5"})
    assert advance(state, {}, SeededDice(b"")).state.turn == 2
    over = msgspec.structs.replace(state, points={"north": 0, "south": 6})
    step = advance(over, {}, SeededDice(b""))
    assert (step.state.turn, step.state.winner) == (1, "south")
    assert advance(step.state, {}, SeededDice(b"")).events == ()
    assert advance(step.state, {}, SeededDice(b"")).state is step.state


def test_ORDER_6_the_silent_hold_and_it_is_told() -> None:
    state = battle({"S1": "LM D5", "S2": "LM E5", "N1": "HM D4", "S3": "LM A9"}, changed={"S2": {"cohesion": 0}})
    told = turn(state, {"S3": {}}, {"1/movement/S2/retreat": [1]})
    assert of(told, OrdersFilled) == [OrdersFilled(unit="N1"), OrdersFilled(unit="S1")]


def test_ORDER_6_under_fights_they_strike_whom_they_were_given() -> None:
    state = battle({"S1": "HM D5", "N1": "CC D4", "N2": "CC A1"}, missing_orders="fights")
    told = turn(state, {"N1": {}}, {"1/melee/S1/attack": [1, 1, 1]})
    assert of(told, OrdersFilled) == [OrdersFilled(unit="N2"), OrdersFilled(unit="S1", melee="N1")]


def test_ORDER_4_orders_for_a_board_that_was_corrected_are_dropped_part_by_part() -> None:
    state = battle({"S1": "XS D6", "S2": "LM B5", "N1": "LM D4", "N2": "HM B4"})
    ruling = Ruling(({"unit": "N1", "remove": True}, {"unit": "N2", "remove": True}, {"unit": "S2", "at": "H5"}), "mistake")
    told = turn(
        amend(state, ruling).state,
        {"S1": {"shoot": "N1", "melee": "N1"}, "S2": {"melee": "N2", "move": "B6"}, "N1": {"move": "D3"}},
    )
    assert [(event.phase, event.attacker, event.reason) for event in of(told, AttackDropped)] == [
        ("shooting", "S1", "target-gone"),
        ("melee", "S1", "target-gone"),
        ("melee", "S2", "target-gone"),
    ]
    assert [(event.unit, event.reason) for event in of(told, MoveDropped)] == [("S2", "not-adjacent")]


def test_ORDER_4_attacks_that_a_correction_has_made_impossible_are_dropped_with_the_reason() -> None:
    """Not only where the target is gone: range, sight, neighbours and what the unit is are looked at again."""
    state = battle(
        {
            "S1": "XS D9", "N1": "LM D7",  # moved out of range
            "S2": "XS B9", "N2": "LM B7",  # a building in between
            "S3": "LM G5", "N3": "LM G4",  # moved away from the melee
            "S4": "XS I9", "N4": "LM I7",  # replaced by one that does not shoot
            "S5": "LM F2",                 # replaced by one that does not withdraw
        }
    )  # fmt: skip
    ruling = Ruling(
        (
            {"unit": "N1", "at": "D1"},
            {"terrain": {"B8": "building", "A8": "building"}},
            {"unit": "N3", "at": "G1"},
            {"unit": "S4", "remove": True},
            {"unit": "S4", "add": {"type": "HM", "seat": "south", "at": "I9"}},
            {"unit": "S5", "remove": True},
            {"unit": "S5", "add": {"type": "WS", "seat": "south", "at": "F2"}},
        ),
        "the map was wrong",
    )
    orders = {
        "S1": {"shoot": "N1"},
        "S2": {"shoot": "N2"},
        "S3": {"melee": "N3"},
        "S4": {"shoot": "N4"},
        "S5": {"withdraw": "F4"},
    }
    told = turn(amend(state, ruling).state, orders)
    assert [(event.attacker, event.reason, event.rule) for event in of(told, AttackDropped)] == [
        ("S1", "out-of-range", "SHOOT-1"),
        ("S2", "no-line-of-sight", "SHOOT-2"),
        ("S4", "cannot-shoot", "SHOOT-1"),
        ("S3", "not-adjacent", "MELEE-1"),
    ]
    assert [(event.unit, event.reason) for event in of(told, WithdrawalDropped)] == [("S5", "cannot")]


def test_ORDER_4_ground_that_was_corrected_stops_a_move_before_it_or_in_it() -> None:
    state = battle({"S1": "LM D6", "S2": "LM G6"})
    ruling = Ruling(({"terrain": {"D4": "impassable", "G5": "rough"}},), "the map was wrong")
    told = turn(amend(state, ruling).state, {"S1": {"move": "D5 D4"}, "S2": {"move": "G5 G4"}})
    assert of(told, Moved) == [
        Moved(unit="S2", start="G6", path=("G5",), ordered=("G5", "G4"), stopped="cut"),
        Moved(unit="S1", start="D6", path=("D5",), ordered=("D5", "D4"), stopped="blocked", by="D4"),
    ]


def test_ORDER_5_dice_that_were_rolled_on_the_move_say_so() -> None:
    state = battle({"S1": "XS D6", "S2": "XS F6", "N1": "HM D4", "N2": "HM F4"})
    told = turn(
        state,
        {"S1": {"shoot": "N1", "move": "D7"}, "S2": {"shoot": "N2"}},
        {"1/shooting/S1/attack": [1, 1], "1/shooting/S2/attack": [1, 1, 1]},
    )
    assert [(event.attacker, event.modifiers) for event in of(told, Attacked)] == [("S1", ("ORDER-5",)), ("S2", ())]


@pytest.mark.parametrize(
    ("units", "orders", "told"),
    [
        (
            {"S1": "LM D6", "S2": "HM D4"},
            {"S1": {"move": "D5 D4"}},
            Moved(unit="S1", start="D6", path=("D5",), ordered=("D5", "D4"), stopped="blocked", by="S2"),
        ),
        (
            {"S1": "LM D6", "S2": "HM D5"},
            {"S1": {"move": "D5"}},
            MoveDropped(unit="S1", ordered=("D5",), reason="blocked", by="S2", rule="MOVE-4"),
        ),
        (
            {"N1": "PH D4", "S1": "HM D6", "S2": "HM D5"},
            {"N1": {"move": "D5 D6"}},
            MoveDropped(unit="N1", ordered=("D5", "D6"), reason="blocked", by="S1", rule="MOVE-4"),
        ),
        (
            {"S1": "PR D7"},
            {"S1": {"move": "D6 D5"}},
            Moved(unit="S1", start="D7", path=("D6",), ordered=("D6", "D5"), stopped="held-back"),
        ),
        ({"S1": "LM D6"}, {"S1": {"move": "D5 D4"}}, Moved(unit="S1", start="D6", path=("D5", "D4"))),
    ],
)
def test_MOVE_3_how_a_move_ended(units: dict[str, str], orders: dict[str, Any], told: Event) -> None:
    events = turn(battle(units), orders)
    assert [event for event in events if isinstance(event, Moved | MoveDropped)] == [told]


def test_MOVE_3_a_host_with_room_behind_it_stops_there() -> None:
    host = msgspec.structs.replace(battle({}).types["PH"], speed="3")
    state = battle({"N1": "XX D3", "S1": "HM D5", "S2": "HM D6"}, types={"XX": host})
    told = turn(state, {"N1": {"move": "D4 D5 D6"}})
    assert of(told, Moved) == [
        Moved(unit="N1", start="D3", path=("D4",), ordered=("D4", "D5", "D6"), stopped="room", by="S2")
    ]


def test_MOVE_5_a_contest_is_told_with_who_came_and_who_got_in() -> None:
    state = battle({"S1": "LM C5", "S2": "LM E5"})
    told = turn(state, {"S1": {"move": "D5"}, "S2": {"move": "D5"}}, {"1/movement/D5/contest": [2]})
    assert of(told, Contested) == [Contested(cell="D5", units=("S1", "S2"), winner="S2")]
    assert of(told, MoveDropped) == [MoveDropped(unit="S1", ordered=("D5",), reason="contest", by="D5", rule="MOVE-5")]


def test_MOVE_7_a_caught_move_is_told_once_with_its_path() -> None:
    state = battle({"S1": "LR D8", "S2": "LR H5", "N1": "LM D4"})
    told = turn(state, {"S1": {"move": "D7 D6 D5"}, "S2": {"move": "G5 F5 E5"}, "N1": {"move": "D3"}})
    assert of(told, Caught) == [Caught(unit="N1", by="S1", ordered=("D3",))]
    assert [event.unit for event in of(told, Moved)] == ["S1", "S2"]
    assert of(told, MoveDropped) == []


@pytest.mark.parametrize(
    ("at", "held", "path", "reason", "lost"),
    [("D8", {}, ("D9",), "edge", 1), ("D9", {}, (), "edge", 2), ("A5", {"S2": "HM A6", "S3": "HM B5"}, (), "blocked", 2)],
)
def test_ROUT_3_a_retreat_says_why_it_was_short(
    at: str, held: dict[str, str], path: tuple[str, ...], reason: str, lost: int
) -> None:
    state = battle({"S1": f"LM {at}", **held}, changed={"S1": {"cohesion": 0}})
    dice = {"1/movement/S1/retreat": [1]} if path else {}
    told = turn(state, {}, dice)
    assert of(told, Retreated) == [Retreated(unit="S1", start=at, path=path, speed=2, reason=reason)]
    assert of(told, Lost) == [Lost(unit="S1", phase="movement", strength=lost, rule="ROUT-3")]


def test_WITHDRAW_4_a_withdrawal_that_went_elsewhere_tells_the_named_cell() -> None:
    state = battle({"S1": "LR C5", "S2": "LM E5", "N1": "HM D4"})
    told = turn(state, {"S1": {"withdraw": "D7"}, "S2": {"withdraw": "D7"}}, {"1/withdrawal/S2/withdraw": [2]})
    assert of(told, Withdrew) == [
        Withdrew(unit="S1", start="C5", path=("C6", "D7")),
        Withdrew(unit="S2", start="E5", path=("E6", "F7"), named="D7"),
    ]


@pytest.mark.parametrize(
    ("points", "tie", "winner"),
    [
        ({"north": 6, "south": 2}, "draw", "north"),
        ({"north": 6, "south": 7}, "draw", "south"),
        ({"north": 6, "south": 6}, "draw", "draw"),
        ({"north": 6, "south": 6}, "on", None),
        ({"north": 7, "south": 6}, "on", "north"),
        ({"north": 5, "south": 5}, "draw", None),
    ],
)
def test_WIN_1_WIN_2_who_wins(points: dict[str, int], tie: str, winner: str | None) -> None:
    state = msgspec.structs.replace(battle({"S1": "LM D5"}, tie=tie), points=points)
    step = advance(state, {}, SeededDice(b""))
    assert outcome(step.state).winner == winner
    ended = [event for event in step.events if isinstance(event, BattleEnded)]
    if winner is None:
        assert ended == []
    else:
        both = min(points.values()) >= 6
        assert ended == [BattleEnded(winner=winner, points=points, phase="shooting", rule="WIN-2" if both else "WIN-1")]


def test_DICE_3_a_turn_with_too_few_faces_raises() -> None:
    state = battle({"S1": "LM D4"}, changed={"S1": {"cohesion": 0}})
    with pytest.raises(DiceError, match="1/movement/S1/retreat"):
        advance(state, {}, ScriptedDice({}))


def test_everybody_is_told_everything() -> None:
    assert audience(PhaseBegan(phase="melee")) is None
