"""A seat's sheet as the orders page's own scripts get it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from app.engine.ruleset import Json, Problem
from app.reports import problems as spoken
from app.web.context import part
from app.web.orderseen import Attempt, Seen
from app.web.orderspage import OrdersPage, desk_of, show
from app.web.ordertext import orders_by_unit
from app.web.reply import moment
from app.web.unitcards import Choice, Desk, UnitCard, part_of

STATE = "orders/state.html"
"""What the referee has, as a part of the page."""


def sheet(seen: Seen, now: datetime) -> dict[str, Json]:
    """All that a page has to know to stand beside another page of the same seat. For the seat alone."""
    page, battle = show(seen, Attempt()), seen.battle
    is_over = battle.status == "open" and battle.deadline is not None and battle.deadline <= now
    receipt = seen.receipt
    return {
        "turn": battle.turn,
        "status": battle.status,
        "open": page.is_awaited and not is_over,
        "awaited": page.is_awaited,
        "published": page.stand.published,
        "revision": seen.revision,
        "ready": page.is_ready,
        "at": moment(seen.entered_at),
        "orders": dict(orders_by_unit(seen.orders)),
        "units": {card.id: fields(card) for card in page.cards},
        "warnings": places(_warnings(seen), desk_of(seen)),
        "receipt": {"digest": receipt.digest, "nonce": receipt.nonce, "canonical": receipt.canonical} if receipt else None,
        "state": _state(page),
    }


def fields(card: UnitCard) -> Mapping[str, Any]:
    """The fields of a unit, with the words of what is chosen."""
    moves = tuple(choice for group in card.moves for choice in group.choices)
    chosen = {"shoot": card.shoot, "fight": card.fight, "move": moves}
    return {part: _choice(choices) for part, choices in chosen.items()} | {
        "path": card.filled.path,
        "hold": card.filled.hold,
    }


def places(problems: Iterable[Problem], desk: Desk) -> list[Json]:
    """Problems with their units and the parts of the form at which they stand."""
    told = []
    for problem in problems:
        unit = problem.field[0] if problem.field else ""
        text = spoken.words(problem, desk.words.language)
        told.append(place(desk, unit, part_of(problem), problem.code, text))
    return told


def contradictions(troubles: Mapping[tuple[str, str], str], desk: Desk) -> list[Json]:
    """The same of fields that cannot be read as one order."""
    return [place(desk, unit, part, "contradiction", text) for (unit, part), text in troubles.items()]


def place(desk: Desk, unit: str, part: str, code: str, text: str) -> Json:
    name = f"{desk.unit(unit)}: " if unit else ""
    return {"unit": unit, "part": part, "code": code, "words": name + text}


def _state(page: OrdersPage) -> str:
    return part(page, STATE) if page.is_awaited else ""


def _warnings(seen: Seen) -> tuple[Problem, ...]:
    if seen.order is None or seen.request is None:
        return ()
    return tuple(p for p in seen.ruleset.check(seen.battle.state, seen.request, seen.order) if p.warning)


def _choice(choices: tuple[Choice, ...]) -> Json:
    found = next((choice for choice in choices if choice.selected), None)
    return {"value": found.value, "label": found.label, "says": found.says} if found else {"value": ""}
