"""When cohesion or strength is lost (section 9 of the rules), and where the war strider loses it (WS)."""

from __future__ import annotations

from collections.abc import Iterable

from app.rulesets.cohesion.attacks import Blow
from app.rulesets.cohesion.events import Broke, Encouraged, Lost
from app.rulesets.cohesion.state import Phase, Unit
from app.rulesets.cohesion.turn import Turn


def take_losses(turn: Turn, phase: Phase, blows: Iterable[Blow]) -> None:
    """All losses of a phase together: first they are taken off, then the dead leave, then the broken lose their orders, then
    those who broke an enemy are encouraged (LOSS-1 to LOSS-4)."""
    struck: dict[str, list[Blow]] = {}
    for blow in blows:
        if blow.cohesion or blow.strength:
            struck.setdefault(blow.target, []).append(blow)
    if not struck:
        return
    fallen: list[Unit] = []
    dead: list[Unit] = []
    for unit_id in sorted(struck):
        unit, on_it = turn.units[unit_id], struck[unit_id]
        cohesion = min(unit.cohesion, sum([blow.cohesion for blow in on_it]))
        strength = sum([blow.strength for blow in on_it])
        by = tuple([blow.attacker for blow in on_it])
        if wound(turn, phase, unit, strength, cohesion=cohesion, by=by):
            dead.append(unit)
        if cohesion and cohesion == unit.cohesion:
            fallen.append(unit)
    for unit in dead:
        turn.destroy(unit, phase)
    broken = {unit.id for unit in fallen if unit.id in turn.units}
    turn.shaken |= broken
    for unit in fallen:
        if unit.id in broken:
            turn.tell(Broke(unit=unit.id, phase=phase))
            turn.spoil(unit.id)
    for unit in fallen:
        _encourage(turn, unit, struck[unit.id], broken)


def wound(
    turn: Turn,
    phase: Phase,
    unit: Unit,
    strength: int,
    *,
    cohesion: int = 0,
    by: tuple[str, ...] = (),
    rule: str = "LOSS-1",
) -> bool:
    """Take strength off a unit, no more than it has (ATTACK-7), and cohesion that it has. Whether it is destroyed by it."""
    upper = lower = 0
    if turn.types[unit.type].sections:
        upper, lower = _sections(turn, phase, unit, strength)
        strength = upper + lower
        destroyed = upper == unit.upper
    else:
        strength = min(strength, unit.strength)
        destroyed = strength == unit.strength
    if strength or cohesion:
        turn.tell(
            Lost(
                unit=unit.id,
                phase=phase,
                strength=strength,
                cohesion=cohesion,
                upper=upper,
                lower=lower,
                by=by,
                rule=rule,
            )
        )
    return destroyed


def _sections(turn: Turn, phase: Phase, unit: Unit, points: int) -> tuple[int, int]:
    """Points of strength that the upper and the lower part lose: a die for each while both stand (WS)."""
    upper, lower = unit.upper, unit.lower
    while points and upper:
        points -= 1
        if lower and falls_on_lower(turn.roll(phase, "section", unit.id, 1)[0]):
            lower -= 1
        else:
            upper -= 1
    return unit.upper - upper, unit.lower - lower


def falls_on_lower(face: int) -> bool:
    """Whether a point of strength lost falls on the lower part of a unit whose both parts stand (WS)."""
    return face <= 4


def _encourage(turn: Turn, fallen: Unit, blows: list[Blow], broken: set[str]) -> None:
    """LOSS-4 for one fallen unit: those who took cohesion off it, and the units of their side beside it. `broken`: the units
    that broke in this phase and are still there (LOSS-5)."""
    taken = {blow.attacker: blow.cohesion for blow in blows if blow.cohesion}
    if turn.rulings.credit == "most":
        most = max(taken.values())
        taken = {unit_id: cohesion for unit_id, cohesion in taken.items() if cohesion == most}
    held, units = turn.held, turn.units
    beside = [held[cell] for cell in turn.grid.neighbours[fallen.at] if cell in held]
    others = sorted(unit_id for unit_id in beside if unit_id not in taken and units[unit_id].side != fallen.side)
    for unit_id in (*sorted(taken), *others):
        unit = units.get(unit_id)
        if unit is None:
            continue
        gain = 1 if unit.cohesion < turn.types[unit.type].cohesion_max else 0
        turn.tell(
            Encouraged(
                unit=unit_id,
                fallen=fallen.id,
                gain=gain,
                struck=unit_id in taken,
                returned=unit.cohesion == 0 and unit_id in broken,
            )
        )
