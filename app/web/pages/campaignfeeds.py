"""A campaign's deadlines as an iCalendar feed, and what happened in it as an Atom feed, as everybody may read them."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime
from typing import NamedTuple

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import Response

from app.language import LANGUAGES, Translator, translator
from app.referee import battles, campaignviews, moderation, published, turns
from app.referee.campaignviews import CampaignView, JoinedBattle
from app.referee.logbook import moment
from app.referee.views import PUBLIC, BattleView, LogLine
from app.reports.logwords import log_words
from app.web import calendars, campaignwords, feeds
from app.web.campaignwords import battle_name
from app.web.context import language_of
from app.web.deps import Here
from app.web.feeds import Feed, FeedEntry, clean, kept
from app.web.house import House
from app.web.parts import capital

router = APIRouter()
MOST_ENTRIES = 40
TURNS = 20
"""So many of a battle's newest turns may stand in the feed."""
RULED = frozenset({"ruled", "rerolled", "set-aside", "rewound", "taken-up"})
"""Lines of a battle's log that are told."""


class CampaignKey(NamedTuple):
    campaign_id: str
    language: str
    kind: str


class Dated(NamedTuple):
    at: datetime
    entry: FeedEntry


@router.api_route("/c/{campaign_id}/deadlines.ics", methods=["GET", "HEAD"], include_in_schema=False)
def deadlines(request: Request, here: Here, campaign_id: str, lang: str = "") -> Response:
    """Of all its battles that go on."""
    language = lang if lang in LANGUAGES else language_of(request)
    key, mark = CampaignKey(campaign_id, language, "calendar"), campaignviews.mark(here.db, campaign_id)
    name = f'inline; filename="{campaign_id}.ics"'
    return kept(request, key, mark, lambda: _calendar(here, campaign_id, language), calendars.KIND, disposition=name)


@router.api_route("/c/{campaign_id}/feed.atom", methods=["GET", "HEAD"], include_in_schema=False)
def atom(request: Request, here: Here, campaign_id: str, lang: str = "") -> Response:
    """Turns that were published, rulings, battles begun and ended."""
    language = lang if lang in LANGUAGES else language_of(request)
    key, mark = CampaignKey(campaign_id, language, "feed"), campaignviews.mark(here.db, campaign_id)
    return kept(request, key, mark, lambda: feeds.as_atom(read(here, campaign_id, language)), feeds.KIND)


def _calendar(here: House, campaign_id: str, language: str) -> bytes:
    view, words = campaignviews.campaign(here.db, campaign_id), translator(language)
    zone = view.battles[-1].zone if view.battles else "UTC"
    made = calendars.empty(view.title, zone)
    for joined in view.battles:
        if not joined.is_playable:
            continue
        battle = battles.battle(here.db, joined.id, PUBLIC, here.now())
        calendars.add(made, battle, battle_name(joined, words), here.link(f"/b/{battle.id}"), words)
    told: bytes = made.to_ical()
    return told


def read(here: House, campaign_id: str, language: str) -> Feed:
    """The newest first. Raises `RefereeError("no-campaign")`."""
    view, words = campaignviews.campaign(here.db, campaign_id), translator(language)
    url = here.link(f"/c/{view.id}")
    found = [_own(view, url, words, number) for number in range(len(view.rulings))]
    for joined in view.battles:
        if joined.is_playable:
            found += _of_battle(here, joined, words)
    found.sort(key=lambda dated: (dated.at, dated.entry.id or dated.entry.url), reverse=True)
    newest = found[0].at if found else view.created_at
    return Feed(
        url=url,
        title=clean(view.title),
        updated=moment(newest) or "",
        language=language,
        entries=tuple(dated.entry for dated in found[:MOST_ENTRIES]),
    )


def _of_battle(here: House, joined: JoinedBattle, words: Translator) -> list[Dated]:
    battle = battles.battle(here.db, joined.id, PUBLIC, here.now())
    name, url = clean(battle_name(joined, words)), here.link(f"/b/{joined.id}")
    found = [_told(words.gettext("%(battle)s: begun", battle=name), battle.created_at, url, f"{url}#begun")]
    lines = [line for line in turns.history(here.db, joined.id, PUBLIC) if line.published_at is not None][-TURNS:]
    found += [
        Dated(turn.published_at, _named(feeds.entry(here, turn, words.language), name))
        for turn in published.in_a_row(here.db, joined.id, [line.turn for line in lines])
        if turn.published_at is not None
    ]
    if battle.status == "over" and battle.outcome.winner is not None:
        ended = max((line.published_at for line in lines if line.published_at), default=battle.created_at)
        found.append(_told(_ending(battle, name, words), ended, url, f"{url}#ended"))
    for done in moderation.log(here.db, joined.id, PUBLIC):
        if done.what in RULED:
            text = log_words(done.what, done.params, words.language, scenario=battle.scenario, zone=battle.zone)
            found.append(_told(f"{name}: {clean(text)}", done.at, f"{url}/log", f"{url}/log#{_mark(done)}"))
    return found


def _mark(line: LogLine) -> str:
    """The same for ever, whatever is told before it later."""
    told = json.dumps([line.turn, line.what, line.params], sort_keys=True)
    return f"{moment(line.at)}-{hashlib.sha256(told.encode()).hexdigest()[:8]}"


def _ending(battle: BattleView, name: str, words: Translator) -> str:
    winner = battle.outcome.winner or ""
    if winner == "draw":
        return words.gettext("%(battle)s: ended in a draw", battle=name)
    names = {side.side: capital(words.text(side.name)) for side in battle.sides}
    return words.gettext("%(battle)s: won by %(winner)s", battle=name, winner=clean(names.get(winner, winner)))


def _own(view: CampaignView, url: str, words: Translator, number: int) -> Dated:
    """A ruling of the campaign's own game master."""
    one = view.rulings[number]
    text = clean(campaignwords.ruling(one, view, words))
    return _told(text, one.made_at, f"{url}/standings", f"{url}#ruling-{one.id}")


def _named(entry: FeedEntry, battle: str) -> FeedEntry:
    return FeedEntry(
        entry.url, f"{battle} · {entry.title}", entry.published, entry.picture, entry.headline, entry.content, entry.id
    )


def _told(text: str, at: datetime, url: str, identity: str) -> Dated:
    content = Markup('<p><a href="{1}">{0}</a></p>').format(text, url)
    return Dated(at, FeedEntry(url, text, moment(at) or "", "", text, str(content), identity))
