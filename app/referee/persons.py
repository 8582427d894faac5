"""What is a person's, not a key's: in which seats and at which desk of a battle an account acts, and the ways that it has
for all of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import BindParameter, bindparam, delete, exists, insert, or_, select
from sqlalchemy.orm import Session

from app.referee.errors import RefereeError
from app.referee.rows import locked, run
from app.referee.views import Viewer
from app.reports.noticewords import MASTER
from app.store.db import Database
from app.store.models import HUSHES, MASTERS, PASSES, SEATS, SUBSCRIPTIONS

Places = Mapping[str, int | None]
"""Seats, each with the pass of its deputy (None: it is his own); `MASTER` with his number among the game masters."""

_U, _S, _M, _P, _H = SUBSCRIPTIONS.c, SEATS.c, MASTERS.c, PASSES.c, HUSHES.c
_HERE: BindParameter[str] = bindparam("battle")
_SEATS = select(_S.seat, _S.side, _S.account_id).where(_S.battle_id == _HERE)
_MASTERS = select(_M.number, _M.account_id).where(_M.battle_id == _HERE, _M.account_id.is_not(None)).order_by(_M.number)
_DEPUTIES = select(_P.id, _P.seat, _P.deputy_seat, _P.account_id).where(
    _P.battle_id == _HERE, _P.kind == "deputy", _P.begins_at <= bindparam("now"), _P.ends_at > bindparam("now")
)
_HUSHED = exists().where(_H.account_id == _U.account_id, _H.battle_id == _HERE)
_WAYS = (
    select(*(_U[name] for name in ("id", "role", "account_id", "topics", "zone", "digest_hour", "quiet_from", "quiet_to")))
    .where(_U.role == "account", _U.confirm.is_(None), _U.stopped.is_(None), ~_HUSHED)
    .order_by(_U.id)
)
_CONCERNED = _WAYS.where(
    or_(
        _U.account_id.in_(select(_S.account_id).where(_S.battle_id == _HERE)),
        _U.account_id.in_(select(_M.account_id).where(_M.battle_id == _HERE)),
        _U.account_id.in_(select(_P.account_id).where(_P.battle_id == _HERE)),
    )
)
_OF_ACCOUNT = _WAYS.where(_U.account_id == bindparam("account"))


def places(session: Session, battle_id: str, now: datetime) -> dict[int, Places]:
    """By account, where it acts in a battle now. Nobody stands in where his account holds a seat of the other side."""
    seats = run(session, _SEATS, battle=battle_id).all()
    sides = {row.seat: row.side for row in seats}
    found: dict[int, dict[str, int | None]] = {}
    for row in seats:
        if row.account_id is not None:
            found.setdefault(row.account_id, {})[row.seat] = None
    holders = {row.seat: row.account_id for row in seats}
    own = {account: {sides[seat] for seat in held} for account, held in found.items()}
    for row in run(session, _DEPUTIES, battle=battle_id, now=now):
        for account in {row.account_id, holders.get(row.deputy_seat)} - {None}:
            if own.get(account, set()) <= {sides[row.seat]}:
                found.setdefault(account, {}).setdefault(row.seat, row.id)
    for row in run(session, _MASTERS, battle=battle_id):
        found.setdefault(row.account_id, {}).setdefault(MASTER, row.number)
    return dict(found)


def ways(session: Session, battle_id: str, now: datetime, by_key: Iterable[Any], by: str) -> list[tuple[Any, Places]]:
    """The ways of accounts that act in a battle, each with the places that it is told of: not those that have ways of their
    own (`by_key`: rows of such). `by`: whose doing it is, as talk names its writers: his own account is not told of it."""
    rows = run(session, _CONCERNED, battle=battle_id).all()
    if not rows:
        return []
    acts = places(session, battle_id, now)
    covered = {(row.role, row.seat, row.pass_id if row.role == "seat" else row.generation) for row in by_key}
    found: list[tuple[Any, Places]] = []
    for row in rows:
        held = acts.get(row.account_id, {})
        if by and by in {f"account/{row.account_id}", *_writers(held)}:
            continue
        free = {place: number for place, number in held.items() if _key(place, number) not in covered}
        found.append((row, free))
    return found


def of_account(session: Session, battle_id: str, account_id: int) -> list[Any]:
    """The ways of one account that a battle may use, whether it acts there or only asks for a seat."""
    return list(run(session, _OF_ACCOUNT, battle=battle_id, account=account_id))


def is_heard(session: Session, battle_id: str, account_id: int, hears: Collection[str] | None, now: datetime) -> set[str]:
    """Of the places for which something was written, those where the account still acts. Empty, too, where it wants to hear
    of the battle no more."""
    hushed = select(_H.battle_id).where(_H.account_id == account_id, _H.battle_id == battle_id)
    if run(session, hushed).first() is not None:
        return set()
    return set(hears or ()) & set(places(session, battle_id, now).get(account_id, {}))


def acts(db: Database, account: Viewer, battle_id: str, now: datetime, *, seat: str | None) -> bool:
    """Whether an account has a seat of a battle now, or (None) its desk."""
    with db.read() as session:
        held = places(session, battle_id, now).get(account.account_id or 0, {})
    return (MASTER if seat is None else seat) in held


def hushed(db: Database, account: Viewer) -> frozenset[str]:
    """The battles of which an account wants to hear nothing by its own ways."""
    with db.read() as session:
        return frozenset(run(session, select(_H.battle_id).where(_H.account_id == account.account_id)).scalars())


def hush(db: Database, account: Viewer, battle_id: str, now: datetime, *, is_quiet: bool) -> None:
    """Hear nothing of a battle, or hear of it again. Raises `RefereeError`: no-battle, not-yours (nothing of it is his)."""
    with db.write() as session:
        locked(session, battle_id)
        if account.account_id is None or account.account_id not in places(session, battle_id, now):
            raise RefereeError("not-yours")
        run(session, delete(HUSHES).where(*_hush(account, battle_id)))
        if is_quiet:
            run(session, insert(HUSHES).values(account_id=account.account_id, battle_id=battle_id))


def _hush(account: Viewer, battle_id: str) -> tuple[Any, ...]:
    return _H.account_id == account.account_id, _H.battle_id == battle_id


def _key(place: str, number: int | None) -> tuple[str, str | None, int | None]:
    return ("master", None, number) if place == MASTER else ("seat", place, number)


def _writers(held: Places) -> set[str]:
    """As whom it writes of its own, not for another."""
    seats = {f"seat/{place}" for place, number in held.items() if place != MASTER and number is None}
    return seats | ({f"master/{held[MASTER]}"} if MASTER in held else set())
