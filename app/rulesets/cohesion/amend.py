"""The game master's corrections: units, points, the winner, the ground. Told as events, like all that happens.

A change is one of
    {"unit": "S-LM1", "cohesion": 3, "at": "C4", …}   values of a unit: at, strength or upper and lower, cohesion
    {"unit": "S-LM9", "add": {"type": "LM", "seat": "south-left", "at": "C4", …}}
    {"unit": "S-LM1", "remove": true}                 nobody scores: points are set on their own
    {"points": {"north": 3}}
    {"winner": "north"}                               a side, draw, or null: the battle goes on
    {"terrain": {"C4": "rough"}}                      a kind of ground, or open
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from app.engine.fields import Fields, Path, shown
from app.engine.ruleset import Json, Refused, Ruling, Step
from app.rulesets.cohesion.events import Amended, CohesionEvent, TurnEnded
from app.rulesets.cohesion.evolve import evolve, unit_form
from app.rulesets.cohesion.position_form import MOST_NUMBER
from app.rulesets.cohesion.state import State
from app.rulesets.cohesion.types import start_unit

_VALUES: Final = ("at", "strength", "upper", "lower", "cohesion")
_KINDS: Final = ("unit", "points", "winner", "terrain")
_ID: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,29}")
MOST_CHANGES: Final = 500


def amend(state: State, ruling: Ruling) -> Step[State]:
    """The state with all changes made, and an event for each. Positions are judged together, so that two units may change
    places. Raises `Refused` with every problem; fields begin with `changes` and the number of the change from 1.

    Codes are those of `Fields` and of scenario files (`off-board`, `cell-taken`, `cell-impassable`, `bad-name`,
    `id-is-a-cell`, `value-of-another-type`), and besides `unknown-unit`, `unit-there`, `no-changes`, `not-one-change`.
    """
    draft = _Changes(state, ruling)
    if not ruling.changes:
        draft.fields.wrong("no-changes", ("changes",))
    if len(ruling.changes) > MOST_CHANGES:
        draft.fields.wrong("too-many", ("changes",), count=len(ruling.changes), most=MOST_CHANGES)
        raise Refused(draft.fields.problems)
    for number, change in enumerate(ruling.changes, start=1):
        draft.change(change, ("changes", str(number)))
    draft.check_cells()
    if draft.fields.problems:
        raise Refused(draft.fields.problems)
    events: list[CohesionEvent] = [*draft.events]
    if ruling.awaits is not None and draft.winner is None and state.turn < ruling.awaits:
        events.append(TurnEnded(turn=ruling.awaits - 1))  # the turn had ended the battle, and is over all the same
    return Step(evolve(state, events), tuple(events))


def reroll(address: str, before: Sequence[int], after: Sequence[int], ruling: Ruling) -> Amended:
    """Dice that were rolled again, told."""
    faces = {"before": list(before), "after": list(after)}
    return Amended(target="dice", key=address, reason=ruling.reason, rule=ruling.rule, **faces)


class _Changes:
    """The changes read so far: the events they make, and what is wrong with them."""

    def __init__(self, state: State, ruling: Ruling) -> None:
        self.state = state
        self.ruling = ruling
        self.fields = Fields()
        self.events: list[Amended] = []
        self.units: dict[str, Json] = {
            unit.id: unit_form(state.board, unit, has_sections=bool(state.types[unit.type].sections))
            for unit in state.units.values()
        }
        self.points = dict(state.points)
        self.winner = state.winner
        self.terrain = {state.board.grid.labels[cell]: kind for cell, kind in state.board.terrain.items()}
        self.touched: dict[str, Path] = {}

    def change(self, given: Json, path: Path) -> None:
        read = self.fields.mapping(given, path)
        kinds = [kind for kind in _KINDS if kind in read]
        if len(kinds) != 1:
            if isinstance(given, Mapping):
                self.fields.wrong("not-one-change", path, choices=", ".join(_KINDS))
            return
        reader: Callable[[Mapping[str, Any], Path], None] = getattr(self, f"_{kinds[0]}")
        reader(read, path)

    def _unit(self, given: Mapping[str, Any], path: Path) -> None:
        unit_id = given["unit"]
        if not isinstance(unit_id, str):
            self.fields.wrong("not-a-text", (*path, "unit"), value=shown(unit_id))
            return
        before = self.units.get(unit_id)
        if "add" in given:
            self._add(given, unit_id, before, path)
        elif before is None:
            self.fields.wrong("unknown-unit", (*path, "unit"), unit=shown(unit_id))
        elif "remove" in given:
            self._remove(given, unit_id, before, path)
        else:
            values = self.fields.mapping(given, path, known=("unit", *_VALUES))
            changed = {key: value for key, value in values.items() if key in _VALUES}
            if not changed:
                self.fields.wrong("no-changes", path)
                return
            self._put(unit_id, before, before, changed, path)

    def _add(self, given: Mapping[str, Any], unit_id: str, before: Json, path: Path) -> None:
        self.fields.mapping(given, path, known=("unit", "add"))
        known = ("type", "side", "seat", *_VALUES)
        form = self.fields.mapping(given["add"], (*path, "add"), known=known, needed=("type", "seat", "at"))
        state, here = self.state, (*path, "add")
        self._check_id(unit_id, (*path, "unit"))
        if before is not None or not {"type", "seat", "at"} <= form.keys():
            return
        wrong = len(self.fields.problems)
        key = self.fields.word(form["type"], (*here, "type"), tuple(state.types))
        seat = self.fields.word(form["seat"], (*here, "seat"), tuple(state.seats))
        if len(self.fields.problems) > wrong:
            return
        side = state.seats[seat]
        self.fields.word(form.get("side", side), (*here, "side"), (side,))
        fresh = start_unit(state.types[key], id=unit_id, type=key, side=side, seat=seat, at=0)
        blank = unit_form(state.board, fresh, has_sections=bool(state.types[key].sections))
        values = {name: value for name, value in form.items() if name in _VALUES}
        self._put(unit_id, None, blank, values, here)

    def _check_id(self, unit_id: str, path: Path) -> None:
        """An id that can be written in orders and in the address of a die, and is no other unit's."""
        if not _ID.fullmatch(unit_id):
            self.fields.wrong("bad-name", path, value=shown(unit_id))
        elif self.state.board.grid.cell(unit_id.upper()) is not None:
            self.fields.wrong("id-is-a-cell", path, value=unit_id)
        other = next((one for one in self.units if one.casefold() == unit_id.casefold()), None)
        if other is not None:
            self.fields.wrong("unit-there", path, unit=other)

    def _remove(self, given: Mapping[str, Any], unit_id: str, before: Json, path: Path) -> None:
        self.fields.mapping(given, path, known=("unit", "remove"))
        if given["remove"] is not True:
            self.fields.wrong("not-one-of", (*path, "remove"), value=shown(given["remove"]), choices="yes")
            return
        del self.units[unit_id]
        self.touched.pop(unit_id, None)
        self._tell("unit", unit_id, before, None)

    def _put(self, unit_id: str, before: Json, form: dict[str, Json], values: Mapping[str, Any], path: Path) -> None:
        """The unit with values changed, if each of them can be (UNIT-1)."""
        wrong = len(self.fields.problems)
        kind, board = self.state.types[form["type"]], self.state.board
        highest = {"upper": (1, kind.sections["upper"]), "lower": (0, kind.sections["lower"])} if kind.sections else {}
        bounds = {**(highest or {"strength": (1, kind.strength)}), "cohesion": (0, kind.cohesion_max)}
        after = dict(form)
        for name, value in values.items():
            here = (*path, name)
            if name == "at":
                cell = board.grid.cell(value) if isinstance(value, str) else None
                if cell is None:
                    self._off_board(here, value)
                after["at"] = value
            elif name not in bounds:
                self.fields.wrong("value-of-another-type", here, name=name, known=", ".join(bounds))
            else:
                after[name] = self.fields.whole(value, here, *bounds[name])
        if len(self.fields.problems) > wrong:
            return
        self.units[unit_id] = after
        self.touched[unit_id] = path
        self._tell("unit", unit_id, before, after)

    def _points(self, given: Mapping[str, Any], path: Path) -> None:
        self.fields.mapping(given, path, known=("points",))
        scores = self.fields.mapping(given["points"], (*path, "points"), known=tuple(self.points))
        for side, score in scores.items():
            wrong = len(self.fields.problems)
            after = self.fields.whole(score, (*path, "points", side), 0, MOST_NUMBER)
            if len(self.fields.problems) == wrong:
                self._tell("points", side, self.points[side], after)
                self.points[side] = after

    def _winner(self, given: Mapping[str, Any], path: Path) -> None:
        self.fields.mapping(given, path, known=("winner",))
        after = given["winner"]
        if after is not None and after not in (*self.points, "draw"):
            choices = ", ".join((*self.points, "draw"))
            self.fields.wrong("not-one-of", (*path, "winner"), value=shown(after), choices=choices)
            return
        self._tell("winner", "winner", self.winner, after)
        self.winner = after

    def _terrain(self, given: Mapping[str, Any], path: Path) -> None:
        self.fields.mapping(given, path, known=("terrain",))
        board = self.state.board
        for label, kind in self.fields.mapping(given["terrain"], (*path, "terrain")).items():
            where = (*path, "terrain", shown(label))
            if board.grid.cell(label) is None:
                self._off_board(where, label)
            elif not isinstance(kind, str) or kind not in board.kinds:
                self.fields.wrong("not-one-of", where, value=shown(kind), choices=", ".join(board.kinds))
            else:
                self._tell("terrain", label, self.terrain.get(label, "open"), kind)
                self.terrain[label] = kind

    def check_cells(self) -> None:
        """After all changes each cell holds one unit at most, nobody was put on ground that none enters (TERRAIN-3)."""
        held: dict[str, list[str]] = {}
        for unit_id, form in self.units.items():
            held.setdefault(form["at"], []).append(unit_id)
        kinds = self.state.board.kinds
        for label, unit_ids in held.items():
            shut = not kinds[self.terrain.get(label, "open")].enter
            for unit_id in unit_ids:
                path = self.touched.get(unit_id)
                if len(unit_ids) > 1 and path is not None:
                    other = next(one for one in unit_ids if one != unit_id)
                    self.fields.wrong("cell-taken", (*path, "at"), cell=label, other=other)
                elif shut and path is not None:
                    self.fields.wrong("cell-impassable", (*path, "at"), cell=label, kind=self.terrain[label])

    def _off_board(self, path: Path, label: Json) -> None:
        board = self.state.board
        last = board.grid.labels[-1]
        self.fields.wrong("off-board", path, cell=shown(label), columns=board.columns, rows=board.rows, last=last)

    def _tell(self, target: Any, key: str, before: Json, after: Json) -> None:
        self.events.append(
            Amended(
                target=target,
                key=key,
                before=before,
                after=after,
                reason=self.ruling.reason,
                rule=self.ruling.rule,
            )
        )
