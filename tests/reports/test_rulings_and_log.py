from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from app.engine.ruleset import RulingSwitch
from app.referee.logbook import CODES
from app.reports.logwords import BY, LINES, log_words, who_words
from app.reports.rules import book
from app.reports.rulings import SWITCHES, VALUES, switch_words, switches_words
from app.rulesets.registry import RULESETS

LANGUAGES = ("en", "ru")
MOMENT = datetime(2026, 11, 30, 18, 0, tzinfo=UTC).isoformat()
PARAMS = {
    "seat": "north-left",
    "holder": "Ann",
    "generation": 2,
    "revision": 3,
    "ready": True,
    "old": None,
    "new": MOMENT,
    "deadline": MOMENT,
    "seen": None,
    "by": "ready",
    "reason": "a die was misread",
    "rule": "ATTACK-2",
    "stage": "open",
    "origin": "k3xw7yqzma",
    "exported": MOMENT,
    "kind": "discourse",
    "number": 7,
    "campaign": "k3xw7yqzma",
    "title": "Misread",
    "master": "Ann",
    "plays": True,
    "minutes": 30,
    "hours": 24,
    "until": MOMENT,
    "option": "looks",
    "was": "never",
    "is": "always",
    "address": "attack:N1",
    "to": 2,
    "line": 1,
    "seats": ["north-left"],
    "begins": MOMENT,
    "deputy": {"seat": "north-left"},
    "orders": "empty",
    "with": "Ann",
    "early": False,
    "program": "random",
    "doctrine": "hold",
    "open": 2,
    "settled": MOMENT,
    "side": "north",
    "other": "north-left",
    "fresh": False,
}
SCHEDULES = {
    "was": {"hours": 72, "times": [], "skip": [], "zone": "UTC"},
    "is": {"hours": None, "times": ["tue 21:00", "fri 21:00"], "skip": ["2026-12-31/2027-01-08"], "zone": "Europe/Moscow"},
}
SCENARIO = {"contingents": {"north-left": {"side": "north", "name": {"en": "Left wing", "ru": "Левое крыло"}}}}


def all_switches() -> list[RulingSwitch]:
    return [switch for ruleset in RULESETS.values() for switch in ruleset.switches]


def test_every_switch_and_every_value_has_words() -> None:
    switches = all_switches()
    assert len(switches) == 7
    assert {switch.key for switch in switches} == set(SWITCHES)
    assert {(switch.key, value) for switch in switches for value in switch.values} == set(VALUES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_switch_is_told(language: str) -> None:
    for told, switch in zip(switches_words(all_switches(), language), all_switches(), strict=True):
        assert told.rule == switch.rule
        assert told.rule in book(language, "cohesion").rules
        assert [value.key for value in told.values] == list(switch.values)
        assert [value.key for value in told.values if value.is_default] == [switch.default]
        for text in (told.title, told.words, *(part for value in told.values for part in (value.title, value.words))):
            assert text
            assert bool(re.search("[а-яё]", text)) == (language == "ru")
        assert told.value(switch.default).is_default
        with pytest.raises(KeyError):
            told.value("no-such-value")


def test_a_switch_that_nobody_described_is_told_by_its_key() -> None:
    told = switch_words(RulingSwitch("fog", ("thick", "thin"), "thin", "FOG-1"), "ru")
    assert (told.title, told.words) == ("fog", "")
    assert [value.title for value in told.values] == ["thick", "thin"]


def test_every_line_of_the_log_has_words() -> None:
    assert set(LINES) == set(CODES)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", CODES)
def test_a_line_of_the_log_is_a_sentence(code: str, language: str) -> None:
    told = log_words(code, {name: PARAMS[name] for name in CODES[code]}, language, scenario=SCENARIO, zone="Europe/Moscow")
    assert "%" not in told
    assert told.endswith((".", "misread"))
    assert bool(re.search("[а-яё]", told)) == (language == "ru")
    if "seat" in CODES[code]:
        assert told.startswith("Left wing" if language == "en" else "Левое крыло")


def test_a_changed_schedule_is_told_in_words() -> None:
    assert log_words("schedule-set", SCHEDULES, "en") == (
        "The schedule was changed: Tuesday and Friday, 21:00; not on 31 December 2026 – 8 January 2027 (Moscow) "
        "(before: 72 hours a turn (UTC))."
    )
    assert "вторник и пятница, 21:00; кроме: 31 декабря 2026 – 8 января 2027 (Москва)" in log_words(
        "schedule-set", SCHEDULES, "ru"
    )
    by_hand = {"hours": None, "times": [], "skip": [], "zone": "UTC"}
    told = log_words("schedule-set", {"was": by_hand, "is": SCHEDULES["was"]}, "en")
    assert "(before: deadlines are set by hand (UTC))" in told


def test_a_pause_without_an_end_or_with_a_reason_is_told_so() -> None:
    given = {"deadline": MOMENT, "until": None, "reason": "Away."}
    assert "until the game master says so" in log_words("paused", given, "en")
    assert log_words("paused", given, "en").endswith("Reason: Away.")
    assert "до решения мастера" in log_words("paused", given, "ru")
    nothing = {"old": None, "new": None, "deadline": None, "until": None, "reason": None}
    assert log_words("resumed", nothing, "en") == "The pause ended."
    assert log_words("paused", nothing, "ru") == "Битва приостановлена до решения мастера."
    assert log_words("pause-agreed", {"seat": None}, "en") == "Game master: agreed to the pause."
    assert "Reason" not in log_words("paused", {**given, "reason": None}, "en")


def test_moments_are_told_in_the_battles_zone() -> None:
    told = log_words("deadline-set", {"old": None, "new": MOMENT}, "en", zone="Europe/Moscow")
    assert told == "The deadline was set: 30 November 2026, 21:00 (Moscow, UTC+3) (before: no deadline)."


def test_what_is_missing_or_denied_has_words_of_its_own() -> None:
    assert log_words("holder-named", {"seat": "a", "holder": None}, "en") == "A: no commander is named."
    assert log_words("ready-on-behalf", {"seat": "a", "ready": False}, "ru") == "A: мастер снял отметку о готовности."
    assert log_words("ruled", {"reason": "x", "rule": None, "stage": "open"}, "en") == "Ruling of the game master: x"
    assert log_words("struck-by-lightning", {}, "en") == "Something was done (struck-by-lightning)."
    assert log_words("resolved", {}, "en") == "Something was done (resolved)."


@pytest.mark.parametrize("by", BY)
def test_why_a_turn_was_resolved_has_words(by: str) -> None:
    assert re.search("[а-яё]", log_words("resolved", {"by": by}, "ru"))


@pytest.mark.parametrize("who", ["master", "clock", "seat"])
def test_who_did_it_has_words(who: str) -> None:
    assert re.search("[а-яё]", who_words(who, "ru"))
