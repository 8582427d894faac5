"""Sheets sealed: a new revision is kept, a seat marked as ready, a seat emptied for its new holder."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, insert, update
from sqlalchemy.orm import Session

from app.engine.ruleset import Json, Refused, Request
from app.referee import proof
from app.referee.rows import AWAITING, BattleRow, asked, dumps, position, run
from app.referee.sheets import EMPTIED, last_revisions
from app.referee.turnviews import Receipt
from app.store.models import SEATS, SHEETS

_KEEP = insert(SHEETS)
_MARK = update(SEATS).where(SEATS.c.battle_id == bindparam("this_battle"), SEATS.c.seat == bindparam("this_seat"))


def keep(
    session: Session,
    battle: BattleRow,
    seat: str,
    request: Request,
    orders: Json,
    *,
    revision: int,
    ordered: int | None,
    ready: bool,
    by: str,
    name: str | None = None,
    nonce: str | None = None,
    now: datetime,
) -> Receipt:
    """A new revision, sealed; `by`: as `Sheet.entered_by`; `nonce`: the sender's own, else one is drawn."""
    nonce = nonce or secrets.token_hex(16)
    told = {"nonce": nonce, "orders": orders, "revision": revision, "seat": seat}
    canonical = proof.canonical(battle=battle.sealed_as, turn=battle.turn, **told)
    digest = proof.digest(canonical)
    run(
        session,
        _KEEP,
        battle_id=battle.id,
        turn=battle.turn,
        seat=seat,
        request=request.id,
        revision=revision,
        orders=dumps(orders),
        nonce=nonce,
        digest=digest,
        entered_at=now,
        entered_by=by,
        entered_name=name,
        ordered=ordered,
    )
    if ready:
        mark(session, battle.id, seat, battle.turn, revision)
    return Receipt(digest, nonce, canonical)


def mark(session: Session, battle_id: str, seat: str, turn: int, revision: int) -> None:
    """Ready with this revision; turn 0: not ready."""
    run(session, _MARK, this_battle=battle_id, this_seat=seat, ready_turn=turn, ready_revision=revision)


def empty(session: Session, battle: BattleRow, seat: str, now: datetime) -> None:
    """What the seat has entered for the open turn counts no more: a revision after it says so, and nothing is deleted."""
    if battle.status not in AWAITING:
        return
    mark(session, battle.id, seat, 0, 0)
    last = last_revisions(session, battle.id, battle.turn, seat).get(seat)
    if last is None or last.is_empty:
        return
    state = position(session, battle, battle.turn)
    request = asked(battle, state).get(seat)
    if request is None:
        return
    keep(
        session,
        battle,
        seat,
        request,
        _nothing(battle, state, request),
        revision=last.revision + 1,
        ordered=0,
        ready=False,
        by=EMPTIED,
        now=now,
    )


def _nothing(battle: BattleRow, state: Any, request: Request) -> Json:
    """An answer that orders nothing; where a ruleset has none, what silence means. It is never counted."""
    ruleset = battle.ruleset
    try:
        return ruleset.dump_order(ruleset.read(state, request, {}))
    except Refused:
        return ruleset.dump_order(ruleset.default(state, request))
