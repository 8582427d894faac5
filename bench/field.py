"""Positions of our own to measure on: the first scenario in the thick of it, and many of it side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import msgspec

from app.engine.dice import SeededDice
from app.engine.play import Played, chooser, dice_from, drive, pick_from
from app.engine.ruleset import Json
from app.geometry.hex import cell_label, parse_label
from app.referee import scenarios
from app.rulesets.cohesion.events import Attacked, Moved
from app.rulesets.cohesion.state import State, Unit
from app.rulesets.registry import RULESETS

SCENARIO = "visage-and-throne"
SEEDS = 60
FIRST_CONTACT = 3
"""In the turns before this one nobody reaches anybody."""
GOAL = 900
"""So that no measured turn ends the battle before its last phase."""
RULES = RULESETS["cohesion"]


SEED = b"bench"


@dataclass(frozen=True)
class Position:
    """A state and the orders of all seats for it."""

    kept: State
    fields: Mapping[str, Json]

    def given(self) -> Given:
        """The same, made anew in all its parts, as it comes from a database and from players."""
        state = self.kept
        units = {key: msgspec.structs.replace(unit) for key, unit in state.units.items()}
        board = msgspec.structs.replace(state.board, terrain=dict(state.board.terrain))
        fields = msgspec.json.decode(msgspec.json.encode(self.fields))
        return Given(msgspec.structs.replace(state, board=board, units=units), fields)

    @property
    def units(self) -> int:
        return len(self.kept.units)


class Given(NamedTuple):
    state: State
    fields: Mapping[str, Json]


@cache
def usual() -> Position:
    """Of many turns played by chance in which all 28 units stand and fight, the one with the median of attacks and moves."""
    return _position(_turns()[len(_turns()) // 2])


@cache
def thickest() -> Position:
    """The one of them with most attacks and moves."""
    return _position(_turns()[-1])


@cache
def _turns() -> list[Played[Any, Any]]:
    """By the number of attacks and moves."""
    start = RULES.setup(scenarios.frozen(SCENARIO)).state
    found = []
    for number in range(SEEDS):
        seed = b"bench %d" % number
        steps = drive(RULES, start, chooser(RULES, pick_from(seed, "all")), dice_from(seed), 8)
        found += [
            played for played in steps if played.number >= FIRST_CONTACT and len(played.before.units) == len(start.units)
        ]
    return sorted(found, key=lambda played: (_acts(played), played.number))


def _acts(played: Played[Any, Any]) -> int:
    return sum(isinstance(event, (Attacked, Moved)) for event in played.step.events)


def _position(played: Played[Any, Any]) -> Position:
    state = msgspec.structs.replace(played.before, goal=GOAL)
    return Position(state, {key: RULES.dump_order(order) for key, order in played.orders.items()})


def tiled(position: Position, across: int, down: int) -> Position:
    """The position many times side by side, as one battle on one board. Larger than any stored one may be."""
    state = position.kept
    columns = state.board.columns
    rows = state.board.rows + state.board.rows % 2  # an even number, so that each tile's rows are shifted alike
    wide = columns * across

    def cell(at: int, shift: tuple[int, int]) -> int:
        row, column = divmod(at, columns)
        return (row + shift[1]) * wide + column + shift[0]

    units: dict[str, Unit] = {}
    terrain: dict[int, str] = {}
    fields: dict[str, dict[str, Json]] = {seat: {} for seat in position.fields}
    for tile in range(across * down):
        shift = tile % across * columns, tile // across * rows
        for unit in state.units.values():
            moved = msgspec.structs.replace(unit, id=f"{tile:02}.{unit.id}", at=cell(unit.at, shift))
            units[moved.id] = moved
        terrain |= {cell(at, shift): kind for at, kind in state.board.terrain.items()}
        for seat, sheet in position.fields.items():
            fields[seat] |= {f"{tile:02}.{key}": _order(order, tile, shift) for key, order in sheet.items()}
    board = msgspec.structs.replace(
        state.board, columns=wide, rows=rows * down, terrain=dict(sorted(terrain.items())), home=dict(state.board.home)
    )
    return Position(msgspec.structs.replace(state, board=board, units=units), fields)


def _order(order: Json, tile: int, shift: tuple[int, int]) -> Json:
    moved: dict[str, Json] = {part: f"{tile:02}.{order[part]}" for part in ("shoot", "melee") if part in order}
    if "withdraw" in order:
        moved["withdraw"] = _label(order["withdraw"], shift)
    if "move" in order:
        moved["move"] = [_label(label, shift) for label in order["move"]]
    return moved


def _label(label: str, shift: tuple[int, int]) -> str:
    column, row = parse_label(label) or (0, 0)
    return cell_label(column + shift[0], row + shift[1])


def resolve(given: Given) -> Any:
    """All orders read, checked and resolved; the events and their reasons come with the new state."""
    state, orders = given.state, {}
    for request in RULES.requests(state):
        order = RULES.read(state, request, given.fields[request.seat])
        if any(not problem.warning for problem in RULES.check(state, request, order)):
            raise ValueError(f"{request.seat}: illegal orders are no fair measure")
        orders[request.id] = order
    return RULES.advance(state, orders, SeededDice(SEED))
