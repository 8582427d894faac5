"""A film of any ruleset leads from where a turn began to where it ended, and tells nobody more than he may know."""

from __future__ import annotations

from app.drawing.svg import svg
from app.engine.film import MOST_BEATS, Telling, battle_frames, beats, turn_frames
from tests.contracts.samples import Battle


def _told(battle: Battle, seat: str | None = None) -> list[Telling]:
    """The steps of a battle as a seat, or the public, is told of them."""
    ruleset = battle.ruleset
    told = []
    for played in battle.steps:
        heard = [e for e in played.step.events if (who := ruleset.audience(e)) is None or seat in who]
        told.append(
            Telling(before=ruleset.view(played.before, seat), events=heard, after=ruleset.view(played.step.state, seat))
        )
    return told


def test_a_film_begins_before_the_turn_and_ends_after_it(battle: Battle) -> None:
    for played in battle.steps[:20]:
        told = Telling(before=played.before, events=played.step.events, after=played.step.state)
        shown = beats(battle.ruleset, told, "en")
        assert shown[0].state == played.before
        assert shown[-1].state == played.step.state
        assert battle.ruleset.beats is not None or len(shown) <= MOST_BEATS


def test_the_public_is_shown_a_film_that_ends_with_what_it_may_know(battle: Battle) -> None:
    for told in _told(battle)[:20]:
        shown = beats(battle.ruleset, told, "ru")
        assert (shown[0].state, shown[-1].state) == (told.before, told.after)


def test_all_frames_can_be_drawn_and_stand_for_a_while(battle: Battle) -> None:
    for language in ("en", "ru"):
        for told in _told(battle)[:3]:
            frames = turn_frames(battle.ruleset, told, language, battle.scenario, "Title")
            assert all(0.1 <= frame.seconds <= 4 for frame in frames)
            assert len({frame.scene.width for frame in frames}) == 1
            assert all(svg(frame.scene).startswith("<svg") for frame in frames)


def test_everybody_who_goes_glides_from_his_cell_to_the_end_of_his_path(battle: Battle) -> None:
    for told in _told(battle)[:5]:
        shown = beats(battle.ruleset, told, "en")
        frames = iter(turn_frames(battle.ruleset, told, "en", battle.scenario, ""))
        for beat in shown:
            start = next(frames).scene
            if beat.paths:
                *_, end = (next(frames).scene for _ in range(4))
                centres = {cell.label: cell.centre for cell in start.cells}
                there = {counter.id: counter.centre for counter in end.counters}
                for unit, path in beat.paths.items():
                    assert there[unit] == centres[path[-1]]
        assert next(frames, None) is None


def test_the_film_of_a_battle_has_two_frames_a_turn_with_their_captions(battle: Battle) -> None:
    turns = [(told, f"turn {number}") for number, told in enumerate(_told(battle)[:4], start=1)]
    frames = battle_frames(battle.ruleset, turns, "en", battle.scenario, "The war")
    assert len(frames) == 2 * len(turns)
    assert [frame.scene.title for frame in frames[::2]] == [f"The war · {caption}" for _, caption in turns]
    assert battle_frames(battle.ruleset, [], "en", battle.scenario, "The war") == ()
