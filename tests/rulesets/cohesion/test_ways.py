"""ORDER-2, WITHDRAW-2, WITHDRAW-3: ways over the board as it stands."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from app.rulesets.cohesion.position import is_passable, position
from app.rulesets.cohesion.state import State
from app.rulesets.cohesion.ways import reach, shortest, ways, withdrawals
from tests.rulesets.cohesion.boards import battle


def ends(state: State, unit_id: str) -> dict[str, tuple[str, ...]]:
    here = position(state)
    unit = state.units[unit_id]
    return {here.grid.labels[cell]: way for cell, way in ways(here, unit, unit.at, reach(here, unit)).items()}


def back(state: State, unit_id: str) -> list[str]:
    here = position(state)
    return [here.grid.labels[cell] for cell in withdrawals(here, state.units[unit_id])]


def test_ORDER_2_of_several_shortest_ways_the_first_in_canonical_order() -> None:
    state = battle({"S1": "LM E5"})
    assert shortest(state, "S1", "E3") == ("D4", "E3")
    assert shortest(state, "S1", "E7") == ("D6", "E7")
    assert shortest(battle({"S1": "LM E5", "S2": "LM D4"}), "S1", "E3") == ("E4", "E3")


def test_ORDER_2_a_way_goes_around_what_stands_and_what_cannot_be_entered() -> None:
    state = battle({"S1": "LR E5", "N1": "HM E4", "N2": "HM D4"}, terrain={"F5": "impassable"})
    assert ends(state, "S1")["E3"] == ("D5", "C4", "D3", "E3")
    assert "E4" not in ends(state, "S1")


def test_TERRAIN_a_way_ends_where_it_must() -> None:
    terrain = {"C1": "rough", "C2": "building", "B2": "impassable"}
    state = battle({"S1": "LR A1"}, size="9x2", terrain=terrain)
    assert set(ends(state, "S1")) == {"B1", "A2", "C1"}


def test_UNIT_5_uncontrolled_units_and_the_host_are_passed_over_and_not_ended_on() -> None:
    state = battle({"S1": "LM D6", "N1": "LM D5", "S2": "PH C6"}, changed={"N1": {"cohesion": 0}})
    reached = ends(state, "S1")
    assert "D5" not in reached
    assert "C6" not in reached
    assert reached["C4"] == ("D5", "C4")
    assert reached["B6"] == ("C6", "B6")


def test_PH_the_host_walks_through_foes_and_only_its_own_side_through_it() -> None:
    state = battle({"N1": "PH D4", "S1": "HM D5", "N2": "LM C4"})
    units, types = state.units, state.types
    assert is_passable(types, units["N1"], units["S1"])
    assert is_passable(types, units["N2"], units["N1"])
    assert not is_passable(types, units["S1"], units["N1"])
    assert not is_passable(types, units["N2"], units["S1"])


def test_PR_two_steps_are_in_reach_of_raiders() -> None:
    assert max(map(len, ends(battle({"S1": "PR E5"}), "S1").values())) == 2


def test_ORDER_2_where_no_way_is_legal_the_path_says_what_is_wrong() -> None:
    state = battle({"S1": "LM E5", "S2": "LM E3"}, terrain={"E6": "impassable", "D6": "impassable", "A1": "impassable"})
    assert shortest(state, "S1", "E3") == ("D4", "E3")
    assert len(shortest(state, "S1", "E2")) == 3
    assert shortest(state, "S1", "E6") == ("E6",)
    assert shortest(state, "S1", "J9") == ("J9",)
    assert shortest(state, "S1", "A1")[-1] == "A1"
    assert shortest(state, "S1", "E5") == ("E5",)


def test_a_ring_of_others_is_walked_through_only_if_nothing_else_is_left() -> None:
    state = battle({"S1": "LM A1", "S2": "LM B1", "S3": "LM A2"})
    assert ends(state, "S1") == {}
    assert shortest(state, "S1", "C1") == ("B1", "C1")


def test_WITHDRAW_2_two_steps_back_each_nearer_home() -> None:
    assert back(battle({"S1": "LM D5"}), "S1") == ["C7", "D7", "E7"]
    assert back(battle({"N1": "LM D5"}), "N1") == ["C3", "D3", "E3"]


def test_WITHDRAW_2_one_step_only_where_two_are_impossible() -> None:
    assert back(battle({"S1": "LM D8"}), "S1") == ["D9", "E9"]
    assert back(battle({"S1": "LM D5"}, terrain={"D6": "rough", "C6": "impassable"}), "S1") == ["D6"]
    assert back(battle({"S1": "LM D5"}, terrain={"D6": "rough"}), "S1") == ["C7", "D7"]


def test_WITHDRAW_3_others_stand_in_the_way_and_passable_ones_are_passed_over() -> None:
    blocked = battle({"S1": "LM D5", "S2": "HM C6", "S3": "HM D6"})
    assert back(blocked, "S1") == []
    over = battle({"S1": "LM D5", "S2": "HM C6", "S3": "HM D6"}, changed={"S3": {"cohesion": 0}})
    assert back(over, "S1") == ["D7", "E7"]
    assert back(battle({"S1": "LM D9"}), "S1") == []


CELLS = st.integers(0, 80)


@settings(max_examples=60)
@given(CELLS, st.sets(CELLS, max_size=15), st.sets(CELLS, max_size=15), st.sets(CELLS, max_size=10))
def test_every_way_is_a_legal_path_and_none_is_shorter(
    start: int, others: set[int], shut: set[int], rough: set[int]
) -> None:
    labels = battle({}).board.grid.labels
    others -= {start}
    terrain = {labels[c]: "rough" for c in rough} | {labels[c]: "impassable" for c in shut - others - {start}}
    state = battle({"S1": f"LR {labels[start]}"} | {f"S{c + 10}": f"HM {labels[c]}" for c in others}, terrain=terrain)
    grid, here = state.board.grid, position(state)
    found = ways(here, state.units["S1"], start, 4)
    allowed = set(range(81)) - others - here.ground.shut
    away = _flood(state, start, allowed)
    assert set(found) == {cell for cell, steps in away.items() if 0 < steps <= 4}
    for cell, way in found.items():
        cells = [start, *(grid.cell(label) or 0 for label in way)]
        assert cells[-1] == cell
        assert len(way) == away[cell]
        assert all(b in grid.neighbours[a] for a, b in pairwise(cells))
        assert not here.ground.stop.intersection(cells[1:-1])
        assert allowed.issuperset(cells[1:])


def _flood(state: State, start: int, allowed: set[int]) -> dict[int, int]:
    """Steps to each cell, found the slow way: all cells again and again."""
    grid, stop = state.board.grid, position(state).ground.stop
    away = {start: 0}
    for steps in range(1, 5):
        edge = [c for c, s in away.items() if s == steps - 1 and (c == start or c not in stop)]
        for cell in edge:
            for near in grid.neighbours[cell]:
                if near in allowed:
                    away.setdefault(near, steps)
    return away
