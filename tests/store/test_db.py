"""The database: what its transactions promise, on SQLite and on PostgreSQL."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest
from sqlalchemy import event, insert, make_url, select, text, update
from sqlalchemy.exc import DatabaseError, IntegrityError

from app.config import BadSetting
from app.store.away import Away
from app.store.db import Database
from app.store.models import Account, Heartbeat, Token, Utc
from tests.times import NOW


def test_what_is_written_is_read_by_the_next_transaction(db: Database) -> None:
    with db.write() as session:
        session.execute(insert(Account).values(name="Ann «Ё» <b> 🐫", created_at=NOW))
    with db.read() as session:
        assert session.execute(select(Account.name, Account.created_at)).one() == ("Ann «Ё» <b> 🐫", NOW)


def test_an_exception_leaves_nothing_behind(db: Database) -> None:
    def broken() -> None:
        with db.write() as session:
            session.execute(insert(Account).values(name="Ann", created_at=NOW))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        broken()
    with db.read() as session:
        assert session.execute(select(Account.id)).all() == []


def test_a_reading_transaction_cannot_write(db: Database) -> None:
    with pytest.raises(DatabaseError), db.read() as session:
        session.execute(insert(Account).values(name="Ann", created_at=NOW))


def test_a_reading_transaction_sees_one_moment(db: Database) -> None:
    with db.write() as session:
        session.execute(insert(Account).values(name="Ann", created_at=NOW))
    with db.read() as reading:
        assert reading.execute(select(Account.name)).scalars().all() == ["Ann"]
        with db.write() as session:
            session.execute(insert(Account).values(name="Bob", created_at=NOW))
        assert reading.execute(select(Account.name)).scalars().all() == ["Ann"]


def test_a_reader_does_not_wait_for_a_writer(db: Database) -> None:
    with db.write() as session:
        session.execute(insert(Account).values(name="Ann", created_at=NOW))
        with db.read() as reading:
            assert reading.execute(select(Account.id)).all() == []


def test_foreign_keys_hold(db: Database) -> None:
    with pytest.raises(IntegrityError), db.write() as session:
        session.execute(insert(Token).values(account_id=77, hash="x" * 64, created_at=NOW))


def test_read_then_write_by_many_threads_loses_nothing(db: Database) -> None:
    with db.write() as session:
        session.execute(insert(Account).values(id=1, name="0", created_at=NOW))

    def count() -> None:
        for _ in range(10):
            with db.write() as session:
                name = session.execute(select(Account.name).where(Account.id == 1).with_for_update()).scalar_one()
                session.execute(update(Account).where(Account.id == 1).values(name=str(int(name) + 1)))

    threads = [threading.Thread(target=count) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with db.read() as session:
        assert session.execute(select(Account.name)).scalar_one() == "80"


def test_a_moment_without_a_zone_is_refused(db: Database) -> None:
    with pytest.raises(Exception, match="without a zone"), db.write() as session:
        session.execute(insert(Heartbeat).values(name="x", seen_at=NOW.replace(tzinfo=None)))
    assert Utc().process_bind_param(None, None) is None  # type: ignore[arg-type]


def test_sqlite_is_opened_as_the_recipe_says(sqlite_db: Database) -> None:
    with sqlite_db.read() as session:
        pragmas = ("journal_mode", "foreign_keys", "synchronous", "query_only")
        assert [session.execute(text(f"PRAGMA {p}")).scalar_one() for p in pragmas] == ["wal", 1, 2, 1]
    with sqlite_db.write() as session:
        assert session.execute(text("PRAGMA query_only")).scalar_one() == 0
        assert session.execute(text("PRAGMA busy_timeout")).scalar_one() >= 5000


def test_sqlite_makes_the_folder_of_its_file(tmp_path: Path) -> None:
    opened = Database(f"sqlite:///{tmp_path / 'new' / 'deep' / 'x.db'}")
    opened.upgrade()
    opened.close()
    assert (tmp_path / "new" / "deep" / "x.db").is_file()


def test_a_database_that_cannot_be_reached_is_told_in_words_without_its_password(tmp_path: Path) -> None:
    (tmp_path / "not.db").write_text("this is no database, though it is long enough to be looked at as one " * 20)
    (tmp_path / "file").write_text("")
    for url in (
        "postgresql://ann:secret@127.0.0.1:1/none",
        f"sqlite:///{tmp_path / 'not.db'}",
        f"sqlite:///{tmp_path / 'file' / 'x.db'}",
    ):
        for act in (Database.upgrade, Database.revision):
            with pytest.raises(BadSetting, match="cannot be") as refused:
                act(Database(url))
            assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "nonsense",
        "mysql://x/y",
        "sqlite://",
        "sqlite:///:memory:",
        "postgresql+asyncpg://x/y",
        "sqlite+aiosqlite:///x",
        "oracledb://x/y",
        "nosuch+way://x/y",
    ],
)
def test_another_database_is_refused_in_words(url: str) -> None:
    with pytest.raises(BadSetting, match="FIELDPOST_DATABASE_URL"):
        Database(url)


def test_the_shorter_name_of_postgresql_is_taken_too() -> None:
    opened = Database("postgres://ann:secret@127.0.0.1:1/none")
    assert not opened.is_sqlite
    assert opened.url == make_url("postgresql://ann:secret@127.0.0.1:1/none")
    opened.close()


def test_a_file_that_cannot_be_written_is_told_with_what_to_look_at(tmp_path: Path) -> None:
    (tmp_path / "folder.db").mkdir()
    with pytest.raises(BadSetting, match="write that file and its folder") as refused:
        Database(f"sqlite:///{tmp_path / 'folder.db'}").upgrade()
    assert "disk" in str(refused.value)
    with pytest.raises(BadSetting) as away:
        Database("postgresql://ann:secret@127.0.0.1:1/none").upgrade()
    assert "disk" not in str(away.value)


def test_a_wrong_statement_is_a_bug_and_no_bad_moment(db: Database) -> None:
    with pytest.raises(DatabaseError), db.write() as session:
        session.execute(text("SELECT nothing FROM nowhere"))


def test_a_file_that_another_program_holds_is_away_for_writers_alone(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'held.db'}"
    first, second = Database(url), Database(url)
    first.upgrade()

    def at_once(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute("PRAGMA busy_timeout=0")

    event.listen(second.engine, "connect", at_once)
    with first.write() as session:
        session.execute(insert(Account).values(name="Ann", created_at=NOW))
        with pytest.raises(Away, match="locked"), second.write() as late:
            late.execute(insert(Account).values(name="Bob", created_at=NOW))
        with second.read() as reading:
            assert reading.execute(select(Account.id)).all() == []
    with second.write() as session:
        session.execute(insert(Account).values(name="Bob", created_at=NOW))
    first.close()
    second.close()


def test_a_full_file_is_away_and_what_was_written_before_stands(tmp_path: Path) -> None:
    db = Database(f"sqlite:///{tmp_path / 'full.db'}")
    db.upgrade()
    with db.write() as session:
        session.execute(insert(Account).values(name="Ann", created_at=NOW))
        pages = session.execute(text("PRAGMA page_count")).scalar_one()
        session.execute(text(f"PRAGMA max_page_count={pages}"))
    with pytest.raises(Away, match="full"), db.write() as session:
        session.execute(insert(Account).values(name="B" * 100_000, created_at=NOW))
    with db.read() as session:
        assert session.execute(select(Account.name)).scalars().all() == ["Ann"]
    db.close()


def test_a_server_that_ends_a_connection_is_away_and_the_next_one_is_served(db: Database) -> None:
    if db.is_sqlite:
        return  # a file ends no connection
    with pytest.raises(Away), db.write() as session:
        session.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
    with db.write() as session:
        assert session.execute(text("SELECT 1")).scalar_one() == 1
