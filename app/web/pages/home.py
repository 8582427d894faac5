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
    sought: tuple[SoughtCard, ...]
    """The newest battles that look for players."""
    campaigns: tuple[CampaignLine, ...]
    scenarios: tuple[ScenarioCard, ...]
    open_battles: bool
    picture: str | None
    """The key of the scenario that is shown on top."""


@page_route(router, "/")
def home(request: Request, here: Here) -> HTMLResponse:
    frame = frame_of(request)
    known = scenarios.known()
    titles = {line.key: line.title for line in known}
    return render(
        HomePage(
            frame=frame,
            battles=tuple(
                _card(line, titles.get(line.scenario_key), frame.words) for line in battles.listing(here.db, limit=30)
            ),
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
