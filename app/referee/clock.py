"""What becomes of a deadline, within the transaction of whoever moves it: the next turn's, a moved one, a pause's end, and
who has to be told."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, delete, insert, select
from sqlalchemy.orm import Session

from app.engine.ruleset import Json
from app.referee import logbook, notices
from app.referee.errors import RefereeError
from app.referee.options import Options
from app.referee.rows import BattleRow, asked, change, dumps, loads, position, run, seats
from app.referee.schedule import FAR, Due, following
from app.referee.sheets import is_ready, last_revisions
from app.referee.views import Viewer
from app.store.models import REMINDERS

NO_PAUSE: Mapping[str, None] = {
    "paused_at": None,
    "paused_deadline": None,
    "resume_at": None,
    "pause_asked": None,
}
_R = REMINDERS.c
_ONE = (_R.battle_id == bindparam("this_battle"), _R.turn == bindparam("this_turn"), _R.deadline == bindparam("this_moment"))
_REMINDED = select(_R.seats).where(*_ONE)
_FORGET = delete(REMINDERS).where(*_ONE)
_REMEMBER = insert(REMINDERS)


def opening(battle: BattleRow, now: datetime, *, prompt: bool = False) -> dict[str, Any]:
    """The columns of the battle's row for the deadline of a turn that opens now. `prompt`: it opened because somebody has
    answered, so that its time counts from now."""
    due = next_due(battle, now, prompt=prompt)
    return {
        "deadline": due.deadline if due else None,
        "slot": due.slot if due else None,
        "slot_due": due.deadline if due and due.slot else None,
        "last_deadline": None,
        "held_at": None,
        **NO_PAUSE,
    }


def next_due(battle: BattleRow, now: datetime, *, prompt: bool = False) -> Due | None:
    """The deadline of a turn that opens now. It keeps to the schedule, even when the one before it was resolved early or
    late."""
    last = battle.last_deadline if battle.status == "review" else battle.deadline
    return following(
        battle.schedule,
        battle.zone,
        last=None if prompt else last,
        slot=None if prompt else battle.slot,
        opened=now,
    )


def move(
    session: Session,
    battle: BattleRow,
    deadline: datetime | None,
    now: datetime,
    *,
    who: logbook.Who,
    what: str,
    params: Mapping[str, Json] | None = None,
    columns: Mapping[str, Any] | None = None,
    hand: Viewer | None = None,
) -> None:
    """Give the open turn another deadline: logged as `what` (with `old`, `new` and `params`) and told to all; whoever was
    reminded of the old one is told so. `columns`: what else of the row changes with it. `hand`: the game master
    who did it."""
    change(session, battle, deadline=deadline, **(columns or {}))
    told = {"old": logbook.moment(battle.deadline), "new": logbook.moment(deadline), **(params or {})}
    logbook.note(session, battle.id, battle.turn, who, what, now, told, by=hand)
    tell_moved(session, battle, battle.deadline, deadline, now)


def tell_moved(session: Session, battle: BattleRow, old: datetime | None, new: datetime | None, now: datetime) -> None:
    key = f"deadline-moved/{battle.turn}/{battle.version}"
    notices.tell(session, battle, "deadline-moved", now, facts={"old": old, "new": new}, key=key)
    correct(session, battle, old, new, now)


def correct(session: Session, battle: BattleRow, old: datetime | None, new: datetime | None, now: datetime) -> None:
    """Whoever was reminded of a deadline that is none any more, and nobody else, is told so."""
    if old is None or old == new:
        return
    this = {"this_battle": battle.id, "this_turn": battle.turn, "this_moment": old}
    found = run(session, _REMINDED, **this).scalar_one_or_none()
    if found is None:
        return
    run(session, _FORGET, **this)
    reminded = loads(found)
    if reminded:
        key = f"reminder-corrected/{battle.turn}/{battle.version}"
        facts = {"old": old, "deadline": new}
        notices.tell(session, battle, "reminder-corrected", now, seats=reminded, facts=facts, key=key)


def forget(session: Session, battle: BattleRow, *, since: int, new: datetime | None, now: datetime) -> None:
    """A turn opens anew: whoever was reminded of the deadline that was open is told, and turns from `since` on may be
    reminded of again."""
    correct(session, battle, battle.deadline, new, now)
    run(session, delete(REMINDERS).where(_R.battle_id == battle.id, _R.turn >= since))


def remind(session: Session, battle: BattleRow, now: datetime) -> tuple[str, ...]:
    """Remind whoever has a part of his orders still to give of the deadline; the seats. Once for each deadline."""
    if battle.deadline is None:
        return ()
    this = {"this_battle": battle.id, "this_turn": battle.turn, "this_moment": battle.deadline}
    if run(session, _REMINDED, **this).scalar_one_or_none() is not None:
        return ()
    late = unfinished(session, battle)
    values = {"battle_id": battle.id, "turn": battle.turn, "deadline": battle.deadline}
    run(session, _REMEMBER, **values, seats=dumps(list(late)), sent_at=now)
    for seat in late:
        key = f"reminder/{battle.turn}/{logbook.moment(battle.deadline)}/{battle.version}"
        facts = {"seat": seat, "deadline": battle.deadline}
        notices.tell(session, battle, "reminder", now, seats=(seat,), facts=facts, key=f"{key}/{seat}")
    return late


def unfinished(session: Session, battle: BattleRow) -> tuple[str, ...]:
    """The seats that are asked, have not said that they are ready, and have entered nothing or not for all their units."""
    state = position(session, battle, battle.turn)
    last = last_revisions(session, battle.id, battle.turn)
    requests = asked(battle, state)
    tally = battle.ruleset.tally
    found = []
    for row in seats(session, battle.id):
        request, sheet = requests.get(row.seat), last.get(row.seat)
        if request is None or is_ready(row, battle.turn, sheet):
            continue
        controlled = tally(state, request, None)[1] if tally else 0
        if sheet is None or sheet.request != request.id or (sheet.ordered or 0) < controlled:
            found.append(row.seat)
    return tuple(found)


def resume(
    session: Session, battle: BattleRow, at: datetime, now: datetime, *, who: logbook.Who, hand: Viewer | None = None
) -> None:
    """A pause ends at a moment: the turn gets back exactly what was left of its time when the pause began."""
    assert battle.paused_at is not None  # of a paused battle, always
    deadline = None
    if battle.paused_deadline is not None:
        deadline = battle.paused_deadline + (at - battle.paused_at)
    change(session, battle, status="open", deadline=deadline, **NO_PAUSE)
    params = {"old": logbook.moment(battle.paused_deadline), "new": logbook.moment(deadline)}
    logbook.note(session, battle.id, battle.turn, who, "resumed", now, params, by=hand)
    key = f"resumed/{battle.turn}/{battle.version}"
    notices.tell(session, battle, "resumed", now, facts={"deadline": deadline}, key=key)


def grace_ends(options: Options, held_at: datetime | None) -> datetime | None:
    """When a battle that has been held since then goes on by itself. None: never."""
    if held_at is None or options.grace_minutes <= 0:
        return None
    return held_at + timedelta(minutes=options.grace_minutes)


def to_come(deadline: datetime, now: datetime) -> datetime:
    """Raises `RefereeError("bad-deadline")`."""
    if deadline.tzinfo is None or not now < deadline <= now + FAR:
        raise RefereeError("bad-deadline", params={"deadline": deadline.isoformat()})
    return deadline
