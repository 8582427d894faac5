"""What readers are shown of a seat's answer and of a resolved turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from app.engine.events import Event
from app.engine.ruleset import AnyRuleset, Fault, Json, Problem


@dataclass(frozen=True)
class Receipt:
    """Proof for the player of what he entered: digest = SHA-256 of `canonical`."""

    digest: str
    nonce: str
    canonical: str


@dataclass(frozen=True)
class SheetView:
    """A seat's own sheet for the open turn. `orders` is JSON as last entered ({}: nothing yet); `options` the ruleset's own
    value for the request; both None where nothing is asked of the seat now."""

    turn: int
    revision: int
    ready: bool
    request: str | None
    orders: Json
    options: Any
    options_json: Json
    receipt: Receipt | None
    entered_at: datetime | None


@dataclass(frozen=True)
class Entered:
    """The answer to `orders.enter` and `orders.check`: revision 0 when nothing was kept."""

    turn: int
    revision: int
    ready: bool
    orders: Json
    warnings: tuple[Problem, ...] = ()
    receipt: Receipt | None = None
    resolved: bool = False
    """True if this very entry made the turn due and it was resolved."""


@dataclass(frozen=True)
class Understood:
    """The answer to `orders.understand`."""

    turn: int
    orders: Json | None = None
    """None: it cannot be read."""
    text: str = ""
    """Its canonical text."""
    problems: tuple[Problem, ...] = ()
    """Warnings as well."""
    faults: tuple[Fault, ...] = ()
    asides: tuple[int, ...] = ()
    """With faults: the lines of the text that are certainly no orders."""


@dataclass(frozen=True)
class RulingView:
    """A ruling shown with its turn. `kind`: `amend`, `reroll`, `set-aside`; `stage`: `open`, or `review` (on the draft).
    `facts`: of a re-roll `address`, `before`, `after`; of an event set aside `event` (its place) and `told` (JSON)."""

    kind: str
    stage: str
    reason: str
    rule: str | None
    events: tuple[Event, ...]
    facts: Mapping[str, Any]
    made_at: datetime


@dataclass(frozen=True)
class SayingView:
    """Lines in character that came with the orders of a turn: Markdown, emphasis alone. `holder`: as he is called now."""

    seat: str
    holder: str | None
    text: str


@dataclass(frozen=True)
class TurnView:
    """A resolved turn: before, all events told to the viewer, after."""

    battle_id: str
    title: str
    ruleset: AnyRuleset
    scenario: Json
    turn: int
    published_at: datetime | None
    resolved_at: datetime | None
    resolved_by: str | None
    before: Any
    after: Any
    events: tuple[Event, ...]
    points: Mapping[str, int]
    winner: str | None
    last_published: int
    orders: Mapping[str, Json] = field(default_factory=dict)
    """By seat, the orders that counted (open to all once the turn is published)."""
    opening: Any = None
    """The state before the rulings of the open turn, which `before` holds already."""
    rulings: tuple[RulingView, ...] = ()
    on_behalf: tuple[str, ...] = ()
    by_others: tuple[tuple[str, str, str], ...] = ()
    """Seats whose orders somebody else gave: what he is (`deputy`, `shared`, `program`, `doctrine`), his name or that of the
    doctrine."""
    """Seats whose orders the game master entered."""
    sayings: tuple[SayingView, ...] = ()
    """In order of the seats."""

    @property
    def corrections(self) -> tuple[Event, ...]:
        """What the rulings of the open turn told: from `opening` they give `before`."""
        return tuple(event for made in self.rulings if made.stage == "open" for event in made.events)
