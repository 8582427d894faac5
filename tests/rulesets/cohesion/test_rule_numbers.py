"""Every rule of the document has a case or a test that names it."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.rulesets.cohesion.test_cases import book

HOUSE = Path(__file__).parents[3]
RULES = HOUSE / "docs" / "rules"
_RULE = re.compile(r"^- \*\*([A-Z]+(?:-\d+)?)\*\* ", re.MULTILINE)
_TEST = re.compile(r"^\s*def (test_\w+)", re.MULTILINE)
_NAMED = re.compile(r"[A-Z]{2,}(?:_\d+)?")


def rule_numbers(language: str = "en") -> list[str]:
    return _RULE.findall((RULES / f"cohesion.{language}.md").read_text(encoding="utf-8"))


@cache
def all_tests() -> frozenset[str]:
    rooms = (Path(__file__).parent, HOUSE / "tests" / "geometry", HOUSE / "tests" / "engine")
    texts = (file.read_text(encoding="utf-8") for room in rooms for file in room.glob("test_*.py"))
    return frozenset(name for text in texts for name in _TEST.findall(text))


def named_by_tests() -> set[str]:
    return {number.replace("_", "-") for name in all_tests() for number in _NAMED.findall(name)}


def named_by_cases() -> set[str]:
    return {number for case in book() for number in case["rules"]}


def test_the_document_has_its_rules() -> None:
    numbers = rule_numbers()
    assert len(numbers) == len(set(numbers)) == 72
    assert {"BOARD-1", "WS", "PR", "PH", "DICE-3"} <= set(numbers)


def test_both_languages_have_the_same_rules() -> None:
    assert rule_numbers("ru") == rule_numbers("en")


@pytest.mark.parametrize("number", rule_numbers())
def test_each_rule_is_named_by_a_case_or_a_test(number: str) -> None:
    assert number in named_by_cases() | named_by_tests()


def test_cases_cite_rules_that_there_are() -> None:
    assert named_by_cases() <= set(rule_numbers())


def lines() -> dict[str, tuple[str, str]]:
    """Rule -> the code and the tests that its line names."""
    text = (HOUSE / "app" / "rulesets" / "cohesion" / "RULES.md").read_text(encoding="utf-8")
    rows = (line.strip("|").split("|") for line in text.splitlines() if line.startswith("| "))
    return {row[0].strip(): (row[1], row[2]) for row in rows if len(row) == 3}


@pytest.mark.parametrize("number", rule_numbers())
def test_each_rule_has_its_line_and_what_the_line_names_is_there(number: str) -> None:
    code, held_by = lines()[number]
    for named in re.findall(r"`([\w.]+)`", code):
        assert there(named), named
    names = {case["case"] for case in book()}
    cases = [word.strip() for word in held_by.split(";")[0].split(",") if "`" not in word and "…" not in word]
    assert set(filter(None, cases)) <= names
    tests = re.findall(r"`(\w+)`", held_by)
    assert set(tests) <= all_tests()
    assert cases or tests


def there(named: str) -> bool:
    """`turn.Turn.roll` in the ruleset's folder, `geometry.hex.Grid` elsewhere in the house."""
    parts = named.split(".")
    room = f"app.{parts[0]}.{parts[1]}" if parts[0] in {"geometry", "engine"} else f"app.rulesets.cohesion.{parts[0]}"
    found: Any = import_module(room)
    for part in parts[2 if parts[0] in {"geometry", "engine"} else 1 :]:
        found = getattr(found, part, None)
    return found is not None
