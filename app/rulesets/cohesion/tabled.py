"""Cells of tables apart from each other: `[td]` and, under a head that says what the columns are for, the tabs of a pasted
spreadsheet become bars, and a row becomes a line. Everything keeps its place."""

from __future__ import annotations

import re
from typing import Final

from app.rulesets.cohesion.lexicon import PARTS, Lexicon

BAR: Final = "|"
COLUMNS: Final = frozenset(PARTS) - {"hold"}
LEAST_PARTS: Final = 2
"""So many parts make a line the head of a table."""
_PIECE: Final = re.compile(r"\[(/?)(table|tr|td|th)(?:[=\s][^\[\]\n]{0,200})?\]|\r\n|\r|\n", re.IGNORECASE)


def tabled(text: str, words: Lexicon) -> str:
    """The text, as long as before, with bars between the cells of its tables."""
    return _pasted(_tagged(text), words) if "\t" in text else _tagged(text)


def _tagged(text: str) -> str:
    """Tables in BBCode that are closed."""
    tags = list(_PIECE.finditer(text))
    end = max((tag.start() for tag in tags if tag[1] and tag[2].lower() == "table"), default=-1)
    pieces, at, is_table, is_row = [], 0, False, False
    for tag in tags:
        if tag.start() > end:
            break
        name, is_closing, sign = (tag[2] or "").lower(), bool(tag[1]), " "
        if name == "table":
            is_table, is_row = not is_closing, False
            sign = "\n" if is_closing else sign
        elif not is_table or (not name and not is_row):
            continue
        elif name == "tr":
            is_row = not is_closing
            sign = "\n" if is_row else sign
        elif name and not is_closing:
            sign = BAR
        pieces += [text[at : tag.start()], sign, " " * (tag.end() - tag.start() - 1)]
        at = tag.end()
    return "".join([*pieces, text[at:]])


def _pasted(text: str, words: Lexicon) -> str:
    """Lines with tabs, from such a head on to the first line without."""
    lines, is_table = text.splitlines(keepends=True), False
    for number, line in enumerate(lines):
        fields = [words.kind(field.strip()) for field in line.split("\t")]
        if len(fields) > LEAST_PARTS and sum(kind in COLUMNS for kind in fields) >= LEAST_PARTS:
            is_table = True
        elif len(fields) < LEAST_PARTS:
            is_table = False
        if is_table:
            lines[number] = line.replace("\t", BAR)
    return "".join(lines)
