"""Labels, neighbours, distance, edges, order (BOARD-1 to BOARD-6)."""

from __future__ import annotations

from collections import deque
from itertools import pairwise, product

import pytest

from app.geometry.hex import Edge, Grid, Layout, cell_label, grid, parse_label

LAYOUTS: tuple[Layout, ...] = ("pointy", "flat")
EDGES: tuple[Edge, ...] = ("top", "bottom", "left", "right")


def named(board: Grid, *labels: str) -> list[int]:
    return [number(board, label) for label in labels]


def number(board: Grid, label: str) -> int:
    cell = board.cell(label)
    assert cell is not None, label
    return cell


@pytest.mark.parametrize(
    ("column", "row", "label"),
    [
        (0, 0, "A1"),
        (25, 8, "Z9"),
        (26, 0, "AA1"),
        (27, 12, "AB13"),
        (51, 0, "AZ1"),
        (52, 0, "BA1"),
        (701, 39, "ZZ40"),
        (702, 0, "AAA1"),
    ],
)
def test_BOARD_1_columns_run_on_after_Z(column: int, row: int, label: str) -> None:
    assert cell_label(column, row) == label
    assert parse_label(label) == (column, row)


def test_BOARD_1_every_label_reads_back() -> None:
    for column, row in product(range(0, 760, 7), range(0, 60, 11)):
        assert parse_label(cell_label(column, row)) == (column, row)


@pytest.mark.parametrize(
    "text", ["", "A", "1", "A0", "A01", "a1", "А1", "A1 ", " A1", "A-1", "A1B", "AAAA1", "A١", "A1\n", "A12345"]
)
def test_BOARD_1_what_is_no_label_is_none(text: str) -> None:
    assert parse_label(text) is None
    assert grid(9, 9).cell(text) is None


def test_BOARD_1_a_label_off_the_board_has_no_cell() -> None:
    board = grid(3, 2)
    assert named(board, "A1", "C1", "A2", "C2") == [0, 2, 3, 5]
    assert [board.cell(label) for label in ("D1", "A3", "AA1")] == [None, None, None]
    assert board.labels == ("A1", "B1", "C1", "A2", "B2", "C2")
    assert len(board) == 6


@pytest.mark.parametrize(
    ("layout", "label", "around"),
    [
        ("pointy", "C2", "B2 D2 C1 D1 C3 D3"),
        ("pointy", "C3", "B3 D3 B2 C2 B4 C4"),
        ("flat", "B2", "B1 B3 A2 C2 A3 C3"),
        ("flat", "C2", "C1 C3 B1 D1 B2 D2"),
    ],
)
def test_BOARD_2_the_neighbours_of_the_rules_examples(layout: Layout, label: str, around: str) -> None:
    board = grid(9, 9, layout)
    assert {board.labels[c] for c in board.neighbours[number(board, label)]} == set(around.split())


@pytest.mark.parametrize("layout", LAYOUTS)
def test_BOARD_3_distance_is_the_number_of_steps(layout: Layout) -> None:
    board = grid(8, 7, layout)
    for start in range(len(board)):
        steps = _steps(board, start)
        assert [board.distance(start, end) for end in range(len(board))] == [steps[end] for end in range(len(board))]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_BOARD_3_neighbours_are_the_cells_at_distance_1(layout: Layout) -> None:
    board = grid(6, 5, layout)
    for cell in range(len(board)):
        assert board.neighbours[cell] == tuple(c for c in range(len(board)) if board.distance(cell, c) == 1)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize("size", [(7, 6), (6, 7), (1, 5), (5, 1), (1, 1)])
def test_BOARD_4_home_distance_is_to_the_nearest_cell_of_the_edge(layout: Layout, edge: Edge, size: tuple[int, int]) -> None:
    board = grid(*size, layout)
    columns, rows = size
    on_edge = {
        "top": lambda cell: cell // columns == 0,
        "bottom": lambda cell: cell // columns == rows - 1,
        "left": lambda cell: cell % columns == 0,
        "right": lambda cell: cell % columns == columns - 1,
    }[edge]
    home = [cell for cell in range(len(board)) if on_edge(cell)]
    assert board.edge_distance(edge) == tuple(min(board.distance(c, h) for h in home) for c in range(len(board)))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_BOARD_5_nothing_lies_beyond_the_edge(layout: Layout) -> None:
    board = grid(4, 4, layout)
    assert all(0 <= near < 16 for around in board.neighbours for near in around)
    assert all(len(board.neighbours[c]) == 6 for c in (5, 6, 9, 10))
    assert all(len(board.neighbours[c]) < 6 for c in range(16) if c not in (5, 6, 9, 10))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_BOARD_6_lists_of_cells_run_by_row_then_column(layout: Layout) -> None:
    board = grid(9, 9, layout)
    for cell in range(len(board)):
        assert all(one < other for one, other in pairwise(board.neighbours[cell]))
        disc = board.disc(cell, 4)
        keys = [(board.distance(cell, c), c) for c in disc]
        assert keys == sorted(keys)
        assert set(disc) == {c for c in range(len(board)) if 1 <= board.distance(cell, c) <= 4}


def test_a_disc_of_radius_0_is_empty() -> None:
    assert grid(9, 9).disc(40, 0) == ()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_drawn_neighbours_share_two_corners_and_others_none(layout: Layout) -> None:
    board = grid(5, 5, layout)
    corners = [{(round(x, 6), round(y, 6)) for x, y in board.corners(c)} for c in range(len(board))]
    width, height = board.size
    for one, other in product(range(len(board)), repeat=2):
        shared = len(corners[one] & corners[other])
        assert shared == {0: 6, 1: 2}.get(board.distance(one, other), 0)
    assert all(-1e-6 <= x <= width + 1e-6 and -1e-6 <= y <= height + 1e-6 for cell in corners for x, y in cell)


def test_the_same_board_is_made_once() -> None:
    assert grid(9, 9, "flat") is grid(9, 9, "flat")
    assert grid(9, 9, "flat") is not grid(9, 9, "pointy")


def _steps(board: Grid, start: int) -> dict[int, int]:
    found, queue = {start: 0}, deque([start])
    while queue:
        cell = queue.popleft()
        for near in board.neighbours[cell]:
            if near not in found:
                found[near] = found[cell] + 1
                queue.append(near)
    return found
