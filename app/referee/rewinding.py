"""Back to the start of a turn, and on from the end of a line that was left. Nothing is deleted.

What is played stands in the tables under the battle's own id; a line that is left hangs on a row of its own (`Branch`),
so that pages, sheets and clocks know nothing of it. A line that is left keeps its open turn as it was: its sheets are
sealed for ever, its secret is never told, and a line that goes on from there opens that turn anew.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Table, and_, bindparam, func, insert, literal, or_, select, update
from sqlalchemy.orm import Session

from app.engine.ruleset import Json
from app.referee import clock, keys, logbook, names, notices, outbox, publication, turns
from app.referee.access import master_only
from app.referee.errors import RefereeError
from app.referee.rows import BattleRow, battle_row, change, dumps, kept_row, locked, position, run
from app.referee.turnviews import TurnView
from app.referee.views import PUBLIC, TurnLine, Viewer
from app.store import models
from app.store.db import Database
from app.store.models import BATTLES, BRANCHES, EVENTS, LEFT, SAYINGS, SEATS, SHEETS, STATES, TURNS, core

RULINGS = core(models.Ruling)
HISTORY: tuple[Table, ...] = (TURNS, SHEETS, STATES, EVENTS, RULINGS, SAYINGS)
"""All that a line is made of; the log and the seats belong to the battle."""
_BRANCHES = select(*BRANCHES.c).where(BRANCHES.c.battle_id == bindparam("battle")).order_by(BRANCHES.c.line)
_BRANCH = _BRANCHES.where(BRANCHES.c.line == bindparam("line"))
_UNREADY = update(SEATS).where(SEATS.c.battle_id == bindparam("this_battle"))
_LAST = select(func.coalesce(func.max(TURNS.c.turn), 0)).where(
    TURNS.c.battle_id == bindparam("battle"), TURNS.c.published_at.is_not(None)
)


@dataclass(frozen=True)
class BranchLine:
    """A line that was left. `back_to`: the turn to whose start the battle went from it; `turn`: its last published one, 0:
    none; `taken_as`: the line that went on from its end."""

    line: int
    back_to: int
    turn: int
    status: str
    reason: str
    left_at: datetime
    taken_as: int | None


def rewind(
    db: Database, battle_id: str, viewer: Viewer, *, to: int, reason: str, now: datetime, played: int | None = None
) -> int:
    """The battle goes on from the start of a turn, before any ruling upon it, with fresh secrets; what was played from there
    on is left as a branch. `played`: the line that he would leave. The number of the line that begins.
    Raises `RefereeError`: no-battle, not-yours, publish-first, no-turn, bad-ruling (no reason), stale (`played`)."""
    with db.write() as session:
        battle = locked(session, battle_id)
        _may_leave(battle, viewer)
        _is_played(battle, played)
        why = names.reason(reason)
        if not 1 <= to <= run(session, _LAST, battle=battle_id).scalar_one() + 1:
            raise RefereeError("no-turn")
        kept = _leave(session, battle, back_to=to, reason=why, now=now)
        _bring(session, kept, battle_id, to=to, copies=True)
        if not battle.ruleset.requests(position(session, battle, to)):
            raise RefereeError("no-turn")
        outbox.leave(session, battle_id, kept, now, since=to)
        line = _play_on(session, battle, turn=to, now=now)
        params: dict[str, Json] = {"to": to, "reason": why, "line": battle.line}
        logbook.note(session, battle_id, to, "master", "rewound", now, params, by=viewer)
        notices.tell(session, battle, "rewound", now, turn=to, facts={"reason": why}, key=f"rewound/{line}")
    return line


def take_up(
    db: Database, battle_id: str, viewer: Viewer, *, line: int, reason: str, now: datetime, played: int | None = None
) -> int:
    """The battle goes on from the end of a line that was left; the one that was played becomes a branch itself. Its open
    turn opens anew: orders that were sealed in it stay sealed. The number of the line that begins.
    Raises `RefereeError`: no-battle, not-yours, publish-first, no-branch, bad-ruling (no reason), stale (`played`)."""
    with db.write() as session:
        battle = locked(session, battle_id)
        _may_leave(battle, viewer)
        _is_played(battle, played)
        why = names.reason(reason)
        branch = _branch(session, battle_id, line)
        if branch.taken_as is not None:
            raise RefereeError("no-branch")
        fork = _fork(session, battle_id, branch.kept_as)
        kept = _leave(session, battle, back_to=branch.turn + 1, reason=why, now=now)
        _bring(session, branch.kept_as, battle_id, to=branch.turn + 1, copies=False)
        outbox.leave(session, battle_id, kept, now, since=fork)
        outbox.come_back(session, branch.kept_as, battle_id, now)
        begun = _play_on(session, battle, turn=branch.turn + 1, now=now)
        taken = update(BRANCHES).where(BRANCHES.c.battle_id == battle_id, BRANCHES.c.line == line)
        run(session, taken, taken_as=begun)
        params: dict[str, Json] = {"reason": why, "line": line}
        logbook.note(session, battle_id, branch.turn + 1, "master", "taken-up", now, params, by=viewer)
        told = {"reason": why}
        notices.tell(session, battle, "rewound", now, turn=branch.turn + 1, facts=told, key=f"rewound/{begun}")
    return begun


def branches(db: Database, battle_id: str) -> tuple[BranchLine, ...]:
    """The lines of a battle that were left, oldest first, also those that were taken up again.
    Raises `RefereeError("no-battle")`."""
    with db.read() as session:
        battle_row(session, battle_id)
        return tuple(_told(row) for row in run(session, _BRANCHES, battle=battle_id))


def branch(db: Database, battle_id: str, line: int) -> tuple[BranchLine, tuple[TurnLine, ...]]:
    """A line that was left, and its turns: what was published of it, and nothing else.
    Raises `RefereeError`: no-battle, no-branch."""
    with db.read() as session:
        row, kept = _kept(session, battle_id, line)
        return _told(row), turns.lines(session, kept, PUBLIC, limit=None)


def turn(db: Database, battle_id: str, line: int, number: int) -> TurnView:
    """A published turn of a line that was left, as everybody may know it.
    Raises `RefereeError`: no-battle, no-branch, no-turn."""
    with db.read() as session:
        return publication.turn_of(session, _kept(session, battle_id, line)[1], number, PUBLIC)


def played_before(db: Database, battle_id: str, number: int) -> bool:
    """Whether a turn was published before, in a line that was left. Raises `RefereeError("no-battle")`."""
    return any(left.back_to <= number <= left.turn and left.taken_as is None for left in branches(db, battle_id))


def record(db: Database, battle_id: str, line: int, number: int) -> Json:
    """Its record, by which anyone may check it. Raises `RefereeError`: no-battle, no-branch, no-turn."""
    with db.read() as session:
        return publication.record_of(session, _kept(session, battle_id, line)[1], number, PUBLIC)


def _may_leave(battle: BattleRow, viewer: Viewer) -> None:
    """A game master who plays as well has seen the others' orders in a draft: he may not have them entered anew before all
    have seen them. Raises `RefereeError`: not-yours, publish-first."""
    master_only(battle, viewer)
    if battle.status == "review" and viewer.plays:
        raise RefereeError("publish-first", current={"turn": battle.turn})


def _is_played(battle: BattleRow, played: int | None) -> None:
    """A form that is sent twice leaves one line. Raises `RefereeError("stale")`."""
    if played is not None and played != battle.line:
        raise RefereeError("stale", current={"turn": battle.turn})


def _leave(session: Session, battle: BattleRow, *, back_to: int, reason: str, now: datetime) -> str:
    """All rows of the line that was played move to a row that no verb finds: its id."""
    kept = names.new_id()
    own = {
        "id": kept,
        "status": LEFT,
        "version": 1,
        "deadline": None,
        "master_hash": keys.key_hash(secrets.token_hex(32)),
        "account_id": None,
        "origin": battle.sealed_as,
    }
    _copy(session, BATTLES, BATTLES.c.id == battle.id, own)
    last = run(session, _LAST, battle=battle.id).scalar_one()
    told = {"battle_id": battle.id, "line": battle.line, "kept_as": kept, "back_to": back_to, "turn": last}
    run(session, insert(BRANCHES), **told, status=battle.status, reason=reason, left_at=now, taken_as=None)
    for table in HISTORY:
        run(
            session,
            update(table).where(table.c.battle_id == bindparam("this_battle")),
            this_battle=battle.id,
            battle_id=kept,
        )
    return kept


def _bring(session: Session, kept: str, battle_id: str, *, to: int, copies: bool) -> None:
    """What a line knew at the start of a turn. `copies`: the kept line keeps it too, and rulings upon that very turn stay
    with it; else they come along, since they were told to all."""
    for table in HISTORY:
        turn = table.c.turn
        mine = turn <= to if table is STATES else turn < to
        if table is RULINGS and not copies:
            mine = or_(turn < to, and_(turn == to, RULINGS.c.stage == "open"))
        mine = and_(table.c.battle_id == kept, mine)
        if copies:
            _copy(session, table, mine, {"battle_id": battle_id})
        else:
            run(session, update(table).where(mine), battle_id=battle_id)
    if copies:
        first = and_(STATES.c.battle_id == battle_id, STATES.c.turn == to)
        run(session, update(STATES).where(first), amended=None)


def _copy(session: Session, table: Table, where: Any, own: dict[str, Any]) -> None:
    """Rows once more, with some values of their own; numbers that the database gives are given anew."""
    names_of = [column.name for column in table.c if not (column.name == "id" and table is RULINGS)]
    values = [literal(own[name], table.c[name].type) if name in own else table.c[name] for name in names_of]
    rows = select(*values).where(where)
    if table is RULINGS:
        rows = rows.order_by(RULINGS.c.id)
    run(session, insert(table).from_select(names_of, rows))


def _play_on(session: Session, battle: BattleRow, *, turn: int, now: datetime) -> int:
    """The battle's row and its open turn; over, where the line had come to its end."""
    line = battle.line + 1
    state = position(session, battle, turn)
    outcome = battle.ruleset.outcome(state)
    known = {"points": dumps(dict(outcome.points)), "winner": outcome.winner, "line": line}
    run(session, _UNREADY, this_battle=battle.id, ready_turn=0, ready_revision=0, silent_turns=0)
    timed = clock.opening(battle, now, prompt=True)
    if not battle.ruleset.requests(state):
        change(session, battle, status="over", turn=turn - 1, **known, **{**timed, "deadline": None})
        return line
    change(session, battle, status="open", turn=turn, **known, **timed)
    clock.forget(session, battle, since=turn, new=timed["deadline"], now=now)
    turns.open_turn(session, battle.id, turn, battle.given_seed, now, line=line)
    return line


def _fork(session: Session, battle_id: str, kept: str) -> int:
    """The first turn that two lines do not share: a turn's secret is drawn once."""
    mine, others = (
        dict(session.execute(select(TURNS.c.turn, TURNS.c.commitment).where(TURNS.c.battle_id == one)).all())
        for one in (battle_id, kept)
    )
    number = 1
    while number in mine and mine[number] == others.get(number):
        number += 1
    return number


def _branch(session: Session, battle_id: str, line: int) -> Any:
    row = run(session, _BRANCH, battle=battle_id, line=line).one_or_none() if 0 < line < 1_000_000 else None
    if row is None:
        raise RefereeError("no-branch")
    return row


def _kept(session: Session, battle_id: str, line: int) -> tuple[Any, BattleRow]:
    battle_row(session, battle_id)
    row = _branch(session, battle_id, line)
    return row, kept_row(session, row.kept_as)


def _told(row: Any) -> BranchLine:
    return BranchLine(row.line, row.back_to, row.turn, row.status, row.reason, row.left_at, row.taken_as)
