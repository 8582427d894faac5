"""Who is asked, what may be chosen, what silence means, and random orders that are always accepted."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from app.geometry.hex import Layout
from app.rulesets.cohesion.checking import check
from app.rulesets.cohesion.orderform import (
    choose,
    default,
    moves_after_withdrawal,
    options,
    options_json,
    requests,
    silent_orders,
    unit_options,
)
from app.rulesets.cohesion.orders import HOLD, Sheet, UnitOptions, UnitOrder
from app.rulesets.cohesion.state import State
from tests.rulesets.cohesion.boards import asked, battle, random_battle

SEATS = {"north": "north", "west": "south", "east": "south"}


def test_ORDER_6_each_seat_with_a_controlled_unit_is_asked_in_the_order_of_the_seats() -> None:
    state = battle(
        {"S1": "LM C5", "S2": "LM E5", "N1": "LM A1"}, seats=SEATS, changed={"S1": {"seat": "west"}, "S2": {"seat": "east"}}
    )
    assert [(r.id, r.seat, r.kind, r.sealed) for r in requests(state)] == [(s, s, "orders", True) for s in SEATS]


def test_UNIT_2_a_seat_of_uncontrolled_units_is_not_asked() -> None:
    state = battle({"S1": "LM C5", "N1": "LM A1"}, changed={"S1": {"cohesion": 0}})
    assert [request.seat for request in requests(state)] == ["north"]


def test_WIN_1_a_battle_without_a_winner_always_asks_somebody() -> None:
    broken = {"S1": {"cohesion": 0}, "N1": {"cohesion": 0}}
    assert len(requests(battle({"S1": "LM C5", "N1": "LM A1"}, changed=broken))) == 2
    assert [r.seat for r in requests(battle({"S1": "LM C5"}, changed=broken))] == ["south"]
    assert [r.seat for r in requests(battle({}))] == ["north", "south"]


def test_a_battle_that_is_over_asks_nobody() -> None:
    assert requests(replace(battle({"S1": "LM C5"}), winner="south")) == ()


def test_the_options_of_a_unit() -> None:
    state = battle({"S1": "LM D5", "N1": "HM D4", "N2": "LM D3", "N3": "LM D7"})
    given = unit_options(state, "S1")
    assert given.id == "S1"
    assert given.shoot == ("N1", "N2", "N3")
    assert given.melee == ("N1",)
    assert given.withdraw == ("C7", "E7")
    assert given.move[0] == ("C4",)
    assert ("D6", "D7") not in given.move
    assert all(1 <= len(way) <= 2 for way in given.move)


def test_UNIT_2_an_uncontrolled_unit_has_no_options() -> None:
    state = battle({"S1": "LM D5", "N1": "HM D4"}, changed={"S1": {"cohesion": 0}})
    assert options(state, asked()) == (UnitOptions("S1"),)
    assert [given["id"] for given in options_json(state, asked()) if given.get("idle")] == ["S1"]


def test_ORDER_6_the_options_of_a_seat_are_those_of_its_own_units() -> None:
    state = battle({"S1": "LM C5", "S2": "LM E5"}, seats=SEATS, changed={"S1": {"seat": "west"}, "S2": {"seat": "east"}})
    assert [given.id for given in options(state, asked("east"))] == ["S2"]


def test_the_options_for_programs_have_the_shape_of_the_api() -> None:
    state = battle({"S1": "HM D5", "N1": "HM D4"})
    (given,) = options_json(state, asked())
    assert given["id"] == "S1"
    assert given["options"] == {
        "shoot": [],
        "melee": ["N1"],
        "withdraw": [],
        "move": [["C4"], ["C5"], ["E5"], ["C6"], ["D6"]],
    }


def test_ORDER_2_moves_after_a_withdrawal_start_from_its_cell() -> None:
    state = battle({"S1": "LM D5"})
    moves = moves_after_withdrawal(state, "S1", "D7")
    assert ("D8",) in moves
    assert moves_after_withdrawal(state, "S1", "Z99") == ()


def test_ORDER_6_silence_holds() -> None:
    state = battle({"S1": "LM C5", "S2": "LM E5", "S3": "LM G5", "N1": "LM C4"}, changed={"S3": {"cohesion": 0}})
    assert default(state, asked()) == Sheet({"S1": HOLD, "S2": HOLD})
    assert silent_orders(state, {"S1"}) == {"S2": HOLD, "N1": HOLD}


def test_ORDER_6_silence_fights_the_weakest_neighbour() -> None:
    state = battle(
        {"S1": "LM D5", "N1": "HM D4", "N2": "XS C4", "N3": "XS E5", "S2": "LM A9", "N4": "LM I1"},
        missing_orders="fights",
    )
    assert default(state, asked()) == Sheet({"S1": UnitOrder(melee="N2"), "S2": HOLD})
    assert silent_orders(state, {"N1", "N2", "N3"})["N4"] == HOLD


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_orders_chosen_by_chance_are_always_accepted(seed: int) -> None:
    chance = Random(seed)
    state = random_battle(chance)
    for request in requests(state):
        sheet = choose(state, request, chance.randrange)
        assert set(sheet.orders) == {u.id for u in state.units.values() if u.seat == request.seat and u.cohesion > 0}
        assert [problem for problem in check(state, request, sheet) if not problem.warning] == []


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_every_option_taken_alone_is_accepted_and_nothing_else_is(seed: int) -> None:
    chance = Random(seed)
    state = random_battle(chance)
    for request in requests(state):
        for may in options(state, request):
            if state.units[may.id].cohesion == 0:
                continue
            everybody, cells = state.units, state.board.grid.labels
            assert {u for u in everybody if _accepted(state, may.id, UnitOrder(shoot=u))} == set(may.shoot)
            assert {u for u in everybody if _accepted(state, may.id, UnitOrder(melee=u))} == set(may.melee)
            assert {c for c in cells if _accepted(state, may.id, UnitOrder(withdraw=c))} == set(may.withdraw)
            assert all(_accepted(state, may.id, UnitOrder(move=way)) for way in may.move)


def _accepted(state: State, unit_id: str, order: UnitOrder) -> bool:
    told = check(state, asked(state.units[unit_id].seat), Sheet({unit_id: order}))
    return all(problem.warning for problem in told)


def test_chance_fights_more_often_than_not() -> None:
    state = battle({"S1": "HM D5", "N1": "HM D4"})
    chance = Random(1)
    fights = sum(choose(state, asked(), chance.randrange).orders["S1"].melee == "N1" for _ in range(100))
    assert fights > 60


@pytest.mark.parametrize("layout", ["pointy", "flat"])
def test_units_far_away_change_nothing(layout: Layout) -> None:
    near = {"S1": "CC D5", "N1": "HM D3"}
    far = {f"N{n}": f"LM {chr(65 + n % 26)}30" for n in range(100, 126)}
    small = battle(near, size="26x30", layout=layout)
    large = battle(near | far, size="26x30", layout=layout)
    assert unit_options(small, "S1") == unit_options(large, "S1")
