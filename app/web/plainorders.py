"""The orders page of a game that has no form of its own yet: the field, and one box for the orders as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from app.drawing.scene import overlay
from app.reports import problems as spoken
from app.web.orderseen import Attempt, Seen
from app.web.parts import drawn
from app.web.seatpage import SeatPage, of_seat, plan


@dataclass(frozen=True, kw_only=True)
class PlainOrders(SeatPage):
    template: ClassVar[str] = "orders/plain.html"
    mistakes: tuple[str, ...]
    warnings: tuple[str, ...]


def show_plain(seen: Seen, attempt: Attempt) -> PlainOrders:
    """The page after an attempt. What was typed stands in it, whatever was wrong with it."""
    battle, language = seen.battle, seen.frame.language
    shared = of_seat(seen, attempt)
    refused = [spoken.words(problem, language) for problem in attempt.problems if not problem.warning]
    misread = [spoken.fault_words(fault, language) for fault in attempt.faults]
    scene = overlay(seen.ruleset.scene(battle.state, language, battle.scenario), plan(seen, seen.orders))
    return PlainOrders(
        **shared | {"action": f"{shared['action']}/plain"},
        drawing=drawn(scene, interactive=True),
        mistakes=tuple(dict.fromkeys([*refused, *misread])),
        warnings=_warnings(seen),
        silent=(),
        typed=(),
    )


def _warnings(seen: Seen) -> tuple[str, ...]:
    """What may not come off of the saved answer."""
    if seen.order is None or seen.request is None:
        return ()
    found = seen.ruleset.check(seen.battle.state, seen.request, seen.order)
    return tuple(dict.fromkeys(spoken.words(problem, seen.frame.language) for problem in found if problem.warning))
