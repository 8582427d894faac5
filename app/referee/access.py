"""Who may do what."""

from __future__ import annotations

from collections.abc import Container
from datetime import datetime
from typing import Literal

from sqlalchemy.orm import Session

from app.referee import passes
from app.referee.errors import RefereeError
from app.referee.rows import BattleRow
from app.referee.views import Viewer

ANY_WAY = ("own", "shared", "deputy")
OWN = ("own",)
"""For what outlasts a deputy's time: neither he nor one who shares the seat may do it."""


def is_master(battle: BattleRow, viewer: Viewer) -> bool:
    """One of the battle's game masters, whether his key says so or his account does (`accounts.acting`)."""
    return viewer.kind == "master" and viewer.battle_id == battle.id


def is_judge(battle: BattleRow, viewer: Viewer) -> bool:
    """A game master who does not play himself: nothing is kept from him once a turn is resolved."""
    return is_master(battle, viewer) and not viewer.plays


def is_seat(battle: BattleRow, viewer: Viewer, seat: str) -> bool:
    return viewer.kind == "seat" and viewer.battle_id == battle.id and viewer.seat == seat


def seat_of(battle: BattleRow, viewer: Viewer) -> str | None:
    """The seat that a viewer holds in this battle, if any."""
    return viewer.seat if viewer.kind == "seat" and viewer.battle_id == battle.id else None


def master_only(battle: BattleRow, viewer: Viewer) -> None:
    """Raises `RefereeError("not-yours")`."""
    if not is_master(battle, viewer):
        raise RefereeError("not-yours")


def judge_only(battle: BattleRow, viewer: Viewer) -> None:
    """Raises `RefereeError`: not-yours, plays-himself."""
    master_only(battle, viewer)
    if viewer.plays:
        raise RefereeError("plays-himself", current={"turn": battle.turn})


def in_seat(
    session: Session, battle: BattleRow, viewer: Viewer, seat: str, now: datetime, *, through: Container[str] = ANY_WAY
) -> bool:
    """Whether a viewer may act in a seat now, by one of these ways: what he has shown still opens it. Whoever asks holds the
    battle's row."""
    return is_seat(battle, viewer, seat) and viewer.through in through and passes.still_works(session, viewer, now)


def seat_only(
    session: Session, battle: BattleRow, viewer: Viewer, seat: str, now: datetime, *, through: Container[str] = ANY_WAY
) -> None:
    """Raises `RefereeError("not-yours")`, for a game master too."""
    if not in_seat(session, battle, viewer, seat, now, through=through):
        raise RefereeError("not-yours")


def seat_or_master(
    session: Session, battle: BattleRow, viewer: Viewer, seat: str, now: datetime, *, through: Container[str] = ANY_WAY
) -> Literal["seat", "master"]:
    """Who acts for the seat. Raises `RefereeError("not-yours")`."""
    if in_seat(session, battle, viewer, seat, now, through=through):
        return "seat"
    master_only(battle, viewer)
    return "master"
