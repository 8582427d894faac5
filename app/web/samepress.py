"""A form that is sent again at once counts once, and is answered as it was: a finger that comes down twice where no script
helps. The answer to the first press never comes to be seen, and may hold a link that is shown this once."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SECONDS = 5.0
"""So long after the answer the same form is the same press."""
MOST_READERS = 200
"""So many are remembered; the longest silent are forgotten first."""
LARGEST = 256 * 1024
"""Bytes of an answer that is kept."""


@dataclass
class Press:
    """What a reader sent last, and how it was answered; `answer` empty: not at all, or not to be told again."""

    form: bytes
    answered: asyncio.Event = field(default_factory=asyncio.Event)
    answer: tuple[Message, ...] = ()
    at: float = 0.0


class SamePress:
    """An ASGI layer, for forms that a browser sends by itself: scripts and programs know what they have sent. In memory, so
    that another process knows nothing of it; what must never be done twice is guarded where it is done."""

    def __init__(self, app: ASGIApp, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.app = app
        self._clock = clock
        self._last: OrderedDict[bytes, Press] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST" or not _by_browser(Headers(scope=scope)):
            await self.app(scope, receive, send)
            return
        body, receiving = await _whole(receive)
        reader, form = _reader(scope), _digest(scope["path"].encode(), scope["query_string"], body)
        last = self._last.get(reader)
        if last is not None and last.form == form and await self._is_told_again(last, send):
            return
        press = self._last[reader] = Press(form)
        self._last.move_to_end(reader)
        if len(self._last) > MOST_READERS:
            self._last.popitem(last=False)
        await self._answered(press, scope, receiving, send)

    async def _is_told_again(self, press: Press, send: Send) -> bool:
        await press.answered.wait()
        if not press.answer or self._clock() - press.at > SECONDS:
            return False
        for message in press.answer:
            await send(dict(message))
        return True

    async def _answered(self, press: Press, scope: Scope, receive: Receive, send: Send) -> None:
        told: list[Message] = []

        async def sending(message: Message) -> None:
            told.append(dict(message))
            await send(message)

        try:
            await self.app(scope, receive, sending)
        finally:
            press.at = self._clock()
            press.answer = tuple(told) if _is_whole(told) else ()
            press.answered.set()


def _by_browser(headers: Headers) -> bool:
    """A page that was asked for, not an answer to a script."""
    return "text/html" in headers.get("accept", "")


def _reader(scope: Scope) -> bytes:
    """Whose browser it is: what it holds, and from where it calls. Two strangers behind one address, with telephones of one
    kind, are alike: a form that they can send alike says when its page was made."""
    headers, client = Headers(scope=scope), scope.get("client")
    names = ("cookie", "user-agent", "accept-language")
    return _digest(str(client[0] if client else "").encode(), *(headers.get(name, "").encode() for name in names))


def _digest(*parts: bytes) -> bytes:
    return sha256(b"".join(sha256(part).digest() for part in parts)).digest()


def _is_whole(told: list[Message]) -> bool:
    """Whether these are an answer to its end, one that is no fault of the server's, and small enough."""
    if not told or told[0]["type"] != "http.response.start" or told[0]["status"] >= 500:
        return False
    return not told[-1].get("more_body", False) and sum(len(one.get("body", b"")) for one in told) <= LARGEST


async def _whole(receive: Receive) -> tuple[bytes, Receive]:
    """The body, and what gives it once more. What is too large, or breaks off, is left to whoever reads it then."""
    read: list[Message] = []
    failed: HTTPException | None = None
    try:
        while not read or (read[-1]["type"] == "http.request" and read[-1].get("more_body")):
            read.append(await receive())
    except HTTPException as failure:
        failed = failure
    waiting = iter(read)

    async def again() -> Message:
        message = next(waiting, None)
        if message is None and failed is not None:
            raise failed
        return await receive() if message is None else message

    return b"".join(message.get("body", b"") for message in read), again
