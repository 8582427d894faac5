"""What a verb costs in statements and rows does not grow with the battle."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.engine.cursor import CursorFetchStrategy

from app.referee import battles, freshness, orders, plans, publication
from app.referee.showing import LOG_SHOWN, TURNS_SHOWN
from app.referee.views import PUBLIC
from app.store.db import Database
from tests.referee.table import Table, lay
from tests.times import NOW

TURNS = 100


@contextmanager
def counted(db: Database, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """Every statement run, and every row fetched, on both engines."""
    seen: list[Any] = []

    def statement(connection: Any, cursor: Any, text: str, *more: Any) -> None:
        if not text.upper().startswith(("BEGIN", "PRAGMA")):
            seen.append(text)

    def counting(name: str) -> Callable[..., Any]:
        plain = getattr(CursorFetchStrategy, name)

        def fetch(self: Any, *given: Any) -> Any:
            rows = plain(self, *given)
            found = 0 if rows is None else 1 if name == "fetchone" else len(rows)
            seen.extend(["row"] * found)
            return rows

        return fetch

    with monkeypatch.context() as patch:
        for name in ("fetchone", "fetchmany", "fetchall"):
            patch.setattr(CursorFetchStrategy, name, counting(name))
        for engine in (db.engine, db.reading_engine):
            event.listen(engine, "before_cursor_execute", statement)
        yield seen
        for engine in (db.engine, db.reading_engine):
            event.remove(engine, "before_cursor_execute", statement)


READS: dict[str, Callable[[Table], Any]] = {
    "a battle": lambda table: battles.battle(table.db, table.id, PUBLIC, NOW),
    "a seat's battle": lambda table: battles.battle(table.db, table.id, table.seats["A"], NOW),
    "the list": lambda table: battles.listing(table.db),
    "a sheet": lambda table: orders.sheet(table.db, table.id, "A", table.seats["A"]),
    "a plan": lambda table: plans.plan(table.db, table.id, "A", table.seats["A"]),
    "the last turn": lambda table: publication.turn(table.db, table.id, "latest", PUBLIC),
    "a pulse": lambda table: freshness.pulses(table.db, (table.id,)),
    "the last record": lambda table: publication.record(table.db, table.id, "latest", PUBLIC),
    "entering": lambda table: table.enter("A", 3),
    "resolving": lambda table: table.resolve(),
}


def test_nothing_grows_with_the_number_of_turns(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    table = lay(db)
    for seat in "ABC":
        table.enter(seat, 3)
    while table.show().turn <= TURNS_SHOWN + LOG_SHOWN:  # a battle's newest lines have their full number
        table.resolve()
    early = costs(table, monkeypatch)
    while table.show().turn < TURNS:
        table.resolve()
    assert costs(table, monkeypatch) == early
    statements, rows = early["a battle"]
    assert statements <= 10
    assert TURNS_SHOWN + LOG_SHOWN < rows < TURNS_SHOWN + LOG_SHOWN + 12


def costs(table: Table, monkeypatch: pytest.MonkeyPatch) -> dict[str, tuple[int, int]]:
    found = {}
    for name, act in READS.items():
        with counted(table.db, monkeypatch) as seen:
            act(table)
        rows = sum(one == "row" for one in seen)
        found[name] = (len(seen) - rows, rows)
    return found


def test_the_lines_that_come_with_a_battle_are_few(db: Database) -> None:
    assert (TURNS_SHOWN, LOG_SHOWN) == (20, 30)


def test_a_hundred_revisions_are_read_as_one(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    table = lay(db)
    table.enter("A", 3)
    early = costs_of(table, monkeypatch)
    for _ in range(30):
        table.enter("A", 3)
    assert costs_of(table, monkeypatch) == early


def costs_of(table: Table, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    found = []
    for name in ("a battle", "a sheet", "the list"):
        with counted(table.db, monkeypatch) as seen:
            READS[name](table)
        found.append(len(seen))
    return found


def test_resolving_writes_six_statements(sqlite_db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    table = lay(sqlite_db)
    with counted(sqlite_db, monkeypatch) as seen:
        table.resolve()
    writes = [text.split()[0] for text in seen if text.startswith(("INSERT", "UPDATE"))]
    assert writes == ["UPDATE", "INSERT", "INSERT", "UPDATE", "INSERT", "INSERT"]
