"""What every writer of SVG text needs: numbers, escapes, colours, the width of a word."""

from __future__ import annotations

import re

FONT = "PT Sans, Segoe UI, Roboto, Noto Sans, Helvetica Neue, Arial, sans-serif"
INK = "#1c1a17"
BLACK, WHITE = "#000000", "#ffffff"

_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
# not allowed in XML, or able to turn the text around it
_UNSAFE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
_NARROW = frozenset(".,:;'|!iljIJ1 ")
_WIDE = frozenset("MWmwШЩЖЮМФшщжюмф@%—")


def number(value: float) -> str:
    """At most one decimal, no trailing zero: `12`, `12.5`."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def escape(text: str) -> str:
    """Text for an element or a double-quoted attribute. Drops what XML forbids and marks that turn the writing around."""
    return _UNSAFE.sub("", text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def colour(given: str | None, otherwise: str) -> str:
    """A colour as `#rgb` or `#rrggbb`; anything else gives the other one."""
    return given if given is not None and _HEX.fullmatch(given) else otherwise


def ink_on(paper: str) -> str:
    """Black or white, whichever reads better on a colour: the contrast is 4.5 at least."""
    light = _luminance(paper) + 0.05
    return BLACK if light / 0.05 >= 1.05 / light else WHITE


def shade(paper: str, part: float) -> str:
    """The colour mixed with black by a part from 0 to 1, or with white by a negative one."""
    goal = 0 if part > 0 else 255
    part = abs(part)
    return "#" + "".join(f"{round(c + (goal - c) * part):02x}" for c in _channels(paper))


def width(text: str, size: float) -> float:
    """How wide a bold word is at most in a common sans serif, in the unit of its size."""
    return size * sum(0.34 if c in _NARROW else 0.92 if c in _WIDE else 0.68 if c.isupper() else 0.6 for c in text)


def fit(text: str, size: float, room: float) -> float:
    """The size at which a word goes into the room, the given one at most."""
    wide = width(text, size)
    return size if wide <= room else size * room / wide


def _channels(paper: str) -> tuple[int, int, int]:
    digits = paper[1:] if len(paper) == 7 else "".join(c * 2 for c in paper[1:])
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)


def _luminance(paper: str) -> float:
    red, green, blue = ((c / 255 + 0.055) ** 2.4 / 1.055**2.4 if c > 10 else c / 3294.6 for c in _channels(paper))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
