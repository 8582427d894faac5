"""The outbox: what is to leave the server is written in the transaction of what it tells, taken in hand by one sender at a
time, tried again with growing pauses, and given up in sight of the game master."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import bindparam, delete, exists, insert, or_, select, update
from sqlalchemy.orm import Session

from app.engine.ruleset import Json
from app.referee.rows import dumps, loads, run
from app.store.db import Database
from app.store.models import BATTLES, OUTBOX, TIES

PAUSES = (
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=15),
    timedelta(hours=1),
    timedelta(hours=6),
)
"""After each failure; after one more it is given up until somebody says `retry`."""
LEASE = timedelta(minutes=5)
"""Longer than any delivery takes: when it is over, the sender has died, and another takes the thing up."""


@dataclass(frozen=True)
class Errand:
    """A thing in hand, to be delivered."""

    id: int
    claim: str
    mark: str
    what: str
    battle_id: str | None
    turn: int | None
    tie_id: int | None
    facts: Json
    attempts: int


_O, _T = OUTBOX.c, TIES.c
_TIED = select(_T.id).where(_T.battle_id == bindparam("battle"), _T.active).order_by(_T.id)
_WRITE = insert(OUTBOX)
_ACTIVE = or_(_O.tie_id.is_(None), exists().where(_T.id == _O.tie_id, _T.active))
_DUE = select(_O.id).where(_O.due_at <= bindparam("now"), _ACTIVE).order_by(_O.due_at, _O.id).limit(1)
_NEXT = (
    select(_O.id, _O.mark, _O.what, _O.battle_id, _O.turn, _O.tie_id, _O.facts, _O.attempts)
    .where(_O.due_at <= bindparam("now"), _ACTIVE)
    .order_by(_O.due_at, _O.id)
    .limit(1)
    .with_for_update(skip_locked=True, of=OUTBOX)
)
_MINE = update(OUTBOX).where(_O.id == bindparam("this"), _O.claim == bindparam("mine"))


def announce(session: Session, battle_id: str, turn: int, now: datetime) -> None:
    """A turn is published: a line for each place that the battle is tied to, in the transaction that publishes it."""
    tied = run(session, _TIED, battle=battle_id).scalars().all()
    for tie_id in tied:
        write(session, f"turn/{battle_id}/{turn}/{tie_id}", "turn", now, battle_id=battle_id, turn=turn, tie_id=tie_id)


def write(
    session: Session,
    key: str,
    what: str,
    now: datetime,
    *,
    battle_id: str | None = None,
    turn: int | None = None,
    tie_id: int | None = None,
    facts: Mapping[str, Json] | None = None,
) -> None:
    """A line of the outbox, due at once. A key that was used already is an error of the database."""
    run(
        session,
        _WRITE,
        key=key,
        mark=secrets.token_hex(8),
        what=what,
        battle_id=battle_id,
        turn=turn,
        tie_id=tie_id,
        facts=dumps(dict(facts or {})),
        created_at=now,
        due_at=now,
    )


def claim(db: Database, now: datetime) -> Errand | None:
    """Take what has been due the longest; None: nothing is, or others have it. Whoever takes a thing has it for `LEASE`."""
    with db.read() as session:  # most looks find nothing: they should not wait for SQLite's one lock
        if run(session, _DUE, now=now).first() is None:
            return None
    with db.write() as session:
        row = run(session, _NEXT, now=now).first()
        if row is None:
            return None
        if row.attempts > len(PAUSES):  # taken up as often as can be, and never brought to an end
            _set(session, row.id, due_at=None, claim=None, error=dumps({"code": "interrupted"}))
            return None
        mine = secrets.token_hex(16)
        _set(session, row.id, due_at=now + LEASE, claim=mine, attempts=row.attempts + 1)
    return Errand(row.id, mine, row.mark, row.what, row.battle_id, row.turn, row.tie_id, loads(row.facts), row.attempts + 1)


def done(db: Database, errand: Errand, link: str | None, now: datetime) -> None:
    """It has arrived; the battle's pages have a link more. Nothing, if the lease was over and another has it."""
    with db.write() as session:
        values = {"done_at": now, "due_at": None, "claim": None, "error": None, "link": link}
        if run(session, _MINE.values(**values), this=errand.id, mine=errand.claim).rowcount and errand.battle_id:
            newer = update(BATTLES).where(BATTLES.c.id == errand.battle_id).values(version=BATTLES.c.version + 1)
            run(session, newer)


def put_off(
    db: Database, errand: Errand, error: Mapping[str, Json], now: datetime, *, hopeless: bool = False, wait: int = 0
) -> None:
    """It did not arrive: tried again after the next pause, but not before `wait` seconds; given up after the last, or at
    once when `hopeless`."""
    due: datetime | None = None
    if not hopeless and errand.attempts <= len(PAUSES):
        due = now + min(max(PAUSES[errand.attempts - 1], timedelta(seconds=wait)), PAUSES[-1])
    with db.write() as session:
        values = {"due_at": due, "claim": None, "error": dumps(dict(error))}
        run(session, _MINE.values(**values), this=errand.id, mine=errand.claim)


def again(session: Session, battle_id: str, outgoing_id: int, now: datetime) -> bool:
    """Try a thing once more from the beginning that was given up, or waits for a later try. False: there is none such."""
    waiting = (_O.id == outgoing_id, _O.battle_id == battle_id, _O.done_at.is_(None), _O.claim.is_(None))
    made = update(OUTBOX).where(*waiting).values(due_at=now, attempts=0, error=None)
    return bool(run(session, made).rowcount)


def again_by_host(session: Session, outgoing_id: int, now: datetime) -> bool:
    """The same at the word of the server's host, whosesoever it is."""
    failed = (_O.id == outgoing_id, _O.done_at.is_(None), _O.claim.is_(None))
    return bool(run(session, update(OUTBOX).where(*failed).values(due_at=now, attempts=0, error=None)).rowcount)


def drop_waiting(session: Session, tie_id: int) -> None:
    """What has not gone out to a tie that is taken away."""
    run(session, delete(OUTBOX).where(_O.tie_id == tie_id, _O.done_at.is_(None)))


def _set(session: Session, outgoing_id: int, **values: Json) -> None:
    run(session, update(OUTBOX).where(_O.id == outgoing_id).values(**values))
