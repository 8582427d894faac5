"""Tokens -> what each unit is told, and every place that is not understood. Knows words, not the rules of the game.

    text     = { section }
    section  = subjects [":"] { part }               until the next subjects, over line ends
    subjects = unit { ("," | "and") unit }           on one line; or ("all" | "rest") [code]; or id "-" (id | number)
    unit     = id [cell] | code [cell | id] | cell [code]        with "at", "в" … and brackets between
    part     = [negation] (("shoot" | "melee") unit | "withdraw" cell | "move" path | "hold" [cell])
    path     = cell { ("-" | ">" | "," | "via" | "then" | …) cell }

Not a table-driven parser: a text has to be read to its end past any number of mistakes, each named by its smallest piece,
and which words are ids, codes and cells depends on the battle. Reads each token a bounded number of times.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from app.rulesets.cohesion.lexicon import PARTS, Lexicon, Names
from app.rulesets.cohesion.tokens import Token

MAX_FAULTS: Final = 200
"""After so many faults the rest is not read: no letter of that kind holds orders."""

_NAMES: Final = frozenset({"unit", "code", "cell", "odd-cell", "odd-unit"})
_STARTS: Final = _NAMES | {"all", "rest"}
_LISTS: Final = frozenset({",", "list", "&"})
_LEADS: Final = frozenset({"join", "via", ":", "-", ">", "filler", ")", "next", "list"})
_TOWARDS: Final = frozenset({"join", "next"})
_BETWEEN_CELLS: Final = _LEADS | {",", "&"}
_NO_TOKEN: Final = Token("end", "", 0, 0)


class Flaw(msgspec.Struct, frozen=True):
    """A fault by its place in the text, `start` to `end`."""

    code: str
    start: int
    end: int
    candidates: tuple[str, ...] = ()
    follows: bool = False


class Name(msgspec.Struct, frozen=True):
    """A unit as it was named, or several. `whole`: None, `all`, `rest` or `range` (from `ids` to `last`)."""

    start: int
    end: int
    ids: tuple[str, ...] | None = None
    types: tuple[str, ...] | None = None
    cell: str | None = None
    cell_ids: tuple[str, ...] = ()
    whole: str | None = None
    last: tuple[str, int, int] | None = None
    odd: str | None = None
    """It can be no unit: `not-a-cell`, `unknown-unit`."""


class Part(msgspec.Struct, frozen=True):
    """One thing that a unit is told. `cells`: label, start, end; `via`: before which of them "via" stood, and whether a
    word of direction came after it."""

    kind: str
    start: int
    end: int
    negated: bool = False
    target: Name | None = None
    cells: tuple[tuple[str, int, int], ...] = ()
    via: tuple[int, bool, int, int] | None = None


class Section(msgspec.Struct):
    """What some units are told. `sound`: nothing in it was misunderstood so far."""

    names: list[Name]
    parts: list[Part] = []
    sound: bool = True


class TooManyFaults(Exception):
    """The text is no sheet of orders."""


class Parser:
    """Reads the tokens of one text. Raises `TooManyFaults`."""

    def __init__(self, tokens: Iterator[Token], names: Names, words: Lexicon) -> None:
        self._unread = tokens
        self.tokens: list[Token] = []
        """Those that have been looked at so far."""
        self.names = names
        self.words = words
        self.at = 0
        self.flaws: list[Flaw] = []
        self.sections: list[Section] = []
        self.section: Section | None = None

    def parse(self) -> list[Section]:
        """All sections in order; parts before any unit stand in a section of no names."""
        skipping = begins = False
        while (token := self._token()).kind != "end":
            kind = token.kind
            if kind == "line":
                skipping, begins = False, True
                self.at += 1
                continue
            if kind in PARTS or kind == "not":
                self._part()
                skipping = False
            elif kind in _STARTS:
                skipping = self._named(begins, skipping)
            elif kind == "number" and self._is_list_number(begins):
                self.at += 2
                continue
            elif kind in ("junk", "number"):
                self._junk(token)
                skipping = True
                self.at += 1
            else:
                if kind == ";":
                    skipping, begins = False, True
                self.at += 1
                continue
            begins = False
        return self.sections

    def flaw(self, code: str, start: int, end: int, candidates: tuple[str, ...] = (), *, follows: bool = False) -> None:
        if len(self.flaws) >= MAX_FAULTS:
            raise TooManyFaults
        self.flaws.append(Flaw(code, start, end, candidates, follows))
        if self.section is not None:
            self.section.sound = False

    def _token(self, ahead: int = 0) -> Token:
        at, tokens = self.at + ahead, self.tokens
        while at >= len(tokens):
            token = next(self._unread, None)
            if token is None:
                return _NO_TOKEN
            tokens.append(token)
        return tokens[at]

    def _junk(self, token: Token) -> None:
        self.flaw("unknown-word", token.start, token.end, self.words.close(token.value))

    def _is_list_number(self, begins: bool) -> bool:
        after = self._token(1).kind
        return after == ")" or (begins and after in (";", ":", "-"))

    def _named(self, begins: bool, skipping: bool) -> bool:
        """A unit where no part asked for one: the subject of a new section, or something that belongs to nothing. Returns
        whether what follows is skipped as well."""
        first, section = self._token(), self.section
        names = [self._name(alone=False)] if skipping else self._names()
        if begins or self._has_orders_ahead() or (section is None and not skipping):
            self._open(names)
            return False
        if skipping or section is None or not section.sound or not section.parts:
            return True  # told already, or will be: by the section that says nothing
        if section.parts[-1].target is not None:
            self.flaw("part-twice", first.start, names[-1].end)
        else:
            self._open(names)
        return True

    def _open(self, names: list[Name]) -> None:
        self.section = Section(names)
        self.sections.append(self.section)

    def _has_orders_ahead(self) -> bool:
        """Whether what stands here makes the names before it a subject."""
        ahead = 0
        while self._token(ahead).kind in ("-", ")", "filler", "next"):
            ahead += 1
        return self._token(ahead).kind in (":", "not", *PARTS)

    def _names(self) -> list[Name]:
        """One unit, or a list of them on one line."""
        names = [self._name(alone=False)]
        while True:
            ahead = 0
            while self._token(ahead).kind in _LISTS or self._token(ahead).kind == "filler":
                ahead += 1
            if self._token(ahead).kind not in _STARTS:
                return names
            self.at += ahead
            names.append(self._name(alone=False))

    def _name(self, *, alone: bool) -> Name:
        """A unit by its id, its code, its cell, or two of them that have to agree. `alone`: a target, one unit only."""
        first = self._token()
        if first.kind in ("all", "rest"):
            return self._whole(first)
        self.at += 1
        if first.kind == "unit":
            if not alone and (last := self._range_end(first)) is not None:
                return Name(first.start, last[2], first.means, whole="range", last=last)
            name = Name(first.start, first.end, first.means)
            return name if alone and self._is_subject_ahead() else self._with_cell(name)
        if first.kind == "code":
            name = Name(first.start, first.end, types=first.means)
            follows = self._beside("unit")
            if follows is not None:
                name = msgspec.structs.replace(name, end=follows.end, ids=follows.means)
            return self._with_cell(name)
        if first.kind == "cell":
            name = Name(first.start, first.end, cell=first.value, cell_ids=first.means)
            if self._token().kind == "code" and self._token(1).kind not in ("cell", "odd-cell"):
                code = self._token()
                self.at += 1
                name = msgspec.structs.replace(name, end=code.end, types=code.means)
            return name
        odd = "not-a-cell" if first.kind == "odd-cell" else "unknown-unit"
        name = Name(first.start, first.end, odd=odd)
        if odd == "unknown-unit":
            self._with_cell(name)
        return name

    def _is_subject_ahead(self) -> bool:
        """`shoot N-XS1 E5: hold`: the cell begins what another unit does."""
        return self._token().kind == "cell" and self._token(1).kind == ":"

    def _with_cell(self, name: Name) -> Name:
        cell = self._beside("cell") or self._beside("odd-cell")
        if cell is None:
            return name
        if cell.kind == "odd-cell":
            return Name(cell.start, cell.end, odd="not-a-cell")
        return msgspec.structs.replace(name, end=cell.end, cell=cell.value)

    def _beside(self, kind: str) -> Token | None:
        """A token of a kind that belongs to the name before it: directly, after "at", "в" … or without blanks between."""
        before, token = self.tokens[self.at - 1], self._token()
        glued = token.start == before.end and token.end == self._token(1).start
        stopped = token.kind == ";" and token.value == "." and token.start == before.end and "." in before.value
        ahead = 1 if token.kind == "join" or (token.kind == "-" and glued) or stopped else 0
        if self._token(ahead).kind != kind:
            return None
        self.at += ahead + 1
        return self.tokens[self.at - 1]

    def _range_end(self, first: Token) -> tuple[str, int, int] | None:
        """The text of the last id in "S-LM1 - S-LM3" or of the last number in "S-LM1-3"."""
        if self._token().kind not in ("-", ".."):
            return None
        last = self._token(1)
        if last.kind not in ("unit", "odd-unit", "number"):
            return None
        self.at += 2
        return last.value, last.start, last.end

    def _whole(self, first: Token) -> Name:
        self.at += 1
        if self._token().kind == "rest":
            first = first._replace(kind="rest")
            self.at += 1
        while self._token().kind == "filler":
            self.at += 1
        code = self._token()
        if code.kind == "code" and self._token(1).kind not in ("cell", "odd-cell", "unit"):
            self.at += 1
            return Name(first.start, code.end, types=code.means, whole=first.kind)
        return Name(first.start, self.tokens[self.at - 1].end, whole=first.kind)

    def _part(self) -> None:
        first = self._token()
        negated = first.kind == "not"
        while self._token().kind == "not":
            self.at += 1
        word = self._token()
        if word.kind not in PARTS:
            if word.kind != "junk":
                self.flaw("unknown-word", first.start, first.end)
            return
        self.at += 1
        if self.section is None:
            self._open([])
            self.flaw("no-unit", first.start, word.end)
        if negated and word.kind == "hold":
            self.flaw("unknown-word", first.start, word.end)
        elif self.section is not None:
            self.section.parts.append(self._filled(Part(word.kind, first.start, word.end, negated)))

    def _filled(self, part: Part) -> Part:
        """The part with its target or its cells."""
        start, flaws = self.at, len(self.flaws)
        if part.kind in ("shoot", "melee"):
            while self._token().kind in _LEADS:
                self.at += 1
            if self._token().kind in _NAMES:
                return msgspec.structs.replace(part, target=self._name(alone=True))
            if not part.negated and self._token().kind not in ("junk", "number"):
                self.flaw("unknown-unit", part.start, part.end)
            self.at = start
            return part
        cells, via = self._path()
        needed = not part.negated and part.kind != "hold" and len(self.flaws) == flaws
        if needed and not cells and not self._is_junk_ahead():
            self.flaw("not-a-cell", part.start, part.end)
        return msgspec.structs.replace(part, cells=cells, via=via)

    def _is_junk_ahead(self) -> bool:
        ahead = 0
        while self._token(ahead).kind in _LEADS:
            ahead += 1
        return self._token(ahead).kind in ("junk", "number")

    def _path(self) -> tuple[tuple[tuple[str, int, int], ...], tuple[int, bool, int, int] | None]:
        """Cells, as far as they go; a cell with a colon after it is the subject of what follows, not a step."""
        cells: list[tuple[str, int, int]] = []
        via: tuple[int, bool, int, int] | None = None
        while True:
            ahead, passed = 0, []
            while self._token(ahead).kind in _BETWEEN_CELLS and (cells or self._token(ahead).kind != ","):
                passed.append(self._token(ahead))
                ahead += 1
            cell = self._token(ahead)
            if cell.kind not in ("cell", "odd-cell") or self._token(ahead + 1).kind == ":":
                return tuple(cells), via
            for token in passed:
                if token.kind == "via" and via is None:
                    via = (len(cells), False, token.start, token.end)
                elif via is not None and len(cells) > via[0] and token.kind in _TOWARDS:
                    via = (via[0], True, via[2], via[3])
            self.at += ahead + 1
            if cell.kind == "odd-cell":
                self.flaw("not-a-cell", cell.start, cell.end, self.names.close_cells(cell.value))
                continue
            cells.append((cell.value, cell.start, cell.end))
