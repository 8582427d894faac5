"""Orders in a table: its head says what stands below, a unit a row.

| Unit | Shooting | Melee | Movement |
| LM1  | XS1      | -     | B5       |
"""

from __future__ import annotations

from itertools import count
from typing import Final

from app.rulesets.cohesion.grammar import Parser
from app.rulesets.cohesion.lexicon import PARTS, plain
from app.rulesets.cohesion.partreader import Part, Section
from app.rulesets.cohesion.phrases import Token
from app.rulesets.cohesion.tabled import BAR, COLUMNS, LEAST_PARTS
from app.rulesets.cohesion.unitnames import NAMES, STARTS

_RULES: Final = frozenset({"-", ":", ";"})
_TOLD: Final = frozenset({*PARTS, "not", "no-shoot"})
_EMPTY: Final = frozenset({"-", "not"})


class TableParser(Parser):
    """Reads tables as well."""

    columns: tuple[str, ...] = ()
    """The parts of a table's columns; empty: no table."""

    def _begin_line(self) -> None:
        super()._begin_line()
        self._table_line()

    def _table_line(self) -> bool:
        """Whether the line that begins here belongs to a table; it is then read to its end."""
        cells: list[list[Token]] = [[]]
        for ahead in count():
            token = self._token(ahead)
            if token.kind in ("line", "end"):
                break
            if self._is_bar(token):
                cells.append([])
            else:
                cells[-1].append(token)
        kinds = tuple(cell[0].kind if len(cell) == 1 and cell[0].kind in COLUMNS else "" for cell in cells)
        said = [token.kind for cell in cells for token in cell]
        others = [token for cell, kind in zip(cells, kinds, strict=True) for token in cell if not kind]
        is_plain = not any(t.kind in _TOLD | STARTS or plain(t.value) in self.words.bounds for t in others)
        if is_plain and len(cells) > LEAST_PARTS and sum(map(bool, kinds)) >= LEAST_PARTS:
            self.columns = kinds
            self.at += ahead
            return True
        if not self.columns or len(cells) < LEAST_PARTS:
            self.columns = ()
            return False
        if set(said) <= _RULES:
            self.at += ahead
            return True
        first = next((place for place, cell in enumerate(cells) if cell), 0)
        if kinds[first] or cells[first][0].kind not in NAMES:
            return False
        self._row()
        return True

    def _row(self) -> None:
        column, is_empty = 0, False
        while self._is_bar(self._token()):
            self.at, column = self.at + 1, column + 1
        section = self.section = Section(self._names(), [])
        self.sections.append(section)
        self.after = self.at
        begins = False
        while (token := self._token()).kind not in ("line", "end"):
            part = self.columns[column] if column < len(self.columns) else ""
            if self._is_bar(token):
                self.at, column, begins = self.at + 1, column + 1, True
            elif token.kind in _EMPTY and (self._is_bar(self._token(1)) or self._token(1).kind in ("line", "end")):
                self.at, is_empty = self.at + 1, True
            elif token.kind in _TOLD:
                self._part(False, False)
                begins = False
            elif part and begins and token.kind not in ("junk", "number"):
                section.parts.append(self._filled(Part(part, token.start, token.end)))
                begins = False
            elif token.kind in ("junk", "number"):
                self._junk(token)
            else:
                if token.kind in STARTS:
                    self.flaw("part-twice" if section.parts else "unknown-word", token.start, token.end)
                self.at += 1
        if is_empty and not section.parts:
            section.parts.append(Part("hold", section.names[0].start, section.names[-1].end))

    def _is_bar(self, token: Token) -> bool:
        return token.kind == ";" and token.value == BAR
