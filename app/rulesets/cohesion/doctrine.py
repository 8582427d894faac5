"""Standing doctrines (ORDER-6): what the controlled units of a seat do that were given no order, in place of the ruling."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from app.engine.ruleset import Request
from app.rulesets.cohesion.orderform import fights
from app.rulesets.cohesion.orders import HOLD, Sheet, UnitOrder
from app.rulesets.cohesion.position import Position, position
from app.rulesets.cohesion.sight import targets
from app.rulesets.cohesion.state import State, Unit
from app.rulesets.cohesion.ways import withdrawals

Taken = set[int]
"""Cells to which units of the seat are sent already."""


def doctrine(state: State, request: Request, name: str, sheet: Sheet | None) -> Sheet:
    """The sheet of a seat with an order for each of its controlled units. Orders that were given stand as they are."""
    here = position(state)
    given = dict(sheet.orders) if sheet is not None else {}
    numbers = here.grid.cells
    taken = {
        numbers[end] for order in given.values() if (end := order.move[-1] if order.move else order.withdraw) in numbers
    }
    for unit in state.units.values():
        if unit.seat == request.seat and unit.cohesion > 0 and unit.id not in given:
            given[unit.id] = WAYS[name](here, unit, taken)
    return Sheet(given)


def _hold(_here: Position, _unit: Unit, _taken: Taken) -> UnitOrder:
    return HOLD


def _hold_and_fight(here: Position, unit: Unit, _taken: Taken) -> UnitOrder:
    shooting = here.types[unit.type].shooting
    may = targets(here, unit, shooting) if shooting is not None else []
    return UnitOrder(shoot=may[0].id if may else None, melee=fights(here, unit).melee)


def _withdraw_if_able(here: Position, unit: Unit, taken: Taken) -> UnitOrder:
    """From an enemy beside it alone; of the ways back to the cell that is farthest from every enemy, no two to one cell
    where that can be helped."""
    if not here.types[unit.type].withdraws or not here.enemies_beside(unit.at, unit.side):
        return HOLD
    cells = withdrawals(here, unit)
    if not cells:
        return HOLD
    foes = [foe.at for foe in here.state.units.values() if foe.side != unit.side]
    free = [cell for cell in cells if cell not in taken] or cells
    best = max(free, key=lambda cell: min(here.grid.distance(cell, foe) for foe in foes))
    taken.add(best)
    return UnitOrder(withdraw=here.grid.labels[best])


WAYS: Final[Mapping[str, Callable[[Position, Unit, Taken], UnitOrder]]] = {
    "hold-and-fight": _hold_and_fight,
    "hold": _hold,
    "withdraw-if-able": _withdraw_if_able,
}
