"""Turns as films: what the page of a turn plays (`GET /b/{id}/t/{n}/film.json`), what that of the whole battle plays of it
(`…/reel.json`), both kept like the page of the turn; and that page (`GET /b/{id}/film`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, NamedTuple

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.referee import battles, freshness, publication
from app.referee.errors import RefereeError
from app.referee.turns import history
from app.referee.views import PUBLIC, Viewer
from app.reports.scores import Score
from app.web import kept
from app.web.battlecards import Stand, TurnCard, sides, stand, turn_card
from app.web.cache import Kept, PageCache
from app.web.context import Page, frame_of, render
from app.web.deps import Here, page_route
from app.web.filmstrip import Film, Reel, filmed, reeled
from app.web.house import House
from app.web.parts import Drawing, drawn
from app.web.preview import Preview, battle_preview
from app.web.security import as_any, held_seats

router = APIRouter()
KIND = "application/json"
TAKES: dict[str, Callable[..., Film | Reel]] = {"film": filmed, "reel": reeled}


class FilmKey(NamedTuple):
    battle_id: str
    turn: str
    language: str
    kind: str
    seat: str | None
    seats: frozenset[str]
    """All whose keys the reader holds."""
    what: str


@dataclass(frozen=True, kw_only=True)
class FilmPage(Page):
    template: ClassVar[str] = "film/film.html"
    preview: Preview
    stand: Stand
    sides: tuple[Score, ...]
    turns: tuple[TurnCard, ...]
    """Those that are published, the first one first."""
    drawing: Drawing


@page_route(router, "/b/{battle_id}/film")
def battle_film(request: Request, here: Here, battle_id: str) -> HTMLResponse:
    frame = frame_of(request)
    view = battles.battle(here.db, battle_id, PUBLIC, here.now())
    scene = view.ruleset.scene(view.state, frame.language, view.scenario)
    stands, scores = stand(view, frame.words), sides(view, frame.words)
    return render(
        FilmPage(
            frame=frame,
            preview=battle_preview(here.settings.url, view, stands, scores, scene, frame.language),
            stand=stands,
            sides=scores,
            turns=tuple(turn_card(line, frame.words) for line in history(here.db, battle_id, PUBLIC)),
            drawing=drawn(scene, interactive=True),
        )
    )


async def film(request: Request, what: str) -> Response:
    """Asynchronous, so that a film which is kept costs neither a thread nor a database."""
    battle_id, turn = request.path_params["battle_id"], request.path_params["turn"]
    asked = kept.read(request.scope["headers"])
    house: House = request.app.state.house
    viewer, seats = PUBLIC, frozenset[str]()
    if asked.cookies:
        viewer, seats = await run_in_threadpool(_reader, house, request, battle_id)
    pages: PageCache = request.app.state.pages
    key = FilmKey(battle_id, turn, asked.language, viewer.kind, viewer.seat, seats, what)
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


for _what in TAKES:
    _path = f"/b/{{battle_id}}/t/{{turn}}/{_what}.json"
    router.add_route(_path, partial(film, what=_what), methods=["GET"], include_in_schema=False, name=_path)


def _reader(house: House, request: Request, battle_id: str) -> tuple[Viewer, frozenset[str]]:
    return as_any(house, request, battle_id), held_seats(house, request, battle_id)


def _kept(house: House, pages: PageCache, key: FilmKey, viewer: Viewer) -> Kept | bytes:
    """A turn under review is never kept. Raises `RefereeError`: no-battle, no-turn."""
    version = freshness.version(house.db, key.battle_id)
    confirmed = pages.confirmed(key, version)
    if confirmed is not None:
        return confirmed
    if not (key.turn.isascii() and key.turn.isdigit() and len(key.turn) < 7 and key.turn[0] != "0"):
        raise RefereeError("no-turn")
    view = publication.turn(house.db, key.battle_id, int(key.turn), viewer)
    body = TAKES[key.what](view, key.language, key.seats).json()
    return body if view.published_at is None else pages.keep(key, body, version)
