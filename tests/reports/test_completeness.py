"""A report tells every event, with every die, loss and rule number: counted, not believed."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from xml.etree import ElementTree

import pytest

from app.engine.events import event_key
from app.reports import html, plain, report
from app.reports.tree import Entry, Report, UnitName, flat
from app.rulesets.cohesion import events as told
from app.rulesets.cohesion.state import State
from tests.reports.turns import Told, from_battle, from_cases

TURNS = (
    *from_cases(),
    *from_battle(),
    *from_battle("first-skirmish", seed=b"small"),
)
LANGUAGES = ("en", "ru")
both = pytest.mark.parametrize("language", LANGUAGES)
every_turn = pytest.mark.parametrize("turn", TURNS, ids=lambda turn: turn.name)


@cache
def told_in(name: str, language: str) -> Report:
    """The report of a turn, made once for all tests."""
    turn = next(turn for turn in TURNS if turn.name == name)
    return report(turn, language)


def entries_of(written: Report, place: int) -> list[Entry]:
    return [entry for entry in written.entries if place in entry.told]


def faces_at(turn: Told) -> Counter[tuple[str, int]]:
    return Counter((event.address, face) for event in turn.events if isinstance(event, told.Rolled) for face in event.faces)


@both
@every_turn
def test_every_event_is_told_once(turn: Told, language: str) -> None:
    written = told_in(turn.name, language)
    assert written.told == set(range(len(turn.events)))
    placed = Counter(place for entry in written.entries for place in entry.told)
    assert set(placed.values()) <= {1}
    ids = [entry.id for entry in written.entries]
    assert len(ids) == len(set(ids))
    untold = {event_key(event) for place, event in enumerate(turn.events) if place not in placed}
    assert untold <= {"turn-began", "phase-began"}


@both
@every_turn
def test_every_entry_holds_what_its_events_say(turn: Told, language: str) -> None:
    written = told_in(turn.name, language)
    for place, event in enumerate(turn.events):
        for entry in entries_of(written, place):
            text = flat(entry.sentence)
            if not isinstance(event, told.Rolled | told.BattleBegan | told.TurnEnded):
                assert getattr(event, "rule", None) in (*entry.rules, None)
                assert entry.kind == event_key(event)
            if isinstance(event, told.Lost):
                assert all(f"−{loss}" in text for loss in (event.strength, event.cohesion) if loss)
                assert event.unit == entry.units[0]
                assert all(unit in "".join(flat(why.sentence) for why in entry.why) for unit in event.by)
            elif isinstance(event, told.Attacked):
                assert entry.units == (event.attacker, event.target)
                assert set(event.modifiers) <= set(entry.rules)
                assert set(event.modifiers) - {"ORDER-5"} <= {why.rule for why in entry.why}
                assert all(f"−{loss}" in text for loss in (event.strength, event.cohesion) if loss)
                assert sum(len(roll.dice) for roll in entry.rolls) >= event.dice
            elif isinstance(event, told.Moved | told.Withdrew | told.Retreated):
                assert " → ".join((event.start, *event.path)) in text or not event.path
                assert event.unit == entry.units[0]
            elif isinstance(event, told.Destroyed):
                assert re.search(rf"\b{event.value}\b", text)
            elif isinstance(event, told.Encouraged | told.Recovered) and event.gain:
                assert f"+{event.gain}" in text
            elif isinstance(event, told.Contested):
                assert set(event.units) == set(entry.units)
                assert event.cell in entry.cells


@both
@every_turn
def test_every_die_is_shown_in_both_formats(turn: Told, language: str) -> None:
    wanted = faces_at(turn)
    rolls = [roll for entry in told_in(turn.name, language).entries for roll in entry.rolls]
    assert Counter((roll.address, die.face) for roll in rolls for die in roll.dice) == wanted
    page = ElementTree.fromstring(html.write(told_in(turn.name, language), rules_url="/rules"))
    shown = Counter(
        (dice.findtext("code"), int(die.get("data-face") or 0))
        for dice in page.iter("p")
        if dice.get("class") == "dice"
        for die in dice.iter("span")
        if die.get("data-face")
    )
    assert shown == wanted
    text = " ".join(plain.write(told_in(turn.name, language)).split())
    for roll in rolls:
        assert f"{' '.join(str(die.face) for die in roll.dice)} ({roll.address})" in text


@both
@every_turn
def test_every_rule_number_stands_in_both_formats(turn: Told, language: str) -> None:
    numbers = {event.rule for event in turn.events if getattr(event, "rule", None)}
    numbers |= {rule for event in turn.events if isinstance(event, told.Attacked) for rule in event.modifiers}
    page = ElementTree.fromstring(html.write(told_in(turn.name, language), rules_url="/rules"))
    linked = {link.get("href") for link in page.iter("a") if link.get("class") == "rule-number"}
    assert {f"/rules#{number}" for number in numbers} <= linked
    text = plain.write(told_in(turn.name, language))
    assert all(re.search(rf"[\[ (]{number}[\],)]", text) for number in numbers)
    assert all(len(line) <= 72 for line in text.splitlines())


@every_turn
def test_a_unit_is_named_where_it_stands(turn: Told) -> None:
    """The cells in the sentences are those of the board at that moment: the last one named is the one it ends in."""
    last: dict[str, str] = {}
    for entry in told_in(turn.name, "en").entries:
        for piece in entry.sentence:
            if isinstance(piece, UnitName) and entry.kind != "destroyed":
                last[piece.id] = piece.cell
        if entry.kind in {"moved", "withdrew", "retreated"} and entry.cells:
            last[entry.units[0]] = entry.cells[-1]
    after: State = turn.after
    labels = after.board.grid.labels
    for unit_id, cell in last.items():
        if unit_id in after.units:
            assert labels[after.units[unit_id].at] == cell, unit_id


def test_the_turns_hold_most_kinds_of_events() -> None:
    kinds = {event_key(event) for turn in TURNS for event in turn.events}
    assert len(kinds) >= 20, sorted(kinds)
