"""One unit of a battle: its values, what it may do, its rules, its story so far. A page, and a card over the board."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse

from app.drawing.svg import emblem
from app.referee import battles, publication, story
from app.referee.errors import RefereeError
from app.referee.views import BattleView
from app.reports.rules import Book, book
from app.reports.unitcards import CARDS, Cards
from app.web.context import Frame, Page, frame_of, render
from app.web.deps import Here, House, page_route
from app.web.parts import battle_title
from app.web.security import as_any

router = APIRouter()


@dataclass(frozen=True)
class FactLine:
    label: str
    text: str
    rules: tuple[str, ...]


@dataclass(frozen=True)
class RuleText:
    number: str
    html: Markup


@dataclass(frozen=True)
class StoryLine:
    turn: int
    text: str


@dataclass(frozen=True, kw_only=True)
class UnitPage(Page):
    template: ClassVar[str] = "unit/unit.html"
    battle_id: str
    title: str
    unit: str
    name: str
    told: str
    """Where it stands, whose it is, its values; empty: it is no more."""
    emblem: Markup
    facts: tuple[FactLine, ...]
    rules: tuple[RuleText, ...]
    story: tuple[StoryLine, ...]
    published: int
    """How many turns are published: without any there is no story yet."""


@page_route(router, "/b/{battle_id}/unit/{unit}")
def unit(request: Request, here: Here, battle_id: str, unit: str, turn: str = "") -> HTMLResponse:
    """`turn`: as it stood when that turn had been resolved; else as it stands."""
    return render(see(here, request, battle_id, unit, turn))


def see(here: House, request: Request, battle_id: str, unit: str, turn: str) -> UnitPage:
    """Raises `RefereeError`: no-battle, no-turn, no-page (no such unit, none that the viewer knows of, or a
    game without cards)."""
    viewer = as_any(here, request, battle_id)
    frame = frame_of(request)
    battle = battles.battle(here.db, battle_id, viewer, here.now())
    state, last = battle.state, None
    if turn:
        if not re.fullmatch(r"[1-9][0-9]{0,5}", turn, re.ASCII):
            raise RefereeError("no-turn")
        last = int(turn)
        state = publication.turn(here.db, battle_id, last, viewer).after
    cards = CARDS.get(battle.ruleset.key)
    kind = _kind(battle, state, unit) if cards is not None else None
    if cards is None or kind is None or kind not in state.types:
        raise RefereeError("no-page")
    standing = unit if unit in state.units else None
    drawn = battle.ruleset.scene(state, frame.language, battle.scenario).counters
    counter = next((one for one in drawn if one.id == unit), None)
    texts = book(frame.language, battle.ruleset.key)
    return UnitPage(
        frame=frame,
        battle_id=battle_id,
        title=battle_title(battle.title, battle.scenario.get("title"), frame.words),
        unit=unit,
        name=frame.words.text(state.types[kind].name),
        told=counter.title.partition(", ")[2].partition(", ")[2] if counter else "",
        emblem=Markup(emblem(counter)) if counter else Markup(""),  # noqa: S704  (the only SVG writer escapes every text)
        facts=_facts(cards, state, kind, standing, frame, texts),
        rules=_rules(cards, state, kind, standing, texts, battle_id),
        story=tuple(
            StoryLine(chapter.turn, "; ".join(told))
            for chapter in story.of_unit(here.db, battle_id, unit, viewer)
            if (last is None or chapter.turn <= last) and (told := cards.story(unit, chapter.events, frame.language))
        )[::-1],
        published=sum(1 for line in battle.turns if line.published_at is not None),
    )


def _kind(battle: BattleView, state: Any, unit: str) -> str | None:
    """The type of a unit that stands, else of one that began the battle."""
    standing = state.units.get(unit)
    if standing is not None:
        return str(standing.type)
    began = battle.scenario.get("units", {}).get(unit)
    return str(began["type"]) if began else None


def _facts(cards: Cards, state: Any, kind: str, standing: str | None, frame: Frame, texts: Book) -> tuple[FactLine, ...]:
    return tuple(
        FactLine(fact.label, fact.text, tuple(number for number in fact.rules if texts.has(number)))
        for fact in cards.facts(state, kind, standing, frame.language)
    )


def _rules(cards: Cards, state: Any, kind: str, standing: str | None, texts: Book, battle_id: str) -> tuple[RuleText, ...]:
    url = f"/b/{battle_id}/rules"
    numbers = (number for number in cards.rules(state, kind, standing) if texts.has(number))
    return tuple(RuleText(n, Markup(texts.html(n, url))) for n in numbers)  # noqa: S704  (our own document, cleaned)
