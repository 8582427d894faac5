"""What did not reach persons, for the game master: whose it is, how and why, and of an address what its owner sees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import select

from app.engine.ruleset import Json
from app.referee import notices
from app.referee.access import master_only
from app.referee.rows import battle_row, loads, run
from app.referee.views import Viewer
from app.store.db import Database
from app.store.models import OUTBOX, SUBSCRIPTIONS

SHOWN = 20
SHOWN_FOR = timedelta(days=14)
_U, _O = SUBSCRIPTIONS.c, OUTBOX.c


@dataclass(frozen=True)
class Failure:
    """`seat` None: the game master's, or (`is_asker`) of somebody who asks for a seat. Of the place no more than `place`
    tells. `due_at` None: given up."""

    id: int
    seat: str | None
    kind: str
    place: str
    at: datetime
    due_at: datetime | None
    error: Mapping[str, Json]
    is_asker: bool = False


def failures(db: Database, battle_id: str, viewer: Viewer, now: datetime) -> tuple[Failure, ...]:
    """What did not reach persons of a battle of late, the newest first. Raises `RefereeError`: no-battle, not-yours."""
    query = (
        select(_O.id, _O.facts, _U.role, _U.seat, _U.kind, _U.place, _O.created_at, _O.due_at, _O.error)
        .join(SUBSCRIPTIONS, _U.id == _O.subscription_id)
        .where(_O.battle_id == battle_id, _O.done_at.is_(None), _O.error.is_not(None))
        .where(_O.created_at > now - SHOWN_FOR)
        .order_by(_O.id.desc())
        .limit(SHOWN)
    )
    with db.read() as session:
        master_only(battle_row(session, battle_id), viewer)
        return tuple(_failure(row) for row in run(session, query))


def _failure(row: Any) -> Failure:
    hears = loads(row.facts).get(notices.HEARS)
    seat = row.seat if hears is None else hears[-1] or None
    is_asker = row.role == "asking" or (row.role == "account" and hears is None)
    return Failure(row.id, seat, row.kind, row.place, row.created_at, row.due_at, loads(row.error), is_asker)
