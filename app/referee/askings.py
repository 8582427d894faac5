"""Somebody asks for a seat: with an account, or with a ticket, a link by which he sees how his asking stands. Askings are
seen by himself and the game masters; to all others they are as if they were not, until a seat is given."""

from __future__ import annotations

import hashlib
from datetime import datetime

from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from app.referee import granting, keys, names, notices, openings
from app.referee.access import master_only
from app.referee.askingrows import (
    _A,
    LIVE,
    WAITING,
    Asker,
    AskingView,
    Status,
    disagree,
    held,
    leave_side,
    members,
    row_in,
    row_of,
    turn,
    view,
)
from app.referee.errors import RefereeError
from app.referee.openings import Opening, said
from app.referee.rows import BattleRow, battle_row, change, locked, run, seats
from app.referee.views import Viewer
from app.store.db import Database
from app.store.models import ASKINGS, BATTLES

MOST = 200
"""Askings of one battle that wait."""
MOST_OF_ONE = 5
"""Of one address."""
REACH_MAX = 254


def ask(
    db: Database,
    battle_id: str,
    now: datetime,
    *,
    account: Viewer | None = None,
    name: str = "",
    reach: str = "",
    words: str = "",
    want: str = "any",
    what: str = "",
    address: str = "",
) -> str:
    """Ask for a seat, a side, or anything that is open. The ticket's secret, told this once; empty: the account is the
    ticket. The game masters are told. Raises `RefereeError`: no-battle, not-sought (nothing of the kind is open), bad-name,
    bad-words, asked-already (this account), too-many (of this address, or of all)."""
    called = names.holder(account.name or "" if account else name)
    told, reached = said(words), _reach(reach)
    ticket = "" if account else keys.new_key()
    with db.write() as session:
        battle = locked(session, battle_id)
        opening = openings.opening_of(session, battle_id)
        if not is_open(openings.free(session, battle, opening), want, what):
            raise RefereeError("not-sought")
        origin = _origin(battle, address)
        _limit(session, battle_id, account, origin)
        values = {
            "battle_id": battle_id,
            "account_id": account.account_id if account else None,
            "ticket_hash": keys.key_hash(ticket) if ticket else None,
            "origin": origin,
            "name": called,
            "reach": reached,
            "words": told,
            "want": want,
            "what": "" if want == "any" else what,
            "status": "asked",
            "agreed": False,
            "answer": "",
            "asked_at": now,
        }
        made = run(session, insert(ASKINGS).values(**values)).inserted_primary_key
        key = f"seat-asked/{made[0] if made else ''}"
        notices.tell(session, battle, "seat-asked", now, seats=(), masters=True, key=key)
    return ticket


def is_open(free: dict[str, str], want: str, what: str) -> bool:
    """Whether something of the kind may be asked for. `free`: open seats with their sides."""
    return bool(free) and {"any": True, "seat": what in free, "side": what in free.values()}.get(want, False)


def mine(db: Database, asker: Asker, battle_id: str | None = None) -> AskingView:
    """How his asking stands. An account's is that of `battle_id`: the last one. Raises `RefereeError("no-asking")`."""
    with db.read() as session:
        row = row_of(session, asker, battle_id)
        return view(session, row)


def seat_links(db: Database, ticket: str) -> dict[str, str]:
    """The keys of the seats that a ticket's holder has; they work from the first time that they are asked for. A seat whose
    key was renewed since is left out. Raises `RefereeError("no-asking")`."""
    with db.write() as session:
        row = row_of(session, Asker(ticket=ticket))
        if row.status != "accepted":
            return {}
        locked(session, row.battle_id)
        return granting.take(session, row.id, ticket)


def of_battle(db: Database, battle_id: str, viewer: Viewer) -> tuple[AskingView, ...]:
    """All askings, in the order in which they came, for a game master. Raises `RefereeError`: no-battle, not-yours."""
    with db.read() as session:
        battle = battle_row(session, battle_id)
        master_only(battle, viewer)
        rows = run(session, select(ASKINGS).where(_A.battle_id == battle_id).order_by(_A.id)).all()
        return tuple(view(session, row) for row in rows)


def of_account(db: Database, account: Viewer) -> tuple[tuple[str, str, str, Status], ...]:
    """The battles in which an account has asked, the newest first: id, title, scenario's key, how the last asking stands."""
    newest = select(func.max(_A.id)).where(_A.account_id == account.account_id).group_by(_A.battle_id)
    columns = select(BATTLES.c.id, BATTLES.c.title, BATTLES.c.scenario_key, _A.status)
    query = columns.join_from(ASKINGS, BATTLES, BATTLES.c.id == _A.battle_id).where(_A.id.in_(newest))
    with db.read() as session:
        rows = run(session, query.where(BATTLES.c.status != "over").order_by(_A.id.desc())).all()
    return tuple((row.id, row.title, row.scenario_key, row.status) for row in rows)


def withdraw(db: Database, asker: Asker, now: datetime, *, battle_id: str | None = None) -> None:
    """He asks no more, or leaves the side that he was accepted to. Raises `RefereeError`: no-asking, asking-over (he has a
    seat by it, or it was answered)."""
    with db.write() as session:
        row, battle = held(session, asker, battle_id)
        if granting.granted(session, row.id):
            raise RefereeError("asking-over")
        turn(session, row.id, LIVE, status="withdrawn", seat=None, until=None, side=None, answered_at=now, origin=None)
        leave_side(session, row)
        notices.forget_asker(session, row.id)
        notices.tell(session, battle, "asking-withdrawn", now, seats=(), masters=True, key=f"withdrawn/{row.id}")


def accept(
    db: Database,
    battle_id: str,
    viewer: Viewer,
    asking: int,
    now: datetime,
    *,
    seat: str | None = None,
    side: str | None = None,
    answer: str = "",
    fresh: bool = False,
) -> None:
    """A game master gives him a seat (`fresh`: with nothing entered for the open turn, else with what is), or takes him into
    a side that chooses among itself.
    Raises `RefereeError`: no-battle, not-yours, no-asking, asking-over (it was answered or taken back meanwhile), not-sought
    (the seat is not open any more, the side does not choose), side-full, bad-words."""
    if (seat is None) == (side is None):
        raise RefereeError("not-sought")
    word = said(answer)
    with db.write() as session:
        battle = locked(session, battle_id)
        master_only(battle, viewer)
        row = row_in(session, battle_id, asking)
        opening = openings.opening_of(session, battle_id)
        status = {"status": "accepted", "seat": None, "until": None, "answered_at": now, "answer": word, "origin": None}
        turn(session, row.id, WAITING, **status, side=side)
        if side is not None:
            _room(session, battle, opening, side, joining=row.id)
            disagree(session, battle_id, side)
            notices.tell_asker(session, battle, row, "asking-side", now)
            return
        free = openings.free(session, battle, opening) | dict.fromkeys(opening.seats, "")
        if seat is None or seat not in free:
            raise RefereeError("not-sought")
        granting.give(session, battle, row, seat, now, who="master", by=viewer, fresh=fresh)
        _still_room(session, battle, openings.opening_of(session, battle_id), seat)
        change(session, battle)


def answer(db: Database, battle_id: str, viewer: Viewer, asking: int, now: datetime, *, status: str, word: str = "") -> None:
    """A game master declines (`declined`), or keeps him on the waiting list (`listed`), with a word or without; also one who
    was accepted to a side that has not settled yet.
    Raises `RefereeError`: no-battle, not-yours, no-asking, asking-over, bad-words."""
    told = said(word)
    if status not in ("declined", "listed"):
        raise ValueError(status)
    with db.write() as session:
        battle = locked(session, battle_id)
        master_only(battle, viewer)
        row = row_in(session, battle_id, asking)
        over = {"origin": None, "answered_at": now} if status == "declined" else {}
        of_side = ("accepted",) if row.side is not None and not granting.granted(session, row.id) else ()
        turn(session, row.id, (*WAITING, *of_side), status=status, seat=None, until=None, side=None, answer=told, **over)
        leave_side(session, row)
        notices.tell_asker(session, battle, row, f"asking-{status}", now)
        notices.forget_asker(session, row.id)


def take_offer(db: Database, asker: Asker, now: datetime, *, battle_id: str | None = None) -> str:
    """He takes the seat that is offered to him. Raises `RefereeError`: no-asking, asking-over (the offer has ended)."""
    with db.write() as session:
        row, battle = held(session, asker, battle_id)
        opening = openings.opening_of(session, battle.id)
        if row.until is None or row.until <= now or row.seat not in openings.free(session, battle, opening):
            raise RefereeError("asking-over")
        status = {"status": "accepted", "seat": None, "until": None, "answered_at": now, "origin": None}
        turn(session, row.id, ("offered",), **status)
        granting.give(session, battle, row, row.seat, now, who="seat")
        change(session, battle)
        return str(row.seat)


def _room(session: Session, battle: BattleRow, opening: Opening, side: str, *, joining: int) -> None:
    is_known = side in {row.side for row in seats(session, battle.id)}
    if not is_known or not openings.is_choosing(battle, opening, side):
        raise RefereeError("not-sought")
    others = [row for row in members(session, battle.id, side) if row.id != joining]
    if len(others) >= len(openings.pool(session, battle, opening, side)):
        raise RefereeError("side-full")


def _still_room(session: Session, battle: BattleRow, opening: Opening, seat: str) -> None:
    """A seat is taken out of what a side chooses among: there has to be one left for each of it."""
    side = next(row.side for row in seats(session, battle.id) if row.seat == seat)
    if openings.is_choosing(battle, opening, side):
        if len(members(session, battle.id, side)) > len(openings.pool(session, battle, opening, side)):
            raise RefereeError("side-full")
        disagree(session, battle.id, side)


def _limit(session: Session, battle_id: str, account: Viewer | None, origin: str | None) -> None:
    if account is not None:
        query = select(_A.id, _A.status, _A.side).where(_A.battle_id == battle_id, _A.account_id == account.account_id)
        for row in run(session, query):
            is_of_side = row.status == "accepted" and row.side is not None and not granting.granted(session, row.id)
            if row.status in WAITING or is_of_side:
                raise RefereeError("asked-already")
    waiting = select(func.count()).where(_A.battle_id == battle_id, _A.status.in_(WAITING))
    if origin is not None and run(session, waiting.where(_A.origin == origin)).scalar_one() >= MOST_OF_ONE:
        raise RefereeError("too-many", params={"most": MOST_OF_ONE})
    if run(session, waiting).scalar_one() >= MOST:
        raise RefereeError("too-many", params={"most": MOST})


def _origin(battle: BattleRow, address: str) -> str | None:
    """No address is kept: a digest of it that is another in each battle, and forgotten when the asking is answered."""
    return hashlib.sha256(f"{battle.master_hash}/{address}".encode()).hexdigest() if address else None


def _reach(text: str) -> str:
    if not text.strip():
        return ""
    if len(text) > REACH_MAX:
        raise RefereeError("bad-words", params={"most": REACH_MAX})
    return " ".join(said(text).split())
