"""Who stands where, worked out once for a state and then asked many times."""

from __future__ import annotations

from typing import Final

from app.geometry.hex import Grid
from app.rulesets.cohesion.state import Board, State, Unit, UnitType

_KEPT: Final = 8


class Ground:
    """What the ground of a board allows: cells that nobody enters, where a move must end, that block sight, that halve
    the dice of melee, that make a unit of special toughness."""

    __slots__ = ("blind", "board", "grid", "half", "home", "shut", "special", "stop")

    def __init__(self, board: Board) -> None:
        self.board = board
        self.grid: Grid = board.grid
        kinds = board.kinds
        shut = {key for key, kind in kinds.items() if not kind.enter}
        stop = {key for key, kind in kinds.items() if kind.must_stop}
        blind = {key for key, kind in kinds.items() if kind.blocks_sight}
        half = {key for key, kind in kinds.items() if kind.half_melee}
        special = {key for key, kind in kinds.items() if kind.special_toughness}
        self.shut = frozenset(cell for cell, kind in board.terrain.items() if kind in shut)
        self.stop = frozenset(cell for cell, kind in board.terrain.items() if kind in stop)
        self.blind = frozenset(cell for cell, kind in board.terrain.items() if kind in blind)
        self.half = frozenset(cell for cell, kind in board.terrain.items() if kind in half)
        self.special = frozenset(cell for cell, kind in board.terrain.items() if kind in special)
        self.home = {side: self.grid.edge_distance(edge) for side, edge in board.home.items()}


class Position:
    """A state with its units by cell. `opaque`: cells that hold an obstacle to sight (SHOOT-2)."""

    __slots__ = ("grid", "ground", "held", "opaque", "state", "types")

    def __init__(self, state: State) -> None:
        self.state = state
        self.types = state.types
        self.ground = ground(state.board)
        self.grid = self.ground.grid
        self.held: dict[int, Unit] = {unit.at: unit for unit in state.units.values()}
        self.opaque: frozenset[int] = self.ground.blind.union(self.held)

    def enemies_beside(self, cell: int, side: str) -> list[Unit]:
        """Enemies of a side adjacent to a cell, uncontrolled ones too, in canonical order of their cells."""
        held = self.held
        return [held[near] for near in self.grid.neighbours[cell] if near in held and held[near].side != side]


def is_passable(types: dict[str, UnitType], mover: Unit, holder: Unit) -> bool:
    """Whether `mover` may pass over the cell that `holder` holds (UNIT-5, PH)."""
    if holder.cohesion == 0 or types[mover.type].passes == "all":
        return True
    passable = types[holder.type].passable
    return passable == "all" or (passable == "own" and holder.side == mover.side)


# States and boards are never changed in place, so a value made for one holds as long as it is the same object. A few
# are kept, with the object itself so that its address is not used again. Replacing a tuple is safe between threads.
_positions: tuple[Position, ...] = ()
_grounds: tuple[Ground, ...] = ()


def position(state: State) -> Position:
    """The state's position; the same value while the same state is asked about."""
    global _positions
    for kept in _positions:
        if kept.state is state:
            return kept
    made = Position(state)
    _positions = (made, *_positions[: _KEPT - 1])
    return made


def ground(board: Board) -> Ground:
    """The board's ground; the same value while the same board, or one just like it, is asked about: each turn of a battle
    comes out of the database with a board of its own."""
    global _grounds
    for kept in _grounds:
        if kept.board is board or kept.board == board:
            return kept
    made = Ground(board)
    _grounds = (made, *_grounds[: _KEPT - 1])
    return made
