"""The database as a command uses it: opened by the settings, brought up to date, closed at the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from app.config import Settings
from app.store.db import Database


@contextmanager
def opened(settings: Settings) -> Iterator[Database]:
    """The database, its schema up to date. Raises `BadSetting`."""
    db = Database(settings.database)
    try:
        db.upgrade()
        yield db
    finally:
        db.close()
