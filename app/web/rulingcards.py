"""Rulings shown with their turn."""

from __future__ import annotations

from dataclasses import dataclass

from app.language import Translator
from app.referee.turnviews import TurnView
from app.reports import differing


@dataclass(frozen=True)
class RulingCard:
    """`kind`: `amend`, `reroll`, `set-aside`. `is_opening`: made before the turn was resolved. `changes`: what it did."""

    kind: str
    reason: str
    rule: str
    is_opening: bool
    changes: tuple[str, ...]


def ruling_cards(view: TurnView, words: Translator) -> tuple[RulingCard, ...]:
    """In the order in which they were made."""
    return tuple(
        RulingCard(
            made.kind,
            made.reason,
            made.rule or "",
            made.stage == "open",
            _changes(view, made.events, words),
        )
        for made in view.rulings
    )


def _changes(view: TurnView, events: tuple[object, ...], words: Translator) -> tuple[str, ...]:
    try:
        return differing.ruled(view.ruleset.key, events, view.before, view.scenario, words.language)  # type: ignore[arg-type]
    except KeyError:  # a ruleset without words
        return ()
