"""What stands around every answer, as plain ASGI: a number, safe headers, a line of log; guards of origin and size."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from secrets import token_hex
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.typing import FilteringBoundLogger

from app.log import masked

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
LARGEST_BODY = 1_000_000
"""Bytes of a request's body: a sheet has some thousands, a scenario file some ten thousands."""
DRAINED = 16 * LARGEST_BODY
"""So much of a body that is too large is still read, so that the browser listens to the answer."""

Refuse = Callable[[Request, str], Response]
"""(request, code) -> the refusal as a page or as JSON."""
HeadersOf = Callable[[str], tuple[tuple[bytes, bytes], ...]]


class Envelope:
    """The outermost layer. Gives each request a number that stands in the log and in refusals, adds the headers that
    every answer has, writes the access log, and turns a bug into a logged traceback and a page."""

    def __init__(self, app: ASGIApp, *, headers: HeadersOf, refuse: Refuse, log: FilteringBoundLogger):
        """`headers`: those that every answer at a path has."""
        self.app = app
        self._headers = headers
        self._refuse = refuse
        self._log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        number = token_hex(6)
        scope.setdefault("state", {})["request_id"] = number
        added = (*self._headers(scope["path"]), (b"x-request-id", number.encode("ascii")))
        status = 0
        began = perf_counter()

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], *added]
            await send(message)

        try:
            await self.app(scope, receive, sending)
        except Exception:
            self._log.exception("broken", id=number, method=scope["method"], path=masked(scope["path"]))
            if status:
                raise
            await self._refuse(Request(scope), "broken")(scope, receive, sending)
        finally:
            client = scope.get("client")
            self._log.info(
                "request",
                id=number,
                method=scope["method"],
                path=masked(scope["path"]),
                status=status,
                ms=round((perf_counter() - began) * 1000, 1),
                client=client[0] if client else None,
            )


class OriginGuard:
    """Refuses what another site makes a browser send: unsafe methods must come from our own pages, or from no browser."""

    def __init__(self, app: ASGIApp, *, trusted: frozenset[str], refuse: Refuse) -> None:
        self.app = app
        self._trusted = trusted
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] not in SAFE_METHODS and not self._is_ours(Headers(scope=scope)):
            await self._refuse(Request(scope), "foreign-origin")(scope, receive, send)
            return
        await self.app(scope, receive, send)

    def _is_ours(self, headers: Headers) -> bool:
        origin = headers.get("origin")
        if origin in self._trusted:
            return True
        site = headers.get("sec-fetch-site")
        if site is not None:
            return site in {"same-origin", "none"}
        return origin is None or urlsplit(origin).netloc == headers.get("host")


class BodyLimit:
    """Refuses bodies over the limit: by what they say of themselves, and by what really comes."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        refuse: Refuse,
        largest: int = LARGEST_BODY,
        larger: Mapping[str, tuple[int, str]] | None = None,
    ) -> None:
        """`larger`: of paths that match a pattern, another limit, and the code of what is said above it."""
        self.app = app
        self._refuse = refuse
        self._largest = largest
        self._larger = tuple((re.compile(path), *limit) for path, limit in (larger or {}).items())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in SAFE_METHODS:
            await self.app(scope, receive, send)
            return
        limits = ((limit, code) for path, limit, code in self._larger if path.fullmatch(scope["path"]))
        largest, code = next(limits, (self._largest, "too-large"))
        said = Headers(scope=scope).get("content-length", "0")
        if not said.isascii() or not said.isdigit() or int(said) > largest:
            await _drain(receive)
            await self._refuse(Request(scope), code)(scope, receive, send)
            return
        read = 0

        async def receiving() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > largest:
                if message.get("more_body"):
                    await _drain(receive)
                raise HTTPException(413)
            return message

        await self.app(scope, receiving, send)


async def _drain(receive: Callable[[], Awaitable[Any]]) -> None:
    read = 0
    while read < DRAINED:
        message = await receive()
        read += len(message.get("body", b""))
        if message["type"] != "http.request" or not message.get("more_body"):
            return
