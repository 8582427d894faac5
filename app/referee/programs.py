"""Programs that fill seats: the game master's choice, known to all. A program knows no more than its seat may know."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.bots.random_player import random_player
from app.engine.ruleset import AnyRuleset, Request
from app.referee import logbook, sealing
from app.referee.access import master_only
from app.referee.errors import RefereeError
from app.referee.rows import AWAITING, BattleRow, asked, change, locked, position, run, seat_row, seats
from app.referee.sheets import last_revisions
from app.referee.silence import set_seat
from app.referee.views import Viewer
from app.store.db import Database
from app.store.models import BATTLES, SEATS

PROGRAMS: Mapping[str, Callable[[AnyRuleset, bytes], Callable[[Any, Request], Any]]] = {"random": random_player}
"""A program more is an entry here, and its words in `reports.seatwords`."""
_SEEDS = select(SEATS.c.seat, SEATS.c.program_seed)
_WAITING = (
    select(BATTLES.c.id)
    .join(SEATS, SEATS.c.battle_id == BATTLES.c.id)
    .where(BATTLES.c.status.in_(AWAITING), SEATS.c.program.is_not(None), SEATS.c.ready_turn != BATTLES.c.turn)
    .distinct()
    .order_by(BATTLES.c.id)
)


def choose(db: Database, battle_id: str, seat: str, viewer: Viewer, program: str | None, now: datetime) -> None:
    """A program fills the seat from now on; None: none does. Logged for all, and shown beside the seat.
    Raises `RefereeError`: no-battle, no-seat, not-yours, closed (the battle is over), bad-request (no such program)."""
    with db.write() as session:
        battle = locked(session, battle_id)
        master_only(battle, viewer)
        row = seat_row(session, battle_id, seat)
        if battle.status == "over":
            raise RefereeError("closed", current={"turn": battle.turn})
        if program is not None and program not in PROGRAMS:
            raise RefereeError("bad-request")
        if program == row.program:
            return
        change(session, battle)
        seed = None if program is None else secrets.token_hex(32)
        set_seat(session, battle_id, seat, program=program, program_seed=seed)
        params = {"seat": seat, "program": program}
        logbook.note(session, battle_id, battle.turn, "master", "program-chosen", now, params, by=viewer)


def waiting(db: Database) -> list[str]:
    """Battles in which a program has not looked at the open turn yet."""
    with db.read() as session:
        return list(run(session, _WAITING).scalars())


def look(session: Session, battle: BattleRow, now: datetime) -> None:
    """`fill`, for a battle in hand whose turn is open."""
    if battle.status in AWAITING:
        fill(session, battle, asked(battle, position(session, battle, battle.turn)), now)


def fill(session: Session, battle: BattleRow, requests: Mapping[str, Request], now: datetime) -> None:
    """Each program that is asked seals its sheet, and is ready. Where somebody has entered orders for its seat already, it
    leaves them as they are."""
    rows = [row for row in seats(session, battle.id) if row.program is not None and row.ready_turn != battle.turn]
    if not rows:
        return
    state = position(session, battle, battle.turn)
    seeds = {row.seat: row.program_seed for row in run(session, _SEEDS.where(SEATS.c.battle_id == battle.id))}
    last = last_revisions(session, battle.id, battle.turn)
    ruleset = battle.ruleset
    for row in rows:
        request, kept = requests.get(row.seat), last.get(row.seat)
        revision = kept.revision if kept else 0
        if request is None or (kept is not None and not kept.is_empty):
            sealing.mark(session, battle.id, row.seat, battle.turn, revision)
            continue
        view = ruleset.view(state, row.seat)
        seed = hmac.digest(bytes.fromhex(seeds[row.seat] or ""), f"{battle.line}/{battle.turn}".encode(), "sha256")
        order = PROGRAMS[row.program or ""](ruleset, seed)(view, request)
        ordered = ruleset.tally(state, request, order)[0] if ruleset.tally else None
        sealing.keep(
            session,
            battle,
            row.seat,
            request,
            ruleset.dump_order(order),
            revision=revision + 1,
            ordered=ordered,
            ready=True,
            by="program",
            now=now,
        )
