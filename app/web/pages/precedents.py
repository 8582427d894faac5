"""What game masters ruled before, over all battles: searched by words, and by the number of a rule."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, ClassVar
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse

from app.engine.ruleset import Json
from app.referee import precedents
from app.referee.precedents import Precedent
from app.reports import differing
from app.reports.rules import book
from app.rulesets.registry import RULESETS
from app.web.context import Frame, Page, frame_of, render
from app.web.deps import Here, page_route
from app.web.parts import battle_title

router = APIRouter()
LONGEST = 200


@dataclass(frozen=True)
class PrecedentCard:
    battle_id: str
    title: str
    turn: int
    url: str
    reason: str
    rule: str
    rule_url: str
    kind: str
    made_at: datetime
    changes: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class PrecedentsPage(Page):
    template: ClassVar[str] = "precedents/precedents.html"
    q: str
    rule: str
    rule_example: str
    """A number of a game that is played here; empty: there is none."""
    found: tuple[PrecedentCard, ...]
    older: str


@page_route(router, "/precedents")
def search(request: Request, here: Here, q: str = "", rule: str = "", before: str = "") -> HTMLResponse:
    frame = frame_of(request)
    q, rule = (_line(text) for text in (q, rule))
    since = int(before) if before.isascii() and before.isdigit() and len(before) < 10 else None
    found = precedents.search(here.db, q=q, rule=rule, before=since)
    older = ""
    if found.before is not None:
        older = "/precedents?" + urlencode({"q": q, "rule": rule, "before": found.before})
    cards = tuple(_card(one, frame) for one in found.precedents)
    example = next(filter(None, (book(frame.language, game).example for game in RULESETS)), "")
    return render(PrecedentsPage(frame=frame, q=q, rule=rule, rule_example=example, found=cards, older=older))


def _line(text: str) -> str:
    return " ".join("".join(c for c in text if c.isprintable()).split())[:LONGEST]


def _card(one: Precedent, frame: Frame) -> PrecedentCard:
    title = battle_title(one.title, one.scenario.get("title"), frame.words)
    try:
        state = _start(one.ruleset, _Frozen(one.scenario))
        changes = differing.ruled(one.ruleset.key, one.events, state, one.scenario, frame.language)
    except KeyError:
        changes = ()
    return PrecedentCard(
        battle_id=one.battle_id,
        title=title,
        turn=one.turn,
        url=f"/b/{one.battle_id}/t/{one.turn}" if one.stage == "review" else f"/b/{one.battle_id}",
        reason=one.reason,
        rule=one.rule or "",
        rule_url=f"/rules/{one.ruleset.key}#{one.rule}" if one.rule else "",
        kind=one.kind,
        made_at=one.made_at,
        changes=changes,
    )


class _Frozen:
    """A scenario as a key of what was made of it."""

    def __init__(self, scenario: Json) -> None:
        self.scenario = scenario

    def __hash__(self) -> int:
        return hash((self.scenario.get("key"), len(str(self.scenario))))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Frozen) and self.scenario == other.scenario


@lru_cache(maxsize=32)
def _start(ruleset: Any, frozen: _Frozen) -> Any:
    """A state of the battle, for its board, types and sides."""
    return ruleset.setup(frozen.scenario).state
