"""Texts that mean harm, or nothing: each is read or refused, in steps that grow with its length.

Steps are calls of functions, counted: a clock would tell of the machine.
"""

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.ruleset import Refused, Request
from app.rulesets.cohesion.canonical import write_text
from app.rulesets.cohesion.checking import check
from app.rulesets.cohesion.codec import load_state
from app.rulesets.cohesion.textorders import LONGEST_FRAGMENT, read_text
from app.rulesets.cohesion.unitnames import MAX_FAULTS

SOUTH = Request(id="south", seat="south", kind="orders")
BATTLE = load_state(
    {
        "board": {"size": "12x12"},
        "units": {
            "S-LM1": {"type": "LM", "side": "south", "at": "C5"},
            "S-LM2": {"type": "LM", "side": "south", "at": "E5"},
            "S-LR1": {"type": "LR", "side": "south", "at": "C9"},
            "N-XS1": {"type": "XS", "side": "north", "at": "C3"},
            "N-HM1": {"type": "HM", "side": "north", "at": "C4"},
        },
    }
)
PIECES = (
    *("LM C5", "Л.М E5", "S-LM1", "S-LM1-2", "S-LM7", "XS C3", "c4", "C13", "B5", "D5-D6", "all", "все", "rest", "the"),
    *("shoot", "стреляет", "melee", "withdraw", "move", "идёт", "hold", "не", "no", "via", "через", "to", "в", "и", "foo"),
    *("LM1", "Л.М 2", "Л. М", "light", "всадники", "to B5", "->", "none", "#", "fire", "C 5"),
    *(",", ";", ".", ":", "-", "->", "\n", "1)", "[b]", "[quote]", "[/quote]", "> ", "---", "?", "«"),
)


def answered(text):
    """The sheet, or None and the faults."""
    try:
        return read_text(BATTLE, SOUTH, text), ()
    except Refused as refused:
        return None, refused.faults


HOSTILE = {
    "one letter": "a",
    "one cyrillic letter": "в",
    "a dot": ".",
    "dots in words": "a.",
    "dashes": "-",
    "arrows": ">",
    "a word": "hold ",
    "a unit": "LM C5 ",
    "a unit by id": "S-LM1, ",
    "all": "all ",
    "a numbered unit": "LM1, ",
    "numbers after a code": "LM 1 ",
    "described units": "light riders ",
    "ways without a word": "LM C5 -> B5 ",
    "ways that lead nowhere": "LM C5 > - to ",
    "the verb first": "move LM1 to ",
    "held, the verb first": "hold S-LM1, ",
    "codes that fell apart": "Л. М, Л М ",
    "fillers": "LM the ",
    "none of it": "melee: - ",
    "the rest": "остальные ",
    "entries of a heading": "move: LM1 B5, LM2 E6\n",
    "a heading that lasts": "melee\nLM1 HM1\n",
    "a table": "Unit | Shoot | Move\nLM1 | XS1 | B5\n",
    "dashes after a unit": "LM1 - - ",
    "numbers in words": "first LM one ",
    "orders": "LM C5: hold\n",
    "shots": "LM C5: shoot XS C3; ",
    "shots by code": "не стреляет в Кс.С ",
    "a range": "S-LM1-2 ",
    "path": "C5-",
    "commas": ",",
    "quotes": "[quote]",
    "quote ends": "[/quote]",
    "brackets": "[",
    "tags": "[b]",
    "open tags": "[b=",
    "apostrophes": "a'",
    "underscores": "_",
    "accents": "a\u0301",
    "accents alone": "\u0301",
    "numbers": "1",
    "list numbers": "1) ",
    "digits and letters": "a1",
    "emoji": "\U0001f600",
    "right to left": "\u202e",
    "hebrew": "שלום ",
    "nul": "\x00",
    "surrogate": "\ud800",
    "negations": "not ",
    "via": "via ",
    "lines": "\n",
    "returns": "\r",
    "blanks": "\u00a0",
    "fold": "İ",
    "heavy": "heavy Matoran ",
    "hash": "#",
    "tildes": "~",
    "mixed": "LM C5: стрелет в [b]XS[/b] C99, не \u202e move via «D5»? > 1) LM\n",
}


def steps(text):
    """How many calls it takes to answer a text, and the faults."""
    calls = 0

    def count(_frame, event, _arg):
        nonlocal calls
        calls += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        faults = answered(text)[1]
    finally:
        sys.setprofile(before)
    return calls, faults


@pytest.mark.parametrize("prefix", ["", "LM C5: move "])
@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_text_is_read_or_refused_in_steps_that_grow_with_its_length(piece, prefix):
    def taken(size):
        calls, faults = steps(prefix + piece * (size // len(piece)))
        assert len(faults) <= MAX_FAULTS
        for fault in faults:
            assert 0 < len(fault.fragment) <= LONGEST_FRAGMENT
            fault.fragment.encode("utf-8")
        return calls

    taken(1000)
    small, large = taken(3_000), taken(24_000)
    assert large < 10 * max(small, 1000)


@pytest.mark.parametrize("piece", [HOSTILE["mixed"], HOSTILE["path"], HOSTILE["dots in words"], HOSTILE["quotes"]])
def test_a_text_longer_than_any_page_takes_is_answered(piece):
    sheet, _ = answered("foo " + piece * (200_000 // len(piece)))
    assert sheet is None


@settings(max_examples=400, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.sampled_from(PIECES),
            st.text(max_size=6),
        ),
        max_size=30,
    ).map(" ".join)
)
def test_any_text_is_read_or_refused_with_faults_at_their_places(text):
    sheet, faults = answered(text)
    if sheet is None:
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        places = [(f.line, f.column) for f in faults]
        assert places == sorted(places)
        for fault in faults:
            assert fault.fragment
            if "\r" not in text and "\ufffd" not in fault.fragment:
                assert "\n".join(lines)[sum(len(x) + 1 for x in lines[: fault.line - 1]) + fault.column - 1 :].startswith(
                    fault.fragment
                )
        return
    assert set(sheet.orders) <= set(BATTLE.units)
    for order in sheet.orders.values():
        assert order.shoot is None or order.shoot in BATTLE.units
        assert all(BATTLE.board.grid.cell(label) is not None for label in order.move)
    # what was understood can be said canonically, save a way that cannot be gone
    if not any(not p.warning for p in check(BATTLE, SOUTH, sheet)):
        assert read_text(BATTLE, SOUTH, write_text(BATTLE, SOUTH, sheet, "ru")) == sheet
