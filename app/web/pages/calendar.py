"""A battle's deadlines as an iCalendar feed, as everybody may read them."""

from __future__ import annotations

from typing import NamedTuple

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.language import LANGUAGES
from app.referee import battles, freshness
from app.referee.views import PUBLIC
from app.web.calendars import KIND, made
from app.web.context import language_of
from app.web.deps import Here
from app.web.feeds import kept
from app.web.house import House

router = APIRouter()


class CalendarKey(NamedTuple):
    battle_id: str
    language: str
    kind: str = "calendar"


@router.api_route("/b/{battle_id}/deadlines.ics", methods=["GET", "HEAD"], include_in_schema=False)
def calendar(request: Request, here: Here, battle_id: str, lang: str = "") -> Response:
    """Written once for each state of the battle and each language."""
    language = lang if lang in LANGUAGES else language_of(request)
    key, version = CalendarKey(battle_id, language), freshness.version(here.db, battle_id)
    name = f'inline; filename="{battle_id}.ics"'
    return kept(request, key, version, lambda: _written(here, battle_id, language), KIND, disposition=name)


def _written(here: House, battle_id: str, language: str) -> bytes:
    battle = battles.battle(here.db, battle_id, PUBLIC, here.now())
    told: bytes = made(battle, here.link(f"/b/{battle.id}"), language).to_ical()
    return told
