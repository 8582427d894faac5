"""The clock: deadlines that have come, what fell due while no server was awake, pauses that end, reminders."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import and_, exists, insert, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app.referee import clock, leave, logbook, notices, options, programs, turns, waiting
from app.referee.errors import RefereeError
from app.referee.rows import BattleRow, change, locked
from app.referee.schedule import slot_moment
from app.store.db import Database
from app.store.models import Battle, Heartbeat, Reminder, Seat, Sheet, Turn

CLOCK = "sweep"
BEATS = 10
"""So many heartbeats are written in the time that counts as an outage: more would only cost. With each, the clock also
looks for what was answered and not resolved, for whom to remind, and for zones whose law has changed."""
AHEAD = timedelta(hours=1)
"""A heartbeat that lies farther ahead was left by a clock that was set wrong; servers' clocks differ by less."""
EARLIEST_REMINDER = timedelta(hours=options.REMIND_MAX)


def sweep(db: Database, now: datetime, *, outage: timedelta) -> int:
    """Resolve every battle whose deadline has come; how many. Any number of servers may do so at once.

    If nobody has swept for longer than `outage`, the battles that fell due in between are held until the game master says
    go on, or his battle's grace has passed. No outage (zero) holds nothing. A pause whose end has come ends at that very
    moment, however late it is noticed. A battle that cannot be resolved does not keep the others from it: its error is
    raised at the end, in an `ExceptionGroup`.
    """
    failures: list[Exception] = []
    _each(db, leave.due(db, now), _tell_of_leave, now, failures)
    filled = programs.waiting(db)
    _each(db, filled, programs.look, now, failures)
    _each(db, _ended_pauses(db, now), _resume, now, failures)
    _each(db, waiting.unsettled(db, now), waiting.settle, now, failures)
    seen, due = _look(db, now)
    if seen is None or now - seen >= outage / BEATS or seen - now > AHEAD:
        _each(db, _changed_zones(db, now), _keep_to_the_wall, now, failures)
        _beat(db, now, outage)
        _each(db, _unreminded(db, now), _remind, now, failures)
        _each(db, waiting.waiting(db, now), waiting.tend, now, failures)
        seen, due = _look(db, now)
        due += [battle_id for battle_id in _answered(db) if battle_id not in due and _is_due(db, battle_id, now, failures)]
    due += [battle_id for battle_id in filled if battle_id not in due and _is_due(db, battle_id, now, failures)]
    gone_on = _held_out(db, now)
    _each(db, gone_on, _go_on, now, failures)
    due += [battle_id for battle_id in gone_on if battle_id not in due]
    resolved = 0
    for battle_id in due:
        # A refusal: of a game that this server does not know. Nothing that another second would mend.
        with _apart(battle_id, failures), suppress(RefereeError):
            resolved += turns.resolve_if_due(db, battle_id, now, skip_locked=True)
    if failures:
        raise ExceptionGroup(f"{len(failures)} battles could not be brought up to their time", failures)
    return resolved


def _each(
    db: Database,
    battles: Iterable[str],
    act: Callable[[Session, BattleRow, datetime], None],
    now: datetime,
    failures: list[Exception],
) -> None:
    """Each battle in a transaction of its own; one that another server has in hand is left to it. `act` looks again whether
    there is anything to do."""
    for battle_id in battles:
        with _apart(battle_id, failures), db.write() as session:
            try:
                battle = locked(session, battle_id, skip_locked=True)
            except RefereeError:
                continue
            act(session, battle, now)


def _is_due(db: Database, battle_id: str, now: datetime, failures: list[Exception]) -> bool:
    with _apart(battle_id, failures), suppress(RefereeError):
        return turns.is_due(db, battle_id, now)
    return False


@contextmanager
def _apart(battle_id: str, failures: list[Exception]) -> Iterator[None]:
    """What goes wrong with one battle is kept until the others have had their turn."""
    try:
        yield
    except Exception as failure:  # noqa: BLE001  (raised at the end of the sweep)
        failure.add_note(f"battle {battle_id}")
        failures.append(failure)


def _tell_of_leave(session: Session, battle: BattleRow, now: datetime) -> None:
    change(session, battle)
    leave.tell(session, battle, now)


def _ended_pauses(db: Database, now: datetime) -> list[str]:
    return _ids(db, Battle.status == "paused", Battle.resume_at <= now)


def _resume(session: Session, battle: BattleRow, now: datetime) -> None:
    if battle.status == "paused" and battle.resume_at is not None and battle.resume_at <= now:
        clock.resume(session, battle, battle.resume_at, now, who="clock")


def _held_out(db: Database, now: datetime) -> list[str]:
    """Held battles whose grace has passed."""
    with db.read() as session:
        held = session.execute(
            select(Battle.id, Battle.held_at, Battle.options)
            .where(Battle.status == "held", Battle.held_at.is_not(None))
            .order_by(Battle.id)
        ).all()
    ends = ((row.id, clock.grace_ends(options.read(row.options), row.held_at)) for row in held)
    return [battle_id for battle_id, end in ends if end is not None and end <= now]


def _go_on(session: Session, battle: BattleRow, now: datetime) -> None:
    """Told to all; a deadline that has passed is due."""
    end = clock.grace_ends(battle.options, battle.held_at)
    if battle.status != "held" or end is None or end > now:
        return
    change(session, battle, status="open", held_at=None)
    params = {"deadline": logbook.moment(battle.deadline), "minutes": battle.options.grace_minutes}
    logbook.note(session, battle.id, battle.turn, "clock", "gone-on-by-itself", now, params)
    notices.tell(session, battle, "gone-on", now, key=f"gone-on/{battle.turn}/{battle.version}")


def _changed_zones(db: Database, now: datetime) -> list[str]:
    """Battles whose deadline is a wall time of their schedule, which is another moment by the zones as they are now."""
    with db.read() as session:
        walls = session.execute(
            select(Battle.id, Battle.slot, Battle.zone, Battle.deadline)
            .where(
                Battle.status.in_(("open", "held")),
                Battle.slot.is_not(None),
                Battle.slot_due == Battle.deadline,
                Battle.deadline > now,
            )
            .order_by(Battle.id)
        ).all()
    return [row.id for row in walls if row.slot and slot_moment(row.slot, row.zone) != row.deadline]


def _keep_to_the_wall(session: Session, battle: BattleRow, now: datetime) -> None:
    if battle.status not in ("open", "held") or battle.slot is None or battle.slot_due != battle.deadline:
        return
    deadline = slot_moment(battle.slot, battle.zone)
    if battle.deadline is None or deadline == battle.deadline or min(deadline, battle.deadline) <= now:
        return
    clock.move(session, battle, deadline, now, who="clock", what="zone-changed", columns={"slot_due": deadline})


def _unreminded(db: Database, now: datetime) -> list[str]:
    """Open battles whose seats are to be reminded now."""
    done = exists().where(
        Reminder.battle_id == Battle.id, Reminder.turn == Battle.turn, Reminder.deadline == Battle.deadline
    )
    with db.read() as session:
        near = session.execute(
            select(Battle.id, Battle.deadline, Battle.options, Turn.opened_at)
            .join(Turn, and_(Turn.battle_id == Battle.id, Turn.turn == Battle.turn))
            .where(Battle.status == "open", Battle.deadline > now, Battle.deadline <= now + EARLIEST_REMINDER, ~done)
            .order_by(Battle.deadline)
        ).all()
    return [row.id for row in near if _is_near(options.read(row.options).remind_hours, row.opened_at, row.deadline, now)]


def _is_near(hours: int, opened: datetime, deadline: datetime | None, now: datetime) -> bool:
    """So many hours before the deadline; of a turn that is shorter than twice that, its second half."""
    if hours <= 0 or deadline is None:
        return False
    return now >= deadline - min(timedelta(hours=hours), (deadline - opened) / 2)


def _remind(session: Session, battle: BattleRow, now: datetime) -> None:
    if battle.status == "open" and battle.deadline is not None and now < battle.deadline:
        clock.remind(session, battle, now)


def _ids(db: Database, *where: Any) -> list[str]:
    with db.read() as session:
        return list(session.execute(select(Battle.id).where(*where).order_by(Battle.id)).scalars())


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
                    with suppress(RefereeError):
                        _hold(session, locked(session, battle_id), seen, now)
            if seen < now or seen - now > AHEAD:
                session.execute(
                    update(Heartbeat)
                    .where(Heartbeat.name == CLOCK)
                    .values(seen_at=now)
                    .execution_options(synchronize_session=False)
                )
    except IntegrityError:  # two servers' first sweep at once: the other's heartbeat is as good
        return


def _hold(session: Session, battle: BattleRow, seen: datetime, now: datetime) -> None:
    if battle.status != "open" or battle.deadline is None or not seen < battle.deadline <= now:
        return
    change(session, battle, status="held", held_at=now)
    params = {"deadline": logbook.moment(battle.deadline), "seen": logbook.moment(seen)}
    logbook.note(session, battle.id, battle.turn, "clock", "held", now, params)
    facts = {"until": clock.grace_ends(battle.options, now)}
    notices.tell(session, battle, "held", now, facts=facts, key=f"held/{battle.turn}/{battle.version}")
