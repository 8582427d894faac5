"""Hexes: labels, neighbours, distance, lines of sight, centres. Cells are numbers, `row * columns + column`.

Everything is exact: lines of sight are worked out in whole numbers, so that sight is the same from both ends.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import prod, sqrt
from typing import Literal, NamedTuple

Layout = Literal["pointy", "flat"]
Edge = Literal["top", "bottom", "left", "right"]
Cube = tuple[int, int]
"""Axial coordinates (q, r); the third is -q - r."""

_LABEL = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,3})")
_ROOT3 = sqrt(3)


class Line(NamedTuple):
    """What a line from centre to centre meets, its two ends left out (SHOOT-3): the cells whose inside it crosses, and
    the cells on its left and on its right where it runs along a border, over its whole length."""

    crossed: tuple[int, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]


class Grid:
    """A board of hexes (BOARD-1, BOARD-2). Made once for each size, by `grid`; never changed."""

    __slots__ = ("_cube", "_discs", "_lines", "_place", "cells", "columns", "labels", "layout", "neighbours", "rows")

    def __init__(self, columns: int, rows: int, layout: Layout) -> None:
        self.columns = columns
        self.rows = rows
        self.layout = layout
        cells = range(columns * rows)
        self._cube: tuple[Cube, ...] = tuple(_cube(c % columns, c // columns, layout) for c in cells)
        self._place: dict[Cube, int] = {cube: cell for cell, cube in enumerate(self._cube)}
        self.labels: tuple[str, ...] = tuple(cell_label(c % columns, c // columns) for c in cells)
        """Cell -> its label, `A1` (BOARD-1)."""
        # The same number objects as in `neighbours`, so that looking a cell up in there ends at the first glance.
        self.cells: dict[str, int] = dict(zip(self.labels, self._place.values(), strict=True))
        """Label -> cell, in canonical order (BOARD-6)."""
        self.neighbours: tuple[tuple[int, ...], ...] = tuple(self._around(c) for c in cells)
        """Cell -> the cells at distance 1 on the board, in canonical order (BOARD-6)."""
        self._lines: dict[tuple[int, int], Line] = {}
        self._discs: dict[tuple[int, int], tuple[int, ...]] = {}

    def __len__(self) -> int:
        return len(self._cube)

    def cell(self, label: str) -> int | None:
        """The number of a label as it is written on the board (`C14`); None off the board or for no label."""
        return self.cells.get(label)

    def distance(self, one: int, other: int) -> int:
        """Steps between two cells on the full grid (BOARD-3)."""
        (q, r), (u, v) = self._cube[one], self._cube[other]
        a, b = q - u, r - v
        return max(abs(a), abs(b), abs(a + b))

    def disc(self, centre: int, radius: int) -> tuple[int, ...]:
        """The cells at distance 1 .. radius, nearest first, at one distance in canonical order."""
        kept = self._discs.get((centre, radius))
        if kept is None:
            q, r = self._cube[centre]
            offsets = ((a, b) for a in range(-radius, radius + 1) for b in range(-radius, radius + 1))
            cells = (self._place.get((q + a, r + b)) for a, b in offsets if 0 < max(abs(a), abs(b), abs(a + b)) <= radius)
            around = sorted(cell for cell in cells if cell is not None)
            kept = tuple(sorted(around, key=lambda cell: self.distance(centre, cell)))
            self._discs[centre, radius] = kept
        return kept

    def edge_distance(self, edge: Edge) -> tuple[int, ...]:
        """Cell -> its distance to the nearest cell of an edge (BOARD-4)."""
        return _edge_distance(self, edge)

    def line(self, start: int, end: int) -> Line:
        """What the line of sight from centre to centre meets. A border on the board's edge has the inner side alone."""
        kept = self._lines.get((start, end))
        if kept is None:
            (q, r), (u, v) = self._cube[start], self._cube[end]
            crossed, left, right = _pattern(u - q, v - r)
            place = self._place
            kept = Line(
                *(
                    tuple(sorted(place[c] for c in ((q + a, r + b) for a, b in part) if c in place))
                    for part in (crossed, left, right)
                )
            )
            self._lines[start, end] = kept
        return kept

    def centre(self, cell: int) -> tuple[float, float]:
        """Where a centre is drawn: x to the right, y down, radius (centre to corner) 1, the board's box at 0, 0."""
        row, column = divmod(cell, self.columns)
        if self.layout == "pointy":
            return _ROOT3 * (column + 0.5 * (row % 2)) + _ROOT3 / 2, 1.5 * row + 1.0
        return 1.5 * column + 1.0, _ROOT3 * (row + 0.5 * (column % 2)) + _ROOT3 / 2

    def corners(self, cell: int) -> tuple[tuple[float, float], ...]:
        """The six corners of a cell, clockwise from the top (pointy) or the top right (flat)."""
        x, y = self.centre(cell)
        if self.layout == "pointy":
            h = _ROOT3 / 2
            return (
                (x, y - 1),
                (x + h, y - 0.5),
                (x + h, y + 0.5),
                (x, y + 1),
                (x - h, y + 0.5),
                (x - h, y - 0.5),
            )
        h = _ROOT3 / 2
        return (x + 0.5, y - h), (x + 1, y), (x + 0.5, y + h), (x - 0.5, y + h), (x - 1, y), (x - 0.5, y - h)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the board's box in the units of `centre`."""
        if self.layout == "pointy":
            return _ROOT3 * (self.columns + (0.5 if self.rows > 1 else 0)), 1.5 * self.rows + 0.5
        return 1.5 * self.columns + 0.5, _ROOT3 * (self.rows + (0.5 if self.columns > 1 else 0))

    def _around(self, cell: int) -> tuple[int, ...]:
        q, r = self._cube[cell]
        around = ((q + a, r + b) for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)))
        return tuple(sorted(self._place[c] for c in around if c in self._place))


@lru_cache(maxsize=256)
def grid(columns: int, rows: int, layout: Layout = "pointy") -> Grid:
    """The board of that size; the same value each time."""
    return Grid(columns, rows, layout)


def cell_label(column: int, row: int) -> str:
    """`0, 0` -> `A1`; columns run A..Z, AA.. (BOARD-1)."""
    letters = ""
    number = column + 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return f"{letters}{row + 1}"


def parse_label(label: str) -> tuple[int, int] | None:
    """`C14` -> column 2, row 13, on a board or off it; None for what is no label."""
    found = _LABEL.fullmatch(label)
    if found is None:
        return None
    column = 0
    for letter in found[1]:
        column = column * 26 + ord(letter) - ord("A") + 1
    return column - 1, int(found[2]) - 1


def _cube(column: int, row: int, layout: Layout) -> Cube:
    if layout == "pointy":
        return column - (row - row % 2) // 2, row
    return column, row - (column - column % 2) // 2


@lru_cache(maxsize=256)
def _edge_distance(board: Grid, edge: Edge) -> tuple[int, ...]:
    columns, rows = board.columns, board.rows
    home = {
        "top": range(columns),
        "bottom": range(columns * (rows - 1), columns * rows),
        "left": range(0, columns * rows, columns),
        "right": range(columns - 1, columns * rows, columns),
    }[edge]
    away = dict.fromkeys(home, 0)
    front = list(home)
    while front:
        step = [n for c in front for n in board.neighbours[c] if n not in away]
        for cell in step:
            away.setdefault(cell, away[front[0]] + 1)
        front = list(dict.fromkeys(step))
    return tuple(away[c] for c in range(len(board)))


@lru_cache(maxsize=65536)
def _pattern(q: int, r: int) -> tuple[tuple[Cube, ...], tuple[Cube, ...], tuple[Cube, ...]]:
    """The line from (0, 0) to (q, r): offsets of the cells crossed, and of those along its left and right.

    On the plane x + y + z = 0 the inside of a hex is where |x-y|, |y-z| and |z-x| are all below 1. So a line crosses
    a hex if three open intervals of its parameter meet, and runs along a border if one of them stays at 1 while the
    other two meet.
    """
    along = _differences(q, r)
    whole = prod(abs(d) for d in along if d)  # the parameter runs from 0 to this, so that all ends are whole numbers
    scales = tuple(whole // d if d else 0 for d in along)
    crossed: list[Cube] = []
    left: list[Cube] = []
    right: list[Cube] = []
    for a, b in _beside(q, r):
        low, high, border = 0, whole, False
        for scale, v in zip(scales, _differences(a, b), strict=True):
            if scale == 0:
                if abs(v) > 1:
                    low = high
                border = border or abs(v) == 1
                continue
            ends = ((v - 1) * scale, (v + 1) * scale)
            low, high = max(low, min(ends)), min(high, max(ends))
        if low >= high:
            continue
        if not border:
            crossed.append((a, b))
        elif q * b - r * a < 0:
            left.append((a, b))
        else:
            right.append((a, b))
    return tuple(crossed), tuple(left), tuple(right)


def _beside(q: int, r: int) -> list[Cube]:
    """Offsets within two cells of the straight way from (0, 0) to (q, r), its ends left out."""
    steps = max(abs(q), abs(r))
    near = (
        {(q * i // steps + a, r * i // steps + b) for i in range(steps + 1) for a in (-1, 0, 1, 2) for b in (-1, 0, 1, 2)}
        if steps
        else set()
    )
    return sorted(near - {(0, 0), (q, r)})


def _differences(q: int, r: int) -> tuple[int, int, int]:
    s = -q - r
    return q - r, r - s, s - q
