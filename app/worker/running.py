"""A worker from start to stop: Procrastinate's tables, the bell, the jobs."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import psycopg
from procrastinate import App
from procrastinate.schema import SchemaManager

from app.store import waking
from app.worker.jobs import Workshop, address, application, ring

LOCK = 0x6670776F726B
"""The advisory lock under which Procrastinate's tables are made: several workers may start at once."""
GRACE_SECONDS = 20


def prepare(database: str) -> bool:
    """Make Procrastinate's own tables where there are none; whether they were made. `database`: an address of PostgreSQL."""
    with psycopg.connect(database) as connection:
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
        found = connection.execute("SELECT to_regclass('procrastinate_jobs')").fetchone()
        if found is not None and found[0] is not None:
            return False
        connection.execute(SchemaManager.get_schema())
    return True


async def work(shop: Workshop, *, concurrency: int, wait: bool = True) -> None:
    """Run jobs until a signal stops it; `wait` False: until nothing is left to do."""
    app = application(shop)
    async with app.open_async():
        bell = asyncio.create_task(_hear(shop, app)) if wait else None
        try:
            await app.run_worker_async(
                concurrency=concurrency,
                wait=wait,
                update_heartbeat_interval=shop.pace.heartbeat,
                stalled_worker_timeout=shop.pace.dead,
                shutdown_graceful_timeout=GRACE_SECONDS,
            )
        finally:
            if bell is not None:
                bell.cancel()
                with suppress(asyncio.CancelledError):
                    await bell


async def _hear(shop: Workshop, app: App) -> None:
    """As soon as something is written into the outbox, somewhere, a drain is put into the queue."""
    heard = asyncio.Event()
    line = asyncio.create_task(waking.listen(shop.db, heard.set))
    try:
        while True:
            await heard.wait()
            heard.clear()
            await ring(app)
    finally:
        line.cancel()


def run(shop: Workshop, *, concurrency: int) -> None:
    """Raises `psycopg.Error`: the database is not to be reached."""
    prepare(address(shop.db))
    asyncio.run(work(shop, concurrency=concurrency))
