"""Section 5 of the rules: what is refused, by the first code of the list."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tests.rulesets.cohesion.second.army import RANGES, Troop
from tests.rulesets.cohesion.second.board import Cell

if TYPE_CHECKING:
    from tests.rulesets.cohesion.second.referee import Referee

Order = dict[str, Any]
STOPS = ("building", "rough")


def refusals(battle: Referee, unit_id: str, order: Order) -> dict[str, str]:
    unit = battle.troops.get(unit_id)
    if unit is None:
        return {"unit": "unknown-unit"}
    if unit.cohesion == 0:
        return {"unit": "uncontrolled"}
    withdrawal = _withdrawal(battle, unit, order)
    start = battle.field.cell[order["withdraw"]] if "withdraw" in order and withdrawal is None else unit.at
    found = {
        "shoot": _shot(battle, unit, order) if "shoot" in order else None,
        "melee": _blow(battle, unit, order["melee"]) if "melee" in order else None,
        "withdraw": withdrawal,
        "move": _move(battle, unit, start, order["move"]) if "move" in order else None,
    }
    return {part: code for part, code in found.items() if code is not None}


def _shot(battle: Referee, unit: Troop, order: Order) -> str | None:
    target, steps = battle.troops.get(order["shoot"]), len(order.get("move", ()))
    if target is None:
        return "target-gone"
    if target.side == unit.side:
        return "own-target"
    if unit.type not in RANGES:
        return "cannot-shoot"
    if steps > {"CC": 0, "PR": 1}.get(unit.type, 9):
        return "shooting-on-the-move"
    if len(battle.foes_beside(unit.at, unit.side)) > (0 if unit.type == "CC" else 1):
        return "enemies-adjacent"
    if battle.field.distance(unit.at, target.at) > RANGES[unit.type]:
        return "out-of-range"
    held, terrain = battle.holders(), battle.field.terrain
    crossed, *sides = battle.field.line(unit.at, target.at)

    def obstacles(cells: list[Cell]) -> int:
        return sum(cell in held or terrain.get(cell) == "building" for cell in cells)

    counted = obstacles(crossed) + min((obstacles(side) for side in sides if side), default=0)
    return "no-line-of-sight" if counted > (1 if unit.type == "CC" else 0) else None


def _blow(battle: Referee, unit: Troop, target_id: str) -> str | None:
    target = battle.troops.get(target_id)
    if target is None:
        return "target-gone"
    if target.side == unit.side:
        return "own-target"
    return None if target.at in battle.field.near[unit.at] else "not-adjacent"


def _withdrawal(battle: Referee, unit: Troop, order: Order) -> str | None:
    if "withdraw" not in order:
        return None
    if "melee" in order:
        return "withdraw-and-melee"
    if unit.type not in ("LM", "LR"):
        return "cannot-withdraw"
    two, one = ways_back(battle, unit)
    if not two and not one:
        return "withdraw-blocked"
    return None if battle.field.cell.get(order["withdraw"]) in (two or one) else "withdraw-not-back"


def ways_back(battle: Referee, unit: Troop) -> tuple[dict[Cell, tuple[Cell, ...]], list[Cell]]:
    """WITHDRAW-2: the last cells of two steps back, each with its first way, and the cells of one step, on the board as it
    stands."""
    field, held = battle.field, battle.holders()
    home = field.home[unit.side]

    def back(cell: Cell) -> list[Cell]:
        return [x for x in field.near[cell] if home[x] == home[cell] - 1 and field.terrain.get(x) != "impassable"]

    two: dict[Cell, tuple[Cell, ...]] = {}
    for first in back(unit.at):
        if field.terrain.get(first) not in STOPS and (first not in held or unit.may_pass(held[first])):
            for last in back(first):
                if last not in held:
                    two.setdefault(last, (first, last))
    return {last: two[last] for last in sorted(two)}, sorted(cell for cell in back(unit.at) if cell not in held)


def _move(battle: Referee, unit: Troop, start: Cell, path: list[str]) -> str | None:
    field = battle.field
    if any(name not in field.cell for name in path):
        return "off-board"
    cells = [start, *(field.cell[name] for name in path)]
    if len(set(cells)) < len(cells) or any(b not in field.near[a] for a, b in pairwise(cells)):
        return "path-broken"
    if len(path) > (2 if unit.type == "PR" else unit.speed):
        return "path-too-long"
    if any(field.terrain.get(cell) == "impassable" for cell in cells[1:]):
        return "path-impassable"
    return "path-must-stop" if any(field.terrain.get(cell) in STOPS for cell in cells[1:-1]) else None
