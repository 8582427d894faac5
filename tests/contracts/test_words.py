"""What a registered ruleset needs beside its functions: words for all that happens, rules in both languages, a scenario."""

from __future__ import annotations

import pytest

from app.language import LANGUAGES
from app.referee import scenarios
from app.reports import TELLERS, seatwords
from app.reports.differing import DIFFERENCES
from app.reports.differing import RULINGS as RULING_WORDS
from app.reports.rules import book
from app.reports.rulings import switch_words
from app.rulesets.registry import RULESETS

KEYS = tuple(RULESETS)


@pytest.mark.parametrize("key", KEYS)
def test_a_ruleset_is_registered_under_its_own_key_and_has_words(key: str) -> None:
    assert RULESETS[key].key == key
    assert TELLERS[key].ruleset == key
    assert key in DIFFERENCES
    assert key in RULING_WORDS


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_are_there_in_each_language_with_every_switch_and_doctrine(key: str, language: str) -> None:
    ruleset, rules = RULESETS[key], book(language, key)
    assert rules.language == language
    for switch in ruleset.switches:
        assert rules.has(switch.rule), switch.key
        assert set(switch.values) == {value.key for value in switch_words(switch, language).values}
    for subject, number in ruleset.behind.items():
        assert rules.has(number), subject
    assert ruleset.silence in (None, *(switch.key for switch in ruleset.switches))
    for doctrine in ruleset.doctrines:
        assert doctrine in seatwords.DOCTRINES
        assert seatwords.doctrine_text(doctrine, language)


@pytest.mark.parametrize("key", KEYS)
def test_a_ruleset_has_a_scenario_that_is_shipped(key: str) -> None:
    assert [line.key for line in scenarios.known() if line.ruleset == key]
