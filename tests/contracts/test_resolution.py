"""Resolving is a pure function, told whole in events."""

from __future__ import annotations

from app.engine.dice import ScriptedDice
from app.engine.events import event_key
from app.engine.play import dice_from, replay
from tests.contracts.samples import Battle, text
from tests.contracts.samples import battle as played_battle

SEED = b"0"


def dumps(battle: Battle, state: object) -> bytes:
    return text(battle.ruleset.dump_state(state))


def test_the_same_orders_and_dice_give_the_same_to_the_byte(battle: Battle) -> None:
    for played in battle.steps:
        dice = dice_from(SEED)(played.number)
        again = battle.ruleset.advance(played.before, played.orders, dice)
        assert again == played.step
        assert dumps(battle, again.state) == dumps(battle, played.step.state)
        assert [battle.ruleset.dump_event(e) for e in again.events] == [
            battle.ruleset.dump_event(e) for e in played.step.events
        ]
        assert dice.rolled == played.dice.rolled


def test_the_order_of_arrival_does_not_matter(battle: Battle) -> None:
    for played in battle.steps:
        turned = dict(reversed(played.orders.items()))
        assert battle.ruleset.advance(played.before, turned, dice_from(SEED)(played.number)) == played.step


def test_nothing_that_is_given_is_changed(battle: Battle) -> None:
    ruleset = battle.ruleset
    for played in battle.steps:
        state, orders = dumps(battle, played.before), {k: ruleset.dump_order(o) for k, o in played.orders.items()}
        ruleset.advance(played.before, played.orders, dice_from(SEED)(played.number))
        ruleset.evolve(played.before, played.step.events)
        assert dumps(battle, played.before) == state
        assert {k: ruleset.dump_order(o) for k, o in played.orders.items()} == orders


def test_the_events_alone_give_the_state(battle: Battle) -> None:
    for played in battle.steps:
        assert battle.ruleset.evolve(played.before, played.step.events) == played.step.state


def test_events_one_by_one_give_the_same_as_all_together(battle: Battle) -> None:
    for played in battle.steps[:10]:
        state = played.before
        for event in played.step.events:
            state = battle.ruleset.evolve(state, [event])
        assert state == played.step.state


def test_no_event_changes_nothing(battle: Battle) -> None:
    assert battle.ruleset.evolve(battle.opening.state, ()) == battle.opening.state


def test_a_whole_battle_replays_from_its_events(battle: Battle) -> None:
    told = [played.step.events for played in battle.steps]
    assert list(replay(battle.ruleset, battle.opening.state, told)) == battle.states[1:]


def test_a_battle_resolves_again_from_the_faces_that_it_rolled(battle: Battle) -> None:
    """A game master may roll by hand: every die that the rules ask for, and none besides."""
    for played in battle.steps:
        scripted = ScriptedDice(played.dice.rolled)
        assert battle.ruleset.advance(played.before, played.orders, scripted) == played.step
        assert scripted.left_over() == {}


def test_every_die_is_told_in_an_event_with_its_address(battle: Battle) -> None:
    for played in battle.steps:
        told: dict[str, list[int]] = {}
        for event in played.step.events:
            if hasattr(event, "address"):
                told.setdefault(event.address, []).extend(event.faces)
        assert told == played.dice.rolled


def test_the_next_step_has_the_next_number(battle: Battle) -> None:
    """By `turn` in the stored position the referee's records are told apart: a step more, a number more."""
    numbers = [battle.ruleset.dump_state(played.before)["turn"] for played in battle.steps]
    assert numbers == list(range(1, len(battle.steps) + 1))


def test_a_battle_that_is_over_stays_as_it_is(battle: Battle) -> None:
    end = battle.states[-1]
    step = battle.ruleset.advance(end, {}, ScriptedDice({}))
    assert (step.state, step.events) == (end, ())


def test_battles_with_other_dice_go_another_way(battle: Battle) -> None:
    place = battle.sample.scenarios.index(battle.scenario)
    other = played_battle(battle.ruleset.key, place, seed=1)
    assert other.events != battle.events


def test_every_kind_of_event_has_one_name(battle: Battle) -> None:
    kinds = {type(event): event_key(event) for event in battle.events}
    assert len(set(kinds.values())) == len(kinds)
