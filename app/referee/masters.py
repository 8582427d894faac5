"""The game masters of a battle: who made it, and whom he has asked to help. Each has a key of his own."""

from __future__ import annotations

import hmac
from datetime import datetime

from sqlalchemy import bindparam, delete, func, insert, select, update
from sqlalchemy.orm import Session

from app.referee import keys, logbook, names, notices
from app.referee.access import master_only
from app.referee.errors import RefereeError
from app.referee.rows import AWAITING, BattleRow, SeatRow, change, loads, locked, run, seat_row
from app.referee.sheets import last_revisions
from app.referee.views import MasterView, Viewer
from app.store.db import Database
from app.store.models import LOG, MASTERS, Master, Seat

FIRST = 1
MOST = 12
"""Game masters of one battle."""
_SAID = select(LOG.c.params).where(LOG.c.battle_id == bindparam("battle"), LOG.c.what == "master-seat")


def first_row(battle_id: str, master_key_hash: str, account_id: int | None, now: datetime) -> dict[str, object]:
    """The row of who makes a battle."""
    return {
        "battle_id": battle_id,
        "number": FIRST,
        "key_hash": master_key_hash,
        "account_id": account_id,
        "plays": False,
        "added_at": now,
    }


def masters(session: Session, battle_id: str) -> tuple[MasterView, ...]:
    """In the order in which they came."""
    query = select(Master.number, Master.name, Master.plays).where(Master.battle_id == battle_id).order_by(Master.number)
    return tuple(MasterView(*row) for row in session.execute(query))


def first_key(session: Session, battle: BattleRow, key: str) -> str:
    """The key that seats' keys are derived from, by the key of any of the game masters. Raises `RefereeError("no-key")`."""
    hashed = keys.key_hash(key)
    if hmac.compare_digest(hashed, battle.master_hash):
        return key
    query = select(Master.wrapped).where(Master.battle_id == battle.id, Master.key_hash == hashed)
    hidden = session.execute(query).scalar_one_or_none()
    if hidden is None:
        raise RefereeError("no-key")
    return keys.unwrapped(hidden, key, battle.id)


def add(db: Database, battle_id: str, viewer: Viewer, own_key: str, name: str, now: datetime) -> str:
    """Ask somebody to help: his own key, told this once. Logged for all.
    Raises `RefereeError`: no-battle, not-yours, no-key (`own_key` is no master's here), bad-name, name-taken, too-many."""
    called = names.holder(name)
    key = keys.new_key()
    with db.write() as session:
        battle = locked(session, battle_id)
        master_only(battle, viewer)
        first = first_key(session, battle, own_key)
        _free(session, battle, called, 0)
        here = select(func.count(), func.coalesce(func.max(Master.number), 0)).where(Master.battle_id == battle_id)
        count, last = session.execute(here).one()
        if count >= MOST:
            raise RefereeError("too-many", params={"most": MOST})
        session.execute(
            insert(Master).values(
                battle_id=battle_id,
                number=last + 1,
                name=called,
                key_hash=keys.key_hash(key),
                wrapped=keys.wrapped(first, key, battle_id),
                plays=False,
                added_at=now,
            )
        )
        change(session, battle)
        logbook.note(session, battle_id, battle.turn, "master", "master-added", now, {"master": called}, by=viewer)
    return key


def remove(db: Database, battle_id: str, viewer: Viewer, number: int, now: datetime) -> None:
    """One of the helpers goes; his key stops working at once. Who made the battle stays: links are derived from his key.
    Raises `RefereeError`: no-battle, not-yours, no-page (there is none such)."""
    with db.write() as session:
        battle = locked(session, battle_id)
        master_only(battle, viewer)
        gone = (Master.battle_id == battle_id, Master.number == number, Master.number != FIRST)
        name = session.execute(select(Master.name).where(*gone)).one_or_none()
        if name is None:
            raise RefereeError("no-page")
        session.execute(delete(Master).where(*gone).execution_options(synchronize_session=False))
        notices.forget(session, battle_id, master=number)
        change(session, battle)
        logbook.note(session, battle_id, battle.turn, "master", "master-removed", now, {"master": name[0]}, by=viewer)


def describe(db: Database, battle_id: str, viewer: Viewer, *, name: str, plays: bool, now: datetime) -> None:
    """What a game master says of himself: his name (empty: none), and whether he plays as well, which is told to all.
    Raises `RefereeError`: no-battle, not-yours, bad-name, name-taken, holds-seat (his account holds one: he plays),
    plays-on (he could read at once what was sealed while he played)."""
    called = names.holder(name) if name.strip() else None
    with db.write() as session:
        battle = locked(session, battle_id)
        master_only(battle, viewer)
        mine = (Master.battle_id == battle_id, Master.number == (viewer.master or FIRST))
        row = session.execute(select(Master.name, Master.plays, Master.account_id).where(*mine)).one()
        if not plays and row.account_id is not None and _holds(session, battle_id, row.account_id):
            raise RefereeError("holds-seat")
        if (row.name, row.plays) == (called, plays):
            return
        if called is not None and row.name != called:
            _free(session, battle, called, viewer.master or FIRST)
        if row.plays and not plays and _is_sealed(session, battle):
            raise RefereeError("plays-on", current={"turn": battle.turn})
        _set(session, mine, name=called, plays=plays)
        change(session, battle)
        if row.plays != plays:
            told = {"master": called, "plays": plays}
            logbook.note(session, battle_id, battle.turn, "master", "master-plays", now, told)


def play(db: Database, battle_id: str, seat: str, viewer: Viewer, now: datetime) -> None:
    """A game master who holds the key of a seat says that he plays it; told to all. Before that it is closed to him.
    Raises `RefereeError`: no-battle, no-seat, not-yours."""
    with db.write() as session:
        battle = locked(session, battle_id)
        master_only(battle, viewer)
        row = seat_row(session, battle_id, seat)
        if _has_said(session, battle_id, row, viewer):
            return
        number = viewer.master or FIRST
        _set(session, (Master.battle_id == battle_id, Master.number == number), plays=True)
        change(session, battle)
        told = {"master": viewer.name, "seat": seat, "number": number, "generation": row.key_generation}
        logbook.note(session, battle_id, battle.turn, "master", "master-seat", now, told)


def has_said(db: Database, battle_id: str, seat: str, viewer: Viewer) -> bool:
    """Whether a game master has said that he plays a seat, by the key that it has now.
    Raises `RefereeError`: no-battle, no-seat."""
    with db.read() as session:
        return _has_said(session, battle_id, seat_row(session, battle_id, seat), viewer)


def mark_as_playing(session: Session, battle: BattleRow, account_id: int, now: datetime) -> None:
    """An account takes a seat: if it is a game master's here, he plays from now on, and all are told."""
    mine = (Master.battle_id == battle.id, Master.account_id == account_id, Master.plays.is_(False))
    for number, name in session.execute(select(Master.number, Master.name).where(*mine)).all():
        _set(session, (Master.battle_id == battle.id, Master.number == number), plays=True)
        told = {"master": name, "plays": True}
        logbook.note(session, battle.id, battle.turn, "master", "master-plays", now, told)


def _free(session: Session, battle: BattleRow, called: str, number: int) -> None:
    """Raises `RefereeError("name-taken")` if another game master looks the same: the log tells them by their names."""
    others = select(Master.name).where(Master.battle_id == battle.id, Master.number != number)
    names.told_apart(called, session.execute(others).scalars())


def _has_said(session: Session, battle_id: str, row: SeatRow, viewer: Viewer) -> bool:
    said = {"seat": row.seat, "number": viewer.master or FIRST, "generation": row.key_generation}
    lines = run(session, _SAID, battle=battle_id).scalars() if viewer.plays else ()
    return any({name: loads(line)[name] for name in said} == said for line in lines)


def _is_sealed(session: Session, battle: BattleRow) -> bool:
    """Whether something is sealed that a game master who does not play may read."""
    if battle.status == "review":
        return True
    last = last_revisions(session, battle.id, battle.turn)
    return battle.options.looks != "never" and battle.status in AWAITING and any(not one.is_empty for one in last.values())


def _holds(session: Session, battle_id: str, account_id: int) -> bool:
    query = select(Seat.seat).where(Seat.battle_id == battle_id, Seat.account_id == account_id).limit(1)
    return session.execute(query).first() is not None


def _set(session: Session, which: tuple[object, ...], **values: object) -> None:
    session.execute(update(MASTERS).where(*which).values(**values))  # type: ignore[arg-type]
