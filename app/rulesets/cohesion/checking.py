"""Whether orders may be sealed on the board as it stands (ORDER-3), with the codes of section 5 of the rules."""

from __future__ import annotations

from app.engine.ruleset import Problem, Request
from app.rulesets.cohesion.formula import evaluate
from app.rulesets.cohesion.orders import Sheet, UnitOrder
from app.rulesets.cohesion.position import Position, is_passable, position
from app.rulesets.cohesion.sight import obstacles
from app.rulesets.cohesion.state import State, Unit
from app.rulesets.cohesion.ways import reach, withdrawals

Params = dict[str, str | int]


def check(state: State, request: Request, sheet: Sheet) -> tuple[Problem, ...]:
    """Every refusal and every warning of a seat's sheet, fields `(unit, part)`. What is wrong with the unit itself (part
    `unit`) is told alone; of each other part the first refusal in the order of the rules."""
    here = position(state)
    units = state.units
    found: list[Problem] = []
    ends: dict[str, tuple[str, str]] = {}
    for unit_id, order in sheet.orders.items():
        unit = units.get(unit_id)
        if unit is None:
            found.append(Problem("unknown-unit", (unit_id, "unit"), {"unit": unit_id}))
        elif unit.seat != request.seat:
            found.append(Problem("not-yours", (unit_id, "unit"), {"unit": unit_id, "seat": unit.seat}))
        elif unit.cohesion == 0:
            found.append(Problem("uncontrolled", (unit_id, "unit"), {"unit": unit_id}))
        elif order.shoot or order.melee or order.withdraw or order.move:
            refused = _order(here, unit, order)
            found += refused or _warnings(here, unit, order)
            if not refused and (order.move or order.withdraw):
                end = order.move[-1] if order.move else order.withdraw or ""
                ends[unit_id] = end, "move" if order.move else "withdraw"
    if len(ends) > 1:
        found += _same_cells(ends)
    return tuple(found)


def _order(here: Position, unit: Unit, order: UnitOrder) -> list[Problem]:
    found: list[Problem] = []
    if order.shoot:
        refusal = shot_refusal(here, unit, order, order.shoot)
        if refusal is not None:
            found.append(_problem(unit, "shoot", refusal))
    if order.melee:
        refusal = blow_refusal(here, unit, order.melee)
        if refusal is not None:
            found.append(_problem(unit, "melee", refusal))
    start = unit.at
    if order.withdraw:
        refusal = _withdraw(here, unit, order, order.withdraw)
        if refusal is not None:
            found.append(_problem(unit, "withdraw", refusal))
        else:
            start = here.grid.cells[order.withdraw]
    if order.move:
        refusal = _move(here, unit, start, order.move)
        if refusal is not None:
            found.append(_problem(unit, "move", refusal))
    return found


def shot_refusal(here: Position, unit: Unit, order: UnitOrder, target_id: str) -> tuple[str, Params] | None:
    """Why a shot is refused on this board, with the numbers behind it; None: it is not."""
    target = here.state.units.get(target_id)
    if target is None:
        return "target-gone", {"target": target_id}
    if target.side == unit.side:
        return "own-target", {"target": target_id}
    shooting = here.types[unit.type].shooting
    if shooting is None:
        return "cannot-shoot", {"type": unit.type}
    steps = len(order.move)
    if steps and (shooting.moving is None or (shooting.moving_steps is not None and steps > shooting.moving_steps)):
        return "shooting-on-the-move", {"steps": steps, "most": 0 if shooting.moving is None else shooting.moving_steps or 0}
    beside = len(here.enemies_beside(unit.at, unit.side))
    if beside > shooting.adjacent_enemies:
        return "enemies-adjacent", {"count": beside, "most": shooting.adjacent_enemies}
    distance = here.grid.distance(unit.at, target.at)
    if distance > shooting.range:
        return "out-of-range", {"target": target_id, "distance": distance, "range": shooting.range}
    in_the_way = obstacles(here, unit.at, target.at)
    if in_the_way > shooting.ignores:
        return "no-line-of-sight", {"target": target_id, "obstacles": in_the_way, "ignores": shooting.ignores}
    return None


def blow_refusal(here: Position, unit: Unit, target_id: str) -> tuple[str, Params] | None:
    """Why an attack in melee is refused on this board; None: it is not."""
    target = here.state.units.get(target_id)
    if target is None:
        return "target-gone", {"target": target_id}
    if target.side == unit.side:
        return "own-target", {"target": target_id}
    if here.types[unit.type].melee is None:
        return "cannot-fight", {"type": unit.type}
    if target.at not in here.grid.neighbours[unit.at]:
        return "not-adjacent", {"target": target_id, "distance": here.grid.distance(unit.at, target.at)}
    return None


def _withdraw(here: Position, unit: Unit, order: UnitOrder, label: str) -> tuple[str, Params] | None:
    if order.melee:
        return "withdraw-and-melee", {}
    if not here.types[unit.type].withdraws:
        return "cannot-withdraw", {"type": unit.type}
    cells = withdrawals(here, unit)
    if not cells:
        return "withdraw-blocked", {}
    if here.grid.cell(label) not in cells:
        return "withdraw-not-back", {"cell": label, "cells": ", ".join(here.grid.labels[cell] for cell in cells)}
    return None


def _move(here: Position, unit: Unit, start: int, path: tuple[str, ...]) -> tuple[str, Params] | None:
    grid, ground = here.grid, here.ground
    numbers, neighbours = grid.cells, grid.neighbours
    cells: list[int] = []
    for label in path:
        cell = numbers.get(label)
        if cell is None:
            return "off-board", {"cell": label}
        cells.append(cell)
    before, entered = start, [start]
    for cell in cells:
        if cell not in neighbours[before] or cell in entered:
            return "path-broken", {"cell": grid.labels[cell], "before": grid.labels[before]}
        entered.append(cell)
        before = cell
    most = reach(here, unit)
    if len(cells) > most:
        return "path-too-long", {"steps": len(cells), "speed": most}
    if not ground.shut.isdisjoint(cells):
        return "path-impassable", {"cell": next(grid.labels[cell] for cell in cells if cell in ground.shut)}
    for cell in cells[:-1]:
        if cell in ground.stop:
            return "path-must-stop", {"cell": grid.labels[cell]}
    return None


def _warnings(here: Position, unit: Unit, order: UnitOrder) -> list[Problem]:
    found: list[Problem] = []
    unit_type = here.types[unit.type]
    if order.shoot and unit_type.shooting is not None:
        dice = unit_type.shooting.moving if order.move else unit_type.shooting.dice
        if dice is not None and evaluate(dice, unit) == 0:
            found.append(_problem(unit, "shoot", ("no-dice", {}), warning=True))
    if order.melee and unit_type.melee is not None and evaluate(unit_type.melee.dice, unit) == 0:
        found.append(_problem(unit, "melee", ("no-dice", {}), warning=True))
    if order.move:
        found += _move_warnings(here, unit, order.move)
    return found


def _move_warnings(here: Position, unit: Unit, path: tuple[str, ...]) -> list[Problem]:
    found: list[Problem] = []
    numbers, held = here.grid.cells, here.held
    cells = [numbers[label] for label in path]
    for cell in cells:
        holder = held.get(cell) if cell != unit.at else None
        if holder is not None and (cell == cells[-1] or not is_passable(here.types, unit, holder)):
            told: Params = {"cell": here.grid.labels[cell], "holder": holder.id}
            found.append(_problem(unit, "move", ("cell-held-now", told), warning=True))
            break
    unit_type = here.types[unit.type]
    charges = unit_type.charge_speed is not None and len(path) > evaluate(unit_type.speed, unit)
    if charges and not here.enemies_beside(cells[-1], unit.side):
        found.append(_problem(unit, "move", ("no-enemy-to-charge", {"cell": path[-1]}), warning=True))
    return found


def _same_cells(ends: dict[str, tuple[str, str]]) -> list[Problem]:
    by_cell: dict[str, list[str]] = {}
    for unit_id, (cell, _) in ends.items():
        by_cell.setdefault(cell, []).append(unit_id)
    return [
        Problem("same-cell", (unit_id, ends[unit_id][1]), {"unit": unit_id, "cell": cell, "other": other}, True)
        for cell, unit_ids in by_cell.items()
        if len(unit_ids) > 1
        for unit_id in unit_ids
        for other in [next(one for one in unit_ids if one != unit_id)]
    ]


def _problem(unit: Unit, part: str, told: tuple[str, Params], *, warning: bool = False) -> Problem:
    code, params = told
    return Problem(code, (unit.id, part), {"unit": unit.id, **params}, warning)
