"""The database as a command uses it: opened by the settings, brought up to date, closed at the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from app.config import Settings, load_settings
from app.store.db import Database


def settings_of(**given: Any) -> Settings:
    """The environment's settings, overlaid by a command's options (None: not given). Raises `BadSetting`."""
    return load_settings(**given)


@contextmanager
def opened(settings: Settings) -> Iterator[Database]:
    """The database, its schema up to date."""
    if not settings.database_url:
        settings.data.mkdir(parents=True, exist_ok=True)
    db = Database(settings.database)
    try:
        db.upgrade()
        yield db
    finally:
        db.close()
