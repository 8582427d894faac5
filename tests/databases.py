"""Real databases for tests: SQLite in a file, and a PostgreSQL that is started once for the session.

`db` gives a test each of the two, migrated and empty; `sqlite_db` and `postgres_db` one of them. There is no skipping: a
machine without PostgreSQL fails these tests and says what to install.
"""

from __future__ import annotations

import itertools
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest

from app.store.db import Database
from app.store.models import Table

MISSING = (
    "No PostgreSQL server programs (initdb, postgres) were found. Install Debian's package `postgresql` "
    "(apt-get install postgresql), or any PostgreSQL from 13 on with pg_config or initdb on the PATH."
)
TEMPLATE = "fieldpost_template"
SETTINGS = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off", "max_connections": "120"}
"""Nothing here outlives the tests; a kill of a client, which they try, needs none of these."""
TABLES = tuple(sorted(Table.metadata.tables))
VERSIONS = "alembic_version"
ALONE = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
)
BEGIN_COUNTING = (
    "SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false) FROM pg_sequences "
    "WHERE last_value IS NOT NULL"
)


@dataclass(frozen=True)
class Server:
    port: int
    numbers: Iterator[int]
    clean: list[str] = field(default_factory=list)
    """Migrated databases that are empty again: to make one anew takes ten times as long as to empty it."""

    def url(self, name: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{name}"

    def run(self, statement: str) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement)

    @contextmanager
    def lent(self, template: str) -> Iterator[str]:
        """The name of a database for one test."""
        if template == TEMPLATE and self.clean:
            name = self.clean.pop()
        else:
            name = f"test_{next(self.numbers)}"
            self.run(f"CREATE DATABASE {name} TEMPLATE {template}")
        yield name
        if template == TEMPLATE and self._emptied(name):
            self.clean.append(name)
        else:
            self.run(f"DROP DATABASE {name} WITH (FORCE)")

    def _emptied(self, name: str) -> bool:
        """As it came from the template, with nobody in it. No: a test has changed more than rows."""
        with psycopg.connect(self.url(name), autocommit=True) as connection:
            connection.execute(ALONE)
            tables = {row[0] for row in connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")}
            if tables != {*TABLES, VERSIONS}:
                return False
            deleting = "; ".join(f"DELETE FROM {table}" for table in TABLES)
            connection.execute(f"SET session_replication_role = replica; {deleting}")
            connection.execute(BEGIN_COUNTING)
        return True


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A server of this test run alone, in a temporary folder, on a free port of 127.0.0.1."""
    home = _programs()
    folder = Path(tempfile.mkdtemp(prefix="fieldpost-pg-"))
    cluster = folder / "cluster"
    port = _free_port()
    settings = {**SETTINGS, "port": str(port), "listen_addresses": "127.0.0.1", "unix_socket_directories": ""}
    if os.getuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    with _undertaker(home, folder):
        _run(home / "initdb", "-D", cluster, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")
        with (cluster / "postgresql.conf").open("a") as conf:
            conf.writelines(f"{key} = '{value}'\n" for key, value in settings.items())
        _run(home / "pg_ctl", "-D", cluster, "-l", folder / "log", "-w", "-t", "60", "start")
        server = Server(port, itertools.count())
        server.run(f"CREATE DATABASE {TEMPLATE}")
        template = Database(server.url(TEMPLATE))
        template.upgrade()
        template.close()
        yield server


@pytest.fixture(params=["sqlite", "postgres"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database without any table."""
    yield from _url(request, tmp_path, "template0")


@pytest.fixture(params=["sqlite", "postgres"])
def db_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a migrated, empty database."""
    for url in _url(request, tmp_path, TEMPLATE):
        if request.param == "sqlite":
            shutil.copyfile(request.getfixturevalue("sqlite_template"), tmp_path / "test.db")
        yield url


@pytest.fixture
def db(db_url: str) -> Iterator[Database]:
    """A migrated, empty database: the test runs on SQLite and on PostgreSQL."""
    yield from _opened(db_url)


@pytest.fixture
def sqlite_db(tmp_path: Path, sqlite_template: Path) -> Iterator[Database]:
    """A migrated, empty database on SQLite alone, for tests that are about something else."""
    shutil.copyfile(sqlite_template, tmp_path / "test.db")
    yield from _opened(f"sqlite:///{tmp_path / 'test.db'}")


@pytest.fixture
def postgres_db(postgres: Server) -> Iterator[Database]:
    """A migrated, empty database on PostgreSQL alone."""
    with postgres.lent(TEMPLATE) as name:
        yield from _opened(postgres.url(name))


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file to copy, closed and whole."""
    file = tmp_path_factory.mktemp("template") / "template.db"
    made = Database(f"sqlite:///{file}")
    made.upgrade()
    made.close()
    return file


def _url(request: pytest.FixtureRequest, tmp_path: Path, template: str) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'test.db'}"
        return
    server: Server = request.getfixturevalue("postgres")
    with server.lent(template) as name:
        yield server.url(name)


def _opened(url: str) -> Iterator[Database]:
    opened = Database(url)
    try:
        yield opened
    finally:
        opened.close()


def _programs() -> Path:
    """The folder with `initdb` and `pg_ctl`; fails the test loudly where there is none."""
    candidates = []
    if told := shutil.which("pg_config"):
        answer = subprocess.run([told, "--bindir"], capture_output=True, text=True, check=False)
        candidates.append(Path(answer.stdout.strip()))
    if found := shutil.which("initdb"):
        candidates.append(Path(found).resolve().parent)
    candidates += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    for folder in candidates:
        if (folder / "initdb").is_file() and (folder / "pg_ctl").is_file():
            return folder
    pytest.fail(MISSING, pytrace=False)


@contextmanager
def _undertaker(home: Path, folder: Path) -> Iterator[None]:
    """Stops the server and clears its folder when this process is gone, however it went: a shell waits for the end of a pipe
    that dies with us."""
    script = 'read -r _; "$0" -D "$1/cluster" -m immediate -w stop; rm -rf "$1"'
    command = [*_as_its_user(), "sh", "-c", script, str(home / "pg_ctl"), str(folder)]
    waiting = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/", start_new_session=True
    )
    try:
        yield
    finally:
        waiting.communicate()


def _as_its_user() -> list[str]:
    """PostgreSQL refuses to be run by root: then its own user runs it."""
    return ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []


def _run(program: Path, *arguments: object) -> None:
    with tempfile.TemporaryFile("w+") as told:  # not a pipe: the server would keep it open
        command = [*_as_its_user(), str(program), *map(str, arguments)]
        ended = subprocess.run(command, stdout=told, stderr=subprocess.STDOUT, cwd="/", check=False)
        told.seek(0)
        if ended.returncode:
            pytest.fail(f"{' '.join(command)} failed:\n{told.read()}", pytrace=False)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
