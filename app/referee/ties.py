"""Ties: where a battle's turns are posted by themselves, and how that went. For the game master. That it is
tied, to what kind of place, and what was posted, is told to all; the place itself to nobody else."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from urllib.parse import urlsplit

from sqlalchemy import and_, bindparam, delete, func, insert, select, update
from sqlalchemy.orm import Session

from app.engine.ruleset import Json
from app.language import LANGUAGES
from app.posting import kinds
from app.referee import outbox
from app.referee.access import master_only
from app.referee.errors import RefereeError
from app.referee.logbook import note
from app.referee.rows import BattleRow, battle_row, dumps, loads, locked, run
from app.referee.views import Viewer
from app.reports.tree import LENGTHS
from app.store.db import Database
from app.store.models import OUTBOX, TIES

MOST_TIES = 8
SENT_SHOWN = 5
TRIAL_PAUSE = timedelta(minutes=1)
"""Between two trials of a tie: nobody is to flood a forum from here."""


@dataclass(frozen=True)
class Sent:
    """A thing of the outbox, as the desk shows it. `error`: code and parameters of the last failure."""

    id: int
    what: str
    turn: int | None
    state: Literal["done", "waiting", "trying", "failed"]
    at: datetime
    """When it arrived; else when it was written."""
    due_at: datetime | None
    attempts: int
    error: Mapping[str, Json]
    link: str | None


@dataclass(frozen=True)
class TieView:
    """`place`: where, as it may be shown. `sent`: the newest things first."""

    id: int
    kind: str
    place: str
    language: str
    length: str
    active: bool
    sent: tuple[Sent, ...]


_T, _O = TIES.c, OUTBOX.c
_TIES = (
    select(_T.id, _T.kind, _T.place, _T.language, _T.length, _T.active)
    .where(_T.battle_id == bindparam("battle"))
    .order_by(_T.id)
)
_SENT = (
    select(_O.id, _O.what, _O.turn, _O.created_at, _O.due_at, _O.claim, _O.attempts, _O.error, _O.done_at, _O.link)
    .join_from(OUTBOX, TIES, and_(_T.id == _O.tie_id, _T.battle_id == _O.battle_id))  # not of a line that was left
    .where(_O.tie_id == bindparam("tie"))
    .order_by(_O.id.desc())
    .limit(SENT_SHOWN)
)
_LINKS = (
    select(_O.link)
    .where(_O.battle_id == bindparam("battle"), _O.turn == bindparam("turn"), _O.what == "turn", _O.link.is_not(None))
    .order_by(_O.id)
)


def listing(db: Database, battle_id: str, viewer: Viewer) -> tuple[TieView, ...]:
    """Raises `RefereeError`: no-battle, not-yours."""
    with db.read() as session:
        master_only(battle_row(session, battle_id), viewer)
        ties = run(session, _TIES, battle=battle_id).all()
        return tuple(
            TieView(**tie._asdict(), sent=tuple(_sent(row) for row in run(session, _SENT, tie=tie.id))) for tie in ties
        )


def links(db: Database, battle_id: str, turn: int) -> tuple[str, ...]:
    """Where a published turn was posted, for all."""
    with db.read() as session:
        found = run(session, _LINKS, battle=battle_id, turn=turn).scalars().all()
    return tuple(link for link in found if urlsplit(link).scheme in {"https", "http"})


def add(
    db: Database,
    battle_id: str,
    viewer: Viewer,
    *,
    kind: str,
    given: Mapping[str, str],
    language: str,
    length: str,
    allow_private: bool,
    now: datetime,
) -> int:
    """Tie a battle to a place; turns that are published from now on go there. All are told of what kind it is, and no
    more. Raises `kinds.BadTarget` (what was typed is no such place), `RefereeError`: no-battle, not-yours, bad-request
    (unknown kind, language, length)."""
    if kind not in kinds.KINDS or language not in LANGUAGES or length not in LENGTHS:
        raise RefereeError("bad-request")
    with db.read() as session:
        master_only(battle_row(session, battle_id), viewer)
    place = kinds.place(kind, given, allow_private=allow_private)
    with db.write() as session:
        battle = locked(session, battle_id)
        count = select(func.count()).select_from(TIES).where(_T.battle_id == battle_id)
        if run(session, count).scalar_one() >= MOST_TIES:
            raise kinds.BadTarget(kinds.KINDS[kind].fields[0], "too-many")
        values = {
            "battle_id": battle_id,
            "kind": kind,
            "place": place.shown[:400],
            "target": dumps(dict(place.target)),
            "language": language,
            "length": length,
            "active": True,
            "created_at": now,
        }
        made: int = run(session, insert(TIES).values(**values).returning(_T.id)).scalar_one()
        note(session, battle_id, battle.turn, "master", "tied", now, {"kind": kind})
        return made


def set_active(db: Database, battle_id: str, viewer: Viewer, tie_id: int, *, active: bool) -> None:
    """Pause a tie, or let it go on: while it pauses, nothing goes there, and what is published then never will.
    Raises `RefereeError`: no-battle, not-yours, no-page (no such tie)."""
    with db.write() as session:
        _own(session, battle_id, viewer, tie_id)
        run(session, update(TIES).where(_T.id == tie_id).values(active=active))


def remove(db: Database, battle_id: str, viewer: Viewer, tie_id: int, now: datetime) -> None:
    """Forget a place and its keys; what was posted stays there, and stays linked. Raises as `set_active`."""
    with db.write() as session:
        battle, kind = _own(session, battle_id, viewer, tie_id)
        outbox.drop_waiting(session, tie_id)
        run(session, delete(TIES).where(_T.id == tie_id))
        note(session, battle_id, battle.turn, "master", "untied", now, {"kind": kind})


def try_out(db: Database, battle_id: str, viewer: Viewer, tie_id: int, now: datetime) -> None:
    """Post a line that says who will post here. Raises as `set_active`, and too-often."""
    with db.write() as session:
        _own(session, battle_id, viewer, tie_id)
        last = select(func.max(_O.created_at)).where(_O.tie_id == tie_id, _O.what == "trial")
        tried: datetime | None = run(session, last).scalar_one()
        if tried is not None and now - tried < TRIAL_PAUSE:
            raise RefereeError("too-often")
        key = f"trial/{tie_id}/{secrets.token_hex(8)}"
        outbox.write(session, key, "trial", now, battle_id=battle_id, tie_id=tie_id)


def retry(db: Database, battle_id: str, viewer: Viewer, outgoing_id: int, now: datetime) -> None:
    """Send what was given up, or waits for a later try. Raises `RefereeError`: no-battle, not-yours, no-page."""
    with db.write() as session:
        master_only(locked(session, battle_id), viewer)
        if not outbox.again(session, outgoing_id, now, battle_id=battle_id):
            raise RefereeError("no-page")


def _own(session: Session, battle_id: str, viewer: Viewer, tie_id: int) -> tuple[BattleRow, str]:
    """The battle, and the kind of its tie."""
    battle = locked(session, battle_id)
    master_only(battle, viewer)
    tie = run(session, select(_T.kind).where(_T.id == tie_id, _T.battle_id == battle_id)).first()
    if tie is None:
        raise RefereeError("no-page")
    return battle, tie.kind


def _sent(row: Json) -> Sent:
    if row.done_at is not None:
        state: Literal["done", "waiting", "trying", "failed"] = "done"
    elif row.claim is not None:
        state = "trying"
    else:
        state = "failed" if row.due_at is None else "waiting"
    error = loads(row.error) if row.error else {}
    at = row.done_at or row.created_at
    return Sent(row.id, row.what, row.turn, state, at, row.due_at, row.attempts, error, row.link)
