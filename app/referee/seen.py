"""What the sender of a form had before him: one that is sent twice, or after the battle went on, does nothing more."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.referee.errors import RefereeError
from app.referee.rows import BattleRow, battle_row
from app.store import models
from app.store.db import Database


class Timed(Protocol):
    """A battle's row, or its view."""

    @property
    def line(self) -> int: ...
    @property
    def turn(self) -> int: ...
    @property
    def status(self) -> str: ...
    @property
    def deadline(self) -> datetime | None: ...


def time(battle: Timed) -> str:
    """Of a form that moves the open turn's time."""
    return f"{battle.line}/{battle.turn}/{battle.status}/{battle.deadline.isoformat() if battle.deadline else ''}"


def rulings(session: Session, battle: BattleRow) -> str:
    """Of a form that makes a ruling: the turn, its stage, and how many were made upon it."""
    mine = (models.Ruling.battle_id == battle.id, models.Ruling.turn == battle.turn)
    count = session.execute(select(func.count()).select_from(models.Ruling).where(*mine)).scalar_one()
    return f"{battle.line}/{battle.turn}/{'review' if battle.status == 'review' else 'open'}/{count}"


def rulings_of(db: Database, battle_id: str) -> str:
    """The same for a page. Raises `RefereeError("no-battle")`."""
    with db.read() as session:
        return rulings(session, battle_row(session, battle_id))


def check(battle: BattleRow, is_so: str, seen: str | None) -> None:
    """None: the sender says nothing of it. Raises `RefereeError("stale")`."""
    if seen is not None and seen != is_so:
        raise RefereeError("stale", current={"turn": battle.turn})
