"""Orders that save themselves: connection lost, two tabs, another device, a turn resolved meanwhile."""

from __future__ import annotations

import gzip
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import Dialog, Page, Route, expect

from app.referee import battles, orders, scenarios, turns
from app.referee.keys import viewer_by_key
from app.referee.views import NewBattle
from tests.browser.conftest import Opened, Site
from tests.web.conftest import SKIRMISH

pytestmark = pytest.mark.browser


@dataclass(frozen=True)
class Words:
    saved: str
    away: str
    waits: str
    refused: str
    merged: str
    clash: str
    mine: str
    theirs: str
    ready: str
    unready: str
    press_ready: str
    not_ready: str
    unsent: str
    put: str
    take_over: str
    over: str
    closed: str
    new_turn: str
    left_out: str
    save: str
    stale: str
    sent: str


WORDS = {
    "en": Words(
        saved=r"Saved \d\d:\d\d, revision {}\.",
        away="No connection to the server.",
        waits="Not saved yet: LR D4.",
        refused="Not saved: LM B3. What was saved before still counts there.",
        merged="Another page of this seat has saved revision 1. Taken from it: LM B3.",
        clash="Choose which order counts: LM B3.",
        mine="Typed here: shoots at LM B2",
        theirs="Saved there: holds its ground",
        ready="You are ready.",
        unready="You are no longer ready",
        press_ready="Save, and I am ready",
        not_ready="You are not ready yet",
        unsent="These orders were never saved",
        put="Put them into the form",
        take_over="Take over what can still be done",
        over="Turn 1 was resolved before this was saved",
        closed="Orders for turn 1 are no longer taken.",
        new_turn="The orders that are asked for now",
        left_out="No longer possible, or only in part",
        save="Save",
        stale="Something was saved since you opened this page",
        sent="What you sent:",
    ),
    "ru": Words(
        saved=r"Сохранено в \d\d:\d\d, редакция {}\.",
        away="Нет связи с сервером.",
        waits="Ещё не сохранено: Л.Вс D4.",
        refused="Не сохранено: Л.М B3. Здесь по-прежнему в силе то, что сохранено раньше.",
        merged="На другой странице этого места сохранена редакция 1. Взято из неё: Л.М B3.",
        clash="Выберите, какой приказ в силе: Л.М B3.",
        mine="Набрано здесь: стреляет в Л.М B2",
        theirs="Сохранено там: стоит на месте",
        ready="Вы готовы.",
        unready="Готовность снята",
        press_ready="Сохранить, и я готов",
        not_ready="Вы ещё не готовы",
        unsent="Эти приказы так и не сохранились",
        put="Вернуть их в форму",
        take_over="Взять в этот ход то, что ещё можно",
        over="Ход 1 разыгран раньше, чем это сохранилось",
        closed="Приказы на ход 1 больше не принимаются.",
        new_turn="К приказам на нынешний ход",
        left_out="Уже невозможно или возможно лишь отчасти",
        save="Сохранить",
        stale="Пока эта страница была открыта, что-то сохранили",
        sent="Что вы отправили:",
    ),
}
PLACES = [("en", 390), ("ru", 1280)]


def _made(site: Site, **options: Any) -> NewBattle:
    given = {"scenario": scenarios.read_file(SKIRMISH), "now": datetime.now(UTC), **options}
    return battles.create(site.app.state.house.db, **given)


def _kept(site: Site, battle: NewBattle) -> Any:
    db = site.app.state.house.db
    return orders.sheet(db, battle.id, "south", viewer_by_key(db, battle.seat_keys["south"]))


def _resolve(site: Site, battle: NewBattle) -> None:
    db = site.app.state.house.db
    turns.resolve_now(db, battle.id, viewer_by_key(db, battle.master_key), turn=1, now=datetime.now(UTC))


def _seat(page: Page, battle: NewBattle) -> Page:
    page.goto(f"/k/{battle.seat_keys['south']}")
    return page


def _card(page: Page, unit: str) -> Any:
    card = page.locator(f'[data-card="{unit}"]')
    if card.get_attribute("open") is None:
        card.locator("> summary").click()
    return card


def _part(page: Page, unit: str, part: str) -> Any:
    return _card(page, unit).locator(f'[data-part="{part}"]')


def _line(page: Page) -> Any:
    return page.locator("[data-saving] span").first


def _saved(page: Page, words: Words, revision: int) -> None:
    expect(_line(page)).to_have_text(re.compile(words.saved.format(revision)))


def _fits(page: Page) -> bool:
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")) <= 0


def _stored(page: Page) -> list[str]:
    return list(page.evaluate("Object.keys(localStorage)"))


def _accepting(page: Page) -> list[str]:
    """What the page asks before it is left, and is answered with yes."""
    asked: list[str] = []

    def accept(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", accept)
    return asked


def _deaf(page: Page) -> None:
    """A page that hears nothing of its battle: no hints, no word from other tabs."""
    page.add_init_script("delete window.BroadcastChannel;")
    page.route("**/follow", lambda route: route.abort())


@pytest.mark.parametrize(("language", "width"), PLACES)
def test_a_change_saves_itself_and_the_receipt_is_at_hand(opened: Opened, site: Site, language: str, width: int) -> None:
    words, battle = WORDS[language], _made(site)
    page = _seat(opened(language=language, width=width), battle)
    _part(page, "S1", "shoot").select_option("N1")
    _saved(page, words, 1)
    _part(page, "S2", "move").select_option("C4")
    _saved(page, words, 2)
    sheet = _kept(site, battle)
    assert sheet.orders == {"S1": {"shoot": "N1"}, "S2": {"move": ["C4"]}}
    receipt = page.locator("#receipt")
    receipt.locator("summary").click()
    expect(receipt.locator("[data-digest]")).to_have_text(sheet.receipt.digest)
    expect(receipt.locator("[data-canonical]")).to_have_text(sheet.receipt.canonical)
    expect(receipt.locator("[data-nonce-own]")).to_be_visible()
    _part(page, "S2", "move").select_option("")
    _saved(page, words, 3)
    expect(receipt).to_have_attribute("open", "")
    newest = _kept(site, battle).receipt
    expect(receipt.locator("[data-digest]")).to_have_text(newest.digest)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=site.address)
    receipt.get_by_role("button").first.click()
    expect(receipt.get_by_role("button").first).not_to_have_text("Copy" if language == "en" else "Копировать")
    assert page.evaluate("navigator.clipboard.readText()") == newest.digest
    assert _stored(page) == []
    assert _fits(page)
    page.reload()
    _saved(page, words, 3)
    assert _part(page, "S1", "shoot").input_value() == "N1"


@pytest.mark.parametrize(("language", "width"), PLACES)
def test_ready_is_pressed_and_a_new_revision_takes_it_back(opened: Opened, site: Site, language: str, width: int) -> None:
    words, battle = WORDS[language], _made(site)
    page = _seat(opened(language=language, width=width), battle)
    _part(page, "S1", "hold").check()
    page.get_by_role("button", name=words.press_ready, exact=True).click()
    expect(_line(page)).to_contain_text(words.ready)
    expect(page.locator("[data-pressed]")).to_contain_text(words.ready)
    assert _kept(site, battle).ready
    _part(page, "S2", "move").select_option("C4")
    expect(_line(page)).to_contain_text(words.unready)
    assert not _kept(site, battle).ready
    expect(page.locator("[data-pressed]")).to_be_hidden()
    page.locator('[data-state] button[value="set-ready"]').click()
    expect(_line(page)).to_contain_text(words.ready)
    page.locator('[data-state] button[value="unset-ready"]').click()
    expect(page.locator('[data-state] button[value="set-ready"]')).to_be_visible()
    assert (_kept(site, battle).ready, _kept(site, battle).revision) == (False, 2)


@pytest.mark.parametrize(("language", "width"), PLACES)
def test_what_the_rules_refuse_stays_at_its_unit_and_the_rest_is_saved(
    opened: Opened, site: Site, language: str, width: int
) -> None:
    words, battle = WORDS[language], _made(site)
    page = _seat(opened(language=language, width=width), battle)
    _part(page, "S1", "hold").check()
    _saved(page, words, 1)
    _card(page, "S1").locator(".path > summary").click()
    _part(page, "S1", "path").fill("Z99")
    expect(_line(page)).to_contain_text(words.refused)
    expect(_card(page, "S1").locator(".mistakes li")).to_have_count(1)
    _part(page, "S2", "move").select_option("C4")
    _saved(page, words, 2)
    assert _kept(site, battle).orders == {"S1": {}, "S2": {"move": ["C4"]}}
    page.get_by_role("button", name=words.press_ready, exact=True).click()
    expect(page.locator("[data-pressed]")).to_contain_text(words.not_ready)
    page.locator("[data-pressed] a").first.click()
    assert not _kept(site, battle).ready
    assert _fits(page)
    page.reload()
    expect(page.locator("[data-unsent]")).to_contain_text(words.unsent)
    assert "Z99" in page.locator("[data-unsent] textarea").input_value()
    page.locator("[data-unsent] [data-put]").click()
    expect(_line(page)).to_contain_text(words.refused)
    _part(page, "S1", "path").fill("")
    expect(_line(page)).not_to_contain_text(words.refused)
    expect(_card(page, "S1").locator(".mistakes li")).to_have_count(0)
    expect(page.locator("[data-unsent]")).to_be_hidden()


@pytest.mark.parametrize(("language", "width"), PLACES)
def test_the_connection_is_lost_and_comes_back(opened: Opened, site: Site, language: str, width: int) -> None:
    words, battle = WORDS[language], _made(site)
    page = _seat(opened(language=language, width=width), battle)
    _part(page, "S1", "shoot").select_option("N1")
    _saved(page, words, 1)
    page.context.set_offline(True)
    _part(page, "S2", "move").select_option("C4")
    expect(_line(page)).to_contain_text(words.away)
    expect(_line(page)).to_contain_text(words.waits)
    assert len(_stored(page)) == 1
    page.get_by_role("button", name=words.press_ready, exact=True).click()
    expect(page.locator("[data-pressed].bad")).to_be_visible()
    assert _kept(site, battle).orders == {"S1": {"shoot": "N1"}}
    assert _fits(page)
    page.context.set_offline(False)
    _saved(page, words, 2)
    assert _kept(site, battle).orders == {"S1": {"shoot": "N1"}, "S2": {"move": ["C4"]}}
    assert not _kept(site, battle).ready, "a press that was not sent is not sent later"
    assert _stored(page) == []


@pytest.mark.parametrize(("language", "width"), PLACES)
def test_what_was_not_sent_survives_a_reload_and_is_offered_again(
    opened: Opened, site: Site, language: str, width: int
) -> None:
    words, battle = WORDS[language], _made(site)
    page = opened(language=language, width=width)
    asked = _accepting(page)
    _seat(page, battle)
    page.route("**/keep", lambda route: route.abort())
    _part(page, "S2", "move").select_option("C4")
    expect(_line(page)).to_contain_text(words.away)
    page.reload()
    assert asked == ["beforeunload"]
    unsent = page.locator("[data-unsent]")
    expect(unsent).to_contain_text(words.unsent)
    assert "C4" in unsent.locator("textarea").input_value()
    assert _part(page, "S2", "move").input_value() == ""
    assert _fits(page)
    page.unroute("**/keep")
    page.get_by_role("button", name=words.put).click()
    _saved(page, words, 1)
    assert _kept(site, battle).orders == {"S2": {"move": ["C4"]}}
    expect(unsent).to_be_hidden()
    assert _stored(page) == []


def test_an_answer_that_was_lost_on_the_way_is_not_taken_for_an_order_that_was(opened: Opened, site: Site) -> None:
    words, battle = WORDS["en"], _made(site)
    page = _seat(opened(), battle)

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/keep", lose)
    _part(page, "S2", "move").select_option("C4")
    expect(_line(page)).to_contain_text(words.away)
    assert _kept(site, battle).revision == 1
    page.unroute("**/keep")
    _saved(page, words, 1)
    expect(page.locator("[data-clashes]")).to_be_hidden()
    assert _kept(site, battle).revision == 1


def test_whoever_leaves_at_once_has_saved_it(opened: Opened, site: Site) -> None:
    words, battle = WORDS["en"], _made(site)
    page = opened()
    asked = _accepting(page)
    _seat(page, battle)
    own = page.url
    _part(page, "S2", "hold").check()
    page.goto("/rules/cohesion")
    page.goto(own)
    _saved(page, words, 1)
    assert _part(page, "S2", "hold").is_checked()
    assert asked == []


@pytest.mark.parametrize(("language", "width"), PLACES)
def test_a_second_tab_takes_what_the_first_one_saves(opened: Opened, site: Site, language: str, width: int) -> None:
    words, battle = WORDS[language], _made(site)
    page = _seat(opened(language=language, width=width), battle)
    other = page.context.new_page()
    other.goto(page.url)
    _part(page, "S1", "shoot").select_option("N1")
    _saved(page, words, 1)
    _saved(other, words, 1)
    expect(other.locator('select[name="shoot:S1"]')).to_have_value("N1")
    expect(other.locator("[data-merged]")).to_contain_text(words.merged)
    expect(other.locator("[data-state]")).to_contain_text("LM B2" if language == "en" else "Л.М B2")
    _part(other, "S2", "move").select_option("C4")
    _saved(other, words, 2)
    _saved(page, words, 2)
    expect(page.locator('select[name="move:S2"]')).to_have_value("C4")
    assert _kept(site, battle).orders == {"S1": {"shoot": "N1"}, "S2": {"move": ["C4"]}}
    assert _fits(other)


def test_another_device_is_merged_unit_by_unit_when_it_saves(opened: Opened, site: Site) -> None:
    words, battle = WORDS["en"], _made(site)
    phone, desk = opened(width=390), opened()
    for page in (phone, desk):
        _deaf(page)
        _seat(page, battle)
    _part(phone, "S1", "shoot").select_option("N1")
    _saved(phone, words, 1)
    _part(desk, "S2", "move").select_option("C4")
    _saved(desk, words, 2)
    expect(desk.locator("[data-merged]")).to_contain_text(words.merged)
    assert _kept(site, battle).orders == {"S1": {"shoot": "N1"}, "S2": {"move": ["C4"]}}
    phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    _saved(phone, words, 2)
    expect(phone.locator('select[name="move:S2"]')).to_have_value("C4")


@pytest.mark.parametrize(("language", "width"), PLACES)
@pytest.mark.parametrize("is_mine", [True, False], ids=["mine", "theirs"])
def test_where_both_changed_one_unit_somebody_chooses(
    opened: Opened, site: Site, language: str, width: int, is_mine: bool
) -> None:
    words, battle = WORDS[language], _made(site)
    page, other = opened(language=language, width=width), opened(language=language)
    for one in (page, other):
        _deaf(one)
        _seat(one, battle)
    _part(other, "S1", "hold").check()
    _saved(other, words, 1)
    _part(page, "S1", "shoot").select_option("N1")
    clashes = page.locator("[data-clashes]")
    expect(clashes).to_be_visible()
    expect(_line(page)).to_contain_text(words.clash)
    assert page.evaluate("document.activeElement.closest('#clashes')") is None, "nobody is torn from what he does"
    _part(page, "S2", "move").select_option("C4")
    _saved(page, words, 2)
    assert _kept(site, battle).orders == {"S1": {}, "S2": {"move": ["C4"]}}
    assert _part(page, "S1", "shoot").input_value() == "N1"
    _line(page).get_by_role("link").click()
    expect(clashes).to_be_in_viewport()
    page.get_by_role("button", name=words.save, exact=True).click()
    expect(clashes).to_be_focused()
    assert _fits(page)
    clashes.get_by_role("button", name=words.mine if is_mine else words.theirs, exact=True).click()
    expect(clashes).to_be_hidden()
    expect(_line(page)).not_to_contain_text(words.clash)
    _saved(page, words, 3 if is_mine else 2)
    assert _kept(site, battle).orders == {"S1": {"shoot": "N1"} if is_mine else {}, "S2": {"move": ["C4"]}}
    assert _part(page, "S1", "hold").is_checked() != is_mine
    assert _stored(page) == []


@pytest.mark.parametrize("review", [False, True], ids=["published", "under-review"])
@pytest.mark.parametrize(("language", "width"), PLACES)
def test_a_turn_that_was_resolved_meanwhile_loses_nothing_typed(
    opened: Opened, site: Site, language: str, width: int, review: bool
) -> None:
    words, battle = WORDS[language], _made(site, review=review)
    page = opened(language=language, width=width)
    _deaf(page)
    _seat(page, battle)
    _resolve(site, battle)
    _part(page, "S2", "move").select_option("C4")
    expect(_line(page)).to_contain_text(words.closed)
    unsent = page.locator("[data-unsent]")
    expect(unsent).to_contain_text(words.over)
    assert "C4" in unsent.locator("textarea").input_value()
    expect(unsent.locator("[data-report]")).to_be_visible(visible=not review)
    expect(unsent.locator("[data-battle-page]")).to_be_visible(visible=review)
    assert _fits(page)
    page.get_by_role("button", name=words.press_ready, exact=True).click()
    expect(unsent).to_be_focused()
    if review:
        page.reload()
        expect(page.locator("[data-unsent]")).to_contain_text(words.over)
        assert "C4" in page.locator("[data-unsent] textarea").input_value()
        expect(page.locator("[data-unsent] [data-put]")).to_be_hidden()
        page.locator("[data-unsent] [data-drop]").click()
        expect(page.locator("[data-unsent]")).to_be_hidden()
        assert _stored(page) == []
        return
    assert page.request.get(unsent.locator("[data-report]").get_attribute("href") or "").ok
    unsent.get_by_role("link", name=words.new_turn).click()
    expect(page.locator("[data-unsent]")).to_contain_text(words.over)
    assert _part(page, "S2", "move").input_value() == ""
    page.get_by_role("button", name=words.take_over).click()
    _saved(page, words, 1)
    sheet = _kept(site, battle)
    assert (sheet.turn, sheet.orders) == (2, {"S2": {"move": ["C4"]}})
    assert _stored(page) == []


def test_what_the_new_turn_does_not_offer_is_named(opened: Opened, site: Site) -> None:
    words, battle = WORDS["en"], _made(site)
    page = opened()
    _deaf(page)
    _seat(page, battle)
    db = site.app.state.house.db
    south = viewer_by_key(db, battle.seat_keys["south"])
    may = next(one["options"] for one in _kept(site, battle).options_json if one["id"] == "S1")
    away = next(way for way in may["move"] if way[-1] in {"A5", "B5", "C5"})
    fields = {"S1": {"move": away}}
    orders.enter(db, battle.id, "south", south, turn=1, revision=0, fields=fields, now=datetime.now(UTC))
    _resolve(site, battle)
    _part(page, "S1", "fight").select_option("melee:N1")
    expect(page.locator("[data-unsent]")).to_contain_text(words.over)
    page.reload()
    page.get_by_role("button", name=words.take_over).click()
    offered = page.locator('select[name="fight:S1"] option').evaluate_all("all => all.map(one => one.value)")
    assert "melee:N1" not in offered
    expect(page.locator("[data-merged]")).to_contain_text(words.left_out)


def test_a_seat_whose_key_was_renewed_is_told(opened: Opened, site: Site) -> None:
    battle = _made(site)
    page = opened()
    _seat(page, battle)
    page.context.clear_cookies()
    _part(page, "S2", "hold").check()
    expect(_line(page)).to_contain_text("This key does not open that.")
    assert len(_stored(page)) == 1


def test_text_that_is_not_read_is_kept_too(opened: Opened, site: Site) -> None:
    battle = _made(site)
    page = opened()
    page.on("dialog", lambda dialog: dialog.accept())
    _seat(page, battle)
    page.locator("#orders-text").fill("S1 dances")
    expect(_line(page)).to_contain_text("The text is not in the form yet")
    page.reload()
    assert page.locator("[data-unsent] textarea").input_value() == "S1 dances"
    page.locator("[data-unsent] [data-put]").click()
    assert page.locator("#orders-text").input_value() == "S1 dances"


@pytest.mark.parametrize(("language", "width"), PLACES)
def test_who_comes_back_to_the_page_finds_what_he_ordered(opened: Opened, site: Site, language: str, width: int) -> None:
    """The browser shows the page as it came at first, with the fields as they were left; another device has saved since."""
    words, battle = WORDS[language], _made(site)
    page = _seat(opened(language=language, width=width), battle)
    none = page.locator('[data-card="S1"] .says').text_content()
    _part(page, "S2", "hold").check()
    _saved(page, words, 1)
    page.goto("/rules/cohesion")
    db = site.app.state.house.db
    south = viewer_by_key(db, battle.seat_keys["south"])
    orders.enter(db, battle.id, "south", south, turn=1, revision=1, fields={"S1": {}, "S2": {}}, now=datetime.now(UTC))
    page.go_back()
    _saved(page, words, 2)
    for unit in ("S1", "S2"):
        expect(page.locator(f'[data-card="{unit}"] .says')).not_to_have_text(none)
        expect(page.locator(f'[data-card="{unit}"]')).to_have_class(re.compile("ordered"))


FILLS_IN_AGAIN = """
addEventListener("pagehide", () => {
    const form = document.getElementById("orders");
    if (!form || form.autocomplete === "off") return;
    sessionStorage.left = JSON.stringify([form.elements["move:S2"].value, form.elements["hold:S2"].checked]);
});
document.addEventListener("readystatechange", () => {
    const form = document.getElementById("orders");
    if (document.readyState !== "interactive" || !form || !sessionStorage.left) return;
    [form.elements["move:S2"].value, form.elements["hold:S2"].checked] = JSON.parse(sessionStorage.left);
});
"""
"""As Firefox does when a page is loaded again: the fields as they were left, before any of its scripts."""


def test_a_page_that_is_loaded_again_does_not_bring_back_what_another_device_has_changed(opened: Opened, site: Site) -> None:
    words, battle = WORDS["en"], _made(site)
    page = opened()
    _deaf(page)
    page.add_init_script(FILLS_IN_AGAIN)
    _seat(page, battle)
    _part(page, "S2", "hold").check()
    _saved(page, words, 1)
    db = site.app.state.house.db
    south = viewer_by_key(db, battle.seat_keys["south"])
    orders.enter(db, battle.id, "south", south, turn=1, revision=1, fields={"S2": {"move": ["C4"]}}, now=datetime.now(UTC))
    page.reload()
    _saved(page, words, 2)
    assert _part(page, "S2", "move").input_value() == "C4"
    assert not _part(page, "S2", "hold").is_checked()


@pytest.mark.parametrize(("language", "width"), PLACES)
def test_who_has_saved_all_is_not_alarmed_when_the_turn_is_over(
    opened: Opened, site: Site, language: str, width: int
) -> None:
    words, battle = WORDS[language], _made(site)
    page = _seat(opened(language=language, width=width), battle)
    _part(page, "S2", "hold").check()
    _saved(page, words, 1)
    _resolve(site, battle)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(_line(page)).to_contain_text(words.closed)
    for told in ("[data-saving]", "[data-plan-saved]"):
        expect(page.locator(told)).not_to_have_class(re.compile("bad"))


@pytest.mark.parametrize(("language", "width"), PLACES)
def test_without_scripts_a_stale_page_keeps_what_was_typed(opened: Opened, site: Site, language: str, width: int) -> None:
    words, battle = WORDS[language], _made(site)
    page = opened(language=language, width=width, script=False)
    _seat(page, battle)
    db = site.app.state.house.db
    south = viewer_by_key(db, battle.seat_keys["south"])
    orders.enter(db, battle.id, "south", south, turn=1, revision=0, fields={"S1": {}}, now=datetime.now(UTC))
    _part(page, "S2", "move").select_option("C4")
    page.get_by_role("button", name=words.save, exact=True).click()
    expect(page.locator("#problems")).to_contain_text(words.stale)
    assert _part(page, "S2", "move").input_value() == "C4"
    assert _part(page, "S1", "hold").is_checked()
    _resolve(site, battle)
    page.get_by_role("button", name=words.save, exact=True).click()
    expect(page.locator("#problems")).to_contain_text(words.sent)
    expect(page.locator("#problems pre").last).to_contain_text("C4")
    assert _fits(page)


def test_the_scripts_of_the_page_are_small(opened: Opened, site: Site) -> None:
    page = opened()
    loaded: dict[str, int] = {}

    def note(answer: Any) -> None:
        if answer.url.split("?")[0].endswith(".js"):
            loaded[answer.url] = len(gzip.compress(answer.body()))

    page.on("response", note)
    _seat(page, _made(site))
    page.wait_for_load_state("networkidle")
    assert len(loaded) > 5
    assert sum(loaded.values()) < 60_000
