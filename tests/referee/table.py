"""A battle laid out for a test: its keys turned into viewers, its usual acts in a word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select

from app.referee import battles, keys, orders, turns
from app.referee.turnviews import Entered
from app.referee.views import PUBLIC, BattleView, NewBattle, Viewer
from app.store.db import Database
from app.store.models import Events, State, Turn
from app.store.models import Table as Tables
from tests.referee import guessing
from tests.times import NOW


@dataclass(frozen=True)
class Table:
    db: Database
    new: NewBattle
    master: Viewer
    seats: Mapping[str, Viewer]

    @property
    def id(self) -> str:
        return self.new.id

    def show(self, viewer: Viewer = PUBLIC, now: datetime = NOW) -> BattleView:
        return battles.battle(self.db, self.id, viewer, now)

    def enter(self, seat: str, number: int, *, now: datetime = NOW, by: Viewer | None = None, **given: Any) -> Entered:
        """Enters a guess for the open turn upon the seat's last revision, unless told otherwise."""
        shown = self.show(now=now)
        last = next(view.revision for view in shown.seats if view.seat == seat)
        given = {"turn": shown.turn, "revision": last, **given}
        return orders.enter(self.db, self.id, seat, by or self.seats[seat], fields={"number": number}, now=now, **given)

    def ready(self, seat: str, *, now: datetime = NOW, is_ready: bool = True) -> bool:
        turn = self.show(now=now).turn
        return orders.set_ready(self.db, self.id, seat, self.seats[seat], turn=turn, ready=is_ready, now=now)

    def resolve(self, now: datetime = NOW) -> None:
        turns.resolve_now(self.db, self.id, self.master, turn=self.show(now=now).turn, now=now)


def lay(db: Database, mode: str = "together", *, scenario: Mapping[str, Any] | None = None, **given: Any) -> Table:
    """A new battle of `guessing`. `scenario`: what its scenario has otherwise; the rest goes to `battles.create`."""
    told = guessing.scenario(mode, **(scenario or {}))
    new = battles.create(db, scenario=told, **{"now": NOW, **given})
    seats = {seat: keys.viewer_by_key(db, key) for seat, key in new.seat_keys.items()}
    return Table(db, new, keys.viewer_by_key(db, new.master_key), seats)


def everything(db: Database) -> dict[str, list[Any]]:
    """All rows of all tables: to see that nothing has changed."""
    with db.read() as session:
        return {
            name: sorted(map(repr, session.execute(select(table)).all())) for name, table in Tables.metadata.tables.items()
        }


def rows_of_turns(db: Database) -> dict[str, list[int]]:
    """Which turns have their rows: one resolution more would show."""
    with db.read() as session:
        return {
            table.__tablename__: list(session.execute(select(table.turn).order_by(table.turn)).scalars())
            for table in (Turn, State, Events)
        }
