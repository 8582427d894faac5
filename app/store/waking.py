"""PostgreSQL rings where something was written into the outbox, on whichever server; with SQLite everybody just looks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

import psycopg
from sqlalchemy.orm import Session

from app.store.db import Database

CHANNEL = "fieldpost_outbox"
AGAIN_SECONDS = 5.0
"""After a line that broke: until then the poll does it alone."""


def ring(session: Session) -> None:
    """Heard by all who listen as soon as the transaction is committed; several rings of one transaction are one."""
    connection = session.connection()
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"NOTIFY {CHANNEL}")


async def listen(db: Database, heard: Callable[[], None]) -> None:
    """For ever, over a connection of its own: it is missed by nobody who polls, so a broken line is no error."""
    address = db.url.set(drivername="postgresql").render_as_string(hide_password=False)
    while True:
        with suppress(psycopg.Error, OSError):
            async with await psycopg.AsyncConnection.connect(address, autocommit=True) as line:
                await line.execute(f"LISTEN {CHANNEL}")
                heard()
                async for _ in line.notifies():
                    heard()
        await asyncio.sleep(AGAIN_SECONDS)
