"""Sections 1 and 2 of the rules, and the line of sight of section 7, by plain geometry."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

Cell = tuple[int, int]
"""Row, column, from 0: cells sort in canonical order (BOARD-6)."""


def label(cell: Cell) -> str:
    letters, column = "", cell[1] + 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return f"{letters}{cell[0] + 1}"


class Field:
    def __init__(self, form: dict[str, Any]) -> None:
        columns, rows = (int(part) for part in form["size"].split("x"))
        self.pointy = form["layout"] == "pointy"
        self.cells: list[Cell] = [(row, column) for row in range(rows) for column in range(columns)]
        self.label = {cell: label(cell) for cell in self.cells}
        self.cell = {name: cell for cell, name in self.label.items()}
        self.terrain = {self.cell[name]: kind for name, kind in form["terrain"].items()}
        self.near = {cell: [other for other in self.cells if self.distance(cell, other) == 1] for cell in self.cells}
        self.home: dict[str, dict[Cell, int]] = {}
        for side, edge in form["home"].items():
            line, at = {"top": (0, 0), "bottom": (0, rows - 1), "left": (1, 0), "right": (1, columns - 1)}[edge]
            border = [cell for cell in self.cells if cell[line] == at]
            self.home[side] = {cell: min(self.distance(cell, end) for end in border) for cell in self.cells}

    def _skewed(self, cell: Cell) -> tuple[int, int]:
        row, column = cell
        return (column - row // 2, row) if self.pointy else (column, row - column // 2)

    def distance(self, one: Cell, other: Cell) -> int:
        (a, b), (c, d) = self._skewed(one), self._skewed(other)
        return max(abs(a - c), abs(b - d), abs(a - c + b - d))

    def _centre(self, cell: Cell) -> tuple[int, int]:
        """A hex is the set |x| <= 1, |x + y| <= 2, |x - y| <= 2 around it; a flat board is a pointy one turned over."""
        row, column = cell
        return (2 * column + row % 2, 3 * row) if self.pointy else (2 * row + column % 2, 3 * column)

    def line(self, start: Cell, end: Cell) -> tuple[list[Cell], list[Cell], list[Cell]]:
        """SHOOT-3: the cells whose inside the line crosses, and those along it on one side and on the other."""
        (x, y), (end_x, end_y) = self._centre(start), self._centre(end)
        dx, dy = end_x - x, end_y - y
        crossed: list[Cell] = []
        sides: tuple[list[Cell], list[Cell]] = ([], [])
        for cell in self.cells:
            if cell in (start, end):
                continue
            cx, cy = x - self._centre(cell)[0], y - self._centre(cell)[1]
            first, last = Fraction(0), Fraction(1)
            for at, pace, bound in ((cx, dx, 1), (cx + cy, dx + dy, 2), (cx - cy, dx - dy, 2)):
                if pace:
                    low, high = sorted((Fraction(-bound - at, pace), Fraction(bound - at, pace)))
                    first, last = max(first, low), min(last, high)
                elif abs(at) > bound:
                    last = Fraction(-1)
            if first >= last:
                continue
            middle = (first + last) / 2
            mx, my = cx + middle * dx, cy + middle * dy
            if abs(mx) < 1 and abs(mx + my) < 2 and abs(mx - my) < 2:
                crossed.append(cell)
            else:
                sides[dx * -cy - dy * -cx > 0].append(cell)
        return crossed, sides[0], sides[1]
