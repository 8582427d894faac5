"""What time does to open seats: sides that have chosen long enough, offers that were let pass, the waiting list."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import exists, or_, select, update
from sqlalchemy.orm import Session

from app.referee import choosing, notices, openings
from app.referee.rows import BattleRow, battle_row, run
from app.store.db import Database
from app.store.models import ASKINGS, BATTLES, LEFT, OPENINGS, SEATS

_A, _B, _O = ASKINGS.c, BATTLES.c, OPENINGS.c


def unsettled(db: Database, now: datetime) -> list[str]:
    """Battles with sides whose time to choose may be over."""
    is_over = or_(_O.settle_by <= now, _B.deadline <= now, _B.turn > 1, _B.status == "review")
    columns = select(_B.id).join_from(BATTLES, OPENINGS, _O.battle_id == _B.id).order_by(_B.id)
    with db.read() as session:
        found = columns.where(_O.choosing.is_(True), _B.status.not_in(("over", LEFT)), is_over)
        return list(run(session, found).scalars())


def settle(session: Session, battle: BattleRow, now: datetime) -> None:
    """The clock settles what is claimed; after the first turn nothing is left to choose."""
    sides = choosing.due(session, battle, now)
    if sides:
        choosing.settle(session, battle, sides, now, who="clock")
    if battle.turn > 1 or battle.status == "review":
        opening = openings.opening_of(session, battle.id)
        openings.keep(session, battle.id, replace(opening, choosing=False, waits=False), now)


def waiting(db: Database, now: datetime) -> list[str]:
    """Battles with an offer that has ended, or with somebody on the list and a seat that may be his."""
    ended = exists().where(_A.battle_id == _B.id, _A.status == "offered", _A.until <= now)
    listed = exists().where(_A.battle_id == _B.id, _A.status == "listed")
    opened = exists().where(_O.battle_id == _B.id, _O.is_open.is_(True), _O.seats != "[]")
    is_free = or_(SEATS.c.offered_at.is_not(None), SEATS.c.vacant_at.is_not(None))
    offered = exists().where(SEATS.c.battle_id == _B.id, is_free)
    with db.read() as session:
        here = (_B.status.not_in(("over", LEFT)), or_(ended, listed & (opened | offered)))
        return list(run(session, select(_B.id).where(*here).order_by(_B.id)).scalars())


def tend(session: Session, battle: BattleRow, now: datetime) -> None:
    """Offers that were let pass end; each free seat is offered to the first on the list whom it suits, or the game master is
    told that there is one."""
    ended = (_A.battle_id == battle.id, _A.status == "offered", _A.until <= now)
    for lapsed in run(session, select(ASKINGS).where(*ended)).all():
        over = {"status": "lapsed", "seat": None, "until": None, "origin": None, "answered_at": now}
        run(session, update(ASKINGS).where(_A.id == lapsed.id).values(**over))
        notices.tell_asker(session, battle, lapsed, "asking-lapsed", now)
        notices.forget_asker(session, lapsed.id)
    opening = openings.opening_of(session, battle.id)
    free = openings.free(session, battle, opening)
    query = select(ASKINGS).where(_A.battle_id == battle.id, _A.status.in_(("listed", "offered"))).order_by(_A.id)
    rows = run(session, query).all()
    taken = {row.seat for row in rows if row.status == "offered"}
    left = [row for row in rows if row.status == "listed"]
    for seat, side in free.items():
        is_chosen = seat in opening.seats and openings.is_choosing(battle, opening, side)
        first = next((row for row in left if suits(row, seat, side)), None)
        if seat in taken or is_chosen or first is None:
            continue
        left.remove(first)
        if opening.offer_hours:
            until = now + timedelta(hours=opening.offer_hours)
            offer = update(ASKINGS).where(_A.id == first.id, _A.status == "listed")
            run(session, offer.values(status="offered", seat=seat, until=until))
            notices.tell_asker(session, battle, first, "asking-offered", now, {"seat": seat, "until": until})
        key = f"seat-waited-for/{seat}/{first.id}"
        notices.tell(session, battle, "seat-waited-for", now, seats=(), masters=True, facts={"seat": seat}, key=key)


def nexts(db: Database, battle_id: str) -> dict[int, tuple[str, ...]]:
    """The first on the list for each seat that is free and offered to nobody, by asking. For a game master's page.
    Raises `RefereeError("no-battle")`."""
    with db.read() as session:
        battle = battle_row(session, battle_id)
        opening = openings.opening_of(session, battle_id)
        query = select(ASKINGS).where(_A.battle_id == battle_id, _A.status.in_(("listed", "offered"))).order_by(_A.id)
        rows = run(session, query).all()
        taken = {row.seat for row in rows if row.status == "offered"}
        found: dict[int, tuple[str, ...]] = {}
        for seat, side in openings.free(session, battle, opening).items():
            first = next((row for row in rows if row.status == "listed" and suits(row, seat, side)), None)
            if first is not None and seat not in taken:
                found[first.id] = (*found.get(first.id, ()), seat)
        return found


def suits(row: Any, seat: str, side: str) -> bool:
    """Whether a seat is what he asked for."""
    return bool(row.want == "any" or row.what == (seat if row.want == "seat" else side))
