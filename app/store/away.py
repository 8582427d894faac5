"""A database that gives no answer for a while: stopped, locked, full. That is no bug of the program, and passes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

_WRONG = frozenset({sqlite3.SQLITE_ERROR})
"""A statement that could never hold: a bug. Every other failure that SQLite calls one of operation is the file's."""
_PRIMARY = 0xFF


class Away(Exception):
    """The database gives no answer, or takes nothing, just now; its own words. What was begun is rolled back."""


@contextmanager
def told(*, writes: bool) -> Iterator[None]:
    """Raises `Away` for what is the database's, and leaves all else as it is. `writes`: a file that takes nothing is away;
    who only reads should not have written."""
    try:
        yield
    except PoolTimeout as failure:
        raise Away(str(failure)) from failure
    except DBAPIError as failure:
        if not _passes(failure, writes=writes):
            raise
        raise Away(str(failure.orig).strip()) from failure


def _passes(failure: DBAPIError, *, writes: bool) -> bool:
    cause = failure.orig
    if isinstance(cause, sqlite3.OperationalError):
        code = getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & _PRIMARY
        return code not in _WRONG and (writes or code != sqlite3.SQLITE_READONLY)
    return failure.connection_invalidated or isinstance(cause, psycopg.OperationalError)
