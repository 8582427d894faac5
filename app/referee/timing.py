"""A game master's verbs of time: the schedule, a deadline set, extended, shortened; a pause, its consent, its end."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.orm import Session

from app.referee import clock, logbook, names, notices, schedule, seen
from app.referee.access import master_only
from app.referee.errors import RefereeError
from app.referee.rows import AWAITING, BattleRow, battle_row, change, locked
from app.referee.schedule import Due, Schedule
from app.referee.views import Viewer
from app.store.db import Database

LONGEST_STEP = timedelta(hours=schedule.HOURS_MAX)


@dataclass(frozen=True)
class Times:
    """A battle's schedule and what comes of it."""

    schedule: Schedule
    zone: str
    deadline: datetime | None
    ahead: tuple[Due, ...]
    """Of the turns after the open one, if each is resolved at its deadline."""


def set_schedule(
    db: Database,
    battle_id: str,
    viewer: Viewer,
    chosen: Schedule,
    now: datetime,
    *,
    zone: str | None = None,
    at_once: bool = False,
) -> None:
    """When turns are due from the next one on; `at_once`: the open one too. `zone`: the battle's from now on.
    Raises `RefereeError`: no-battle, not-yours, closed (the battle is over), bad-schedule (it never comes), bad-deadline
    (`zone`), paused (`at_once`, while nothing falls due)."""
    with db.write() as session:
        battle = mastered(session, battle_id, viewer)
        if battle.status == "over":
            raise _closed(battle)
        there = _zone(battle, zone)
        due = first(chosen, there, now) if chosen else None
        columns: dict[str, Any] = {"turn_hours": chosen.hours, "schedule": schedule.written(chosen), "zone": there}
        is_same = (chosen, there) == (battle.schedule, battle.zone)
        if not is_same:
            params = {"was": _told(battle.schedule, battle.zone), "is": _told(chosen, there)}
            logbook.note(session, battle_id, battle.turn, "master", "schedule-set", now, params, by=viewer)
            key = f"schedule-changed/{battle.turn}/{battle.version}"
            notices.tell(session, battle, "schedule-changed", now, key=key)
        if at_once and due is not None and battle.status == "paused":
            raise _paused(battle)
        if at_once and due is not None and battle.status in AWAITING and due.deadline != battle.deadline:
            columns |= {"slot": due.slot, "slot_due": due.deadline if due.slot else None}
            clock.move(session, battle, due.deadline, now, who="master", what="deadline-set", columns=columns, hand=viewer)
        elif not is_same:
            change(session, battle, **columns, **_kept_slot(battle, chosen, there))


def times(db: Database, battle_id: str, now: datetime, *, number: int = 5) -> Times:
    """For all. Raises `RefereeError("no-battle")`."""
    with db.read() as session:
        battle = battle_row(session, battle_id)
    return times_of(battle, now, number=number)


def times_of(battle: BattleRow, now: datetime, *, number: int = 5) -> Times:
    deadline = battle.deadline or battle.last_deadline or battle.paused_deadline
    found: tuple[Due, ...] = ()
    if battle.status != "over":
        opened = now if deadline is None or battle.status == "review" else max(deadline, now)
        found = schedule.ahead(battle.schedule, battle.zone, last=deadline, slot=battle.slot, opened=opened, number=number)
    return Times(battle.schedule, battle.zone, battle.deadline, found)


def first(chosen: Schedule, zone: str, now: datetime) -> Due:
    """The first deadline of a schedule. Raises `RefereeError("bad-schedule")` where its days off leave none."""
    due = schedule.following(chosen, zone, last=None, slot=None, opened=now)
    if due is None:
        raise RefereeError("bad-schedule", params={"part": "never", "given": ""})
    return due


def set_deadline(
    db: Database,
    battle_id: str,
    viewer: Viewer,
    deadline: datetime | None,
    now: datetime,
    *,
    before: str | None = None,
) -> None:
    """The open turn's deadline; None: it waits for the game master, or until all are ready. A battle that is held stays so;
    the deadline that it has already is no news. `before`: as he saw it (`seen.time`). Raises `RefereeError`: no-battle,
    not-yours, closed (no open turn), paused, bad-deadline, pause-instead (who plays as well would stop the clock alone),
    stale (`before`)."""
    with db.write() as session:
        battle = running(session, battle_id, viewer)
        seen.check(battle, seen.time(battle), before)
        if deadline is None and battle.deadline is not None and viewer.plays:
            raise RefereeError("pause-instead")
        if deadline is not None:
            clock.to_come(deadline, now)
        if deadline != battle.deadline:
            clock.move(session, battle, deadline, now, who="master", what="deadline-set", hand=viewer)


def extend(
    db: Database,
    battle_id: str,
    viewer: Viewer,
    by: timedelta,
    now: datetime,
    *,
    reason: str | None = None,
    before: str | None = None,
) -> None:
    """Put the open turn's deadline off; nearer, if `by` is negative. `before`: as he saw it (`seen.time`).
    Raises `RefereeError`: no-battle, not-yours, closed (no open turn), paused, no-deadline, bad-deadline (it would be past,
    or not moved, or too far), bad-reason, stale (`before`)."""
    with db.write() as session:
        battle = running(session, battle_id, viewer)
        seen.check(battle, seen.time(battle), before)
        if not timedelta() < abs(by) <= LONGEST_STEP:
            raise RefereeError("bad-deadline", params={"hours": str(by)})
        what = "extended" if by > timedelta() else "shortened"
        why = {"reason": why_of(reason)}
        if battle.deadline is None:
            raise RefereeError("no-deadline", current={"turn": battle.turn})
        deadline = clock.to_come(battle.deadline + by, now)
        clock.move(session, battle, deadline, now, who="master", what=what, params=why, hand=viewer)


def mastered(session: Session, battle_id: str, viewer: Viewer) -> BattleRow:
    battle = locked(session, battle_id)
    master_only(battle, viewer)
    return battle


def running(session: Session, battle_id: str, viewer: Viewer) -> BattleRow:
    """The battle, with an open turn and not paused."""
    battle = mastered(session, battle_id, viewer)
    if battle.status not in AWAITING:
        raise _closed(battle)
    if battle.status == "paused":
        raise _paused(battle)
    return battle


def _closed(battle: BattleRow) -> RefereeError:
    return RefereeError("closed", current={"turn": battle.turn})


def _paused(battle: BattleRow) -> RefereeError:
    return RefereeError("paused", current={"turn": battle.turn})


def _zone(battle: BattleRow, zone: str | None) -> str:
    if zone is None:
        return battle.zone
    if not schedule.is_zone(zone):
        raise RefereeError("bad-deadline", params={"zone": zone[:64]})
    return zone


def _kept_slot(battle: BattleRow, chosen: Schedule, zone: str) -> dict[str, Any]:
    """The open turn keeps its deadline: the next one follows it by the wall clock of the new schedule."""
    deadline = battle.deadline or battle.last_deadline or battle.paused_deadline
    if not chosen.times or deadline is None:
        return {"slot": None, "slot_due": None}
    return {"slot": schedule.wall(deadline, zone), "slot_due": None}


def _told(chosen: Schedule, zone: str) -> dict[str, Any]:
    return {**schedule.plain(chosen), "zone": zone}


def why_of(text: str | None) -> str | None:
    """A reason that need not be given. Raises `RefereeError("bad-reason")`."""
    if text is None or not text.strip():
        return None
    try:
        return names.reason(text)
    except RefereeError as refused:
        raise RefereeError("bad-reason", params={"most": names.REASON_MAX}) from refused
