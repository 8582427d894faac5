"""The units that names in a text mean, with the battle in view."""

from __future__ import annotations

import re
from typing import Final

from app.engine.ruleset import Request
from app.rulesets.cohesion.grammar import Parser
from app.rulesets.cohesion.orders import UnitOrder
from app.rulesets.cohesion.position import position
from app.rulesets.cohesion.state import State, Unit
from app.rulesets.cohesion.unitnames import Name

MOST_CANDIDATES: Final = 8
_NUMBERED: Final = re.compile(r"(.*?)([0-9]+)", re.DOTALL)


class UnitFinder:
    """Finds units by their names; what names none, or several, is told to the parser."""

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
