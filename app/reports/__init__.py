"""Reports: events read aloud in the reader's language. `html` and `plain` write what is told here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from app.engine.events import Event
from app.engine.ruleset import Json
from app.reports.cohesion import TELLER as COHESION
from app.reports.sayings import with_sayings
from app.reports.telling import Tale, Teller, tell
from app.reports.tree import Report, begun, flat
from app.reports.voice import voice

TELLERS: Mapping[str, Teller] = {"cohesion": COHESION}
"""The rulesets that have words, by key."""


class Resolved(Protocol):
    """A resolved turn: the state before it, its events, the state after it, and the frozen scenario, which names the ruleset
    and the sides. The referee's `TurnView` is one; it knows as well what was corrected before the turn (`corrections`, which
    lead from `opening` to `before`), whose orders the game master entered (`on_behalf`), and of
    which seats somebody else gave them (`by_others`: seat, what he is, his name)."""

    @property
    def before(self) -> Any: ...
    @property
    def after(self) -> Any: ...
    @property
    def events(self) -> Sequence[Event]: ...
    @property
    def scenario(self) -> Json: ...


@dataclass(frozen=True)
class Turn:
    """A resolved turn of which nothing else is known: from a case file, or played without a referee."""

    before: Any
    after: Any
    events: Sequence[Event]
    scenario: Json
    opening: Any = None
    corrections: Sequence[Event] = ()
    on_behalf: Sequence[str] = ()
    by_others: Sequence[tuple[str, str, str]] = ()


def report(turn: Resolved, language: str) -> Report:
    """A turn as a report. Raises KeyError for a ruleset without words."""
    told = tell(
        _teller(turn),
        before=turn.before,
        after=turn.after,
        events=turn.events,
        scenario=turn.scenario,
        language=language,
        opening=getattr(turn, "opening", None),
        corrections=getattr(turn, "corrections", ()),
        on_behalf=getattr(turn, "on_behalf", ()),
        by_others=getattr(turn, "by_others", ()),
    )
    return with_sayings(told, getattr(turn, "sayings", ()), turn.scenario)


def headline(turn: Resolved, language: str) -> str:
    """A turn in one sentence: who lost what, and the score. Plain text: each format escapes it."""
    tale = Tale(voice(language), turn.scenario, turn.before, turn.after)
    return flat(begun(_teller(turn).headline(tale, turn.events)))


def _teller(turn: Resolved) -> Teller:
    """Of the scenario's game; a position without a scenario is told as of the first."""
    return TELLERS[(turn.scenario or {}).get("ruleset") or next(iter(TELLERS))]
