"""Seats and battles that an account holds: taken up by their links, given back, listed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import and_, select, update
from sqlalchemy.orm import Session

from app.referee import masters, passes
from app.referee.access import is_master, is_seat
from app.referee.errors import RefereeError
from app.referee.rows import AWAITING, asked, change, loads, locked, playable, position, seat_row, seats
from app.referee.sheets import is_ready, last_revisions
from app.referee.views import Texts, Viewer
from app.store.db import Database
from app.store.models import ASKINGS, GRANTS, PASSES, Battle, Master, Seat

_G = GRANTS.c


@dataclass(frozen=True)
class HeldSeat:
    """`asked`: orders are awaited of it now. `name`: as the scenario has it. `own`: not as a deputy; `has_link`: somebody
    has a key of it, so that it is not lost when the account lets go."""

    seat: str
    name: Texts
    asked: bool
    entered: bool
    ready: bool
    own: bool = True
    has_link: bool = True


@dataclass(frozen=True)
class HeldBattle:
    """A battle in which an account has something to do. `is_move`: something of it waits for him."""

    id: str
    title: str
    scenario_key: str
    status: str
    turn: int
    deadline: datetime | None
    zone: str
    is_master: bool
    seats: tuple[HeldSeat, ...]

    @property
    def is_move(self) -> bool:
        waits = self.is_master and self.status in {"review", "held"}
        return waits or any(seat.asked and not seat.ready for seat in self.seats)


def take_up(db: Database, battle_id: str, account: Viewer, link: Viewer, now: datetime) -> None:
    """What a link opens, a seat or the desk, becomes the account's as well; the link goes on working.
    Raises `RefereeError`: no-battle, no-seat, not-yours (the link opens neither), seat-taken (another account's)."""
    with db.write() as session:
        battle = locked(session, battle_id)
        if link.kind == "seat" and link.seat is not None and is_seat(battle, link, link.seat) and link.through == "own":
            seat_row(session, battle_id, link.seat)
            _own(session, battle_id, link.seat, account)
            masters.mark_as_playing(session, battle, _id(account), now)
        elif link.kind == "master" and is_master(battle, link):
            mine = (Master.battle_id == battle_id, Master.number == (link.master or masters.FIRST))
            if session.execute(select(Master.account_id).where(*mine)).scalar_one() not in (None, account.account_id):
                raise RefereeError("seat-taken")
            named = update(Master).where(*mine).values(account_id=account.account_id)
            session.execute(named.execution_options(synchronize_session=False))
            held = select(Seat.seat).where(Seat.battle_id == battle_id, Seat.account_id == account.account_id)
            if session.execute(held.limit(1)).first() is not None:
                masters.mark_as_playing(session, battle, _id(account), now)
        else:
            raise RefereeError("not-yours")
        change(session, battle)


def give_back(db: Database, battle_id: str, account: Viewer, *, seat: str | None) -> None:
    """The account holds it no more (`seat` None: the desk); its link still does. Raises `RefereeError`: no-battle, no-link
    (a seat that was given to the account: there is no link by which anybody could open it)."""
    with db.write() as session:
        battle = locked(session, battle_id)
        if seat is not None:
            if seat in _without_link(session, battle_id, account):
                raise RefereeError("no-link")
            mine = (Seat.battle_id == battle_id, Seat.seat == seat, Seat.account_id == account.account_id)
            freed = update(Seat).where(*mine).values(account_id=None)
        else:
            at_desk = (Master.battle_id == battle_id, Master.account_id == account.account_id)
            freed = update(Master).where(*at_desk).values(account_id=None)
        session.execute(freed.execution_options(synchronize_session=False))
        change(session, battle)


def battles(db: Database, account: Viewer, now: datetime) -> tuple[HeldBattle, ...]:
    """All that an account holds, or where it stands in for somebody now: first where something waits for it, by deadline;
    then what goes on; then what is over."""
    with db.read() as session:
        seated = select(Seat.battle_id).where(Seat.account_id == account.account_id)
        stood_in = select(PASSES.c.battle_id).where(
            PASSES.c.account_id == account.account_id, PASSES.c.begins_at <= now, PASSES.c.ends_at > now
        )
        led = select(Master.battle_id).where(Master.account_id == account.account_id)
        columns = select(
            Battle.id, Battle.title, Battle.scenario_key, Battle.status, Battle.turn, Battle.deadline, Battle.zone
        )
        rows = session.execute(columns.where(Battle.id.in_(seated) | Battle.id.in_(led) | Battle.id.in_(stood_in))).all()
        mastered = set(session.execute(led).scalars())
        found = [
            HeldBattle(**row._mapping, is_master=row.id in mastered, seats=_seats(session, row.id, account, now))
            for row in rows
        ]
    far = datetime.max.replace(tzinfo=now.tzinfo)
    return tuple(sorted(found, key=lambda b: (not b.is_move, b.status == "over", b.deadline or far, b.title, b.id)))


def _seats(session: Session, battle_id: str, account: Viewer, now: datetime) -> tuple[HeldSeat, ...]:
    """First his own, then those in which he stands in for others."""
    query = select(Seat.seat).where(Seat.battle_id == battle_id, Seat.account_id == account.account_id)
    own = session.execute(query.order_by(Seat.place)).scalars().all()
    deputies = passes.acting(session, battle_id, now, account_id=account.account_id)
    mine = (*own, *(one.seat for one in deputies if one.seat is not None))
    if not mine:  # its game master's alone: no position is read for nothing
        return ()
    battle = playable(session, battle_id)
    if battle is None:
        return ()
    is_past = battle.status == "open" and battle.deadline is not None and battle.deadline <= now
    requests = asked(battle, position(session, battle, battle.turn)) if battle.status in AWAITING and not is_past else {}
    last = last_revisions(session, battle_id, battle.turn)
    scenario = session.execute(select(Battle.scenario).where(Battle.id == battle_id)).scalar_one()
    contingents = loads(scenario).get("contingents") or {}
    rows = {row.seat: row for row in seats(session, battle_id)}
    keyless = _without_link(session, battle_id, account)
    return tuple(
        HeldSeat(
            seat,
            (contingents.get(seat) or {}).get("name") or {},
            seat in requests,
            seat in last and not last[seat].is_empty,
            is_ready(rows[seat], battle.turn, last.get(seat)),
            seat in own,
            seat not in keyless,
        )
        for seat in mine
    )


def _without_link(session: Session, battle_id: str, account: Viewer) -> set[str]:
    """Seats that an account was given when it asked for them: their keys were never shown to anybody."""
    is_held = and_(Seat.battle_id == _G.battle_id, Seat.seat == _G.seat, Seat.key_generation == _G.generation)
    query = select(_G.seat).join(Seat, is_held).join(ASKINGS, ASKINGS.c.id == _G.asking_id)
    mine = (_G.battle_id == battle_id, Seat.account_id == account.account_id, ASKINGS.c.ticket_hash.is_(None))
    return set(session.execute(query.where(*mine)).scalars())


def _own(session: Session, battle_id: str, seat: str, account: Viewer) -> None:
    mine = (Seat.battle_id == battle_id, Seat.seat == seat)
    if session.execute(select(Seat.account_id).where(*mine)).scalar_one() not in (None, account.account_id):
        raise RefereeError("seat-taken")
    taken = update(Seat).where(*mine).values(account_id=account.account_id)
    session.execute(taken.execution_options(synchronize_session=False))


def _id(account: Viewer) -> int:
    if account.account_id is None:
        raise RefereeError("not-yours")
    return account.account_id
