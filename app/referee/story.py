"""What has happened to one unit in the turns that are published."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from app.engine.events import Event
from app.engine.ruleset import Json
from app.referee.access import is_judge, seat_of
from app.referee.rows import battle_row, loads
from app.referee.views import Viewer
from app.store.db import Database
from app.store.models import Events, Turn


@dataclass(frozen=True)
class Chapter:
    """The events of one turn that name the unit, in order, as far as the viewer is told them."""

    turn: int
    events: tuple[Event, ...]


def of_unit(db: Database, battle_id: str, unit: str, viewer: Viewer) -> tuple[Chapter, ...]:
    """A unit's turns, oldest first; of a turn under review nothing, to nobody. Raises `RefereeError`: no-battle."""
    with db.read() as session:
        battle = battle_row(session, battle_id)
        rows = session.execute(
            select(Events.turn, Events.body)
            .join(Turn, (Turn.battle_id == Events.battle_id) & (Turn.turn == Events.turn))
            .where(Events.battle_id == battle_id, Turn.published_at.is_not(None))
            .order_by(Events.turn)
        ).all()
    seat = None if is_judge(battle, viewer) else seat_of(battle, viewer)
    told = []
    for turn, body in rows:
        events = [battle.ruleset.load_event(event) for event in loads(body) if _names(event, unit)]
        known = [event for event in events if _is_told(battle.ruleset.audience(event), seat, is_judge(battle, viewer))]
        if known:
            told.append(Chapter(turn, tuple(known)))
    return tuple(told)


def _is_told(audience: frozenset[str] | None, seat: str | None, by_master: bool) -> bool:
    return by_master or audience is None or seat in audience


def _names(event: Json, unit: str) -> bool:
    return any(value == unit or (isinstance(value, list) and unit in value) for value in _values(event))


def _values(event: Json) -> Any:
    return event.values() if isinstance(event, dict) else ()
