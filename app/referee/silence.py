"""Seats that are silent: the one extension, the count of silent turns, the offer to others."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, update
from sqlalchemy.orm import Session

from app.engine.ruleset import Request
from app.referee import clock, logbook, notices
from app.referee.logbook import Who
from app.referee.rows import BattleRow, SeatRow, run, seats
from app.referee.sheets import is_silent, last_revisions
from app.referee.views import Viewer
from app.store.models import SEATS

_SEAT = update(SEATS).where(SEATS.c.battle_id == bindparam("this_battle"), SEATS.c.seat == bindparam("this_seat"))


def extend(session: Session, battle: BattleRow, requests: Mapping[str, Request], now: datetime) -> bool:
    """The deadline has come: if seats are silent that had no extension in this battle yet, the turn gets so many hours more,
    counted from the deadline. True: it was extended. An extension that would be past already is not spent."""
    hours = battle.options.extend_hours
    if hours <= 0 or battle.deadline is None:
        return False
    deadline = battle.deadline + timedelta(hours=hours)
    silent = _silent(session, battle, requests)
    fresh = [row.seat for row in silent if row.extended_turn is None]
    if deadline <= now or not fresh:
        return False
    for seat in fresh:
        set_seat(session, battle.id, seat, extended_turn=battle.turn)
    clock.move(session, battle, deadline, now, who="clock", what="extended-for-silence", params={"seats": fresh})
    return True


def reckon(
    session: Session, battle: BattleRow, requests: Mapping[str, Request], counted: Collection[str], by: str, now: datetime
) -> None:
    """A turn is resolved: whoever was silent in it has one silent turn more, and is offered to others after so many as the
    battle says; where it offers none, nothing is counted. A turn that the game master resolved before its time is held
    against nobody."""
    most = battle.options.offer_after
    if most <= 0:
        return
    cut_short = by == "master" and battle.deadline is not None and now < battle.deadline
    for row in seats(session, battle.id):
        if row.seat not in requests or row.vacant_at is not None:
            continue
        if row.seat in counted or (row.ready_turn == battle.turn):
            if row.silent_turns:
                set_seat(session, battle.id, row.seat, silent_turns=0)
        elif not cut_short:
            silent = row.silent_turns + 1
            set_seat(session, battle.id, row.seat, silent_turns=silent)
            if most <= silent and row.offered_at is None:
                offer(session, battle, row.seat, now, who="clock")


def offer(session: Session, battle: BattleRow, seat: str, now: datetime, *, who: Who, by: Viewer | None = None) -> None:
    """Told to all; the caller's transaction."""
    set_seat(session, battle.id, seat, offered_at=now, offered_by=who)
    logbook.note(session, battle.id, battle.turn, who, "seat-offered", now, {"seat": seat}, by=by)
    key = f"seat-offered/{seat}/{logbook.moment(now)}"
    notices.tell(session, battle, "seat-offered", now, facts={"seat": seat}, key=key)


def withdraw(session: Session, battle: BattleRow, seat: str, now: datetime, *, who: Who, by: Viewer | None = None) -> None:
    set_seat(session, battle.id, seat, offered_at=None, offered_by=None)
    logbook.note(session, battle.id, battle.turn, who, "seat-not-offered", now, {"seat": seat}, by=by)


def heard(session: Session, battle: BattleRow, row: SeatRow, now: datetime) -> None:
    """A word of a seat's holder: the clock's offer of it is taken back."""
    if row.offered_by == "clock":
        withdraw(session, battle, row.seat, now, who="seat")


def set_seat(session: Session, battle_id: str, seat: str, **values: Any) -> None:
    """In the caller's transaction."""
    run(session, _SEAT.values(**values), this_battle=battle_id, this_seat=seat)


def _silent(session: Session, battle: BattleRow, requests: Mapping[str, Request]) -> list[SeatRow]:
    last = last_revisions(session, battle.id, battle.turn)
    return [
        row
        for row in seats(session, battle.id)
        if row.seat in requests
        and row.vacant_at is None
        and row.program is None
        and is_silent(row, battle.turn, last.get(row.seat))
    ]
