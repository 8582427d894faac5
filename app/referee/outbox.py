"""The outbox: what is to leave the server is written in the transaction of what it tells, taken in hand by one sender at a
time, tried again with growing pauses, and given up in sight of the game master."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import and_, bindparam, delete, exists, insert, or_, select, update
from sqlalchemy.orm import Session

from app.engine.ruleset import Json
from app.referee.rows import dumps, loads, run
from app.store import waking
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
MOST_BESIDE = 49
"""So many notices go out together with the first that is due."""
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
    subscription_id: int | None = None
    created_at: datetime | None = None


_O, _T = OUTBOX.c, TIES.c
_TIED = select(_T.id).where(_T.battle_id == bindparam("battle"), _T.active).order_by(_T.id)
_LINE = select(BATTLES.c.line).where(BATTLES.c.id == bindparam("battle"))
_WRITE = insert(OUTBOX)
ACTIVE = or_(_O.tie_id.is_(None), exists().where(_T.id == _O.tie_id, _T.active))
"""Not of a tie that is paused."""
_DUE = select(_O.id).where(_O.due_at <= bindparam("now"), ACTIVE).order_by(_O.due_at, _O.id).limit(1)
_NEXT = (
    select(
        *(_O[name] for name in ("id", "mark", "what", "battle_id", "turn", "tie_id", "facts", "attempts")),
        *(_O[name] for name in ("subscription_id", "created_at", "batch")),
    )
    .where(_O.due_at <= bindparam("now"), ACTIVE)
    .order_by(_O.due_at, _O.id)
    .limit(1)
    .with_for_update(skip_locked=True, of=OUTBOX)
)
_BESIDE = (
    select(_O.id)
    .where(
        _O.subscription_id == bindparam("subscription"),
        _O.due_at <= bindparam("now"),
        _O.id != bindparam("first"),
        _O.claim.is_(None),
        _O.attempts == 0,
    )
    .order_by(_O.id)
    .limit(MOST_BESIDE)
    .with_for_update(skip_locked=True)
)
_MINE = update(OUTBOX).where(_O.id == bindparam("this"), _O.claim == bindparam("mine"))


def announce(session: Session, battle_id: str, turn: int, now: datetime) -> None:
    """A turn is published: a line for each place that the battle is tied to, in the transaction that publishes it."""
    tied = run(session, _TIED, battle=battle_id).scalars().all()
    if not tied:
        return
    line = run(session, _LINE, battle=battle_id).scalar_one()
    place = battle_id if line == 1 else f"{battle_id}~{line}"  # a turn that is played again is told again
    for tie_id in tied:
        write(session, f"turn/{place}/{turn}/{tie_id}", "turn", now, battle_id=battle_id, turn=turn, tie_id=tie_id)


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
    waking.ring(session)


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
        if row.subscription_id is not None and row.batch is None:
            _gather(session, row.id, row.subscription_id, now)
    told = {name: row._mapping[name] for name in ("id", "mark", "what", "battle_id", "turn", "tie_id")}
    more = {name: row._mapping[name] for name in ("subscription_id", "created_at")}
    return Errand(**told, claim=mine, facts=loads(row.facts), attempts=row.attempts + 1, **more)


def _gather(session: Session, first: int, subscription_id: int, now: datetime) -> None:
    """What else is due for the same person goes with the first; once it does, it always does: a repeat says the same."""
    beside = run(session, _BESIDE, subscription=subscription_id, now=now, first=first).scalars().all()
    run(session, update(OUTBOX).where(_O.id.in_(beside)).values(batch=first, due_at=None, done_at=now))
    _set(session, first, batch=first)


def together(session: Session, errand: Errand) -> list[tuple[str | None, int | None, Json]]:
    """Battle, turn and facts of all that goes out with an errand, the first to be told first."""
    query = select(_O.battle_id, _O.turn, _O.facts).where(or_(_O.id == errand.id, _O.batch == errand.id)).order_by(_O.id)
    return [(row.battle_id, row.turn, loads(row.facts)) for row in run(session, query)]


def hold(db: Database, errand: Errand, until: datetime) -> None:
    """Not now: it is due again later, and this was no attempt. What was never tried goes then with whatever is due then."""
    with db.write() as session:
        values: dict[str, Json] = {"due_at": until, "claim": None, "attempts": errand.attempts - 1}
        if errand.attempts == 1:
            values["batch"] = None
        if run(session, _MINE.values(**values), this=errand.id, mine=errand.claim).rowcount and errand.attempts == 1:
            apart = update(OUTBOX).where(_O.batch == errand.id)
            run(session, apart.values(batch=None, due_at=until, done_at=None))


def done(db: Database, errand: Errand, link: str | None, now: datetime) -> None:
    """It has arrived; the battle's pages have a link more. Nothing, if the lease was over and another has it."""
    with db.write() as session:
        values = {"done_at": now, "due_at": None, "claim": None, "error": None, "link": link}
        noted = run(session, _MINE.values(**values), this=errand.id, mine=errand.claim).rowcount
        if noted and errand.battle_id and errand.tie_id is not None:
            newer = update(BATTLES).where(BATTLES.c.id == errand.battle_id).values(version=BATTLES.c.version + 1)
            run(session, newer)


def forget(session: Session, errand: Errand) -> bool:
    """Nothing of it is kept. False: the lease was over, and another has it."""
    return bool(run(session, delete(OUTBOX).where(_O.id == errand.id, _O.claim == errand.claim)).rowcount)


def put_off(
    db: Database,
    errand: Errand,
    error: Mapping[str, Json],
    now: datetime,
    *,
    hopeless: bool = False,
    wait: int = 0,
    given_up: Callable[[Session], None] | None = None,
) -> None:
    """It did not arrive: tried again after the next pause, but not before `wait` seconds; given up after the last, or at
    once when `hopeless`. `given_up`: what belongs to that, in its transaction."""
    due: datetime | None = None
    if not hopeless and errand.attempts <= len(PAUSES):
        due = now + min(max(PAUSES[errand.attempts - 1], timedelta(seconds=wait)), PAUSES[-1])
    with db.write() as session:
        values = {"due_at": due, "claim": None, "error": dumps(dict(error))}
        noted = run(session, _MINE.values(**values), this=errand.id, mine=errand.claim).rowcount
        if noted and due is None and given_up is not None:
            given_up(session)


def give_up_beside(session: Session, errand: Errand, error: Mapping[str, Json]) -> None:
    """What went out together with a thing that is given up, but tells of other battles: each stands on its own desk, and is
    tried again from there."""
    others = (_O.batch == errand.id, _O.id != errand.id, _O.battle_id.is_distinct_from(errand.battle_id))
    run(session, update(OUTBOX).where(*others).values(batch=None, done_at=None, due_at=None, error=dumps(dict(error))))


LEFT_BEHIND = dumps({"code": "left"})
"""The error of what was not sent because its turn was left behind."""


def leave(session: Session, battle_id: str, kept: str, now: datetime, *, since: int) -> None:
    """Turns from `since` on are left behind: what told them goes with them, and what has not gone out is not sent."""
    gone = update(OUTBOX).where(_O.battle_id == battle_id, _O.turn >= since, _O.what.in_(("turn", "notice")))
    run(session, gone.values(battle_id=kept))
    due = (_O.battle_id == kept, _O.done_at.is_(None), _O.due_at.is_not(None))
    first = run(session, select(_O.id).where(*due)).scalars().all()
    apart = update(OUTBOX).where(_O.batch.in_(first), _O.id.not_in(first), _O.battle_id != kept)
    run(session, apart.values(batch=None, due_at=now, done_at=None))  # it tells of something else, and goes by itself
    waiting = update(OUTBOX).where(*due)
    run(session, waiting.values(due_at=None, claim=None, done_at=now, error=LEFT_BEHIND))


OF_TURNS = ("turn-published", "battle-over", "ruled")
"""Notices that tell of a turn itself, not of what was awaited in it."""


def come_back(session: Session, kept: str, battle_id: str, now: datetime) -> None:
    """Turns that were left are taken up again: where they have not been told yet, they are told now; not so what was
    awaited in them."""
    tells = or_(_O.what == "turn", *(_O.facts.contains(f'"code":"{code}"', autoescape=True) for code in OF_TURNS))
    back = and_(_O.what.in_(("turn", "notice")), tells)
    run(session, update(OUTBOX).where(_O.battle_id == kept, back).values(battle_id=battle_id))
    unsent = update(OUTBOX).where(_O.battle_id == battle_id, back, _O.error == LEFT_BEHIND)
    run(session, unsent.values(due_at=now, done_at=None, error=None, attempts=0))


def again(session: Session, outgoing_id: int, now: datetime, *, battle_id: str | None = None) -> bool:
    """Try a thing once more from the beginning that was given up, or waits for a later try. `battle_id`: of this battle
    alone; None: whosesoever it is. False: there is none such."""
    waiting = [_O.id == outgoing_id, _O.done_at.is_(None), _O.claim.is_(None)]
    if battle_id is not None:
        waiting.append(_O.battle_id == battle_id)
    made = update(OUTBOX).where(*waiting).values(due_at=now, attempts=0, error=None)
    return bool(run(session, made).rowcount)


def drop_waiting(session: Session, tie_id: int) -> None:
    """What has not gone out to a tie that is taken away."""
    run(session, delete(OUTBOX).where(_O.tie_id == tie_id, _O.done_at.is_(None)))


def _set(session: Session, outgoing_id: int, **values: Json) -> None:
    run(session, update(OUTBOX).where(_O.id == outgoing_id).values(**values))
