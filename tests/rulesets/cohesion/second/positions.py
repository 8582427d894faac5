"""Positions by chance, crowded and wild, with orders most of which may be sealed."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.rulesets.cohesion.second.army import KINDS, Troop
from tests.rulesets.cohesion.second.board import label
from tests.rulesets.cohesion.second.referee import Referee
from tests.rulesets.cohesion.second.sheet import Order, refusals, ways_back

HOMES = (("top", "bottom"), ("bottom", "top"), ("left", "right"), ("right", "left"), ("top", "left"))
OTHERWISE = {
    "missing-orders": "fights",
    "reroll": "counted",
    "second-only": "both",
    "credit": "most",
    "uncontrolled-catch": "yes",
    "caught-rout": "exempt",
    "tie": "on",
}


def random_case(chance: Random) -> dict[str, Any]:
    columns, rows, goal = chance.randint(3, 9), chance.randint(3, 9), chance.choice((1, 2, 3, 6))
    cells = [label((row, column)) for row in range(rows) for column in range(columns)]
    chance.shuffle(cells)
    ground = ("building", "rough", "impassable")
    terrain = {cell: chance.choice(ground) for cell in cells if chance.random() < 0.15}
    free = [cell for cell in cells if terrain.get(cell) != "impassable"]
    count = max(2, int(len(free) * chance.choice((0.2, 0.4, 0.7))))
    case = {
        "case": "by-chance",
        "board": {
            "size": f"{columns}x{rows}",
            "layout": chance.choice(("pointy", "flat")),
            "home": dict(zip(("north", "south"), chance.choice(HOMES), strict=True)),
            "terrain": terrain,
        },
        "turn": chance.randint(1, 12),
        "goal": goal,
        "points": {side: chance.randrange(goal) if chance.random() < 0.3 else 0 for side in ("north", "south")},
        "rulings": {ruling: value for ruling, value in OTHERWISE.items() if chance.random() < 0.4},
        "units": dict(_unit(chance, number, cell) for number, cell in enumerate(free[:count])),
        "seed": chance.randbytes(8).hex(),
        "orders": {},
    }
    battle = Referee(case)
    for troop in battle.troops.values():
        if chance.random() < 0.9:
            case["orders"][troop.id] = _order(chance, battle, troop)
    return case


def _unit(chance: Random, number: int, cell: str) -> tuple[str, dict[str, Any]]:
    side = chance.choice(("north", "south"))
    key = chance.choice((*KINDS, "LM", "LM", "LR", "LR", "PR"))
    form: dict[str, Any] = {"type": key, "side": side, "at": cell}
    if chance.random() < 0.5:
        form["cohesion"] = chance.choice((0, 0, 1, 1, 2, 3))
    if chance.random() < 0.5 and key == "WS":
        form |= {"upper": chance.randint(1, 6), "lower": chance.randint(0, 6)}
    elif chance.random() < 0.5 and key != "WS":
        form["strength"] = chance.randint(1, KINDS[key].strength)
    return f"{side[0].upper()}{number}", form


def _order(chance: Random, battle: Referee, troop: Troop) -> Order:
    """Of a few orders by chance the first that is not refused, mostly."""
    order: Order = {}
    for _ in range(6):
        order = _any_order(chance, battle, troop)
        if chance.random() < 0.1 or not refusals(battle, troop.id, order):
            break
    return order


def _any_order(chance: Random, battle: Referee, troop: Troop) -> Order:
    field, order = battle.field, Order()
    foes = [foe for foe in battle.troops.values() if foe.side != troop.side]
    if foes and chance.random() < 0.6:
        order["shoot"] = chance.choice(sorted(foes, key=lambda foe: field.distance(troop.at, foe.at))[:3]).id
    beside, start = battle.foes_beside(troop.at, troop.side), troop.at
    two, one = ways_back(battle, troop)
    if troop.type in ("LM", "LR") and (two or one) and chance.random() < 0.6:
        start = chance.choice(list(two) or one)
        order["withdraw"] = field.label[start]
    elif beside and chance.random() < 0.7:
        order["melee"] = chance.choice(beside).id
    if chance.random() < 0.75:
        order["move"] = []
        for _ in range(chance.randint(1, max(1, 2 if troop.type == "PR" else troop.speed))):
            start = chance.choice(field.near[start])
            order["move"].append(field.label[start])
    if chance.random() < 0.04:
        wrong = ("ZZ", troop.id, field.label[troop.at], *(foe.id for foe in foes[:1]))
        order[chance.choice(("shoot", "melee", "withdraw"))] = chance.choice(wrong)
    if chance.random() < 0.03:
        order["move"] = ["Q40"]
    return order
