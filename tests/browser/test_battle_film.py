"""A battle is watched as one film, from its first turn to its last."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Page, Route, expect

from app.referee import battles, publication, turns
from app.referee.keys import viewer_by_key
from app.referee.views import NewBattle
from tests.browser import eventful
from tests.browser.conftest import Opened, Site

pytestmark = pytest.mark.browser
READERS = pytest.mark.parametrize(
    ("language", "width", "scheme"), [("en", 1280, "light"), ("ru", 390, "dark")], ids=["english", "russian-dark-phone"]
)
ON = {"en": "One moment on", "ru": "На миг вперёд"}
BACK = {"en": "One moment back", "ru": "На миг назад"}


def _played(site: Site, more: int = 2) -> NewBattle:
    """The battle after its eventful turn and some in which nobody does anything."""
    db = site.app.state.house.db
    battle = eventful.played(db)
    for turn in range(2, 2 + more):
        turns.resolve_now(db, battle.id, viewer_by_key(db, battle.master_key), turn=turn, now=datetime.now(UTC))
    return battle


def _film(page: Page, battle: NewBattle, moment: str = "") -> None:
    page.goto(f"/b/{battle.id}/film{moment}")
    expect(page.locator("#player")).to_be_visible()


def _asked(page: Page) -> list[str]:
    """The turns that the page fetches, from now on."""
    seen: list[str] = []
    page.on("request", lambda asked: seen.append(asked.url.split("/")[-2]) if asked.url.endswith("reel.json") else None)
    return seen


@READERS
def test_it_goes_from_turn_to_turn_and_back(opened: Opened, site: Site, language: str, width: int, scheme: str) -> None:
    page = opened(language=language, width=width, scheme=scheme)
    fetched = _asked(page)
    _film(page, _played(site))
    assert fetched == ["1"]
    on = page.get_by_role("button", name=ON[language])
    seen = []
    while on.is_enabled():
        on.click()
        seen.append(page.evaluate("location.hash"))
        if seen[-1].endswith("film-end") and len(set(seen)) > 1:
            page.wait_for_timeout(50)
            if seen[-1] == "#t3-film-end":
                break
            turn = int(seen[-1][2])
            on.click()
            page.wait_for_url(f"**#t{turn + 1}-film-start")
    assert fetched == ["1", "2", "3"]
    assert "#t1-melee-5" in seen
    expect(on).to_be_disabled()
    expect(page.locator("[data-marks] [aria-current]")).to_have_attribute("data-turn", "3")
    page.goto(page.url.partition("#")[0] + "#t3-film-start")
    page.get_by_role("button", name=BACK[language]).click()
    page.wait_for_url("**#t2-film-end")


@READERS
def test_any_moment_of_any_turn_has_a_link(opened: Opened, site: Site, language: str, width: int, scheme: str) -> None:
    page = opened(language=language, width=width, scheme=scheme)
    fetched = _asked(page)
    battle = _played(site, more=11)  # more turns than a phone is wide
    _film(page, battle, "#t1-melee-5")
    expect(page.locator('.board .counters > [data-unit="S1"]')).to_have_class(re.compile("fallen"))
    expect(page.locator("#melee-5")).to_have_class(re.compile("showing"))
    page.locator("[data-marks] a").nth(2).click()
    page.wait_for_url("**#t3-film-start")
    expect(page.locator('.board .counters > [data-unit="S1"]')).to_have_count(0)
    assert fetched == ["1", "3"]
    page.go_back()
    expect(page.locator('.board .counters > [data-unit="S1"]')).to_have_class(re.compile("fallen"))
    page.locator("#melee-2 .self").click()
    assert page.evaluate("location.hash") == "#t1-melee-2"
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def test_it_plays_through_the_end_of_a_turn(opened: Opened, site: Site) -> None:
    page = opened()
    _film(page, _played(site), "#t2-film-start")
    page.locator("[data-speed]").select_option("4")
    page.get_by_role("button", name="Play the battle").click()
    page.wait_for_url("**#t3-film-end")
    expect(page.get_by_role("button", name="Play the battle")).to_be_visible()


def test_one_unit_is_watched_through_all_turns(opened: Opened, site: Site) -> None:
    page = opened()
    _film(page, _played(site), "?unit=N6#t1-film-start")
    passed = []
    on = page.get_by_role("button", name="One moment on")
    for _ in range(12):
        if on.is_disabled():
            break
        before = page.evaluate("location.hash")
        on.click()
        page.wait_for_function("before => location.hash !== before", arg=before)
        passed.append(page.evaluate("location.hash"))
    units = [line.get_attribute("data-units") for line in page.locator("article .entry:visible").all()]
    assert all("N6" in (unit or "") for unit in units)
    assert {"#t1-film-end", "#t2-film-start"} <= set(passed)
    assert "unit=N6" in page.url


def test_a_turn_that_does_not_come_is_told_and_tried_again(opened: Opened, site: Site) -> None:
    page = opened()
    _film(page, _played(site))
    fails = [True]

    def answer(route: Route) -> None:
        if fails.pop() if fails else False:
            route.abort()
        else:
            route.continue_()

    page.route("**/t/2/reel.json", answer)
    page.locator("[data-marks] a").nth(1).click()
    expect(page.locator("[data-moment]")).to_contain_text("could not be loaded")
    page.locator("[data-marks] a").nth(0).click()
    page.locator("[data-marks] a").nth(1).click()
    page.wait_for_url("**#t2-film-start")
    expect(page.locator("[data-board-title]")).to_have_text("Turn 2")


def test_a_battle_without_turns_says_so_and_links_lead_here(opened: Opened, site: Site) -> None:
    db = site.app.state.house.db
    battle = eventful.made(db, review=True)
    page = opened()
    page.goto(f"/b/{battle.id}/film")
    expect(page.locator("main")).to_contain_text("No turn has been published yet")
    turns.resolve_now(db, battle.id, viewer_by_key(db, battle.master_key), turn=1, now=datetime.now(UTC))
    page.goto(f"/b/{battle.id}/film")
    expect(page.locator("main")).to_contain_text("No turn has been published yet")
    publication.publish(db, battle.id, viewer_by_key(db, battle.master_key), turn=1, now=datetime.now(UTC))
    for path in (f"/b/{battle.id}", f"/b/{battle.id}/t/1"):
        page.goto(path)
        page.locator(f'a[href^="/b/{battle.id}/film"]').first.click()
        expect(page.locator("#player")).to_be_visible()


def test_without_a_script_the_turns_are_links(opened: Opened, site: Site) -> None:
    page = opened(script=False)
    battle = _played(site, 1)
    page.goto(f"/b/{battle.id}/film")
    expect(page.locator("main")).to_contain_text("The film needs a script")
    page.locator("[data-marks] a").first.click()
    expect(page.locator("h1")).to_have_text("Report of turn 1")


@READERS
def test_the_pages_of_a_turn_and_of_the_film_follow_the_battle(
    opened: Opened, site: Site, language: str, width: int, scheme: str
) -> None:
    said = {
        "en": ("Orders are in: North.", "the deadline has been put off", "Turn 2 has been published.", "Read the new turn"),
        "ru": ("Приказы внесены: Север.", "срок отодвинут", "Ход 2 опубликован.", "Читать новый ход"),
    }[language]
    db = site.app.state.house.db
    battle = eventful.played(db, early=False, turn_hours=24)
    master = viewer_by_key(db, battle.master_key)
    pages = [opened(language=language, width=width, scheme=scheme) for _ in range(2)]
    for page, path in zip(pages, ("t/1", "film"), strict=True):
        page.goto(f"/b/{battle.id}/{path}")
        expect(page.locator("#player")).to_be_visible()
        page.locator("[data-scrub]").focus()
        page.wait_for_timeout(1500)
        assert page.locator("[data-follow] .notice").is_hidden()
    news = [page.locator("[data-follow] [role=status]") for page in pages]

    eventful.enter(db, battle, "north", turn=2)
    for told in news:
        expect(told).to_contain_text(said[0])
    deadline = battles.battle(db, battle.id, master, datetime.now(UTC)).deadline
    assert deadline is not None
    battles.set_deadline(db, battle.id, master, deadline.replace(year=deadline.year + 1), datetime.now(UTC))
    for told in news:
        expect(told).to_contain_text(said[1])
    turns.resolve_now(db, battle.id, master, turn=2, now=datetime.now(UTC))
    for page, told in zip(pages, news, strict=True):
        expect(told).to_contain_text(said[2])
        expect(page.locator("[data-scrub]")).to_be_focused()
        page.get_by_role("link", name=said[3]).click()
        page.wait_for_url(f"**/b/{battle.id}/t/2")
