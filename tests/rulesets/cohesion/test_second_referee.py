"""Whole turns, by the program and by a second referee that was written from the text of the rules."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest

from app.rulesets.cohesion.cases import read_case, result_json, run
from tests.rulesets.cohesion.second.positions import random_case
from tests.rulesets.cohesion.second.referee import Referee
from tests.rulesets.cohesion.test_cases import book

TURNS = 250
# The second referee knows the ten types and the built-in ground, and no doctrines.
PLAIN = [case for case in book() if not {"types", "doctrines"} & case.keys() and "kinds" not in case.get("board", {})]


@cache
def by_chance(seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    case = random_case(Random(seed))
    return case, Referee(case).play()


def written_out(case: dict[str, Any]) -> dict[str, Any]:
    board = {"size": "9x9", "layout": "pointy", "home": {"north": "top", "south": "bottom"}, "terrain": {}}
    orders = {
        unit_id: {part: value for part, value in (order or {}).items() if value is not None}
        for unit_id, order in (case.get("orders") or {}).items()
    }
    board |= case.get("board", {})
    points = dict.fromkeys(board["home"], 0) | case.get("points", {})
    return {"turn": 1, "goal": 6, "rulings": {}, **case, "board": board, "points": points, "orders": orders}


@pytest.mark.parametrize("seed", range(TURNS))
def test_two_referees_make_the_same_of_a_turn_to_the_last_die(seed: int) -> None:
    case, told = by_chance(seed)
    assert result_json(run(read_case(case))) == told


@pytest.mark.parametrize("case", PLAIN, ids=[case["case"] for case in PLAIN])
def test_two_referees_make_the_same_of_the_case_book(case: dict[str, Any]) -> None:
    assert result_json(run(read_case(case))) == Referee(written_out(case)).play()


def test_the_turns_by_chance_come_to_nearly_every_use_of_dice_and_every_refusal() -> None:
    dice: set[str] = set()
    codes: set[str] = set()
    for seed in range(TURNS):
        _, told = by_chance(seed)
        dice |= {f"{phase}/{purpose}" for _, phase, _, purpose in (address.split("/") for address in told["dice"])}
        codes |= {code for parts in told["rejected"].values() for code in parts.values()}
    assert {"shooting/attack", "shooting/reroll", "shooting/section", "melee/attack", "melee/reroll"} <= dice
    assert {"melee/section", "movement/contest", "movement/retreat", "movement/section"} <= dice
    assert {"target-gone", "own-target", "cannot-shoot", "shooting-on-the-move", "enemies-adjacent", "out-of-range"} <= codes
    assert {"no-line-of-sight", "not-adjacent", "withdraw-and-melee", "cannot-withdraw", "withdraw-not-back"} <= codes
    assert {"uncontrolled", "off-board", "path-broken", "path-impassable", "path-must-stop"} <= codes
