"""The short way to a published page: a page that is kept and fresh is answered before any route is looked for."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from functools import lru_cache
from http.cookies import CookieError, SimpleCookie
from typing import NamedTuple

from starlette.types import ASGIApp, Receive, Scope, Send

from app.language import chosen
from app.referee.views import PUBLIC, Viewer
from app.web.cache import FRESH_SECONDS, Kept, PageCache
from app.web.context import LANGUAGE_COOKIE

MOST_READERS = 10_000


class PageKey(NamedTuple):
    """What a published page depends on."""

    battle_id: str
    turn: str
    language: str
    kind: str
    seat: str | None


class Asked(NamedTuple):
    """What a request says about a page: whose language, and which keys (empty: none)."""

    language: str
    cookies: str


class Readers:
    """Who the holders of cookies are, known for a second: so long an old key may still read what is published."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: OrderedDict[tuple[str, str], tuple[float, Viewer]] = OrderedDict()

    def of(self, battle_id: str, cookies: str) -> Viewer | None:
        """The public without a key; None: not known, or not any more."""
        if not cookies:
            return PUBLIC
        found = self._known.get((battle_id, cookies))
        return found[1] if found is not None and self._clock() - found[0] <= FRESH_SECONDS else None

    def keep(self, battle_id: str, cookies: str, viewer: Viewer) -> None:
        self._known[battle_id, cookies] = self._clock(), viewer
        self._known.move_to_end((battle_id, cookies))
        while len(self._known) > MOST_READERS:
            self._known.popitem(last=False)


class KeptPages:
    """An ASGI layer. What it does not have goes on to the page's endpoint, which keeps what it has written."""

    def __init__(self, app: ASGIApp, *, pages: PageCache, readers: Readers) -> None:
        self.app = app
        self._pages = pages
        self._readers = readers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET" or not scope["path"].startswith("/b/"):
            await self.app(scope, receive, send)
            return
        place = scope["path"].split("/")
        if len(place) != 5 or place[3] != "t":
            await self.app(scope, receive, send)
            return
        asked = read(scope["headers"])
        kept = self._found(place[2], place[4], asked)
        if kept is None:
            await self.app(scope, receive, send)
            return
        unchanged = any(name == b"if-none-match" and kept.etag.encode() in value for name, value in scope["headers"])
        status = 304 if unchanged else 200
        body = b"" if unchanged else kept.body
        told = answer_headers(kept, asked.language, None if unchanged else len(body))
        await send({"type": "http.response.start", "status": status, "headers": told})
        await send({"type": "http.response.body", "body": body})

    def _found(self, battle_id: str, turn: str, asked: Asked) -> Kept | None:
        viewer = self._readers.of(battle_id, asked.cookies)
        if viewer is None:
            return None
        return self._pages.fresh(PageKey(battle_id, turn, asked.language, viewer.kind, viewer.seat))


def read(headers: Iterable[tuple[bytes, bytes]]) -> Asked:
    """Language and keys from raw headers."""
    accepted, cookies = b"", b""
    for name, value in headers:
        if name == b"accept-language":
            accepted = value
        elif name == b"cookie":
            cookies = value if not cookies else cookies + b"; " + value
    return _asked(accepted, cookies)


@lru_cache(maxsize=4096)
def _asked(accepted: bytes, cookies: bytes) -> Asked:
    text = cookies.decode("latin-1")
    language = ""
    if LANGUAGE_COOKIE in text:
        try:
            morsel = SimpleCookie(text).get(LANGUAGE_COOKIE)
        except CookieError:
            morsel = None
        language = morsel.value if morsel else ""
    has_key = any(name in text for name in ("fp_master=", "fp_seat_", "fp_account="))
    return Asked(chosen(accepted.decode("latin-1"), language), text if has_key else "")


def answer_headers(kept: Kept, language: str, length: int | None) -> list[tuple[bytes, bytes]]:
    """Of a kept page; `length` None: of the answer that it has not changed."""
    headers = [
        (b"etag", kept.etag.encode("ascii")),
        (b"cache-control", b"private, no-cache"),
        (b"content-language", language.encode("ascii")),
        (b"vary", b"Accept-Language, Cookie"),
    ]
    if length is not None:
        headers += [(b"content-type", b"text/html; charset=utf-8"), (b"content-length", str(length).encode("ascii"))]
    return headers
