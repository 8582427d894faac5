"""Workers on PostgreSQL: what is due is resolved and delivered once, whoever dies in the middle."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
import typer
from procrastinate.exceptions import AlreadyEnqueued
from sqlalchemy import update
from typer.testing import CliRunner

from app.cli import worker
from app.config import BadSetting
from app.posting.wire import Wire
from app.referee import auditing, battles, keys, outbox, overview, scenarios, ties, turns
from app.referee.outbox import LEASE
from app.referee.posting import Postman
from app.referee.views import Viewer
from app.store.db import Database
from app.store.models import Turn
from app.worker import running
from app.worker.jobs import Pace, Workshop, address, application
from tests.posting.places import Place, place
from tests.times import HOUR, NOW

QUICK = Pace(rescue="* * * * * *", heartbeat=0.3, dead=1.5)
WIRE = Wire(allow_private=True, seconds=2)


def shop(db: Database, now: datetime = NOW, **given: Any) -> Workshop:
    def clock() -> datetime:
        return now

    return Workshop(
        db, Postman(db, "https://here.example", clock, WIRE), clock, timedelta(0), timedelta(minutes=10), **given
    )


def work(made: Workshop, *names: str, concurrency: int = 4) -> None:
    """Put jobs into the queue, and work until nothing is left."""
    running.prepare(address(made.db))

    async def run() -> None:
        app = application(made)
        async with app.open_async():
            for name in names:
                periodic = {"timestamp": 0} if name != "drain" else {}
                with suppress(AlreadyEnqueued):
                    await app.configure_task(name).defer_async(**periodic)
            for _ in range(9):  # a job that is put in while the last one ends may be left by a worker that does not wait
                await app.run_worker_async(concurrency=concurrency, wait=False, install_signal_handlers=False)
                if not {(name, "todo") for name in (*names, "verify", "drain")} & {job[:2] for job in jobs(made.db)}:
                    return

    asyncio.run(run())


def jobs(db: Database) -> list[tuple[str, str, int]]:
    with psycopg.connect(address(db)) as connection:
        return connection.execute("SELECT task_name, status::text, attempts FROM procrastinate_jobs ORDER BY id").fetchall()


@pytest.fixture
def forum() -> Iterator[Place]:
    with place("discourse") as there:
        yield there


@pytest.fixture
def tied(postgres_db: Database, forum: Place) -> tuple[str, Viewer]:
    """A battle that is due in an hour, and posted to a forum."""
    db = postgres_db
    made = battles.create(db, scenario=scenarios.frozen("first-skirmish"), now=NOW, deadline=NOW + HOUR)
    master = keys.viewer_by_key(db, made.master_key)
    given = {"language": "en", "length": "phases", "allow_private": True, "now": NOW}
    ties.add(db, made.id, master, kind=forum.kind, given=forum.given, **given)
    return made.id, master


def test_procrastinates_tables_are_made_once(postgres_db: Database) -> None:
    assert overview.overview(postgres_db, NOW, late=HOUR).jobs == {}
    assert running.prepare(address(postgres_db)) is True
    assert running.prepare(address(postgres_db)) is False


def test_a_worker_resolves_what_is_due_and_posts_it(postgres_db: Database, tied: tuple[str, Viewer], forum: Place) -> None:
    battle_id, master = tied
    work(shop(postgres_db, NOW + HOUR), "sweep")
    assert [line.turn for line in turns.history(postgres_db, battle_id, master)] == [1]
    work(shop(postgres_db, NOW + HOUR), "drain")
    assert len(forum.posts) == 1
    work(shop(postgres_db, NOW + HOUR), "sweep", "look")
    assert [line.turn for line in turns.history(postgres_db, battle_id, master)] == [1]
    assert len(forum.posts) == 1
    assert {status for _, status, _ in jobs(postgres_db)} <= {"succeeded", "todo"}, "todo: of the next second"


def test_a_drain_calls_the_next_one_where_much_is_due(postgres_db: Database) -> None:
    """Notices to nobody: each falls away when it is delivered."""
    with postgres_db.write() as session:
        for number in range(60):
            outbox.write(session, f"nobody/{number}", "trial", NOW)
    work(shop(postgres_db), "drain", concurrency=2)
    assert len([name for name, _, _ in jobs(postgres_db) if name == "drain"]) > 2


KILLED = """
import sys, json, asyncio
from datetime import datetime, timedelta
from app.referee import posting
from app.worker import running
from app.worker.jobs import Workshop
from tests.worker.test_jobs import QUICK, shop
from app.store.db import Database

url, now = sys.argv[1], datetime.fromisoformat(sys.argv[2])
import app.posting.discourse as discourse

def stands(*_given, **_more):
    print("in the middle", flush=True)
    import time
    time.sleep(600)

posting.Postman._post = stands
running.run(shop(Database(url), now, pace=QUICK), concurrency=1)
"""


def test_what_a_killed_worker_had_in_hand_is_taken_up_by_another(
    postgres_db: Database, tied: tuple[str, Viewer], forum: Place
) -> None:
    """kill -9 in the middle of a delivery: its job is retried, its post goes out once when the lease is over."""
    db, later = postgres_db, NOW + HOUR
    assert turns.resolve_if_due(db, tied[0], later)
    url = db.url.render_as_string(hide_password=False)
    command = [sys.executable, "-c", KILLED, url, later.isoformat()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]) as dying:
        assert dying.stdout is not None
        assert "in the middle" in iter(dying.stdout.readline, "").__next__()
        os.kill(dying.pid, signal.SIGKILL)
    assert ("drain", "doing", 0) in jobs(db)
    assert forum.posts == []

    async def rescue() -> None:
        app = application(shop(db, later + LEASE, pace=QUICK))
        async with app.open_async():
            for _ in range(100):
                with suppress(AlreadyEnqueued):
                    await app.configure_task("rescue").defer_async(timestamp=0)
                await app.run_worker_async(
                    wait=False, install_signal_handlers=False, update_heartbeat_interval=0.3, stalled_worker_timeout=600
                )
                if not any(status == "doing" for _, status, _ in jobs(db)):
                    return
                await asyncio.sleep(0.2)

    asyncio.run(rescue())
    assert ("drain", "succeeded", 2) in jobs(db)
    assert len(forum.posts) == 1


def test_a_record_that_does_not_hold_fails_its_job(postgres_db: Database, tied: tuple[str, Viewer]) -> None:
    db, (battle_id, _) = postgres_db, tied
    assert turns.resolve_if_due(db, battle_id, NOW + HOUR)
    assert auditing.published_since(db, NOW) == (battle_id,)
    assert auditing.published_since(db, NOW + 2 * HOUR) == ()
    work(shop(db, NOW + HOUR), "audits")
    assert ("verify", "succeeded") in {(name, status) for name, status, _ in jobs(db)}
    with db.write() as session:
        session.execute(update(Turn).where(Turn.battle_id == battle_id, Turn.turn == 1).values(seed="0" * 64))
    assert auditing.audit(db, battle_id) != ()
    work(shop(db, NOW + HOUR), "audits")
    assert ("verify", "failed") in {(name, status) for name, status, _ in jobs(db)}
    seen = overview.overview(db, NOW + HOUR, late=HOUR)
    assert seen.jobs["failed"] == 1
    assert battle_id in seen.failed_jobs[0]


def test_a_worker_needs_postgresql(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = typer.Typer()
    worker.register(line)
    told = CliRunner().invoke(line, ["--database-url", f"sqlite:///{tmp_path / 'x.db'}"])
    assert isinstance(told.exception, BadSetting)
    assert "PostgreSQL" in str(told.exception)
