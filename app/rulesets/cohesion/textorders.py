"""Orders as lines of text, both ways: what players write -> a sheet, a sheet -> its canonical text (docs/text-orders.md)."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

import msgspec

from app.engine.ruleset import Fault, Refused, Request
from app.rulesets.cohesion.asides import asides
from app.rulesets.cohesion.grammar import Parser
from app.rulesets.cohesion.lexicon import lexicon
from app.rulesets.cohesion.names import Names
from app.rulesets.cohesion.orders import Sheet, UnitOrder
from app.rulesets.cohesion.partreader import Part, Section
from app.rulesets.cohesion.state import State, Unit
from app.rulesets.cohesion.tables import TableParser
from app.rulesets.cohesion.tokens import Scanner
from app.rulesets.cohesion.unitfinder import UnitFinder
from app.rulesets.cohesion.unitnames import Name, TooManyFaults
from app.rulesets.cohesion.ways import shortest

LONGEST_FRAGMENT: Final = 100

_SURROGATES: Final = re.compile("[\ud800-\udfff]")


def read_text(state: State, request: Request, text: str) -> Sheet:
    """A message of a seat -> its sheet. Raises `Refused` with every fault, in the order of their places, and the lines that
    are no orders; then nothing of the text is taken. What is well formed but not allowed is left to `check`."""
    words = lexicon()
    names = Names(state, words, request.seat)
    scanner = Scanner(text, names, words)
    parser = TableParser(text, scanner.tokens(), names, words)
    reader = _Reader(state, request, text, parser)
    try:
        sections = parser.parse()
        parser.section = None
        for code, start, end in scanner.faults:
            parser.flaw(code, start, end)
        reader.take(sections)
    except TooManyFaults:
        pass
    if parser.flaws:
        raise Refused(faults=_faults(text, parser), asides=asides(text, names, words))
    return Sheet(reader.orders)


def _faults(text: str, parser: Parser) -> tuple[Fault, ...]:
    """The flaws as faults, by place, none twice."""
    starts = [0, *(found.end() for found in re.finditer(r"\r\n|\r|\n", text))]
    told = {(flaw.start, flaw.end, flaw.code): flaw for flaw in reversed(parser.flaws)}
    faults = []
    for start, end, code in sorted(told):
        line = bisect_right(starts, start)
        fragment = _SURROGATES.sub("\ufffd", text[start : min(end, start + LONGEST_FRAGMENT)])
        flaw = told[start, end, code]
        faults.append(Fault(code, line, start - starts[line - 1] + 1, fragment, flaw.candidates, flaw.follows, flaw.why))
    return tuple(faults)


class _Reader(UnitFinder):
    """Sections -> orders, with the units of the battle in view."""

    def take(self, sections: list[Section]) -> None:
        """Every section's orders. "The rest" are those that no other section names."""
        self._take_phases([section for section in sections if section.phased])
        plain = [section for section in sections if not section.phased]
        for section in sorted(plain, key=lambda s: any(name.whole == "rest" for name in s.names)):
            flaws = len(self.parser.flaws)
            if not section.parts and section.sound and all(self._is_elsewhere(name) for name in section.names):
                continue
            units = self._subjects(section)
            if section.sound and len(self.parser.flaws) == flaws and (not section.parts or self._is_unclear(section)):
                self.parser.untold(section)
            self._share(section, len(units))
            self._parts(section, units)

    def _is_elsewhere(self, name: Name) -> bool:
        """`LM2 to E6`, `ЛМ2 в E6`: a unit that is known without the cell and stands elsewhere; that is told."""
        if name.cell is None or not name.beside or (name.numbers is None and name.ids is None) or name.whole:
            return False
        flaws = len(self.parser.flaws)
        units = self._units(msgspec.structs.replace(name, cell=None, end=name.beside), subject=True)
        if len(self.parser.flaws) > flaws or not units:
            return len(self.parser.flaws) > flaws
        if any(self.labels[unit.at] == name.cell for unit in units) or self.names.standing.get(name.cell):
            return False
        actions = self.parser.fitting(name.cell, self.parser.words.actions(self.text[name.start : name.beside]))
        self.parser.flaw("unknown-word", name.start, name.beside, actions, follows=True)
        return True

    def _take_phases(self, sections: list[Section]) -> None:
        """What each unit is told below all headings together."""
        told: dict[str, tuple[Unit, Section]] = {}
        for section in sections:
            units = [(name, unit) for name in section.names for unit in self._units(name, subject=True)]
            for name, unit in units:
                told.setdefault(unit.id, (unit, Section([name], [])))[1].parts.extend(section.parts)
            self._share(section, len(units))
        for unit, section in told.values():
            self.orders[unit.id] = UnitOrder()
            self._parts(section, [unit])

    def _is_unclear(self, section: Section) -> bool:
        """Cells alone, and somebody stands there: a move, or an attack?"""
        if not any(part.bare for part in section.parts):
            return False
        own = {self.labels[unit.at] for name in section.names for unit in self._units(name, subject=True)}
        cells = self.state.board.grid.cells
        labels = {label for part in section.parts if part.bare for label, _, _ in part.cells}
        return any(cells[label] in self.held for label in labels - own)

    def _subjects(self, section: Section) -> list[Unit]:
        units: list[Unit] = []
        for name in () if section.lost else section.names:
            for unit in self._units(name, subject=True):
                if unit.id in self.orders:
                    self.parser.flaw("unit-twice", name.start, name.end)
                else:
                    self.orders[unit.id] = UnitOrder()
                    units.append(unit)
        return units

    def _share(self, section: Section, count: int) -> None:
        """`LM1 and LM2 move to C6 and D6`: a cell for each, or one way for all?"""
        for part in section.parts:
            if count > 1 and part.kind == "move" and not part.negated and part.way.listed:
                self.parser.flaw("ambiguous", part.cells[0][1], part.cells[-1][2], why="each")

    def _parts(self, section: Section, units: list[Unit]) -> None:
        said: dict[str, Part] = {}
        targets: dict[str, str] = {}
        for part in section.parts:
            kind = "move" if part.kind == "hold" else part.kind
            before = said.get(kind)
            stays = before is not None and {_stays(before), _stays(part)} == {"holds", "does not move"}
            if before is not None and (not stays or part.cells):
                self.parser.flaw("part-twice", part.start, part.end)
                continue
            said[kind] = part
            if part.target is not None:
                found = self._units(part.target, subject=False)
                if found and not part.negated:
                    targets[kind] = found[0].id
            elif part.kind == "hold":
                for label, start, end in part.cells:
                    if any(self.labels[unit.at] != label for unit in units):
                        self.parser.flaw("mismatch", start, end)
        for unit in units:
            withdraw = self._withdrawal(unit, said.get("withdraw"))
            self.orders[unit.id] = UnitOrder(
                shoot=targets.get("shoot"),
                melee=targets.get("melee"),
                withdraw=withdraw,
                move=self._path(unit, said.get("move"), withdraw),
            )

    def _withdrawal(self, unit: Unit, part: Part | None) -> str | None:
        if part is None or part.negated or not part.cells:
            return None
        cells = self._entered(part, self.labels[unit.at])
        if not cells:
            return None
        cells = cells[1:] if len(cells) > 1 and cells[0][0] == self.labels[unit.at] else cells
        for _, start, end in cells[1:]:
            self.parser.flaw("part-twice", start, end)
        return cells[0][0]

    def _path(self, unit: Unit, part: Part | None, withdraw: str | None) -> tuple[str, ...]:
        """The cells entered: without the cell of departure, "to F7 via E6" in the order of going, one alone as a way."""
        if part is None or part.negated or part.kind == "hold":
            return ()
        departure = withdraw or self.labels[unit.at]
        labels = [label for label, _, _ in self._entered(part, departure)]
        via, origin = part.way.via, part.way.origin
        before = via[0] - (origin is not None and origin < via[0]) if via else 0
        if len(labels) > 1 and labels[0] == departure:
            labels, before = labels[1:], max(0, before - 1)
        if via and not via[1] and before:
            if before > 1:
                self.parser.flaw("ambiguous", via[2], via[3], why="last")
            labels = labels[before:] + labels[:before]
        if len(labels) == 1 and not self.parser.flaws:
            return shortest(self.state, unit.id, labels[0], start=withdraw)
        return tuple(labels)

    def _entered(self, part: Part, departure: str) -> tuple[tuple[str, int, int], ...]:
        """The cells of a part without the one that "from" stands before."""
        origin = part.way.origin
        if origin is None:
            return part.cells
        label, start, end = part.cells[origin]
        if label != departure:
            self.parser.flaw("mismatch", start, end)
        elif len(part.cells) == 1:
            self.parser.flaw("not-a-cell", part.start, part.end)
        return part.cells[:origin] + part.cells[origin + 1 :]


def _stays(part: Part) -> str:
    if part.kind == "hold":
        return "holds"
    return "does not move" if part.kind == "move" and part.negated else part.kind
