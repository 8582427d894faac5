"""SHOOT-1 to SHOOT-6: lines, obstacles, who may be shot at."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.rulesets.cohesion.position import position
from app.rulesets.cohesion.sight import can_see, obstacles, targets
from app.rulesets.cohesion.state import State
from tests.rulesets.cohesion.boards import battle


def sees(state: State, start: str, end: str, ignores: int = 0) -> bool:
    cell = state.board.grid.cell
    return can_see(position(state), cell(start) or 0, cell(end) or 0, ignores)


def test_SHOOT_2_units_and_buildings_block_and_rough_ground_does_not() -> None:
    state = battle({"S1": "LM C5"}, terrain={"E5": "building", "G5": "rough", "H5": "impassable"})
    assert not sees(state, "A5", "D5")
    assert not sees(state, "D5", "F5")
    assert sees(state, "F5", "I5")


def test_SHOOT_2_the_ends_of_the_line_never_block() -> None:
    state = battle({"S1": "LM C5", "N1": "LM E5"}, terrain={"C5": "building", "E5": "building"})
    assert sees(state, "C5", "E5")


def test_SHOOT_3_along_a_border_both_sides_must_be_blocked() -> None:
    assert sees(battle({"S1": "HM B4"}), "C5", "C3")
    assert not sees(battle({"S1": "HM B4", "S2": "HM C4"}), "C5", "C3")


def test_SHOOT_3_on_the_boards_edge_the_inner_side_alone_counts() -> None:
    assert not sees(battle({"S1": "HM A4"}), "A5", "A3")
    assert sees(battle({"S1": "HM B4"}), "A5", "A3")


def test_SHOOT_4_obstacles_that_are_ignored() -> None:
    state = battle({"S1": "HM C5", "S2": "HM D5"})
    assert [sees(state, "B5", "E5", k) for k in (0, 1, 2)] == [False, False, True]


@given(st.sets(st.integers(0, 80), max_size=30), st.integers(0, 80), st.integers(0, 80), st.integers(0, 2))
def test_sight_is_the_same_from_both_ends(held: set[int], start: int, end: int, ignores: int) -> None:
    labels = battle({}).board.grid.labels
    state = battle({}, terrain={labels[cell]: "building" for cell in held})
    here = position(state)
    assert can_see(here, start, end, ignores) == can_see(here, end, start, ignores)
    assert can_see(here, start, end, ignores) == (obstacles(here, start, end) <= ignores)


def test_SHOOT_1_targets_are_the_enemies_in_range_and_sight_nearest_first() -> None:
    state = battle({"S1": "XS E5", "N1": "LM E2", "N2": "LM F5", "N3": "HM A5", "N4": "HM G5", "S2": "LM D5"})
    unit = state.units["S1"]
    shooting = state.types["XS"].shooting
    assert shooting is not None
    assert [enemy.id for enemy in targets(position(state), unit, shooting)] == ["N2", "N1"]


def test_SHOOT_6_two_adjacent_enemies_silence_a_shooter_and_one_silences_the_carts() -> None:
    state = battle(
        {"S1": "XS E5", "N1": "LM F5", "N2": "LM D5", "S2": "CC H8", "N3": "LM H7"}, changed={"N2": {"cohesion": 0}}
    )
    for unit_id in ("S1", "S2"):
        unit = state.units[unit_id]
        shooting = state.types[unit.type].shooting
        assert shooting is not None
        assert targets(position(state), unit, shooting) == []


def test_the_disc_holds_the_cells_in_range_nearest_first() -> None:
    grid = battle({}, layout="flat").board.grid
    for centre in (0, 40, 77):
        cells = grid.disc(centre, 3)
        away = [grid.distance(centre, cell) for cell in cells]
        assert away == sorted(away)
        assert set(cells) == {cell for cell in range(81) if 0 < grid.distance(centre, cell) <= 3}
