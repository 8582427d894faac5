"""Scenarios that are known, and files that a game master brings."""

from __future__ import annotations

import json

import pytest

from app.referee import scenarios
from app.referee.errors import RefereeError
from tests.scenario.files import GOOD


def test_the_shipped_scenarios_are_known_the_smallest_first() -> None:
    lines = scenarios.known()
    assert [(line.key, line.ruleset, line.size, line.seats, line.units) for line in lines] == [
        ("first-skirmish", "cohesion", "9x9", 2, 10),
        ("visage-and-throne", "cohesion", "15x13", 6, 28),
    ]
    assert all(set(line.title) == {"en", "ru"} for line in lines)


def test_a_frozen_scenario_is_json_and_the_callers_own() -> None:
    read = scenarios.frozen("first-skirmish")
    assert json.loads(json.dumps(read)) == read
    read["units"].clear()
    assert scenarios.frozen("first-skirmish")["units"]


@pytest.mark.parametrize("key", ["", "chess", "../secret", "x" * 10_000, "First-Skirmish"])
def test_a_scenario_that_is_not_there_is_refused(key: str) -> None:
    with pytest.raises(RefereeError) as refused:
        scenarios.frozen(key)
    assert refused.value.code == "no-scenario"


def test_a_file_is_read_or_refused_with_every_mistake() -> None:
    assert scenarios.read_file(GOOD)["key"] == "two-hills"
    with pytest.raises(RefereeError) as refused:
        scenarios.read_file(GOOD.replace("goal: 2", "goal: 0").replace("at: A1", "at: C14"))
    assert refused.value.code == "bad-scenario"
    assert [(p.code, p.params["line"], p.params["key"]) for p in refused.value.problems] == [
        ("out-of-bounds", 11, "goal"),
        ("off-board", 37, "units.N-SW1.at"),
    ]
