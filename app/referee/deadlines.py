"""The clock: deadlines that have come, and what fell due while no server was awake."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import exists, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from app.referee import logbook, turns
from app.referee.rows import change, locked
from app.store.db import Database
from app.store.models import Battle, Heartbeat, Seat, Sheet

CLOCK = "sweep"
BEATS = 10
"""So many heartbeats are written in the time that counts as an outage: more would only cost. With each, the clock also
looks for what was answered and not resolved."""


def sweep(db: Database, now: datetime, *, outage: timedelta) -> int:
    """Resolve every battle whose deadline has come; how many. Any number of servers may do so at once.

    If nobody has swept for longer than `outage`, the battles that fell due in between are held until the game master says
    go on. No outage (zero) holds nothing. A battle that cannot be resolved does not keep the others from it: its error is
    raised at the end, in an `ExceptionGroup`.
    """
    seen, due = _look(db, now)
    if seen is None or now - seen >= outage / BEATS:
        _beat(db, now, outage)
        seen, due = _look(db, now)
        due += [battle_id for battle_id in _answered(db) if battle_id not in due and turns.is_due(db, battle_id, now)]
    resolved = 0
    failures: list[Exception] = []
    for battle_id in due:
        try:
            resolved += turns.resolve_if_due(db, battle_id, now, skip_locked=True)
        except Exception as failure:
            failure.add_note(f"battle {battle_id}")
            failures.append(failure)
    if failures:
        raise ExceptionGroup(f"{len(failures)} of {len(due)} battles could not be resolved", failures)
    return resolved


def _look(db: Database, now: datetime) -> tuple[datetime | None, list[str]]:
    with db.read() as session:
        seen = session.execute(select(Heartbeat.seen_at).where(Heartbeat.name == CLOCK)).scalar_one_or_none()
        due = select(Battle.id).where(Battle.status == "open", Battle.deadline <= now).order_by(Battle.deadline)
        return seen, list(session.execute(due).scalars())


def _answered(db: Database) -> list[str]:
    """Open battles in which somebody is ready or has entered something: a server may have died between the last answer and
    the resolution that it made due."""
    with db.read() as session:
        ready = exists().where(Seat.battle_id == Battle.id, Seat.ready_turn == Battle.turn)
        entered = exists().where(Sheet.battle_id == Battle.id, Sheet.turn == Battle.turn)
        return list(session.execute(select(Battle.id).where(Battle.status == "open", or_(ready, entered))).scalars())


def _beat(db: Database, now: datetime, outage: timedelta) -> None:
    try:
        with db.write() as session:
            found = select(Heartbeat.seen_at).where(Heartbeat.name == CLOCK).with_for_update()
            seen = session.execute(found).scalar_one_or_none()
            if seen is None:
                session.execute(insert(Heartbeat).values(name=CLOCK, seen_at=now))
                return
            if outage > timedelta() and now - seen > outage:
                missed = select(Battle.id).where(Battle.status == "open", Battle.deadline > seen, Battle.deadline <= now)
                for battle_id in session.execute(missed.order_by(Battle.id)).scalars().all():
                    battle = locked(session, battle_id)
                    if battle.status == "open" and battle.deadline is not None and seen < battle.deadline <= now:
                        change(session, battle, status="held")
                        params = {"deadline": logbook.moment(battle.deadline), "seen": logbook.moment(seen)}
                        logbook.note(session, battle_id, battle.turn, "clock", "held", now, params)
            if seen < now:
                session.execute(
                    update(Heartbeat)
                    .where(Heartbeat.name == CLOCK)
                    .values(seen_at=now)
                    .execution_options(synchronize_session=False)
                )
    except IntegrityError:  # two servers' first sweep at once: the other's heartbeat is as good
        return
