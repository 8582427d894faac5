"""The form of a seat's orders: what was typed -> orders, orders -> what the form shows. For rulesets whose order of a unit
has the parts `shoot`, `melee`, `withdraw`, `move`, as `cohesion` has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from app.engine.ruleset import Json
from app.language import Translator
from app.web.deps import Fields

FORMS = frozenset({"cohesion"})
"""Rulesets with this form: their order of a unit has its parts, and their units stand in cards."""
PARTS = ("shoot", "fight", "move", "path", "hold")


@dataclass(frozen=True)
class Filled:
    """One unit's fields as they stand in the form."""

    shoot: str = ""
    fight: str = ""
    """`melee:UNIT` or `withdraw:CELL`."""
    move: str = ""
    """A path, cells joined by `-`, as it was offered."""
    path: str = ""
    """A path as it was typed."""
    hold: bool = False

    @property
    def is_empty(self) -> bool:
        return not (self.shoot or self.fight or self.move or self.path or self.hold)


@dataclass(frozen=True)
class Reading:
    """Fields as orders, and what stands against reading some of them, by unit and part."""

    orders: Json
    troubles: Mapping[tuple[str, str], str] = field(default_factory=dict)


def filled_by(fields: Fields, unit: str) -> Filled:
    return Filled(
        shoot=fields.line(f"shoot:{unit}"),
        fight=fields.line(f"fight:{unit}"),
        move=fields.line(f"move:{unit}"),
        path=fields.line(f"path:{unit}"),
        hold=fields.is_on(f"hold:{unit}"),
    )


def filled_from(order: Mapping[str, Any] | None, offered: tuple[str, ...]) -> Filled:
    """A saved order (None: none) in the form. A move that is not among those offered, or starts elsewhere after
    a withdrawal, stands as if it were typed."""
    if order is None:
        return Filled()
    melee, withdraw = order.get("melee"), order.get("withdraw")
    path = "-".join(order.get("move") or ())
    # What is offered starts from the unit's own cell: after a withdrawal the path stands as it was drawn.
    offered = () if withdraw else offered
    filled = Filled(
        shoot=order.get("shoot") or "",
        fight=f"melee:{melee}" if melee else f"withdraw:{withdraw}" if withdraw else "",
        move=path if path in offered else "",
        path="" if path in offered else path,
    )
    return Filled(hold=True) if filled.is_empty else filled


def read(filled: Mapping[str, Filled], words: Translator) -> Reading:
    """Orders of all units whose fields are not empty. A unit that holds has an order without parts."""
    orders: dict[str, Json] = {}
    troubles: dict[tuple[str, str], str] = {}
    for unit, form in filled.items():
        if form.is_empty:
            continue
        order: dict[str, Json] = {}
        if form.shoot:
            order["shoot"] = form.shoot
        kind, _, target = form.fight.partition(":")
        if target and kind in {"melee", "withdraw"}:
            order[kind] = target
        elif form.fight:
            troubles[unit, "fight"] = words.gettext("This cannot be chosen here.")
        if form.hold and (form.path or form.move):
            troubles[unit, "hold"] = words.gettext("It holds its ground and moves as well: choose one of the two.")
        elif form.path and form.move and form.path != form.move:
            troubles[unit, "move"] = words.gettext("One move is chosen and another one is written: leave one of them.")
        elif form.path:
            order["move"] = form.path
        elif form.move:
            # What is offered starts from the unit's own cell; after a withdrawal, a shortest way to the same cell is meant.
            order["move"] = form.move.rpartition("-")[2] if kind == "withdraw" else form.move
        orders[unit] = order
    return Reading(orders, troubles)
