"""The case book: each case is a test, named by itself and its rules."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from app.engine.ruleset import Unreadable
from app.rulesets.cohesion import cases

BOOK = Path(__file__).parents[2] / "cases" / "cohesion"


@cache
def book() -> tuple[dict[str, Any], ...]:
    files = sorted(BOOK.glob("*.yaml"))
    read = (YAML(typ="safe", pure=True).load(file.read_text(encoding="utf-8")) for file in files)
    return tuple(case for part in read for case in part)


def ids() -> list[str]:
    return [f"{case['case']} {' '.join(case['rules'])}" for case in book()]


@pytest.mark.parametrize("given", book(), ids=ids())
def test_case(given: dict[str, Any]) -> None:
    case = cases.read_case(given)
    assert case.expect
    assert cases.differences(case, cases.run(case)) == ()


def test_the_book_holds_a_hundred_cases_each_with_a_name_of_its_own() -> None:
    names = [case["case"] for case in book()]
    assert len(set(names)) == len(names) >= 100


def case(**parts: Any) -> cases.Case:
    given = {"case": "X", "units": {"S1": {"type": "LM", "side": "south", "at": "D4", "cohesion": 0}}} | parts
    return cases.read_case(given)


def compared(**parts: Any) -> tuple[str, ...]:
    read = case(**parts)
    return cases.differences(read, cases.run(read))


RETREAT = {"1/movement/S1/retreat": [4]}


@pytest.mark.parametrize(
    ("expect", "told"),
    [
        ({"units": {"S1": {"at": "E6", "strength": 6, "cohesion": 0}}}, ()),
        ({"units": {"S1": {"at": "D4"}}}, ("S1.at: expected D4, got E6",)),
        ({"units": {"S1": {"upper": 3}}}, ("S1.upper: expected 3, got no such value",)),
        ({"units": {"S2": {"at": "D4"}}}, ("S2: expected on the board, but it is gone",)),
        ({"gone": ["S1"]}, ("gone: expected [S1], got []",)),
        ({"points": {"north": 1}}, ("points of north: expected 1, got 0",)),
        ({"winner": "north"}, ("winner: expected north, got none",)),
        ({"winner": None}, ()),
        ({"rejected": {"S1": {"move": "off-board"}}}, ("rejected of S1: expected move off-board, got no refusal",)),
        ({"dice": {"1/movement/S1/retreat": [3]}}, ("dice at 1/movement/S1/retreat: expected [3], got [4]",)),
    ],
)
def test_what_is_named_is_compared_exactly_and_nothing_else(expect: dict[str, Any], told: tuple[str, ...]) -> None:
    assert compared(dice=RETREAT, expect=expect) == told


def test_a_refusal_that_is_not_expected_differs() -> None:
    assert compared(dice=RETREAT, orders={"S1": {"move": ["D5"]}}, expect={}) == (
        "rejected of S1: expected no refusal, got unit uncontrolled",
    )


def test_DICE_3_a_die_that_is_missing_and_one_that_is_left_over_differ() -> None:
    assert compared(expect={}) == ("dice: 1/movement/S1/retreat: die 1 is asked for and was not given",)
    assert compared(dice={"1/movement/S1/retreat": [5]}, expect={}) == (
        "dice: 1/movement/S1/retreat: a die with 4 faces cannot show 5",
    )
    assert compared(dice=RETREAT | {"1/shooting/S1/attack": [1]}, expect={}) == (
        "dice left over: 1/shooting/S1/attack: [1]",
    )


def test_a_strider_may_be_compared_by_the_sum_of_its_parts() -> None:
    strider = {"N1": {"type": "WS", "side": "north", "at": "D4", "lower": 4}}
    assert compared(units=strider, expect={"units": {"N1": {"strength": 10, "upper": 6}}}) == ()


def test_a_battle_that_is_over_stays_as_it_is() -> None:
    assert compared(winner="north", expect={"winner": "north", "units": {"S1": {"at": "D4"}}}) == ()


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        ({"case": ""}, "case: a case has a name"),
        ({"expct": {}}, "expct: a case has no such part"),
        ({"units": {"S1": {"type": "LX", "side": "south", "at": "D4"}}}, "units.S1.type: LX is none of LM, HM"),
        ({"units": {"S1": {"type": "LM", "side": "south", "at": "D44"}}}, "units.S1.at: D44 is not on the board"),
        ({"units": {"S1": {"type": "LM", "side": "west", "at": "D4"}}}, "units.S1.side: west is none of north, south"),
        ({"orders": {"S1": {"shot": "N1"}}}, "orders.S1.shot: an order has no such part"),
        ({"orders": {"S1": {"move": "D5"}}}, "orders"),
        ({"orders": [1]}, "orders: orders are a mapping"),
        ({"dice": {"1/x": [0]}}, "dice.1/x: the faces of dice"),
        ({"dice": {"1/x": [1]}, "seed": "00"}, "seed: a case has either dice or a seed"),
        ({"seed": 112233}, "seed: a seed is hexadecimal, in quotes"),
        ({"seed": "xyz"}, "seed: xyz is not hexadecimal"),
        ({"rulings": {"reroll": "some"}}, "rulings"),
        ({"expect": {"unit": {}}}, "expect.unit: nothing of that name"),
        ({"expect": {"units": {"S1": {"strenght": 1}}}}, "expect.units.S1.strenght: a unit's values are"),
        ({"expect": {"gone": "S1"}}, "expect.gone: here a list"),
        ({"rules": "LOSS-1"}, "rules: here a list"),
    ],
)
def test_a_broken_case_says_where_and_why(parts: dict[str, Any], told: str) -> None:
    with pytest.raises(Unreadable) as bad:
        case(**parts)
    assert told in str(bad.value)
