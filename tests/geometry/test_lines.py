"""Lines of sight (SHOOT-3, SHOOT-4), held against hexagons cut by a line in fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.geometry.hex import Grid, Layout, Line, grid

Point = tuple[int, int]
LAYOUTS: tuple[Layout, ...] = ("pointy", "flat")


def labels(board: Grid, cells: tuple[int, ...]) -> str:
    return " ".join(board.labels[cell] for cell in cells)


def line(start: str, end: str, layout: Layout = "pointy") -> tuple[str, str, str]:
    board = grid(9, 9, layout)
    a, b = board.cell(start), board.cell(end)
    assert a is not None
    assert b is not None
    found = board.line(a, b)
    return labels(board, found.crossed), labels(board, found.left), labels(board, found.right)


def test_SHOOT_3_adjacent_cells_have_nothing_between_them() -> None:
    assert line("C5", "D5") == ("", "", "")


def test_SHOOT_3_a_straight_row_crosses_its_cells() -> None:
    assert line("B5", "F5") == ("C5 D5 E5", "", "")


def test_SHOOT_3_a_line_along_one_border_has_a_cell_on_each_side() -> None:
    assert line("C5", "C3") == ("", "B4", "C4")


def test_SHOOT_3_left_and_right_are_taken_over_the_whole_line() -> None:
    crossed, left, right = line("C7", "C3")
    assert (crossed, left, right) == ("C5", "B4 B6", "C4 C6")


def test_SHOOT_3_seen_from_the_other_end_left_is_right() -> None:
    assert line("C3", "C7") == ("C5", "C4 C6", "B4 B6")


def test_SHOOT_3_a_border_on_the_edge_of_the_board_has_the_inner_side_alone() -> None:
    assert line("A5", "A3") == ("", "", "A4")
    assert line("A1", "C1", "flat") == ("", "", "B1")


def test_SHOOT_3_a_flat_board_has_its_borders_along_rows() -> None:
    assert line("B5", "D5", "flat") == ("", "C5", "C6")
    assert line("C2", "C5", "flat") == ("C3 C4", "", "")


def test_SHOOT_3_touching_a_cell_in_a_point_is_nothing() -> None:
    # From C5 to C3 the line meets the corners of B3's and C3's common neighbours, and enters none but C3.
    crossed, left, right = line("C5", "C3")
    assert "B3" not in f"{crossed} {left} {right}".split()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_SHOOT_3_every_line_of_a_board_agrees_with_hexagons_in_fractions(layout: Layout) -> None:
    board = grid(7, 6, layout)
    for start, end in product(range(len(board)), repeat=2):
        if start != end:
            assert board.line(start, end) == _slow_line(board, start, end), (board.labels[start], board.labels[end])


@given(st.sampled_from(LAYOUTS), st.data())
def test_SHOOT_3_lines_over_a_great_board_agree_too(layout: Layout, data: st.DataObject) -> None:
    board = grid(40, 40, layout)
    start = data.draw(st.integers(0, 1599))
    end = data.draw(st.integers(0, 1599).filter(lambda cell: cell != start))
    assert board.line(start, end) == _slow_line(board, start, end)


@given(st.sampled_from(LAYOUTS), st.integers(0, 1599), st.integers(0, 1599))
def test_SHOOT_3_sight_is_the_same_from_both_ends(layout: Layout, one: int, other: int) -> None:
    board = grid(40, 40, layout)
    there, back = board.line(one, other), board.line(other, one)
    assert there.crossed == back.crossed
    assert {there.left, there.right} == {back.left, back.right}
    assert (there.left, there.right) == (back.right, back.left)


@given(st.sampled_from(LAYOUTS), st.integers(0, 1599), st.integers(0, 1599), st.sets(st.integers(0, 1599), max_size=800))
def test_SHOOT_4_the_count_of_obstacles_is_the_same_from_both_ends(
    layout: Layout, one: int, other: int, held: set[int]
) -> None:
    board = grid(40, 40, layout)

    def obstacles(line: Line) -> int:
        left, right = len(held.intersection(line.left)), len(held.intersection(line.right))
        return len(held.intersection(line.crossed)) + min(left, right)

    assert obstacles(board.line(one, other)) == obstacles(board.line(other, one))


def test_a_line_from_a_cell_to_itself_meets_nothing() -> None:
    board = grid(9, 9)
    assert board.line(40, 40) == ((), (), ())


# The slow way: hexagons as polygons on a plane that is stretched so that all corners are whole numbers; which cells
# a segment crosses and along whose sides it runs does not change when a plane is stretched.


def _hexagon(board: Grid, cell: int) -> tuple[Point, list[Point]]:
    row, column = divmod(cell, board.columns)
    around = [(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)]
    if board.layout == "pointy":
        x, y = 2 * column + row % 2, 3 * row
        return (x, y), [(x + a, y + b) for a, b in around]
    x, y = 3 * column, 2 * row + column % 2
    return (x, y), [(x + b, y + a) for a, b in around]


def _slow_line(board: Grid, start: int, end: int) -> Line:
    a, _ = _hexagon(board, start)
    b, _ = _hexagon(board, end)
    crossed, left, right = [], [], []
    for cell in range(len(board)):
        if cell in (start, end):
            continue
        centre, corners = _hexagon(board, cell)
        if _enters(a, b, centre, corners):
            crossed.append(cell)
        elif any(_runs_along(a, b, p, q) for p, q in zip(corners, corners[1:] + corners[:1], strict=True)):
            (left if _cross(a, b, centre) < 0 else right).append(cell)
    return Line(tuple(crossed), tuple(left), tuple(right))


def _cross(a: Point, b: Point, c: Point) -> int:
    """Above 0: c lies on the right of the way from a to b, y running down."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _enters(a: Point, b: Point, centre: Point, corners: list[Point]) -> bool:
    """Whether a stretch of a-b lies strictly within all six sides."""
    low, high = Fraction(0), Fraction(1)
    for p, q in zip(corners, corners[1:] + corners[:1], strict=True):
        inside = 1 if _cross(p, q, centre) > 0 else -1
        at_a, at_b = inside * _cross(p, q, a), inside * _cross(p, q, b)
        if at_a <= 0 and at_b <= 0:
            return False
        if at_a * at_b < 0:
            meets = Fraction(at_a, at_a - at_b)
            low, high = (max(low, meets), high) if at_a < 0 else (low, min(high, meets))
    return low < high


def _runs_along(a: Point, b: Point, p: Point, q: Point) -> bool:
    """Whether a-b and the side p-q share more than a point."""
    if _cross(a, b, p) or _cross(a, b, q):
        return False
    axis = 0 if a[0] != b[0] else 1
    return max(min(a[axis], b[axis]), min(p[axis], q[axis])) < min(max(a[axis], b[axis]), max(p[axis], q[axis]))
