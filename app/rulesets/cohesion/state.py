"""The state of a battle under `cohesion`: frozen values. Cells are numbers, `row * columns + column`."""

from __future__ import annotations

from typing import Literal

import msgspec

from app.geometry.hex import Grid, Layout, grid

Power = Literal["ordinary", "terrifying"]
Edge = Literal["top", "bottom", "left", "right"]
Phase = Literal["shooting", "melee", "withdrawal", "movement", "recovery"]
Texts = dict[str, str]
"""A text by language."""


class Terrain(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A kind of ground (TERRAIN-1 to TERRAIN-3), built in or a scenario's own."""

    name: Texts
    must_stop: bool = False
    half_melee: bool = False
    special_toughness: bool = False
    blocks_sight: bool = False
    enter: bool = True
    colour: str | None = None


class Toughness(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """UNIT-3. `ordinary_counts="second"`: attacks of ordinary power count only the second threshold (WS)."""

    first: int
    second: int
    special: bool = False
    ordinary_counts: Literal["both", "second"] = "both"


class Shooting(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How a type shoots. Dice are formulas. `moving` None: not on the move; `moving_steps`: only with a move of
    so many steps at most (PR)."""

    range: int
    dice: str
    moving: str | None = None
    moving_steps: int | None = None
    power: Power = "ordinary"
    ignores: int = 0
    adjacent_enemies: int = 1
    """With more enemies adjacent than this it does not shoot: 1 by SHOOT-6, 0 for the catapult carts."""


class Melee(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    dice: str
    power: Power = "ordinary"


class UnitType(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """All that a type is and can do: the form of a scenario's `types`, after reading.

    `sections` (WS): the parts of its strength in the order in which a form names them, `strength` being their sum.
    `charge_speed`: the steps of a move that ends adjacent to an enemy, `retreat_speed`: of a retreat (PR).
    """

    name: Texts
    code: Texts
    strength: int
    cohesion_max: int
    cohesion_start: int
    toughness: Toughness
    speed: str
    sections: dict[str, int] = {}
    charge_speed: str | None = None
    retreat_speed: str | None = None
    shooting: Shooting | None = None
    melee: Melee | None = None
    withdraws: bool = False
    passes: Literal["none", "all"] = "none"
    """Through whose cells it moves (PH: all)."""
    passable: Literal["none", "own", "all"] = "none"
    """Who moves through its cell (PH: its own side)."""
    value: int = 1
    gender: Literal["m", "f", "n"] = "m"
    """Of the Russian name, for verbs in reports."""
    symbol: str = ""
    """The mark on its counter, a key of the drawing."""


class Unit(msgspec.Struct, frozen=True, gc=False):
    """A unit as it stands. For a type with sections `strength` is upper + lower."""

    id: str
    type: str
    side: str
    seat: str
    at: int
    strength: int
    cohesion: int
    upper: int = 0
    lower: int = 0


class Board(msgspec.Struct, frozen=True):
    """BOARD-1 to BOARD-4, and the ground: only cells that are not open stand in `terrain`."""

    columns: int
    rows: int
    layout: Layout
    home: dict[str, Edge]
    terrain: dict[int, str]
    kinds: dict[str, Terrain]

    @property
    def grid(self) -> Grid:
        return grid(self.columns, self.rows, self.layout)


class Rulings(msgspec.Struct, frozen=True, rename="kebab", forbid_unknown_fields=True):
    """The switches, with their defaults."""

    missing_orders: Literal["holds", "fights"] = "holds"
    reroll: Literal["any", "counted"] = "any"
    second_only: Literal["strength", "both"] = "strength"
    credit: Literal["all", "most"] = "all"
    uncontrolled_catch: Literal["no", "yes"] = "no"
    caught_rout: Literal["bleeds", "exempt"] = "bleeds"
    tie: Literal["draw", "on"] = "draw"


class State(msgspec.Struct, frozen=True):
    """A battle between two turns. `turn` is the turn whose orders are awaited; units that are destroyed are gone.

    `seats` maps each seat to its side, in the order of the seats. Dicts are never changed in place.
    """

    turn: int
    board: Board
    types: dict[str, UnitType]
    units: dict[str, Unit]
    points: dict[str, int]
    goal: int
    rulings: Rulings
    seats: dict[str, str]
    winner: str | None = None
