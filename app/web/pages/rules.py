"""The rules, with an anchor at every number: of a ruleset, and of a battle with its rulings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse

from app.language import Translator
from app.referee import battles, precedents
from app.referee.errors import RefereeError
from app.referee.views import PUBLIC
from app.reports.rules import Book, Section, book
from app.rulesets.registry import RULESETS
from app.web.context import Page, frame_of, render
from app.web.deps import Here, House, page_route
from app.web.parts import battle_title
from app.web.rulings import Switch, switches

router = APIRouter()
_HEAD = re.compile(r"(?<=class=\"rule-number\">)([A-Z0-9-]+)</a></strong>")
"""The number that heads a rule."""


@dataclass(frozen=True, kw_only=True)
class RulesPage(Page):
    template: ClassVar[str] = "rules/rules.html"
    battle_id: str | None
    title: str | None
    switches: tuple[Switch, ...]
    sections: tuple[Section, ...]
    text: Markup


@dataclass(frozen=True)
class Game:
    key: str
    title: str


@dataclass(frozen=True, kw_only=True)
class GamesPage(Page):
    template: ClassVar[str] = "rules/games.html"
    games: tuple[Game, ...]


@page_route(router, "/rules")
def of_games(request: Request, here: Here) -> HTMLResponse:
    """Where there is one game, its rules."""
    if len(RULESETS) == 1:
        return of_ruleset(request, here, next(iter(RULESETS)))
    frame = frame_of(request)
    return render(GamesPage(frame=frame, games=tuple(Game(key, book(frame.language, key).title or key) for key in RULESETS)))


@page_route(router, "/rules/{ruleset}")
def of_ruleset(request: Request, here: Here, ruleset: str) -> HTMLResponse:
    known = RULESETS.get(ruleset)
    if known is None:
        raise RefereeError("no-page")
    frame = frame_of(request)
    rules = book(frame.language, ruleset)
    return render(
        RulesPage(
            frame=frame,
            battle_id=None,
            title=None,
            switches=switches(known, {}, frame.words),
            sections=rules.sections,
            text=_text(rules, here, frame.words),
        )
    )


@page_route(router, "/b/{battle_id}/rules")
def of_battle(request: Request, here: Here, battle_id: str) -> HTMLResponse:
    view = battles.battle(here.db, battle_id, PUBLIC, here.now())
    frame = frame_of(request)
    rules = book(frame.language, view.ruleset.key)
    return render(
        RulesPage(
            frame=frame,
            battle_id=battle_id,
            title=battle_title(view.title, view.scenario.get("title"), frame.words),
            switches=switches(view.ruleset, dict(view.rulings), frame.words),
            sections=rules.sections,
            text=_text(rules, here, frame.words),
        )
    )


def _text(rules: Book, here: House, words: Translator) -> Markup:
    """With a way to what was ruled before, at each number that a ruling has named."""
    page, named = rules.page(), {number.upper() for number in precedents.numbers(here.db)}
    link = Markup('{}</a></strong> <a class="small" href="/precedents?rule={}">{}</a>')
    told = words.gettext("what was ruled on it")
    page = _HEAD.sub(lambda found: str(link.format(found[1], found[1], told)) if found[1] in named else found[0], page)
    return Markup(page)  # noqa: S704  (our own document, cleaned by its reader)
