"""The database at work: a turn resolved and stored, a battle loaded. On SQLite in a file, the clock on the wall."""

from __future__ import annotations

import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from app.bots.random_player import random_player
from app.referee import battles, keys, orders, scenarios, turns
from app.referee.views import PUBLIC, NewBattle, Viewer
from app.store.db import Database
from bench.field import GOAL, RULES, SCENARIO
from bench.measure import Figure, Side, figure, in_turns

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
ROUNDS = 40
EARLY, MIDDLE, LATE = 2, 40, 100
PRAGMAS = ("busy_timeout=15000", "synchronous=FULL", "foreign_keys=ON", "journal_mode=WAL")


@contextmanager
def database() -> Iterator[Database]:
    with tempfile.TemporaryDirectory(prefix="fieldpost-bench-") as folder:
        db = Database(f"sqlite:///{Path(folder) / 'bench.db'}")
        db.upgrade()
        try:
            yield db
        finally:
            db.close()


def storing() -> list[Figure]:
    """The same rows, written by the referee as it resolves a turn, and by `sqlite3` alone into a file of the same schema.
    The referee's time holds all that it does from the call to the commit: loading, the rules, the dice, JSON."""
    ours: list[float] = []
    theirs: list[float] = []
    with database() as db, database() as other:
        raw = _raw(str(other.url.database))
        new, master = _battle(db)
        _copy(str(db.url.database), raw, new.id)
        for round_ in range(ROUNDS + 1):
            turn = ordered(db, new)
            began = time.perf_counter()
            turns.resolve_now(db, new.id, master, turn=turn, now=NOW)
            passed = time.perf_counter() - began
            rows = _written(str(db.url.database), new.id, turn)
            began = time.perf_counter()
            _write(raw, rows)
            if round_:
                ours.append(passed)
                theirs.append(time.perf_counter() - began)
            if battles.battle(db, new.id, PUBLIC, NOW).status == "over":
                new, master = _battle(db)
                _copy(str(db.url.database), raw, new.id)
        raw.close()
    return [figure("a turn resolved and stored for good", ours, "`sqlite3`: the same rows committed", theirs, 15)]


def loading() -> list[Figure]:
    """The same battle as all see it, late and early: nobody gives orders, so that as many units stand on the board. At its
    second turn a battle has hardly any lines of turns and log to show; later it shows its newest, always as many."""
    with database() as db:
        found = [_battle(db, goal=GOAL)[0] for _ in (LATE, MIDDLE, EARLY)]
        for new, until in zip(found, (LATE, MIDDLE, EARLY), strict=True):
            master = keys.viewer_by_key(db, new.master_key)
            for turn in range(1, until):
                turns.resolve_now(db, new.id, master, turn=turn, now=NOW)
        sides = [Side(_loading(db, new.id), repeats=10) for new in found]
        late, middle, early = in_turns(*sides, rounds=25, clock=time.perf_counter)
    name = f"a battle loaded at turn {LATE}"
    return [figure(name, late, f"at turn {EARLY}", early, 1.5), figure(name, late, f"at turn {MIDDLE}", middle, 1.2)]


def _loading(db: Database, battle_id: str) -> Callable[[object], object]:
    return lambda _: battles.battle(db, battle_id, PUBLIC, NOW)


def _battle(db: Database, *, goal: int | None = None) -> tuple[NewBattle, Viewer]:
    scenario = scenarios.frozen(SCENARIO)
    new = battles.create(db, scenario=scenario if goal is None else {**scenario, "goal": goal}, now=NOW, early=False)
    return new, keys.viewer_by_key(db, new.master_key)


def ordered(db: Database, new: NewBattle) -> int:
    """Every seat that is asked enters orders by chance. The open turn."""
    view = battles.battle(db, new.id, PUBLIC, NOW)
    player = random_player(RULES, b"bench %d" % view.turn)
    for request in RULES.requests(view.state):
        seat = keys.viewer_by_key(db, new.seat_keys[request.seat])
        fields = RULES.dump_order(player(view.state, request))
        orders.enter(db, new.id, request.seat, seat, turn=view.turn, revision=0, fields=fields, now=NOW)
    return view.turn


def _raw(file: str) -> sqlite3.Connection:
    connection = sqlite3.connect(file, isolation_level=None)
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    return connection


def _copy(file: str, raw: sqlite3.Connection, battle_id: str) -> None:
    """A battle as it was made, into the other file."""
    raw.execute("ATTACH ? AS source", (file,))
    for table, key in (("battles", "id"), ("seats", "battle_id"), ("turns", "battle_id"), ("states", "battle_id")):
        raw.execute(f"INSERT INTO {table} SELECT * FROM source.{table} WHERE {key} = ?", (battle_id,))  # noqa: S608
    raw.execute("DETACH source")


def _written(file: str, battle_id: str, turn: int) -> list[tuple[str, tuple[Any, ...]]]:
    """The statements that write what the resolution of a turn wrote."""
    source = sqlite3.connect(file)
    opened, resolved = (battle_id, turn + 1), (battle_id, turn)
    last = source.execute("SELECT max(id) FROM log WHERE battle_id = ?", (battle_id,)).fetchone()
    found = [
        *_inserts(source, "events", "battle_id = ? AND turn = ?", resolved),
        *_inserts(source, "states", "battle_id = ? AND turn = ?", opened),
        *_inserts(source, "turns", "battle_id = ? AND turn = ?", opened),
        *_inserts(source, "log", "id = ?", last),
        _update(source, "battles", "id = ?", (battle_id,)),
        _update(source, "turns", "battle_id = ? AND turn = ?", resolved),
    ]
    source.close()
    return found


def _inserts(source: sqlite3.Connection, table: str, where: str, key: tuple[Any, ...]) -> list[tuple[str, tuple[Any, ...]]]:
    rows = source.execute(f"SELECT * FROM {table} WHERE {where}", key)  # noqa: S608
    return [(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row) for row in rows]  # noqa: S608


def _update(source: sqlite3.Connection, table: str, where: str, key: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
    rows = source.execute(f"SELECT * FROM {table} WHERE {where}", key)  # noqa: S608
    names = ", ".join(f"{column[0]} = ?" for column in rows.description)
    return f"UPDATE {table} SET {names} WHERE {where}", (*rows.fetchone(), *key)  # noqa: S608


def _write(raw: sqlite3.Connection, rows: list[tuple[str, tuple[Any, ...]]]) -> None:
    raw.execute("BEGIN IMMEDIATE")
    for statement, values in rows:
        raw.execute(statement, values)
    raw.execute("COMMIT")
