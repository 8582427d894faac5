"""Every ruleset there is, by key: an explicit list."""

from __future__ import annotations

from app.engine.ruleset import AnyRuleset
from app.rulesets.cohesion.ruleset import COHESION

RULESETS: dict[str, AnyRuleset] = {COHESION.key: COHESION}


def ruleset(key: str) -> AnyRuleset:
    """The ruleset of a battle. Raises `KeyError` for a key that is not in the list."""
    return RULESETS[key]
