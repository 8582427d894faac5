"""Formulas: what they mean, where they are wrong, and that no text can do harm."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rulesets.cohesion.formula import MAX_NUMBER, BadFormula, bounds, evaluate, names


@dataclass(frozen=True)
class Some:
    strength: int = 5
    cohesion: int = 3
    upper: int = 2
    lower: int = 7


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("strength", 5),
        ("half(strength)", 3),
        ("half(lower) - 1", 3),
        ("2 * strength + 1", 11),
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("10 - 4 - 3", 3),
        ("min(strength, cohesion)", 3),
        ("max(upper, half(lower))", 4),
        ("min(half(strength), half(cohesion))", 2),
        ("half(strength - lower)", 0),
        ("upper - strength", 0),
        ("-upper + strength", 3),
        ("half(0 - 3) + 5", 4),
        ("999 * 999", MAX_NUMBER),
        (" half ( strength )\n", 3),
    ],
)
def test_what_a_formula_means(text: str, value: int) -> None:
    assert evaluate(text, Some()) == value


@pytest.mark.parametrize(
    ("text", "code", "position"),
    [
        ("", "empty", 1),
        ("   ", "empty", 1),
        ("speed", "unknown-word", 1),
        ("1 + luck", "unknown-word", 5),
        ("half strength", "expected", 6),
        ("half(strength", "expected", 14),
        ("min(1)", "expected", 6),
        ("1 +", "expected", 4),
        ("1 2", "expected", 3),
        (")", "expected", 1),
        ("1 / 2", "unknown-sign", 3),
        ("strength.real", "unknown-sign", 9),
        ("__import__", "unknown-word", 1),
        ("1000", "number-too-large", 1),
        ("9" * 150, "number-too-large", 1),
        ("1" + " + 1" * 60, "too-long", 201),
        ("(" * 40 + "1" + ")" * 40, "too-deep", 17),
        ("-" * 100 + "1", "too-deep", 17),
        ("²", "unknown-sign", 1),
        ("٣", "unknown-sign", 1),
    ],
)
def test_where_a_formula_is_wrong(text: str, code: str, position: int) -> None:
    with pytest.raises(BadFormula) as bad:
        evaluate(text, Some())
    assert (bad.value.code, bad.value.position) == (code, position)


@given(st.text(alphabet="strengh cohiupplw0123456789+-*(),half min max", max_size=60) | st.text(max_size=250))
def test_any_text_gives_a_number_or_a_bad_formula(text: str) -> None:
    position, value = 1, 0
    try:
        value = evaluate(text, Some())
    except BadFormula as bad:
        position = bad.position
    assert 1 <= position <= max(len(text), 1) + 1
    assert 0 <= value <= MAX_NUMBER


TREES = st.recursive(
    st.sampled_from(["strength", "cohesion", "upper", "lower"]) | st.integers(0, 9).map(str),
    lambda part: (
        part.map("half({})".format)
        | st.tuples(st.sampled_from(["({} + {})", "({} - {})", "({} * {})", "min({}, {})", "max({}, {})"]), part, part).map(
            lambda made: made[0].format(made[1], made[2])
        )
    ),
    max_leaves=6,
)


@given(TREES, st.tuples(*[st.integers(0, 9)] * 4))
def test_a_formula_stays_within_its_bounds(text: str, values: tuple[int, int, int, int]) -> None:
    low, high = bounds(text, dict.fromkeys(("strength", "cohesion", "upper", "lower"), 9))
    assert min(low, MAX_NUMBER) <= evaluate(text, Some(*values)) <= high


def test_the_names_that_a_formula_reads() -> None:
    assert names("min(half(lower), 3) + cohesion") == {"lower", "cohesion"}
