"""What the page of a seat's orders says whatever the game is: whose it is, what the referee has of it, where it leads."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote

from app.drawing.scene import Route
from app.engine.ruleset import Json
from app.language import Translator
from app.referee.turnviews import Receipt
from app.reports import seatwords
from app.reports.scores import Score
from app.web.battlecards import Stand, sides, stand
from app.web.context import Page
from app.web.leaves import LeaveCard, leave_card
from app.web.orderseen import Attempt, Seen
from app.web.parts import Drawing, capital
from app.web.rulings import switches
from app.web.talking import TalkLink


@dataclass(frozen=True, kw_only=True)
class SeatPage(Page):
    stand: Stand
    sides: tuple[Score, ...]
    has_notes: bool
    """The scenario has words of its own, which stand on the battle's page."""
    name: str
    side: str
    holder: str
    seat_url: str
    """The seat's own pages begin with it."""
    keep_url: str
    action: str
    """Where the forms of this page go."""
    on_behalf: bool
    is_deputy: bool
    is_own: bool
    """The reader is its holder: he neither stands in nor shares it."""
    leave: LeaveCard | None
    is_awaited: bool
    is_ready: bool
    is_entered: bool
    revision: int
    drawing: Drawing
    told: str
    sentence: str
    silent: tuple[str, ...]
    silence_means: str
    saved_text: str
    """What is saved, as the lines of a text."""
    typed: tuple[str, ...]
    """What was sent and not kept, as far as it stands nowhere else on the page."""
    text: str
    receipt: Receipt | None
    entered_at: datetime | None
    talk: tuple[TalkLink, ...] = ()
    """Where the seat may talk, on a page that was opened."""


def of_seat(seen: Seen, attempt: Attempt) -> dict[str, Any]:
    """The fields of a `SeatPage` that no game has a word in; `action` is where a page goes that has no other way."""
    battle, words = seen.battle, seen.frame.words
    seat = quote(seen.seat.seat, safe="")
    own = f"/b/{battle.id}/seat/{seat}"
    on_behalf = seen.viewer.kind == "master"
    saved = as_text(seen)
    return {
        "frame": seen.frame,
        "stand": stand(battle, words),
        "sides": sides(battle, words),
        "has_notes": bool(words.text(battle.scenario.get("notes")).strip()),
        "name": capital(words.text(seen.seat.name)),
        "side": next((capital(words.text(side.name)) for side in battle.sides if side.side == seen.seat.side), ""),
        "holder": _given(attempt, "holder", seen.seat.holder or ""),
        "seat_url": own,
        "keep_url": f"/b/{battle.id}/keep?seat={seat}",
        "action": f"/b/{battle.id}/desk/orders/{seat}" if on_behalf else own,
        "on_behalf": on_behalf,
        "is_deputy": seen.viewer.through == "deputy",
        "is_own": seen.viewer.kind == "seat" and seen.viewer.through == "own",
        "leave": leave_card(seen.seat, battle, words),
        "is_awaited": seen.request is not None,
        "is_ready": seen.seat.ready,
        "is_entered": seen.seat.entered,
        "revision": seen.revision,
        "told": attempt.told,
        "sentence": attempt.sentence,
        "silence_means": silence(seen, words),
        "saved_text": saved,
        "text": _given(attempt, "text", saved),
        "receipt": seen.receipt,
        "entered_at": seen.entered_at,
    }


def as_text(seen: Seen) -> str:
    """What is saved, as the lines of a text."""
    if seen.order is None or seen.request is None:
        return ""
    return seen.ruleset.write_text(seen.battle.state, seen.request, seen.order, seen.frame.language)


def plan(seen: Seen, orders: Json) -> tuple[Route, ...]:
    """Orders as lines over the field."""
    ruleset = seen.ruleset
    if ruleset.plan is None or not orders:
        return ()
    return ruleset.plan(seen.battle.state, ruleset.load_order(orders))


def silence(seen: Seen, words: Translator) -> str:
    """What becomes of a unit without an order: as the seat's own doctrine has it, else the ruling."""
    battle = seen.battle
    if seen.doctrine and battle.options.doctrine:
        return seatwords.doctrine_text(seen.doctrine, words.language)
    key = battle.ruleset.silence
    switch = next((s for s in switches(battle.ruleset, dict(battle.rulings), words) if s.key == key), None)
    return switch.chosen.text if switch else ""


def _given(attempt: Attempt, name: str, otherwise: str) -> str:
    """A field as it was typed, if the page that was sent had it."""
    return attempt.fields[name] if attempt.fields is not None and name in attempt.fields else otherwise
