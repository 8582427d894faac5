"""More time: a seat asks for it before all, and a game master gives it or not. What is asked for stands in the log, and
nowhere else; an answer is whatever gives the open turn more time, or a word that declines."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import Session

from app.referee import logbook, notices, timing
from app.referee.access import master_only, seat_only
from app.referee.errors import RefereeError
from app.referee.rows import BattleRow, battle_row, change, loads, locked, run, seat_row
from app.referee.views import Viewer
from app.store.db import Database
from app.store.models import LOG

MOST_HOURS = 24 * 14
MOST_ASKED = 3
"""So often a seat asks in one turn."""
_L = LOG.c
_LEFT = select(func.coalesce(func.max(_L.id), 0)).where(
    _L.battle_id == bindparam("battle"), _L.what.in_(tuple(sorted(logbook.LEAVING)))
)
_OF_TURN = (
    select(_L.what, _L.params, _L.at)
    .where(_L.battle_id == bindparam("battle"), _L.turn == bindparam("turn"), _L.id > bindparam("since"))
    .order_by(_L.id)
)


@dataclass(frozen=True)
class Asked:
    """What a seat has asked for, and nobody has answered yet."""

    seat: str
    hours: int
    reason: str | None
    at: datetime


def ask(
    db: Database, battle_id: str, seat: str, viewer: Viewer, *, hours: int, now: datetime, reason: str | None = None
) -> None:
    """Told to all by the log, and to the game masters. Raises `RefereeError`: no-battle, no-seat, not-yours, closed, paused,
    no-deadline, bad-hours, bad-reason, asked-already (nobody has answered yet), too-many (in this turn)."""
    with db.write() as session:
        battle = _of_seat(session, battle_id, seat, viewer, now)
        if battle.status == "paused":
            raise RefereeError("paused", current={"turn": battle.turn})
        if battle.status != "open":
            raise RefereeError("closed", current={"turn": battle.turn})
        if battle.deadline is None:
            raise RefereeError("no-deadline", current={"turn": battle.turn})
        if battle.deadline <= now:
            raise RefereeError("closed", current={"turn": battle.turn})
        if not 1 <= hours <= MOST_HOURS:
            raise RefereeError("bad-hours", params={"most": MOST_HOURS})
        why = timing.why_of(reason)
        lines = _lines(session, battle)
        if any(one.seat == seat for one in _waiting(lines)):
            raise RefereeError("asked-already")
        before = sum(what == "time-asked" and params["seat"] == seat for what, params, _ in lines)
        if before >= MOST_ASKED:
            raise RefereeError("too-many", params={"most": MOST_ASKED})
        change(session, battle)
        told = {"seat": seat, "hours": hours, "reason": why}
        logbook.note(session, battle_id, battle.turn, "seat", "time-asked", now, told)
        facts = {"seat": seat, "hours": hours, "deadline": battle.deadline}
        key = f"time-asked/{battle.line}/{battle.turn}/{seat}/{before}"
        notices.tell(session, battle, "time-asked", now, seats=(), masters=True, facts=facts, key=key)


def take_back(db: Database, battle_id: str, seat: str, viewer: Viewer, now: datetime) -> None:
    """Raises `RefereeError`: no-battle, no-seat, not-yours, no-asking (it was answered meanwhile)."""
    with db.write() as session:
        battle = _of_seat(session, battle_id, seat, viewer, now)
        _answered(session, battle, seat)
        change(session, battle)
        logbook.note(session, battle_id, battle.turn, "seat", "time-taken-back", now, {"seat": seat})


def decline(db: Database, battle_id: str, seat: str, viewer: Viewer, now: datetime) -> None:
    """A game master gives no more time; the seat is told. Raises `RefereeError`: no-battle, not-yours, no-asking."""
    with db.write() as session:
        battle = locked(session, battle_id)
        master_only(battle, viewer)
        number = _answered(session, battle, seat)
        change(session, battle)
        logbook.note(session, battle_id, battle.turn, "master", "time-declined", now, {"seat": seat}, by=viewer)
        facts = {"seat": seat, "deadline": battle.deadline}
        key = f"time-declined/{battle.line}/{battle.turn}/{seat}/{number}"
        notices.tell(session, battle, "time-declined", now, seats=(seat,), facts=facts, key=key)


def asked(db: Database, battle_id: str) -> tuple[Asked, ...]:
    """What is asked for in the open turn and not answered, oldest first; none where no deadline is to come to.
    Raises `RefereeError("no-battle")`."""
    with db.read() as session:
        battle = battle_row(session, battle_id)
        return _waiting(_lines(session, battle)) if battle.status == "open" and battle.deadline is not None else ()


def _of_seat(session: Session, battle_id: str, seat: str, viewer: Viewer, now: datetime) -> BattleRow:
    battle = locked(session, battle_id)
    seat_row(session, battle_id, seat)
    seat_only(session, battle, viewer, seat, now)
    return battle


def _answered(session: Session, battle: BattleRow, seat: str) -> int:
    """The number of what a seat has asked for in this turn. Raises `RefereeError("no-asking")`: none waits."""
    lines = _lines(session, battle)
    if battle.status != "open" or all(one.seat != seat for one in _waiting(lines)):
        raise RefereeError("no-asking")
    return sum(what == "time-asked" and params["seat"] == seat for what, params, _ in lines)


def _lines(session: Session, battle: BattleRow) -> list[tuple[str, dict[str, Any], datetime]]:
    """The log of the open turn, since a line of the battle was left last."""
    since = run(session, _LEFT, battle=battle.id).scalar_one()
    rows = run(session, _OF_TURN, battle=battle.id, turn=battle.turn, since=since)
    return [(what, loads(params), at) for what, params, at in rows]


def _waiting(lines: list[tuple[str, dict[str, Any], datetime]]) -> tuple[Asked, ...]:
    found: dict[str, Asked] = {}
    for what, params, at in lines:
        if what == "time-asked":
            found[params["seat"]] = Asked(params["seat"], params["hours"], params["reason"], at)
        elif what in ("time-taken-back", "time-declined"):
            found.pop(params["seat"], None)
        elif what in ("extended", "paused") or (what == "deadline-set" and _is_later(params)):
            found.clear()
    return tuple(found.values())


def _is_later(params: dict[str, Any]) -> bool:
    old, new = params["old"], params["new"]
    return new is None or (old is not None and datetime.fromisoformat(new) > datetime.fromisoformat(old))
