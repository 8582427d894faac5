"""Pauses: begun, asked for and answered, ended; and going on after an outage."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from app.referee import clock, logbook, notices, turns
from app.referee.access import master_only, seat_of
from app.referee.errors import RefereeError
from app.referee.rows import BattleRow, change, dumps, loads, locked, seats
from app.referee.timing import mastered, running, why_of
from app.referee.views import AskedPause, Pause, Viewer
from app.store.db import Database


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
        battle = running(session, battle_id, viewer)
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
        battle = mastered(session, battle_id, viewer)
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
