"""Every finding of a ruleset has its words, in both languages, and its rule."""

from __future__ import annotations

import ast
import re

import pytest

from app.engine.glance import Finding
from app.reports.glance import FINDINGS, words
from app.reports.rules import book
from tests.reports.turns import ROOT

LANGUAGES = ("en", "ru")
FILES = ("glance.py", "stops.py")
CODE = re.compile(r"[a-z]+(-[a-z]+)+|caught")
RULE = re.compile(r"[A-Z]{2,}(-\d+)?")


def constants() -> set[str]:
    """Every text in the sources that give findings."""
    found = set()
    for name in FILES:
        tree = ast.parse((ROOT / "app" / "rulesets" / "cohesion" / name).read_text(encoding="utf-8"))
        found |= {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return found


def test_every_code_that_is_given_has_words_and_every_word_a_code() -> None:
    reasons = {"held-back", "not-adjacent", "friend-", "enemy-"}
    assert {text for text in constants() if CODE.fullmatch(text)} - reasons == set(FINDINGS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_that_is_named_is_one(language: str) -> None:
    rules = {text for text in constants() if RULE.fullmatch(text)}
    assert rules
    assert {rule for rule in rules if not book(language, "cohesion").has(rule)} == set()


@pytest.mark.parametrize("code", FINDINGS)
def test_a_finding_says_its_units_and_its_cell(code: str) -> None:
    told = {language: words(Finding(code, "S1", ("S2", "S3"), "C4"), str.lower, language) for language in LANGUAGES}
    assert told["en"] != told["ru"]
    for text in told.values():
        assert "s1" in text
        assert ("s2" in text) == ("%(others)s" in FINDINGS[code] or "%(all)s" in FINDINGS[code])
        assert ("C4" in text) == ("%(cell)s" in FINDINGS[code])
        assert "%" not in text


def test_what_is_not_sure_says_so() -> None:
    sure, perhaps = Finding("caught", "S1", ("N1",)), Finding("caught", "S1", ("N1",), sure=False)
    for language in LANGUAGES:
        assert words(perhaps, str, language).endswith(words(sure, str, language))
        assert words(perhaps, str, language) != words(sure, str, language)


def test_a_code_of_another_ruleset_is_told_all_the_same() -> None:
    assert "new-thing" in words(Finding("new-thing", "S1"), str, "en")
