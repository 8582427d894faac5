"""Standing doctrines: legal on any board, leaving what was ordered alone, and nothing open."""

from __future__ import annotations

from random import Random

import pytest

from app.engine.ruleset import Request
from app.rulesets.cohesion.checking import check
from app.rulesets.cohesion.doctrine import WAYS, doctrine
from app.rulesets.cohesion.orderform import requests, tally
from app.rulesets.cohesion.orders import HOLD, Sheet, UnitOrder
from app.rulesets.cohesion.ruleset import COHESION
from tests.rulesets.cohesion.boards import battle
from tests.rulesets.cohesion.random_battles import random_state

SOUTH = Request(id="south", seat="south", kind="orders")


def test_ORDER_6_every_doctrine_has_a_way() -> None:
    assert COHESION.doctrines == tuple(WAYS) == ("hold-and-fight", "hold", "withdraw-if-able")


@pytest.mark.parametrize("name", WAYS)
def test_ORDER_6_a_doctrine_is_legal_on_any_board_and_leaves_nothing_open(name: str) -> None:
    for number in range(12):
        state = random_state(Random(number), columns=9, rows=9, units=14)
        for request in requests(state):
            sheet = doctrine(state, request, name, None)
            assert [problem for problem in check(state, request, sheet) if not problem.warning] == []
            ordered, able = tally(state, request, sheet)
            assert ordered == able == len(sheet.orders)


@pytest.mark.parametrize("name", WAYS)
def test_ORDER_6_what_was_ordered_stands_as_it_was(name: str) -> None:
    state = battle({"S1": "HM D5", "S2": "HM F5", "N1": "HM D4", "N2": "HM F4"})
    given = Sheet({"S1": UnitOrder(move=("D6",))})
    filled = doctrine(state, SOUTH, name, given)
    assert filled.orders["S1"] == given.orders["S1"]
    assert set(filled.orders) == {"S1", "S2"}
    assert doctrine(state, SOUTH, name, filled) == filled


def test_ORDER_6_two_do_not_withdraw_to_one_cell_where_that_can_be_helped() -> None:
    state = battle({"S1": "LM D5", "S2": "LM E5", "N1": "HM D4", "N2": "HM E4"})
    ends = [order.withdraw for order in doctrine(state, SOUTH, "withdraw-if-able", None).orders.values()]
    assert None not in ends
    assert len(set(ends)) == 2


def test_ORDER_6_without_an_enemy_beside_it_nobody_withdraws() -> None:
    state = battle({"S1": "LM D5", "N1": "HM D2"})
    assert doctrine(state, SOUTH, "withdraw-if-able", None).orders == {"S1": HOLD}
