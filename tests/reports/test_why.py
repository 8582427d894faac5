"""Every number of a report answers why: its dice, its reasons, and the rules behind it in their own words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import get_args
from xml.etree import ElementTree

import pytest

from app.reports import Turn, html, report
from app.reports.rules import book
from app.reports.tree import flat
from app.rulesets.cohesion import events as told
from app.rulesets.cohesion.codec import load_state
from app.rulesets.cohesion.evolve import evolve
from tests.reports.turns import BARE, Told, from_battle, from_cases

HEADINGS = {told.TurnBegan, told.PhaseBegan}
"""What is told by a title. A phase's group gives its reason to every line under it."""
ALONE = {told.Amended}
"""What may stand without a rule: the game master's own word."""


def _amended() -> Turn:
    before = load_state({"units": {"N1": {"type": "LM", "side": "north", "at": "C3"}}})
    events = [told.Amended(target="points", key="north", before=0, after=1, reason="A dropped counter", rule=None)]
    return Turn(before, evolve(before, events), events, BARE)


@cache
def turns() -> tuple[Told | Turn, ...]:
    """Random battles of both scenarios, every case of the rules, and a ruling."""
    battles = [from_battle(), from_battle("first-skirmish", b"why"), from_battle("visage-and-throne", b"why")]
    return (*(turn for battle in battles for turn in battle), *from_cases(), _amended())


def _lines(language: str) -> Iterator[tuple[set[type], ElementTree.Element, str]]:
    """Each line: the kinds of events that it tells, how it is written, which group it stands in."""
    for turn in turns():
        written = report(turn, language)
        page = ElementTree.fromstring(html.write(written, rules_url="/rules"))
        found = {item.get("id"): item for item in page.iter("li") if item.get("id")}
        for section in written.sections:
            for group in section.groups:
                for entry in group.entries:
                    yield {type(turn.events[place]) for place in entry.told}, found[entry.id], group.title


def _text(element: ElementTree.Element) -> str:
    return "".join(element.itertext())


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_kind_of_event_opens_its_reasons_with_the_words_of_its_rules(language: str) -> None:
    rules = book(language, "cohesion")
    seen: set[type] = set()
    for kinds, line, group in _lines(language):
        seen |= kinds
        why = line.find("details[@class='why']")
        assert why is not None, _text(line)
        texts = {link.text: _text(words) for link, words in zip(why.findall("dl/dt/a"), why.findall("dl/dd"), strict=True)}
        named = {link.text for link in line.iterfind("p[@class='told']/span[@class='rules']/a")}
        named |= {link.text for link in why.iterfind("ul/li/span[@class='rules']/a")}
        assert named == set(texts), _text(line)
        assert all(len(texts[number]) > 15 for number in texts)
        assert all(rules.has(str(number)) for number in named)
        assert named or kinds <= ALONE, _text(line)
        assert group in _text(why)
        for dice in line.iterfind("p[@class='dice']"):
            assert "/" in (dice.findtext("code") or "")
            assert [int(die.get("data-face") or 0) for die in dice.iter("span") if die.get("data-face")]
    assert seen == set(get_args(told.AnyEvent)) - HEADINGS


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (told.Attacked, "dice: "),
        (told.Attacked, "distance 2 cells, range"),
        (told.Attacked, "obstacle in the line of sight is ignored"),
        (told.Lost, "From the attack"),
        (told.Destroyed, "its value is 2 points"),
        (told.Withdrew, "distance to the home edge"),
        (told.Contested, "the die decides: 1 "),
        (told.Caught, "its own speed is "),
        (told.Moved, "paths of 2 steps"),
        (told.Retreated, "steps made."),
        (told.Retreated, "the die decides among"),
        (told.TurnEnded, "victory at 6 points"),
    ],
)
def test_numbers_that_no_event_holds_are_given_as_reasons(kind: type, reason: str) -> None:
    whys = [line.find("details[@class='why']/ul") for kinds, line, _ in _lines("en") if kind in kinds]
    assert any(reason in _text(why) for why in whys if why is not None)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_ATTACK_3_each_die_of_a_terrifying_attack_says_what_falls_by_it(language: str) -> None:
    aside = 0
    for turn in turns():
        for entry in report(turn, language).entries:
            for event in (turn.events[place] for place in entry.told):
                if isinstance(event, told.Attacked) and event.mode == "terrifying":
                    by = {die.mark: die.face for roll in entry.rolls for die in roll.dice}
                    assert (by["cohesion"], by["strength"]) == (event.cohesion, event.strength)
                    assert ("aside" in by) == ("ATTACK-3" in event.modifiers)
                    aside += by.get("aside", 0) >= event.cohesion
    assert aside


def test_ATTACK_7_what_was_more_than_there_was_is_told() -> None:
    seen = set()
    for turn in turns():
        taken: dict[tuple[str, str], list[int]] = {}
        for entry in report(turn, "en").entries:
            for event in (turn.events[place] for place in entry.told):
                if isinstance(event, told.Attacked):
                    sums = taken.setdefault((event.phase, event.target), [0, 0])
                    sums[0] += event.cohesion
                    sums[1] += event.strength
                elif isinstance(event, told.Lost) and event.by:
                    cohesion, strength = taken[event.phase, event.unit]
                    more = (cohesion, strength) != (event.cohesion, event.strength)
                    said = [flat(why.sentence) for why in entry.why if why.rule == "ATTACK-7"]
                    assert len(said) == more
                    assert not (more and cohesion) or f"\u2212{cohesion}" in said[0]
                    seen.add(more)
    assert seen == {True, False}


def test_a_contest_says_which_face_stood_for_whom() -> None:
    seen = 0
    for kinds, line, _ in _lines("en"):
        if told.Contested not in kinds:
            continue
        faces = [int(die.get("data-face") or 0) for die in line.iter("span") if die.get("data-face")]
        if not faces:
            continue
        reason = next(_text(item) for item in line.iterfind("details/ul/li") if "the die decides" in _text(item))
        winner = _text(line.findall("p[@class='told']")[0]).split(": ")[1].split(" gets in")[0]
        assert f"{faces[-1]} {winner}" in reason
        seen += 1
    assert seen
