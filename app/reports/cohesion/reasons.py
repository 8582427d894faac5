"""Reasons behind numbers that no event holds: distances, speeds, lots, the goal."""

from __future__ import annotations

from collections.abc import Sequence

from app.reports.cohesion.naming import standing, type_of
from app.reports.telling import Key, Tale
from app.reports.tree import Sentence, Text, Why
from app.rulesets.cohesion.events import Caught
from app.rulesets.cohesion.formula import evaluate
from app.rulesets.cohesion.position import ground, position
from app.rulesets.cohesion.sight import obstacles


def range_and_sight(tale: Tale, shooter: str, target: str) -> tuple[Why, ...]:
    """How far a shot goes, how far it may, and what stands in its line (SHOOT-1, SHOOT-4)."""
    one, other = standing(tale, shooter), standing(tale, target)
    shooting = type_of(tale, one).shooting if one is not None else None
    if one is None or other is None or shooting is None:
        return ()
    say = tale.voice
    steps = say.count("%(num)s cell", "%(num)s cells", tale.state.board.grid.distance(one.at, other.at))
    far = Why(say.say("distance %(steps)s, range %(range)s", steps=steps, range=shooting.range), "SHOOT-1")
    hidden = obstacles(position(tale.state), one.at, other.at)
    if not hidden:
        return far, Why(say.say("the line of sight is free"), "SHOOT-3")
    told = say.count(
        "%(num)s obstacle in the line of sight is ignored", "%(num)s obstacles in the line of sight are ignored", hidden
    )
    return far, Why(told, "SHOOT-4")


def towards_home(tale: Tale, unit_id: str, start: str, path: Sequence[str], rule: str) -> tuple[Why, ...]:
    """How far it was from its home edge, and how far it is (BOARD-4)."""
    unit = standing(tale, unit_id)
    if unit is None or not path:
        return ()
    home = ground(tale.state.board).home.get(unit.side)
    cells = [tale.state.board.grid.cell(name) for name in (start, path[-1])]
    if home is None or None in cells:
        return ()
    before, after = (home[cell] for cell in cells if cell is not None)
    told = tale.voice.say("distance to the home edge %(before)s → %(after)s", before=before, after=after)
    return (Why(told, rule),)


def lot(tale: Tale, keys: Sequence[Key], names: Sequence[Sentence] = ()) -> tuple[Why, ...]:
    """Which face stands for whom, where a die has decided (DICE-2); without names, for how many it was."""
    rolls = [roll for key in keys for roll in tale.waiting(key)]
    if not rolls:
        return ()
    say = tale.voice
    if names and len(names) == rolls[-1].sides:
        pairs: list[Sentence] = [(Text(f"{face} "), *name) for face, name in enumerate(names, 1)]
        return (Why(say.say("the die decides: %(faces)s", faces=say.chained(pairs)), "DICE-2"),)
    sides = rolls[-1].sides
    told = say.count("the die decides among %(num)s way", "the die decides among %(num)s ways", sides)
    return (Why(told, "DICE-2"),)


def slower(tale: Tale, event: Caught) -> tuple[Why, ...]:
    """MOVE-7: the speed of the one who is caught; the heading of the group tells that of the other."""
    unit = standing(tale, event.unit)
    if unit is None:
        return ()
    kind = type_of(tale, unit)
    speed = evaluate(kind.speed, unit)
    if event.retreating and kind.retreat_speed is not None:
        speed = evaluate(kind.retreat_speed, unit)
    elif kind.charge_speed is not None and len(event.ordered) > speed:
        speed = max(speed, evaluate(kind.charge_speed, unit))
    told = tale.voice.say("its own speed is %(speed)s, and it had not moved yet", speed=speed)
    return (Why(told, "MOVE-7"),)


def value(tale: Tale, unit_id: str) -> tuple[Why, ...]:
    unit = standing(tale, unit_id)
    if unit is None:
        return ()
    kind = type_of(tale, unit)
    told = tale.voice.count("its value is %(num)s point", "its value is %(num)s points", kind.value)
    return (Why(told, "UNIT-6"),)


def goal(tale: Tale) -> tuple[Why, ...]:
    number = tale.before.goal
    return (Why(tale.voice.count("victory at %(num)s point", "victory at %(num)s points", number), "WIN-1"),)
