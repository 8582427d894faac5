"""A game master's verbs of time: the schedule, a deadline set, extended, shortened; a pause, its consent, its end."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.orm import Session

from app.referee import clock, logbook, names, notices, schedule, seen, turns
from app.referee.access import master_only, seat_of
from app.referee.errors import RefereeError
from app.referee.rows import AWAITING, BattleRow, battle_row, change, dumps, loads, locked, seats
from app.referee.schedule import Due, Schedule
from app.referee.views import AskedPause, Pause, Viewer
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
        battle = _mastered(session, battle_id, viewer)
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
    """The open turn's deadline; None: it waits for the game master, or until all are ready. A battle that is held stays so.
    `before`: as he saw it (`seen.time`). Raises `RefereeError`: no-battle, not-yours, closed (no open turn), paused,
    bad-deadline, stale (`before`)."""
    with db.write() as session:
        battle = _running(session, battle_id, viewer)
        seen.check(battle, seen.time(battle), before)
        if deadline is not None:
            clock.to_come(deadline, now)
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
        battle = _running(session, battle_id, viewer)
        seen.check(battle, seen.time(battle), before)
        if not timedelta() < abs(by) <= LONGEST_STEP:
            raise RefereeError("bad-deadline", params={"hours": str(by)})
        what = "extended" if by > timedelta() else "shortened"
        why = {"reason": why_of(reason)}
        if battle.deadline is None:
            raise RefereeError("no-deadline", current={"turn": battle.turn})
        deadline = clock.to_come(battle.deadline + by, now)
        clock.move(session, battle, deadline, now, who="master", what=what, params=why, hand=viewer)


def pause(
    db: Database,
    battle_id: str,
    viewer: Viewer,
    now: datetime,
    *,
    until: datetime | None = None,
    reason: str | None = None,
) -> bool:
    """Nothing falls due until the pause ends, by itself at `until` or when the game master says so; orders are still taken.
    False: the game master plays in the battle himself, and has only asked for it (`answer_pause`).
    Raises `RefereeError`: no-battle, not-yours, closed (no open turn), paused (it is), bad-deadline (`until`)."""
    with db.write() as session:
        battle = _running(session, battle_id, viewer)
        if until is not None:
            clock.to_come(until, now)
        why = why_of(reason)
        if not viewer.plays:
            _pause(session, battle, now, until=until, reason=why, who="master", hand=viewer)
            return True
        asked: dict[str, Any] = {
            "turn": battle.turn,
            "until": logbook.moment(until),
            "reason": why,
            "sides": [],
            "by": viewer.master,
        }
        change(session, battle, pause_asked=dumps(asked))
        params = {"until": asked["until"], "reason": why}
        logbook.note(session, battle_id, battle.turn, "master", "pause-asked", now, params, by=viewer)
        notices.tell(session, battle, "pause-asked", now, key=f"pause-asked/{battle.turn}/{battle.version}")
        return False


def answer_pause(db: Database, battle_id: str, viewer: Viewer, now: datetime, *, agree: bool) -> bool:
    """The answer to a game master who plays and asked for a pause. It begins when a commander of each side that has one has
    agreed (a program is none), so that one at least is not of his own, or another game master who does not play; True then.
    Whoever could agree can also decline, and he himself take it back. Raises `RefereeError`: no-battle, not-yours,
    no-pause (none is asked for), bad-deadline (its end has passed)."""
    with db.write() as session:
        battle = locked(session, battle_id)
        who, seat = _answers(battle, viewer, agree=agree)
        asked = asked_pause(battle)
        if asked is None:
            raise RefereeError("no-pause", current={"turn": battle.turn})
        rows = seats(session, battle_id)
        side = next((row.side for row in rows if row.seat == seat), None)
        if agree and side in asked["sides"]:
            return False
        what = "pause-agreed" if agree else "pause-declined"
        logbook.note(session, battle_id, battle.turn, who, what, now, {"seat": seat}, by=viewer)
        if not agree:
            change(session, battle, pause_asked=None)
            return False
        agreed = {*asked["sides"], *([] if side is None else [side])}
        people = {row.side for row in rows if row.vacant_at is None and row.program is None}
        if seat is not None and not agreed >= people:
            change(session, battle, pause_asked=dumps({**asked, "sides": sorted(agreed)}))
            return False
        until = None if asked["until"] is None else clock.to_come(datetime.fromisoformat(asked["until"]), now)
        _pause(session, battle, now, until=until, reason=asked["reason"], who=who, hand=viewer)
        return True


def asked_pause(battle: BattleRow) -> dict[str, Any] | None:
    """The pause that is asked for in the open turn: `until`, `reason`, the `sides` that have agreed."""
    asked: dict[str, Any] | None = loads(battle.pause_asked) if battle.pause_asked else None
    is_open = battle.status in ("open", "held") and asked is not None and asked["turn"] == battle.turn
    return asked if is_open else None


def asked_of(battle: BattleRow) -> AskedPause | None:
    """The same for a view."""
    asked = asked_pause(battle)
    if asked is None:
        return None
    until = None if asked["until"] is None else datetime.fromisoformat(asked["until"])
    return AskedPause(until, asked["reason"], tuple(asked["sides"]))


def pause_of(battle: BattleRow) -> Pause | None:
    if battle.status != "paused" or battle.paused_at is None:
        return None
    left = None if battle.paused_deadline is None else battle.paused_deadline - battle.paused_at
    return Pause(battle.paused_at, battle.resume_at, left)


def go_on(db: Database, battle_id: str, viewer: Viewer, now: datetime) -> None:
    """A battle that is held after an outage, or paused, goes on. After a pause the turn has what was left of its time; after
    an outage a deadline that passed meanwhile is due: the next sweep resolves it, unless the game master has set another.
    Raises `RefereeError`: no-battle, not-yours, not-open (it is neither)."""
    with db.write() as session:
        battle = _mastered(session, battle_id, viewer)
        if battle.status == "paused":
            clock.resume(session, battle, now, now, who="master", hand=viewer)
        elif battle.status == "held":
            change(session, battle, status="open", held_at=None)
            logbook.note(session, battle_id, battle.turn, "master", "gone-on", now, by=viewer)
            notices.tell(session, battle, "gone-on", now, key=f"gone-on/{battle.turn}/{battle.version}")
        else:
            raise RefereeError("not-open", current={"turn": battle.turn})
    if battle.status == "paused":  # all may have become ready meanwhile
        turns.resolve_if_due(db, battle_id, now)


def _answers(battle: BattleRow, viewer: Viewer, *, agree: bool) -> tuple[logbook.Who, str | None]:
    """Who answers, and his seat if he has one. A game master who plays can only decline."""
    seat = seat_of(battle, viewer)
    if seat is not None:
        return "seat", seat
    master_only(battle, viewer)
    if agree and viewer.plays:
        raise RefereeError("not-yours")
    return "master", None


def _pause(
    session: Session,
    battle: BattleRow,
    now: datetime,
    *,
    until: datetime | None,
    reason: str | None,
    who: logbook.Who,
    hand: Viewer,
) -> None:
    values: dict[str, Any] = {"paused_at": now, "paused_deadline": battle.deadline, "resume_at": until}
    change(session, battle, status="paused", deadline=None, held_at=None, pause_asked=None, **values)
    params = {"deadline": logbook.moment(battle.deadline), "until": logbook.moment(until), "reason": reason}
    logbook.note(session, battle.id, battle.turn, who, "paused", now, params, by=hand)
    key = f"paused/{battle.turn}/{battle.version}"
    notices.tell(session, battle, "paused", now, facts={"until": until}, key=key)
    clock.correct(session, battle, battle.deadline, None, now)


def _mastered(session: Session, battle_id: str, viewer: Viewer) -> BattleRow:
    battle = locked(session, battle_id)
    master_only(battle, viewer)
    return battle


def _running(session: Session, battle_id: str, viewer: Viewer) -> BattleRow:
    """The battle, with an open turn and not paused."""
    battle = _mastered(session, battle_id, viewer)
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
