"""Tables are told apart into cells, and nothing of a text moves by that."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.rulesets.cohesion.lexicon import lexicon
from app.rulesets.cohesion.tabled import tabled

PIECES = ("[table]", "[TABLE=x]", "[/table]", "[tr]", "[/tr]", "[td]", "[/td]", "[th]", "\n", "\r\n", "\t", "İ", " ", "|")
WORDS = ("LM1", "shoot", "Melee", "move", "Движение", "C5", "-")


@given(st.lists(st.sampled_from([*PIECES, *WORDS]), max_size=40).map("".join))
def test_every_word_keeps_its_place(text: str) -> None:
    told = tabled(text, lexicon())
    assert len(told) == len(text)
    for before, after in zip(text, told, strict=True):
        assert after == before or after in " \n|"
    for word in WORDS[:-1]:
        assert told.count(word) == text.count(word)


def test_a_row_is_a_line_and_a_cell_has_its_bar() -> None:
    assert tabled("[table]\n[tr]\n[td]a[/td]\n[td]b[/td]\n[/tr]\n[/table]c", lexicon()).split("\n") == [
        " " * 7,
        "",
        "    |   a      |   b           ",
        "",
        " " * 7 + "c",
    ]


def test_tabs_are_cells_only_below_a_head() -> None:
    plain = "LM1\tmelee\tHM1"
    assert tabled(plain, lexicon()) == plain
    head = "Unit\tmelee\tmove\n"
    assert tabled(f"{head}{plain}\n\n{plain}", lexicon()) == f"Unit|melee|move\nLM1|melee|HM1\n\n{plain}"
