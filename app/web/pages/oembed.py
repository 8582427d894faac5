"""oEmbed 1.0: what a forum shows instead of a bare link to a battle, a turn or a campaign."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from app.language import LANGUAGES, translator
from app.referee import battles, campaignviews, publication
from app.referee.errors import RefereeError
from app.referee.views import PUBLIC
from app.web.campaignpreview import previewed
from app.web.context import language_of
from app.web.deps import Here, House
from app.web.parts import battle_title, capital
from app.web.preview import Photo, Preview, preview

router = APIRouter()
PAGE = re.compile(r"/b/(?P<battle>[^/]+)(?:/t/(?P<turn>[1-9][0-9]{0,5}))?/?|/c/(?P<campaign>[^/]+)/?")
CACHE_SECONDS = 300


@router.api_route("/oembed", methods=["GET", "HEAD"], include_in_schema=False)
def oembed(
    request: Request,
    here: Here,
    url: str = "",
    format: str = "json",
    maxwidth: str = "",
    maxheight: str = "",
    lang: str = "",
) -> Response:
    """The field as a photo, as large as the consumer has room for; a mere link for one who has none. As the specification
    says: 501 for another format than JSON, 404 for an address that is none of ours."""
    if format != "json":
        return JSONResponse({"error": "format: json only"}, status_code=501)
    language = lang if lang in LANGUAGES else language_of(request)
    shown = _preview(here, url, language)
    told: dict[str, Any] = {
        "version": "1.0",
        "type": "link",
        "title": shown.title,
        "author_name": shown.description,
        "author_url": shown.url,
        "provider_name": "Fieldpost",
        "provider_url": here.settings.url,
        "cache_age": CACHE_SECONDS,
    }
    photos = [photo for photo in _photos(shown) if _has_room(maxwidth, photo.width) and _has_room(maxheight, photo.height)]
    if photos:
        large, small = photos[0], photos[-1]
        told |= {"type": "photo", "url": large.url, "width": large.width, "height": large.height}
        told |= {"thumbnail_url": small.url, "thumbnail_width": small.width, "thumbnail_height": small.height}
    headers = {"cache-control": f"public, max-age={CACHE_SECONDS}", "vary": "Accept-Language, Cookie"}
    return JSONResponse(told, headers=headers)


def _photos(shown: Preview) -> list[Photo]:
    """The larger first."""
    found = [Photo(shown.image, shown.width, shown.height)] if shown.image else []
    return [*found, shown.small] if shown.small else found


def _has_room(most: str, needed: int) -> bool:
    return not (most.isascii() and most.isdigit() and len(most) < 7) or int(most) >= needed


def _preview(here: House, url: str, language: str) -> Preview:
    """Raises `RefereeError`: no-page (no address of ours), no-battle, no-turn, no-campaign."""
    try:
        parts, ours = urlsplit(url), urlsplit(here.settings.url)
    except ValueError:
        raise RefereeError("no-page") from None
    place = PAGE.fullmatch(parts.path)
    if (parts.scheme, parts.netloc) != (ours.scheme, ours.netloc) or place is None:
        raise RefereeError("no-page")
    if place["campaign"]:
        return previewed(here, campaignviews.campaign(here.db, place["campaign"]), language)
    return _of_turn(here, place["battle"], int(place["turn"] or 0), language)


def _of_turn(here: House, battle_id: str, number: int, language: str) -> Preview:
    """Of the battle as it stands where the number is 0."""
    words = translator(language)
    battle = battles.battle(here.db, battle_id, PUBLIC, here.now())
    ruleset, scenario, state, winner = battle.ruleset, battle.scenario, battle.state, battle.outcome.winner
    points = {side.side: side.points for side in battle.sides}
    turn = battle.last_published
    if number:
        view = publication.turn(here.db, battle_id, number, PUBLIC)
        state, winner, points, turn = view.after, view.winner, dict(view.points), view.turn
    names = {side.side: words.text(side.name) for side in battle.sides}
    return preview(
        here.settings.url,
        battle_id,
        title=battle_title(battle.title, scenario.get("title"), words),
        language=language,
        turn=turn,
        is_turn=bool(number),
        scores={capital(names[side]): count for side, count in points.items()},
        goal=battle.outcome.goal,
        winner=names.get(winner or "", winner or ""),
        scene=ruleset.scene(state, language, scenario),
    )
