"""A few lines in character that a commander gives with his orders: sealed as they are, published with the report.

They are no part of a sheet, of the seed of the dice, or of a record: nothing that is proved depends on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, delete, func, insert, select
from sqlalchemy.orm import Session

from app.referee import names
from app.referee.access import is_judge, is_seat, seat_of, seat_only
from app.referee.errors import RefereeError
from app.referee.rows import AWAITING, BattleRow, battle_row, locked, run, seat_row
from app.referee.turnviews import SayingView
from app.referee.views import Viewer
from app.store.db import Database
from app.store.models import BRANCHES, SAYINGS, SEATS, TURNS

_Y = SAYINGS.c
_HOME = func.coalesce(
    select(BRANCHES.c.battle_id).where(BRANCHES.c.kept_as == bindparam("battle")).scalar_subquery(), bindparam("battle")
)
"""The battle whose seats they are: a line that was left has none of its own."""
_OF_TURN = (
    select(_Y.seat, SEATS.c.holder, _Y.text)
    .join_from(SAYINGS, SEATS, (SEATS.c.battle_id == _HOME) & (SEATS.c.seat == _Y.seat))
    .where(_Y.battle_id == bindparam("battle"), _Y.turn == bindparam("turn"))
    .order_by(SEATS.c.place)
)
_OF_PUBLISHED = (
    select(_Y.turn, _Y.seat, SEATS.c.holder, _Y.text)
    .join_from(SAYINGS, SEATS, (SEATS.c.battle_id == _HOME) & (SEATS.c.seat == _Y.seat))
    .join(TURNS, (TURNS.c.battle_id == _Y.battle_id) & (TURNS.c.turn == _Y.turn))
    .where(
        _Y.battle_id == bindparam("battle"),
        _Y.turn.in_(bindparam("turns", expanding=True)),
        TURNS.c.published_at.is_not(None),
    )
    .order_by(_Y.turn, SEATS.c.place)
)
_OWN = select(_Y.text, _Y.said_at).where(
    _Y.battle_id == bindparam("battle"), _Y.turn == bindparam("turn"), _Y.seat == bindparam("seat")
)
_STAGE = select(TURNS.c.resolved_at, TURNS.c.published_at).where(
    TURNS.c.battle_id == bindparam("battle"), TURNS.c.turn == bindparam("turn")
)


@dataclass(frozen=True)
class OwnWords:
    """What a seat will be saying with the open turn. `is_open`: it may still be changed; `text` empty: nothing."""

    turn: int
    is_open: bool
    text: str
    said_at: datetime | None


def own(db: Database, battle_id: str, seat: str, viewer: Viewer) -> OwnWords:
    """For the seat itself. Raises `RefereeError`: no-battle, no-seat, not-yours (the game master too)."""
    with db.read() as session:
        battle = battle_row(session, battle_id)
        seat_row(session, battle_id, seat)
        if not is_seat(battle, viewer, seat):
            raise RefereeError("not-yours")
        row = run(session, _OWN, battle=battle_id, turn=battle.turn, seat=seat).one_or_none()
    return OwnWords(battle.turn, battle.status in AWAITING, row.text if row else "", row.said_at if row else None)


def say(db: Database, battle_id: str, seat: str, viewer: Viewer, *, turn: int, text: str, now: datetime) -> None:
    """Empty: nothing is said. Raises `RefereeError`: no-battle, no-seat, not-yours, not-open, stale, bad-saying."""
    said = names.saying(text)
    with db.write() as session:
        battle = locked(session, battle_id)
        seat_row(session, battle_id, seat)
        seat_only(session, battle, viewer, seat, now)
        if battle.status not in AWAITING or (battle.deadline is not None and battle.deadline <= now):
            raise RefereeError("not-open")
        if turn != battle.turn:
            raise RefereeError("stale", current={"turn": battle.turn})
        run(session, delete(SAYINGS).where(_Y.battle_id == battle_id, _Y.turn == turn, _Y.seat == seat))
        if said:
            run(session, insert(SAYINGS), battle_id=battle_id, turn=turn, seat=seat, text=said, said_at=now)


def of_turn(session: Session, battle: BattleRow, turn: int, viewer: Viewer) -> tuple[SayingView, ...]:
    """What was said for a turn: all of it once the turn is published, for the game master once it is resolved; before that a
    seat its own. This function alone reads what is not published."""
    stage = run(session, _STAGE, battle=battle.id, turn=turn).one_or_none()
    if stage is None:
        return ()
    rows = run(session, _OF_TURN, battle=battle.id, turn=turn)
    is_told = stage.published_at is not None or (stage.resolved_at is not None and is_judge(battle, viewer))
    mine = seat_of(battle, viewer)
    return tuple(SayingView(row.seat, row.holder, row.text) for row in rows if is_told or row.seat == mine)


def of_published(session: Session, battle: BattleRow, turns: Sequence[int]) -> dict[int, tuple[SayingView, ...]]:
    """What was said for those of these turns that are published, by turn."""
    found: dict[int, tuple[SayingView, ...]] = {}
    for row in run(session, _OF_PUBLISHED, battle=battle.id, turns=list(turns)):
        found[row.turn] = (*found.get(row.turn, ()), SayingView(row.seat, row.holder, row.text))
    return found
