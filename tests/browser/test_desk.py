"""The game master's desk by hand on a phone: from a battle that is made to a line that is left and taken up again."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Page, expect

from app.referee import battles, moderation, orders
from app.referee.keys import viewer_by_key
from app.referee.views import PUBLIC, Viewer
from tests.browser.conftest import Opened, Site
from tests.web.conftest import SKIRMISH

pytestmark = pytest.mark.browser
LONG = SKIRMISH.replace("goal: 1", "goal: 9")
"""Nobody wins it in a turn or two."""
MESSAGE = {"en": "LM B2 fights LM B3", "ru": "Л.М B2 бьёт Л.М B3"}
ADDRESS = "1/melee/N1/attack"


def press(page: Page, action: str) -> None:
    """The button that does it, by a touch; its page has come when this returns."""
    button = page.locator(f"button[value={action}]:visible").first
    folded = page.locator(f"details.confirm:not([open]):has(button[value={action}])")
    if not page.locator(f"button[value={action}]:visible").count():
        folded.first.locator("summary").tap()
    with page.expect_navigation():
        button.tap()
    fits(page)


def fits(page: Page) -> None:
    """Nothing sticks out to the side, and whatever is touched is large enough for a thumb."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url
    small = page.locator("main button:visible, main select:visible, main input:not([type=hidden]):visible").evaluate_all(
        "all => all.filter(one => !['checkbox', 'radio'].includes(one.type))"
        ".map(one => [one.outerHTML.slice(0, 80), one.getBoundingClientRect().height]).filter(([, h]) => h < 43.5)"
    )
    assert small == [], page.url


def make(page: Page) -> str:
    """A battle of his own scenario, due each Tuesday evening, reviewed before it is published; its id."""
    page.goto("/battles/new")
    page.locator("#scenario-own").check()
    page.fill("#scenario-text", LONG)
    page.fill("#zone", "Europe/Moscow")
    tuesday = page.locator("#at-tue")
    if not tuesday.is_visible():
        page.locator("details:has(#at-tue) > summary").last.tap()
    tuesday.fill("21:00")
    page.locator("#review").check()
    fits(page)
    with page.expect_navigation():
        page.locator("form.long p.actions > button:not([name])").last.tap()
    found = re.search(r"/b/([^/]+)/desk", page.url)
    assert found, page.url
    fits(page)
    return found[1]


def copied_links(page: Page, site: Site) -> list[str]:
    """What he would send: each seat's link, taken by its button."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=site.address)
    links = []
    for button in page.locator("ul.links li:not(.own-link) button.copy").all():
        button.tap()
        links.append(str(page.evaluate("navigator.clipboard.readText()")))
    return [link for link in links if "/k/" in link]


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_game_master_leads_a_battle_from_his_phone(opened: Opened, site: Site, language: str) -> None:
    page = opened(language=language, width=390, touch=True)
    battle = make(page)
    links = copied_links(page, site)
    assert len(links) == 2
    db = site.app.state.house.db
    north, south = (viewer_by_key(db, link.rpartition("/")[2]) for link in links)
    assert (north.seat, south.seat) == ("north", "south")
    expect(page.locator("ul.links .mark.silent")).to_have_count(2)
    enter(site, battle, south, {"S1": {"melee": "N1"}})
    page.goto(f"/b/{battle}/desk")
    expect(page.locator("ul.links .mark.silent")).to_have_count(1)

    page.goto(f"/b/{battle}/desk/time")
    before = page.locator("main").inner_text()
    press(page, "extend")
    expect(page.locator("[role=status].good")).to_be_visible()
    assert page.locator("main").inner_text() != before
    press(page, "pause")
    expect(page.locator(".stamp.paused").first).to_be_visible()
    press(page, "go-on")
    expect(page.locator(".stamp.open").first).to_be_visible()

    page.goto(f"/b/{battle}/desk")
    page.locator(f"a[href='/b/{battle}/desk/orders/north#text']").tap()
    page.wait_for_url("**/desk/orders/north#text")
    page.fill("#orders-text", MESSAGE[language])
    expect(page.locator(".board .plan-line")).to_have_count(1)
    press(page, "text")
    page.goto(f"/b/{battle}/desk")
    expect(page.locator("ul.links .mark.silent")).to_have_count(0)

    press(page, "resolve")
    expect(page.locator("#review")).to_be_visible()
    expect(page.locator("#review .differences li").first).to_be_visible()
    stranger = opened(language=language, width=390)
    stranger.goto(f"/b/{battle}/t/1")
    assert stranger.locator(".report").count() == 0

    page.goto(f"/b/{battle}/desk/rulings")
    page.select_option("#address", ADDRESS)
    page.fill("#reroll-reason", "Кубик упал со стола")
    press(page, "reroll")
    expect(page.get_by_role("status").first).to_be_visible()
    page.locator("form.amend details:has(#pick) > summary").tap()
    page.select_option("#pick", "N2")
    press(page, "choose")
    page.fill("#cohesion", "1")
    press(page, "preview")
    expect(page.locator("#preview .differences li")).to_have_count(1)
    page.fill("#reason", "Паника")
    press(page, "make")
    page.goto(f"/b/{battle}/desk")
    press(page, "publish")
    stranger.goto(f"/b/{battle}/t/1")
    for words in ("Кубик упал со стола", "Паника"):
        expect(stranger.locator("#rulings")).to_contain_text(words)

    page.goto(f"/b/{battle}/desk/rewind")
    page.select_option("#to", "1")
    page.fill("#reason", "Не та карта")
    press(page, "rewind")
    assert stands(site, battle) == ("open", 1)
    page.locator("section[aria-labelledby=left] details.confirm summary").tap()
    page.fill("#reason-1", "Карта та")
    press(page, "take-up")
    assert stands(site, battle) == ("open", 2)

    page.goto(f"/b/{battle}/log")
    for words in ("Кубик упал со стола", "Паника", "Не та карта", "Карта та"):
        expect(page.locator("main")).to_contain_text(words)
    fits(page)
    page.goto(f"/b/{battle}/desk")
    for tab in page.locator("nav.tabs a").evaluate_all("all => all.map(one => one.getAttribute('href'))"):
        page.goto(tab)
        expect(page.locator("nav.tabs a[aria-current=page]")).to_have_attribute("href", tab)
        fits(page)
    done = [line.what for line in moderation.log(db, battle) if line.who == "master"]
    assert done == [
        *("made", "extended", "paused", "resumed", "orders-on-behalf", "resolved"),
        *("rerolled", "ruled", "published", "rewound", "taken-up"),
    ]


def enter(site: Site, battle: str, viewer: Viewer, fields: dict[str, object]) -> None:
    given = {"turn": 1, "revision": 0, "fields": fields, "now": datetime.now(UTC)}
    orders.enter(site.app.state.house.db, battle, viewer.seat or "", viewer, **given)  # type: ignore[arg-type]


def stands(site: Site, battle: str) -> tuple[str, int]:
    shown = battles.battle(site.app.state.house.db, battle, PUBLIC, datetime.now(UTC))
    return shown.status, shown.turn
