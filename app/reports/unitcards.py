"""A unit's card in words: what its type can do, and its story so far. By ruleset; none: a ruleset without cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.engine.events import Event
from app.language import marked as _
from app.reports.cohesion import unitcard as cohesion


@dataclass(frozen=True)
class Cards:
    facts: Callable[[Any, str, str | None, str], tuple[cohesion.Fact, ...]]
    """A state, a type, the unit's id while it stands, a language -> what holds for it, in the order of a card."""
    rules: Callable[[Any, str, str | None], tuple[str, ...]]
    """The numbers of the rules that belong on the card in full."""
    values: str
    """What the values on a counter are, as the head of a column; to be translated."""
    story: Callable[[str, Sequence[Event], str], tuple[str, ...]]
    """A unit, the events of one turn that name it, a language -> what became of it, one sentence each."""


CARDS: Mapping[str, Cards] = {"cohesion": Cards(cohesion.facts, cohesion.rules, _("Strength/cohesion"), cohesion.story)}
