"""One database: SQLite in a file, or PostgreSQL. Short transactions for writing, snapshots for reading."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.orm import Session

from app.config import BadSetting
from app.store import away, migrating

BUSY_MS = 15_000
"""How long a writer waits for the one before it (SQLite has one lock for all)."""
_OF_THE_DISK = frozenset(
    {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_PERM}
)
_PRIMARY = 0xFF


class Database:
    """Opened by its URL: `sqlite:///FILE` or `postgresql://USER:PASSWORD@HOST/NAME`. Raises `BadSetting`.

    Safe to share between threads; after a fork, open another. On SQLite, writers begin with the lock in hand (BEGIN
    IMMEDIATE), so that what was read in a transaction still holds when it writes; readers never wait.
    """

    def __init__(self, url: str) -> None:
        self.url = _known(url)
        if self.is_sqlite:
            self._writing, self._reading = _sqlite(self.url)
        else:
            self._writing, self._reading = _postgresql(self.url)

    @property
    def is_sqlite(self) -> bool:
        return self.url.get_backend_name() == "sqlite"

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A transaction: committed at the end, rolled back on any exception. Raises `Away`."""
        with (
            away.told(writes=True),
            Session(self._writing, expire_on_commit=False, autoflush=False) as session,
            session.begin(),
        ):
            yield session

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A snapshot: all reads see one moment; a write is an error of the database. Raises `Away`."""
        with (
            away.told(writes=False),
            Session(self._reading, expire_on_commit=False, autoflush=False) as session,
            session.begin(),
        ):
            yield session

    def upgrade(self, revision: str = "head") -> None:
        """Bring the schema up to date, in one transaction. Several servers may do so at once: one does, the others wait
        and find it done. Raises `BadSetting` where there is no database to be reached, `Away` where it does not answer."""
        self._reach()
        with away.told(writes=True), self._remade() as connection:
            migrating.upgrade(connection, revision)

    def downgrade(self, revision: str = "base") -> None:
        """Take the schema back, and with it what only the newer one can hold."""
        with self._remade() as connection:
            migrating.downgrade(connection, revision)

    @contextmanager
    def _remade(self) -> Iterator[Connection]:
        """A transaction in which tables may be made anew. On SQLite that drops the old one, and with foreign keys in force
        all rows that refer to it would go as well: they are looked at when it is done."""
        if not self.is_sqlite:
            with self._writing.begin() as connection:
                yield connection
            return
        engine = create_engine(self.url, poolclass=NullPool, connect_args={"timeout": BUSY_MS / 1000})
        _recipe(engine, "BEGIN IMMEDIATE", "OFF", foreign_keys="OFF")
        with engine.begin() as connection:
            yield connection
            broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
            if broken is not None:
                raise RuntimeError(f"a row of the table {broken[0]} refers to one that is not there")

    def revision(self) -> str | None:
        """The migration that the schema stands at; None: an empty database. Raises `BadSetting` as `upgrade` does."""
        self._reach()
        with self._reading.begin() as connection:
            return migrating.revision(connection)

    def _reach(self) -> None:
        """A wrong address, password or file is a setting of the host's, and is told in a sentence."""
        try:
            self._reading.connect().close()
        except (DBAPIError, sqlite3.Error) as failure:
            cause = failure.orig if isinstance(failure, DBAPIError) else failure
            why = str(cause).strip().splitlines()
            shown = self.url.render_as_string(hide_password=True)
            raise BadSetting(
                f"the database {shown} cannot be opened: {why[0] if why else type(failure).__name__}{_advice(cause)}"
            ) from failure

    @property
    def engine(self) -> Engine:
        """The writing engine, for tests and tools that count or break its statements."""
        return self._writing

    @property
    def reading_engine(self) -> Engine:
        return self._reading

    def close(self) -> None:
        """Give every connection back."""
        self._writing.dispose()
        self._reading.dispose()


def _advice(cause: BaseException | None) -> str:
    """What a host can look at, where SQLite only says that it could not."""
    if isinstance(cause, sqlite3.Error) and getattr(cause, "sqlite_errorcode", 0) & _PRIMARY in _OF_THE_DISK:
        return "; who runs this command must be able to write that file and its folder, and the disk must not be full"
    return ""


def _known(text: str) -> URL:
    try:
        url = make_url(text)
        if url.drivername == "postgres":  # as many providers write it
            url = url.set(drivername="postgresql")
        backend, driver = url.get_backend_name(), url.get_driver_name()
    except (ArgumentError, ValueError, NoSuchModuleError):
        raise BadSetting("FIELDPOST_DATABASE_URL should be sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME") from None
    if backend == "postgresql" and driver in {"psycopg", ""}:
        return url
    if backend == "sqlite" and driver == "pysqlite" and url.database not in {None, "", ":memory:"}:
        return url
    raise BadSetting(
        f"FIELDPOST_DATABASE_URL begins with {url.drivername}; it should be sqlite:///FILE or "
        "postgresql://USER:PASSWORD@HOST/NAME"
    )


def _sqlite(url: URL) -> tuple[Engine, Engine]:
    folder = Path(str(url.database)).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as failure:
        raise BadSetting(f"the folder {folder} for the database cannot be made: {failure.strerror}") from failure
    # Threads wait for the file's lock, not for a connection of the pool: a waiting writer must not starve a reader.
    writing = create_engine(url, pool_size=5, max_overflow=-1, connect_args={"timeout": BUSY_MS / 1000})
    reading = create_engine(url, pool_size=10, max_overflow=-1, connect_args={"timeout": BUSY_MS / 1000})
    for engine, begin, query_only in ((writing, "BEGIN IMMEDIATE", "OFF"), (reading, "BEGIN", "ON")):
        _recipe(engine, begin, query_only)
    return writing, reading


def _recipe(engine: Engine, begin: str, query_only: str, *, foreign_keys: str = "ON") -> None:
    """What SQLite needs so that two who read and then write lose nothing; `synchronous=FULL` keeps what was answered
    even when the power goes."""

    def connected(connection: sqlite3.Connection, _record: Any) -> None:
        connection.isolation_level = None
        for pragma in (f"busy_timeout={BUSY_MS}", "synchronous=FULL", f"foreign_keys={foreign_keys}"):
            connection.execute(f"PRAGMA {pragma}")
        _write_ahead(connection)
        connection.execute(f"PRAGMA query_only={query_only}")

    event.listen(engine, "connect", connected)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))


def _write_ahead(connection: sqlite3.Connection) -> None:
    """A new file is turned to WAL once, under a lock for which SQLite does not wait by itself."""
    until = time.monotonic() + BUSY_MS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as failure:
            if failure.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.02)


def _postgresql(url: URL) -> tuple[Engine, Engine]:
    # pool_pre_ping: a server that was restarted is found out before a player is told so.
    writing = create_engine(url, pool_size=5, max_overflow=15, pool_pre_ping=True, isolation_level="READ COMMITTED")
    reading = create_engine(
        url,
        pool_size=5,
        max_overflow=15,
        pool_pre_ping=True,
        isolation_level="REPEATABLE READ",
        execution_options={"postgresql_readonly": True},
    )
    return writing, reading
