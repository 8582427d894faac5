"""Migrations: up, down, in step with the models, and safe when several servers start at once."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest
from sqlalchemy import inspect, text
from sqlalchemy.exc import DatabaseError

from app.referee.names import digest_of_looks
from app.store import migrating
from app.store.db import Database
from app.store.models import Table

STARTERS = 8
MOMENT = "2026-11-30 12:00:00+00:00"
BATTLE = {
    "id": "b",
    "title": "Old",
    "ruleset": "cohesion",
    "ruleset_version": "1",
    "scenario_key": "k",
    "scenario": "{}",
    "status": "open",
    "turn": 1,
    "version": 1,
    "zone": "UTC",
    "review": False,
    "early": True,
    "master_hash": "m" * 64,
    "created_at": MOMENT,
    "points": "{}",
}
SEAT_NUMBERS = {"key_generation": 1, "ready_turn": 0, "ready_revision": 0}
TIE = {
    "id": 1,
    "battle_id": "b",
    "kind": "webhook",
    "place": "p",
    "target": "{}",
    "language": "en",
    "length": "dice",
    "active": True,
    "created_at": MOMENT,
}
OUT = {"turn": 1, "facts": "{}", "created_at": MOMENT, "due_at": MOMENT, "attempts": 0}


def tables(db: Database) -> set[str]:
    with db.reading_engine.begin() as connection:
        return set(inspect(connection).get_table_names()) - {"alembic_version"}


def test_up_gives_the_tables_of_the_models(empty_url: str) -> None:
    db = Database(empty_url)
    assert db.revision() is None
    db.upgrade()
    assert db.revision() == migrating.head()
    assert tables(db) == set(Table.metadata.tables)
    db.close()


def test_down_leaves_nothing_and_up_again_gives_all(empty_url: str) -> None:
    db = Database(empty_url)
    db.upgrade()
    db.downgrade()
    assert tables(db) == set()
    assert db.revision() is None
    db.upgrade()
    with db.reading_engine.begin() as connection:
        assert migrating.drift(connection) == []
    db.close()


def test_the_models_have_not_drifted_from_the_migrations(db: Database) -> None:
    with db.reading_engine.begin() as connection:
        assert migrating.drift(connection) == []


def test_drift_is_found_where_there_is_some(db: Database) -> None:
    with db.engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE log")
        connection.exec_driver_sql("ALTER TABLE battles ADD COLUMN more TEXT")
    with db.reading_engine.begin() as connection:
        kinds = {found[0] for found in migrating.drift(connection)}
    assert {"add_table", "remove_column"} <= kinds


def test_to_upgrade_twice_changes_nothing(db: Database) -> None:
    db.upgrade()
    assert db.revision() == migrating.head()


def test_a_failed_upgrade_leaves_the_schema_as_it_was(empty_url: str) -> None:
    db = Database(empty_url)
    with db.engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE turns (x INTEGER)")  # made late: much is done before it fails
    with pytest.raises(DatabaseError, match="turns"):
        db.upgrade()
    assert tables(db) == {"turns"}
    db.close()


def test_several_servers_starting_at_once_migrate_once(empty_url: str) -> None:
    failures: list[BaseException] = []
    together = threading.Barrier(STARTERS)

    def start() -> None:
        try:
            db = Database(empty_url)
            together.wait()
            db.upgrade()
            db.close()
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=start) for _ in range(STARTERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    db = Database(empty_url)
    assert tables(db) == set(Table.metadata.tables)
    db.close()


def test_several_processes_starting_at_once_migrate_once(empty_url: str) -> None:
    code = "import sys; from app.store.db import Database; db = Database(sys.argv[1]); db.upgrade(); db.close()"
    started = [
        subprocess.Popen([sys.executable, "-c", code, empty_url], stderr=subprocess.PIPE, text=True) for _ in range(3)
    ]
    ended = [(process.communicate()[1], process.returncode) for process in started]
    assert ended == [("", 0)] * 3


def test_what_an_older_database_holds_survives_every_migration(empty_url: str) -> None:
    """A table that is made anew under foreign keys takes the rows that refer to it along, where they cascade."""
    db = Database(empty_url)
    db.upgrade("2026_11_30_origin")
    rows = {
        "accounts": {"id": 1, "name": "Anna", "created_at": MOMENT},
        "tokens": {"id": 1, "account_id": 1, "hash": "t" * 64, "created_at": MOMENT},
        "battles": BATTLE,
        "seats": {"battle_id": "b", "seat": "s", "place": 1, "side": "s", "key_hash": "k" * 64, **SEAT_NUMBERS},
        "log": {"id": 1, "battle_id": "b", "turn": 1, "at": MOMENT, "who": "master", "what": "made", "params": "{}"},
        "ties": TIE,
        "outbox": {"id": 1, "key": "k", "mark": "m", "what": "turn", "battle_id": "b", "tie_id": 1, **OUT},
    }
    with db.engine.begin() as connection:
        for table, row in rows.items():
            names = ", ".join(row)
            connection.execute(text(f"INSERT INTO {table} ({names}) VALUES ({', '.join(f':{n}' for n in row)})"), row)
        alike = text(f"INSERT INTO accounts (id, name, created_at) VALUES (2, 'ANNA', '{MOMENT}'), (3, 'Boris', '{MOMENT}')")
        connection.execute(alike)
    for step in (db.upgrade, lambda: db.downgrade("2026_11_30_origin"), db.upgrade):
        step()
        with db.reading_engine.begin() as connection:
            counts = {table: connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one() for table in rows}
        assert counts == dict.fromkeys(rows, 1) | {"accounts": 3}
    with db.reading_engine.begin() as connection:
        assert connection.execute(text("SELECT battle_id, number, key_hash FROM masters")).all() == [("b", 1, "m" * 64)]
        looks = [("Anna", digest_of_looks("anna")), ("ANNA", None), ("Boris", digest_of_looks("boris"))]
        assert connection.execute(text("SELECT name, looks FROM accounts ORDER BY id")).all() == looks
    db.close()
