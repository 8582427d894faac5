"""Who may act in a seat beside whoever holds its key: deputies, each for his time, and those who share it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam, or_, select
from sqlalchemy.orm import Session

from app.referee.errors import RefereeError
from app.referee.rows import run
from app.referee.views import LeaveView, Viewer
from app.store.models import PASSES, SEATS

_P, _S = PASSES.c, SEATS.c
_JOINED = (
    select(*_P, _S.key_generation, _S.side)
    .select_from(PASSES)
    .join(SEATS, and_(_S.battle_id == _P.battle_id, _S.seat == _P.seat))
    .order_by(_P.id)
)
_BY_KEY = _JOINED.where(_P.key_hash == bindparam("hash"))
_ON_LEAVE = select(*_P).where(_P.battle_id == bindparam("battle"), _P.kind.in_(("deputy", "away"))).order_by(_P.id)
_SHARED = select(*_P).where(_P.battle_id == bindparam("battle"), _P.kind == "shared").order_by(_P.id)
_HOLDERS = select(_S.seat, _S.holder).where(_S.battle_id == bindparam("battle"))


def by_key(session: Session, hashed: str, now: datetime | None) -> Viewer | None:
    """Whose key it is, if it works now; without `now` no deputy's does. Raises `RefereeError("not-now")`: his time is yet to
    come."""
    row = run(session, _BY_KEY, hash=hashed).one_or_none()
    if row is None or (row.kind == "deputy" and now is None):
        return None
    if row.kind == "deputy" and now is not None:
        if now >= row.ends_at:
            return None
        if now < row.begins_at:
            params = {"begins": _written(row.begins_at), "ends": _written(row.ends_at), "zone": row.zone}
            raise RefereeError("not-now", params=params)
    return _viewer(row, row.name)


def acting(
    session: Session,
    battle_id: str,
    now: datetime,
    *,
    account_id: int | None = None,
    seats: Collection[str] = (),
    seat: str | None = None,
) -> tuple[Viewer, ...]:
    """The seats for which somebody stands in as a deputy now: as the holder of other seats (`seats`), or by his account.
    `seat`: this one alone. Nobody stands in where his account holds a seat of the other side."""
    own, foreign = set(seats), set()
    if account_id is not None:
        mine = select(_S.seat, _S.side).where(_S.battle_id == battle_id, _S.account_id == account_id)
        held = {row.seat: row.side for row in run(session, mine)}
        own, foreign = own | set(held), set(held.values())
    whose: list[ColumnElement[bool]] = [_P.deputy_seat.in_(own)] if own else []
    if account_id is not None:
        whose.append(_P.account_id == account_id)
    if not whose:
        return ()
    query = _JOINED.where(_P.battle_id == battle_id, _P.kind == "deputy", _P.begins_at <= now, _P.ends_at > now, or_(*whose))
    if seat is not None:
        query = query.where(_P.seat == seat)
    rows = run(session, query).all()
    holders = {row.seat: row.holder for row in run(session, _HOLDERS, battle=battle_id)} if rows else {}
    return tuple(
        _viewer(row, holders.get(row.deputy_seat) or row.deputy_seat if row.deputy_seat else row.name)
        for row in rows
        if not foreign - {row.side}
    )


def leaves(session: Session, battle_id: str, now: datetime) -> Mapping[str, LeaveView]:
    """By seat, a leave to come or under way."""
    rows = run(session, _ON_LEAVE, battle=battle_id).all()
    holders = {row.seat: row.holder for row in run(session, _HOLDERS, battle=battle_id)} if rows else {}
    return {row.seat: leave(row, holders, now) for row in rows if row.ends_at > now}


def leave(row: Any, holders: Mapping[str, str | None], now: datetime) -> LeaveView:
    return LeaveView(
        begins_at=row.begins_at,
        ends_at=row.ends_at,
        zone=row.zone,
        deputy_seat=row.deputy_seat,
        deputy=holders.get(row.deputy_seat) if row.deputy_seat else row.name,
        is_under_way=row.begins_at <= now,
    )


def on_leave(session: Session, battle_id: str) -> list[Any]:
    """The rows of all leaves of a battle."""
    return list(run(session, _ON_LEAVE, battle=battle_id))


def shared(session: Session, battle_id: str) -> list[Any]:
    """The rows of all who share a seat of a battle."""
    return list(run(session, _SHARED, battle=battle_id))


def still_works(session: Session, viewer: Viewer, now: datetime) -> bool:
    """Whether what a holder of a seat has shown still opens it: his key was not renewed, his pass not ended. Whoever looks
    holds the battle's row."""
    if viewer.until is not None and now >= viewer.until:
        return False
    if viewer.stand_in is not None and run(session, select(_P.id).where(_P.id == viewer.stand_in)).first() is None:
        return False
    if viewer.generation is None:
        return True
    here = select(_S.key_generation).where(_S.battle_id == viewer.battle_id, _S.seat == viewer.seat)
    return bool(run(session, here).scalar_one_or_none() == viewer.generation)


def _viewer(row: Any, name: str | None) -> Viewer:
    return Viewer(
        "seat",
        row.battle_id,
        row.seat,
        row.account_id,
        name,
        through=row.kind,
        stand_in=row.id,
        until=row.ends_at,
        generation=row.key_generation,
    )


def _written(at: datetime) -> str:
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")
