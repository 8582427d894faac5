"""What is told when cohesion is lost and gained (section 9 of the rules)."""

from __future__ import annotations

from app.rulesets.cohesion.events import (
    AttackDropped,
    Broke,
    Encouraged,
    Lost,
    MoveDropped,
    Retreated,
    WithdrawalDropped,
)
from tests.rulesets.cohesion.boards import battle
from tests.rulesets.cohesion.test_sequence import of, turn


def test_LOSS_3_LOSS_5_what_became_of_the_orders_of_the_broken() -> None:
    state = battle(
        {"S1": "LM D5", "S2": "LM G5", "N1": "XS F5", "N2": "HM D4", "N3": "XS I5"},
        changed={"S1": {"cohesion": 1}, "S2": {"cohesion": 1}},
    )
    told = turn(
        state,
        {
            "S1": {"withdraw": "D7", "move": "D8"},
            "S2": {"melee": "N1", "move": "G6"},
            "N1": {"shoot": "S1"},
            "N3": {"shoot": "S2"},
        },
        {
            "1/shooting/N1/attack": [3, 1, 1],
            "1/shooting/N3/attack": [3, 1, 1],
            "1/movement/S1/retreat": [1],
            "1/movement/S2/retreat": [1],
        },
    )
    assert [event.unit for event in of(told, Broke)] == ["S1", "S2"]
    assert of(told, AttackDropped) == [
        AttackDropped(phase="melee", attacker="S2", target="N1", reason="attacker-uncontrolled", rule="MELEE-2")
    ]
    assert of(told, WithdrawalDropped) == [WithdrawalDropped(unit="S1", reason="orders-lost", rule="WITHDRAW-1")]
    assert of(told, MoveDropped) == [
        MoveDropped(unit="S1", ordered=("D8",), reason="orders-lost"),
        MoveDropped(unit="S2", ordered=("G6",), reason="orders-lost"),
    ]


def test_LOSS_4_encouragement_says_for_whom_and_why() -> None:
    state = battle({"S1": "XS D6", "S2": "HM D5", "N1": "LM D4"}, changed={"N1": {"cohesion": 1}, "S1": {"cohesion": 5}})
    told = turn(state, {"S1": {"shoot": "N1"}}, {"1/shooting/S1/attack": [3, 1, 1], "1/movement/N1/retreat": [1]})
    assert of(told, Encouraged) == [
        Encouraged(unit="S1", fallen="N1", gain=1, struck=True),
        Encouraged(unit="S2", fallen="N1", gain=0),
    ]
    assert of(told, Lost) == [Lost(unit="N1", phase="shooting", cohesion=1, by=("S1",))]


def test_LOSS_5_a_unit_that_returned_says_so() -> None:
    state = battle({"S1": "XS D6", "N1": "XS D4"}, changed={"S1": {"cohesion": 1}, "N1": {"cohesion": 1}})
    told = turn(
        state,
        {"S1": {"shoot": "N1"}, "N1": {"shoot": "S1", "melee": "S1"}},
        {"1/shooting/S1/attack": [3, 1, 1], "1/shooting/N1/attack": [3, 1, 1]},
    )
    assert [(event.unit, event.returned) for event in of(told, Encouraged)] == [("S1", True), ("N1", True)]
    assert of(told, Retreated) == []
    (dropped,) = of(told, AttackDropped)
    assert (dropped.reason, dropped.rule) == ("orders-lost", "LOSS-5")


def test_LOSS_5_only_a_unit_that_broke_in_this_phase_returns() -> None:
    state = battle(
        {"S1": "XS D6", "S2": "HM C4", "S3": "HM E4", "N1": "LM D4"},
        changed={"S2": {"cohesion": 0}, "S3": {"cohesion": 2}, "N1": {"cohesion": 1}},
    )
    told = turn(state, {"S1": {"shoot": "N1"}}, {"1/shooting/S1/attack": [3, 1, 1], "1/movement/N1/retreat": [1]})
    gains = [(event.unit, event.gain, event.returned) for event in of(told, Encouraged)]
    assert gains == [("S1", 0, False), ("S2", 1, False), ("S3", 1, False)]
