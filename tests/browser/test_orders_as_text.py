"""Text and form as two views of one sheet: paste, correct by a suggestion, see the form follow and the text follow, save."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Page, expect

from app.referee import battles, orders, scenarios
from app.referee.keys import viewer_by_key
from app.referee.views import NewBattle
from tests.browser.conftest import Opened, Site
from tests.web.conftest import SKIRMISH

pytestmark = pytest.mark.browser


@dataclass(frozen=True)
class Words:
    pasted: str
    """With a mistake in its second line."""
    wrong: str
    suggestion: str
    understood: str
    shown: str
    """The canonical text of what was pasted, once corrected."""
    after: str
    """The same after S2's move was taken away in the form, and hold ticked."""
    read: str
    save: str
    behalf: str
    drop: str


WORDS = {
    "en": Words(
        pasted="[quote]Your orders?[/quote]\n1) LM B3 shots at LM B2\n2) LR D4 moves to C4",
        wrong="shots",
        suggestion="shoots",
        understood="Units with orders: 2 of 2.",
        shown="LM B3: shoot LM B2\nLR D4: move C4",
        after="LM B3: shoot LM B2\nLR D4: hold",
        read="Read the text",
        save="Save the text",
        behalf="Paste a message",
        drop="Units that the text does not name lose their orders",
    ),
    "ru": Words(
        pasted="[quote]Ваши приказы?[/quote]\n1) Л.М В3 стрелет в Л.М В2\n2) Л.Вс D4 идёт на С4",
        wrong="стрелет",
        suggestion="стреляет",
        understood="Отрядов с приказами: 2 из 2.",
        shown="Л.М B3: стреляет в Л.М B2\nЛ.Вс D4: движется в C4",
        after="Л.М B3: стреляет в Л.М B2\nЛ.Вс D4: стоит",
        read="Прочесть текст",
        save="Сохранить текст",
        behalf="Вставить письмо",
        drop="Не названные в тексте остаются без приказа",
    ),
}
PLACES = [("en", 1280), ("ru", 390)]


def _made(site: Site) -> NewBattle:
    return battles.create(site.app.state.house.db, scenario=scenarios.read_file(SKIRMISH), now=datetime.now(UTC))


def _kept(site: Site, battle: NewBattle) -> dict[str, object]:
    db = site.app.state.house.db
    return orders.sheet(db, battle.id, "south", viewer_by_key(db, battle.seat_keys["south"])).orders or {}


def _opened(page: Page, battle: NewBattle) -> None:
    page.goto(f"/k/{battle.seat_keys['south']}")
    if not page.locator("#orders-text").is_visible():
        page.locator("#text > summary").click()


def _fits(page: Page) -> bool:
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")) <= 0


@pytest.mark.parametrize(("language", "width"), PLACES)
def test_a_message_is_pasted_corrected_and_saved(opened: Opened, site: Site, language: str, width: int) -> None:
    words, battle = WORDS[language], _made(site)
    page = opened(language=language, width=width)
    _opened(page, battle)
    box, says = page.locator("#orders-text"), page.locator("[data-text-says]")
    box.fill(words.pasted)
    expect(page.locator("[data-marks] mark")).to_have_text(words.wrong)
    expect(page.locator("#faults li")).to_have_count(1)
    expect(box).to_have_attribute("aria-invalid", "true")
    assert page.locator('select[name="shoot:S1"]').input_value() == ""
    page.locator("#faults a").click()
    assert page.evaluate("document.getSelection().toString()") == words.wrong
    assert box.input_value() == words.pasted, "never taken silently"
    assert _fits(page)
    page.get_by_role("button", name=f"{words.suggestion}?").click()
    expect(says).to_contain_text(words.understood)
    assert box.input_value() == words.pasted.replace(words.wrong, words.suggestion)
    expect(page.locator("#faults li")).to_have_count(0)
    assert page.locator('select[name="shoot:S1"]').input_value() == "N1"
    assert page.locator('select[name="move:S2"]').input_value() == "C4"
    expect(page.locator('[data-card="S2"] .says')).to_contain_text("C4")
    expect(page.locator(".board .plan-line")).to_have_count(2)
    if page.locator('[data-card="S2"]').get_attribute("open") is None:
        page.locator('[data-card="S2"] > summary').click()
    page.locator('select[name="move:S2"]').select_option("")
    page.locator('[name="hold:S2"]').check()
    expect(box).to_have_value(words.after)
    expect(page.locator(".board .plan-line")).to_have_count(1)
    expect(page.locator("#text [data-back]")).to_be_visible()
    page.get_by_role("button", name=words.save, exact=True).click()
    expect(page.locator(".notice.good")).to_be_visible()
    assert box.input_value() == words.after
    assert _kept(site, battle) == {"S1": {"shoot": "N1"}, "S2": {}}
    assert _fits(page)


@pytest.mark.parametrize(("language", "width"), [("en", 390), ("ru", 1280)])
def test_without_scripts_the_page_reads_and_shows_it_before_it_is_saved(
    opened: Opened, site: Site, language: str, width: int
) -> None:
    words, battle = WORDS[language], _made(site)
    page = opened(language=language, width=width, script=False)
    _opened(page, battle)
    box = page.locator("#orders-text")
    box.fill(words.pasted)
    page.get_by_role("button", name=words.read).click()
    expect(page.locator("#faults li mark")).to_have_text(words.wrong)
    assert words.suggestion in page.locator("#faults").inner_text()
    assert box.input_value() == words.pasted
    box.fill(words.pasted.replace(words.wrong, words.suggestion))
    page.get_by_role("button", name=words.read).click()
    expect(page.locator("#meant pre")).to_have_text(words.shown)
    assert box.input_value() == words.pasted.replace(words.wrong, words.suggestion)
    assert page.locator('select[name="shoot:S1"]').input_value() == "N1"
    assert page.locator('select[name="move:S2"]').input_value() == "C4"
    assert _kept(site, battle) == {}
    assert _fits(page)
    page.locator("#orders .bar button").first.click()
    expect(page.locator(".notice.good")).to_be_visible()
    assert _kept(site, battle) == {"S1": {"shoot": "N1"}, "S2": {"move": ["C4"]}}


@pytest.mark.parametrize(("language", "width"), [("en", 1280), ("ru", 390)])
def test_a_message_is_pasted_at_the_desk_answered_and_entered(opened: Opened, site: Site, language: str, width: int) -> None:
    words, battle = WORDS[language], _made(site)
    page = opened(language=language, width=width)
    page.goto(f"/k/{battle.master_key}")
    page.get_by_role("link", name=words.behalf).last.click()
    box = page.locator("#orders-text")
    box.fill(words.pasted)
    reply = page.locator("[data-replies] .reply").first
    expect(reply.locator("textarea")).to_have_value(re.compile(re.escape(words.suggestion)))
    assert f"> {words.pasted.splitlines()[1]}" in reply.locator("textarea").input_value()
    assert reply.get_attribute("data-reply") == language
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=site.address)
    reply.get_by_role("button").click()
    expect(reply.get_by_role("button")).not_to_have_text("Copy" if language == "en" else "Копировать")
    assert page.evaluate("navigator.clipboard.readText()") == reply.locator("textarea").input_value()
    box.fill(words.pasted.replace(words.wrong, words.suggestion))
    expect(page.locator(".board .plan-line")).to_have_count(2)
    expect(page.locator("[data-replies]")).to_be_hidden()
    page.get_by_role("button", name=words.save, exact=True).click()
    expect(page.locator(".notice.good")).to_be_visible()
    assert _kept(site, battle) == {"S1": {"shoot": "N1"}, "S2": {"move": ["C4"]}}
    assert _fits(page)


def test_the_text_counts_only_for_the_units_that_it_names(opened: Opened, site: Site) -> None:
    words, battle = WORDS["en"], _made(site)
    page = opened()
    _opened(page, battle)
    box, says = page.locator("#orders-text"), page.locator("[data-text-says]")
    box.fill(words.shown)
    expect(says).to_contain_text("2 of 2")
    box.fill("S1 hold")
    expect(says).to_contain_text("Not named in the text, and left as the form has them: LR D4.")
    assert page.locator('select[name="move:S2"]').input_value() == "C4"
    assert page.locator('[name="hold:S1"]').is_checked()
    page.get_by_label(words.drop).check()
    expect(says).to_contain_text("Without an order: LR D4.")
    assert page.locator('select[name="move:S2"]').input_value() == ""


def test_what_is_not_understood_is_not_overwritten_by_the_form(opened: Opened, site: Site) -> None:
    battle = _made(site)
    page = opened()
    _opened(page, battle)
    box = page.locator("#orders-text")
    box.fill("S1 dances")
    expect(page.locator("#faults li")).to_have_count(1)
    page.locator('[name="hold:S1"]').check()
    take = page.get_by_role("button", name="Write the form's orders here")
    expect(take).to_be_visible()
    assert box.input_value() == "S1 dances"
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#problems")).to_contain_text("Nothing is saved yet")
    assert box.input_value() == "S1 dances"
    assert page.locator('[name="hold:S1"]').is_checked()
    expect(page.locator("[data-marks] mark")).to_have_count(1)
    page.locator('[data-card="S2"] > summary').click()
    page.locator('[name="hold:S2"]').check()
    take.click()
    expect(box).to_have_value("LM B3: hold\nLR D4: hold")
    page.get_by_role("button", name="Back to what I had written").click()
    expect(box).to_have_value("S1 dances")


def test_orders_that_cannot_be_given_are_told_and_shown_in_the_form(opened: Opened, site: Site) -> None:
    battle = _made(site)
    page = opened()
    _opened(page, battle)
    page.locator("#orders-text").fill("S2: melee N2; shoot N1\nN1: hold")
    expect(page.locator("[data-refused] li")).not_to_have_count(0)
    expect(page.locator('[data-card="S2"]')).to_have_class(re.compile(r"\bwrong\b"))
    assert page.locator('select[name="fight:S2"]').input_value() == "melee:N2"
    page.locator("[data-refused] a").first.click()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#problems")).to_be_visible()
    assert _kept(site, battle) == {}


def test_a_text_that_is_too_long_stays_where_it_is(opened: Opened, site: Site) -> None:
    battle = _made(site)
    page = opened()
    _opened(page, battle)
    long = "S1 hold\n" * 7000
    paste = "(box, text) => { box.value = text; box.dispatchEvent(new Event('input', { bubbles: true })); }"
    page.locator("#orders-text").evaluate(paste, long)
    expect(page.locator("[data-text-says]")).to_contain_text("at most 50000 characters")
    page.get_by_role("button", name="Save the text", exact=True).click()
    expect(page.locator("#problems")).to_contain_text("at most 50000 characters")
    assert page.locator("#orders-text").input_value() == long


LETTERS = {
    "en": ("Hello!\nTurn 1\nLM B3: shoot LM B2\nLR D4: hold\nRegards, Leo", "Leave out 3 lines that are no orders"),
    "ru": (
        "Привет!\nХод 1\nЛ.М B3: стреляет в Л.М B2\nЛ.Вс D4: стоит\nС уважением, Лев",
        "Убрать 3 строки, которые не приказы",
    ),
}


@pytest.mark.parametrize(("language", "width"), PLACES)
def test_greeting_heading_and_signature_are_left_out_by_one_press(
    opened: Opened, site: Site, language: str, width: int
) -> None:
    (text, press), battle = LETTERS[language], _made(site)
    page = opened(language=language, width=width)
    _opened(page, battle)
    box = page.locator("#orders-text")
    box.fill(text)
    button = page.get_by_role("button", name=press)
    expect(button).to_be_visible()
    expect(page.locator("#faults li")).to_have_count(3)
    greetings = [line for line in text.split("\n") if " B3" not in line and " D4" not in line]
    expect(page.locator("[data-aside-lines] s")).to_have_text(greetings)
    assert _fits(page)
    button.click()
    expect(button).to_be_hidden()
    expect(page.locator("#faults li")).to_have_count(0)
    expect(page.locator("[data-text-says]")).to_contain_text(WORDS[language].understood)
    quoted = "\n".join(line if " B3" in line or "D4" in line else f"> {line}" for line in text.split("\n"))
    expect(box).to_have_value(quoted)
    box.press("Control+z")
    expect(box).to_have_value(text)
    expect(button).to_be_visible()
    button.click()
    expect(box).to_have_value(quoted)
    page.get_by_role("button", name=WORDS[language].save, exact=True).click()
    expect(page.locator(".notice.good")).to_be_visible()
    assert _kept(site, battle) == {"S1": {"shoot": "N1"}, "S2": {}}


SLIPS = {
    "en": (
        "LM B3: shooot LM B2\nLR D4 move to Ц4",
        "LM B3: shoot LM B2\nLR D4 move to C4",
        "Take all suggestions that stand alone",
    ),
    "ru": (
        "Л.М B3: стрелет в Л.М B2\nЛ.Вс D4 движется в Ц4",
        "Л.М B3: стреляет в Л.М B2\nЛ.Вс D4 движется в C4",
        "Исправить всё, где подсказка одна",
    ),
}


@pytest.mark.parametrize(("language", "width"), [("en", 1280), ("ru", 390)])
def test_slips_with_one_suggestion_each_are_mended_by_one_press(
    opened: Opened, site: Site, language: str, width: int
) -> None:
    (text, mended, press), battle = SLIPS[language], _made(site)
    page = opened(language=language, width=width)
    _opened(page, battle)
    box, button = page.locator("#orders-text"), page.get_by_role("button", name=press)
    box.fill(text)
    expect(page.locator("#faults li")).to_have_count(2)
    assert _fits(page)
    button.click()
    expect(box).to_have_value(mended)
    expect(button).to_be_hidden()
    expect(page.locator("[data-text-says]")).to_contain_text(WORDS[language].understood)
    box.press("Control+z")
    expect(box).to_have_value(text)
    box.fill(text.split("\n")[0])
    expect(page.locator("#faults li")).to_have_count(1)
    expect(button).to_be_hidden()
