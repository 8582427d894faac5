"""Views, audiences, pictures: what a seat may know, no more and no less."""

from __future__ import annotations

import pytest

from app.drawing.svg import svg
from app.engine.events import Event
from tests.contracts.samples import Battle, text

LANGUAGES = ("en", "ru")


def viewers(battle: Battle) -> tuple[str | None, ...]:
    return (*battle.seats, None)


def told(battle: Battle, events: tuple[Event, ...], seat: str | None) -> list[Event]:
    """What the referee hands to a viewer."""
    kept = []
    for event in events:
        audience = battle.ruleset.audience(event)
        if audience is None or seat in audience:
            kept.append(event)
    return kept


def test_every_event_is_told_to_everybody_or_to_seats_of_the_battle(battle: Battle) -> None:
    for event in battle.events:
        audience = battle.ruleset.audience(event)
        assert audience is None or (audience and audience <= set(battle.seats))


def test_a_view_of_a_view_shows_the_same(battle: Battle) -> None:
    view = battle.ruleset.view
    for state in battle.states:
        for viewer in viewers(battle):
            seen = view(state, viewer)
            assert view(seen, viewer) == seen
            assert view(state, viewer) == seen


def test_a_seat_knows_all_that_the_public_knows(battle: Battle) -> None:
    view = battle.ruleset.view
    for state in battle.states:
        public = view(state, None)
        assert all(view(view(state, seat), None) == public for seat in battle.seats)


def test_who_is_asked_and_the_score_are_known_to_all(battle: Battle) -> None:
    ruleset = battle.ruleset
    for state in battle.states:
        for viewer in viewers(battle):
            seen = ruleset.view(state, viewer)
            assert ruleset.requests(seen) == ruleset.requests(state)
            assert ruleset.outcome(seen) == ruleset.outcome(state)


def test_what_is_told_to_a_seat_brings_its_view_up_to_date(battle: Battle) -> None:
    """A report is read from a view and the events told: together they never know less, nor more, than the next view."""
    ruleset = battle.ruleset
    for played in battle.steps:
        for viewer in viewers(battle):
            seen = ruleset.view(played.before, viewer)
            followed = ruleset.evolve(seen, told(battle, played.step.events, viewer))
            assert followed == ruleset.view(played.step.state, viewer)


def test_a_view_goes_through_json_as_a_state_does(battle: Battle) -> None:
    ruleset = battle.ruleset
    for state in (battle.states[0], battle.states[-1]):
        for viewer in viewers(battle):
            seen = ruleset.view(state, viewer)
            assert ruleset.load_state(ruleset.dump_state(seen)) == seen


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_view_can_be_drawn(battle: Battle, language: str) -> None:
    ruleset = battle.ruleset
    for state in (battle.states[0], battle.states[len(battle.states) // 2], battle.states[-1]):
        for viewer in viewers(battle):
            scene = ruleset.scene(ruleset.view(state, viewer), language, battle.scenario)
            assert scene == ruleset.scene(ruleset.view(state, viewer), language, battle.scenario)
            labels = {cell.label for cell in scene.cells}
            assert scene.title
            assert all(counter.cell in labels for counter in scene.counters)
            assert len({counter.id for counter in scene.counters}) == len(scene.counters)
            assert scene.width > 0
            assert scene.height > 0
            assert svg(scene).startswith("<svg")


def test_two_states_that_look_alike_have_one_view(battle: Battle) -> None:
    """Equal views dump to equal bytes, so that what is hidden does not show in an order of keys."""
    ruleset = battle.ruleset
    for state in battle.states[:20]:
        for viewer in viewers(battle):
            seen = ruleset.view(state, viewer)
            again = ruleset.load_state(ruleset.dump_state(seen))
            assert text(ruleset.dump_state(seen)) == text(ruleset.dump_state(again))
