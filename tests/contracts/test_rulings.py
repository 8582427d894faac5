"""The game master's corrections, and the switches of the rules."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.ruleset import Json, Refused, Ruling
from tests.contracts import samples
from tests.contracts.samples import Battle, Sample, by_json, text
from tests.contracts.test_storing import JSON


def test_a_ruling_is_told_as_events_that_replay(battle: Battle) -> None:
    ruleset = battle.ruleset
    for played in battle.steps:
        before = text(ruleset.dump_state(played.before))
        step = ruleset.amend(played.before, battle.sample.ruling(played.before))
        assert step.events
        assert step.state != played.before or text(ruleset.dump_state(step.state)) == before
        assert ruleset.evolve(played.before, step.events) == step.state
        assert ruleset.evolve(played.before, [_stored(ruleset, event) for event in step.events]) == step.state
        assert text(ruleset.dump_state(played.before)) == before
        assert all(ruleset.audience(event) is None for event in step.events)


def test_a_ruling_changes_the_battle(sample: Sample) -> None:
    opening = sample.ruleset.setup(sample.scenarios[0])
    assert sample.ruleset.amend(opening.state, sample.ruling(opening.state)).state != opening.state


def test_orders_that_were_sealed_before_a_ruling_resolve_after_it(battle: Battle) -> None:
    ruleset = battle.ruleset
    for played in battle.steps:
        amended = ruleset.amend(played.before, battle.sample.ruling(played.before)).state
        step = ruleset.advance(amended, played.orders, samples.dice_from(b"0")(played.number))
        assert ruleset.evolve(amended, step.events) == step.state


def test_a_ruling_that_changes_nothing_is_refused(sample: Sample) -> None:
    with pytest.raises(Refused) as refused:
        sample.ruleset.amend(sample.ruleset.setup(sample.scenarios[0]).state, Ruling((), "for no reason"))
    assert refused.value.problems


@pytest.mark.parametrize("key", samples.KEYS)
@given(changes=st.lists(JSON, min_size=1, max_size=3))
def test_a_ruling_that_makes_no_sense_is_refused(key: str, changes: list[Json]) -> None:
    state = samples.battle(key).opening.state
    with pytest.raises(Refused) as refused:
        samples.sample(key).ruleset.amend(state, Ruling(tuple(changes), "for no reason"))
    assert refused.value.problems


def test_switches_have_a_default_among_several_values(sample: Sample) -> None:
    keys = [switch.key for switch in sample.ruleset.switches]
    assert len(set(keys)) == len(keys)
    for switch in sample.ruleset.switches:
        assert len(set(switch.values)) == len(switch.values) >= 2
        assert switch.default in switch.values
        assert re.fullmatch(r"[A-Z]+-[0-9]+", switch.rule)


def test_rulings_left_out_are_the_defaults(sample: Sample) -> None:
    scenario = sample.scenarios[0]
    bare = {key: value for key, value in scenario.items() if key != "rulings"}
    defaults = {switch.key: switch.default for switch in sample.ruleset.switches}
    assert sample.ruleset.setup(bare) == sample.ruleset.setup({**bare, "rulings": defaults})


SWITCHED = [
    (key, switch.key, value)
    for key in samples.KEYS
    for switch in samples.sample(key).ruleset.switches
    for value in switch.values
    if value != switch.default
]


@pytest.mark.parametrize(("key", "switch", "value"), SWITCHED)
def test_every_switch_works(key: str, switch: str, value: str) -> None:
    """In some turn of some battle the other value tells another story. Battles are short, so that ties come up, and in every
    second one a seat is silent."""
    known = samples.sample(key)
    for seed in range(60):
        for scenario in known.scenarios:
            seats = tuple(scenario["contingents"])
            silent = seats[seed % len(seats)] if seed % 2 else None
            battle = samples.play(known, {**scenario, "goal": 2}, b"%d" % seed, 60, silent=silent)
            if any(_tells(battle, place, switch, value, seed) for place in range(len(battle.steps))):
                return
    pytest.fail(f"{switch}={value} has changed nothing in any turn")


@pytest.mark.parametrize(("key", "switch", "value"), SWITCHED)
def test_a_battle_is_played_to_its_end_with_every_switch(key: str, switch: str, value: str) -> None:
    known = samples.sample(key)
    scenario = known.scenarios[0]
    switched = {**scenario, "rulings": {**scenario["rulings"], switch: value}}
    battle = samples.play(known, switched, b"switch", samples.MAX_STEPS)
    assert known.ruleset.outcome(battle.states[-1]).is_over
    assert all(known.ruleset.dump_state(state)["rulings"][switch] == value for state in battle.states)


def _tells(battle: Battle, place: int, switch: str, value: str, seed: int) -> bool:
    """Whether a turn goes another way if the switch has that value."""
    ruleset, played = battle.ruleset, battle.steps[place]
    stored = by_json(ruleset.dump_state(played.before))
    stored["rulings"][switch] = value
    dice = samples.dice_from(b"%d" % seed)(played.number)
    return ruleset.advance(ruleset.load_state(stored), played.orders, dice).events != played.step.events


def _stored(ruleset, event):
    return ruleset.load_event(by_json(ruleset.dump_event(event)))
