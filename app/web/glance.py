"""What a stranger wants to know of a battle first: the goal, who has entered orders, what happened last."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from app.referee import publication, scenarios
from app.referee.views import PUBLIC, BattleView
from app.reports import headline
from app.web.cache import PageCache
from app.web.house import House


class _Key(NamedTuple):
    battle_id: str
    turn: int
    language: str
    what: str = "headline"


@dataclass(frozen=True)
class Latest:
    """The last turn that all may read, in one sentence."""

    turn: int
    resolved_at: datetime | None
    headline: str


@dataclass(frozen=True)
class Glance:
    """`entered` of `awaited` commanders have entered orders for the open turn. `latest` None: no turn is published."""

    goal: int | None
    points_rule: str | None
    """The number of the rule by which points are scored."""
    awaited: int
    entered: int
    latest: Latest | None
    again: str
    """The key of its scenario, where the battle is over and anybody may begin another; empty: not so, or it was brought."""


def glance(house: House, pages: PageCache, view: BattleView, language: str) -> Glance:
    asked = [seat for seat in view.seats if seat.awaited]
    return Glance(
        goal=view.outcome.goal,
        points_rule=view.ruleset.behind.get("points"),
        awaited=len(asked),
        entered=sum(seat.entered for seat in asked),
        latest=_latest(house, pages, view, language),
        again=_again(house, view),
    )


def _again(house: House, view: BattleView) -> str:
    if view.status != "over" or not house.settings.open_battles:
        return ""
    played = view.scenario
    shipped = next((line for line in scenarios.known() if line.key == played.get("key")), None)
    is_same = shipped is not None and shipped.frozen["board"] == played.get("board")
    return shipped.key if shipped is not None and is_same else ""


def _latest(house: House, pages: PageCache, view: BattleView, language: str) -> Latest | None:
    """Its sentence is kept as long as the battle does not change, so that a page read often reads no turn."""
    published = [line for line in view.turns if line.published_at is not None]
    if not published:
        return None
    line, key = published[-1], _Key(view.id, published[-1].turn, language)
    kept = pages.confirmed(key, view.version)
    if kept is None:
        told = headline(publication.turn(house.db, view.id, line.turn, PUBLIC), language)
        kept = pages.keep(key, told.encode("utf-8"), view.version)
    return Latest(line.turn, line.resolved_at, kept.body.decode("utf-8"))
