"""What the page of a turn plays: `GET /b/{id}/t/{n}/film.json`, kept like the page itself."""

from __future__ import annotations

from typing import NamedTuple

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from app.referee import freshness, publication
from app.referee.errors import RefereeError
from app.referee.views import Viewer
from app.web import kept
from app.web.api.house import House
from app.web.cache import Kept, PageCache
from app.web.filmstrip import filmed
from app.web.security import as_any

router = APIRouter()
KIND = "application/json"


class FilmKey(NamedTuple):
    battle_id: str
    turn: str
    language: str
    kind: str
    seat: str | None
    what: str = "film"


async def film(request: Request) -> Response:
    """Asynchronous, so that a film which is kept costs neither a thread nor a database."""
    battle_id, turn = request.path_params["battle_id"], request.path_params["turn"]
    asked = kept.read(request.scope["headers"])
    house: House = request.app.state.house
    readers: kept.Readers = request.app.state.readers
    viewer = readers.of(battle_id, asked.cookies)
    if viewer is None:
        viewer = await run_in_threadpool(as_any, house, request, battle_id)
        readers.keep(battle_id, asked.cookies, viewer)
    pages: PageCache = request.app.state.pages
    key = FilmKey(battle_id, turn, asked.language, viewer.kind, viewer.seat)
    found: Kept | bytes | None = pages.fresh(key)
    if found is None:
        found = await run_in_threadpool(_kept, house, pages, key, viewer)
    headers = {"content-language": asked.language, "vary": "Accept-Language, Cookie"}
    if isinstance(found, bytes):
        return Response(found, media_type=KIND, headers={**headers, "cache-control": "private, no-store"})
    headers |= {"etag": found.etag, "cache-control": "private, no-cache"}
    if found.etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(found.body, media_type=KIND, headers=headers)


router.add_route("/b/{battle_id}/t/{turn}/film.json", film, methods=["GET"], include_in_schema=False)


def _kept(house: House, pages: PageCache, key: FilmKey, viewer: Viewer) -> Kept | bytes:
    """A turn under review is never kept. Raises `RefereeError`: no-battle, no-turn."""
    version = freshness.version(house.db, key.battle_id)
    confirmed = pages.confirmed(key, version)
    if confirmed is not None:
        return confirmed
    if not (key.turn.isascii() and key.turn.isdigit() and len(key.turn) < 7 and key.turn[0] != "0"):
        raise RefereeError("no-turn")
    view = publication.turn(house.db, key.battle_id, int(key.turn), viewer)
    body = filmed(view, key.language).json()
    return body if view.published_at is None else pages.keep(key, body, version)
