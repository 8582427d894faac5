"""The first page: what this is, the battles, the scenarios."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse

from app.language import Translator
from app.referee import battles, campaignviews, scenarios
from app.referee.campaignviews import CampaignLine
from app.referee.views import BattleLine
from app.web import openseats
from app.web.context import Page, frame_of, render
from app.web.deps import Here, page_route
from app.web.openseats import SoughtCard
from app.web.parts import battle_title
from app.web.scenariocards import ScenarioCard, card

router = APIRouter()
SHOWN = 30
"""Battles on one page."""


@dataclass(frozen=True)
class BattleCard:
    id: str
    title: str
    status: str
    turn: int
    score: str
    entered: int
    seats: int
    deadline: datetime | None
    zone: str
    zone_name: str
    winner: str


@dataclass(frozen=True, kw_only=True)
class HomePage(Page):
    template: ClassVar[str] = "home/home.html"
    battles: tuple[BattleCard, ...]
    skipped: int
    """How many newer ones are left out before them."""
    older: int
    """How many to leave out for those after them; 0: there are none."""
    sought: tuple[SoughtCard, ...]
    """The newest battles that look for players."""
    campaigns: tuple[CampaignLine, ...]
    scenarios: tuple[ScenarioCard, ...]
    open_battles: bool
    picture: str | None
    """The key of the scenario that is shown on top."""


@page_route(router, "/")
def home(request: Request, here: Here, older: str = "") -> HTMLResponse:
    """`older`: so many of the newest battles are left out."""
    frame = frame_of(request)
    skip = int(older) if older.isascii() and older.isdigit() and len(older) < 7 else 0
    lines = battles.listing(here.db, limit=SHOWN + 1, skip=skip)
    if skip and not lines:
        skip, lines = 0, battles.listing(here.db, limit=SHOWN + 1)
    known = scenarios.known()
    titles = {line.key: line.title for line in known}
    return render(
        HomePage(
            frame=frame,
            battles=tuple(_card(line, titles.get(line.scenario_key), frame.words) for line in lines[:SHOWN]),
            skipped=skip,
            older=skip + SHOWN if len(lines) > SHOWN else 0,
            sought=openseats.sought(here, frame.words, limit=6),
            campaigns=campaignviews.listing(here.db),
            scenarios=tuple(card(line, frame.words) for line in known),
            open_battles=here.settings.open_battles,
            picture=known[-1].key if known else None,
        )
    )


def _card(line: BattleLine, scenario_title: Mapping[str, str] | None, words: Translator) -> BattleCard:
    _ = words.gettext
    if line.winner is None:
        winner = ""
    elif line.winner == "draw":
        winner = _("A draw.")
    else:
        winner = _("Decided.")
    return BattleCard(
        id=line.id,
        title=battle_title(line.title, scenario_title, words),
        status=line.status,
        turn=line.turn,
        score=" : ".join(str(points) for points in line.points.values()),
        entered=line.entered,
        seats=line.seats,
        deadline=line.deadline,
        zone=line.zone,
        zone_name=words.zone(line.zone, line.deadline),
        winner=winner,
    )
