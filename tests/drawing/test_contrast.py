"""A counter's letters against the colour they stand on, for the sides of all shipped scenarios and the usual colours.

Which colours a page gives in light and in dark, the browser tests measure on every page."""

import xml.etree.ElementTree as ET
from itertools import product

import pytest

from app.drawing import pen
from app.drawing.counters import BROKEN
from app.drawing.scene import Counter
from app.drawing.svg import emblem
from app.referee import scenarios
from app.rulesets.cohesion.scene import COLOURS

NS = "{http://www.w3.org/2000/svg}"
SIDES = sorted({side["colour"] for line in scenarios.known() for side in line.frozen["sides"].values()} | set(COLOURS))
LOOKS = tuple(product(range(4), ((), (BROKEN,)), ("light-foot", ""), ((), ("1", "2"))))


def contrast(one, other):
    low, high = sorted((pen._luminance(one) + 0.05, pen._luminance(other) + 0.05))
    return high / low


def letters(element, ink=None):
    """Each text, with the colour that it gets from what it stands in."""
    ink = element.get("fill", ink)
    if element.tag == f"{NS}text":
        yield element.text, ink
    for inner in element:
        yield from letters(inner, ink)


@pytest.mark.parametrize("colour", SIDES)
def test_a_counters_letters_read_well_on_their_side(colour):
    for side, states, symbol, parts in LOOKS:
        counter = Counter(
            id="S1",
            cell="B2",
            centre=(3.0, 2.5),
            code="LM",
            values="6/3",
            symbol=symbol,
            title="told",
            side_index=side,
            colour=colour,
            states=states,
            parts=parts,
        )
        drawn = ET.fromstring(emblem(counter).replace("<svg", f'<svg xmlns="{NS[1:-1]}"', 1))
        paper = drawn.findall(f"{NS}path")[1].get("fill")
        assert (paper == colour) is (not states)
        found = list(letters(drawn))
        assert [text for text, _ in found] == ["LM", *parts, "6/3"]
        for text, ink in found:
            assert contrast(ink, paper) >= 4.5, (text, ink, paper)
