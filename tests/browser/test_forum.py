"""A turn taken to the forum: another choice is fetched at once, one click copies, and all of it without scripts too."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from app.referee import battles, scenarios, turns
from app.referee.views import Viewer
from tests.browser.conftest import Opened, Site

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def turn(site: Site) -> str:
    db, now = site.app.state.house.db, datetime.now(UTC)
    made = battles.create(db, scenario=scenarios.frozen("first-skirmish"), now=now)
    turns.resolve_now(db, made.id, Viewer("master", battle_id=made.id), turn=1, now=now)
    return f"{site.address}/b/{made.id}/t/1"


@pytest.mark.parametrize(("language", "title", "copied"), [("en", "Turn 1", "Copied"), ("ru", "Ход 1", "Скопировано")])
def test_one_click_copies_the_post_of_the_chosen_forum(
    opened: Opened, turn: str, language: str, title: str, copied: str
) -> None:
    page = opened(language=language)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(turn)
    page.locator("#forum > summary").click()
    area = page.locator("#post-texts textarea").first
    assert area.input_value().startswith(f"[size=150][b]{title}[/b][/size]\n")
    page.locator("#post-to").select_option("md/discourse")
    page.locator("#post-length").select_option("dice")
    area = page.locator("#post-text-1")
    expect(page.locator('#post-texts a[href*=".md?dialect=discourse&length=dice"]')).to_be_visible()
    button = page.locator('button[data-copy-from="post-text-1"]')
    button.click()
    expect(button).to_have_text(copied)
    assert page.evaluate("() => navigator.clipboard.readText()") == area.input_value()
    assert area.input_value().startswith(f"## {title}\n")
    page.reload()
    page.locator("#forum > summary").click()  # the next turn is taken to the same forum
    expect(area).to_have_value(re.compile(rf"^## {title}\n"))
    expect(page.locator("#post-to")).to_have_value("md/discourse")
    expect(page.locator("#post-length")).to_have_value("dice")
    page.goto(f"{turn}/post?to=txt")
    expect(page.locator("#post-to")).to_have_value("txt")


def test_without_scripts_the_button_shows_and_the_hand_selects(opened: Opened, turn: str) -> None:
    page = opened(script=False, width=390)
    page.goto(turn)
    page.locator("#forum > summary").click()
    page.locator("#post-to").select_option("txt")
    page.locator("#post-what").select_option("orders")
    page.locator("form[data-poster] button").click()
    assert page.url.startswith(f"{turn}/post?")
    assert page.locator("#post-text-1").input_value().startswith("Orders of turn 1\n====")
    assert page.locator("#post-to").input_value() == "txt"
    assert page.locator("button[data-copy-from]:visible").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
