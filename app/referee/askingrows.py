"""Askings as rows: who asked, how it stands, and what may be done with the row."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from app.referee import granting, keys
from app.referee.errors import RefereeError
from app.referee.rows import BattleRow, is_storable, locked, run
from app.store.models import ASKINGS, CLAIMS

WAITING = ("asked", "listed", "offered")


LIVE = (*WAITING, "accepted")


Status = Literal["asked", "listed", "offered", "accepted", "declined", "withdrawn", "lapsed"]


Want = Literal["seat", "side", "any"]


_A = ASKINGS.c


@dataclass(frozen=True)
class Asker:
    """Who asks: by his account, or by a ticket."""

    account_id: int | None = None
    ticket: str = ""


@dataclass(frozen=True)
class AskingView:
    """`place`: on the waiting list, from 1; 0: not on it. `seats`: those that he has by it. `reach`, `words`: as he wrote
    them; `answer`: a word of the game master's to him."""

    id: int
    battle_id: str
    name: str
    has_account: bool
    reach: str
    words: str
    want: Want
    what: str
    status: Status
    place: int
    seat: str | None
    until: datetime | None
    side: str | None
    answer: str
    asked_at: datetime
    answered_at: datetime | None
    seats: tuple[str, ...] = ()


def view(session: Session, row: Any) -> AskingView:
    place = 0
    if row.status in ("listed", "offered"):
        ahead = select(func.count()).where(_A.battle_id == row.battle_id, _A.status.in_(("listed", "offered")))
        place = run(session, ahead.where(_A.id <= row.id)).scalar_one()
    return AskingView(
        id=row.id,
        battle_id=row.battle_id,
        name=row.name,
        has_account=row.account_id is not None,
        reach=row.reach,
        words=row.words,
        want=row.want,
        what=row.what,
        status=row.status,
        place=place,
        seat=row.seat,
        until=row.until,
        side=row.side,
        answer=row.answer,
        asked_at=row.asked_at,
        answered_at=row.answered_at,
        seats=granting.granted(session, row.id) if row.status == "accepted" else (),
    )


def row_of(session: Session, asker: Asker, battle_id: str | None = None) -> Any:
    """Raises `RefereeError("no-asking")`."""
    query = select(ASKINGS)
    if asker.ticket:
        query = query.where(_A.ticket_hash == keys.key_hash(asker.ticket))
    elif asker.account_id is not None and battle_id is not None and is_storable(battle_id):
        query = query.where(_A.account_id == asker.account_id, _A.battle_id == battle_id).order_by(_A.id.desc()).limit(1)
    else:
        raise RefereeError("no-asking")
    row = run(session, query).one_or_none()
    if row is None:
        raise RefereeError("no-asking")
    return row


def held(session: Session, asker: Asker, battle_id: str | None = None) -> tuple[Any, BattleRow]:
    """His asking as it is when nobody else can change it any more, and the battle. Raises `RefereeError("no-asking")`."""
    battle = locked(session, row_of(session, asker, battle_id).battle_id)
    return row_of(session, asker, battle.id), battle


def row_in(session: Session, battle_id: str, asking: int) -> Any:
    """Raises `RefereeError("no-asking")`."""
    row = run(session, select(ASKINGS).where(_A.battle_id == battle_id, _A.id == asking)).one_or_none()
    if row is None:
        raise RefereeError("no-asking")
    return row


def turn(session: Session, asking: int, statuses: Collection[str], **values: Any) -> None:
    """Compare-and-swap: raises `RefereeError("asking-over")` if it has none of these statuses any more."""
    changed = update(ASKINGS).where(_A.id == asking, _A.status.in_(statuses)).values(**values)
    if run(session, changed).rowcount != 1:
        raise RefereeError("asking-over")


def members(session: Session, battle_id: str, side: str) -> list[Any]:
    """Those who were accepted to a side that chooses, in the order in which they were."""
    query = select(ASKINGS).where(_A.battle_id == battle_id, _A.status == "accepted", _A.side == side)
    return list(run(session, query.order_by(_A.answered_at, _A.id)))


def disagree(session: Session, battle_id: str, side: str) -> None:
    """What a side has agreed to is another thing now: everybody is asked again."""
    run(session, update(ASKINGS).where(_A.battle_id == battle_id, _A.side == side).values(agreed=False))


def leave_side(session: Session, row: Any) -> None:
    """His claims fall away."""
    if row.side is not None:
        run(session, delete(CLAIMS).where(CLAIMS.c.asking_id == row.id))
        disagree(session, row.battle_id, row.side)
