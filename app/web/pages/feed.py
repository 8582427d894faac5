"""A battle's published turns as an Atom feed, as everybody may read them."""

from __future__ import annotations

from typing import NamedTuple

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.language import LANGUAGES
from app.referee import freshness
from app.web.context import language_of
from app.web.deps import Here
from app.web.feeds import KIND, as_atom, kept, read
from app.web.house import House

router = APIRouter()


class FeedKey(NamedTuple):
    battle_id: str
    language: str
    kind: str = "feed"


@router.api_route("/b/{battle_id}/feed.atom", methods=["GET", "HEAD"], include_in_schema=False)
def feed(request: Request, here: Here, battle_id: str, lang: str = "") -> Response:
    """Written once for each state of the battle and each language."""
    language = lang if lang in LANGUAGES else language_of(request)
    key, version = FeedKey(battle_id, language), freshness.version(here.db, battle_id)
    return kept(request, key, version, lambda: _written(here, battle_id, language), KIND)


def _written(here: House, battle_id: str, language: str) -> bytes:
    return as_atom(read(here, battle_id, language))
