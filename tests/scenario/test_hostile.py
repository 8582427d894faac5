"""Whatever is sent as a scenario is answered: with its mistakes, in time, and never with an exception."""

from __future__ import annotations

import time
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.ruleset import Problem
from app.language import LANGUAGES
from app.reports.problems import located
from app.reports.scenariowords import SCENARIO
from app.scenario import read_scenario
from app.scenario.yamltree import MAX_CHARACTERS, MAX_PROBLEMS
from tests.scenario.files import GOOD

BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(8)
)


def told(text: Any) -> list[str]:
    reading = read_scenario(text)
    assert reading.frozen is None
    assert 0 < len(reading.problems) <= MAX_PROBLEMS
    for problem in reading.problems:
        msgspec.json.encode(problem)
    return [problem.code for problem in reading.problems]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty-file"),
        ("# nothing\n", "empty-file"),
        ("just a text", "not-a-mapping"),
        ("- a\n- list", "not-a-mapping"),
        ("goal: [1, 2", "not-yaml"),
        ("goal: 'six", "not-yaml"),
        ("a: b: c", "not-yaml"),
        ("\tgoal: 6", "tab"),
        ("board:\n\tmap: x", "tab"),
        ("goal: \x07", "bad-character"),
        ("goal: \ud800", "bad-character"),
        ("goal: !!python/object/apply:os.system [ls]", "tag"),
        ("goal: !x 6", "tag"),
        ("goal: 6\ngoal: 7", "duplicate-key"),
        ("goal: &g 6\nformat: *g", "alias"),
        ("? [a, b]\n: c", "bad-key"),
        ("a: 1\n---\nb: 2", "second-document"),
        (BOMB, "alias"),
        ("[" * 5000, "too-deep"),
        ("- " * 5000, "too-deep"),
        ("{a: " * 5000, "too-deep"),
        ("x" * (MAX_CHARACTERS + 1), "file-too-long"),
        ("- a\n" * 70_000, "too-many-parts"),
        (GOOD.replace("goal: 2", "goal: " + "9" * 9000), "not-a-number"),
        (
            GOOD.replace("Two Hills", "Two \\u202e Hills").replace("{en: Two", '{en: "Two').replace("Hills,", 'Hills",'),
            "bad-characters",
        ),
    ],
)
def test_a_hostile_file_is_refused_with_a_code(text: str, code: str) -> None:
    assert code in told(text)


@pytest.mark.parametrize(
    "piece",
    [
        "[],",
        "- a\n",
        "'a ",
        "#",
        "a:\n",
        "? ",
        "- !x ",
        "!",
        "&",
        "{a: ",
        "a,",
        "[a,",
        '"\\x41"',
        "-\n",
        "\U0001f642",
        "|\n",
        "%",
    ],
)
def test_a_long_hostile_file_is_answered_in_seconds(piece: str) -> None:
    began = time.monotonic()
    told((piece * MAX_CHARACTERS)[:MAX_CHARACTERS])
    told((piece * 1_000_000)[:1_000_000])
    assert time.monotonic() - began < 20


def test_a_mark_of_byte_order_at_the_start_is_forgiven() -> None:
    assert read_scenario("\ufeff" + GOOD).frozen == read_scenario(GOOD).frozen
    assert read_scenario(GOOD.replace("\n", "\r\n")).frozen == read_scenario(GOOD).frozen


def test_the_number_of_mistakes_told_has_an_end() -> None:
    units = "".join(f"  U-{n}: {{type: Q, contingent: q, at: q}}\n" for n in range(500))
    text = GOOD[: GOOD.index("units:")] + "units:\n" + units
    assert len(told(text)) == MAX_PROBLEMS


def test_json_nested_without_end_is_refused() -> None:
    deep: Any = {}
    for _ in range(3000):
        deep = {"a": deep}
    told(deep)
    told({"format": deep, "title": deep, "types": {"A": deep}, "board": deep, "units": {"A": deep}})


JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=9)
    | st.sampled_from(["north", "A1", "LM", "open"]),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(st.text(max_size=6), part, max_size=4),
    max_leaves=10,
)
KEYS = [
    "format",
    "ruleset",
    "key",
    "title",
    "notes",
    "goal",
    "board",
    "terrain",
    "types",
    "sides",
    "contingents",
    "units",
    "rulings",
]


def named(*keys: str) -> st.SearchStrategy[Any]:
    return st.dictionaries(st.sampled_from(keys), JUNK, max_size=len(keys))


SHAPED = st.fixed_dictionaries(
    dict.fromkeys(KEYS, JUNK)
    | {
        "board": JUNK | named("layout", "map", "legend"),
        "terrain": JUNK
        | st.dictionaries(st.text(max_size=4), named("name", "enter", "must_stop", "colour") | JUNK, max_size=3),
        "types": JUNK
        | st.dictionaries(
            st.text(max_size=4), named("name", "code", "sections", "speed", "shooting", "cohesion"), max_size=3
        ),
        "sides": JUNK
        | st.dictionaries(st.sampled_from(["north", "south", ""]), named("name", "home", "colour") | JUNK, max_size=3),
        "contingents": JUNK | st.dictionaries(st.text(max_size=4), named("side", "name") | JUNK, max_size=3),
        "units": JUNK
        | st.dictionaries(st.text(max_size=4), named("type", "contingent", "at", "strength", "upper") | JUNK, max_size=3),
        "rulings": JUNK | named("tie", "credit", "reroll"),
    }
)


@settings(max_examples=200, deadline=None)
@given(JUNK | SHAPED)
def test_any_json_is_answered_in_words(given: Any) -> None:
    reading = read_scenario(given)
    assert (reading.frozen is None) == bool(reading.problems)
    for problem in reading.problems:
        msgspec.json.encode(problem)
        assert all(located(problem, language) for language in LANGUAGES)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200) | st.text(alphabet="ab:-[]{}&*!|>'\"#%@`,? \n\t0123456789.", max_size=80))
def test_any_text_is_answered(text: str) -> None:
    told(text)


@settings(max_examples=200, deadline=None)
@given(
    st.integers(0, len(GOOD)),
    st.integers(0, 30),
    st.text(max_size=6) | st.sampled_from(["[", "{", "'", '"', "\t", ":", "|", "&a ", "*a"]),
)
def test_a_good_file_spoilt_anywhere_is_answered(at: int, length: int, new: str) -> None:
    reading = read_scenario(GOOD[:at] + new + GOOD[at + length :])
    assert (reading.frozen is None) == bool(reading.problems)


def test_every_code_has_words_in_both_languages() -> None:
    codes = {"tag", "alias", "off-board", "row-length", "code-twice", "cell-taken", "board-in-pieces", "goal-out-of-reach"}
    assert codes <= SCENARIO.keys()
    for language in LANGUAGES:
        assert "C14" in located(
            Problem(
                "off-board",
                ("units", "X", "at"),
                {"key": "units.X.at", "line": 3, "column": 4, "cell": "C14", "columns": 9, "rows": 13, "last": "I13"},
            ),
            language,
        )
