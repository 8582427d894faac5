"""A resolution is whole or is nothing: crashes at every statement and commit, a process killed in the middle."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, select

from app.engine.ruleset import Ruling
from app.referee import battles, deadlines, moderation, publication, turns
from app.rulesets.registry import RULESETS
from app.store.db import Database
from app.store.models import LogEntry
from tests.referee import guessing
from tests.referee.table import Table, everything, lay, rows_of_turns
from tests.times import DAY, HOUR, NOW


class Crash(Exception):
    """What a test makes happen in the middle of a transaction."""


def prepared(db: Database, review: bool = False) -> Table:
    table = lay(db, review=review, deadline=NOW + HOUR, turn_hours=24)
    table.enter("A", 3)
    table.enter("B", 6, ready=True)
    return table


def resolve(table: Table) -> Any:
    assert turns.resolve_if_due(table.db, table.id, NOW + HOUR)


def resolve_by_hand(table: Table) -> Any:
    turns.resolve_now(table.db, table.id, table.master, turn=1, now=NOW)


def publish(table: Table) -> Any:
    publication.publish(table.db, table.id, table.master, turn=1, now=NOW)


def rule(table: Table) -> Any:
    moderation.rule(table.db, table.id, table.master, Ruling(({"points": {"red": 2}},), "seen amiss"), NOW)


def enter(table: Table) -> Any:
    table.enter("C", 2, by=table.master)


def make(table: Table) -> Any:
    lay(table.db)


def hold(table: Table) -> Any:
    deadlines.sweep(table.db, NOW + DAY, outage=HOUR)


def renew(table: Table) -> Any:
    battles.renew_key(table.db, table.id, "A", table.new.master_key, NOW)


ACTS: dict[str, tuple[Callable[[Table], Any], bool, bool]] = {
    "resolve at the deadline": (resolve, False, False),
    "resolve for review": (resolve_by_hand, True, False),
    "publish": (publish, True, True),
    "rule": (rule, False, False),
    "rule on a draft": (rule, True, True),
    "enter on behalf": (enter, False, False),
    "make a battle": (make, False, False),
    "hold after an outage": (hold, False, False),
    "renew a key": (renew, False, False),
}
"""What is done, whether the battle is under review, whether its first turn is a draft already."""


@contextmanager
def crash_at(db: Database, number: int) -> Iterator[list[str]]:
    """Raise at the n-th statement of the writing engine, or at the n-th commit (negative). Gives what was run."""
    run: list[str] = []
    commits: list[int] = []

    def statement(connection: Any, cursor: Any, text: str, *more: Any) -> None:
        run.append(text)
        if len(run) == number:
            raise Crash(text)

    def commit(connection: Any) -> None:
        commits.append(1)
        if len(commits) == -number:
            raise Crash("COMMIT")

    event.listen(db.engine, "before_cursor_execute", statement)
    event.listen(db.engine, "commit", commit)
    try:
        yield run
    finally:
        event.remove(db.engine, "before_cursor_execute", statement)
        event.remove(db.engine, "commit", commit)


@pytest.mark.parametrize("name", ACTS)
def test_a_crash_at_any_statement_leaves_nothing_half_done(db: Database, name: str) -> None:
    act, review, draft = ACTS[name]
    deadlines.sweep(db, NOW - HOUR, outage=HOUR)
    table = prepared(db, review)
    if draft:
        table.resolve()
    before = everything(db)
    number = 0
    while True:
        number += 1
        with crash_at(db, number) as run:
            try:
                act(table)
            except Crash:
                assert everything(db) == before, f"{name}: half done after {run}"
                continue
            break
    assert number > 3  # several statements were broken before one run came through
    assert everything(db) != before


@pytest.mark.parametrize("name", ACTS)
def test_a_crash_at_the_commit_leaves_nothing_and_a_retry_succeeds(db: Database, name: str) -> None:
    act, review, draft = ACTS[name]
    deadlines.sweep(db, NOW - HOUR, outage=HOUR)
    table = prepared(db, review)
    if draft:
        table.resolve()
    before = everything(db)
    with crash_at(db, -1), pytest.raises(Crash):
        act(table)
    assert everything(db) == before
    act(table)
    assert everything(db) != before


def test_a_ruleset_that_breaks_leaves_the_turn_open(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    table = prepared(db)
    before = everything(db)

    def broken(*given: Any) -> Any:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setitem(RULESETS, "guessing", replace(guessing.RULESET, advance=broken))
        with pytest.raises(ZeroDivisionError):
            resolve(table)
    assert everything(db) == before
    resolve(table)


KILLED = """
import sys, time
from datetime import datetime
from sqlalchemy import event
from app.referee import turns
from app.rulesets.registry import RULESETS
from app.store.db import Database
from tests.referee import guessing

url, battle_id, now, at = sys.argv[1:]
RULESETS["guessing"] = guessing.RULESET
db = Database(url)

def stop(connection, cursor, text, *more):
    if text.lstrip().upper().startswith(at):
        print("here", flush=True)
        time.sleep(300)

event.listen(db.engine, "after_cursor_execute", stop)
turns.resolve_if_due(db, battle_id, datetime.fromisoformat(now))
"""


@pytest.mark.parametrize("at", ["UPDATE BATTLES", "INSERT INTO STATES", "INSERT INTO LOG"])
def test_a_process_killed_in_the_middle_leaves_a_whole_turn_to_the_next(db: Database, db_url: str, at: str) -> None:
    table = prepared(db)
    before = everything(db)
    killed = start(db_url, table.id, NOW + HOUR, at)
    try:
        assert killed.stdout is not None
        assert killed.stdout.readline() == "here\n"
        assert everything(db) == before
    finally:
        os.kill(killed.pid, signal.SIGKILL)
        killed.communicate()
    assert turns.resolve_if_due(db, table.id, NOW + HOUR)
    assert rows_of_turns(db) == {"turns": [1, 2], "states": [1, 2], "events": [0, 1]}
    with db.read() as session:
        assert list(session.execute(select(LogEntry.what).order_by(LogEntry.id)).scalars()) == ["made", "resolved"]


def start(url: str, battle_id: str, now: datetime, at: str) -> subprocess.Popen[str]:
    home = Path(__file__).resolve().parents[2]
    return subprocess.Popen(
        [sys.executable, "-c", KILLED, url, battle_id, now.isoformat(), at],
        stdout=subprocess.PIPE,
        text=True,
        cwd=home,
        env={**os.environ, "PYTHONPATH": str(home)},
    )
