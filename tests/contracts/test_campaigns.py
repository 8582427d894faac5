"""From battle to battle: who fell, and what units bring over, for every ruleset that tells."""

from __future__ import annotations

import copy
from typing import get_args

import pytest

from app.engine.ruleset import Carried, Refused, Rest
from tests.contracts.samples import Battle, by_json, text


def test_who_has_fallen_was_there_and_is_there_no_more(battle: Battle) -> None:
    ruleset = battle.ruleset
    assert ruleset.fallen is not None
    gone: set[str] = set()
    for played in battle.steps:
        told = [event for event in played.step.events if ruleset.audience(event) is None]
        before = ruleset.view(played.before, None)
        found = ruleset.fallen(before, told, ruleset.evolve(before, told))
        assert found == ruleset.fallen(before, told, ruleset.view(played.step.state, None))
        for fall in found:
            assert fall.unit not in gone
            assert fall.seat in battle.seats
            assert set(fall.by) <= set(battle.seats) - {fall.seat}
            assert fall.value >= 0
        gone |= {fall.unit for fall in found}
    assert gone, "somebody falls in a battle to its end"


@pytest.mark.parametrize("rest", get_args(Rest))
def test_what_is_carried_over_sets_up_and_changes_nothing_that_it_was_given(battle: Battle, rest: Rest) -> None:
    ruleset = battle.ruleset
    assert ruleset.carry is not None
    places = list(battle.scenario["units"])
    for state in battle.states[:: max(1, len(battle.states) // 4)]:
        seen, scenario = ruleset.view(state, None), copy.deepcopy(battle.scenario)
        stored = text(ruleset.dump_state(seen))
        brought = ruleset.carry(seen, scenario, [Carried(place, place) for place in places], rest)
        assert scenario == battle.scenario
        assert text(ruleset.dump_state(seen)) == stored
        assert list(brought) == places
        assert by_json(brought) == brought
        units = {place: form for place, form in brought.items() if form is not None}
        if units:
            opened = ruleset.setup({**scenario, "units": units}).state
            assert brought == ruleset.carry(seen, scenario, [Carried(place, place) for place in places], rest)
            assert ruleset.dump_state(opened)


def test_a_battle_that_has_just_begun_carries_over_as_its_scenario_has_it(battle: Battle) -> None:
    ruleset = battle.ruleset
    assert ruleset.carry is not None
    seen = ruleset.view(battle.opening.state, None)
    carried = [Carried(place, place) for place in battle.scenario["units"]]
    assert ruleset.carry(seen, battle.scenario, carried, "as-is") == battle.scenario["units"]


def test_who_stands_does_not_come_back(battle: Battle) -> None:
    ruleset = battle.ruleset
    assert ruleset.carry is not None
    place = next(iter(battle.scenario["units"]))
    with pytest.raises(Refused) as refused:
        ruleset.carry(battle.opening.state, battle.scenario, [Carried(place, place, 1)], "as-is")
    assert [problem.field for problem in refused.value.problems] == [(place,)]
