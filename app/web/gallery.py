"""Pictures that have been drawn, and the threads that draw them. The loop never waits for a picture; a picture that many
ask for at once is drawn once; films have a thread of their own, so that boards do not queue behind them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock

from app.referee.errors import RefereeError
from app.web.cache import PageCache

LARGEST = 96 * 1024 * 1024
"""Bytes of pictures that are kept."""
MOST_TAGS = 4 * 1024 * 1024
"""Bytes of the tags that are kept: some 60,000 of them."""
MOST_WAITING = 40
"""Pictures that may wait for a thread, of each kind; more are refused."""
RETRY_SECONDS = 5


class Gallery:
    """What was asked for leads to a tag (the digest of all that is drawn), and the tag to bytes. A tag that the reader
    already has needs no drawing, even when the bytes are long gone."""

    def __init__(
        self,
        *,
        largest: int = LARGEST,
        waiting: int = MOST_WAITING,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tags = PageCache(MOST_TAGS, clock)
        self._drawn = PageCache(largest, clock)
        self._waiting = waiting
        self._pools = {
            "still": ThreadPoolExecutor(2, thread_name_prefix="picture"),
            "film": ThreadPoolExecutor(1, thread_name_prefix="film"),
        }
        self._under_way: dict[str, Future[bytes]] = {}
        self._queued = dict.fromkeys(self._pools, 0)
        self._lock = Lock()

    def fresh_tag(self, wish: Hashable) -> str | None:
        """The tag of what was asked for, if it was looked at just now."""
        kept = self._tags.fresh(wish)
        return None if kept is None else kept.body.decode("ascii")

    def confirmed_tag(self, wish: Hashable, version: int) -> str | None:
        """The same, if its battle still has this version."""
        kept = self._tags.confirmed(wish, version)
        return None if kept is None else kept.body.decode("ascii")

    def keep_tag(self, wish: Hashable, tag: str, version: int) -> None:
        self._tags.keep(wish, tag.encode("ascii"), version)

    def kept(self, tag: str) -> bytes | None:
        found = self._drawn.confirmed(tag, 0)
        return None if found is None else found.body

    async def drawn(self, tag: str, draw: Callable[[], bytes], *, is_film: bool = False) -> bytes:
        """The picture of a tag: kept, or being drawn for somebody else, or drawn now.
        Raises `RefereeError("busy")` where too many wait."""
        found = self.kept(tag)
        if found is not None:
            return found
        # a reader who goes away does not take the picture from the others
        return await asyncio.shield(asyncio.wrap_future(self._begun(tag, draw, "film" if is_film else "still")))

    def close(self) -> None:
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)

    def _begun(self, tag: str, draw: Callable[[], bytes], kind: str) -> Future[bytes]:
        with self._lock:
            begun = self._under_way.get(tag)
            if begun is not None:
                return begun
            if self._queued[kind] >= self._waiting:
                raise RefereeError("busy", params={"seconds": RETRY_SECONDS})
            self._queued[kind] += 1
            begun = self._under_way[tag] = self._pools[kind].submit(self._draw, tag, draw)
        begun.add_done_callback(lambda _: self._done(tag, kind))
        return begun

    def _draw(self, tag: str, draw: Callable[[], bytes]) -> bytes:
        body = draw()
        self._drawn.keep(tag, body, 0)
        return body

    def _done(self, tag: str, kind: str) -> None:
        with self._lock:
            self._under_way.pop(tag, None)
            self._queued[kind] -= 1
