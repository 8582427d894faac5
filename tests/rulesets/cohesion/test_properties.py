"""What holds on any board, with any orders."""

from __future__ import annotations

import json
from itertools import pairwise
from random import Random

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.engine.dice import ScriptedDice, SeededDice
from app.engine.ruleset import Request
from app.rulesets.cohesion import codec
from app.rulesets.cohesion.checking import check
from app.rulesets.cohesion.events import Destroyed, Rolled
from app.rulesets.cohesion.evolve import evolve
from app.rulesets.cohesion.orders import Sheet
from app.rulesets.cohesion.position import position
from app.rulesets.cohesion.sequence import advance
from app.rulesets.cohesion.sight import can_see, obstacles
from app.rulesets.cohesion.state import State
from tests.rulesets.cohesion.random_battles import battles, legal_orders, random_state

SEED = bytes(range(16))
Sealed = tuple[State, dict[str, Sheet]]
few = settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def bytes_of(state: State) -> bytes:
    return msgspec.json.encode(codec.dump_state(state))


@few
@given(battles())
def test_replaying_the_events_gives_the_state(sealed: Sealed) -> None:
    state, orders = sealed
    step = advance(state, orders, SeededDice(SEED))
    assert evolve(state, step.events) == step.state


@few
@given(battles(), st.randoms(use_true_random=False))
def test_the_order_of_arrival_does_not_matter(sealed: Sealed, chance: Random) -> None:
    state, orders = sealed
    shuffled: dict[str, Sheet] = {}
    for seat in chance.sample(sorted(orders), len(orders)):
        given_orders = list(orders[seat].orders.items())
        chance.shuffle(given_orders)
        shuffled[seat] = Sheet(dict(given_orders))
    one, other = SeededDice(SEED), SeededDice(SEED)
    assert advance(state, orders, one) == advance(state, shuffled, other)
    assert one.rolled == other.rolled


@few
@given(battles(), st.randoms(use_true_random=False))
def test_the_order_in_which_units_are_written_does_not_matter(sealed: Sealed, chance: Random) -> None:
    state, orders = sealed
    units = list(state.units.items())
    chance.shuffle(units)
    shuffled = msgspec.structs.replace(state, units=dict(units))
    assert advance(shuffled, orders, SeededDice(SEED)).events == advance(state, orders, SeededDice(SEED)).events


@few
@given(battles())
def test_UNIT_5_no_two_units_stand_in_one_cell(sealed: Sealed) -> None:
    state, orders = sealed
    after = advance(state, orders, SeededDice(SEED)).state
    cells = [unit.at for unit in after.units.values()]
    assert len(set(cells)) == len(cells)
    shut = position(state).ground.shut
    assert not shut.intersection(cells)


@few
@given(battles())
def test_UNIT_1_ATTACK_7_nothing_falls_below_0_or_rises_above_its_maximum(sealed: Sealed) -> None:
    state, orders = sealed
    for after in _every_state(state, advance(state, orders, SeededDice(SEED)).events):
        for unit in after.units.values():
            kind = state.types[unit.type]
            assert 0 <= unit.cohesion <= kind.cohesion_max
            assert 0 <= unit.strength <= kind.strength
            if kind.sections:
                assert unit.strength == unit.upper + unit.lower
                assert 0 <= unit.upper <= kind.sections["upper"]
                assert 0 <= unit.lower <= kind.sections["lower"]
            else:
                assert unit.upper == unit.lower == 0
    for unit in after.units.values():
        assert unit.strength > 0
        assert unit.upper > 0 or not state.types[unit.type].sections


def _every_state(state: State, events: tuple[object, ...]) -> list[State]:
    """The state after each phase's losses: an event at a time would take a copy of all units for each."""
    marks = [0, *(i for i in range(0, len(events), max(1, len(events) // 8))), len(events)]
    states = []
    for start, end in pairwise(marks):
        state = evolve(state, events[start:end])  # type: ignore[arg-type]
        states.append(state)
    return states


@few
@given(battles())
def test_the_state_and_the_orders_given_stay_as_they_are(sealed: Sealed) -> None:
    state, orders = sealed
    before, kept = bytes_of(state), {seat: codec.dump_order(sheet) for seat, sheet in orders.items()}
    orders_before = json.dumps(kept)
    step = advance(state, orders, SeededDice(SEED))
    evolve(state, step.events)
    assert bytes_of(state) == before
    assert json.dumps({seat: codec.dump_order(sheet) for seat, sheet in orders.items()}) == orders_before


@few
@given(battles())
def test_DICE_1_every_die_is_told_and_the_same_faces_give_the_same_turn(sealed: Sealed) -> None:
    state, orders = sealed
    dice = SeededDice(SEED)
    step = advance(state, orders, dice)
    told: dict[str, list[int]] = {}
    for event in step.events:
        if isinstance(event, Rolled):
            turn, phase, subject, purpose = event.address.split("/")
            assert (turn, subject, purpose) == (str(state.turn), event.subject, event.purpose)
            assert phase in {"shooting", "melee", "withdrawal", "movement"}
            told.setdefault(event.address, []).extend(event.faces)
    assert told == dice.rolled
    scripted = ScriptedDice(dice.rolled)
    assert advance(state, orders, scripted) == step
    assert scripted.left_over() == {}


@few
@given(battles())
def test_states_orders_and_events_survive_their_JSON(sealed: Sealed) -> None:
    state, orders = sealed
    step = advance(state, orders, SeededDice(SEED))
    for each in (state, step.state):
        written = codec.dump_state(each)
        assert codec.load_state(json.loads(json.dumps(written))) == each
        assert codec.dump_state(codec.load_state(written)) == written
    for sheet in orders.values():
        assert codec.load_order(json.loads(json.dumps(codec.dump_order(sheet)))) == sheet
    for event in step.events:
        assert codec.load_event(json.loads(json.dumps(codec.dump_event(event)))) == event


@few
@given(battles())
def test_POINTS_1_points_are_those_of_the_destroyed(sealed: Sealed) -> None:
    state, orders = sealed
    step = advance(state, orders, SeededDice(SEED))
    points = dict(state.points)
    gone = [event for event in step.events if isinstance(event, Destroyed)]
    for event in gone:
        unit = state.units[event.unit]
        assert event.value == state.types[unit.type].value
        assert event.scorer != unit.side
        points[event.scorer] += event.value
    assert step.state.points == points
    assert state.units.keys() - step.state.units.keys() == {event.unit for event in gone}


@few
@given(battles(most=16))
def test_SHOOT_3_sight_is_the_same_from_both_ends(sealed: Sealed) -> None:
    state, _ = sealed
    here = position(state)
    units = sorted(state.units.values(), key=lambda unit: unit.id)[:14]
    for one in units:
        for other in units:
            if one.at < other.at:
                there, back = obstacles(here, one.at, other.at), obstacles(here, other.at, one.at)
                assert there == back
                for ignored in (0, 1, 2):
                    assert can_see(here, one.at, other.at, ignored) == can_see(here, other.at, one.at, ignored)
                    assert can_see(here, one.at, other.at, ignored) == (there <= ignored)


@few
@given(st.integers(0, 2**32), st.integers(2, 20), st.integers(2, 20))
def test_legal_orders_by_chance_are_legal(seed: int, columns: int, rows: int) -> None:
    chance = Random(seed)
    state = random_state(chance, columns=columns, rows=rows, units=60)
    for seat, sheet in legal_orders(chance, state).items():
        problems = check(state, Request(id=seat, seat=seat, kind="orders"), sheet)
        assert not [problem for problem in problems if not problem.warning]


@pytest.mark.parametrize("layout", ["pointy", "flat"])
def test_turns_follow_on_a_board_of_40_by_40_with_400_units(layout: str) -> None:
    chance = Random(layout)
    state = random_state(chance, columns=40, rows=40, units=400, layout=layout)
    state = msgspec.structs.replace(state, goal=10_000)
    for turn in range(state.turn, state.turn + 4):
        assert state.turn == turn
        state = advance(state, legal_orders(chance, state), SeededDice(SEED)).state
    assert state.winner is None
