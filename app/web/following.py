"""Who waits for news of a battle. One look a second, for all battles that somebody waits for and however many wait, so that
news from another instance come too. News are a hint that there are some: a page tells them to whom they may be told."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from types import FrameType
from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send
from structlog.typing import FilteringBoundLogger

from app.web.badmoments import BadMoments

Look = Callable[[Sequence[str]], Mapping[str, str]]
"""Battles -> their pulses (`freshness.pulses`)."""
LOOK_SECONDS = 1.0
ALIVE_SECONDS = 20.0
"""So often a line is sent that says nothing, so that nobody on the way takes the silence for an end."""
LIFE_SECONDS = 1800.0
"""A stream ends by itself after so long; browsers open the next one."""
RETRY_MS = 4000
MOST, MOST_OF_BATTLE, MOST_OF_ADDRESS = 3000, 500, 40
"""Streams at a time: of a process, of a battle, from an address."""


class Ear:
    """One who listens. `pulse`: the newest that he has to be told of."""

    def __init__(self, battle: str, address: str, pulse: str) -> None:
        self.battle = battle
        self.address = address
        self.pulse = pulse
        self.news = asyncio.Event()


class Following:
    """All who listen in this process. For one event loop."""

    def __init__(
        self,
        look: Look,
        *,
        log: FilteringBoundLogger,
        most: int = MOST,
        most_of_battle: int = MOST_OF_BATTLE,
        most_of_address: int = MOST_OF_ADDRESS,
        look_seconds: float = LOOK_SECONDS,
        alive_seconds: float = ALIVE_SECONDS,
        life_seconds: float = LIFE_SECONDS,
    ) -> None:
        self._look = look
        self._log = log
        self._most = (most, most_of_battle, most_of_address)
        self._look_seconds = look_seconds
        self._alive_seconds = alive_seconds
        self._life_seconds = life_seconds
        self._ears: dict[str, set[Ear]] = {}
        self._addresses: Counter[str] = Counter()
        self._looking: asyncio.Task[None] | None = None
        self.is_closed = False

    def __len__(self) -> int:
        return self._addresses.total()

    def admit(self, battle: str, address: str, pulse: str) -> Ear | None:
        """One more, who has to be let go again (`leave`). None: there are too many, or the server stops."""
        there = (len(self), len(self._ears.get(battle, ())), self._addresses[address])
        if self.is_closed or any(number >= most for number, most in zip(there, self._most, strict=True)):
            return None
        ear = Ear(battle, address, pulse)
        self._ears.setdefault(battle, set()).add(ear)
        self._addresses[address] += 1
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look_for_ever())
        return ear

    def leave(self, ear: Ear) -> None:
        ears = self._ears.get(ear.battle, set())
        if ear not in ears:
            return
        ears.remove(ear)
        if not ears:
            del self._ears[ear.battle]
        self._addresses[ear.address] -= 1
        if not self._addresses[ear.address]:
            del self._addresses[ear.address]

    async def heard(self, ear: Ear) -> AsyncIterator[bytes]:
        """The stream of one who listens: how it stands, then each change."""
        until = time.monotonic() + self._life_seconds
        told = ear.pulse
        yield b"retry: %d\n\n%s" % (RETRY_MS, _hint(told))
        while not self.is_closed and time.monotonic() < until:
            try:
                await asyncio.wait_for(ear.news.wait(), self._alive_seconds)
            except TimeoutError:
                yield b":\n\n"
                continue
            ear.news.clear()
            if ear.pulse != told and not self.is_closed:
                told = ear.pulse
                yield _hint(told)

    def close(self) -> None:
        """The server stops: every stream ends, and no other begins."""
        self.is_closed = True
        for ears in self._ears.values():
            for ear in ears:
                ear.news.set()

    async def closed(self) -> None:
        self.close()
        if self._looking is not None:
            self._looking.cancel()
            with suppress(asyncio.CancelledError):
                await self._looking

    async def _look_for_ever(self) -> None:
        """As long as somebody listens. An error is logged, and the next second looks again."""
        moments = BadMoments(self._log, "looking for news")
        while self._ears and not self.is_closed:
            await asyncio.sleep(self._look_seconds)
            found: Mapping[str, str] = {}
            with moments.told():
                found = await run_in_threadpool(self._look, tuple(self._ears))
            for battle, pulse in found.items():
                for ear in self._ears.get(battle, ()):
                    if ear.pulse != pulse:
                        ear.pulse = pulse
                        ear.news.set()


class News(StreamingResponse):
    """The answer to one who follows. Whatever becomes of it, he is let go."""

    media_type = "text/event-stream"

    def __init__(self, following: Following, ear: Ear) -> None:
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        super().__init__(following.heard(ear), headers=headers)
        self._following = following
        self._ear = ear

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._following.leave(self._ear)


def on_stop(act: Callable[[], None]) -> Callable[[], None]:
    """Call `act` in this loop as soon as the process is told to stop, before the server waits for open streams. Returns what
    takes that back. Only the main thread hears signals; elsewhere nothing is done."""
    if threading.current_thread() is not threading.main_thread():
        return lambda: None
    loop = asyncio.get_running_loop()
    known: dict[int, Any] = {}

    def stopping(number: int, frame: FrameType | None) -> None:
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(act)
        before = known[number]
        if callable(before):
            before(number, frame)

    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)
        if callable(before):  # a server's own; without one the process ends at once, streams and all
            known[number] = before
            signal.signal(number, stopping)

    def back() -> None:
        for number, before in known.items():
            if signal.getsignal(number) is stopping:
                signal.signal(number, before)

    return back


def _hint(pulse: str) -> bytes:
    return b"data: %s\n\n" % msgspec.json.encode({"version": pulse})
