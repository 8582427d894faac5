"""Whether a battle has changed since it was looked at: for whoever keeps what he has drawn of it, or waits for news."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from sqlalchemy import bindparam, func, select

from app.referee.errors import RefereeError
from app.referee.rows import AWAITING, TALK, is_storable, run
from app.referee.views import BattleView
from app.store.db import Database
from app.store.models import BATTLES, LEFT, SEATS, SHEETS, Battle

MOST_AT_ONCE = 200
"""Battles that are asked for in one statement."""

_LAST = (
    select(func.max(SHEETS.c.revision))
    .where(
        SHEETS.c.battle_id == BATTLES.c.id,
        SHEETS.c.turn == BATTLES.c.turn,
        SHEETS.c.seat == SEATS.c.seat,
    )
    .correlate(BATTLES, SEATS)
    .scalar_subquery()
)
_MARKS = (
    select(
        BATTLES.c.id,
        BATTLES.c.version,
        BATTLES.c.status,
        BATTLES.c.turn,
        TALK,
        SEATS.c.seat,
        SEATS.c.ready_turn,
        SEATS.c.ready_revision,
        func.coalesce(_LAST, 0).label("revision"),
    )
    .join_from(BATTLES, SEATS, SEATS.c.battle_id == BATTLES.c.id)
    .where(BATTLES.c.id.in_(bindparam("battles", expanding=True)))
    .order_by(BATTLES.c.id, SEATS.c.place)
)


def version(db: Database, battle_id: str) -> int:
    """The number that every turn, publication, ruling and deadline of a battle raises; sheets alone do not.
    Raises `RefereeError("no-battle")`."""
    found = None
    if is_storable(battle_id):
        with db.read() as session:
            found = session.execute(
                select(Battle.version).where(Battle.id == battle_id, Battle.status != LEFT)
            ).scalar_one_or_none()
    if found is None:
        raise RefereeError("no-battle")
    return found


def pulse(view: BattleView) -> str:
    """What changes whenever the battle's public page does: its version, and a digest of who has entered, who is ready, and
    how often the public thread has changed; nothing of any other channel."""
    marks = ((seat.seat, seat.entered, seat.ready) for seat in view.seats)
    return _pulse(view.version, view.status, marks, view.talk)


def pulses(db: Database, battles: Sequence[str]) -> Mapping[str, str]:
    """The same of many battles, in few statements and without reading a sheet; a battle that is not there is left out."""
    found: dict[str, str] = {}
    wanted = [battle for battle in battles if is_storable(battle)]
    for start in range(0, len(wanted), MOST_AT_ONCE):
        with db.read() as session:
            rows = run(session, _MARKS, battles=wanted[start : start + MOST_AT_ONCE]).all()
        for (battle, number, status, turn, talk), seats in groupby(rows, key=lambda row: tuple(row[:5])):
            marks = ((s.seat, s.revision > 0, (s.ready_turn, s.ready_revision) == (turn, s.revision)) for s in seats)
            found[battle] = _pulse(number, status, marks, talk)
    return found


def _pulse(number: int, status: str, marks: Iterable[tuple[str, bool, bool]], talk: int) -> str:
    told = (repr(tuple(marks)) if status in AWAITING else "") + (f"/{talk}" if talk else "")
    return f"{number}.{hashlib.sha256(told.encode()).hexdigest()[:12]}"
