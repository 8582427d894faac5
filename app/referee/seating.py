"""Who holds a seat: given to another, taken away, handed over, shared, offered. What happens to orders that were entered is
said each time; the old key stops working at once, and nothing goes to the old address any more."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import insert, update
from sqlalchemy.orm import Session

from app.referee import doctrines, granting, keys, leave, logbook, masters, names, notices, passes, sealing, silence
from app.referee.access import OWN, is_master, is_seat, master_only, seat_only
from app.referee.errors import RefereeError
from app.referee.rows import BattleRow, battle_row, change, locked, run, seat_row, seats
from app.referee.views import Viewer
from app.store.db import Database
from app.store.models import PASSES, SEATS, SUBSCRIPTIONS

_U = SUBSCRIPTIONS.c
Orders = Literal["keep", "empty"]
"""What becomes of the orders entered for the open turn, and of a standing doctrine: they stay, and the new holder sees them;
or he starts with nothing."""
MOST_SHARED = 4


@dataclass(frozen=True)
class Sharer:
    """Somebody with a key of his own to a seat that is shared."""

    id: int
    seat: str
    name: str
    since: datetime


def offer(db: Database, battle_id: str, seat: str, viewer: Viewer, now: datetime) -> None:
    """Offer a seat to others: shown with the battle and in the list of open seats, told to all. Its holder keeps it until
    it is given. Raises `RefereeError`: no-battle, no-seat, not-yours, closed (the battle is over)."""
    with db.write() as session:
        battle = _led(session, battle_id, viewer)
        row = seat_row(session, battle_id, seat)
        if row.offered_at is None:
            change(session, battle)
            silence.offer(session, battle, seat, now, who="master", by=viewer)


def withdraw(db: Database, battle_id: str, seat: str, viewer: Viewer, now: datetime) -> None:
    """It is offered no more. Raises as `offer`."""
    with db.write() as session:
        battle = _led(session, battle_id, viewer)
        if seat_row(session, battle_id, seat).offered_at is not None:
            change(session, battle)
            silence.withdraw(session, battle, seat, now, who="master", by=viewer)


def give(
    db: Database,
    battle_id: str,
    seat: str,
    viewer: Viewer,
    master_key: str,
    *,
    holder: str,
    orders: Orders,
    now: datetime,
) -> str:
    """A seat gets another holder, or its first: a new key. `holder` empty: nobody is named yet.
    Raises `RefereeError`: no-battle, no-seat, not-yours, no-key (`master_key`), bad-name, bad-request (`orders`)."""
    name = names.holder(holder) if holder.strip() else None
    with db.write() as session:
        battle = locked(session, battle_id)
        master_only(battle, viewer)
        row = seat_row(session, battle_id, seat)
        first = masters.first_key(session, battle, master_key)
        salt = secrets.token_hex(8)
        key = keys.seat_key(first, battle_id, seat, row.key_generation + 1, salt)
        _change_hands(session, battle, seat, orders, now, key=key, salt=salt, holder=name, vacant_at=None)
        params = {"seat": seat, "holder": name, "orders": orders}
        logbook.note(session, battle_id, battle.turn, "master", "seat-replaced", now, params, by=viewer)
        _tell_given(session, battle, seat, now)
    return key


def remove(db: Database, battle_id: str, seat: str, viewer: Viewer, *, orders: Orders, now: datetime) -> None:
    """A seat loses its holder: nobody waits for it, and it is run by its program, its doctrine or the ruling until it is
    given. Raises `RefereeError`: no-battle, no-seat, not-yours, closed (the battle is over), bad-request (`orders`)."""
    with db.write() as session:
        battle = _led(session, battle_id, viewer)
        seat_row(session, battle_id, seat)
        key = keys.new_key()  # that nobody is told
        _change_hands(session, battle, seat, orders, now, key=key, salt=None, holder=None, vacant_at=now)
        params = {"seat": seat, "orders": orders}
        logbook.note(session, battle_id, battle.turn, "master", "seat-removed", now, params, by=viewer)


def hand_over(db: Database, battle_id: str, seat: str, viewer: Viewer, *, holder: str, orders: Orders, now: datetime) -> str:
    """A holder gives his own seat to another, where the battle allows it: a new key, which he passes on and which nobody
    else knows. Raises `RefereeError`: no-battle, no-seat, not-yours, not-allowed, closed (the battle is over), bad-name,
    bad-request (`orders`)."""
    name = names.holder(holder)
    with db.write() as session:
        battle = locked(session, battle_id)
        seat_row(session, battle_id, seat)
        seat_only(session, battle, viewer, seat, now, through=OWN)
        if not battle.options.hand_over:
            raise RefereeError("not-allowed")
        if battle.status == "over":
            raise RefereeError("closed", current={"turn": battle.turn})
        key = keys.new_key()
        _change_hands(session, battle, seat, orders, now, key=key, salt=None, holder=name, vacant_at=None)
        params = {"seat": seat, "holder": name, "orders": orders}
        logbook.note(session, battle_id, battle.turn, "seat", "seat-handed-over", now, params)
        _tell_given(session, battle, seat, now)
    return key


def renew(db: Database, battle_id: str, seat: str, viewer: Viewer, now: datetime) -> str:
    """A holder makes his own seat a new key, told this once, that nobody else knows: the first one was made at the desk.
    What was entered, his account, his leave, second keys and his notices stay. Logged for all.
    Raises `RefereeError`: no-battle, no-seat, not-yours, closed (the battle is over)."""
    key = keys.new_key()
    with db.write() as session:
        battle = locked(session, battle_id)
        old = seat_row(session, battle_id, seat).key_generation
        seat_only(session, battle, viewer, seat, now, through=OWN)
        if battle.status == "over":
            raise RefereeError("closed", current={"turn": battle.turn})
        change(session, battle)
        here = (SEATS.c.battle_id == battle_id, SEATS.c.seat == seat)
        values = {"key_hash": keys.key_hash(key), "key_generation": old + 1, "key_salt": None}
        run(session, update(SEATS).where(*here).values(**values))
        told = (_U.battle_id == battle_id, _U.role == "seat", _U.seat == seat, _U.generation == old)
        run(session, update(SUBSCRIPTIONS).where(*told).values(generation=old + 1))
        logbook.note(session, battle_id, battle.turn, "seat", "key-own", now, {"seat": seat})
    return key


def share(db: Database, battle_id: str, seat: str, viewer: Viewer, *, name: str, now: datetime) -> str:
    """Another key to the same seat, told this once: by its holder, or the game master.
    Raises `RefereeError`: no-battle, no-seat, not-yours, closed (the battle is over), bad-name, name-taken (another with
    whom it is shared looks the same), too-many."""
    called = names.holder(name)
    key = keys.new_key()
    with db.write() as session:
        battle = locked(session, battle_id)
        who = leave.own(session, battle, seat, viewer, now)
        if battle.status == "over":
            raise RefereeError("closed", current={"turn": battle.turn})
        here = [row.name for row in passes.shared(session, battle_id) if row.seat == seat]
        names.told_apart(called, here)
        if len(here) >= MOST_SHARED:
            raise RefereeError("too-many", params={"most": MOST_SHARED})
        values = {"battle_id": battle_id, "seat": seat, "kind": "shared", "name": called, "made_at": now}
        session.execute(insert(PASSES).values(key_hash=keys.key_hash(key), **values))
        change(session, battle)
        params = {"seat": seat, "with": called}
        logbook.note(session, battle_id, battle.turn, who, "seat-shared", now, params, by=viewer)
    return key


def unshare(db: Database, battle_id: str, seat: str, viewer: Viewer, sharer: int, now: datetime) -> None:
    """That key works no more. Raises `RefereeError`: no-battle, no-seat, not-yours, no-page (there is none such)."""
    with db.write() as session:
        battle = locked(session, battle_id)
        who = leave.own(session, battle, seat, viewer, now)
        found = [row for row in passes.shared(session, battle_id) if row.id == sharer and row.seat == seat]
        if not found:
            raise RefereeError("no-page")
        leave.drop(session, sharer)
        change(session, battle)
        params = {"seat": seat, "with": found[0].name}
        logbook.note(session, battle_id, battle.turn, who, "seat-not-shared", now, params, by=viewer)


def sharers(db: Database, battle_id: str, viewer: Viewer) -> tuple[Sharer, ...]:
    """For a game master all; for the holder of a seat its own. Raises `RefereeError("no-battle")`."""
    with db.read() as session:
        battle = battle_row(session, battle_id)
        return tuple(
            Sharer(row.id, row.seat, row.name, row.made_at)
            for row in passes.shared(session, battle_id)
            if is_master(battle, viewer) or is_seat(battle, viewer, row.seat)
        )


def _led(session: Session, battle_id: str, viewer: Viewer) -> BattleRow:
    """A battle that goes on, for its game master."""
    battle = locked(session, battle_id)
    master_only(battle, viewer)
    if battle.status == "over":
        raise RefereeError("closed", current={"turn": battle.turn})
    return battle


def _change_hands(
    session: Session,
    battle: BattleRow,
    seat: str,
    orders: Orders,
    now: datetime,
    *,
    key: str,
    salt: str | None,
    holder: str | None,
    vacant_at: datetime | None,
) -> None:
    """All that goes with another holder, in the caller's transaction."""
    if orders not in ("keep", "empty"):
        raise RefereeError("bad-request")
    change(session, battle)
    row = next(one for one in seats(session, battle.id) if one.seat == seat)
    leave.part(session, battle, seat, now)
    values: dict[str, Any] = {
        "holder": holder,
        "account_id": None,
        "key_hash": keys.key_hash(key),
        "key_generation": row.key_generation + 1,
        "key_salt": salt,
        "vacant_at": vacant_at,
        "offered_at": row.offered_at if vacant_at is not None else None,
        "offered_by": row.offered_by if vacant_at is not None else None,
        "silent_turns": 0,
    }
    if vacant_at is None:
        values |= {"program": None, "program_seed": None}
    here = (SEATS.c.battle_id == battle.id, SEATS.c.seat == seat)
    run(session, update(SEATS).where(*here).values(**values))
    notices.forget(session, battle.id, seat=seat)
    granting.forget_swaps(session, battle.id, seat)
    if orders == "empty":
        sealing.empty(session, battle, seat, now)
        doctrines.keep(session, battle, seat, None)


def _tell_given(session: Session, battle: BattleRow, seat: str, now: datetime) -> None:
    key = f"seat-given/{seat}/{logbook.moment(now)}"
    notices.tell(session, battle, "seat-given", now, facts={"seat": seat}, key=key)
