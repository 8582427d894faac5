"""The game master's time by hand, on a phone: a schedule looked at and kept, a deadline extended, a pause others see."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from app.referee import battles, scenarios
from tests.browser.conftest import Opened, Site

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_week_of_a_game_master_on_a_phone(opened: Opened, site: Site, language: str) -> None:
    now = datetime.now(UTC)
    battle = battles.create(
        site.app.state.house.db,
        scenario=scenarios.frozen("first-skirmish"),
        now=now,
        deadline=now + timedelta(days=3),
        zone="Europe/Moscow",
    )
    page, reader = opened(width=390, language=language), opened(language=language)
    reader.goto(f"/b/{battle.id}")
    page.goto(f"/k/{battle.master_key}")
    page.goto(f"/b/{battle.id}/desk/time")
    page.locator("summary").first.click()
    page.locator("#at-tue").fill("21:00")
    page.locator("#at-fri").fill("9:00, 21:00")
    page.locator("button[value=preview]:visible").click()
    expect(page.locator("#deadlines li")).to_have_count(5)
    expect(page.locator("#at-fri")).to_have_value("9:00, 21:00")
    page.locator("button[value=schedule]").click()
    expect(page.locator("[role=status].good")).to_be_visible()
    expect(reader.locator("details.times")).to_contain_text("21:00")
    page.locator("button[value=extend]").click()
    expect(page.locator("[role=status].good")).to_be_visible()
    page.locator("button[value=pause]").click()
    expect(reader.locator(".stamp.paused")).to_be_visible()
    said = {"en": "The battle has been paused.", "ru": "Битва приостановлена."}[language]
    expect(reader.locator(".follow [role=status]")).to_contain_text(said)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    small = page.locator("button:visible, .ask input:visible, summary:visible").evaluate_all(
        "all => all.map(one => [one.outerHTML.slice(0, 80), one.getBoundingClientRect().height]).filter(([, h]) => h < 44)"
    )
    assert small == []
    page.locator("button[value=go-on]").click()
    expect(reader.locator(".stamp.open")).to_be_visible()
