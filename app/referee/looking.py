"""The game master looks at a sealed sheet, where the battle's options have it: told to all before he sees it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from app.engine.ruleset import Json
from app.referee import logbook
from app.referee.access import master_only
from app.referee.errors import RefereeError
from app.referee.options import Looks
from app.referee.rows import AWAITING, BattleRow, asked, battle_row, change, loads, locked, position, run, seat_row
from app.referee.sheets import Look, last_revisions, sealed
from app.referee.views import Viewer
from app.store.db import Database
from app.store.models import LOG, SHEETS

STRICTEST: tuple[Looks, ...] = ("never", "after-deadline", "always")
_SEALED_AT = select(SHEETS.c.entered_at).where(
    SHEETS.c.battle_id == bindparam("battle"),
    SHEETS.c.turn == bindparam("turn"),
    SHEETS.c.seat == bindparam("seat"),
    SHEETS.c.revision == bindparam("revision"),
)
_CHANGED = select(LOG.c.params).where(
    LOG.c.battle_id == bindparam("battle"), LOG.c.what == "option-set", LOG.c.at > bindparam("since")
)


@dataclass(frozen=True)
class Looked:
    """What was seen. `text`: the orders in their canonical text; `entered_by`: `seat` or `master`."""

    turn: int
    seat: str
    revision: int
    orders: Json
    text: str
    entered_at: datetime
    entered_by: str


def may_look(battle: BattleRow, viewer: Viewer, now: datetime, *, promised: Looks = "always") -> bool:
    """Whether the options allow a look at the open turn now, and what was `promised` as well. Whoever plays himself sees
    nothing."""
    if battle.status not in AWAITING or viewer.plays:
        return False
    looks = min(battle.options.looks, promised, key=STRICTEST.index)
    if looks == "after-deadline":
        return battle.status == "held" or (battle.deadline is not None and battle.deadline <= now)
    return looks == "always"


def look(db: Database, battle_id: str, seat: str, viewer: Viewer, *, language: str, now: datetime) -> Looked:
    """Read the last revision of a seat's sheet for the open turn. The line of the log is committed before anything is read.
    Raises `RefereeError`: no-battle, no-seat, not-yours, no-looks (the options do not allow it now), not-open (nothing is
    entered), sealed-before (under a stricter option)."""
    with db.write() as session:
        battle = locked(session, battle_id)
        turn, revision = _admit(session, battle, seat, viewer, now)
        change(session, battle)
        params: dict[str, Json] = {"seat": seat, "revision": revision}
        entry = logbook.note(session, battle_id, turn, "master", "looked", now, params, by=viewer)
    with db.read() as session:
        battle = battle_row(session, battle_id)
        seen = sealed(session, battle, turn, Look(seat, entry)).get(seat)
        request = asked(battle, position(session, battle, turn)).get(seat) if battle.turn == turn else None
        if seen is None or seen.revision != revision or request is None:  # it has gone on meanwhile
            raise RefereeError("stale", current={"turn": battle.turn})
        state = position(session, battle, turn)
    order = battle.ruleset.load_order(loads(seen.orders))
    text = battle.ruleset.write_text(state, request, order, language)
    return Looked(turn, seat, seen.revision, loads(seen.orders), text, seen.entered_at, seen.entered_by)


def _admit(session: Session, battle: BattleRow, seat: str, viewer: Viewer, now: datetime) -> tuple[int, int]:
    seat_row(session, battle.id, seat)
    master_only(battle, viewer)
    if not may_look(battle, viewer, now):
        raise RefereeError("no-looks")
    last = last_revisions(session, battle.id, battle.turn, seat).get(seat)
    if last is None:
        raise RefereeError("not-open")
    if not may_look(battle, viewer, now, promised=_promised(session, battle, seat, last.revision)):
        raise RefereeError("sealed-before")
    return battle.turn, last.revision


def _promised(session: Session, battle: BattleRow, seat: str, revision: int) -> Looks:
    """The strictest option that has held since a sheet was sealed: what is sealed under one is not read under another."""
    sheet = {"battle": battle.id, "turn": battle.turn, "seat": seat, "revision": revision}
    since = run(session, _SEALED_AT, **sheet).scalar_one()
    changed = [loads(row) for row in run(session, _CHANGED, battle=battle.id, since=since).scalars()]
    held: list[Looks] = [params["was"] for params in changed if params["option"] == "looks"]
    return min(held, key=STRICTEST.index, default="always")
