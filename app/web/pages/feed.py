"""A battle's published turns as an Atom feed, as everybody may read them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import Response

from app.language import LANGUAGES, translator
from app.referee import battles, freshness, publication, turns
from app.referee.logbook import moment
from app.referee.views import PUBLIC, SayingView, TurnLine, TurnView
from app.reports import headline, prose
from app.reports.sayings import speaker
from app.web.api.house import House
from app.web.cache import PageCache
from app.web.context import environment, language_of
from app.web.deps import Here
from app.web.parts import battle_title

router = APIRouter()
MOST_ENTRIES = 20
KIND = "application/atom+xml; charset=utf-8"
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class FeedKey(NamedTuple):
    battle_id: str
    language: str
    kind: str = "feed"


@dataclass(frozen=True)
class FeedEntry:
    """`content`: HTML, as text to be escaped."""

    url: str
    title: str
    published: str
    picture: str
    headline: str
    content: str


@dataclass(frozen=True)
class Feed:
    """All addresses are absolute."""

    url: str
    title: str
    updated: str
    language: str
    entries: tuple[FeedEntry, ...]


@router.api_route("/b/{battle_id}/feed.atom", methods=["GET", "HEAD"], include_in_schema=False)
def feed(request: Request, here: Here, battle_id: str, lang: str = "") -> Response:
    """Written once for each state of the battle and each language."""
    language = lang if lang in LANGUAGES else language_of(request)
    pages: PageCache = request.app.state.pages
    key, version = FeedKey(battle_id, language), freshness.version(here.db, battle_id)
    kept = pages.confirmed(key, version) or pages.keep(key, _written(here, battle_id, language), version)
    headers = {"etag": kept.etag, "cache-control": "public, no-cache", "content-language": language}
    if lang not in LANGUAGES:
        headers["vary"] = "Accept-Language, Cookie"
    if kept.etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(kept.body, media_type=KIND, headers=headers)


def _written(here: House, battle_id: str, language: str) -> bytes:
    made = read(here, battle_id, language)
    return environment(language).get_template("feed/feed.atom").render(feed=made).encode("utf-8")


def read(here: House, battle_id: str, language: str) -> Feed:
    """The newest turns first. Raises `RefereeError("no-battle")`."""
    words = translator(language)
    battle = battles.battle(here.db, battle_id, PUBLIC, here.now())
    lines = [line for line in turns.history(here.db, battle_id, PUBLIC) if line.published_at is not None]
    return Feed(
        url=here.link(f"/b/{battle.id}"),
        title=_clean(battle_title(battle.title, battle.scenario.get("title"), words)),
        updated=_moment(lines[-1]) if lines else moment(battle.created_at) or "",
        language=language,
        entries=tuple(_entry(here, battle.id, line, language) for line in reversed(lines[-MOST_ENTRIES:])),
    )


def _entry(here: House, battle_id: str, line: TurnLine, language: str) -> FeedEntry:
    url = here.link(f"/b/{battle_id}/t/{line.turn}")
    picture = f"{url}.png?lang={language}"
    turn = publication.turn(here.db, battle_id, line.turn, PUBLIC)
    told = _clean(headline(turn, language))
    content = Markup('<p>{0}</p><p><a href="{1}"><img src="{2}" alt="{0}"></a></p>').format(told, url, picture)
    content += Markup("").join(_said(saying, turn, language) for saying in turn.sayings)
    title = translator(language).gettext("Turn %(turn)s", turn=line.turn)
    return FeedEntry(url, title, _moment(line), picture, told, _clean(str(content)))


def _said(saying: SayingView, turn: TurnView, language: str) -> Markup:
    who = speaker(saying, turn.scenario, language)
    return Markup("<p><strong>{}:</strong> {}</p>").format(who, prose.inline(saying.text))


def _moment(line: TurnLine) -> str:
    return moment(line.published_at) or ""


def _clean(text: str) -> str:
    """Without signs that XML cannot hold."""
    return _NOT_XML.sub("", text)
