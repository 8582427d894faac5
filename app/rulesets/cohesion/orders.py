"""What a player seals: an order for each unit. Cells are labels, as they are written."""

from __future__ import annotations

import msgspec


class UnitOrder(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """ORDER-1. All parts empty: hold. `move` names the cells entered, without the cell of departure (ORDER-2)."""

    shoot: str | None = None
    melee: str | None = None
    withdraw: str | None = None
    move: tuple[str, ...] = ()


HOLD = UnitOrder()


class Sheet(msgspec.Struct, frozen=True):
    """A seat's orders for a turn, by unit. A unit that is not named is silent (ORDER-6)."""

    orders: dict[str, UnitOrder] = {}


class UnitOptions(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a unit may choose on the board as it stands (ORDER-3). Cells are labels; `move` holds a shortest path to
    each cell in reach, nearest first. Where one choice forbids another, `check` tells."""

    id: str
    shoot: tuple[str, ...] = ()
    melee: tuple[str, ...] = ()
    withdraw: tuple[str, ...] = ()
    move: tuple[tuple[str, ...], ...] = ()
