"""What was entered. `sealed` is the one function that reads orders; all else may know that there are some."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeVarTuple

from sqlalchemy import Select, and_, func, select
from sqlalchemy.orm import Session

from app.referee import proof
from app.referee.access import is_master, seat_of
from app.referee.rows import BattleRow, SeatRow, loads
from app.referee.views import Viewer
from app.store.models import Sheet, Turn

Columns = TypeVarTuple("Columns")


@dataclass(frozen=True)
class Last:
    """The last revision of a seat for a turn, without what it says."""

    seat: str
    request: str
    revision: int
    digest: str
    ordered: int | None


@dataclass(frozen=True)
class Sealed:
    """A sheet with its orders (JSON text)."""

    seat: str
    request: str
    revision: int
    orders: str
    nonce: str
    digest: str
    entered_at: datetime
    entered_by: str

    def canonical(self, battle_id: str, turn: int) -> str:
        """The text that the digest is of."""
        return proof.canonical(
            battle=battle_id, nonce=self.nonce, orders=loads(self.orders), revision=self.revision, seat=self.seat, turn=turn
        )


def sealed(session: Session, battle: BattleRow, turn: int, reader: Viewer | Literal["resolution"]) -> dict[str, Sealed]:
    """The one function that reads orders: the last revision of each seat whose orders the reader may know, by seat, in
    alphabetical order, which is the order of the digests in the seed of the dice.

    The resolution reads all. A seat reads its own. All are open to everyone once the turn is published, and to the game
    master once it is resolved.
    """
    query = _last(
        select(
            Sheet.seat,
            Sheet.request,
            Sheet.revision,
            Sheet.orders,
            Sheet.nonce,
            Sheet.digest,
            Sheet.entered_at,
            Sheet.entered_by,
        ),
        battle.id,
        turn,
    )
    if not isinstance(reader, str) and not _is_open(session, battle, turn, reader):
        own = seat_of(battle, reader)
        if own is None:
            return {}
        query = query.where(Sheet.seat == own)
    found = sorted((Sealed(*row) for row in session.execute(query)), key=lambda sheet: sheet.seat)
    return {sheet.seat: sheet for sheet in found}


def last_revisions(session: Session, battle_id: str, turn: int, seat: str | None = None) -> dict[str, Last]:
    """Who has entered something for a turn, by seat; `seat`: this one alone."""
    columns = select(Sheet.seat, Sheet.request, Sheet.revision, Sheet.digest, Sheet.ordered)
    if seat is None:
        query = _last(columns, battle_id, turn)
    else:
        query = (
            columns.where(Sheet.battle_id == battle_id, Sheet.turn == turn, Sheet.seat == seat)
            .order_by(Sheet.revision.desc())
            .limit(1)
        )
    return {row.seat: Last(*row) for row in session.execute(query)}


def is_ready(seat: SeatRow, turn: int, last: Last | Sealed | None) -> bool:
    """Whether a seat has said that it has nothing to add to its last revision (to nothing, if it has entered nothing)."""
    return seat.ready_turn == turn and seat.ready_revision == (last.revision if last else 0)


def _is_open(session: Session, battle: BattleRow, turn: int, reader: Viewer) -> bool:
    row = session.execute(
        select(Turn.resolved_at, Turn.published_at).where(Turn.battle_id == battle.id, Turn.turn == turn)
    ).one_or_none()
    if row is None:
        return False
    return row.published_at is not None or (row.resolved_at is not None and is_master(battle, reader))


def _last(columns: Select[*Columns], battle_id: str, turn: int) -> Select[*Columns]:
    newest = (
        select(Sheet.seat, func.max(Sheet.revision).label("revision"))
        .where(Sheet.battle_id == battle_id, Sheet.turn == turn)
        .group_by(Sheet.seat)
        .subquery()
    )
    return columns.join(newest, and_(Sheet.seat == newest.c.seat, Sheet.revision == newest.c.revision)).where(
        Sheet.battle_id == battle_id, Sheet.turn == turn
    )
