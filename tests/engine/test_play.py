"""Playing by functions alone, shown on the second ruleset."""

from __future__ import annotations

from itertools import pairwise

from app.engine.dice import SeededDice
from app.engine.play import chooser, dice_from, drive, pick_from, random_play, replay
from tests.contracts.duel.orders import Activation
from tests.contracts.duel.ruleset import RULESET, scenario

SEED = b"a seed"


def opening():
    return RULESET.setup(scenario()).state


def test_a_battle_is_driven_to_its_end() -> None:
    start, steps = random_play(RULESET, scenario(), pick_from(SEED, "x"), SEED, 1000)
    assert [played.number for played in steps] == list(range(1, len(steps) + 1))
    assert steps[0].before == start.state
    assert all(one.step.state == other.before for one, other in pairwise(steps))
    assert RULESET.outcome(steps[-1].step.state).is_over


def test_no_more_steps_are_played_than_asked_for() -> None:
    _, steps = random_play(RULESET, scenario(), pick_from(SEED, "x"), SEED, 3)
    assert len(steps) == 3
    assert list(drive(RULESET, opening(), chooser(RULESET, pick_from(SEED, "x")), dice_from(SEED), 0)) == []


def test_a_battle_that_is_over_has_no_steps() -> None:
    _, steps = random_play(RULESET, scenario(), pick_from(SEED, "x"), SEED, 1000)
    player = chooser(RULESET, pick_from(SEED, "x"))
    assert list(drive(RULESET, steps[-1].step.state, player, dice_from(SEED), 5)) == []


def test_steps_are_played_as_they_are_asked_for() -> None:
    asked = []

    def player(state, request):
        asked.append(request.id)
        return Activation()

    steps = drive(RULESET, opening(), player, dice_from(SEED), 100)
    assert asked == []
    next(steps)
    assert asked == ["1:activation"]


def test_who_says_nothing_is_left_out_of_the_orders() -> None:
    (played,) = drive(RULESET, opening(), lambda state, request: None, dice_from(SEED), 1)
    assert played.orders == {}
    assert [request.seat for request in played.requests] == ["ash"]
    assert played.step.state.passes == 1


def test_a_player_sees_what_his_seat_may_know() -> None:
    seen = []

    def player(state, request):
        seen.append((request.seat, {f.seat for f in state.fighters.values() if f.nerve is not None}))
        return Activation()

    list(drive(RULESET, opening(), player, dice_from(SEED), 5))
    assert len(seen) == 5
    assert all(known == {seat} for seat, known in seen)


def test_events_alone_replay_a_battle() -> None:
    start, steps = random_play(RULESET, scenario(), pick_from(SEED, "x"), SEED, 1000)
    assert list(replay(RULESET, start.state, [played.step.events for played in steps])) == [
        played.step.state for played in steps
    ]


def test_dice_of_steps_come_from_one_seed_and_are_not_alike() -> None:
    first, again, second = dice_from(SEED)(1), dice_from(SEED)(1), dice_from(SEED)(2)
    faces = first.roll("x", 30)
    assert isinstance(first, SeededDice)
    assert again.roll("x", 30) == faces
    assert second.roll("x", 30) != faces
    assert dice_from(b"other")(1).roll("x", 30) != faces


def test_chance_of_a_program_is_its_own_and_the_same_each_time() -> None:
    def picks(seed: bytes, name: str) -> list[int]:
        pick = pick_from(seed, name)
        return [pick(n) for n in range(1, 40)]

    assert picks(SEED, "a") == picks(SEED, "a")
    assert picks(SEED, "a") != picks(SEED, "b")
    assert picks(SEED, "a") != picks(b"other", "a")
    assert all(0 <= picked < n for n, picked in enumerate(picks(SEED, "a"), start=1))


def test_a_program_does_not_foresee_the_dice() -> None:
    """Its chance and the dice of a step are drawn from one seed, yet apart."""
    pick = pick_from(SEED, "step 1")
    assert [pick(6) + 1 for _ in range(30)] != list(dice_from(SEED)(1).roll("pick", 30))
