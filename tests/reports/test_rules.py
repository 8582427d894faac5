from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from app.reports.rules import book, read
from tests.reports.turns import ROOT

ENGLISH = book("en", "cohesion")
RUSSIAN = book("ru", "cohesion")
CODE = re.compile(r"`([^`]+)`")
NUMBER = re.compile(r"\d+")


def tables(source: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in source.splitlines() if line.startswith("|")]


def numbers(text: str) -> list[str]:
    """Every number, save those in rule numbers that one language names as `MOVE-3 to MOVE-6` and the other by signs."""
    return sorted(NUMBER.findall(text))


def test_both_languages_have_the_same_rules_in_the_same_order() -> None:
    assert list(ENGLISH.rules) == list(RUSSIAN.rules)
    assert len(ENGLISH.rules) == 72
    assert [section.id for section in ENGLISH.sections] == [section.id for section in RUSSIAN.sections]
    assert {"WS", "PR", "PH", "SHOOT-5", "DICE-3"} <= set(ENGLISH.rules)


@pytest.mark.parametrize("number", ENGLISH.rules)
def test_a_rule_has_the_same_numbers_and_codes_in_both_languages(number: str) -> None:
    one, other = ENGLISH.rules[number], RUSSIAN.rules[number]
    assert one.section == other.section
    assert numbers(one.markdown) == numbers(other.markdown)
    assert sorted(set(CODE.findall(one.markdown))) == sorted(set(CODE.findall(other.markdown)))
    assert re.search("[а-яё]", other.markdown)


def test_the_tables_are_the_same() -> None:
    english, russian = tables(ENGLISH.source), tables(RUSSIAN.source)
    assert len(english) == len(russian) == 12
    for one, other in zip(english[2:], russian[2:], strict=True):
        assert len(one) == len(other) == 9
        assert one[0] == other[0]
        assert one[1] == other[1]
        assert one[2] == other[2]
        assert [numbers(cell) for cell in one] == [numbers(cell) for cell in other]


def test_outside_the_rules_the_codes_are_the_same_too() -> None:
    assert sorted(set(CODE.findall(ENGLISH.source))) == sorted(set(CODE.findall(RUSSIAN.source)))
    lists = [
        [CODE.findall(line) for line in book.source.splitlines() if line.startswith(("- ", "  ")) and "`" in line]
        for book in (ENGLISH, RUSSIAN)
    ]
    refusals = [[code for line in told for code in line if "-" in code and code.islower()] for told in lists]
    assert refusals[0] == refusals[1]


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_rule_has_an_anchor_and_every_link_leads_to_one(language: str) -> None:
    page = book(language, "cohesion").page()
    ids = re.findall(r'id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(book(language, "cohesion").rules) <= set(ids)
    assert {section.id for section in book(language, "cohesion").sections} <= set(ids)
    links = re.findall(r'href="#([^"]+)"', page)
    assert set(links) <= set(ids)
    assert links.count("ATTACK-5") > 3
    assert "<script" not in page
    assert page.count("<tr>") == 11


def test_a_page_elsewhere_is_linked_by_its_address() -> None:
    assert 'href="/b/x/rules#ATTACK-5"' in ENGLISH.page("/b/x/rules")
    assert ENGLISH.html("SHOOT-5", "/r") == (
        'Shooting at an adjacent unit loses power (<a href="/r#ATTACK-5" class="rule-number">ATTACK-5</a>).'
    )
    assert ENGLISH.html("NONE-1") == ""


def test_a_rule_is_told_as_plain_text() -> None:
    text = RUSSIAN.rules["ATTACK-4"].text
    assert "**" not in text
    assert "`" not in text
    assert text.startswith("Обычная против особой: как на равных")
    assert ENGLISH.rules["DICE-2"].text.count("2^32") == 2


def test_what_a_document_says_about_html_is_not_html() -> None:
    hostile = read("## 1. A\n- **X-1** a <script>alert(1)</script> [x](javascript:alert(1)) *b*\n", "en")
    assert "<script" not in hostile.page()
    assert 'href="javascript' not in hostile.page()
    assert "&lt;script" in hostile.html("X-1")


def test_a_number_that_stands_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="X-1"):
        read("- **X-1** a\n- **X-1** b\n", "en")


def test_a_ruleset_without_rules_has_an_empty_book() -> None:
    assert not book("en", "no-such-game").rules
    assert book("en", "no-such-game").page() == ""
    assert book("de", "cohesion").language == "en"


def test_every_rule_that_the_program_cites_is_in_the_book() -> None:
    cited = {
        (number, file.name)
        for file in Path(ROOT, "app", "rulesets", "cohesion").glob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for number in re.findall(r"\b[A-Z]{3,}-\d+\b", node.value)
    }
    assert len(cited) > 50
    assert {number for number, _ in cited} <= {*ENGLISH.rules, "HMAC-SHA-256", "SHA-256", "RFC-3339"}
