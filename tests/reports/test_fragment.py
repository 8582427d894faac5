"""Reports as an HTML fragment: few tags, each closed, nothing lost."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from app.reports import fragment, report
from app.reports.tree import flat
from tests.reports.turns import from_battle

TURNS = (*from_battle(), *from_battle("first-skirmish", seed=b"small"))
both = pytest.mark.parametrize("language", ["en", "ru"])


def read_back(text: str) -> ElementTree.Element:

    whole = ElementTree.fromstring("<div>" + re.sub(r"<(br|img[^>]*)>", r"<\1/>", text) + "</div>")
    assert {element.tag for element in whole.iter()} <= fragment.TAGS | {"div"}
    assert {name for element in whole.iter() for name in element.attrib} <= {"href", "src", "alt"}
    return whole


def words(text: str) -> str:
    return "".join(read_back(text).itertext()).replace("\u200b", "")


@both
def test_every_entry_die_and_rule_is_there(language: str) -> None:
    for turn in TURNS:
        told = report(turn, language)
        text = fragment.turn_report(turn, language, length="dice")
        assert len(list(read_back(text).iter("li"))) == len(list(told.entries))
        seen = words(text)
        assert flat(told.headline) in seen
        for entry in told.entries:
            assert flat(entry.sentence) + (f" ({', '.join(entry.rules)})" if entry.rules else "") in seen
            for roll in entry.rolls:
                assert f"{roll.caption}: {' '.join(str(die.face) for die in roll.dice)} ({roll.address})" in seen
            for why in entry.why:
                assert flat(why.sentence) + (f" ({why.rule})" if why.rule else "") in seen


@both
@pytest.mark.parametrize("length", ["headline", "phases"])
def test_shorter_lengths_say_what_they_promise(length: str, language: str) -> None:
    for turn in TURNS:
        told = report(turn, language)
        text = fragment.turn_report(
            turn, language, length=length, url="https://post.example/?a=1&b=2", picture="https://p.example/1.png"
        )
        whole = read_back(text)
        assert [link.get("href") for link in whole.iter("a")] == ["https://post.example/?a=1&b=2"]
        assert [image.get("src") for image in whole.iter("img")] == ["https://p.example/1.png"]
        shown = len(list(whole.iter("li")))
        assert shown == (0 if length == "headline" else len(list(told.entries)))
        seen = words(text)
        assert flat(told.headline) in seen
        if length == "phases":
            assert all(flat(entry.sentence) in seen for entry in told.entries)
