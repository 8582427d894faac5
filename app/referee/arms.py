"""Coats of arms: given by a commander for his seat, seen by all."""

from __future__ import annotations

import re
from datetime import datetime

from sqlalchemy import bindparam, delete, insert, select
from sqlalchemy.orm import Session

from app.drawing import arms as pictures
from app.referee import logbook
from app.referee.access import OWN, is_seat, seat_only, seat_or_master
from app.referee.errors import RefereeError
from app.referee.rows import battle_row, change, locked, run, seat_row
from app.referee.views import Viewer
from app.store.db import Database
from app.store.models import ARMS

_A = ARMS.c
_BODY = select(_A.body).where(_A.battle_id == bindparam("battle"), _A.digest == bindparam("digest")).limit(1)


def give(db: Database, battle_id: str, seat: str, viewer: Viewer, body: bytes, now: datetime) -> str:
    """Its digest. The picture is decoded before anything is locked.
    Raises `RefereeError`: no-battle, no-seat, not-yours (the game master too), bad-arms."""
    with db.read() as session:
        _own(session, battle_id, seat, viewer)
    made = redrawn(body)
    digest = pictures.digest(made)
    with db.write() as session:
        battle = locked(session, battle_id)
        seat_row(session, battle_id, seat)
        seat_only(session, battle, viewer, seat, now, through=OWN)
        run(session, delete(ARMS).where(_A.battle_id == battle_id, _A.seat == seat))
        run(session, insert(ARMS), battle_id=battle_id, seat=seat, digest=digest, body=made, set_at=now)
        change(session, battle)
    return digest


def redrawn(body: bytes) -> bytes:
    """Raises `RefereeError("bad-arms")`."""
    try:
        return pictures.redrawn(body)
    except pictures.NoPicture:
        limits = {"megabytes": pictures.LARGEST // 1_000_000, "megapixels": pictures.MOST_PIXELS // 1_000_000}
        raise RefereeError("bad-arms", params=limits) from None


def remove(db: Database, battle_id: str, seat: str, viewer: Viewer, now: datetime) -> None:
    """By its commander, or by a game master, which is logged. Nothing, if there is none.
    Raises `RefereeError`: no-battle, no-seat, not-yours."""
    with db.write() as session:
        battle = locked(session, battle_id)
        seat_row(session, battle_id, seat)
        by = seat_or_master(session, battle, viewer, seat, now, through=OWN)
        if run(session, delete(ARMS).where(_A.battle_id == battle_id, _A.seat == seat)).rowcount == 0:
            return
        change(session, battle)
        if by == "master":
            logbook.note(session, battle_id, battle.turn, "master", "arms-removed", now, {"seat": seat}, by=viewer)


def picture(db: Database, battle_id: str, digest: str) -> bytes:
    """Raises `RefereeError`: no-battle, no-page."""
    body = None
    with db.read() as session:
        battle_row(session, battle_id)
        if re.fullmatch("[0-9a-f]{64}", digest):
            body = run(session, _BODY, battle=battle_id, digest=digest).scalar_one_or_none()
    if body is None:
        raise RefereeError("no-page")
    return bytes(body)


def _own(session: Session, battle_id: str, seat: str, viewer: Viewer) -> None:
    battle = battle_row(session, battle_id)
    seat_row(session, battle_id, seat)
    if not is_seat(battle, viewer, seat) or viewer.through not in OWN:
        raise RefereeError("not-yours")
