"""The host's view of his server: what is due, running, late and failed, and what of it is an alarm. Facts, no battle's
secrets: of what is sent it tells neither address nor text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import Select, and_, case, func, literal, or_, select, text
from sqlalchemy.orm import Session

from app.engine.ruleset import Json
from app.referee import outbox
from app.referee.deadlines import CLOCK
from app.referee.errors import RefereeError
from app.referee.rows import loads
from app.store.db import Database
from app.store.models import OUTBOX, Battle, Heartbeat

SHOWN = 30
"""So many lines of each list."""
RECENT = timedelta(days=7)
"""How far back failures are shown."""

Stage = Literal["waiting", "running", "late", "failed"]
_O = OUTBOX.c


@dataclass(frozen=True)
class DueBattle:
    id: str
    title: str
    status: str
    turn: int
    deadline: datetime


@dataclass(frozen=True)
class Sending:
    """Something of the outbox that has not arrived."""

    id: int
    what: str
    battle_id: str | None
    turn: int | None
    stage: Stage
    created_at: datetime
    due_at: datetime | None
    attempts: int
    error: Json


@dataclass(frozen=True)
class Alarm:
    """Something is overdue by more than the host's patience: a code, how many, since when."""

    code: Literal["no-sweep", "turns-late", "posts-late"]
    count: int
    since: datetime | None


@dataclass(frozen=True)
class Overview:
    """`swept_at`: the last heartbeat of any server's clock. `coming`: the next deadlines; `overdue`: those that should have
    been resolved; `held`: battles that wait for their game master after an outage."""

    now: datetime
    swept_at: datetime | None
    coming: tuple[DueBattle, ...]
    overdue: tuple[DueBattle, ...]
    held: int
    counts: dict[str, int]
    """Of the outbox: `waiting`, `running`, `late`, `failed` (of the last days), `done` (of the last day)."""
    sendings: tuple[Sending, ...]
    """The late ones, the failed, the running, the waiting; the oldest of each first."""
    alarms: tuple[Alarm, ...]
    jobs: Mapping[str, int]
    """Of the workers: jobs by their stage (`todo`, `doing`, `failed`); empty: there are no workers here."""
    failed_jobs: tuple[str, ...]
    """The newest that failed, in the worker's own words."""


def overview(db: Database, now: datetime, *, late: timedelta) -> Overview:
    """The state of the server in a few statements. `late`: what is overdue by more is an alarm."""
    with db.read() as session:
        beat = session.execute(select(Heartbeat.seen_at).where(Heartbeat.name == CLOCK)).scalar_one_or_none()
        coming = _battles(session, Battle.deadline > now)
        overdue = _battles(session, Battle.deadline <= now - late)
        late_turns = _count(session, Battle, Battle.status == "open", Battle.deadline <= now - late)
        held = _count(session, Battle, Battle.status == "held")
        counts, oldest = _counts(session, now, late)
        sendings = _sendings(session, now, late)
        jobs, failed = _jobs(session)
    alarms = []
    if beat is None or beat <= now - late:
        alarms.append(Alarm("no-sweep", 1, beat))
    if late_turns:
        alarms.append(Alarm("turns-late", late_turns, overdue[0].deadline))
    if counts["late"]:
        alarms.append(Alarm("posts-late", counts["late"], oldest))
    return Overview(now, beat, coming, overdue, held, counts, sendings, tuple(alarms), jobs, failed)


def send_again(db: Database, outgoing_id: int, now: datetime) -> None:
    """The host has what was given up tried once more. Raises `RefereeError("no-page")`: there is none such."""
    with db.write() as session:
        if not outbox.again(session, outgoing_id, now):
            raise RefereeError("no-page")


def _battles(session: Session, when: Any) -> tuple[DueBattle, ...]:
    columns = select(Battle.id, Battle.title, Battle.status, Battle.turn, Battle.deadline)
    query = columns.where(Battle.status == "open", when).order_by(Battle.deadline, Battle.id).limit(SHOWN)
    found = session.execute(query)
    return tuple(DueBattle(row.id, row.title, row.status, row.turn, row.deadline) for row in found if row.deadline)


def _count(session: Session, model: Any, *when: Any) -> int:
    return session.execute(select(func.count()).select_from(model).where(*when)).scalar_one()


def _jobs(session: Session) -> tuple[dict[str, int], tuple[str, ...]]:
    """From Procrastinate's own tables, where workers have made them."""
    if session.connection().dialect.name != "postgresql":
        return {}, ()
    if session.execute(text("SELECT to_regclass('procrastinate_jobs')")).scalar_one() is None:
        return {}, ()
    staged = "SELECT status::text, count(*) FROM procrastinate_jobs WHERE status <> 'succeeded' GROUP BY status"
    counts = {str(status): int(count) for status, count in session.execute(text(staged))}
    newest = "SELECT task_name, args::text FROM procrastinate_jobs WHERE status = 'failed' ORDER BY id DESC LIMIT :most"
    failed = tuple(f"{name} {args}" for name, args in session.execute(text(newest), {"most": SHOWN}))
    return counts, failed


def _stage(now: datetime, late: timedelta) -> Any:
    """Of what has not arrived: in hand while its lease runs, late when nobody has taken it up in time."""
    return case(
        (_O.due_at.is_(None), literal("failed")),
        (and_(_O.claim.is_not(None), _O.due_at > now), literal("running")),
        (_O.due_at <= now - late, literal("late")),
        else_=literal("waiting"),
    )


def _pending(now: datetime) -> Any:
    """Not arrived, its tie not paused, and not given up longer ago than anybody cares."""
    is_recent = or_(_O.due_at.is_not(None), _O.created_at > now - RECENT)
    return and_(_O.done_at.is_(None), outbox.ACTIVE, is_recent)


def _counts(session: Session, now: datetime, late: timedelta) -> tuple[dict[str, int], datetime | None]:
    stage = _stage(now, late).label("stage")
    staged = select(stage, _O.due_at).where(_pending(now)).subquery()
    query = select(staged.c.stage, func.count(), func.min(staged.c.due_at)).group_by(staged.c.stage)
    counts = {"waiting": 0, "running": 0, "late": 0, "failed": 0}
    oldest: datetime | None = None
    for name, count, first in session.execute(query):
        counts[name] = count
        if name == "late":
            oldest = first
    counts["done"] = _count(session, OUTBOX, _O.done_at > now - timedelta(days=1))
    return counts, oldest


def _sendings(session: Session, now: datetime, late: timedelta) -> tuple[Sending, ...]:
    stage = _stage(now, late).label("stage")
    rank = case((stage == "late", 0), (stage == "failed", 1), (stage == "running", 2), else_=3)
    columns: Select[Any] = select(
        _O.id, _O.what, _O.battle_id, _O.turn, stage, _O.created_at, _O.due_at, _O.attempts, _O.error
    )
    query = columns.where(_pending(now)).order_by(rank, _O.due_at, _O.id).limit(SHOWN)
    return tuple(
        Sending(
            row.id,
            row.what,
            row.battle_id,
            row.turn,
            row.stage,
            row.created_at,
            row.due_at,
            row.attempts,
            loads(row.error) if row.error else {},
        )
        for row in session.execute(query)
    )
