"""The lines of a text that are certainly no orders: greetings, headings, signatures. They are faults like any other
unknown words, and whoever reads the text may leave them out all at once."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

from app.rulesets.cohesion.lexicon import SMALL, Lexicon, plain
from app.rulesets.cohesion.names import Names
from app.rulesets.cohesion.phrases import Token
from app.rulesets.cohesion.tokens import QUOTED, Scanner

MOST_LOOKUPS: Final = 300
"""Words of a text that are compared with all that is known: each takes as long as a fault."""

_SIGNS: Final = frozenset({":", ",", ";", "-", "..", ")", "&", "line"})
_LEADS: Final = SMALL - {"filler"}
_QUIET: Final = _SIGNS | SMALL
_WORD: Final = re.compile(r"[^\W\d_]+|\d+")
_DATE: Final = re.compile(r"(?<!\d)\d{1,2}[./]\d{1,2}[./]\d{2,4}(?!\d)")
_STAMP: Final = re.compile(r"\[([^\[\]\n]{4,40})\]")
_CLOCK: Final = re.compile(r"(?<!\d)\d{1,2}:\d{2}(?!\d)")
_LINE: Final = re.compile(r"\r\n|\r|\n")
_QUOTE: Final = re.compile(r"\[/?quote", re.IGNORECASE)
_LONGEST_CODE: Final = 3
_MOST_DIGITS: Final = 3


def asides(text: str, names: Names, words: Lexicon) -> tuple[int, ...]:
    """The numbers of those lines (from 1): each word is unknown, and nothing that could be meant is near it; but for
    greetings and headings that the lexicon has as such, and small words between. A line that holds anything of an order is
    never among them, nor one that says when or for whom an order counts."""
    starts = [0, *(found.end() for found in _LINE.finditer(text))]
    scanner = Scanner(text, names, words)
    lines: dict[int, list[Token]] = {}
    for token in scanner.tokens():
        lines.setdefault(bisect_right(starts, token.start), []).append(token)
    quoting = _attributions(text, words)
    torn = {bisect_right(starts, start) for _, start, _ in scanner.faults}
    judge = _Judge(text, names, words)
    found = []
    for number, tokens in lines.items():
        line = text[starts[number - 1] : starts[number] if number < len(starts) else len(text)]
        is_whole = number not in torn and not _QUOTE.search(line)
        if number in quoting or (is_whole and judge.is_aside(line, starts[number - 1], tokens)):
            found.append(number)
    return tuple(found)


def _attributions(text: str, words: Lexicon) -> set[int]:
    """The lines that say whom the quotation right below them quotes: `On Monday the GM wrote:`."""
    lines = _LINE.split(text)
    found = set()
    for number, line in enumerate(lines, 1):
        said = _WORD.findall(plain(line))
        below = next((after for after in lines[number : number + 2] if after.strip()), "")
        if line.rstrip().endswith(":") and words.quoting.intersection(said[-2:]) and QUOTED.match(below):
            found.add(number)
    return found


class _Judge:
    def __init__(self, text: str, names: Names, words: Lexicon) -> None:
        self.text = text
        self.names = names
        self.words = words
        self._known: dict[str, bool] = {}

    def is_aside(self, line: str, start: int, tokens: list[Token]) -> bool:
        spans = [(start + first, start + last) for first, last in self._set_pieces(line)]
        left = [
            t for t in tokens if not any(first <= t.start and t.end <= last for first, last in spans if t.kind != "line")
        ]
        said = [t for t in left if t.kind not in _SIGNS]
        if any(t.kind not in _QUIET and t.kind != "junk" for t in said):
            return False
        if not spans and (not any(t.kind == "junk" for t in said) or said[0].kind in _LEADS):
            return False
        return not self._is_apart(left) and not any(t.kind == "junk" and self._may_mean(t.value) for t in said)

    def _set_pieces(self, line: str) -> list[tuple[int, int]]:
        """Where a greeting of the lexicon stands, the number of a turn, a date, or when a chat had a message."""
        pieces = list(_WORD.finditer(line))
        said = [plain(piece[0]) for piece in pieces]
        spans = [found.span() for found in _DATE.finditer(line)]
        spans += [found.span() for found in _STAMP.finditer(line) if self._is_when(found[1])]
        at = 0
        while at < len(said):
            width = self._heading(said, at) or next(
                (len(phrase) for phrase in self.words.asides if tuple(said[at : at + len(phrase)]) == phrase), 0
            )
            if width:
                spans.append((pieces[at].start(), pieces[at + width - 1].end()))
            at += width or 1
        return spans

    def _is_when(self, stamp: str) -> bool:
        """`30.11.2026 20:15`, `Nov 30, 2026 at 8:15 PM`, as chats write it."""
        said = _WORD.findall(plain(stamp))
        return _CLOCK.search(stamp) is not None and all(word.isdecimal() or word in self.words.stamped for word in said)

    def _heading(self, said: list[str], at: int) -> int:
        """How many words from here are `turn 3`, `3rd turn`, `first turn`."""
        kinds = [self._kind(word) for word in said[at : at + 3]]
        if kinds[:2] in (["turn", "number"], ["turn", "ordinal"]):
            return 3 if kinds[2:] == ["suffix"] else 2
        if kinds[:2] in (["number", "turn"], ["ordinal", "turn"]):
            return 2
        return 3 if kinds == ["number", "suffix", "turn"] else 0

    def _kind(self, word: str) -> str:
        if word.isdecimal():
            return "number" if len(word) <= _MOST_DIGITS else ""
        return self.words.heading.get(word, "")

    def _is_apart(self, tokens: list[Token]) -> bool:
        """Whether neighbours together are a cell, a code or an id: `L M`, `C - 5`."""
        for at, first in enumerate(tokens):
            if len(first.value) > _LONGEST_CODE:
                continue
            for last in tokens[at + 1 : at + 4]:
                piece = self.text[first.start : last.end]
                if last.kind in ("junk", "number") and len(piece) <= 4 * _LONGEST_CODE and self.names.whole(piece):
                    return True
        return False

    def _may_mean(self, word: str) -> bool:
        if word not in self._known:
            if len(self._known) >= MOST_LOOKUPS:
                return True
            self._known[word] = self._is_near(word)
        return self._known[word]

    def _is_near(self, word: str) -> bool:
        """Whether a word binds an order, might be a slip of anything known, or looks like a code."""
        if plain(word) in self.words.bounds or any(sign.isdigit() for sign in word):
            return True
        if 1 < len(word) <= _LONGEST_CODE and word.isupper() and self.names.is_like_a_code(word):
            return True
        return bool(self.names.close(word) or self.words.is_near(word) or self.names.types(word) or self.names.units(word))
