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
from app.rulesets.cohesion.position import position
from app.rulesets.cohesion.state import State, Unit
from app.rulesets.cohesion.tables import TableParser
from app.rulesets.cohesion.tokens import Scanner
from app.rulesets.cohesion.unitnames import Name, TooManyFaults
from app.rulesets.cohesion.ways import shortest

MOST_CANDIDATES: Final = 8
LONGEST_FRAGMENT: Final = 100

_NUMBERED: Final = re.compile(r"(.*?)([0-9]+)", re.DOTALL)
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


class _Reader:
    """Sections -> orders, with the units of the battle in view."""

    def __init__(self, state: State, request: Request, text: str, parser: Parser) -> None:
        self.state = state
        self.seat = request.seat
        self.side = state.seats.get(request.seat)
        self.text = text
        self.names = parser.names
        self.parser = parser
        self.rest_named = False
        self.held = position(state).held
        self.labels = state.board.grid.labels
        self.orders: dict[str, UnitOrder] = {}

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
            for name in section.names:
                for unit in self._units(name, subject=True):
                    told.setdefault(unit.id, (unit, Section([name], [])))[1].parts.extend(section.parts)
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
        cells = part.cells[1:] if len(part.cells) > 1 and part.cells[0][0] == self.labels[unit.at] else part.cells
        for _, start, end in cells[1:]:
            self.parser.flaw("part-twice", start, end)
        return cells[0][0]

    def _path(self, unit: Unit, part: Part | None, withdraw: str | None) -> tuple[str, ...]:
        """The cells entered: without the cell of departure, "to F7 via E6" in the order of going, one alone as a way."""
        if part is None or part.negated or part.kind == "hold":
            return ()
        departure = withdraw or self.labels[unit.at]
        labels = [label for label, _, _ in part.cells]
        before = part.via[0] if part.via else 0
        if len(labels) > 1 and labels[0] == departure:
            labels, before = labels[1:], max(0, before - 1)
        if part.via and not part.via[1] and before:
            if before > 1:
                self.parser.flaw("ambiguous", part.via[2], part.via[3])
            labels = labels[before:] + labels[:before]
        if len(labels) == 1 and not self.parser.flaws:
            return shortest(self.state, unit.id, labels[0], start=withdraw)
        return tuple(labels)

    def _units(self, name: Name, *, subject: bool) -> list[Unit]:
        """The units that a name means; empty, and told, if it cannot be said which."""
        if name.odd is not None:
            written = self.text[name.start : name.end]
            cells = self.names.close_cells(written) or self.names.by_other_keys(written)
            near = cells if name.odd == "not-a-cell" else self._near(written, subject=subject)
            return self._told(name.odd, name, near)
        if name.whole == "range":
            return self._range(name)
        if name.whole is not None:
            return self._whole(name)
        at_cell = self.held.get(self.state.board.grid.cell(name.cell) or 0) if name.cell is not None else None
        if name.ids is not None:
            return self._of_id(name, [self.state.units[unit_id] for unit_id in name.ids], at_cell)
        if name.numbers is not None and name.types is not None:
            return self._of_number(name, name.types, name.numbers, at_cell, subject=subject)
        if name.types is not None:
            return self._of_type(name, name.types, at_cell, subject=subject)
        return self._at_cell(name, at_cell)

    def _near(self, written: str, *, subject: bool) -> tuple[str, ...]:
        """Ids that may have been meant: one's own of a subject, the enemy's of a target."""
        near = [self.state.units[unit_id] for unit_id in self.names.close_units(written)]
        own, others = ([u.id for u in near if (u.side == self.side) is is_own] for is_own in (True, False))
        return tuple(own if subject else others or own)

    def _of_id(self, name: Name, units: list[Unit], at_cell: Unit | None) -> list[Unit]:
        fitting = [u for u in units if name.types is None or u.type in name.types]
        if name.cell is not None:
            fitting = [u for u in fitting if u is at_cell]
        if len(fitting) > 1:
            return self._told("ambiguous", name, tuple(u.id for u in fitting))
        return fitting or self._told("mismatch", name, tuple(u.id for u in units))

    def _of_type(self, name: Name, types: tuple[str, ...], at_cell: Unit | None, *, subject: bool) -> list[Unit]:
        pool = self._pool(types, subject=subject)
        if name.cell is not None:
            if at_cell is None:
                return self._told("unknown-unit", name, tuple(u.id for u in pool))
            return [at_cell] if at_cell.type in types else self._told("mismatch", name, (at_cell.id, *(u.id for u in pool)))
        if len(pool) == 1:
            return pool
        return self._told("ambiguous" if pool else "unknown-unit", name, tuple(u.id for u in pool))

    def _of_number(
        self, name: Name, types: tuple[str, ...], numbers: tuple[int, int], at_cell: Unit | None, *, subject: bool
    ) -> list[Unit]:
        """`LM1`, `LM1-3`: as a code alone, of those whose ids end so; the first and the last are there."""
        pool = self._pool(types, subject=subject)
        by_number: dict[int, list[Unit]] = {}
        for unit in pool:
            if (numbered := _NUMBERED.fullmatch(unit.id)) is not None:
                by_number.setdefault(int(numbered[2]), []).append(unit)
        first, last = numbers
        found = [unit for number in sorted(by_number) if first <= number <= last for unit in by_number[number]]
        if first not in by_number or last not in by_number:
            return self._told("unknown-unit" if first <= last else "mismatch", name, tuple(u.id for u in pool))
        if len(found) > last - first + 1:
            return self._told("ambiguous", name, tuple(u.id for u in found))
        if name.cell is not None:
            found = [unit for unit in found if unit is at_cell] if first == last else []
        return found or self._told("mismatch", name, tuple(u.id for u in pool))

    def _at_cell(self, name: Name, at_cell: Unit | None) -> list[Unit]:
        meant = {u.id: u for u in (*(self.state.units[i] for i in name.cell_ids), *([at_cell] if at_cell else []))}
        if len(meant) > 1:
            return self._told("ambiguous", name, tuple(meant))
        return list(meant.values()) or self._told("unknown-unit", name, ())

    def _pool(self, types: tuple[str, ...], *, subject: bool) -> list[Unit]:
        """The units that a code alone may mean: for a subject those of the seat, for a target the enemy's; if there are
        none, all others, so that the check can say why not."""
        fitting = [unit for unit in self.state.units.values() if unit.type in types]
        nearer = [u for u in fitting if (u.seat == self.seat if subject else u.side != self.side)]
        return nearer or fitting

    def _whole(self, name: Name) -> list[Unit]:
        units = [
            unit
            for unit in self.state.units.values()
            if unit.seat == self.seat and unit.cohesion > 0 and (name.types is None or unit.type in name.types)
        ]
        if name.whole == "rest":
            if self.rest_named:
                return self._told("unit-twice", name, ())
            self.rest_named = True
            return [unit for unit in units if unit.id not in self.orders]
        return units or self._told("unknown-unit", name, ())

    def _range(self, name: Name) -> list[Unit]:
        """`S-LM1 - S-LM3`, `S-LM1-3`: both ends are there; of those between, the ones that still are."""
        first = _NUMBERED.fullmatch((name.ids or ("",))[0])
        written, start, end = name.last or ("", name.start, name.end)
        ends = self.names.units(written if not written.isdigit() or first is None else first[1] + written)
        last = _NUMBERED.fullmatch(ends[0]) if len(ends) == 1 else None
        if last is None:
            self.parser.flaw("unknown-unit", start, end, self.names.close_units(written))
            return []
        if first is None or first[1] != last[1] or int(first[2]) > int(last[2]):
            return self._told("mismatch", name, ())
        numbers = range(int(first[2]), int(last[2]) + 1)
        numbered = ((unit, _NUMBERED.fullmatch(unit.id)) for unit in self.state.units.values())
        return [unit for unit, found in numbered if found and found[1] == first[1] and int(found[2]) in numbers]

    def _told(self, code: str, name: Name, candidates: tuple[str, ...]) -> list[Unit]:
        self.parser.flaw(code, name.start, name.end, tuple(dict.fromkeys(candidates))[:MOST_CANDIDATES])
        return []


def _stays(part: Part) -> str:
    if part.kind == "hold":
        return "holds"
    return "does not move" if part.kind == "move" and part.negated else part.kind
