"""Feeds and other things that are made once and kept: a battle's Atom feed as a value, and its bytes."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Protocol

from fastapi import Request
from markupsafe import Markup
from starlette.responses import Response

from app.language import LANGUAGES, translator
from app.referee import battles, published, turns
from app.referee.logbook import moment
from app.referee.turnviews import SayingView, TurnView
from app.referee.views import PUBLIC
from app.reports import headline, prose
from app.reports.sayings import speaker
from app.web.cache import PageCache
from app.web.context import environment
from app.web.house import House
from app.web.parts import battle_title

MOST_ENTRIES = 20
KIND = "application/atom+xml; charset=utf-8"
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Told(Hashable, Protocol):
    """What is kept under such a key is written in a language."""

    @property
    def language(self) -> str: ...


@dataclass(frozen=True)
class FeedEntry:
    """`content`: HTML, as text to be escaped."""

    url: str
    title: str
    published: str
    picture: str
    """Empty: none."""
    headline: str
    content: str
    id: str = ""
    """Empty: its address."""


@dataclass(frozen=True)
class Feed:
    """All addresses are absolute."""

    url: str
    title: str
    updated: str
    language: str
    entries: tuple[FeedEntry, ...]


def kept(
    request: Request, key: Told, version: int, write: Callable[[], bytes], kind: str, *, disposition: str = ""
) -> Response:
    """What all may read, written once for each version; 304 for who has it. `key`: has its `language`."""
    pages: PageCache = request.app.state.pages
    page = pages.confirmed(key, version) or pages.keep(key, write(), version)
    headers = {"etag": page.etag, "cache-control": "public, no-cache", "content-language": key.language}
    if disposition:
        headers["content-disposition"] = disposition
    if request.query_params.get("lang") not in LANGUAGES:
        headers["vary"] = "Accept-Language, Cookie"
    if page.etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(page.body, media_type=kind, headers=headers)


def as_atom(made: Feed) -> bytes:
    return environment(made.language).get_template("feed/feed.atom").render(feed=made).encode("utf-8")


def read(here: House, battle_id: str, language: str) -> Feed:
    """The newest turns first. Raises `RefereeError("no-battle")`."""
    words = translator(language)
    battle = battles.battle(here.db, battle_id, PUBLIC, here.now())
    lines = [line for line in turns.history(here.db, battle_id, PUBLIC) if line.published_at is not None]
    newest = published.in_a_row(here.db, battle_id, [line.turn for line in lines[-MOST_ENTRIES:]])
    return Feed(
        url=here.link(f"/b/{battle.id}"),
        title=clean(battle_title(battle.title, battle.scenario.get("title"), words)),
        updated=moment(lines[-1].published_at if lines else battle.created_at) or "",
        language=language,
        entries=tuple(entry(here, turn, language) for turn in reversed(newest)),
    )


def entry(here: House, turn: TurnView, language: str) -> FeedEntry:
    url = here.link(f"/b/{turn.battle_id}/t/{turn.turn}")
    picture = f"{url}.png?lang={language}"
    told = clean(headline(turn, language))
    content = Markup('<p>{0}</p><p><a href="{1}"><img src="{2}" alt="{0}"></a></p>').format(told, url, picture)
    content += Markup("").join(_said(saying, turn, language) for saying in turn.sayings)
    title = translator(language).gettext("Turn %(turn)s", turn=turn.turn)
    return FeedEntry(url, title, moment(turn.published_at) or "", picture, told, clean(str(content)))


def _said(saying: SayingView, turn: TurnView, language: str) -> Markup:
    who = speaker(saying, turn.scenario, language)
    return Markup("<p><strong>{}:</strong> {}</p>").format(who, prose.inline(saying.text))


def clean(text: str) -> str:
    """Without signs that XML cannot hold."""
    return _NOT_XML.sub("", text)
