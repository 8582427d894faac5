"""The section `carry` of a scenario file: read, written, and every mistake in it told with its place."""

from __future__ import annotations

from typing import Any

import pytest

from app.reports import problems as spoken
from app.scenario import read_scenario, write_scenario
from tests.scenario.files import GOOD

UNITS = list((read_scenario(GOOD).frozen or {})["units"])
FIRST, SECOND = UNITS[:2]


def read(section: str) -> Any:
    return read_scenario(f"{GOOD}carry:\n" + "".join(f"  {line}\n" for line in section.splitlines()))


def test_what_is_carried_over_is_frozen_as_it_was_asked() -> None:
    frozen = read(f"battle: abcdefghjk\nunits: {{{FIRST}: N1, {SECOND}: N2}}\nrest: half\nback: {{{SECOND}: 2}}").frozen
    assert frozen["carry"] == {
        "battle": "abcdefghjk",
        "rest": "half",
        "units": {FIRST: "N1", SECOND: "N2"},
        "back": {SECOND: 2},
    }
    assert read_scenario(write_scenario(frozen)).frozen == frozen


def test_what_is_settled_reads_back_to_the_very_same() -> None:
    settled = read(
        f'battle: abcdefghjk\nunits: {{{FIRST}: N1}}\nturn: 3\ntitle: "The ford: true"\ngone: {{other: N2}}'
    ).frozen
    assert settled["carry"]["gone"] == {"other": "N2"}
    assert settled["carry"]["rest"] == "as-is"
    assert read_scenario(write_scenario(settled)).frozen == settled


def test_a_scenario_without_it_is_frozen_as_ever() -> None:
    assert "carry" not in (read_scenario(GOOD).frozen or {})


@pytest.mark.parametrize(
    ("section", "code", "key"),
    [
        (f"battle: not/an/id\nunits: {{{FIRST}: N1}}", "carry-bad-battle", "carry.battle"),
        (f"battle: 12\nunits: {{{FIRST}: N1}}", "carry-bad-battle", "carry.battle"),
        (f"units: {{{FIRST}: N1}}", "missing-key", "carry.battle"),
        ("battle: a\nunits: {nobody: N1}", "carry-no-place", "carry.units.nobody"),
        (f"battle: a\nunits: {{{FIRST}: N1, {SECOND}: N1}}", "carry-twice", f"carry.units.{SECOND}"),
        (f"battle: a\nunits: {{{FIRST}: N1}}\nrest: long", "not-one-of", "carry.rest"),
        (f"battle: a\nunits: {{{FIRST}: N1}}\nback: {{{SECOND}: 2}}", "unknown-key", f"carry.back.{SECOND}"),
        (f"battle: a\nunits: {{{FIRST}: N1}}\nback: {{{FIRST}: 0}}", "out-of-bounds", f"carry.back.{FIRST}"),
        (f"battle: a\nunits: {{{FIRST}: [N1]}}", "bad-name", f"carry.units.{FIRST}"),
        ("battle: a\nunits: everybody", "not-a-mapping", "carry.units"),
        (f"battle: a\nunits: {{{FIRST}: N1}}\nwhen: now", "unknown-key", "carry.when"),
        (f"battle: a\nunits: {{}}\nturn: 1\ntitle: a\ngone: {{{FIRST}: N1}}", "carry-no-place", f"carry.gone.{FIRST}"),
    ],
)
def test_each_mistake_is_told_with_its_place(section: str, code: str, key: str) -> None:
    reading = read(section)
    assert reading.frozen is None
    assert [(p.code, p.params["key"]) for p in reading.problems] == [(code, key)]
    assert reading.problems[0].params["line"] > len(GOOD.splitlines())
    for language in ("en", "ru"):
        assert spoken.words(reading.problems[0], language)


@pytest.mark.parametrize("section", ["[]", "12", "null", "{units: 3, battle: []}", "{back: [1], gone: x, turn: no}"])
def test_what_makes_no_sense_is_refused_and_never_raised(section: str) -> None:
    reading = read_scenario(f"{GOOD}carry: {section}\n")
    assert reading.frozen is None
    assert reading.problems
