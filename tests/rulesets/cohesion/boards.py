"""Positions for tests of `cohesion`, drawn in a few words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from app.engine.ruleset import Request
from app.geometry.hex import grid
from app.rulesets.cohesion.state import Board, Rulings, State
from app.rulesets.cohesion.types import start_unit, terrain_kinds, unit_types


def battle(
    units: Mapping[str, str],
    *,
    size: str = "9x9",
    layout: str = "pointy",
    terrain: Mapping[str, str] | None = None,
    changed: Mapping[str, Mapping[str, Any]] | None = None,
    seats: Mapping[str, str] | None = None,
    types: Mapping[str, Any] | None = None,
    **rulings: str,
) -> State:
    """`{"S1": "LM C5"}` -> a state at the opening of turn 1. Units whose id begins with N are north's, others south's;
    `changed` sets values of units; the seats are the sides, or those of `seats` (seat -> side, `changed` says whose)."""
    columns, rows = (int(number) for number in size.split("x"))
    board = Board(
        columns=columns,
        rows=rows,
        layout=layout,  # type: ignore[arg-type]
        home={"north": "top", "south": "bottom"},
        terrain={grid(columns, rows, layout).cell(label): kind for label, kind in (terrain or {}).items()},
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
