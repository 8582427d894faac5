"""One thing that a unit is told: its target, its cells, or that there is none of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from app.rulesets.cohesion.lexicon import Lexicon, plain
from app.rulesets.cohesion.names import Names
from app.rulesets.cohesion.phrases import Token
from app.rulesets.cohesion.unitnames import CELLS, JOINS, NAMES, Name, NameReader

LEADS: Final = JOINS | {"via", ":", "-", ">", "filler", ")", "next", "list"}
_TOWARDS: Final = JOINS | {"next"}
ENDS: Final = frozenset({";", ",", "line", "end", ")"})
_BETWEEN_CELLS: Final = LEADS | {",", "&"}
_ORDERED: Final = frozenset({"-", ">", "via", "next"})
_ASIDE: Final = re.compile(r"\(|[\[{]\s*$")
"""A bracket opens before the next cell: another choice?"""


class Way(msgspec.Struct, frozen=True):
    """Cells as they were written: label, start, end. `via`: before which of them "via" stood, and whether a word of
    direction came after it; `origin`: before which "from" stood. `listed`: nothing says that one is entered after the
    other."""

    cells: tuple[tuple[str, int, int], ...] = ()
    via: tuple[int, bool, int, int] | None = None
    origin: int | None = None
    listed: bool = False


class Part(msgspec.Struct, frozen=True):
    """One thing that a unit is told. `bare`: cells alone, no word says that it is a move."""

    kind: str
    start: int
    end: int
    negated: bool = False
    target: Name | None = None
    way: Way = Way()
    bare: bool = False

    @property
    def cells(self) -> tuple[tuple[str, int, int], ...]:
        return self.way.cells


class Section(msgspec.Struct):
    """What some units are told. `sound`: nothing in it was misunderstood so far. `lost`: "all" with a word after it that is
    none: it may be a greeting, and takes no order from those that are named elsewhere. `phased`: it stands below the word of
    a part, and others may tell the same units more."""

    names: list[Name]
    parts: list[Part] = []
    sound: bool = True
    lost: bool = False
    phased: bool = False


class PartReader(NameReader):
    """Reads what follows the word of a part."""

    def __init__(self, text: str, tokens: Iterator[Token], names: Names, words: Lexicon) -> None:
        super().__init__(text, tokens, names, words)
        self.sections: list[Section] = []
        self.section: Section | None = None
        self.after = 0
        """Where the names of the section end."""

    def _filled(self, part: Part) -> Part:
        """The part with its target or its cells."""
        start, flaws = self.at, len(self.flaws)
        if part.kind in ("shoot", "melee"):
            while self._token().kind in LEADS:
                self.at += 1
            if self._is_none(start):
                return msgspec.structs.replace(part, negated=True)
            if self._token().kind in NAMES:
                return msgspec.structs.replace(part, target=self._name(alone=True))
            if not part.negated and self._token().kind not in ("junk", "number"):
                self.flaw("unknown-unit", part.start, part.end)
            self.at = start
            return part
        while self._token().kind in LEADS:
            self.at += 1
        if part.kind != "hold" and self._is_none(start):
            return msgspec.structs.replace(part, negated=True)
        self.at = start
        way = self._path()
        needed = not part.negated and part.kind != "hold" and len(self.flaws) == flaws
        if needed and not way.cells and not self._is_junk_ahead():
            self.flaw("not-a-cell", part.start, part.end)
        return msgspec.structs.replace(part, way=way)

    def _is_none(self, start: int) -> bool:
        """`melee: none`, `отход — нет`, `melee: -`: what the part is told is that there is none of it."""
        after = self._token()
        if after.kind == "not" and self._token(1).kind in ENDS:
            self.at += 1
            return True
        said = [token.kind for token in self.tokens[start : self.at]]
        return after.kind in ENDS and said in ([":", "-"], [":", "-", "-"], ["-", "-"])

    def _is_junk_ahead(self) -> bool:
        ahead = 0
        while self._token(ahead).kind in LEADS:
            ahead += 1
        return self._token(ahead).kind in ("junk", "number")

    def _path(self) -> Way:
        """Cells, as far as they go; a cell with a colon after it is the subject of what follows, not a step."""
        cells: list[tuple[str, int, int]] = []
        via: tuple[int, bool, int, int] | None = None
        origin: int | None = None
        listed = True
        is_phased = self.section is not None and self.section.phased
        while True:
            ahead, passed = 0, []
            while self._token(ahead).kind in _BETWEEN_CELLS and (cells or self._token(ahead).kind != ","):
                passed.append(self._token(ahead))
                ahead += 1
            cell = self._token(ahead)
            kinds = {token.kind for token in passed}
            if (
                cell.kind not in CELLS
                or self._token(ahead + 1).kind == ":"
                or (is_phased and "," in kinds and self._token(ahead + 1).kind in ("-", ">"))  # `Moves: C5-B5, E5-E6`
                or (cells and self._is_choice(self.text[cells[-1][2] : cell.start], kinds))
            ):
                return Way(tuple(cells), via, origin, listed and not via and len(cells) > 1)
            listed = listed and (not cells or not kinds & _ORDERED)
            for token in passed:
                if token.kind == "join" and plain(token.value) in self.words.away:
                    origin = len(cells)
                elif token.kind == "via" and via is None:
                    via = (len(cells), False, token.start, token.end)
                elif via is not None and len(cells) > via[0] and token.kind in _TOWARDS:
                    via = (via[0], True, via[2], via[3])
            self.at += ahead + 1
            if cell.kind == "odd-cell":
                self.flaw("not-a-cell", cell.start, cell.end, self.names.close_cells(cell.value))
                continue
            cells.append((cell.value, cell.start, cell.end))

    @staticmethod
    def _is_choice(between: str, kinds: set[str]) -> bool:
        """`B5 (C4)`, `B5 [C4]`: another choice, and no step."""
        opened = _ASIDE.search(between)
        return opened is not None and "via" not in kinds and (opened[0] == "(" or not kinds & {"-", ">"})
