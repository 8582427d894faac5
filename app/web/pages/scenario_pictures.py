"""Scenarios as they are shown for choosing: a card, and a picture of the board as it is set up."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import Response

from app.drawing.svg import svg
from app.language import Translator
from app.referee import scenarios
from app.referee.scenarios import ScenarioLine
from app.rulesets.registry import RULESETS
from app.web.context import language_of
from app.web.deps import page_route
from app.web.markdown import html

router = APIRouter()


@dataclass(frozen=True)
class ScenarioCard:
    key: str
    title: str
    size: str
    notes: Markup


def card(line: ScenarioLine, words: Translator) -> ScenarioCard:
    return ScenarioCard(
        key=line.key, title=words.text(line.title), size=_size(line, words), notes=html(words.text(line.notes))
    )


def _size(line: ScenarioLine, words: Translator) -> str:
    """`28 units, 6 seats, a board of 15×13, to 6 points`."""
    units = words.ngettext("%(num)s unit", "%(num)s units", line.units)
    seats = words.ngettext("%(num)s seat", "%(num)s seats", line.seats)
    board = words.gettext("a board of %(size)s", size=line.size.replace("x", "×"))
    goal = words.ngettext("to %(num)s point", "to %(num)s points", int(line.frozen["goal"]))
    return f"{units}, {seats}, {board}, {goal}"


@page_route(router, "/scenarios/{key}.svg")
def picture(request: Request, key: str) -> Response:
    """The board of a known scenario before the first turn, in the reader's language."""
    body, etag = _drawn(key, language_of(request))
    headers = {"etag": etag, "cache-control": "no-cache", "vary": "Accept-Language, Cookie"}
    if etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="image/svg+xml", headers=headers)


@lru_cache(maxsize=64)
def _drawn(key: str, language: str) -> tuple[bytes, str]:
    frozen = scenarios.frozen(key)
    ruleset = RULESETS[frozen["ruleset"]]
    view = ruleset.view(ruleset.setup(frozen).state, None)
    body = svg(ruleset.scene(view, language, frozen), standalone=True).encode("utf-8")
    return body, f'"{hashlib.sha256(body).hexdigest()[:32]}"'
