"""Two positions compared, and rulings told, in the words of their ruleset."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app.engine.events import Event
from app.engine.ruleset import Json
from app.reports.cohesion import differences as cohesion

DIFFERENCES: Mapping[str, Callable[[Any, Any, Json, str], tuple[str, ...]]] = {"cohesion": cohesion.differences}
RULINGS: Mapping[str, Callable[[Sequence[Event], Any, Json, str], tuple[str, ...]]] = {"cohesion": cohesion.rulings}


def differences(ruleset: str, before: Any, after: Any, scenario: Json, language: str) -> tuple[str, ...]:
    """A sentence for each thing that differs. Raises KeyError for a ruleset without words."""
    return DIFFERENCES[ruleset](before, after, scenario, language)


def ruled(ruleset: str, events: Sequence[Event], state: Any, scenario: Json, language: str) -> tuple[str, ...]:
    """What a ruling did, a sentence for each change. Raises KeyError for a ruleset without words."""
    return RULINGS[ruleset](events, state, scenario, language)
