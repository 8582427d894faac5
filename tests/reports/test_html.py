from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from msgspec import structs

from app.reports import Turn, headline, html, plain
from app.reports.rules import book
from app.reports.tree import Name, Text, UnitName, begun, clean, fill, flat
from app.rulesets.cohesion import events as told
from app.rulesets.cohesion.codec import load_state
from app.rulesets.cohesion.evolve import evolve
from tests.reports.turns import BARE, from_battle

HOSTILE = '<b>O\'Brien & "Sons" [url=x]*_`|\u202egnol\u202c</b><script>alert(1)</script>\nnext %(unit)s 100% 🐉'
LONGEST = max(from_battle(), key=lambda turn: len(turn.events))


def page(turn: object, language: str = "en", url: str = "/b/x/rules") -> ElementTree.Element:
    return ElementTree.fromstring(html.turn_report(turn, language, rules_url=url))  # type: ignore[arg-type]


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_report_is_well_formed_and_its_links_lead_somewhere(language: str) -> None:
    whole = page(LONGEST, language)
    assert whole.get("lang") == language
    ids = [element.get("id") for element in whole.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    anchors = set(book(language, "cohesion").rules)
    links = [link.get("href") or "" for link in whole.iter("a")]
    assert len(links) > 100
    for link in links:
        where, _, anchor = link.partition("#")
        assert anchor in (anchors if where == "/b/x/rules" else set(ids)), link
    for use in whole.iter("use"):
        assert (use.get("href") or "").removeprefix("#") in ids


def test_a_rule_that_the_rules_do_not_have_is_no_link() -> None:
    cited = 'HOUSE-1 "><b>'
    events = tuple(structs.replace(e, rule=cited) if isinstance(e, told.Attacked) else e for e in LONGEST.events)
    whole = page(LONGEST._replace(events=events))
    assert not [link for link in whole.iter("a") if "HOUSE" in (link.get("href") or "")]
    assert cited in [mark.text for mark in whole.iter("span") if mark.get("class") == "rule-number"]


def test_every_entry_has_an_address_of_its_own() -> None:
    whole = page(LONGEST)
    entries = [item for item in whole.iter("li") if "entry" in (item.get("class") or "").split()]
    assert len(entries) > 60
    assert all(re.fullmatch(r"[a-z]+-\d+", entry.get("id") or "") for entry in entries)
    assert {(entry.get("id") or "").split("-")[0] for entry in entries} >= {"shooting", "melee", "movement"}
    assert all(entry.find("p/a[@class='self']") is not None for entry in entries)
    named = [entry for entry in entries if entry.get("data-units")]
    assert len(named) > 60
    assert all(entry.get("data-cells") for entry in named)


def test_the_reason_why_is_folded_away_and_names_its_rules() -> None:
    whole = page(LONGEST)
    attack = next(item for item in whole.iter("li") if "attacked" in (item.get("class") or "").split())
    why = attack.find("details")
    assert why is not None
    assert why.findtext("summary") == "Why?"
    assert "ATTACK-1" in {link.text for link in why.iter("a")}
    rules = next(part for part in whole.iter("details") if part.get("class") == "rules-named")
    told_rules = [link.text for term in rules.iter("dt") for link in term.iter("a")]
    assert len(told_rules) == len(set(told_rules))
    order = list(book("en", "cohesion").rules)
    assert [order.index(number or "") for number in told_rules] == sorted(order.index(n or "") for n in told_rules)


def test_there_is_no_style_and_no_script() -> None:
    text = html.turn_report(LONGEST, "en", rules_url="/r")
    assert "style=" not in text
    assert "<script" not in text
    assert " on" not in re.sub(r">[^<]*<", "><", text).replace(' on"', "")


def hostile_turn() -> Turn:
    before = load_state({"units": {"N1": {"type": "LM", "side": "north", "at": "C3"}}})
    events = [
        told.Amended(target="points", key="north", before=0, after=1, reason=HOSTILE, rule=None),
        told.PhaseBegan(phase="melee"),
        told.Attacked(
            phase="melee", attacker=HOSTILE, target="N1", power="ordinary", mode="equal", counts="both",
            dice=0, first=3, second=5, cohesion=0, strength=0,
        ),
        told.TurnEnded(turn=1),
    ]  # fmt: skip
    sides = {**BARE["sides"], "north": {"name": {"en": HOSTILE, "ru": HOSTILE}}}  # type: ignore[dict-item]
    return Turn(before, evolve(before, events), events, {**BARE, "sides": sides})


@pytest.mark.parametrize("language", ["en", "ru"])
def test_names_of_others_break_nothing(language: str) -> None:
    turn = hostile_turn()
    whole = page(turn, language)
    assert whole.find(".//b") is None
    assert whole.find(".//script") is None
    text = "".join(whole.itertext())
    for written in (text, plain.turn_report(turn, language), headline(turn, language)):
        assert "\u202e" not in written
        assert "[url=x]*_`|gnol" in written.replace("\n", " ")
    assert list(whole.iter("bdi"))
    assert all(len(line) <= plain.WIDTH for line in plain.turn_report(turn, language).splitlines())


def test_a_hostile_address_of_the_rules_is_escaped() -> None:
    text = html.turn_report(LONGEST, "en", rules_url='"><script>alert(1)</script>')
    assert "<script" not in text


def test_a_name_written_from_right_to_left_is_isolated() -> None:
    before = load_state({"units": {"N1": {"type": "LM", "side": "north", "at": "C3"}}})
    scenario = {**BARE, "sides": {"north": {"name": {"en": "צפון"}}, "south": {"name": {"en": "South"}}}}
    turn = Turn(before, before, [told.TurnEnded(turn=1)], scenario)
    assert "<bdi>צפון</bdi>" in html.turn_report(turn, "en", rules_url="")
    assert "\u2068צפון\u2069 0, South 0" in plain.turn_report(turn, "en")


def test_a_line_of_others_is_cleaned() -> None:
    assert clean("  a\tb\u2028c\r\nd \u202ex\u2066y\ufeff ") == "a b c d xy"
    assert clean("👨\u200d👩\u200d👧 ok") == "👨\u200d👩\u200d👧 ok"


def test_holes_are_filled_by_fragments_and_never_twice() -> None:
    name = Name("%(unit)s")
    unit = UnitName("N1", "LM", "C3", 0, "light")
    sentence = fill("%(a)s and %(b)s, 100%", a=name, b=unit)
    assert sentence == (name, Text(" and "), unit, Text(", 100%"))
    assert flat(sentence) == "%(unit)s and LM N1 (C3), 100%"
    with pytest.raises(KeyError):
        fill("%(a)s")


def test_a_sentence_begins_with_a_capital() -> None:
    assert begun((Name("the North"), Text(" wins"))) == (Name("The North"), Text(" wins"))
    assert begun(()) == ()
