"""A campaign's own pages: battles and standings, how each number came to be, the next deadlines, what was done by whom."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse

from app.language import Translator
from app.referee import battles, campaignviews
from app.referee.campaignviews import CampaignView, JoinedBattle
from app.referee.rows import AWAITING
from app.referee.standings import Score, Standing
from app.referee.views import PUBLIC
from app.web import campaignwords
from app.web.campaignpreview import previewed
from app.web.campaignwords import battle_name
from app.web.context import Page, frame_of, render
from app.web.deps import Here, page_route
from app.web.house import House
from app.web.markdown import html
from app.web.parts import battle_title, capital
from app.web.preview import Preview
from app.web.security import as_campaign

router = APIRouter()
SOON = 4
"""So many of the next deadlines stand on the campaign's own page."""


@dataclass(frozen=True)
class BattleCard:
    id: str
    name: str
    title: str
    """Empty where the name says it already."""
    status: str
    turn: int
    score: str
    deadline: datetime | None
    zone: str
    zone_name: str
    winner: str
    """The winning side's name, `draw`, or empty."""


@dataclass(frozen=True)
class Source:
    """One thing that a number is made of, and where it can be read. `url` empty: nowhere."""

    where: str
    text: str
    url: str


@dataclass(frozen=True)
class Row:
    """`anchor`: of what it is made of, on the page of standings."""

    name: str
    index: int
    colour: str
    score: Score
    anchor: str
    sources: tuple[Source, ...]


@dataclass(frozen=True)
class DeadlineLine:
    """`is_set`: of the open turn; else as the schedule has it, if each turn is resolved at its own."""

    at: datetime
    zone: str
    zone_name: str
    battle_id: str
    battle: str
    turn: int
    is_set: bool


@dataclass(frozen=True)
class RulingLine:
    at: datetime
    by: str
    text: str


@dataclass(frozen=True, kw_only=True)
class CampaignPage(Page):
    template: ClassVar[str] = "campaign/campaign.html"
    preview: Preview
    campaign_id: str
    title: str
    description: Markup
    battles: tuple[BattleCard, ...]
    sides: tuple[Row, ...]
    commanders: tuple[Row, ...]
    tells_units: bool
    deadlines: tuple[DeadlineLine, ...]
    has_more: bool
    rulings: tuple[RulingLine, ...]
    masters: tuple[str, ...]
    is_master: bool


@dataclass(frozen=True, kw_only=True)
class StandingsPage(Page):
    template: ClassVar[str] = "campaign/standings.html"
    campaign_id: str
    title: str
    sides: tuple[Row, ...]
    commanders: tuple[Row, ...]
    tells_units: bool


@dataclass(frozen=True, kw_only=True)
class CalendarPage(Page):
    template: ClassVar[str] = "campaign/calendar.html"
    campaign_id: str
    title: str
    deadlines: tuple[DeadlineLine, ...]


@dataclass(frozen=True, kw_only=True)
class CampaignLogPage(Page):
    template: ClassVar[str] = "campaign/log.html"
    campaign_id: str
    title: str
    lines: tuple[RulingLine, ...]


@page_route(router, "/c/{campaign_id}")
def campaign(request: Request, here: Here, campaign_id: str) -> HTMLResponse:
    frame = frame_of(request)
    words = frame.words
    view = campaignviews.campaign(here.db, campaign_id)
    soon = deadlines(here, view, words)
    cards = tuple(card(battle, words) for battle in view.battles)
    return render(
        CampaignPage(
            frame=frame,
            preview=previewed(here, view, frame.language),
            campaign_id=view.id,
            title=view.title,
            description=html(words.text(view.description)),
            battles=cards,
            sides=_rows(view.by_side, view, words, "side"),
            commanders=_rows(view.by_commander, view, words, "commander"),
            tells_units=view.tells_units,
            deadlines=soon[:SOON],
            has_more=len(soon) > SOON,
            rulings=tuple(
                RulingLine(one.made_at, one.by or words.gettext("game master"), campaignwords.ruling(one, view, words))
                for one in reversed(view.rulings)
            ),
            masters=tuple(one.name for one in view.masters if one.name),
            is_master=as_campaign(here, request, campaign_id) is not None,
        )
    )


@page_route(router, "/c/{campaign_id}/standings")
def standings(request: Request, here: Here, campaign_id: str) -> HTMLResponse:
    frame = frame_of(request)
    view = campaignviews.campaign(here.db, campaign_id)
    return render(
        StandingsPage(
            frame=frame,
            campaign_id=view.id,
            title=view.title,
            sides=_rows(view.by_side, view, frame.words, "side"),
            commanders=_rows(view.by_commander, view, frame.words, "commander"),
            tells_units=view.tells_units,
        )
    )


@page_route(router, "/c/{campaign_id}/calendar")
def calendar(request: Request, here: Here, campaign_id: str) -> HTMLResponse:
    frame = frame_of(request)
    view = campaignviews.campaign(here.db, campaign_id)
    soon = deadlines(here, view, frame.words)
    return render(CalendarPage(frame=frame, campaign_id=view.id, title=view.title, deadlines=soon))


@page_route(router, "/c/{campaign_id}/log")
def log(request: Request, here: Here, campaign_id: str) -> HTMLResponse:
    """Newest first."""
    frame = frame_of(request)
    words, view = frame.words, campaignviews.campaign(here.db, campaign_id)
    lines = tuple(
        RulingLine(line.at, line.name or words.gettext("game master"), campaignwords.log_line(line, view, words))
        for line in reversed(campaignviews.log(here.db, campaign_id))
    )
    return render(CampaignLogPage(frame=frame, campaign_id=view.id, title=view.title, lines=lines))


def card(battle: JoinedBattle, words: Translator) -> BattleCard:
    names = {side: capital(words.text(name)) for side, name in battle.side_names.items()}
    winner = battle.winner or "" if battle.status == "over" else ""
    return BattleCard(
        id=battle.id,
        name=battle_name(battle, words),
        title=battle_title(battle.title, battle.scenario_title, words) if battle.label else "",
        status=battle.status,
        turn=battle.turn,
        score=", ".join(f"{names.get(side, side)} {points}" for side, points in battle.points.items()),
        deadline=battle.deadline,
        zone=battle.zone,
        zone_name=words.zone(battle.zone, battle.deadline),
        winner=names.get(winner, winner),
    )


def deadlines(here: House, view: CampaignView, words: Translator) -> tuple[DeadlineLine, ...]:
    """Of all battles that go on, the next first."""
    found = []
    for joined in view.battles:
        if joined.status == "over" or not joined.is_playable:
            continue
        battle, name = battles.battle(here.db, joined.id, PUBLIC, here.now()), battle_name(joined, words)
        set_now = [(battle.deadline, True)] if battle.status in AWAITING and battle.deadline is not None else []
        later = [(at, False) for at in battle.ahead] if battle.pause is None else []
        for turn, (at, is_set) in enumerate([*set_now, *later], start=battle.turn + (0 if set_now else 1)):
            found.append(DeadlineLine(at, battle.zone, words.zone(battle.zone, at), battle.id, name, turn, is_set))
    return tuple(sorted(found, key=lambda line: (line.at, line.battle)))


def _rows(standings: tuple[Standing, ...], view: CampaignView, words: Translator, kind: str) -> tuple[Row, ...]:
    names = {battle.id: battle_name(battle, words) for battle in view.battles}
    return tuple(
        Row(
            name=capital(words.text(one.name)) if one.name else one.key,
            index=index,
            colour=one.colour,
            score=one.score,
            anchor=f"{kind}-{index + 1}",
            sources=tuple(
                Source(
                    where=_where(names.get(item.battle, ""), item.turn, words),
                    text=campaignwords.item(item, words),
                    url=f"/b/{item.battle}/t/{item.turn}" if item.turn else f"/b/{item.battle}" if item.battle else "",
                )
                for item in one.items
            ),
        )
        for index, one in enumerate(standings)
    )


def _where(battle: str, turn: int, words: Translator) -> str:
    return words.gettext("%(battle)s, turn %(turn)s", battle=battle, turn=turn) if turn else battle
