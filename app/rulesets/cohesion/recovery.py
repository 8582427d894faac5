"""The recovery of cohesion (section 12 of the rules)."""

from __future__ import annotations

from app.rulesets.cohesion.events import PhaseBegan, Recovered
from app.rulesets.cohesion.turn import Turn


def recover(turn: Turn) -> None:
    """RECOVER-1: friends beside a unit that are not at 0 bring it round, counted before anybody recovers."""
    turn.tell(PhaseBegan(phase="recovery"))
    units, held, neighbours = turn.units, turn.held, turn.grid.neighbours
    found: list[Recovered] = []
    for unit in turn.uncontrolled():
        beside = [units[held[cell]] for cell in neighbours[unit.at] if cell in held]
        by = tuple([friend.id for friend in beside if friend.side == unit.side and friend.cohesion > 0])
        if by:
            gain = min(len(by), turn.types[unit.type].cohesion_start)
            found.append(Recovered(unit=unit.id, gain=gain, by=by))
    for event in found:
        turn.tell(event)
