"""Alembic, configured in code: the migrations are shipped with the program, not found by a file beside it."""

from __future__ import annotations

from typing import Any

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from app.config import BadSetting, shipped
from app.store.models import Table

LOCK = 0x6669656C64706F73
"""The advisory lock of migrations on PostgreSQL. SQLite's writing transactions hold the file's lock anyway."""


def upgrade(connection: Connection, to: str = "head") -> None:
    """Raises as `revision` does."""
    _lock(connection)
    revision(connection)
    command.upgrade(_config(connection), to)


def downgrade(connection: Connection, revision: str = "base") -> None:
    _lock(connection)
    command.downgrade(_config(connection), revision)


def revision(connection: Connection) -> str | None:
    """Where the schema stands; None: nothing was migrated yet. Raises `BadSetting`: a newer Fieldpost was here."""
    found = MigrationContext.configure(connection).get_current_revision()
    known = {one.revision for one in ScriptDirectory.from_config(_config(None)).walk_revisions()}
    if found is not None and found not in known:
        raise BadSetting(f"the database stands at {found}, which only a newer Fieldpost knows: upgrade, or restore a backup")
    return found


def head() -> str | None:
    """The newest migration that is shipped."""
    return ScriptDirectory.from_config(_config(None)).get_current_head()


def drift(connection: Connection) -> list[Any]:
    """What differs between the tables as they are and as the models say. Empty: nothing."""
    context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
    return list(compare_metadata(context, Table.metadata))


def _config(connection: Connection | None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(shipped("migrations")).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def _lock(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
