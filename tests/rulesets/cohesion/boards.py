"""Positions for tests of `cohesion`, drawn in a few words."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import msgspec

from app.engine.ruleset import Request
from app.geometry.hex import Layout, grid
from app.rulesets.cohesion.state import Board, Rulings, State
from app.rulesets.cohesion.types import start_unit, terrain_kinds, unit_types


def battle(
    units: Mapping[str, str],
    *,
    size: str = "9x9",
    layout: Layout = "pointy",
    terrain: Mapping[str, str] | None = None,
    changed: Mapping[str, Mapping[str, Any]] | None = None,
    seats: Mapping[str, str] | None = None,
    types: Mapping[str, Any] | None = None,
    **rulings: str,
) -> State:
    """`{"S1": "LM C5"}` -> a state at the opening of turn 1. Units whose id begins with N are north's, others south's;
    `changed` sets values of units; the seats are the sides, or those of `seats` (seat -> side, `changed` says whose)."""
    columns, rows = (int(number) for number in size.split("x"))
    cells = grid(columns, rows, layout)
    board = Board(
        columns=columns,
        rows=rows,
        layout=layout,
        home={"north": "top", "south": "bottom"},
        terrain={cell: kind for label, kind in (terrain or {}).items() if (cell := cells.cell(label)) is not None},
        kinds=terrain_kinds(),
    )
    known = unit_types() | dict(types or {})
    made = {}
    for unit_id, text in units.items():
        key, label = text.split()
        side = "north" if unit_id.startswith("N") else "south"
        cell = board.grid.cell(label)
        assert cell is not None, label
        unit = start_unit(known[key], id=unit_id, type=key, side=side, seat=side, at=cell)
        made[unit_id] = msgspec.structs.replace(unit, **dict((changed or {}).get(unit_id, {})))
    return State(
        turn=1,
        board=board,
        types=known,
        units=made,
        points={"north": 0, "south": 0},
        goal=6,
        rulings=Rulings(**rulings),
        seats=dict(seats or {"north": "north", "south": "south"}),
    )


def asked(seat: str = "south") -> Request:
    return Request(id=seat, seat=seat, kind="orders")


def random_battle(chance: Random) -> State:
    """Up to 24 units of all types on a board of chance, some of them hurt, some uncontrolled."""
    columns, rows = chance.randint(3, 12), chance.randint(3, 12)
    layout: Layout = chance.choice(("pointy", "flat"))
    labels = list(grid(columns, rows, layout).labels)
    chance.shuffle(labels)
    kinds = ("rough", "building", "impassable")
    ground = {labels.pop(): chance.choice(kinds) for _ in range(len(labels) // 5)}
    units, changed = {}, {}
    for number in range(min(len(labels), chance.randint(1, 24))):
        key = chance.choice(list(unit_types()))
        unit_id = f"{chance.choice('NS')}{number}"
        units[unit_id] = f"{key} {labels.pop()}"
        unit_type = unit_types()[key]
        values = {part: chance.randint(part == "upper", most) for part, most in unit_type.sections.items()}
        strength = sum(values.values()) if values else chance.randint(1, unit_type.strength)
        changed[unit_id] = {**values, "strength": strength, "cohesion": chance.randint(0, unit_type.cohesion_max)}
    return battle(units, size=f"{columns}x{rows}", layout=layout, terrain=ground, changed=changed)
