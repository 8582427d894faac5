"""The turn: due or not, resolved once, the next one opened. `resolve_if_due` is the one road for clocks and players."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.orm import Session

from app.engine.dice import SeededDice
from app.engine.ruleset import Request
from app.referee import clock, doctrines, logbook, notices, outbox, programs, proof, silence
from app.referee.access import is_judge, master_only
from app.referee.errors import RefereeError
from app.referee.rows import AWAITING, BattleRow, asked, battle_row, change, dumps, loads, locked, position, run, seats
from app.referee.sheets import is_ready, last_revisions, sealed
from app.referee.views import TurnLine, Viewer
from app.store.db import Database
from app.store.models import EVENTS, STATES, TURNS

_OPEN, _TELL, _STAND = insert(TURNS), insert(EVENTS), insert(STATES)
_CLOSE = update(TURNS).where(TURNS.c.battle_id == bindparam("this_battle"), TURNS.c.turn == bindparam("this_turn"))
_SECRET = select(TURNS.c.secret).where(TURNS.c.battle_id == bindparam("battle"), TURNS.c.turn == bindparam("turn"))
_LINES = (
    select(*(TURNS.c[name] for name in TurnLine.__annotations__))
    .where(TURNS.c.battle_id == bindparam("battle"))
    .order_by(TURNS.c.turn.desc())
)
_RESOLVED = _LINES.where(TURNS.c.resolved_at.is_not(None))
_PUBLISHED = _LINES.where(TURNS.c.published_at.is_not(None))


def resolve_if_due(db: Database, battle_id: str, now: datetime, *, skip_locked: bool = False) -> bool:
    """Resolve the open turn if its deadline has come, or all who are asked have answered. True if it was resolved by this
    very call. `skip_locked`: leave a battle alone that another server has in hand (PostgreSQL)."""
    with db.write() as session:
        try:
            battle = locked(session, battle_id, skip_locked=skip_locked)
        except RefereeError:
            if skip_locked:
                return False
            raise
        if battle.status != "open":
            return False
        state = position(session, battle, battle.turn)
        requests = asked(battle, state)
        by = _due(session, battle, requests, now)
        if by == "deadline" and silence.extend(session, battle, requests, now):
            return False
        if by is None:
            if not battle.early and _have_answered(session, battle, requests):
                key = f"all-ready/{battle.line}/{battle.turn}"
                notices.tell(session, battle, "all-ready", now, seats=(), masters=True, key=key)
            return False
        _resolve(session, battle, state, requests, by, now)
    return True


def is_due(db: Database, battle_id: str, now: datetime) -> bool:
    """Whether `resolve_if_due` would resolve; takes nothing in hand. Raises `RefereeError("no-battle")`."""
    with db.read() as session:
        battle = battle_row(session, battle_id)
        if battle.status != "open":
            return False
        return _due(session, battle, asked(battle, position(session, battle, battle.turn)), now) is not None


def resolve_now(db: Database, battle_id: str, viewer: Viewer, *, turn: int, now: datetime) -> None:
    """The game master's word: resolve, whoever is silent. Raises `RefereeError`: no-battle, not-yours, stale, closed,
    paused."""
    with db.write() as session:
        battle = locked(session, battle_id)
        master_only(battle, viewer)
        if turn != battle.turn:
            raise RefereeError("stale", current={"turn": battle.turn})
        if battle.status not in AWAITING:
            raise RefereeError("closed", current={"turn": battle.turn})
        if battle.status == "paused":
            raise RefereeError("paused", current={"turn": battle.turn})
        state = position(session, battle, turn)
        _resolve(session, battle, state, asked(battle, state), "master", now, hand=viewer)


def history(db: Database, battle_id: str, viewer: Viewer) -> tuple[TurnLine, ...]:
    """Every resolved turn of a battle, oldest first; one under review for its game master only."""
    with db.read() as session:
        battle = battle_row(session, battle_id)
        return lines(session, battle, viewer, limit=None)


def lines(session: Session, battle: BattleRow, viewer: Viewer, *, limit: int | None) -> tuple[TurnLine, ...]:
    """The newest resolved turns, oldest of them first."""
    query = _RESOLVED if is_judge(battle, viewer) else _PUBLISHED
    found = [
        TurnLine(r.turn, r.opened_at, r.resolved_at, r.published_at, r.resolved_by, loads(r.points), r.winner)
        for r in run(session, query.limit(limit), battle=battle.id)
    ]
    return tuple(reversed(found))


def open_turn(session: Session, battle_id: str, turn: int, given_seed: str | None, now: datetime, *, line: int = 1) -> None:
    """A turn opens: its secret is drawn before anybody can have entered anything, or comes from the seed that the maker of
    the battle gave, and told to all; in each line of the battle another one."""
    if given_seed is None:
        secret = secrets.token_bytes(32)
    else:
        name = f"{turn}" if line == 1 else f"{turn}/{line}"
        secret = hashlib.sha256(bytes.fromhex(given_seed) + b":" + name.encode("ascii")).digest()
    values = {
        "battle_id": battle_id,
        "turn": turn,
        "secret": secret,
        "commitment": proof.commitment(secret),
        "opened_at": now,
    }
    run(session, _OPEN, **values)


def _due(session: Session, battle: BattleRow, requests: Mapping[str, Request], now: datetime) -> str | None:
    """Why the open turn is due now: `deadline`, `prompt` (everybody asked has answered), `ready`; None: it is not."""
    if battle.deadline is not None and battle.deadline <= now:
        return "deadline"
    prompt = all(request.pace == "prompt" for request in requests.values())
    if not (prompt or battle.early) or not _have_answered(session, battle, requests):
        return None
    return "prompt" if prompt else "ready"


def _have_answered(session: Session, battle: BattleRow, requests: Mapping[str, Request]) -> bool:
    """Whether all who are asked have answered, or said that they are ready; nobody waits for a seat without a holder."""
    last = last_revisions(session, battle.id, battle.turn)
    rows = {row.seat: row for row in seats(session, battle.id)}
    if all(rows[seat].vacant_at is not None for seat in requests):
        return False
    for seat, request in requests.items():
        if rows[seat].vacant_at is not None:
            continue
        has_answered = seat in last and last[seat].request == request.id and not last[seat].is_empty
        if not has_answered if request.pace == "prompt" else not is_ready(rows[seat], battle.turn, last.get(seat)):
            return False
    return True


def _resolve(
    session: Session,
    battle: BattleRow,
    state: Any,
    requests: Mapping[str, Request],
    by: str,
    now: datetime,
    *,
    hand: Viewer | None = None,
) -> None:
    """All that belongs to a resolution, in the caller's transaction, with the battle's row in hand. `hand`: the game master
    whose word it was."""
    ruleset, turn = battle.ruleset, battle.turn
    ids = {request.id for request in requests.values()}
    programs.fill(session, battle, requests, now)
    sheets = sealed(session, battle, turn, "resolution").values()
    counted = [sheet for sheet in sheets if sheet.request in ids and not sheet.is_empty]
    secret = run(session, _SECRET, battle=battle.id, turn=turn).scalar_one()
    seed = proof.dice_seed(secret, [sheet.digest for sheet in counted])
    dice = SeededDice(seed)
    given = {sheet.request: ruleset.load_order(loads(sheet.orders)) for sheet in counted}
    orders, followed = doctrines.fill(session, battle, state, requests, given)
    step = ruleset.advance(state, orders, dice)
    outcome = ruleset.outcome(step.state)
    points = dumps(dict(outcome.points))
    is_over = not ruleset.requests(step.state)
    if battle.review:
        change(session, battle, status="review", deadline=None, last_deadline=battle.deadline)
    elif is_over:
        change(session, battle, status="over", deadline=None, points=points, winner=outcome.winner)
    else:
        timed = clock.opening(battle, now, prompt=by == "prompt")
        change(session, battle, status="open", turn=turn + 1, points=points, winner=outcome.winner, **timed)
    events = dumps([ruleset.dump_event(event) for event in step.events])
    run(session, _TELL, battle_id=battle.id, turn=turn, body=events, dice=dumps(dice.rolled))
    run(session, _STAND, battle_id=battle.id, turn=turn + 1, body=dumps(ruleset.dump_state(step.state)))
    run(
        session,
        _CLOSE,
        this_battle=battle.id,
        this_turn=turn,
        resolved_at=now,
        resolved_by=by,
        published_at=None if battle.review else now,
        seed=seed.hex(),
        counted=dumps([(sheet.seat, sheet.request, sheet.revision) for sheet in counted]),
        points=points,
        winner=outcome.winner,
        version=ruleset.version,
        doctrines=dumps([one.json() for one in followed]) if followed else None,
    )
    if not battle.review and not is_over:
        open_turn(session, battle.id, turn + 1, battle.given_seed, now, line=battle.line)
    logbook.note(session, battle.id, turn, "master" if by == "master" else _who(by), "resolved", now, {"by": by}, by=hand)
    for one in followed:
        told = {"seat": one.seat, "doctrine": one.doctrine}
        logbook.note(session, battle.id, turn, "clock", "doctrine-followed", now, told)
    silence.reckon(session, battle, requests, {sheet.seat for sheet in counted}, by, now)
    if not battle.review:
        outbox.announce(session, battle.id, turn, now)
        notices.tell_of_turn(session, battle.id, turn, now)


def _who(by: str) -> logbook.Who:
    return "clock" if by == "deadline" else "seat"
