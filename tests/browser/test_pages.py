"""Pages in a browser: robust, pleasant with scripts."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from app.referee import battles, scenarios, turns
from app.referee.keys import viewer_by_key
from app.referee.views import NewBattle
from tests.browser.conftest import Opened, Site

pytestmark = pytest.mark.browser


def _made(site: Site, *, resolved: int = 0, scenario: str = "first-skirmish", **options: object) -> NewBattle:
    db, now = site.app.state.house.db, datetime.now(UTC)
    made = battles.create(db, scenario=scenarios.frozen(scenario), now=now, **options)  # type: ignore[arg-type]
    for turn in range(1, resolved + 1):
        turns.resolve_now(db, made.id, viewer_by_key(db, made.master_key), turn=turn, now=now)
    return made


def _seat(page: Page, battle: NewBattle) -> str:
    """The first seat's page, opened by its link."""
    seat, key = next(iter(battle.seat_keys.items()))
    page.goto(f"/k/{key}")
    return seat


@pytest.mark.parametrize("width", [360, 390, 768, 1280])
def test_touch_targets_are_large_enough(opened: Opened, site: Site, width: int) -> None:
    battle = _made(site)
    page = opened(width=width)
    _seat(page, battle)
    page.locator("[data-card] > summary").nth(1).click()
    small = page.locator("button:visible, .ask select:visible, .ask input:visible, [data-card] > summary").evaluate_all(
        "all => all.map(one => [one.outerHTML.slice(0, 80), one.getBoundingClientRect().height]).filter(([, h]) => h < 44)"
    )
    assert small == []


def test_a_wrong_key_is_told_in_the_readers_language(opened: Opened) -> None:
    page = opened(language="ru")
    answer = page.goto("/k/no-such-key")
    assert answer is not None
    assert answer.status == 401
    expect(page.locator("main")).to_contain_text("скопируйте её целиком")
    page.get_by_role("link", name="English").click()
    expect(page.locator("main")).to_contain_text("copy it whole")


def test_a_stale_page_without_scripts_keeps_what_was_typed(opened: Opened, site: Site) -> None:
    battle = _made(site)
    page = opened(script=False)
    seat = _seat(page, battle)
    other = page.context.new_page()
    other.goto(f"/b/{battle.id}/seat/{seat}")
    _open_first(other)
    other.locator('[data-part="hold"]').first.check()
    other.get_by_role("button", name="Save", exact=True).click()
    expect(other.locator(".notice:visible")).to_contain_text("Saved as revision 1")
    _open_first(page)
    card = page.locator("[data-card]").first
    move = card.locator('select[data-part="move"]')
    move.select_option(index=2)
    chosen = move.input_value()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#problems")).to_contain_text("Something was saved since you opened this page")
    expect(page.locator("#problems pre").first).to_contain_text("hold")
    assert page.locator('select[data-part="move"]').first.input_value() == chosen
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".notice:visible")).to_contain_text("Saved as revision 2")


def _open_first(page: Page) -> None:
    card = page.locator("[data-card]").first
    if card.get_attribute("open") is None:
        card.locator("> summary").click()


def test_a_summary_of_problems_leads_to_the_fields(opened: Opened, site: Site) -> None:
    battle = _made(site)
    page = opened(width=390)
    _seat(page, battle)
    card = page.locator("[data-card]").nth(2)
    card.locator("> summary").click()
    card.locator(".path > summary").click()
    card.locator('[data-part="path"]').fill("Z99")
    page.get_by_role("button", name="Save", exact=True).click()
    link = page.locator("[data-pressed] a").first
    expect(link).to_be_visible()
    link.click()
    expect(page.locator('[data-part="path"][aria-invalid="true"]')).to_be_in_viewport()
    assert page.locator("[data-card]").nth(2).locator('[data-part="path"]').input_value() == "Z99"


def test_a_card_says_at_once_what_is_ordered(opened: Opened, site: Site) -> None:
    battle = _made(site)
    page = opened()
    _seat(page, battle)
    card = page.locator("[data-card]").first
    expect(card.locator(".says")).to_have_text("no order yet")
    card.locator('select[data-part="move"]').select_option(index=1)
    expect(card.locator(".says")).to_contain_text("moves to")
    expect(page.locator("[data-count]")).to_contain_text("1/")
    card.locator('select[data-part="move"]').select_option("")
    card.locator('[data-part="hold"]').check()
    expect(card.locator(".says")).to_have_text("holds its ground")


def test_a_counter_on_the_board_opens_its_card(opened: Opened, site: Site) -> None:
    battle = _made(site)
    page = opened()
    _seat(page, battle)
    card = page.locator("[data-card]").nth(1)
    unit = card.get_attribute("data-card")
    assert card.get_attribute("open") is None
    page.locator(f'.board [data-unit="{unit}"]').focus()
    page.keyboard.press("Enter")
    expect(card).to_have_attribute("open", "")
    expect(page.locator(f'.board [data-unit="{unit}"]')).to_have_class(re.compile(r"\bpicked\b"))


def test_unsaved_work_is_not_left_without_a_question(opened: Opened, site: Site) -> None:
    battle = _made(site)
    page = opened()
    seat = _seat(page, battle)
    page.goto(f"/k/{battle.master_key}")
    page.goto(f"/b/{battle.id}/desk/orders/{seat}")
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.locator('[data-part="hold"]').first.check()
    page.get_by_role("link", name="Rules").first.click()
    page.wait_for_url("**/rules")
    assert asked == ["beforeunload"]


def test_the_deadline_is_told_in_the_readers_zone_too(opened: Opened, site: Site) -> None:
    battle = _made(site, deadline=datetime.now(UTC) + timedelta(days=3), zone="Pacific/Auckland")
    page = opened(language="ru")
    page.goto(f"/b/{battle.id}")
    both = re.compile(r"[0-9]{2}:[0-9]{2} \(Окленд, UTC\+1[23]\) \([^()]+, по вашему времени: [^()]+\)")
    expect(page.locator(".page-head")).to_contain_text(both)


def test_links_are_copied_by_a_button(opened: Opened, site: Site) -> None:
    battle = _made(site)
    page = opened()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=site.address)
    page.goto(f"/k/{battle.master_key}")
    page.get_by_role("button", name="Copy").first.click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{site.address}/k/{next(iter(battle.seat_keys.values()))}"


def test_a_finger_that_comes_down_twice_sends_a_form_once(opened: Opened) -> None:
    page = opened(language="ru", width=390)
    page.goto("/battles/new")
    pressed = page.evaluate(
        """() => {
            const prevented = [];
            addEventListener("submit", (event) => { prevented.push(event.defaultPrevented); event.preventDefault(); });
            const preview = document.querySelector("button[name=preview]");
            const make = [...document.querySelectorAll("form.long button:not([name])")].at(-1);
            for (const button of [make, make, preview]) button.click();
            dispatchEvent(new Event("pageshow"));
            make.click();
            return prevented;
        }"""
    )
    assert pressed == [False, True, True, False]


def test_without_scripts_no_dead_button_is_shown(opened: Opened, site: Site) -> None:
    battle = _made(site)
    page = opened(script=False)
    page.goto(f"/k/{battle.master_key}")
    assert page.locator("button.copy").count() == 4
    assert page.locator("button.copy:visible").count() == 0


def test_what_was_typed_survives_mistakes_in_a_new_battle(opened: Opened) -> None:
    page = opened(language="ru", width=390)
    page.goto("/battles/new")
    page.locator("#scenario-own").check()
    page.locator("#scenario-text").fill(
        "format: 1\nruleset: cohesion\nkey: Bad Key\nunits:\n  NORTHERN-UNIT-1: {type: ZZ, contingent: nobody}\n"
    )
    page.locator("#title").fill('Битва "у моста" <ночью>')
    page.locator("#hours").fill("много")
    page.get_by_role("button", name="Создать битву").click()
    expect(page.locator("#problems")).to_contain_text("Часов на ход должно быть целое число")
    expect(page.locator("#scenario-mistakes tbody tr").first).to_be_visible()
    assert int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")) <= 0
    assert page.locator("#title").input_value() == 'Битва "у моста" <ночью>'
    assert page.locator("#hours").input_value() == "много"
    expect(page.locator("#hours")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#hours")).to_have_accessible_description(re.compile("Часов на ход должно быть целое число"))
    page.locator("#hours").fill("48")
    expect(page.locator("#hours")).not_to_have_attribute("aria-invalid", "true")
    expect(page.locator("#zone")).not_to_have_attribute("aria-invalid", "true")
    assert "Bad Key" in page.locator("#scenario-text").input_value()
