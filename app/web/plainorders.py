"""The orders page of a game that has no form of its own yet: the field, and one box for the orders as text."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar
from urllib.parse import quote

from app.drawing.scene import overlay
from app.engine.ruleset import Fault, Problem
from app.referee.turnviews import Receipt
from app.referee.views import BattleView
from app.reports import problems as spoken
from app.web.battlecards import SideCard, Stand, sides, stand
from app.web.context import Page
from app.web.orderseen import Seen
from app.web.orderspage import as_text, plan, silence
from app.web.parts import Drawing, capital, drawn

FORMS = frozenset({"cohesion"})
"""Rulesets with a form: their order of a unit has the parts of `orderform`, and their units stand in cards."""


def is_plain(battle: BattleView) -> bool:
    return battle.ruleset.key not in FORMS


@dataclass(frozen=True)
class PlainAttempt:
    """What somebody has just tried. `told`: `saved`, or the code of a refusal, or nothing; `text`: what he typed."""

    told: str = ""
    sentence: str = ""
    text: str | None = None
    problems: tuple[Problem, ...] = ()
    faults: tuple[Fault, ...] = field(default=())


@dataclass(frozen=True, kw_only=True)
class PlainOrders(Page):
    template: ClassVar[str] = "orders/plain.html"
    stand: Stand
    sides: tuple[SideCard, ...]
    name: str
    side: str
    action: str
    """Where the forms of this page go."""
    on_behalf: bool
    is_awaited: bool
    is_ready: bool
    is_entered: bool
    revision: int
    drawing: Drawing
    told: str
    sentence: str
    mistakes: tuple[str, ...]
    warnings: tuple[str, ...]
    text: str
    saved_text: str
    silent: tuple[str, ...]
    silence_means: str
    receipt: Receipt | None
    entered_at: datetime | None


def show_plain(seen: Seen, attempt: PlainAttempt) -> PlainOrders:
    """The page after an attempt. What was typed stands in it, whatever was wrong with it."""
    battle, words, language = seen.battle, seen.frame.words, seen.frame.language
    seat = quote(seen.seat.seat, safe="")
    on_behalf = seen.viewer.kind == "master"
    saved = as_text(seen)
    refused = [spoken.words(problem, language) for problem in attempt.problems if not problem.warning]
    misread = [spoken.fault_words(fault, language) for fault in attempt.faults]
    return PlainOrders(
        frame=seen.frame,
        stand=stand(battle, words),
        sides=sides(battle, words),
        name=capital(words.text(seen.seat.name)),
        side=next((capital(words.text(side.name)) for side in battle.sides if side.side == seen.seat.side), ""),
        action=f"/b/{battle.id}/desk/orders/{seat}/plain" if on_behalf else f"/b/{battle.id}/seat/{seat}/plain",
        on_behalf=on_behalf,
        is_awaited=seen.request is not None,
        is_ready=seen.seat.ready,
        is_entered=seen.seat.entered,
        revision=seen.revision,
        drawing=drawn(
            overlay(seen.ruleset.scene(battle.state, language, battle.scenario), plan(seen, seen.orders)), interactive=True
        ),
        told=attempt.told,
        sentence=attempt.sentence,
        mistakes=tuple(dict.fromkeys([*refused, *misread])),
        warnings=_warnings(seen),
        text=saved if attempt.text is None else attempt.text,
        saved_text=saved,
        silent=(),
        silence_means=silence(seen, words),
        receipt=seen.receipt,
        entered_at=seen.entered_at,
    )


def _warnings(seen: Seen) -> tuple[str, ...]:
    """What may not come off of the saved answer."""
    if seen.order is None or seen.request is None:
        return ()
    found = seen.ruleset.check(seen.battle.state, seen.request, seen.order)
    return tuple(dict.fromkeys(spoken.words(problem, seen.frame.language) for problem in found if problem.warning))
