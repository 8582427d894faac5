"""The database as a command uses it: opened by the settings, brought up to date, closed at the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from app.config import BadSetting, Settings
from app.store.away import Away
from app.store.db import Database


@contextmanager
def opened(settings: Settings) -> Iterator[Database]:
    """The database, its schema up to date. Raises `BadSetting`, also where it gives no answer meanwhile."""
    db = Database(settings.database)
    try:
        with answering():
            db.upgrade()
            yield db
    finally:
        db.close()


@contextmanager
def answering() -> Iterator[None]:
    """A database that is locked, full or stopped ends a command with a sentence. Raises `BadSetting`."""
    try:
        yield
    except Away as away:
        raise BadSetting(f"the database gives no answer just now: {away}") from away
