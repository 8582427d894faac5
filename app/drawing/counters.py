"""A counter as SVG: frame by side, type by symbol and letters, values, states by marks of their own."""

from __future__ import annotations

from typing import NamedTuple

from app.drawing import marks
from app.drawing.pen import colour, escape, fit, ink_on, number, shade
from app.drawing.scene import Counter

BROKEN = "uncontrolled"


def frame(side_index: int, paper: str, *, broken: bool = False) -> str:
    """The counter's body at 0, 0: a shadow, the side's form in its colour; `broken`: its frame in pieces."""
    number_of = side_index % len(marks.SHAPES)
    shape, inner = marks.SHAPES[number_of], marks.INNER[number_of]
    ink = ink_on(paper)
    line = shade(paper, 0.72) if ink != "#ffffff" else shade(paper, 0.55)
    dashes = ' stroke-dasharray="9 5"' if broken else ""
    parts = [
        f'<path d="{shape}" transform="translate(1.8 2.6)" fill="#000" fill-opacity=".28"/>',
        f'<path d="{shape}" fill="{shade(paper, -0.45) if broken else paper}" stroke="{line}" stroke-width="3"{dashes}/>',
    ]
    if inner and not broken:
        parts.append(f'<path d="{inner}" fill="none" stroke="{line}" stroke-width="1.2"/>')
    return "".join(parts)


def face(counter: Counter, symbol: str) -> str:
    """What stands on the body: letters, `symbol` (an element that draws the mark at 0, 0, or nothing), values, marks."""
    paper = colour(counter.colour, "#cccccc")
    ink = ink_on(shade(paper, -0.45) if BROKEN in counter.states else paper)
    parts = [f'<g fill="{ink}" color="{ink}">']
    form = FORMS[counter.side_index % len(FORMS)]
    if symbol:
        size = fit(counter.code, 12.5, form.code_room)
        parts.append(f'<text class="code" y="{number(form.code)}" font-size="{number(size)}">{escape(counter.code)}</text>')
        place = f"translate({-9 if counter.parts else 0} {number(form.symbol)})"
        parts.append(f'<g transform="{place}{form.scaled}">{symbol}</g>')
    else:
        size = fit(counter.code, 22, form.wide_room)
        parts.append(f'<text class="code" y="1" font-size="{number(size)}">{escape(counter.code)}</text>')
    if counter.parts:
        parts.append(_storeys(counter.parts, 11 if symbol else 0))
    size = fit(counter.values, form.values_size, form.values_room)
    middle = form.values - 0.36 * (form.values_size - size)
    parts.append(f'<text class="values" y="{number(middle)}" font-size="{number(size)}">{escape(counter.values)}</text>')
    parts.extend(marks.STATES[s] for s in counter.states if s in marks.STATES)
    parts.append("</g>")
    return "".join(parts)


class Form(NamedTuple):
    """Where letters (`code`), symbol and values stand on a body, and how wide they may be."""

    code: float
    symbol: float
    values: float
    code_room: float
    wide_room: float
    values_room: float
    values_size: float = 18
    scaled: str = ""


FORMS = (
    Form(code=-15.5, symbol=-2.5, values=23.5, code_room=44, wide_room=46, values_room=46),
    Form(
        code=-14.5,
        symbol=-2.3,
        values=21,
        code_room=32,
        wide_room=52,
        values_room=34,
        values_size=16.5,
        scaled=" scale(.92)",
    ),
    Form(code=-14, symbol=-1.5, values=23.5, code_room=36, wide_room=50, values_room=48),
    Form(code=-16, symbol=-2.5, values=23, code_room=38, wide_room=54, values_room=40),
)
"""By the form of `marks.SHAPES`: a disc is narrow where a square is not."""


def _storeys(parts: tuple[str, ...], x: int) -> str:
    """Values one above the other, each in a box of a house of as many storeys."""
    height = 20 / len(parts)
    size = min(10.5, height)
    rows = []
    for i, part in enumerate(parts):
        top = -13.5 + height * i
        rows.append(
            f'<path d="M{x - 7} {number(top)}h15v{number(height)}h-15z" fill="none" stroke="currentColor"'
            ' stroke-width="1.4"/>'
            f'<text x="{number(x + 0.5)}" y="{number(top + height / 2 + size * 0.36)}" font-size="{number(size)}">'
            f"{escape(part)}</text>"
        )
    return "".join(rows)
