"""Boards, orders and rulings by chance: legal orders, orders sealed for another board, and plain nonsense."""

from __future__ import annotations

from random import Random
from typing import get_args, get_type_hints

import msgspec
from hypothesis import strategies as st

from app.engine.ruleset import Request
from app.geometry.hex import grid
from app.rulesets.cohesion.orderform import choose
from app.rulesets.cohesion.orders import Sheet, UnitOrder
from app.rulesets.cohesion.state import Board, Rulings, State
from app.rulesets.cohesion.types import start_unit, terrain_kinds, unit_types

SEATS = {"north-left": "north", "north": "north", "south": "south", "south-right": "south"}
SWITCHES = {name: get_args(kind) for name, kind in get_type_hints(Rulings).items()}


def random_state(chance: Random, *, columns: int, rows: int, units: int, layout: str = "pointy", wild: float = 0.3) -> State:
    """A battle under way: `wild` is the share of ground that is not open, and of units that are worn down."""
    board = Board(
        columns=columns,
        rows=rows,
        layout=layout,  # type: ignore[arg-type]
        home=dict(zip(("north", "south"), chance.sample(("top", "bottom", "left", "right"), 2), strict=True)),  # type: ignore[arg-type]
        terrain={},
        kinds=terrain_kinds(),
    )
    cells = list(range(columns * rows))
    chance.shuffle(cells)
    covered = chance.sample(cells, int(len(cells) * wild / 2))
    kinds = ("building", "rough", "impassable")
    board = msgspec.structs.replace(board, terrain={cell: chance.choice(kinds) for cell in sorted(covered)})
    shut = {cell for cell, kind in board.terrain.items() if kind == "impassable"}
    free = [cell for cell in cells if cell not in shut][: min(units, len(cells) - len(shut))]
    types = unit_types()
    made = {}
    for number, cell in enumerate(free):
        seat = chance.choice(tuple(SEATS))
        key = chance.choice(tuple(types))
        unit_id = f"{SEATS[seat][0].upper()}{number}"
        unit = start_unit(types[key], id=unit_id, type=key, side=SEATS[seat], seat=seat, at=cell)
        made[unit_id] = _worn(chance, unit) if chance.random() < wild else unit
    return State(
        turn=chance.randint(1, 30),
        board=board,
        types=types,
        units=made,
        points={"north": chance.randint(0, 5), "south": chance.randint(0, 5)},
        goal=chance.choice((6, 6, 200)),
        rulings=Rulings(**{name: chance.choice(values) for name, values in SWITCHES.items()}),
        seats=SEATS,
    )


def _worn(chance: Random, unit):  # type: ignore[no-untyped-def]
    cohesion = chance.choice((0, 0, 1, unit.cohesion))
    if unit.upper:
        upper, lower = chance.randint(1, unit.upper), chance.randint(0, unit.lower)
        return msgspec.structs.replace(unit, cohesion=cohesion, upper=upper, lower=lower, strength=upper + lower)
    return msgspec.structs.replace(unit, cohesion=cohesion, strength=chance.randint(1, unit.strength))


def legal_orders(chance: Random, state: State) -> dict[str, Sheet]:
    return {seat: choose(state, Request(id=seat, seat=seat, kind="orders"), chance.randrange) for seat in state.seats}


def stale_orders(chance: Random, state: State) -> dict[str, Sheet]:
    """Orders that were legal on another board of the same units, and some that never were."""
    cells = chance.sample(range(state.board.columns * state.board.rows), len(state.units))
    before = msgspec.structs.replace(
        state,
        units={
            unit.id: msgspec.structs.replace(unit, at=cell, cohesion=max(1, unit.cohesion))
            for unit, cell in zip(state.units.values(), cells, strict=True)
        },
        board=msgspec.structs.replace(state.board, terrain={}),
    )
    sheets = legal_orders(chance, before)
    return {seat: Sheet({**sheet.orders, **_nonsense(chance, state)}) for seat, sheet in sheets.items()}


def _nonsense(chance: Random, state: State) -> dict[str, UnitOrder]:
    labels, ids = (*state.board.grid.labels, "Z99", "", "?"), (*state.units, "X1")

    def some(values: tuple[str, ...]) -> str | None:
        return chance.choice(values) if chance.random() < 0.5 else None

    return {
        unit_id: UnitOrder(
            shoot=some(ids),
            melee=some(ids),
            withdraw=some(labels),
            move=tuple(chance.choice(labels) for _ in range(chance.randint(0, 6))),
        )
        for unit_id in chance.sample(ids, min(5, len(ids)))
    }


@st.composite
def battles(draw: st.DrawFn, *, most: int = 40) -> tuple[State, dict[str, Sheet]]:
    """A state and sheets for it, from small and crowded to 40x40 with 400 units."""
    columns, rows = draw(st.integers(2, most)), draw(st.integers(2, most))
    units = draw(st.integers(0, min(400, columns * rows)))
    chance = Random(draw(st.integers(0, 2**32)))
    state = random_state(
        chance,
        columns=columns,
        rows=rows,
        units=units,
        layout=draw(st.sampled_from(("pointy", "flat"))),
        wild=draw(st.sampled_from((0.0, 0.3, 0.7))),
    )
    make = draw(st.sampled_from((legal_orders, stale_orders)))
    return state, make(chance, state)


def cell_of(state: State, label: str) -> int:
    cell = grid(state.board.columns, state.board.rows, state.board.layout).cell(label)
    assert cell is not None, label
    return cell
