"""Pieces of a picture that a page moves by itself: counters that stand alone, lines, the ground without anybody on it."""

from __future__ import annotations

import msgspec

from app.drawing import counters, marks
from app.drawing.paths import SCALE
from app.drawing.pen import colour, escape, number
from app.drawing.scene import Counter, Point, Route, Scene
from app.drawing.svg import svg


def place(point: Point) -> tuple[float, float]:
    """A point of a scene in the units of its picture."""
    return round(point[0] * SCALE, 1), round(point[1] * SCALE, 1)


def counter(drawn: Counter) -> str:
    """A counter as the picture has it, but without an id, and with all that it is made of in itself."""
    paper = colour(drawn.colour, "#cccccc")
    broken = counters.BROKEN in drawn.states
    body = counters.frame(drawn.side_index, paper, broken=broken)
    symbol = marks.SYMBOLS.get(drawn.symbol, "")
    classes = escape(" ".join(("counter", f"side-{drawn.side_index}", *drawn.states)))
    x, y = place(drawn.centre)
    lean = " rotate(-9)" if broken else ""
    return (
        f'<g class="{classes}" data-unit="{escape(drawn.id)}" data-cell="{escape(drawn.cell)}"'
        f' transform="translate({number(x)} {number(y)}){lean}"><title>{escape(drawn.title)}</title>'
        f"{body}{counters.face(drawn, symbol)}</g>"
    )


def lines(routes: tuple[Route, ...]) -> str:
    """Lines as the picture has them, as one group; none: nothing."""
    alone = svg(Scene(title="", width=1, height=1, routes=routes), standalone=False)
    start = alone.find('<g class="routes">')
    return "" if start < 0 else alone[start : -len("</svg>")]


def ground(scene: Scene, *, id_prefix: str) -> str:
    """The picture without counters and lines, for a turn in which the ground itself changes."""
    return svg(msgspec.structs.replace(scene, counters=(), routes=()), standalone=False, id_prefix=id_prefix)
