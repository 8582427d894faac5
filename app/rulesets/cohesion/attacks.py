"""One attack: its dice are rolled, and what they take is told (section 6 of the rules)."""

from __future__ import annotations

from typing import NamedTuple

from app.rulesets.cohesion.events import AttackDropped, Attacked
from app.rulesets.cohesion.gather import Attack, Faces, Mode, read_faces, reading
from app.rulesets.cohesion.state import Phase, Unit
from app.rulesets.cohesion.turn import Turn

_RULES: dict[Mode, str] = {"equal": "ATTACK-2", "terrifying": "ATTACK-3", "reroll": "ATTACK-4"}


class Blow(NamedTuple):
    """What an attack takes off its target, not yet held to what the target has."""

    attacker: str
    target: str
    cohesion: int
    strength: int


def strike(turn: Turn, phase: Phase, attacker: Unit, target: Unit, attack: Attack) -> Blow | None:
    """Roll an attack and read it. With no dice there is no attack (ATTACK-1): None."""
    dice = attack.dice
    if dice == 0:
        turn.tell(AttackDropped(phase=phase, attacker=attacker.id, target=target.id, reason="no-dice", rule="ATTACK-1"))
        return None
    how = reading(turn.ground, turn.types, turn.rulings, attack, target)
    rolled = turn.roll(phase, "attack", attacker.id, 3 if how.single else dice)
    if how.mode == "reroll":
        rolled = _again(turn, phase, attacker.id, rolled, how.reached)
    faces, cohesion, strength = read_faces(how, rolled)
    turn.tell(
        Attacked(
            phase=phase,
            attacker=attacker.id,
            target=target.id,
            power=attack.power,
            mode=how.mode,
            counts=how.counts,
            dice=dice,
            first=how.first,
            second=how.second,
            cohesion=cohesion,
            strength=strength,
            faces=faces,
            modifiers=how.modifiers,
            rule=_RULES[how.mode],
        )
    )
    return Blow(attacker.id, target.id, cohesion, strength)


def _again(turn: Turn, phase: Phase, attacker: str, faces: Faces, reached: int) -> Faces:
    """ATTACK-4: the dice that reached the threshold are rolled again, in their order; of the others nothing counts."""
    number = sum([face >= reached for face in faces])
    if number == 0:
        return (0,) * len(faces)
    second = iter(turn.roll(phase, "reroll", attacker, number))
    return tuple([next(second) if face >= reached else 0 for face in faces])
