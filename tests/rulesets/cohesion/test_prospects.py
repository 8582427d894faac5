"""What one unit may do now agrees with what its form offers, with sight and with the ground."""

from __future__ import annotations

from random import Random

import pytest

from app.rulesets.cohesion.orderform import moves_after_withdrawal, unit_options
from app.rulesets.cohesion.position import position
from app.rulesets.cohesion.prospects import prospects
from app.rulesets.cohesion.sight import blockers, can_see, obstacles
from tests.rulesets.cohesion.boards import battle, random_battle


@pytest.mark.parametrize("seed", range(40))
def test_prospects_agree_with_the_options(seed: int) -> None:
    state = random_battle(Random(seed))
    here = position(state)
    for unit in state.units.values():
        told, may = prospects(state, unit.id), unit_options(state, unit.id)
        assert {one["unit"] for one in told["targets"] if one["shoot"]} == set(may.shoot)
        assert {one["unit"] for one in told["targets"] if one["melee"]} == set(may.melee)
        assert tuple(one["cell"] for one in told["withdraw"]) == may.withdraw
        assert tuple(tuple(way) for way in told["moves"]) == may.move
        for back in told["withdraw"]:
            assert tuple(tuple(way) for way in back["moves"]) == moves_after_withdrawal(state, unit.id, back["cell"])
        for way in told["moves"]:
            for before, after in zip((told["cell"], *way), way, strict=False):
                assert after in told["near"][before]
        for hidden in told["hidden"]:
            assert hidden["unit"] not in may.shoot
            assert hidden["by"]
            for by in hidden["by"]:
                assert by["unit"] or by["ground"]
                assert here.grid.cells[by["cell"]] in here.opaque


@pytest.mark.parametrize("seed", range(20))
def test_SHOOT_3_what_blocks_is_named_exactly_where_sight_is_blocked(seed: int) -> None:
    here = position(random_battle(Random(seed)))
    cells = range(len(here.grid))
    for start in cells:
        for end in cells:
            if start != end:
                named = blockers(here, start, end)
                assert bool(named) == (not can_see(here, start, end))
                assert len(named) >= obstacles(here, start, end)


def test_SHOOT_6_enemies_that_are_too_close_are_named() -> None:
    told = prospects(battle({"S1": "LM D5", "N1": "HM D4", "N2": "HM C5"}), "S1")
    assert set(told["close"]) == {"N1", "N2"}
    assert told["hidden"] == []


def test_WITHDRAW_1_a_target_that_can_withdraw_has_both_odds() -> None:
    told = prospects(battle({"S1": "LM D5", "N1": "LM D4", "N2": "HM C5"}), "S1")
    blows = {target["unit"]: target["melee"] for target in told["targets"]}
    assert blows["N1"]["withdraws"]["rules"] == ["WITHDRAW-1", "ATTACK-5", "ATTACK-6"]
    assert blows["N1"]["withdraws"]["breaks"] == 0 < blows["N1"]["stays"]["breaks"]
    assert blows["N2"]["withdraws"] is None


def test_a_uncontrolled_unit_may_do_nothing() -> None:
    told = prospects(battle({"S1": "LM D5", "N1": "HM D3"}, changed={"S1": {"cohesion": 0}}), "S1")
    assert (told["targets"], told["moves"], told["withdraw"], told["hidden"], told["close"]) == ([], [], [], [], [])
