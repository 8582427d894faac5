"""How an attack's dice are read, and what is told of it (section 6 of the rules)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from app.engine.dice import ScriptedDice
from app.rulesets.cohesion.attacks import Blow, strike
from app.rulesets.cohesion.events import AttackDropped, Attacked
from app.rulesets.cohesion.gather import Attack
from app.rulesets.cohesion.state import State, Toughness
from app.rulesets.cohesion.turn import Turn
from app.rulesets.cohesion.types import unit_types
from tests.rulesets.cohesion.boards import battle

FIRST, SECOND = 3, 5


def field(special: bool, only_second: bool = False, **rulings: str) -> State:
    toughness = Toughness(FIRST, SECOND, special, "second" if only_second else "both")
    kind = msgspec.structs.replace(unit_types()["HM"], toughness=toughness)
    return battle({"S1": "LM D5", "N1": "XX D4"}, types={"XX": kind}, **rulings)


def struck(state: State, power: Any, faces: list[int], again: list[int] | None = None, **how: Any) -> tuple[Blow, Attacked]:
    dice = ScriptedDice({"1/melee/S1/attack": faces, "1/melee/S1/reroll": again or []})
    turn = Turn(state, {}, dice)
    asked = how.pop("dice", len(faces))
    blow = strike(
        turn,
        "melee",
        state.units["S1"],
        state.units["N1"],
        Attack(power, asked, how.pop("weakened", None), **how),
    )
    assert dice.left_over() == {}
    told = turn.events[-1]
    assert isinstance(told, Attacked)
    assert blow is not None
    assert (blow.cohesion, blow.strength) == (told.cohesion, told.strength)
    return blow, told


@pytest.mark.parametrize(
    ("power", "special", "weakened", "mode", "counts"),
    [
        ("ordinary", False, False, "equal", "both"),
        ("terrifying", True, False, "equal", "both"),
        ("terrifying", False, False, "terrifying", "both"),
        ("ordinary", True, False, "reroll", "both"),
        ("ordinary", False, True, "equal", "second"),
        ("terrifying", True, True, "equal", "second"),
        ("terrifying", False, True, "equal", "both"),
        ("ordinary", True, True, "reroll", "second"),
    ],
)
def test_ATTACK_2_to_ATTACK_5_power_toughness_and_loss_of_power(
    power: str, special: bool, weakened: bool, mode: str, counts: str
) -> None:
    faces = [2, 3, 4, 5, 6]
    again = [1, 3, 5, 6] if mode == "reroll" else None
    blow, told = struck(field(special), power, faces, again, weakened="SHOOT-5" if weakened else None)
    assert (told.mode, told.counts, told.dice) == (mode, counts, 5)
    read = {"equal": faces, "reroll": [0, 1, 3, 5, 6], "terrifying": [6, 5]}[mode]
    assert told.faces == tuple(read)
    if mode == "terrifying":
        assert (blow.cohesion, blow.strength) == (6, 5)
        return
    assert blow.strength == sum(face >= SECOND for face in read)
    assert blow.cohesion == (sum(face >= FIRST for face in read) if counts == "both" else 0)
    assert ("ATTACK-5" in told.modifiers) == weakened


@pytest.mark.parametrize(("faces", "cohesion", "strength"), [([2, 2], 2, 2), ([1, 6, 4], 6, 4), ([3, 3, 3, 6], 6, 3)])
def test_ATTACK_3_the_two_highest(faces: list[int], cohesion: int, strength: int) -> None:
    blow, told = struck(field(False), "terrifying", faces)
    assert (blow.cohesion, blow.strength) == (cohesion, strength)
    assert told.faces == (cohesion, strength)
    assert told.rule == "ATTACK-3"


def test_ATTACK_3_a_single_die_becomes_three() -> None:
    blow, told = struck(field(False), "terrifying", [4, 6, 5], dice=1)
    assert (blow.cohesion, blow.strength) == (5, 4)
    assert told.dice == 1
    assert "ATTACK-3" in told.modifiers


def test_ATTACK_4_nothing_is_rolled_again_where_nothing_was_reached() -> None:
    blow, told = struck(field(True), "ordinary", [1, 2, 2])
    assert (blow.cohesion, blow.strength) == (0, 0)
    assert told.faces == (0, 0, 0)


@pytest.mark.parametrize(("reroll", "again", "strength"), [("any", [5, 1], 1), ("counted", [4], 0)])
def test_ATTACK_4_the_ruling_says_which_dice_are_rolled_again(reroll: str, again: list[int], strength: int) -> None:
    state = field(True, only_second=True, reroll=reroll)
    blow, told = struck(state, "ordinary", [3, 6, 1], again)
    assert (blow.cohesion, blow.strength) == (0, strength)
    assert "WS" in told.modifiers


@pytest.mark.parametrize(("ruling", "cohesion"), [("strength", 0), ("both", 2)])
def test_ATTACK_6_what_the_second_threshold_takes_alone(ruling: str, cohesion: int) -> None:
    blow, told = struck(field(False, second_only=ruling), "ordinary", [5, 6, 4], weakened="SHOOT-5")
    assert (blow.cohesion, blow.strength) == (cohesion, 2)
    assert told.modifiers == ("SHOOT-5", "ATTACK-5", "ATTACK-6")


def test_ATTACK_8_only_the_second_threshold_is_said_once() -> None:
    _, told = struck(field(True, only_second=True), "ordinary", [1], weakened="WITHDRAW-1")
    assert told.modifiers == ("WITHDRAW-1", "ATTACK-5", "ATTACK-6")


def test_ATTACK_5_a_terrifying_attack_that_became_ordinary_is_ordinary_for_the_type_s_own_rule() -> None:
    blow, told = struck(field(False, only_second=True), "terrifying", [3, 5], weakened="SHOOT-5")
    assert (told.mode, told.counts) == ("equal", "second")
    assert (blow.cohesion, blow.strength) == (0, 1)


def test_TERRAIN_1_a_building_makes_special_and_is_told() -> None:
    state = battle({"S1": "LM D5", "N1": "LM D4"}, terrain={"D4": "building"})
    _, told = struck(state, "ordinary", [1, 3], [5])
    assert told.mode == "reroll"
    assert told.modifiers == ("TERRAIN-1",)


def test_ATTACK_1_no_dice_no_attack() -> None:
    state = field(False)
    turn = Turn(state, {}, ScriptedDice({}))
    unit, target = state.units["S1"], state.units["N1"]
    assert strike(turn, "melee", unit, target, Attack("ordinary", 0)) is None
    assert turn.events == [AttackDropped(phase="melee", attacker="S1", target="N1", reason="no-dice", rule="ATTACK-1")]


def test_UNIT_3_the_thresholds_of_the_ten_types() -> None:
    told = {
        key: f"{'special ' if kind.toughness.special else ''}{kind.toughness.first}+/{kind.toughness.second}+"
        for key, kind in unit_types().items()
    }
    assert told == {
        "LM": "3+/5+",
        "HM": "4+/6+",
        "XS": "3+/6+",
        "PH": "4+/6+",
        "ET": "special 3+/5+",
        "WS": "special 3+/5+",
        "LR": "4+/6+",
        "UR": "5+/6+",
        "PR": "4+/6+",
        "CC": "special 3+/5+",
    }
