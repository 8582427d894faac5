"""What a battle looks for: open seats, a few words, whether sides choose their contingents among themselves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, exists, func, insert, or_, select, update
from sqlalchemy.orm import Session

from app.referee import clock, logbook, names, pausing, schedule
from app.referee.access import master_only
from app.referee.errors import RefereeError
from app.referee.rows import AWAITING, BattleRow, battle_row, change, dumps, loads, locked, run, seats
from app.referee.schedule import Schedule
from app.referee.views import Texts, Viewer
from app.store.db import Database
from app.store.models import ASKINGS, BATTLES, LEFT, OPENINGS, SEATS, Battle

WORDS_MAX = 600
OFFER_HOURS_MAX = 24 * 14
LISTED = 50


@dataclass(frozen=True, kw_only=True)
class Opening:
    """`seats`: open, not given yet. `choosing`: people are accepted to a side, and settle there who has which seat;
    `settled`: the sides that have. `settle_by`: then claims are settled as they stand. `waits`: the battle is paused until
    then. `swaps`: contingents may be exchanged later, too. `offer_hours`: so long a free seat is offered to the first of the
    waiting list; 0: the game master is told of him."""

    is_open: bool = False
    words: str = ""
    seats: tuple[str, ...] = ()
    choosing: bool = False
    settled: tuple[str, ...] = ()
    settle_by: datetime | None = None
    waits: bool = False
    swaps: bool = False
    offer_hours: int = 0


@dataclass(frozen=True)
class OpenSeat:
    """`choosing`: who comes here is accepted to the side, which settles it. `offered`: it was another's, who is silent or
    gone."""

    seat: str
    side: str
    name: Texts
    side_name: Texts
    choosing: bool
    offered: bool


@dataclass(frozen=True)
class Looking:
    """A battle that looks for players, for a list."""

    id: str
    title: str
    scenario_key: str
    status: str
    turn: int
    deadline: datetime | None
    zone: str
    schedule: Schedule
    words: str
    open: int
    seats: int
    units: int
    since: datetime


_A = ASKINGS.c
_JOINED = select(_A.side, func.count().label("many")).group_by(_A.side)
_ONE = select(OPENINGS).where(OPENINGS.c.battle_id == bindparam("battle"))
_OFFERED = select(SEATS.c.seat).where(
    SEATS.c.battle_id == bindparam("battle"), or_(SEATS.c.offered_at.is_not(None), SEATS.c.vacant_at.is_not(None))
)


def opening_of(session: Session, battle_id: str) -> Opening:
    """Of a battle that was never opened: one with nothing open."""
    row = run(session, _ONE, battle=battle_id).one_or_none()
    if row is None:
        return Opening()
    return Opening(
        is_open=row.is_open,
        words=row.words,
        seats=tuple(loads(row.seats)),
        choosing=row.choosing,
        settled=tuple(loads(row.settled)),
        settle_by=row.settle_by,
        waits=row.waits,
        swaps=row.swaps,
        offer_hours=row.offer_hours,
    )


def keep(session: Session, battle_id: str, opening: Opening, now: datetime) -> None:
    """In the caller's transaction, which holds the battle's row."""
    values: dict[str, Any] = {
        "is_open": opening.is_open,
        "words": opening.words,
        "seats": dumps(list(opening.seats)),
        "choosing": opening.choosing,
        "settled": dumps(list(opening.settled)),
        "settle_by": opening.settle_by,
        "waits": opening.waits,
        "swaps": opening.swaps,
        "offer_hours": opening.offer_hours,
    }
    if run(session, update(OPENINGS).where(OPENINGS.c.battle_id == battle_id).values(**values)).rowcount == 0:
        run(session, insert(OPENINGS).values(battle_id=battle_id, opened_at=now, **values))


def is_choosing(battle: BattleRow, opening: Opening, side: str) -> bool:
    """Whether who has which contingent of this side is still to be settled."""
    is_first = battle.turn == 1 and battle.status in AWAITING
    return is_first and opening.choosing and side not in opening.settled


def is_unsettled(session: Session, battle: BattleRow, seat: str, side: str) -> bool:
    """Nobody enters orders for a seat before its side has settled whose it is."""
    if battle.turn != 1:
        return False
    opening = opening_of(session, battle.id)
    return seat in opening.seats and is_choosing(battle, opening, side)


def pool(session: Session, battle: BattleRow, opening: Opening, side: str) -> tuple[str, ...]:
    """The open seats of a side, in order of place."""
    return tuple(row.seat for row in seats(session, battle.id) if row.side == side and row.seat in opening.seats)


def free(session: Session, battle: BattleRow, opening: Opening) -> dict[str, str]:
    """Every seat that may be asked for, with its side, in order of place: those opened, those offered to others, and, while
    the battle looks for players, those that nobody holds any more."""
    if battle.status == "over":
        return {}
    listed = opening.seats if opening.is_open else ()
    return {
        row.seat: row.side
        for row in seats(session, battle.id)
        if row.seat in listed or row.offered_at is not None or (opening.is_open and row.vacant_at is not None)
    }


def of_battle(db: Database, battle_id: str) -> tuple[Opening, tuple[OpenSeat, ...]]:
    """For all: what a battle looks for, and its open seats. Raises `RefereeError("no-battle")`."""
    with db.read() as session:
        battle = battle_row(session, battle_id)
        opening = opening_of(session, battle_id)
        found = free(session, battle, opening)
        offered = set(run(session, _OFFERED, battle=battle.id).scalars()) if found else set()
        scenario = (
            loads(session.execute(select(Battle.scenario).where(Battle.id == battle_id)).scalar_one()) if found else {}
        )
    return opening, tuple(
        OpenSeat(
            seat,
            side,
            scenario["contingents"][seat]["name"],
            scenario["sides"][side]["name"],
            is_choosing(battle, opening, side) and seat in opening.seats,
            seat in offered,
        )
        for seat, side in found.items()
    )


def set_up(db: Database, battle_id: str, viewer: Viewer, chosen: Opening, now: datetime) -> None:
    """What the battle looks for from now on; the sides that have settled stay so. If it is to wait for its sides, it is
    paused. Raises `RefereeError`: no-battle, not-yours, closed (it is over), no-seat, bad-words, bad-offer, bad-deadline
    (`settle_by`), no-choosing (the first turn was resolved),
    side-full (it has more people already)."""
    with db.write() as session:
        battle = locked(session, battle_id)
        master_only(battle, viewer)
        if battle.status == "over":
            raise RefereeError("closed", current={"turn": battle.turn})
        before = opening_of(session, battle_id)
        wanted = _checked(session, battle, before, chosen, now)
        if wanted == before:
            return
        keep(session, battle_id, wanted, now)
        change(session, battle)
        _log(session, battle, viewer, before, wanted, now)
    if wanted.waits and not before.waits and battle.status == "open" and battle.deadline is not None:
        pausing.pause(db, battle_id, viewer, now, until=wanted.settle_by)


def _checked(session: Session, battle: BattleRow, before: Opening, chosen: Opening, now: datetime) -> Opening:
    known = [row.seat for row in seats(session, battle.id)]
    if not set(chosen.seats) <= set(known):
        raise RefereeError("no-seat")
    if not 0 <= chosen.offer_hours <= OFFER_HOURS_MAX:
        raise RefereeError("bad-offer", params={"most": OFFER_HOURS_MAX})
    if chosen.choosing and not before.choosing and (battle.turn != 1 or battle.status not in AWAITING):
        raise RefereeError("no-choosing")
    if battle.turn == 1 and _many(session, battle, before, chosen):
        raise RefereeError("side-full")
    settle_by = chosen.settle_by if chosen.choosing else None
    if settle_by is not None and settle_by != before.settle_by:
        clock.to_come(settle_by, now)
    return replace(
        chosen,
        words=said(chosen.words),
        seats=tuple(seat for seat in known if seat in chosen.seats),
        settled=before.settled,
        settle_by=settle_by,
        waits=chosen.waits and chosen.choosing,
    )


def _many(session: Session, battle: BattleRow, before: Opening, chosen: Opening) -> bool:
    """Whether a side that chooses would have more people than seats."""
    is_joined = (_A.battle_id == battle.id, _A.status == "accepted", _A.side.is_not(None))
    joined = {row.side: row.many for row in run(session, _JOINED.where(*is_joined))}
    open_now = replace(before, seats=chosen.seats if chosen.choosing else ())
    unsettled = (side for side in joined if side is not None and side not in before.settled)
    return any(joined[side] > len(pool(session, battle, open_now, side)) for side in unsettled)


def said(text: str) -> str:
    """Words of several lines, or none. Raises `RefereeError("bad-words")`."""
    if not text.strip():
        return ""
    if len(text) > WORDS_MAX:
        raise RefereeError("bad-words", params={"most": WORDS_MAX})
    try:
        return names.reason(text)
    except RefereeError as refused:
        raise RefereeError("bad-words", params={"most": WORDS_MAX}) from refused


def _log(session: Session, battle: BattleRow, viewer: Viewer, before: Opening, wanted: Opening, now: datetime) -> None:
    def note(what: str, **params: Any) -> None:
        logbook.note(session, battle.id, battle.turn, "master", what, now, params, by=viewer)

    if wanted.is_open and (wanted.seats != before.seats or not before.is_open):
        note("players-sought", open=len(wanted.seats))
    elif before.is_open and not wanted.is_open:
        note("players-not-sought")
    if wanted.choosing and (wanted.settle_by != before.settle_by or not before.choosing):
        note("sides-choose", settled=logbook.moment(wanted.settle_by))


def looking(db: Database, *, limit: int = LISTED) -> tuple[Looking, ...]:
    """The battles that look for players, the newest opening first."""
    offered = exists().where(SEATS.c.battle_id == BATTLES.c.id, SEATS.c.offered_at.is_not(None))
    is_sought = (OPENINGS.c.is_open.is_(True)) & (OPENINGS.c.seats != "[]")
    query = (
        select(BATTLES.c.id)
        .join_from(BATTLES, OPENINGS, OPENINGS.c.battle_id == BATTLES.c.id, isouter=True)
        .where(BATTLES.c.status.not_in(("over", LEFT)), or_(is_sought, offered))
        .order_by(OPENINGS.c.opened_at.desc().nulls_last(), BATTLES.c.id)
        .limit(limit)
    )
    with db.read() as session:
        return tuple(_looking(session, battle_id) for battle_id in session.execute(query).scalars().all())


def _looking(session: Session, battle_id: str) -> Looking:
    columns = ("id", "title", "scenario_key", "status", "turn", "deadline", "zone", "schedule", "turn_hours", "created_at")
    query = select(*(BATTLES.c[name] for name in columns), BATTLES.c.scenario).where(BATTLES.c.id == battle_id)
    row = session.execute(query).one()
    opened = session.execute(select(OPENINGS.c.opened_at).where(OPENINGS.c.battle_id == battle_id)).scalar_one_or_none()
    opening = opening_of(session, battle_id)
    return Looking(
        id=row.id,
        title=row.title,
        scenario_key=row.scenario_key,
        status=row.status,
        turn=row.turn,
        deadline=row.deadline,
        zone=row.zone,
        schedule=schedule.read(row.schedule, row.turn_hours),
        words=opening.words if opening.is_open else "",
        open=len(free(session, battle_row(session, battle_id), opening)),
        seats=len(seats(session, battle_id)),
        units=len(loads(row.scenario).get("units", ())),
        since=opened or row.created_at,
    )
