"""Paths over a board as SVG writes them: trimmed, with a tip."""

from __future__ import annotations

from app.drawing.pen import number
from app.drawing.scene import Point

SCALE = 40
"""Units of the picture for the radius of a hex."""


def path(points: tuple[Point, ...]) -> str:
    return "M" + "L".join(f"{number(x * SCALE)} {number(y * SCALE)}" for x, y in points)


def trimmed(points: tuple[Point, ...], *, at_end: bool) -> tuple[Point, ...]:
    """A line that leaves the counter at its start readable, and the one at its end if that is what it points at."""
    middle = list(points)
    short = at_end and len(points) == 2 and (points[0][0] - points[1][0]) ** 2 + (points[0][1] - points[1][1]) ** 2 < 4
    middle[0] = _towards(points[0], points[1], 0.45 if short else 0.6)
    if at_end:
        middle[-1] = _towards(points[-1], points[-2], 0.45 if short else 0.75)
    return tuple(middle)


def _towards(start: Point, end: Point, by: float) -> Point:
    dx, dy = end[0] - start[0], end[1] - start[1]
    part = min(0.45, by / ((dx * dx + dy * dy) ** 0.5 or 1.0))
    return start[0] + dx * part, start[1] + dy * part


def tip(before: Point, end: Point, look: str) -> str:
    """An arrow's head at the end of a line, in the line's colour."""
    dx, dy = end[0] - before[0], end[1] - before[1]
    length = (dx * dx + dy * dy) ** 0.5 or 1.0
    ux, uy = dx / length * 0.34, dy / length * 0.34
    x, y = end
    points = ((x + ux * 0.6, y + uy * 0.6), (x - ux - uy * 0.7, y - uy + ux * 0.7), (x - ux + uy * 0.7, y - uy - ux * 0.7))
    stroke = look.split('"', 2)[1]
    return f'<path d="{path(points)}z" fill="{stroke}"/>'
