"""A turn as a text for a forum: files in each format, and the page where one is chosen without a script."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from app.referee import freshness, publication
from app.referee.errors import RefereeError
from app.referee.turnviews import TurnView
from app.referee.views import Viewer
from app.reports.posts import FORMS
from app.web import poster as making
from app.web.cache import Kept, PageCache
from app.web.context import Page, frame_of, language_of, render
from app.web.house import House
from app.web.parts import battle_title
from app.web.poster import Poster
from app.web.security import as_any

router = APIRouter()


@dataclass(frozen=True, kw_only=True)
class PostPage(Page):
    template: ClassVar[str] = "post/post.html"
    battle_id: str
    title: str
    turn: int
    poster: Poster


async def file(request: Request, form: str) -> Response:
    """Asynchronous, so that a text which is kept costs no thread."""
    place = request.path_params
    wish = making.read(request.query_params, form, language_of(request))
    house: House = request.app.state.house
    viewer = await run_in_threadpool(as_any, house, request, place["battle_id"])
    found = await run_in_threadpool(_kept, request, place["battle_id"], place["turn"], wish, viewer)
    headers = {
        "cache-control": "private, no-cache" if found.version else "private, no-store",
        "content-language": wish.language,
        "vary": "Accept-Language, Cookie",
        "etag": found.etag,
    }
    if found.etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(found.body, media_type="text/plain; charset=utf-8", headers=headers)


async def page(request: Request) -> Response:
    place = request.path_params
    frame = frame_of(request)
    wish = making.read_form(request.query_params, frame.language)

    def seen() -> PostPage:
        house: House = request.app.state.house
        viewer = as_any(house, request, place["battle_id"])
        view = _turn(house, place["battle_id"], place["turn"], viewer)
        return PostPage(
            frame=frame,
            battle_id=view.battle_id,
            title=battle_title(view.title, view.scenario.get("title"), frame.words),
            turn=view.turn,
            poster=making.poster(view, wish, house.settings.url, frame.words),
        )

    return render(await run_in_threadpool(seen))


router.add_route("/b/{battle_id}/t/{turn}/post", page, methods=["GET"], include_in_schema=False)
for _form in FORMS:
    router.add_route(
        f"/b/{{battle_id}}/t/{{turn}}.{_form}",
        partial(file, form=_form),
        methods=["GET"],
        include_in_schema=False,
        name=f"post-{_form}",
    )


def _kept(request: Request, battle_id: str, turn: str, wish: making.Wish, viewer: Viewer) -> Kept:
    """A text whose battle has not changed, else one that is written anew. A turn under review is never kept: version 0."""
    house: House = request.app.state.house
    pages: PageCache = request.app.state.pages
    key = ("post", battle_id, turn, wish, viewer.kind, viewer.seat)
    version = freshness.version(house.db, battle_id)
    confirmed = pages.confirmed(key, version)
    if confirmed is not None:
        return confirmed
    view = _turn(house, battle_id, turn, viewer)
    body = "\n\n".join(making.written(view, wish, house.settings.url)).encode("utf-8")
    if view.published_at is None:
        return PageCache(0).keep(key, body, 0)
    return pages.keep(key, body, version)


def _turn(house: House, battle_id: str, turn: str, viewer: Viewer) -> TurnView:
    which: int | Literal["latest"]
    if turn == "latest":
        which = "latest"
    elif turn.isascii() and turn.isdigit() and len(turn) < 7 and turn[0] != "0":
        which = int(turn)
    else:
        raise RefereeError("no-turn")
    return publication.turn(house.db, battle_id, which, viewer)
