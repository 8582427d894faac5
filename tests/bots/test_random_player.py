"""The first program to fill a seat."""

from __future__ import annotations

import pytest

from app.bots.random_player import random_player, seated
from app.engine.play import dice_from, drive
from app.engine.ruleset import AnyRuleset, Json
from tests.contracts import samples
from tests.contracts.duel.ruleset import RULESET, scenario

SEED = b"a seed"


def orders(ruleset: AnyRuleset, told: Json, seed: bytes) -> list[Json]:
    state = ruleset.setup(told).state
    steps = drive(ruleset, state, random_player(ruleset, seed), dice_from(SEED), 30)
    return [{key: ruleset.dump_order(order) for key, order in played.orders.items()} for played in steps]


@pytest.mark.parametrize("key", samples.KEYS)
def test_the_same_seed_plays_the_same(key: str) -> None:
    known = samples.sample(key)
    assert orders(known.ruleset, known.scenarios[0], b"1") == orders(known.ruleset, known.scenarios[0], b"1")


@pytest.mark.parametrize("key", samples.KEYS)
def test_another_seed_plays_otherwise(key: str) -> None:
    known = samples.sample(key)
    assert orders(known.ruleset, known.scenarios[0], b"1") != orders(known.ruleset, known.scenarios[0], b"2")


@pytest.mark.parametrize("key", samples.KEYS)
def test_whatever_it_says_is_legal(key: str) -> None:
    known = samples.sample(key)
    state = known.ruleset.setup(known.scenarios[0]).state
    for played in drive(known.ruleset, state, random_player(known.ruleset, SEED), dice_from(SEED), 30):
        for request in played.requests:
            problems = known.ruleset.check(played.before, request, played.orders[request.id])
            assert all(problem.warning for problem in problems)


def test_what_one_seat_chooses_does_not_hang_on_what_another_was_asked() -> None:
    state = RULESET.setup(scenario()).state
    birch = RULESET.requests(RULESET.advance(state, {}, dice_from(SEED)(1)).state)[0]
    assert birch.seat == "birch"
    (ash,) = RULESET.requests(state)
    alone, after = random_player(RULESET, SEED), random_player(RULESET, SEED)
    for _ in range(7):
        after(state, ash)
    assert alone(state, birch) == after(state, birch)


def test_a_seat_without_a_player_is_silent() -> None:
    state = RULESET.setup(scenario()).state
    player = seated({"birch": random_player(RULESET, SEED)})
    steps = list(drive(RULESET, state, player, dice_from(SEED), 2))
    assert [list(played.orders) for played in steps] == [[], ["2:activation"]]
