"""The address that somebody gives with his ticket: the answer goes there, and, once he has a seat, what is told of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from app.referee import askingrows, consent, granting, notices, subscriptions
from app.referee.askingrows import Asker
from app.referee.errors import RefereeError
from app.referee.rows import run
from app.referee.subscriptions import Wishes
from app.reports.noticewords import TOPICS
from app.store.db import Database
from app.store.models import SUBSCRIPTIONS

TOLD = tuple(topic for topic in TOPICS if topic != "desk")
_U = SUBSCRIPTIONS.c


@dataclass(frozen=True)
class AskerWay:
    """`place`: the masked address. `is_confirmed`: its owner has said yes."""

    place: str
    is_confirmed: bool


def of_asker(db: Database, ticket: str) -> AskerWay | None:
    """Where the answer goes; None: nowhere, or he has a seat already. Raises `RefereeError("no-asking")`."""
    with db.read() as session:
        asking = askingrows.row_of(session, Asker(ticket=ticket))
        row = run(session, select(_U.place, _U.confirm).where(*_his(asking.id))).first()
    return None if row is None else AskerWay(row.place, row.confirm is None)


def tell_there(db: Database, ticket: str, address: str, now: datetime, *, language: str) -> None:
    """The answer is to go to an address, and no more to another that he gave before. A letter asks there whether it may.
    Raises `kinds.BadTarget`, `RefereeError`: no-asking, asking-over, too-often (letters to that address)."""
    with db.write() as session:
        asking, battle = askingrows.held(session, Asker(ticket=ticket))
        if asking.status not in askingrows.LIVE or granting.granted(session, asking.id):
            raise RefereeError("asking-over")
        _end(session, asking.id)
        place = subscriptions.address_of({"address": address})
        owner = {"role": "asking", "battle_id": battle.id, "asking_id": asking.id}
        wishes = Wishes(language, battle.zone, TOLD)
        made = subscriptions.insert_way(session, owner, "mail", place, wishes, now, asks=True)
        consent.ask(session, made, place.target["address"], now, battle=battle)


def tell_nowhere(db: Database, ticket: str) -> None:
    """The address is forgotten. Raises `RefereeError("no-asking")`."""
    with db.write() as session:
        asking, _battle = askingrows.held(session, Asker(ticket=ticket))
        _end(session, asking.id)


def _end(session: Session, asking_id: int) -> None:
    notices.end(session, run(session, select(_U.id).where(*_his(asking_id))).scalars().all())


def _his(asking_id: int) -> tuple[ColumnElement[bool], ...]:
    return _U.role == "asking", _U.asking_id == asking_id
