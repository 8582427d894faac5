"""Pictures for a forum, a chat, a preview of a link: the field after a turn (PNG), a turn and a battle as a film."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from app.referee import freshness
from app.web.context import language_of
from app.web.exhibits import MEDIA, WHOLE, Exhibit, Form, Wish, exhibit, read
from app.web.gallery import Gallery
from app.web.house import House
from app.web.security import as_master

router = APIRouter()
FORMS: tuple[tuple[str, Form, str | None], ...] = (
    ("/b/{battle_id}/t/thumb.png", "thumb", "latest"),
    ("/b/{battle_id}/t/{turn}/thumb.png", "thumb", None),
    ("/b/{battle_id}/t/{turn}.png", "png", None),
    ("/b/{battle_id}/t/{turn}.webp", "webp", None),
    ("/b/{battle_id}/t/{turn}.gif", "gif", None),
    ("/b/{battle_id}/film.webp", "webp", WHOLE),
    ("/b/{battle_id}/film.gif", "gif", WHOLE),
)
"""Address, the form of the picture, and the turn where the address names none."""


async def show(request: Request, form: Form, turn: str | None) -> Response:
    """Asynchronous, so that a picture which is kept, or which the reader has, costs no thread."""
    gallery: Gallery = request.app.state.gallery
    place = request.path_params
    wish = read(
        place["battle_id"], turn if turn is not None else place["turn"], form, language_of(request), request.query_params
    )
    found: Exhibit | None = None
    tag = gallery.fresh_tag(wish) or ""
    if not tag:
        tag, found = await run_in_threadpool(_looked_at, request, wish)
    if f'"{tag}"' in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=_headers(request, wish, tag, found))
    body = gallery.kept(tag)
    if body is None:
        if found is None:
            found = await run_in_threadpool(_exhibit, request, wish)
        tag = found.tag
        body = await gallery.drawn(tag, found.draw, is_film=wish.is_film)
    return Response(body, media_type=MEDIA[form], headers=_headers(request, wish, tag, found))


for _path, _form, _turn in FORMS:
    router.add_route(_path, partial(show, form=_form, turn=_turn), methods=["GET"], include_in_schema=False, name=_path)


def _looked_at(request: Request, wish: Wish) -> tuple[str, Exhibit | None]:
    """The tag of what was asked for; what is to be drawn comes with it, unless the battle has not changed."""
    house: House = request.app.state.house
    gallery: Gallery = request.app.state.gallery
    tag = gallery.confirmed_tag(wish, freshness.version(house.db, wish.battle_id))
    if tag is not None:
        return tag, None
    found = _exhibit(request, wish)
    if found.version is not None:
        gallery.keep_tag(wish, found.tag, found.version)
    return found.tag, found


def _exhibit(request: Request, wish: Wish) -> Exhibit:
    house: House = request.app.state.house
    return exhibit(house, wish, lambda: as_master(house, request, wish.battle_id))


def _headers(request: Request, wish: Wish, tag: str, found: Exhibit | None) -> dict[str, str]:
    if found is not None and found.version is None:
        kept = "private, no-store"
    else:  # a numbered turn too may be played again
        kept = "public, no-cache"
    headers = {
        "etag": f'"{tag}"',
        "cache-control": kept,
        "content-language": wish.language,
        "cross-origin-resource-policy": "cross-origin",
    }
    if "lang" not in request.query_params:
        headers["vary"] = "Accept-Language, Cookie"
    return headers
