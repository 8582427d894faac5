"""Sealed sheets: entering, checking, being ready. The last revision counts, whether or not anything else was pressed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from app.engine.ruleset import AnyRuleset, Json, Problem, Refused, Request
from app.referee import logbook, openings, sealing, silence, turns
from app.referee.access import is_seat, seat_or_master
from app.referee.errors import RefereeError
from app.referee.rows import AWAITING, BattleRow, asked, battle_row, loads, locked, position, seat_row
from app.referee.sheets import Last, is_ready, last_revisions, sealed
from app.referee.turnviews import Entered, Receipt, SheetView, Understood
from app.referee.views import Viewer
from app.store.db import Database

LONGEST_TEXT = 50_000
"""Characters of a text of orders: some hundred units with a letter around them, and read in a part of a second."""
NONCE = "^[0-9a-f]{32,64}$"
"""A nonce of the sender's own: at least as long as those that are drawn here."""


@dataclass(frozen=True)
class _Judged:
    """An answer that the ruleset takes, and the version of the battle for which it does."""

    version: int
    request: Request
    orders: Json
    warnings: tuple[Problem, ...]
    ordered: int | None


def sheet(db: Database, battle_id: str, seat: str, viewer: Viewer) -> SheetView:
    """A seat's own sheet for the open turn. Raises `RefereeError`: no-battle, no-seat, not-yours (the game master too)."""
    with db.read() as session:
        battle = battle_row(session, battle_id)
        row = seat_row(session, battle_id, seat)
        if not is_seat(battle, viewer, seat):
            raise RefereeError("not-yours")
        own = sealed(session, battle, battle.turn, viewer).get(seat)
        request, options, options_json = None, None, None
        if battle.status in AWAITING:
            state = position(session, battle, battle.turn)
            request = asked(battle, state).get(seat)
            if request is not None:
                options = battle.ruleset.options(state, request)
                options_json = battle.ruleset.options_json(state, request)
    receipt = None
    if own is not None:
        receipt = Receipt(own.digest, own.nonce, own.canonical(battle.sealed_as, battle.turn))
    return SheetView(
        turn=battle.turn,
        revision=own.revision if own else 0,
        ready=is_ready(row, battle.turn, own),
        request=request.id if request else None,
        orders=None if request is None else loads(own.orders) if own else {},
        options=options,
        options_json=options_json,
        receipt=receipt,
        entered_at=own.entered_at if own else None,
    )


def enter(
    db: Database,
    battle_id: str,
    seat: str,
    viewer: Viewer,
    *,
    turn: int,
    revision: int,
    fields: Json | None = None,
    text: str | None = None,
    ready: bool = False,
    nonce: str | None = None,
    now: datetime,
) -> Entered:
    """Keep an answer as a new revision, which counts; then resolve the turn if that made it due. `nonce`: the sender's own,
    of `NONCE`; one is drawn if there is none, and where the seed of all dice is known, since then it could choose them.

    Raises `RefereeError`, with nothing kept: no-battle, no-seat, not-yours, closed, stale (`current`), not-open (nothing is
    asked of the seat), long-text, bad-orders (every problem and warning, or every fault of a text). The game master may
    enter on behalf of a seat, which is logged for all.
    """
    with db.read() as session:
        battle = battle_row(session, battle_id)
        _admit(session, battle, seat, viewer, turn, revision, now)
        judged = _judge(session, battle, seat, fields, text)
    with db.write() as session:
        battle = locked(session, battle_id)
        who, _ = _admit(session, battle, seat, viewer, turn, revision, now)
        if battle.version != judged.version:  # a ruling or a deadline came between: look again
            judged = _judge(session, battle, seat, fields, text)
        receipt = sealing.keep(
            session,
            battle,
            seat,
            judged.request,
            judged.orders,
            revision=revision + 1,
            ordered=judged.ordered,
            ready=ready,
            by="deputy" if viewer.through == "deputy" else who,
            name=viewer.name if viewer.stand_in is not None else None,
            nonce=None if battle.given_seed else nonce,
            now=now,
        )
        if who == "seat":
            silence.heard(session, battle, seat_row(session, battle_id, seat), now)
        if who == "master":
            params = {"seat": seat, "revision": revision + 1}
            logbook.note(session, battle_id, turn, "master", "orders-on-behalf", now, params, by=viewer)
    resolved = (ready or judged.request.pace == "prompt") and turns.resolve_if_due(db, battle_id, now)
    return Entered(
        turn=turn,
        revision=revision + 1,
        ready=ready,
        orders=judged.orders,
        warnings=judged.warnings,
        receipt=receipt,
        resolved=resolved,
    )


def check(
    db: Database,
    battle_id: str,
    seat: str,
    viewer: Viewer,
    *,
    turn: int,
    revision: int,
    fields: Json | None = None,
    text: str | None = None,
    ready: bool = False,
    now: datetime,
) -> Entered:
    """Answers as `enter` would, and keeps nothing: `revision` 0, no receipt."""
    with db.read() as session:
        battle = battle_row(session, battle_id)
        _admit(session, battle, seat, viewer, turn, revision, now)
        judged = _judge(session, battle, seat, fields, text)
    return Entered(turn=turn, revision=0, ready=ready, orders=judged.orders, warnings=judged.warnings)


def understand(
    db: Database,
    battle_id: str,
    seat: str,
    viewer: Viewer,
    *,
    turn: int | None,
    fields: Json | None = None,
    text: str | None = None,
    language: str,
    now: datetime,
) -> Understood:
    """What an answer means as it stands (`turn`, None: the open one), and all that is wrong with it. Keeps nothing.

    Raises `RefereeError`: no-battle, no-seat, not-yours, closed, stale (another turn), not-open, long-text.
    """
    with db.read() as session:
        battle = battle_row(session, battle_id)
        _admit(session, battle, seat, viewer, battle.turn if turn is None else turn, None, now)
        state = position(session, battle, battle.turn)
    ruleset, request = battle.ruleset, asked(battle, state).get(seat)
    if request is None:
        raise RefereeError("not-open")
    try:
        order = _read(ruleset, state, request, fields, text)
    except Refused as refused:
        return Understood(battle.turn, problems=refused.problems, faults=refused.faults, asides=refused.asides)
    return Understood(
        turn=battle.turn,
        orders=ruleset.dump_order(order),
        text=ruleset.write_text(state, request, order, language),
        problems=tuple(ruleset.check(state, request, order)),
    )


def set_ready(db: Database, battle_id: str, seat: str, viewer: Viewer, *, turn: int, ready: bool, now: datetime) -> bool:
    """Say that a seat has nothing to add, or take it back. True if the turn was resolved by it.
    Raises `RefereeError`: no-battle, no-seat, not-yours, closed, stale, not-open."""
    with db.write() as session:
        battle = locked(session, battle_id)
        who, last = _admit(session, battle, seat, viewer, turn, None, now)
        if seat not in asked(battle, position(session, battle, turn)):
            raise RefereeError("not-open")
        sealing.mark(session, battle_id, seat, turn if ready else 0, last.revision if last else 0)
        if who == "seat" and ready:
            silence.heard(session, battle, seat_row(session, battle_id, seat), now)
        if who == "master":
            logbook.note(
                session, battle_id, turn, "master", "ready-on-behalf", now, {"seat": seat, "ready": ready}, by=viewer
            )
    return ready and turns.resolve_if_due(db, battle_id, now)


def _admit(
    session: Session, battle: BattleRow, seat: str, viewer: Viewer, turn: int, revision: int | None, now: datetime
) -> tuple[str, Last | None]:
    """The guards of whatever is done for a seat: who does it (`seat`, `master`), and the seat's last revision."""
    row = seat_row(session, battle.id, seat)
    who = seat_or_master(session, battle, viewer, seat, now)
    if battle.status not in AWAITING:
        raise RefereeError("closed", current={"turn": battle.turn})
    if openings.is_unsettled(session, battle, seat, row.side):
        raise RefereeError("unsettled")
    last = last_revisions(session, battle.id, battle.turn, seat).get(seat)
    current = {"turn": battle.turn, "revision": last.revision if last else 0}
    if turn != battle.turn or (revision is not None and revision != current["revision"]):
        raise RefereeError("stale", current=current)
    if battle.status == "open" and battle.deadline is not None and battle.deadline <= now:
        raise RefereeError("closed", current=current)
    return who, last


def _judge(session: Session, battle: BattleRow, seat: str, fields: Json | None, text: str | None) -> _Judged:
    """Read and check an answer against the position of the open turn."""
    ruleset, state = battle.ruleset, position(session, battle, battle.turn)
    request = asked(battle, state).get(seat)
    if request is None:
        raise RefereeError("not-open")
    try:
        order = _read(ruleset, state, request, fields, text)
    except Refused as refused:
        raise RefereeError(
            "bad-orders", problems=refused.problems, faults=refused.faults, asides=refused.asides
        ) from refused
    problems = tuple(ruleset.check(state, request, order))
    if any(not problem.warning for problem in problems):
        raise RefereeError("bad-orders", problems=problems)
    ordered = ruleset.tally(state, request, order)[0] if ruleset.tally else None
    return _Judged(battle.version, request, ruleset.dump_order(order), problems, ordered)


def _read(ruleset: AnyRuleset, state: Any, request: Request, fields: Json | None, text: str | None) -> Any:
    """Raises `Refused`, and `RefereeError("long-text")`: the time to read a text grows with it."""
    if (fields is None) == (text is None):
        raise ValueError("orders come as fields or as text")
    if text is None:
        return ruleset.read(state, request, fields)
    if len(text) > LONGEST_TEXT:
        raise RefereeError("long-text", params={"most": LONGEST_TEXT})
    return ruleset.read_text(state, request, text)
