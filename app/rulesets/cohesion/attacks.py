"""One attack: its dice, and what they take (section 6 of the rules)."""

from __future__ import annotations

from typing import Literal, NamedTuple

from app.rulesets.cohesion.events import AttackDropped, Attacked
from app.rulesets.cohesion.state import Phase, Power, Unit
from app.rulesets.cohesion.turn import Turn

Mode = Literal["equal", "terrifying", "reroll"]
Counts = Literal["both", "second"]
_RULES: dict[Mode, str] = {"equal": "ATTACK-2", "terrifying": "ATTACK-3", "reroll": "ATTACK-4"}


class Blow(NamedTuple):
    """What an attack takes off its target, not yet held to what the target has."""

    attacker: str
    target: str
    cohesion: int
    strength: int


def strike(
    turn: Turn,
    phase: Phase,
    attacker: Unit,
    target: Unit,
    *,
    power: Power,
    dice: int,
    weakened: str | None,
    modifiers: tuple[str, ...] = (),
) -> Blow | None:
    """Roll an attack and read it. `weakened`: the rule by which it loses power (ATTACK-5), if it does; `modifiers`: the
    rules that changed its dice. With no dice there is no attack (ATTACK-1): None."""
    if dice == 0:
        turn.tell(AttackDropped(phase=phase, attacker=attacker.id, target=target.id, reason="no-dice", rule="ATTACK-1"))
        return None
    toughness = turn.types[target.type].toughness
    special = toughness.special
    if not special and target.at in turn.ground.special:
        special = True
        modifiers += ("TERRAIN-1",)
    mode, counts, told = _reading(power, special, weakened, toughness.ordinary_counts == "second")
    modifiers += told
    first, second = toughness.first, toughness.second
    if mode == "terrifying":
        single = dice == 1
        rolled = sorted(turn.roll(phase, "attack", attacker.id, 3 if single else dice), reverse=True)
        faces = tuple(rolled[1:3] if single else rolled[:2])
        cohesion, strength = faces
        if single:
            modifiers += ("ATTACK-3",)
    else:
        faces = turn.roll(phase, "attack", attacker.id, dice)
        if mode == "reroll":
            reached = second if counts == "second" and turn.rulings.reroll == "counted" else first
            faces = _again(turn, phase, attacker.id, faces, reached)
        strength = sum([face >= second for face in faces])
        if counts == "both":
            cohesion = sum([face >= first for face in faces])
        else:
            cohesion = strength if turn.rulings.second_only == "both" else 0
            modifiers += ("ATTACK-6",)
    turn.tell(
        Attacked(
            phase=phase,
            attacker=attacker.id,
            target=target.id,
            power=power,
            mode=mode,
            counts=counts,
            dice=dice,
            first=first,
            second=second,
            cohesion=cohesion,
            strength=strength,
            faces=faces,
            modifiers=modifiers,
            rule=_RULES[mode],
        )
    )
    return Blow(attacker.id, target.id, cohesion, strength)


def _reading(power: Power, special: bool, weakened: str | None, only_second: bool) -> tuple[Mode, Counts, tuple[str, ...]]:
    """How the dice are read, which thresholds count, and the rules behind it (ATTACK-2 to ATTACK-5, ATTACK-8).

    `only_second`: a type's rule that ordinary power counts only its second threshold (WS). A terrifying attack that has
    become an ordinary one is an ordinary one for that rule, too.
    """
    told: tuple[str, ...] = () if weakened is None else (weakened, "ATTACK-5")
    counts: Counts = "both"
    ordinary = power == "ordinary"
    if weakened is not None:
        if not ordinary and not special:
            ordinary = True
        else:
            counts = "second"
    if ordinary and only_second and counts == "both":
        told += ("WS",)
        counts = "second"
    if not ordinary and not special:
        return "terrifying", "both", told
    return ("equal" if ordinary != special else "reroll"), counts, told


def _again(turn: Turn, phase: Phase, attacker: str, faces: tuple[int, ...], reached: int) -> tuple[int, ...]:
    """ATTACK-4: the dice that reached the threshold are rolled again, in their order; of the others nothing counts."""
    number = sum([face >= reached for face in faces])
    if number == 0:
        return (0,) * len(faces)
    second = iter(turn.roll(phase, "reroll", attacker, number))
    return tuple([next(second) if face >= reached else 0 for face in faces])
