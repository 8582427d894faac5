"""Dice by address (DICE-1 to DICE-3). The vectors were made with `openssl dgst -sha256 -mac HMAC`, not with this code."""

from __future__ import annotations

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.dice import Dice, DiceError, ScriptedDice, SeededDice

SEED = bytes(range(16))
HALF = 2**31 + 1
"""So many faces that only half of all 32-bit numbers give one: the rest are thrown away (DICE-2)."""


def number(seed: bytes, text: str, place: int) -> int:
    digest = hmac.new(seed, text.encode(), hashlib.sha256).digest()
    return int.from_bytes(digest[4 * place : 4 * place + 4], "big")


def test_DICE_2_four_dice_worked_out_by_openssl() -> None:
    first = (0xF5931E40, 0x08D72C34, 0xAC87C48E, 0x22E0AC9A)
    assert SeededDice(SEED).roll("3/shooting/S-LM1/attack", 4) == tuple(word % 6 + 1 for word in first) == (1, 5, 1, 3)


def test_DICE_2_a_pick_is_one_die_with_as_many_faces() -> None:
    assert SeededDice(SEED).pick("1/movement/C4/contest", 5) == 0x1DE74F8D % 5 == 0
    assert SeededDice(SEED).roll("1/movement/C4/contest", 1, 5) == (1,)


def test_DICE_2_the_second_pick_at_an_address_is_its_die_number_1() -> None:
    dice = SeededDice(SEED)
    picks = [dice.pick("3/shooting/S-LM1/attack", 6) for _ in range(4)]
    assert picks == [0, 4, 0, 2]


def test_DICE_2_numbers_at_the_limit_or_above_are_passed_over() -> None:
    # Of die 0 the first five numbers are too large, of die 3 the first: see the digests.
    words = [number(SEED, "1/melee/X/attack#0", place) for place in range(6)]
    assert all(word >= HALF for word in words[:5])
    assert words[5] < HALF
    face = SeededDice(SEED).roll("1/melee/X/attack", 1, HALF)[0]
    assert face == words[5] + 1


def test_DICE_2_where_a_whole_block_is_passed_over_the_next_one_gives_the_face() -> None:
    address, die = "1/melee/X/attack", 136
    assert all(number(SEED, f"{address}#{die}", place) >= HALF for place in range(8))
    second = [number(SEED, f"{address}#{die}/1", place) for place in range(8)]
    expected = next(word for word in second if word < HALF) % HALF + 1
    assert SeededDice(SEED).roll(address, die + 1, HALF)[die] == expected


def test_DICE_2_the_limit_is_the_greatest_multiple_of_the_faces() -> None:
    """With 2^32 - 1 faces only the greatest number is thrown away, with a power of two none."""
    word = number(SEED, "a#0", 0)
    assert SeededDice(SEED).roll("a", 1, 2**32 - 1) == (word + 1,)
    assert SeededDice(SEED).roll("a", 1, 2**31) == (word % 2**31 + 1,)


def test_DICE_1_dice_of_one_address_go_on_whatever_is_rolled_elsewhere() -> None:
    alone = SeededDice(SEED).roll("x", 5)
    dice = SeededDice(SEED)
    first = dice.roll("x", 2)
    dice.roll("y", 30)
    assert first + dice.roll("x", 3) == alone


def test_DICE_1_all_that_was_rolled_is_kept_by_address() -> None:
    dice = SeededDice(SEED)
    x, y = dice.roll("x", 2), dice.roll("y", 1, 10)
    assert dice.pick("z", 1) == 0
    assert dice.roll("w", 0) == ()
    x += dice.roll("x", 1)
    assert dice.rolled == {"x": list(x), "y": list(y)}


def test_DICE_1_another_seed_gives_other_dice() -> None:
    assert SeededDice(SEED).roll("x", 40) != SeededDice(SEED + b"\1").roll("x", 40)


@given(st.binary(max_size=40), st.from_regex(r"[0-9A-Za-z/-]{1,30}", fullmatch=True), st.integers(1, 100))
def test_DICE_2_every_face_lies_between_1_and_the_number_of_faces(seed: bytes, address: str, sides: int) -> None:
    assert all(1 <= face <= sides for face in SeededDice(seed).roll(address, 20, sides))


def test_DICE_2_faces_come_equally_often() -> None:
    """Of 60,000 dice each of six faces lies within 5 standard deviations (91 each) of 10,000."""
    faces = SeededDice(b"even").roll("many", 60_000)
    assert all(abs(faces.count(face) - 10_000) < 460 for face in range(1, 7))


def test_DICE_3_a_script_gives_its_faces_in_order() -> None:
    dice = ScriptedDice({"a": [1, 2, 3], "b": (6,)})
    assert dice.roll("a", 2) == (1, 2)
    assert dice.roll("b", 1) == (6,)
    assert dice.pick("a", 4) == 2
    assert dice.left_over() == {}
    assert dice.rolled == {"a": [1, 2, 3], "b": [6]}


def test_DICE_3_a_pick_among_one_takes_nothing_of_the_script() -> None:
    dice = ScriptedDice({"a": [1]})
    assert dice.pick("a", 1) == 0
    assert dice.left_over() == {"a": (1,)}


@pytest.mark.parametrize("count", [3, 4])
def test_DICE_3_a_die_that_is_not_there_is_an_error_that_names_it(count: int) -> None:
    with pytest.raises(DiceError, match="a: die 3 is asked for and was not given"):
        ScriptedDice({"a": [1, 2]}).roll("a", count)


def test_DICE_3_an_address_without_a_script_is_an_error() -> None:
    with pytest.raises(DiceError, match="b: die 1 "):
        ScriptedDice({"a": [1]}).roll("b", 1)


def test_DICE_3_what_nobody_asked_for_is_left_over() -> None:
    dice = ScriptedDice({"a": [1, 2, 3], "b": [4], "c": []})
    dice.roll("a", 1)
    assert dice.left_over() == {"a": (2, 3), "b": (4,)}


@pytest.mark.parametrize(("face", "sides"), [(0, 6), (7, 6), (-1, 6), (3, 2)])
def test_DICE_3_a_face_that_the_die_does_not_have_is_an_error(face: int, sides: int) -> None:
    with pytest.raises(DiceError, match=f"a die with {sides} faces cannot show {face}"):
        ScriptedDice({"a": [face]}).roll("a", 1, sides)


def test_DICE_3_a_roll_that_fails_uses_up_nothing() -> None:
    dice = ScriptedDice({"a": [1, 9]})
    with pytest.raises(DiceError):
        dice.roll("a", 2)
    assert dice.rolled.get("a", []) == []
    assert dice.roll("a", 1) == (1,)


def test_both_kinds_are_dice() -> None:
    seeded: Dice = SeededDice(SEED)
    scripted: Dice = ScriptedDice({"x": seeded.roll("x", 6)})
    assert scripted.roll("x", 6) == tuple(seeded.rolled["x"])


@given(st.binary(max_size=200), st.integers(0, 300), st.sampled_from([2, 3, 6, 8, 10, 20, HALF]))
def test_DICE_2_seeds_of_any_length_are_keys_as_HMAC_has_them(seed: bytes, die: int, sides: int) -> None:
    limit = 2**32 - 2**32 % sides
    blocks = ["9/x#" + str(die)] + [f"9/x#{die}/{block}" for block in range(1, 9)]
    words = [number(seed, text, place) for text in blocks for place in range(8)]
    expected = next(word for word in words if word < limit) % sides + 1
    assert SeededDice(seed).roll("9/x", die + 1, sides)[die] == expected


@pytest.mark.parametrize("sides", [0, -1, 2**32 + 1, 2**40])
def test_DICE_2_a_die_that_no_number_could_show_is_refused_and_not_waited_for(sides: int) -> None:
    with pytest.raises(ValueError, match="there is no die"):
        SeededDice(b"seed").roll("1/movement/S1/retreat", 1, sides)


def test_DICE_2_the_largest_die_of_all_has_a_face_for_each_number() -> None:
    (face,) = SeededDice(b"seed").roll("1/movement/S1/retreat", 1, 2**32)
    assert 1 <= face <= 2**32
