"""A turn in one sentence: who lost what, and the score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from app.engine.events import Event
from app.language import pick
from app.reports.cohesion.naming import losses
from app.reports.telling import Tale
from app.reports.tree import FIXED, Sentence, Text, UnitName, clean
from app.rulesets.cohesion.events import BattleEnded, Destroyed, Lost
from app.rulesets.cohesion.state import Unit


@dataclass
class _Toll:
    strength: int = 0
    cohesion: int = 0
    destroyed: list[str] = field(default_factory=list)


def headline(tale: Tale, events: Sequence[Event]) -> Sentence:
    """`North loses 1 unit (HM N-HM2); South loses no unit (strength −1); score 0 : 1, goal 6.`"""
    tolls = {side: _Toll() for side in tale.sides}
    known: dict[str, Unit] = {**tale.after.units, **tale.before.units}
    winner = None
    for event in events:
        if isinstance(event, Lost) and event.unit in known:
            toll = tolls[known[event.unit].side]
            toll.strength += event.strength
            toll.cohesion += event.cohesion
        elif isinstance(event, Destroyed) and event.unit in known:
            tolls[known[event.unit].side].destroyed.append(event.unit)
        elif isinstance(event, BattleEnded):
            winner = event.winner
    told = tale.voice.chained([_toll(tale, side, toll, known) for side, toll in tolls.items()], "; ")
    return (*told, Text("; "), *_end(tale, winner), Text("."))


def _toll(tale: Tale, side: str, toll: _Toll, known: dict[str, Unit]) -> Sentence:
    say = tale.voice
    name = tale.side(side)
    if toll.destroyed:
        return say.count(
            "%(side)s loses %(num)s unit (%(units)s)",
            "%(side)s loses %(num)s units (%(units)s)",
            len(toll.destroyed),
            side=name,
            units=say.chained([_short(tale, known[unit_id]) for unit_id in toll.destroyed]),
        )
    if toll.strength or toll.cohesion:
        taken = losses(tale, toll.cohesion, toll.strength)
        return say.say("%(side)s loses no unit (%(losses)s)", side=name, losses=taken)
    return say.say("%(side)s loses nothing", side=name)


def _short(tale: Tale, unit: Unit) -> UnitName:
    """A unit without its cell: it is no longer in one."""
    kind = tale.before.types[unit.type]
    language = tale.voice.language
    side = tale.sides.index(unit.side) if unit.side in tale.sides else 0
    return UnitName(unit.id, clean(pick(kind.code, language)), "", side, clean(pick(kind.name, language)))


def _end(tale: Tale, winner: str | None) -> Sentence:
    say = tale.voice
    points = f"{FIXED}:{FIXED}".join(str(tale.after.points.get(side, 0)) for side in tale.sides)
    if winner == "draw":
        return say.say("a draw, %(points)s", points=points)
    if winner is not None:
        return say.say("victory for %(side)s, %(points)s", side=tale.side(winner), points=points)
    return say.say("score %(points)s, goal %(goal)s", points=points, goal=tale.after.goal)
