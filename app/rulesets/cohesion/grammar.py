"""Tokens -> what each unit is told, and every place that is not understood. Knows words, not the rules of the game.

    text     = { section }
    section  = subjects [":"] { part }               until the next subjects, over line ends
             | heading of several units, see `phases`; row of a table, see `tables`
    subjects = unit { ("," | "and") unit }           on one line; or ("all" | "rest") [code]; or id "-" (id | number)
    unit     = id [cell] | code [cell | id] | cell [code]        with "at", "в" … and brackets between
    part     = [negation] (("shoot" | "melee") unit | "withdraw" cell | "move" path | "hold" [cell])
    path     = cell { ("-" | ">" | "," | "via" | "then" | …) cell }

Not a table-driven parser: a text has to be read to its end past any number of mistakes, each named by its smallest piece,
and which words are ids, codes and cells depends on the battle. Reads each token a bounded number of times.
"""

from __future__ import annotations

import re
from typing import Final

from app.rulesets.cohesion.lexicon import PARTS, plain
from app.rulesets.cohesion.partreader import Part, Section
from app.rulesets.cohesion.phases import PhaseReader
from app.rulesets.cohesion.phrases import Token
from app.rulesets.cohesion.unitnames import CELLS, LISTS, NAMES, NO_TOKEN, STARTS, WAYS, Name

_STEPS: Final = WAYS | {"cell", "odd-cell"}
_MOST_WAYS: Final = 4
_MOST_SIGNS: Final = 12
_SIGNS: Final = frozenset({":", "-", ";", ")"})
_ROMAN: Final = re.compile(r"[IVX]{1,5}|[ivx]{1,5}")
_BROKEN: Final = frozenset({"junk", "number", "code", "numbered", "cell", "odd-cell"})


class Parser(PhaseReader):
    """Reads the tokens of one text. Raises `TooManyFaults`."""

    def parse(self) -> list[Section]:
        """All sections in order; parts before any unit stand in a section of no names."""
        skipping = begins = False
        while (token := self._token()).kind != "end":
            kind = token.kind
            if kind == "line":
                skipping, begins = False, True
                self._begin_line()
                continue
            if kind in PARTS or kind in ("not", "no-shoot"):
                self._part(begins, skipping)
                skipping = False
            elif not skipping and self._is_bare_path():
                self._bare_path()
            elif kind in STARTS and self.phase and not skipping and self._entry():
                pass
            elif kind in STARTS:
                skipping = self._named(begins, skipping)
            elif (kind == "number" and self._is_list_number(begins)) or (begins and self._is_list_letter()):
                self.at += 2
                continue
            elif kind in ("junk", "number"):
                self._junk(token)
                skipping = True
            elif kind == "-" and not skipping and self._is_told_nothing():
                pass
            else:
                if kind == ";":
                    skipping, begins = False, True
                self.at += 1
                continue
            begins = False
        return self.sections

    def _begin_line(self) -> None:
        self.phase = self.phase if self.lasts else ""
        self.at += 1

    def flaw(
        self, code: str, start: int, end: int, candidates: tuple[str, ...] = (), *, follows: bool = False, why: str = ""
    ) -> None:
        super().flaw(code, start, end, candidates, follows=follows, why=why)
        if self.section is not None:
            self.section.sound = False

    def _junk(self, token: Token) -> None:
        """A piece that is no word. With its neighbours it may be a cell, a code or an id that fell apart."""
        self.at += 1
        before = self.tokens[self.at - 2] if self.at > 1 else NO_TOKEN
        if token.kind == "number" and before.end - before.start == 1 == token.start - before.end:  # `С 5`: "with 5"?
            cells = self.names.close_cells(self.text[before.start : token.end])
            if cells:
                self.flaw("not-a-cell", before.start, token.end, cells)
                return
        for width in (4, 3, 2) if len(token.value) <= 3 and token.value.isalnum() else ():
            pieces = [self._token(ahead) for ahead in range(width)]
            last = pieces[-1]
            if last.kind not in _BROKEN or any(p.kind not in _BROKEN | {"-", ";", ","} for p in pieces):
                continue
            text = self.text[token.start : last.end]
            whole = self.names.whole(text)
            if whole and "\n" not in text:
                self.at += width
                self.flaw("not-a-cell" if self.names.cell(whole[0]) else "unknown-unit", token.start, last.end, whole)
                return
        why = self.words.bounds.get(plain(token.value), "")
        close = () if why else self.names.close(token.value) or self.words.close(token.value)
        self.flaw("unknown-word", token.start, token.end, close, why=why)
        told = self.section
        if told is not None and told.names and told.names[-1].whole and not told.parts:
            told.lost = True

    def _is_told_nothing(self) -> bool:
        """`LM1: none`, `LM1 -`: after the units nothing stands in their line but this. It is told them."""
        section, ahead = self.section, 0
        if section is None or section.parts or not section.names or self.at - self.after > _MOST_SIGNS:
            return False
        before = {token.kind for token in self.tokens[self.after : self.at]}
        if not before <= _SIGNS | {"not"}:
            return False
        while ahead < _MOST_SIGNS and self._token(ahead).kind in _SIGNS:
            ahead += 1
        if self._token(ahead).kind not in ("line", "end"):
            return False
        section.parts.append(Part("hold", self._token().start, self._token().end))
        self.at += ahead
        return True

    def _is_list_number(self, begins: bool) -> bool:
        after = self._token(1)
        listed = after.value == "." and self._token(2).kind in PARTS
        return after.kind == ")" or listed or (begins and after.kind in (";", ":", "-"))

    def _is_list_letter(self) -> bool:
        """`b)`, `II.` in front of a line."""
        token, after = self._token(), self._token(1)
        if token.kind != "junk" or after.start != token.end:
            return False
        one = len(token.value) == 1 and token.value.isalpha()
        return (one and after.kind == ")") or (_ROMAN.fullmatch(token.value) is not None and after.value in (")", "."))

    def _named(self, begins: bool, skipping: bool) -> bool:
        """A unit where no part asked for one: the subject of a new section, or something that belongs to nothing. Returns
        whether what follows is skipped as well."""
        first, section = self._token(), self.section
        names = [self._name(alone=False)] if skipping or (not begins and self._is_lone_cell()) else self._names()
        goes = names[-1].types is not None or names[-1].ids is not None
        if begins or self._has_orders_ahead() or (section is None and not skipping) or (goes and self._has_way_ahead()):
            self._open(names)
            return False
        if skipping or section is None or not section.sound:
            return True  # told already
        if not section.parts:
            self.untold(section, names[0])
        elif section.parts[-1].target is not None:
            self.flaw("part-twice", first.start, names[-1].end)
        else:
            self._open(names)
        return True

    def _is_lone_cell(self) -> bool:
        """The `B5` of `LM1: B5, LM2: E6`: no unit of the seat stands there, so that it is not told what LM2 is."""
        cell, section = self._token(), self.section
        is_untold = section is not None and bool(section.names) and not section.parts
        return is_untold and cell.kind == "cell" and not cell.means and not self.names.standing.get(cell.value)

    def _open(self, names: list[Name]) -> None:
        self.section = Section(names)
        self.sections.append(self.section)
        self.after = self.at

    def untold(self, section: Section, lone: Name | None = None) -> None:
        """These units are told nothing, or what they are told is not said. `lone`: a cell or a unit that follows them."""
        start, end = section.names[0].start, section.names[-1].end
        actions = self.words.actions(self.text[start:end])
        if lone is not None and lone.cell is not None and not lone.cell_ids and lone.types is None:
            actions = self.fitting(lone.cell, actions)
        self.flaw("unknown-word", start, end, actions, follows=True)

    def fitting(self, cell: str, actions: tuple[str, ...]) -> tuple[str, ...]:
        """The words after which a cell may stand: nobody is met in an empty one, and nobody enters the enemy's."""
        is_own = self.names.standing.get(cell)
        return (
            actions
            if is_own
            else tuple(
                word
                for part, word in zip(PARTS, actions, strict=True)
                if part in (("move",) if is_own is None else ("shoot", "melee"))
            )
        )

    def _has_orders_ahead(self) -> bool:
        """Whether what stands here makes the names before it a subject."""
        ahead = 0
        while self._token(ahead).kind in ("-", ")", "filler", "next"):
            ahead += 1
        return self._token(ahead).kind in (":", "not", "no-shoot", *PARTS)

    def _has_way_ahead(self) -> bool:
        """`LM E5 -> E6`, `LM E5 to E6`."""
        ahead = 0
        while ahead < _MOST_WAYS and self._token(ahead).kind in WAYS:
            ahead += 1
        return ahead > 0 and self._token(ahead).kind in CELLS and self._token(ahead + 1).kind != ":"

    def _is_bare_path(self) -> bool:
        """Directly after the units: `LM C5 -> B5`, `LM C5 to B5`, `LM1: C5-B5-A5`; with a dash, an arrow or "to" in it."""
        section = self.section
        if self._token().kind not in _STEPS or section is None or section.parts or not section.names:
            return False
        last = section.names[-1]
        if last.whole in ("all", "rest") or last.is_loose or self.at - self.after > _MOST_WAYS:
            return False  # `LM1 XS1 -> B5`: both go, or one at the other?
        between = [token.kind for token in self.tokens[self.after : self.at]]
        if any(kind not in (":", "-", ">", ")", "filler") for kind in between):
            return False
        ahead, ways = 0, bool(WAYS.intersection(between))
        while ahead < _MOST_WAYS and self._token(ahead).kind in WAYS:
            ahead, ways = ahead + 1, True
        if self._token(ahead).kind not in CELLS or self._token(ahead + 1).kind == ":":
            return False
        if ways:
            return True
        while ahead < _MOST_WAYS and self._token(ahead + 1).kind in WAYS:
            ahead, ways = ahead + 1, True
        return ways and self._token(ahead + 1).kind in CELLS

    def _bare_path(self) -> None:
        while self._token().kind in WAYS:
            self.at += 1
        start = self._token().start
        way = self._path()
        if self.section is not None and way.cells:
            self.section.parts.append(Part("move", start, way.cells[-1][2], way=way, bare=True))

    def _part(self, begins: bool, skipping: bool) -> None:
        first = self._token()
        negated = first.kind in ("not", "no-shoot")
        while self._token().kind == "not":
            self.at += 1
        word = self._token()
        kind = "shoot" if word.kind == "no-shoot" else word.kind
        if kind not in PARTS:
            if plain(self.text[first.start : first.end]) in self.words.nothing and self._is_told_nothing():
                return
            if word.kind != "junk":
                self.flaw("unknown-word", first.start, first.end)
            return
        self.at += 1
        self._withheld(word)
        if begins and not negated and self._heads(kind):
            return
        if not negated and self._is_subject_after(kind, begins):
            self._open(self._led_names(kind))
        if self.section is None:
            self._open([])
            if not skipping:
                self.flaw("no-unit", first.start, word.end)
        if negated and kind == "hold":
            self.flaw("unknown-word", first.start, word.end)
        elif self.section is not None:
            self.section.parts.append(self._filled(Part(kind, first.start, word.end, negated)))

    def _withheld(self, word: Token) -> None:
        """`stop shooting XS1`, `hold the fire at XS1`: is that now, or not at all?"""
        ahead = 0
        while word.kind == "hold" and self._token(ahead).kind == "filler":
            ahead += 1
        part = self._token(ahead)
        is_left = plain(word.value) in self.words.leaves and part.kind in PARTS
        if word.kind == "hold" and (is_left or (part.kind in PARTS and plain(part.value) in self.words.withheld)):
            self.flaw("unknown-word", word.start, part.end)

    def _is_subject_after(self, kind: str, begins: bool) -> bool:
        """`Move LM1 to B5`: after what takes no unit, the unit that is told it."""
        if kind not in ("move", "withdraw", "hold"):
            return False
        before = self.tokens[self.at - 2].kind if self.at > 1 else "line"
        if not (begins or self.section is None or before in (*LISTS, "next")):
            return False
        while self._token().kind == "filler":
            self.at += 1
        if self._token().kind in ("all", "rest"):
            return kind == "hold" and begins
        if self._token().kind not in NAMES - {"cell", "odd-cell"}:
            return False
        return kind != "hold" or not self._is_told_ahead()

    def _is_told_ahead(self) -> bool:
        """Whether the names here are followed by what they do: `LM C5 hold, LM E5 moves`."""
        at, flaws = self.at, len(self.flaws)
        self._names()
        told = self._has_orders_ahead()
        self.at = at
        del self.flaws[flaws:]
        return told
