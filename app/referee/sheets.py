"""What was entered. `sealed` is the one function that reads orders; all else may know that there are some."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Select, and_, bindparam, func, select
from sqlalchemy.orm import Session

from app.referee import proof
from app.referee.access import is_judge, seat_of
from app.referee.rows import AWAITING, BattleRow, SeatRow, loads, run, seats
from app.referee.views import Viewer
from app.store.models import LOG, SHEETS, TURNS

EMPTIED = "emptied"


@dataclass(frozen=True)
class Last:
    """The last revision of a seat for a turn, without what it says."""

    seat: str
    request: str
    revision: int
    digest: str
    ordered: int | None
    entered_by: str = "seat"

    @property
    def is_empty(self) -> bool:
        """A new holder starts with nothing: what his predecessor entered does not count."""
        return self.entered_by == EMPTIED


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
    entered_name: str | None = None

    @property
    def is_empty(self) -> bool:
        """As `Last.is_empty`."""
        return self.entered_by == EMPTIED

    def canonical(self, battle_id: str, turn: int) -> str:
        """The text that the digest is of."""
        return proof.canonical(
            battle=battle_id, nonce=self.nonce, orders=loads(self.orders), revision=self.revision, seat=self.seat, turn=turn
        )


@dataclass(frozen=True)
class Allies:
    """The holder of a seat as one of his side, who asks for what it plans together."""

    viewer: Viewer


@dataclass(frozen=True)
class Look:
    """The game master at one seat's sheet of the open turn. `entry`: the line of the log, committed before, that tells of it
    to all: without it nothing is read."""

    seat: str
    entry: int


def _of_turn(columns: Select[Any]) -> Select[Any]:
    return columns.where(SHEETS.c.battle_id == bindparam("battle"), SHEETS.c.turn == bindparam("turn"))


def _newest(columns: Select[Any]) -> Select[Any]:
    """The last revision of each seat: a seat may have saved hundreds."""
    newest = (
        _of_turn(select(SHEETS.c.seat, func.max(SHEETS.c.revision).label("revision"))).group_by(SHEETS.c.seat).subquery()
    )
    is_last = and_(SHEETS.c.seat == newest.c.seat, SHEETS.c.revision == newest.c.revision)
    return _of_turn(columns).join_from(SHEETS, newest, is_last)


_LAST_COLUMNS: Select[Any] = select(*(SHEETS.c[name] for name in Last.__annotations__))
_LAST = _newest(_LAST_COLUMNS)
_LAST_OF_SEAT = _of_turn(_LAST_COLUMNS).where(SHEETS.c.seat == bindparam("seat")).order_by(SHEETS.c.revision.desc()).limit(1)
_ORDERS = _newest(select(*(SHEETS.c[name] for name in Sealed.__annotations__)))
_STAGE = select(TURNS.c.resolved_at, TURNS.c.published_at).where(
    TURNS.c.battle_id == bindparam("battle"), TURNS.c.turn == bindparam("turn")
)


_LOGGED = select(LOG.c.params).where(
    LOG.c.id == bindparam("entry"),
    LOG.c.battle_id == bindparam("battle"),
    LOG.c.turn == bindparam("turn"),
    LOG.c.what == "looked",
)


def sealed(
    session: Session, battle: BattleRow, turn: int, reader: Viewer | Allies | Look | Literal["resolution"]
) -> dict[str, Sealed]:
    """The one function that reads orders: the last revision of each seat whose orders the reader may know, by seat, in
    alphabetical order, which is the order of the digests in the seed of the dice.

    The resolution reads all. A seat reads its own; as one of the allies, those of its side too, while the turn is open and
    if the battle shares plans. All are open to everyone once the turn is published, and to the game master once it is
    resolved; before that one sheet at a time, where the battle's options have it and the log tells of it.
    """
    query = _ORDERS
    if isinstance(reader, Look):
        if battle.options.looks == "never" or not _is_logged(session, battle, turn, reader):
            return {}
        query = _ORDERS.where(SHEETS.c.seat == reader.seat)
    elif isinstance(reader, Allies):
        query = _ORDERS.where(SHEETS.c.seat.in_(allies(session, battle, turn, reader.viewer)))
    elif not isinstance(reader, str) and not _is_open(session, battle, turn, reader):
        own = seat_of(battle, reader)
        if own is None:
            return {}
        query = _ORDERS.where(SHEETS.c.seat == own)
    found = [Sealed(*row) for row in run(session, query, battle=battle.id, turn=turn)]
    return {sheet.seat: sheet for sheet in sorted(found, key=lambda sheet: sheet.seat)}


def allies(session: Session, battle: BattleRow, turn: int, viewer: Viewer) -> tuple[str, ...]:
    """The seats whose plan for a turn a viewer may know: his own first, then those of its side while the turn is open and if
    the battle shares plans. Nobody who holds no seat knows any."""
    own = seat_of(battle, viewer)
    if own is None:
        return ()
    if not battle.options.shared_plan or turn != battle.turn or battle.status not in AWAITING:
        return (own,)
    all_seats = seats(session, battle.id)
    side = next((seat.side for seat in all_seats if seat.seat == own), None)
    return (own, *(seat.seat for seat in all_seats if seat.side == side and seat.seat != own))


def last_revisions(session: Session, battle_id: str, turn: int, seat: str | None = None) -> dict[str, Last]:
    """Who has entered something for a turn, by seat; `seat`: this one alone."""
    if seat is None:
        rows = run(session, _LAST, battle=battle_id, turn=turn)
    else:
        rows = run(session, _LAST_OF_SEAT, battle=battle_id, turn=turn, seat=seat)
    return {row.seat: Last(*row) for row in rows}


def is_ready(seat: SeatRow, turn: int, last: Last | Sealed | None) -> bool:
    """Whether a seat has said that it has nothing to add to its last revision (to nothing, if it has entered nothing)."""
    return seat.ready_turn == turn and seat.ready_revision == (last.revision if last else 0)


def is_silent(seat: SeatRow, turn: int, last: Last | Sealed | None) -> bool:
    """Whether nothing was heard of a seat: it has entered nothing, nor said that it is ready."""
    return (last is None or last.is_empty) and not is_ready(seat, turn, last)


def _is_logged(session: Session, battle: BattleRow, turn: int, look: Look) -> bool:
    row = run(session, _LOGGED, entry=look.entry, battle=battle.id, turn=turn).one_or_none()
    return row is not None and loads(row.params)["seat"] == look.seat


def _is_open(session: Session, battle: BattleRow, turn: int, reader: Viewer) -> bool:
    row = run(session, _STAGE, battle=battle.id, turn=turn).one_or_none()
    if row is None:
        return False
    return row.published_at is not None or (row.resolved_at is not None and is_judge(battle, reader))
