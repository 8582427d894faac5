"""Two positions compared, and rulings told, in words: per unit, points, the ground, the result. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from app.engine.events import Event
from app.engine.ruleset import Json
from app.reports.cohesion.amended import TARGETS
from app.reports.telling import Tale
from app.reports.tree import begun, flat
from app.reports.voice import voice
from app.rulesets.cohesion.events import Amended
from app.rulesets.cohesion.evolve import evolve, unit_form
from app.rulesets.cohesion.state import State


def differences(before: State, after: State, scenario: Json, language: str) -> tuple[str, ...]:
    """A sentence for each thing that differs: units by id, then points, the result, the ground."""
    tale = Tale(voice(language), scenario, before, after)
    tale.following = after
    return tuple(_told(tale, found) for found in _found(before, after))


def rulings(events: Sequence[Event], state: State, scenario: Json, language: str) -> tuple[str, ...]:
    """What rulings did, a sentence for each change. `state`: of their battle, at any time; units are named as each ruling
    found them."""
    bare = msgspec.structs.replace(state, units={})
    told = []
    for event in events:
        if isinstance(event, Amended):
            tale = Tale(voice(language), scenario, bare, bare)
            tale.following = evolve(bare, (event,)) if event.target == "terrain" else bare
            told.append(_told(tale, event))
    return tuple(told)


def _told(tale: Tale, event: Amended) -> str:
    return flat(begun(TARGETS[event.target](tale, event)))


def _found(before: State, after: State) -> Iterator[Amended]:
    for unit_id in sorted({*before.units, *after.units}):
        forms = [
            unit_form(state.board, unit, has_sections=bool(state.types[unit.type].sections)) if unit else None
            for state in (before, after)
            for unit in (state.units.get(unit_id),)
        ]
        if forms[0] != forms[1]:
            yield Amended(target="unit", key=unit_id, before=forms[0], after=forms[1])
    for side, score in after.points.items():
        if before.points.get(side) != score:
            yield Amended(target="points", key=side, before=before.points.get(side), after=score)
    if before.winner != after.winner:
        yield Amended(target="winner", key="winner", before=before.winner, after=after.winner)
    labels = after.board.grid.labels
    for cell in sorted({*before.board.terrain, *after.board.terrain}):
        was, became = (state.board.terrain.get(cell, "open") for state in (before, after))
        if was != became:
            yield Amended(target="terrain", key=labels[cell], before=was, after=became)
