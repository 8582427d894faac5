"""Reports for chats without markup: a line an event, no line broken, never too long."""

from __future__ import annotations

import pytest

from app.reports import chat, report
from app.reports.tree import LENGTHS
from tests.reports.turns import from_battle

TURNS = (*from_battle(), *from_battle("first-skirmish", seed=b"small"))
ENDLESS = 10**6
both = pytest.mark.parametrize("language", ["en", "ru"])


@both
@pytest.mark.parametrize("length", tuple(LENGTHS))
def test_each_event_is_a_line_and_nothing_is_broken_or_said_twice(language: str, length: str) -> None:
    for turn in TURNS:
        told = report(turn, language).cut(LENGTHS[length])
        text = chat.turn_report(turn, language, length=length, limit=ENDLESS)
        lines = text.splitlines()
        entries = [entry for section in told.sections for entry in section.entries]
        assert sum(line.startswith(("❗ ", "▪ ", "• ")) for line in lines) == len(entries)
        assert sum(line.startswith("❗") for line in lines) == sum(entry.severity == "grave" for entry in entries)
        assert sum(line.startswith("    ") for line in lines) == sum(
            len(entry.rolls) + len(entry.why) for entry in entries if length == "dice"
        )
        assert told.title not in lines
        assert "\n\n\n" not in text


@both
@pytest.mark.parametrize("limit", [700, 1000, 2000])
def test_what_is_too_long_keeps_what_is_grave_and_says_what_it_leaves_out(language: str, limit: int) -> None:
    for turn in TURNS:
        text = chat.turn_report(turn, language, limit=limit)
        whole = chat.turn_report(turn, language, limit=ENDLESS)
        assert len(text) <= limit
        if text == whole:
            continue
        assert text.count("❗") == whole.count("❗")
        kept = sum(line.startswith(("❗", "▪", "•")) for line in text.splitlines())
        left = sum(line.startswith(("❗", "▪", "•")) for line in whole.splitlines()) - kept
        assert str(left) in text.splitlines()[-1]
