"""What an attack may be expected to take: exact, in whole numbers, as it would be rolled and read (sections 6 to 9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple, TypeVar

from app.rulesets.cohesion.gather import Attack, Reading, gather_blow, gather_shot, read_faces, reading
from app.rulesets.cohesion.losses import falls_on_lower
from app.rulesets.cohesion.position import Position
from app.rulesets.cohesion.state import Unit

K = TypeVar("K")
SIDES = range(1, 7)
Chances = tuple[Fraction, ...]
"""Chance of each number, from 0 up; together 1."""


class Odds(NamedTuple):
    """One attack by itself, on the values that its target has now. `cohesion`, `strength`: the chances of each loss, held to
    what the target has (ATTACK-7); `breaks`: that cohesion falls from above 0 to 0, `destroys`: that the unit leaves the
    board. `how`: how the dice are read; None: no dice, no attack (ATTACK-1)."""

    attack: Attack
    how: Reading | None
    cohesion: Chances
    strength: Chances
    breaks: Fraction
    destroys: Fraction

    @property
    def expected_cohesion(self) -> Fraction:
        return mean(self.cohesion)

    @property
    def expected_strength(self) -> Fraction:
        return mean(self.strength)


def odds(
    here: Position,
    attacker: Unit,
    target: Unit,
    phase: Literal["shooting", "melee"],
    *,
    moving: bool = False,
    withdraws: bool = False,
) -> Odds:
    """The odds of an attack on the board as it stands. `moving`: the attacker is on the move (ORDER-5); `withdraws`: the
    target withdraws (WITHDRAW-1). Range and sight are not asked."""
    if phase == "shooting":
        attack = gather_shot(here.ground, here.types, attacker, target, moving=moving)
    else:
        attack = gather_blow(here.ground, here.types, attacker, target, withdraws=withdraws)
    if attack.dice == 0:
        return Odds(attack, None, (Fraction(1),), (Fraction(1),), Fraction(0), Fraction(0))
    how = reading(here.ground, here.types, here.state.rulings, attack, target)
    taken_cohesion, taken_strength = _taken(how._replace(modifiers=()), attack.dice)
    cohesion = _held_to(taken_cohesion, target.cohesion)
    if here.types[target.type].sections:
        strength, destroys = _of_sections(taken_strength, target.upper, target.lower)
    else:
        strength = _held_to(taken_strength, target.strength)
        destroys = strength[target.strength] if len(strength) > target.strength else Fraction(0)
    breaks = cohesion[target.cohesion] if 0 < target.cohesion < len(cohesion) else Fraction(0)
    return Odds(attack, how, cohesion, strength, breaks, destroys)


def mean(chances: Chances) -> Fraction:
    return sum((number * chance for number, chance in enumerate(chances)), Fraction(0))


def sections(upper: int, lower: int, points: int) -> dict[tuple[int, int], Fraction]:
    """WS: what is left of the two parts after so many points of strength, with the chance of each."""
    low = Fraction(sum(falls_on_lower(face) for face in SIDES), len(SIDES))
    parts = {(upper, lower): Fraction(1)}
    for _ in range(points):
        after: dict[tuple[int, int], Fraction] = {}
        for (up, down), chance in parts.items():
            if up and down:
                _add(after, (up, down - 1), chance * low)
                _add(after, (up - 1, down), chance * (1 - low))
            else:
                _add(after, (max(up - 1, 0), down), chance)
        parts = after
    return parts


@lru_cache(maxsize=1024)
def _taken(how: Reading, dice: int) -> tuple[Chances, Chances]:
    """Cohesion and strength that the dice take, before they are held to what there is."""
    if how.mode == "terrifying":
        weights = _single() if how.single else _two_highest(dice)
        read = {faces: read_faces(how, faces) for faces in weights}
        return (
            _chances((read[faces][1], weight) for faces, weight in weights.items()),
            _chances((read[faces][2], weight) for faces, weight in weights.items()),
        )
    once = _one_die(how)
    return (
        _power(_chances((cohesion, weight) for (cohesion, _), weight in once.items()), dice),
        _power(_chances((strength, weight) for (_, strength), weight in once.items()), dice),
    )


def _one_die(how: Reading) -> dict[tuple[int, int], int]:
    """What one die takes, and in how many of its 6 (with its re-roll: 36) ways."""
    ways: dict[tuple[int, int], int] = {}
    for first in SIDES:
        for second in SIDES if how.mode == "reroll" else (first,):
            face = second if how.mode == "equal" or first >= how.reached else 0
            _, cohesion, strength = read_faces(how, (face,))
            ways[cohesion, strength] = ways.get((cohesion, strength), 0) + 1
    return ways


def _single() -> Mapping[tuple[int, ...], int]:
    """The three dice of ATTACK-3 for a single one, each way once."""
    return {(a, b, c): 1 for a in SIDES for b in SIDES for c in SIDES}


def _two_highest(dice: int) -> Mapping[tuple[int, ...], int]:
    """The two highest of at least two dice, and in how many of the 6^dice ways they are these."""
    ways: dict[tuple[int, ...], int] = {}
    for high in SIDES:
        for low in range(1, high):
            ways[high, low] = dice * (low ** (dice - 1) - (low - 1) ** (dice - 1))
        ways[high, high] = high**dice - (high - 1) ** dice - dice * (high - 1) ** (dice - 1)
    return ways


def _power(once: Chances, dice: int) -> Chances:
    """The sum of so many dice, each with these chances."""
    total = [Fraction(1)]
    for _ in range(dice):
        longer = [Fraction(0)] * (len(total) + len(once) - 1)
        for have, chance in enumerate(total):
            for more, its in enumerate(once):
                longer[have + more] += chance * its
        total = longer
    return tuple(total)


def _held_to(taken: Chances, most: int) -> Chances:
    if len(taken) <= most + 1:
        return taken
    return (*taken[:most], sum(taken[most:], Fraction(0)))


def _of_sections(taken: Chances, upper: int, lower: int) -> tuple[Chances, Fraction]:
    """WS: the chances of each loss of strength, and that the upper part falls."""
    lost: dict[int, Fraction] = {}
    destroys = Fraction(0)
    for points, chance in enumerate(taken):
        for (up, down), its in sections(upper, lower, min(points, upper + lower)).items():
            _add(lost, upper + lower - up - down, chance * its)
            if up == 0:
                destroys += chance * its
    return tuple(lost.get(number, Fraction(0)) for number in range(max(lost) + 1)), destroys


def _chances(ways: Iterable[tuple[int, int | Fraction]]) -> Chances:
    """Numbers with their weights -> the chance of each number."""
    weights: dict[int, Fraction] = {}
    for number, weight in ways:
        _add(weights, number, Fraction(weight))
    whole = sum(weights.values())
    return tuple(weights.get(number, Fraction(0)) / whole for number in range(max(weights) + 1))


def _add(to: dict[K, Fraction], key: K, chance: Fraction) -> None:
    to[key] = to.get(key, Fraction(0)) + chance
