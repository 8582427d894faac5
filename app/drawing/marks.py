"""Drawn marks as SVG fragments: ground, frames, type symbols, states. A hex has the radius 40 here; 0, 0 is its centre.

Symbols fit into a box of 28 x 20 and take their colour from `currentColor`. Everything is drawn by hand for this project.
"""

from __future__ import annotations

PAPER = ("#f4ebd5", "#f1e7ce", "#f6eedb")
GROUND = {"rough": "#e4d6a6", "building": "#eadcc0", "impassable": "#bfb8ab", "custom": "#d9cfae"}

_TUFT = "q-1-7-5-9M{x} {y}q0-7 0-11M{x} {y}q1-7 5-9"
_ROCK = '<path d="{outline}" fill="#8f887c" stroke="#48433b" stroke-width="1.6" stroke-linejoin="round"/>'
_FACET = '<path d="{facets}" fill="none" stroke="#5f594f" stroke-width="1.2" stroke-linecap="round"/>'
_SHINE = '<path d="{face}" fill="#aca595"/>'


def _tufts(*places: tuple[int, int]) -> str:
    strokes = "".join(f"M{x} {y}" + _TUFT.format(x=x, y=y) for x, y in places)
    return f'<path d="{strokes}" fill="none" stroke="#8b7531" stroke-width="1.8" stroke-linecap="round"/>'


def _stones(*places: tuple[int, int]) -> str:
    dots = "".join(f"M{x} {y}q3-5 7 0z" for x, y in places)
    return f'<path d="{dots}" fill="#b09a5a" stroke="#8b7531" stroke-width="1" stroke-linejoin="round"/>'


def _roof(x: int, y: int, width: int, height: int) -> str:
    """A house from above: two slopes of a roof, the shaded one darker, a chimney."""
    half = height // 2
    return (
        f'<path d="M{x} {y}h{width}v{half}h-{width}z" fill="#c77a58"/>'
        f'<path d="M{x} {y + half}h{width}v{height - half}h-{width}z" fill="#a4583c"/>'
        f'<path d="M{x} {y}h{width}v{height}h-{width}zM{x} {y + half}h{width}" fill="none" stroke="#5b2f1f"'
        ' stroke-width="1.8" stroke-linejoin="round"/>'
        f'<path d="M{x + width - 8} {y + 3}h4v4h-4z" fill="#5b2f1f"/>'
    )


def _rocks(outline: str, face: str, facets: str) -> str:
    return _ROCK.format(outline=outline) + _SHINE.format(face=face) + _FACET.format(facets=facets)


TEXTURES: dict[str, tuple[str, ...]] = {
    "rough": (
        _tufts((-18, -6), (15, -13), (2, 9), (-16, 25), (21, 20)) + _stones((-28, 11), (8, -20), (24, 3)),
        _tufts((-14, -14), (19, 0), (-22, 14), (4, 27), (2, -9)) + _stones((-6, 5), (-27, -5), (17, 18)),
        _tufts((-2, -12), (-24, 4), (20, -6), (-8, 24), (17, 25)) + _stones((3, 4), (-20, -17), (-27, 19)),
    ),
    "building": (
        _roof(-26, -22, 25, 18) + _roof(4, -16, 22, 16) + _roof(-22, 3, 20, 20) + _roof(3, 8, 24, 15),
        _roof(-23, -18, 20, 22) + _roof(2, -23, 25, 16) + _roof(-25, 10, 24, 15) + _roof(4, 0, 21, 20),
    ),
    "impassable": (
        _rocks("M-30 14l6-24 14-14 12 8 9 20-6 12-16 4z", "M-24-10l14-14 2 16-10 6z", "M-8-8l2 14-12 8M-6 6l16-2")
        + _rocks("M0 24l7-18 10-8 11 10 3 14-10 8z", "M7 6l10-8 0 11-6 3z", "M17 9l-1 14M17 9l11-1"),
        _rocks("M-8 0l4-20 12-9 14 9 6 18-10 10-18 2z", "M-4-20l12-9 4 14-11 5z", "M12-15l-3 16M12-15l12 5")
        + _rocks("M-30 22l4-17 12-9 13 9 2 15-13 9z", "M-26 5l12-9 2 12-9 4z", "M-12 8l-2 15M-12 8l11-1"),
    ),
    "custom": (
        '<path d="M-29-9q5-6 10 0t10 0 10 0 10 0 10 0 10 0M-29 7q5-6 10 0t10 0 10 0 10 0 10 0 10 0M-22 22q5-6 10 0t10 0 10 0'
        ' 10 0M-19-24q5-6 10 0t10 0 10 0 10 0" fill="none" stroke="#000" stroke-opacity=".42" stroke-width="2.2"/>',
    ),
    "custom1": (
        '<path d="M-17-20h0M0-20h0M17-20h0M-25-7h0M-8-7h0M9-7h0M26-7h0M-17 7h0M0 7h0M17 7h0M-25 20h0M-8 20h0M9 20h0M26 20h0"'
        ' fill="none" stroke="#000" stroke-opacity=".45" stroke-width="5" stroke-linecap="round"/>',
    ),
    "custom2": (
        '<path d="M-28 6l24-34M-28 22l40-56M-16 28l44-60M0 30l30-42M16 28l14-20" fill="none" stroke="#000"'
        ' stroke-opacity=".34" stroke-width="2.4"/>',
    ),
    "custom3": (
        '<path d="M-18-24v10M-23-19h10M10-24v10M5-19h10M-4-5v10M-9 0h10M22-5v10M17 0h10M-28-5v10M-18 14v10M-23 19h10M10'
        ' 14v10M5 19h10" fill="none" stroke="#000" stroke-opacity=".42" stroke-width="2.2"/>',
    ),
}
"""Texture -> its variants, so that two neighbours need not look alike."""

RIMS = {
    "building": 'stroke="#a4583c" stroke-width="3.6"',
    "rough": 'stroke="#8b7531" stroke-width="3" stroke-dasharray="7 5"',
    "custom": 'stroke="#000" stroke-opacity=".42" stroke-width="2.6" stroke-dasharray="2 4"',
}
"""Ground where somebody may stand -> a line within the cell's border: seen around the counter that hides the rest."""

SHAPES = (
    "M-23-27h46q4 0 4 4v46q0 4-4 4h-46q-4 0-4-4v-46q0-4 4-4z",
    "M0-31a31 31 0 1 1 0 62a31 31 0 1 1 0-62z",
    "M0-34l28 14v44q0 3-3 3h-50q-3 0-3-3v-44z",
    "M-14-30h28l16 16v28l-16 16h-28l-16-16v-28z",
)
"""A side's counter by the side's index: square, disc, house, octagon. Then they begin again."""

INNER = (
    "",
    "M0-28a28 28 0 1 1 0 56a28 28 0 1 1 0-56z",
    "",
    "M-12.8-27h25.6l14.2 14.2v25.6l-14.2 14.2h-25.6l-14.2-14.2v-25.6z",
)
"""A second frame line within the first, for every other shape."""

EDGE_DASHES = (
    'stroke-dasharray="3 9"',
    'stroke-dasharray="0 20" stroke-linecap="round"',
    'stroke-dasharray="14 8"',
    'stroke-dasharray="14 6 2 6"',
)
"""The pattern on a side's home edge: bars, dots, dashes, dash and dot."""

_LINE = 'fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round"'

SYMBOLS = {
    # one spear, one small round shield
    "light-foot": f'<path d="M-9 10l14-17" {_LINE} stroke-width="2.6"/><path d="M3-4l7-7-1.5 8.5z"/>'
    f'<circle cx="6" cy="5" r="4.5" {_LINE} stroke-width="2.4"/>',
    # a tall shield, one half dark
    "heavy-foot": f'<path d="M-9-9.5h18v8c0 6-4 9.5-9 11.5c-5-2-9-5.5-9-11.5z" {_LINE} stroke-width="2.6"/>'
    '<path d="M0-9.5h9v8c0 6-4 9.5-9 11.5zM-9-4h9v4h-9z"/>',
    # cross hairs
    "marksmen": f'<circle r="6.5" {_LINE} stroke-width="2.4"/><path d="M0-10.5v7M0 3.5v7M-10.5 0h7M3.5 0h7" {_LINE}'
    ' stroke-width="2.4"/>',
    # a star with a ring
    "host": '<path d="M0-11l3.2 7 7.8.7-5.9 5.1 1.9 7.7-7-4.1-7 4.1 1.9-7.7-5.9-5.1 7.8-.7z"/>',
    # a suit of armour: head, broad shoulders, two arms
    "armour": '<path d="M-3.5-10.5h7v5h-7zM-8-4.5h16v7l-3 2.5v5h-3.5v-4h-3v4h-3.5v-5l-3-2.5z"/>'
    f'<path d="M-8.5-2.5l-4 3v6M8.5-2.5l4 3v6" {_LINE} stroke-width="2.6"/>',
    # a walking turret
    "strider": '<path d="M-8-10.5h12l2 3h7v2.6h-7l-2 3.4h-12z"/>'
    f'<path d="M-5-1l-5 5 3 6.5h-4M2-1l5 5-2 6.5h4" {_LINE} stroke-width="2.6"/>',
    # a horseshoe
    "light-riders": f'<path d="M-5 9.5c-8-8-5-19.5 5-19.5s13 11.5 5 19.5" {_LINE} stroke-width="3.6"/>',
    # a crab: shell, claws, legs
    "riders": '<path d="M-7 3c0-5.5 3-7.5 7-7.5s7 2 7 7.5c0 3-3 4.5-7 4.5s-7-1.5-7-4.5z"/>'
    f'<path d="M-6-1.5l-5-3M6-1.5l5-3M-6.5 5l-4.5 4M6.5 5l4.5 4M-7.5 2l-5 1M7.5 2l5 1" {_LINE} stroke-width="1.9"/>'
    '<path d="M-11-4.5c-3-2-2-6 1.5-6.5l-.5 3 2.5-1.5c.5 3-1.2 4.8-3.5 5zM11-4.5c3-2 2-6-1.5-6.5l.5 3-2.5-1.5c-.5 3'
    ' 1.2 4.8 3.5 5z"/>',
    # crossed blades
    "raiders": f'<path d="M-6 4l13-13.5M6 4l-13-13.5" {_LINE} stroke-width="2.8"/>'
    f'<path d="M-9.5 2l6 6M9.5 2l-6 6M-6.5 5l-3.5 4.5M6.5 5l3.5 4.5" {_LINE} stroke-width="2.4"/>',
    # a beam over two wheels, a stone in its spoon
    "artillery": f'<path d="M-12 3.5h22M-5 3l10-10" {_LINE} stroke-width="2.6"/><circle cx="7.5" cy="-8" r="3.3"/>'
    f'<circle cx="-7" cy="6.5" r="3.7" {_LINE} stroke-width="2.2"/><circle cx="5" cy="6.5" r="3.7" {_LINE}'
    ' stroke-width="2.2"/>',
}
"""The mark of a unit type by `UnitType.symbol`. A type without one shows its code in large letters."""

STATES = {
    # orders are in: a tick on a disc
    "entered": '<circle cx="-25" cy="-25" r="8.5" fill="#1f6b3a" stroke="#fff" stroke-width="1.5"/>'
    '<path d="M-29-25l3 3.5 5-6.5" fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/>',
    # no longer under control: a white flag
    "uncontrolled": '<path d="M19-10v-27" stroke="#1c1a17" stroke-width="2.4" stroke-linecap="round"/>'
    '<path d="M19-37q5-3 9 0t8 0v13q-4 3-8 0t-9 0z" fill="#fff" stroke="#1c1a17" stroke-width="1.6"'
    ' stroke-linejoin="round"/>',
    # its move is lost: a pair of jaws from the left
    "caught": '<path d="M-35 8q13-9 15 4l-5-3-1 5zM-35 26q13 9 15-4l-5 3-1-5z" fill="#8c1d18" stroke="#fff"'
    ' stroke-width="1.2" stroke-linejoin="round"/>',
    # it has lost strength: a crack from the right
    "damaged": '<path d="M27-10l-5 3 4 3.5-5 4" fill="none" stroke="currentColor" stroke-width="2.2"'
    ' stroke-linejoin="bevel"/>',
    # in a film, it has just been hit: a burst
    "struck": '<path d="M31 13l3.5 6.5 7-2.5-2.5 7 6.5 3.5-6.5 3.5 2.5 7-7-2.5-3.5 6.5-3.5-6.5-7 2.5 2.5-7-6.5-3.5 6.5-3.5'
    '-2.5-7 7 2.5z" fill="#c0281c" stroke="#fff" stroke-width="1.5" stroke-linejoin="round"/>',
    # in a film, it has just gained cohesion: an arrow upwards on a disc
    "heartened": '<circle cx="-29" cy="27" r="9" fill="#1f6b3a" stroke="#fff" stroke-width="1.5"/><path d="M-29 33v-11M-34'
    ' 26l5-5 5 5" fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/>',
    # in a film, it falls: a cross over all of it
    "fallen": '<path d="M-26-26l52 52M26-26l-52 52" stroke="#fff" stroke-width="11" stroke-linecap="round"/>'
    '<path d="M-26-26l52 52M26-26l-52 52" stroke="#8c1d18" stroke-width="7" stroke-linecap="round"/>',
}
"""Marks of a state, each with a place and a form of its own."""

ROUTES = {
    "move": 'stroke="#1d3f72" stroke-width="5"',
    "withdraw": 'stroke="#6a3d8a" stroke-width="5" stroke-dasharray="12 7"',
    "retreat": 'stroke="#a03c1c" stroke-width="5" stroke-dasharray="14 6 3 6"',
    "shot": 'stroke="#8c1d18" stroke-width="3.5" stroke-dasharray="3 6"',
    "melee": 'stroke="#8c1d18" stroke-width="6.5"',
    "sight": 'stroke="#3b3a36" stroke-width="2" stroke-dasharray="8 6"',
}
"""How a line is drawn, by the first of its classes that stands here."""
