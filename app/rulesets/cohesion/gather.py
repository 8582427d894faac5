"""An attack before its dice fall, and how their faces are read: pure, for the turn and for the odds alike (section 6)."""

from __future__ import annotations

from typing import Literal, NamedTuple

from app.rulesets.cohesion.formula import evaluate
from app.rulesets.cohesion.position import Ground
from app.rulesets.cohesion.state import Power, Rulings, Unit, UnitType

Mode = Literal["equal", "terrifying", "reroll"]
Counts = Literal["both", "second"]
Faces = tuple[int, ...]


class Attack(NamedTuple):
    """Who strikes how hard. `weakened`: the rule by which it loses power (ATTACK-5), if it does; `modifiers`: the rules that
    changed its dice."""

    power: Power
    dice: int
    weakened: str | None = None
    modifiers: tuple[str, ...] = ()


class Reading(NamedTuple):
    """How the faces of an attack are read. `reached`: from what face a die is rolled again (ATTACK-4); `also`: whether a die
    that counts the second threshold alone takes cohesion too (ATTACK-6); `single`: the one die of ATTACK-3."""

    mode: Mode
    counts: Counts
    first: int
    second: int
    reached: int
    also: bool
    single: bool
    modifiers: tuple[str, ...]


def gather_shot(ground: Ground, types: dict[str, UnitType], unit: Unit, target: Unit, *, moving: bool) -> Attack:
    """SHOOT-5, ORDER-5; no dice for a type that does not shoot, or not on the move."""
    shooting = types[unit.type].shooting
    if shooting is None:
        return Attack("ordinary", 0)
    formula = shooting.moving if moving else shooting.dice
    return Attack(
        shooting.power,
        0 if formula is None else evaluate(formula, unit),
        "SHOOT-5" if target.at in ground.grid.neighbours[unit.at] else None,
        ("ORDER-5",) if moving else (),
    )


def gather_blow(ground: Ground, types: dict[str, UnitType], unit: Unit, target: Unit, *, withdraws: bool) -> Attack:
    """TERRAIN-2, WITHDRAW-1. `withdraws`: whether the target withdraws instead of fighting."""
    melee = types[unit.type].melee
    dice = 0 if melee is None else evaluate(melee.dice, unit)
    modifiers: tuple[str, ...] = ()
    if unit.at in ground.half or target.at in ground.half:
        dice, modifiers = (dice + 1) // 2, ("TERRAIN-2",)
    return Attack("ordinary" if melee is None else melee.power, dice, "WITHDRAW-1" if withdraws else None, modifiers)


def reading(ground: Ground, types: dict[str, UnitType], rulings: Rulings, attack: Attack, target: Unit) -> Reading:
    """How this attack's faces are read against this target, with the rules behind it (ATTACK-2 to ATTACK-8)."""
    toughness = types[target.type].toughness
    special, modifiers = toughness.special, attack.modifiers
    if not special and target.at in ground.special:
        special = True
        modifiers += ("TERRAIN-1",)
    mode, counts, told = _mode(attack.power, special, attack.weakened, toughness.ordinary_counts == "second")
    modifiers += told
    single = mode == "terrifying" and attack.dice == 1
    if single:
        modifiers += ("ATTACK-3",)
    if counts == "second":
        modifiers += ("ATTACK-6",)
    return Reading(
        mode,
        counts,
        toughness.first,
        toughness.second,
        toughness.second if counts == "second" and rulings.reroll == "counted" else toughness.first,
        rulings.second_only == "both",
        single,
        modifiers,
    )


def read_faces(how: Reading, faces: Faces) -> tuple[Faces, int, int]:
    """The faces that count, and the cohesion and the strength that they take. Faces of an attack with re-rolls are those
    after them, 0 for a die that was not rolled again."""
    if how.mode == "terrifying":
        rolled = sorted(faces, reverse=True)
        read = tuple(rolled[1:3] if how.single else rolled[:2])
        return read, read[0], read[1]
    second = how.second
    strength = sum([face >= second for face in faces])
    if how.counts == "both":
        first = how.first
        return faces, sum([face >= first for face in faces]), strength
    return faces, strength if how.also else 0, strength


def _mode(power: Power, special: bool, weakened: str | None, only_second: bool) -> tuple[Mode, Counts, tuple[str, ...]]:
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
