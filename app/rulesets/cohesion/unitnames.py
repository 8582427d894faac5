"""The units that an order names: by id, by code, by number, by cell, in words, several at once; and what is no unit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from app.rulesets.cohesion.lexicon import Lexicon
from app.rulesets.cohesion.names import Names
from app.rulesets.cohesion.phrases import Token

MAX_FAULTS: Final = 200
"""After so many faults the rest is not read: no letter of that kind holds orders."""

NAMES: Final = frozenset({"unit", "code", "described", "numbered", "cell", "odd-cell", "odd-unit"})
CELLS: Final = frozenset({"cell", "odd-cell"})
STARTS: Final = NAMES | {"all", "rest"}
LISTS: Final = frozenset({",", "list", "&"})
JOINS: Final = frozenset({"join", "to", "onto"})
WAYS: Final = frozenset({"-", ">", "to", "onto"})
NO_TOKEN: Final = Token("end", "", 0, 0)


class Flaw(msgspec.Struct, frozen=True):
    """A fault by its place in the text, `start` to `end`."""

    code: str
    start: int
    end: int
    candidates: tuple[str, ...] = ()
    follows: bool = False
    why: str = ""


class Name(msgspec.Struct, frozen=True):
    """A unit as it was named, or several. `whole`: None, `all`, `rest` or `range` (from `ids` to `last`). `numbers`: with
    `types`, the first and the last number, as in `LM1`, `LM1-3`."""

    start: int
    end: int
    ids: tuple[str, ...] | None = None
    types: tuple[str, ...] | None = None
    numbers: tuple[int, int] | None = None
    cell: str | None = None
    cell_ids: tuple[str, ...] = ()
    beside: int = 0
    """Where the name ends before the cell that stands beside it."""
    whole: str | None = None
    last: tuple[str, int, int] | None = None
    odd: str | None = None
    """It can be no unit: `not-a-cell`, `unknown-unit`."""
    is_loose: bool = False
    """Nothing stands between the name before it and this one: `LM1 XS1`."""


class TooManyFaults(Exception):
    """The text is no sheet of orders."""


class NameReader:
    """Reads tokens one after another, each a bounded number of times, and the names of units among them. Raises
    `TooManyFaults`."""

    def __init__(self, text: str, tokens: Iterator[Token], names: Names, words: Lexicon) -> None:
        self.text = text
        self._unread = tokens
        self.tokens: list[Token] = []
        """Those that have been looked at so far."""
        self.names = names
        self.words = words
        self.at = 0
        self.flaws: list[Flaw] = []
        self.led = frozenset[str]()
        """What has to follow the names, where the word for it stands before them: `Move LM on C5 to B5`, `Move LM to B5`."""

    def flaw(
        self, code: str, start: int, end: int, candidates: tuple[str, ...] = (), *, follows: bool = False, why: str = ""
    ) -> None:
        if len(self.flaws) >= MAX_FAULTS:
            raise TooManyFaults
        self.flaws.append(Flaw(code, start, end, candidates, follows, why))

    def _token(self, ahead: int = 0) -> Token:
        at, tokens = self.at + ahead, self.tokens
        while at >= len(tokens):
            token = next(self._unread, None)
            if token is None:
                return NO_TOKEN
            tokens.append(token)
        return tokens[at]

    def _names(self) -> list[Name]:
        """One unit, or a list of them on one line."""
        names = [self._name(alone=False)]
        while True:
            ahead = 0
            while self._token(ahead).kind in LISTS or self._token(ahead).kind == "filler":
                ahead += 1
            if ahead and (number := self._listed_number(names[-1], ahead)) is not None:
                names.append(number)
                continue
            if self._token(ahead).kind not in STARTS or (self.led and not ahead):
                return names
            self.at += ahead
            names.append(msgspec.structs.replace(self._name(alone=False), is_loose=not ahead))

    def _listed_number(self, before: Name, ahead: int) -> Name | None:
        """The `2` of `LM 1, 2`: of the same type."""
        number = self._token(ahead)
        if before.numbers is None or before.cell or number.kind != "number" or len(number.value) > 3:
            return None
        if self._token(ahead + 1).kind in (")", "filler", "junk", "number"):
            return None
        self.at += ahead + 1
        return Name(number.start, number.end, types=before.types, numbers=(int(number.value),) * 2)

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
            return self._with_cell(name, alone=alone)
        if first.kind == "described":
            first = self._agreeing(first, alone=alone)
        if first.kind in ("code", "described", "numbered"):
            name = self._numbered(first, alone=alone)
            follows = self._beside("unit")
            if follows is not None:
                name = msgspec.structs.replace(name, end=follows.end, ids=follows.means)
            return self._with_cell(name, alone=alone)
        if first.kind == "cell":
            name = Name(first.start, first.end, cell=first.value, cell_ids=first.means)
            if self._token().kind == "code" and self._token(1).kind not in ("cell", "odd-cell"):
                code = self._token()
                self.at += 1
                name = msgspec.structs.replace(name, end=code.end, types=code.means)
            return name
        odd = {"odd-cell": "not-a-cell", "disagreeing": "mismatch"}.get(first.kind, "unknown-unit")
        name = Name(first.start, first.end, odd=odd)
        if odd != "not-a-cell":
            self._with_cell(name)
        return name

    def _is_subject_ahead(self) -> bool:
        """`shoot N-XS1 E5: hold`: the cell begins what another unit does."""
        return self._token().kind == "cell" and self._token(1).kind == ":"

    def _agreeing(self, first: Token, *, alone: bool) -> Token:
        """`light LM`: what is described, with a code after it, of which both have to be true."""
        code = self._token()
        if code.kind not in ("code", "numbered") or (alone and self._token(1).kind == ":"):
            return first
        self.at += 1
        both = tuple(sorted({*first.means} & {*code.means}))
        return Token(code.kind if both else "disagreeing", code.value, first.start, code.end, both)

    def _numbered(self, first: Token, *, alone: bool) -> Name:
        """A type, with the number beside its code if there is one: `LM1`, `LM 1`, `LM-1`, and for several `LM1-3`."""
        name = Name(first.start, first.end, types=first.means)
        if first.kind == "numbered":
            number = first
        else:
            glued = self._token().kind == "-" and self._token().start == first.end == self._token(1).start - 1
            number = self._token(1 if glued else 0)
            if number.kind != "number" or len(number.value) > 3 or self._token(2 if glued else 1).kind == ")":
                return name
            self.at += 2 if glued else 1
        last, until = number, self._token(1)
        if not alone and self._token().kind in ("-", "..") and len(until.value) <= 3:
            same = until.kind == "numbered" and until.means == first.means
            if same or (until.kind == "number" and self._token(2).kind != ")"):
                last = until
                self.at += 2
        numbers = int(number.value), int(last.value)
        return msgspec.structs.replace(name, end=last.end, numbers=numbers)

    def _with_cell(self, name: Name, *, alone: bool = False) -> Name:
        if alone and name.types is None and self._is_subject_ahead():
            return name
        cell = self._beside("cell", alone=alone) or self._beside("odd-cell", alone=alone)
        if cell is None:
            return name
        if cell.kind == "odd-cell":
            return Name(cell.start, cell.end, odd="not-a-cell")
        return msgspec.structs.replace(name, end=cell.end, cell=cell.value, beside=name.end)

    def _beside(self, kind: str, *, alone: bool = False) -> Token | None:
        """A token of a kind that belongs to the name before it: directly, after "at", "в" … or without blanks between."""
        before, token = self.tokens[self.at - 1], self._token()
        glued = token.start == before.end and token.end == self._token(1).start
        stopped = token.kind == ";" and token.value == "." and token.start == before.end
        stopped = stopped and ("." in before.value or (not alone and before.kind == "code"))
        ahead = 1 if (token.kind == "-" and glued) or stopped else 0
        joined = False
        while (beside := self._token(ahead).kind) == "filler" or (beside in ("join", "onto") and not joined):
            ahead, joined = ahead + 1, joined or beside != "filler"
        is_known = before.kind in ("unit", "numbered", "number")  # `Move LM1 B5`
        if self._token(ahead).kind != kind or (self.led and (joined or is_known) and not self._goes_on(ahead + 1)):
            return None
        self.at += ahead + 1
        return self.tokens[self.at - 1]

    def _goes_on(self, ahead: int) -> bool:
        """Whether after this cell the target or another cell follows, so that this one is where the unit stands."""
        between = WAYS | JOINS if self.led == CELLS else WAYS | JOINS | {":"}
        while self._token(ahead).kind in between:
            ahead += 1
        return self._token(ahead).kind in self.led

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
        if code.kind in ("code", "described") and self._token(1).kind not in ("cell", "odd-cell", "unit"):
            self.at += 1
            return Name(first.start, code.end, types=code.means, whole=first.kind)
        return Name(first.start, self.tokens[self.at - 1].end, whole=first.kind)
