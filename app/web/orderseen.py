"""A seat and its orders as their holder may see them, and what he has just tried."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from app.engine.ruleset import AnyRuleset, Fault, Json, Problem, Request
from app.referee import battles, doctrines, orders
from app.referee.errors import RefereeError
from app.referee.turnviews import Receipt, SheetView, Understood
from app.referee.views import BattleView, SeatView, Viewer
from app.web.context import Frame
from app.web.deps import Fields, House
from app.web.ordertext import (
    Together,
)

MOST_LOOKS = 4
"""So often a battle is looked at again that goes on while it is looked at."""


@dataclass(frozen=True)
class Attempt:
    """What somebody has just tried. `told`: `saved`, or the code of a refusal, or nothing."""

    told: str = ""
    fields: Fields | None = None
    places: Mapping[tuple[str, str], list[str]] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()
    sentence: str = ""
    taken: Together | None = None
    """The form and its text as they were read together."""
    understood: Understood | None = None
    """What of that the rules say, told `read`."""
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class Seen:
    """A seat as its holder, or the game master for him, may see it."""

    frame: Frame
    battle: BattleView
    seat: SeatView
    viewer: Viewer
    request: Request | None
    options: Json
    order: Any
    """The saved answer as the ruleset's value; None: nothing saved, or not to be seen."""
    orders: Json
    receipt: Receipt | None
    entered_at: datetime | None
    doctrine: str = ""
    """The seat's own."""

    @property
    def ruleset(self) -> AnyRuleset:
        return self.battle.ruleset

    @property
    def offered(self) -> dict[str, tuple[str, ...]]:
        """The moves that the form offers, by unit."""
        return {entry["id"]: tuple("-".join(way) for way in entry["options"]["move"]) for entry in self.options}

    @property
    def revision(self) -> int:
        return self.seat.revision


def _awaited(house: House, battle_id: str, seat: str, viewer: Viewer) -> tuple[BattleView, SeatView, Request | None]:
    """The battle, the seat, and what is asked of it."""
    battle = battles.battle(house.db, battle_id, viewer, house.now())
    mine = next((s for s in battle.seats if s.seat == seat), None)
    if mine is None:
        raise RefereeError("no-seat")
    if battle.status in {"review", "over"}:
        return battle, mine, None
    return battle, mine, next((r for r in battle.ruleset.requests(battle.state) if r.seat == seat), None)


def see(house: House, frame: Frame, battle_id: str, seat: str, viewer: Viewer) -> Seen:
    """Raises `RefereeError`: no-battle, no-seat, not-yours."""
    battle, mine, request = _awaited(house, battle_id, seat, viewer)
    sheet: SheetView | None = None
    own: doctrines.Standing | None = None
    if viewer.kind == "seat":
        for _ in range(MOST_LOOKS):
            sheet = orders.sheet(house.db, battle_id, seat, viewer)
            if (sheet.turn, sheet.revision, sheet.request is None) == (battle.turn, mine.revision, request is None):
                break
            # the battle went on between the two
            battle, mine, request = _awaited(house, battle_id, seat, viewer)
        else:
            raise RefereeError("stale")
        own = doctrines.own(house.db, battle_id, seat, viewer)
    order = battle.ruleset.load_order(sheet.orders) if sheet and request and sheet.revision else None
    return Seen(
        frame=frame,
        battle=battle,
        seat=mine,
        viewer=viewer,
        request=request,
        options=battle.ruleset.options_json(battle.state, request) if request else [],
        order=order,
        orders=battle.ruleset.dump_order(order) if order is not None else {},
        receipt=sheet.receipt if sheet else None,
        entered_at=sheet.entered_at if sheet else None,
        doctrine=own.doctrine if own else "",
    )
