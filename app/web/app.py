"""The server: pages and API over one database, and the clock that resolves what is due."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from functools import partial

import structlog
from anyio import to_thread
from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

from app import log
from app.config import Settings, load_settings
from app.posting.wire import Wire
from app.referee import deadlines, freshness
from app.referee.posting import Postman, mail_server
from app.store import waking
from app.store.db import Database
from app.web import errors
from app.web.api.service import ApiRoutes, service
from app.web.badmoments import BadMoments
from app.web.cache import PageCache
from app.web.context import STATIC
from app.web.following import Following, on_stop
from app.web.gallery import Gallery
from app.web.house import House
from app.web.kept import KeptPages, Readers
from app.web.middleware import BodyLimit, Envelope, OriginGuard
from app.web.pages import ROUTERS, commander
from app.web.samepress import SamePress
from app.web.security import headers_of

SWEEP_SECONDS = 1.0
POST_SECONDS = 1.0
"""The poll that makes sure, where nobody rings."""
POSTMEN = 2
"""So many deliver at once, so that one slow forum does not hold up all others."""
YEAR = 365 * 24 * 3600


def create_app(settings: Settings, *, upgrade: bool = False) -> FastAPI:
    """A server with these settings. `upgrade`: bring the schema up to date first (several workers should not)."""
    logger = structlog.get_logger("fieldpost")
    db = Database(settings.database)
    if upgrade:
        db.upgrade()
    house = House(db, settings)
    following = Following(partial(freshness.pulses, db), log=logger)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        clocks = _clocks(house, logger) if settings.embedded else []
        # What was made at the start is never garbage; without this, collections stop a page for tens of milliseconds.
        gc.collect()
        gc.freeze()
        unhook = on_stop(following.close)
        try:
            yield
        finally:
            unhook()
            await following.closed()
            for clock in clocks:
                clock.cancel()
            for clock in clocks:
                with suppress(asyncio.CancelledError):
                    await clock
            app.state.gallery.close()
            db.close()

    app = FastAPI(
        title="Fieldpost", openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False, lifespan=lifespan
    )
    app.state.house = house
    app.state.pages = PageCache()
    app.state.readers = Readers()
    app.state.gallery = Gallery()
    app.state.following = following
    errors.install(app)
    app.add_middleware(SamePress)
    app.add_middleware(BodyLimit, refuse=errors.refusal, larger={commander.PATH: (commander.LARGEST_FORM, "large-arms")})
    app.add_middleware(OriginGuard, trusted=frozenset({settings.base_url} - {""}), refuse=errors.refusal)
    app.add_middleware(KeptPages, pages=app.state.pages, readers=app.state.readers)
    app.add_middleware(Envelope, headers=headers_of, refuse=errors.refusal, log=logger)
    app.mount("/static", _Static(directory=STATIC), name="static")
    app.router.routes.append(ApiRoutes(service(house)))
    for router in ROUTERS:
        app.include_router(router)
    return app


def from_environment() -> FastAPI:
    """For the server's processes: settings from the environment."""
    settings = load_settings()
    log.configure(settings.log_level)
    return create_app(settings)


class _Static(StaticFiles):
    """Files whose address holds their digest: browsers need never ask again."""

    def file_response(self, *args: object, **kwargs: object) -> Response:
        response = super().file_response(*args, **kwargs)  # type: ignore[arg-type]
        scope = kwargs.get("scope", args[2] if len(args) > 2 else {})
        assert isinstance(scope, dict)
        versioned = b"v=" in scope.get("query_string", b"")
        response.headers["cache-control"] = f"public, max-age={YEAR}, immutable" if versioned else "no-cache"
        return response


def _clocks(house: House, logger: structlog.typing.FilteringBoundLogger) -> list[asyncio.Task[None]]:
    """The sweep and the postmen, which otherwise are a worker's."""
    bell = asyncio.Event()
    clocks = [asyncio.create_task(_sweep_for_ever(house, logger))]
    clocks += [asyncio.create_task(_post_for_ever(house, logger, bell)) for _ in range(POSTMEN)]
    if not house.db.is_sqlite:
        clocks.append(asyncio.create_task(waking.listen(house.db, bell.set)))
    return clocks


async def _sweep_for_ever(house: House, logger: structlog.typing.FilteringBoundLogger) -> None:
    """Once a second, in a thread: what is due is resolved. An error is logged, and the next second tries again."""
    moments = BadMoments(logger, "sweep")
    while True:
        with moments.told():
            resolved = await run_in_threadpool(
                partial(deadlines.sweep, house.db, datetime.now(UTC), outage=house.settings.outage)
            )
            if resolved:
                logger.info("swept", resolved=resolved)
        await asyncio.sleep(SWEEP_SECONDS)


async def _post_for_ever(house: House, logger: structlog.typing.FilteringBoundLogger, bell: asyncio.Event) -> None:
    """Beside the sweep, and never in its way: what is due in the outbox is delivered, as soon as the bell rings (PostgreSQL
    rings it) or a second is over. A server that stops waits for no forum: what it had in hand is taken up again when the
    lease is over."""
    settings = house.settings
    wire = Wire(allow_private=settings.allow_private_targets)
    postman = Postman(house.db, settings.url, house.now, wire, mail_server(settings))
    moments = BadMoments(logger, "posting")
    while True:
        with moments.told():
            while await to_thread.run_sync(postman.deliver_next, abandon_on_cancel=True):
                pass
        with suppress(TimeoutError):
            await asyncio.wait_for(bell.wait(), POST_SECONDS)
        bell.clear()
