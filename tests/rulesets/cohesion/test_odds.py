"""Odds are exact: what every way the dice can fall gives, one by one, read by the turn itself."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any, Literal

import msgspec
import pytest

from app.engine.dice import ScriptedDice
from app.rulesets.cohesion.events import Lost
from app.rulesets.cohesion.gather import Attack
from app.rulesets.cohesion.melee import fight
from app.rulesets.cohesion.odds import Odds, mean, odds, sections
from app.rulesets.cohesion.orders import Sheet, UnitOrder
from app.rulesets.cohesion.position import position
from app.rulesets.cohesion.shooting import shoot
from app.rulesets.cohesion.state import State
from app.rulesets.cohesion.turn import Turn
from tests.rulesets.cohesion.boards import battle, random_battle


class _Asked(Exception):
    """Some dice are asked for that the script does not have."""


class _Tape(ScriptedDice):
    """Plays faces in the order in which they are asked for; more than there are: how many more."""

    def __init__(self, faces: tuple[int, ...]) -> None:
        super().__init__({})
        self.faces = faces
        self.at = 0

    def roll(self, address: str, count: int, sides: int = 6) -> tuple[int, ...]:
        assert sides == 6
        if self.at + count > len(self.faces):
            raise _Asked(self.at + count - len(self.faces))
        self.at += count
        return self.faces[self.at - count : self.at]


def every_way(state: State, sheets: dict[str, Sheet], phase: str) -> Iterator[tuple[Fraction, Turn]]:
    """The phase played with every way its dice can fall, and the chance of each."""
    todo: list[tuple[int, ...]] = [()]
    while todo:
        faces = todo.pop()
        turn = Turn(state, sheets, _Tape(faces))
        try:
            (shoot if phase == "shooting" else fight)(turn)
        except _Asked as more:
            todo.extend((*faces, *rest) for rest in product(range(1, 7), repeat=more.args[0]))
            continue
        yield Fraction(1, 6 ** len(faces)), turn


def by_enumeration(state: State, sheets: dict[str, Sheet], phase: str) -> dict[str, Any]:
    before = state.units["N1"]
    told: dict[str, Any] = {"cohesion": {}, "strength": {}, "breaks": Fraction(0), "destroys": Fraction(0)}
    whole = Fraction(0)
    for chance, turn in every_way(state, sheets, phase):
        whole += chance
        lost = [event for event in turn.events if isinstance(event, Lost)]
        cohesion, strength = sum(e.cohesion for e in lost), sum(e.strength for e in lost)
        told["cohesion"][cohesion] = told["cohesion"].get(cohesion, Fraction(0)) + chance
        told["strength"][strength] = told["strength"].get(strength, Fraction(0)) + chance
        told["destroys"] += chance * ("N1" not in turn.units)
        told["breaks"] += chance * (cohesion == before.cohesion > 0)
    assert whole == 1
    return told


def agrees(found: Odds, told: dict[str, Any]) -> None:
    for chances, counted in ((found.cohesion, told["cohesion"]), (found.strength, told["strength"])):
        assert {n: chance for n, chance in enumerate(chances) if chance} == counted
    assert found.breaks == told["breaks"]
    assert found.destroys == told["destroys"]


Phase = Literal["shooting", "melee"]
CASES: list[tuple[str, str, str, Phase, dict[str, Any]]] = [
    ("LM D5", "HM D4", "", "melee", {}),
    ("LM D5", "LM D4", "", "melee", {"withdraws": True}),
    ("LM D5", "HM D4", "rough", "melee", {}),
    ("LM D5", "HM D4", "building", "melee", {}),
    ("XS D5", "ET D4", "", "melee", {}),
    ("XS D5", "WS D4", "", "melee", {}),
    ("LM D5", "HM D3", "", "shooting", {}),
    ("LM D5", "HM D3", "", "shooting", {"moving": True}),
    ("LM D5", "HM D4", "", "shooting", {}),
    ("LM D5", "ET D4", "", "shooting", {}),
    ("CC D5", "HM D3", "", "shooting", {}),
    ("WS D5", "HM D3", "", "shooting", {}),
    ("WS D5", "HM D4", "", "shooting", {}),
    ("WS D5", "WS D4", "", "melee", {}),
    ("WS D5", "WS D3", "building", "shooting", {"moving": True}),
]


@pytest.mark.parametrize("rulings", [{}, {"reroll": "counted", "second_only": "both"}], ids=["defaults", "others"])
@pytest.mark.parametrize(("attacker", "target", "ground", "phase", "how"), CASES)
def test_odds_are_what_every_way_of_the_dice_gives(
    attacker: str, target: str, ground: str, phase: Phase, how: dict[str, Any], rulings: dict[str, Any]
) -> None:
    own = {"LM": 4, "XS": 2, "CC": 3}.get(attacker.partition(" ")[0], 6)
    parts = {"upper": 2, "lower": 2, "strength": 4} if target.startswith("WS") else {"strength": 2}
    state = battle(
        {"S1": attacker, "N1": target},
        terrain={target.split()[1]: ground} if ground else {},
        changed={
            "S1": {"strength": own, **({"upper": 3, "lower": 3} if attacker.startswith("WS") else {})},
            "N1": {**parts, "cohesion": 2},
        },
        **rulings,
    )
    order = UnitOrder(move=("E5",) if how.get("moving") else (), **{"shoot" if phase == "shooting" else "melee": "N1"})
    answer = UnitOrder(withdraw="D2") if how.get("withdraws") else UnitOrder()
    told = by_enumeration(state, {"south": Sheet({"S1": order}), "north": Sheet({"N1": answer})}, phase)
    found = odds(position(state), state.units["S1"], state.units["N1"], phase, **how)
    assert found.attack.dice > 0
    agrees(found, told)


def test_ATTACK_1_no_dice_no_odds() -> None:
    state = battle({"S1": "HM D5", "N1": "HM D4"})
    found = odds(position(state), state.units["S1"], state.units["N1"], "shooting")
    assert found.how is None
    assert found.expected_cohesion == found.expected_strength == found.breaks == found.destroys == 0


def test_a_worked_example() -> None:
    """Three dice at 4+/6+: each takes half a point of cohesion and a sixth of one of strength."""
    state = battle({"S1": "LM D5", "N1": "HM D4"})
    found = odds(position(state), state.units["S1"], state.units["N1"], "melee")
    assert found.attack == Attack("ordinary", 3)
    assert (found.expected_cohesion, found.expected_strength) == (Fraction(3, 2), Fraction(1, 2))
    assert found.breaks == found.destroys == 0


@pytest.mark.parametrize("seed", range(12))
def test_odds_of_any_attack_are_a_distribution_within_bounds(seed: int) -> None:
    state = random_battle(Random(seed))
    here = position(state)
    for attacker in state.units.values():
        for target in state.units.values():
            if attacker.side == target.side or not attacker.cohesion:
                continue
            for phase, how in (
                ("shooting", {}),
                ("shooting", {"moving": True}),
                ("melee", {}),
                ("melee", {"withdraws": True}),
            ):
                found = odds(here, attacker, target, phase, **how)  # type: ignore[arg-type]
                assert sum(found.cohesion) == sum(found.strength) == 1
                assert min(*found.cohesion, *found.strength, found.breaks, found.destroys) >= 0
                assert len(found.cohesion) - 1 <= target.cohesion
                assert len(found.strength) - 1 <= target.strength
                assert found.breaks + found.destroys <= 2
                if target.cohesion == 0:
                    assert found.breaks == 0


@pytest.mark.parametrize("seed", range(6))
def test_an_attack_that_loses_power_breaks_no_more_often(seed: int) -> None:
    """A target that withdraws is never worse off (WITHDRAW-1), whatever the values; terrifying attacks are not compared:
    they read their dice in another way then."""
    chance = Random(seed)
    cohesion = chance.randint(1, 3)
    state = battle({"S1": "LM D5", "N1": "LM D4"}, changed={"N1": {"cohesion": cohesion, "strength": chance.randint(1, 6)}})
    full = odds(position(state), state.units["S1"], state.units["N1"], "melee")
    less = odds(position(state), state.units["S1"], state.units["N1"], "melee", withdraws=True)
    assert less.breaks <= full.breaks
    assert less.destroys <= full.destroys
    assert less.expected_cohesion <= full.expected_cohesion


def test_WS_points_fall_on_its_parts() -> None:
    assert sections(1, 1, 1) == {(1, 0): Fraction(2, 3), (0, 1): Fraction(1, 3)}
    assert sections(2, 1, 2) == {(1, 0): Fraction(2, 3) + Fraction(2, 9), (0, 1): Fraction(1, 9)}
    assert sum(sections(6, 6, 9).values()) == 1
    assert sections(6, 0, 2) == {(4, 0): Fraction(1)}


def test_a_hundred_dice_take_no_time() -> None:
    kind = msgspec.structs.replace
    state = battle({"S1": "LM D5", "N1": "HM D4"})
    types = dict(state.types)
    melee = types["LM"].melee
    assert melee is not None
    types["LM"] = kind(types["LM"], melee=kind(melee, dice="100"))
    state = kind(state, types=types)
    found = odds(position(state), state.units["S1"], state.units["N1"], "melee")
    assert found.attack.dice == 100
    assert mean(found.strength) <= 6
    assert found.breaks > Fraction(999, 1000)
