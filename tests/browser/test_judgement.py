"""The desk by hand on a phone's width: amend, publish, take back, in both languages."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from app.referee import battles, orders, scenarios, turns
from app.referee.keys import viewer_by_key
from app.referee.views import NewBattle
from tests.browser.conftest import Opened, Site

pytestmark = pytest.mark.browser
WORDS = {
    "en": {
        "unit": "A unit",
        "show": "Show its values",
        "preview": "Preview",
        "make": "Make this ruling",
        "made": "The ruling is made.",
        "publish": "Publish turn 1",
        "told": "Rulings of the game master",
        "back": "Take the battle back…",
        "yes": "Yes, take it back",
        "stands": "The battle stands at the start of that turn",
    },
    "ru": {
        "unit": "Отряд",
        "show": "Показать значения",
        "preview": "Посмотреть, что выйдет",
        "make": "Принять решение",
        "made": "Решение принято.",
        "publish": "Опубликовать ход 1",
        "told": "Решения мастера",
        "back": "Вернуть битву назад…",
        "yes": "Да, вернуть",
        "stands": "Битва стоит в начале этого хода",
    },
}


def _draft(site: Site) -> NewBattle:
    """A turn under review in which somebody has moved."""
    db, now = site.app.state.house.db, datetime.now(UTC)
    made = battles.create(db, scenario=scenarios.frozen("first-skirmish"), now=now, review=True)
    for seat, key in made.seat_keys.items():
        viewer = viewer_by_key(db, key)
        sheet = orders.sheet(db, made.id, seat, viewer)
        ways = {unit["id"]: unit["options"].get("move", []) for unit in sheet.options_json}
        moves = {unit: {"move": paths[-1]} for unit, paths in ways.items() if paths}
        orders.enter(db, made.id, seat, viewer, turn=1, revision=0, fields=moves, now=now)
    turns.resolve_now(db, made.id, viewer_by_key(db, made.master_key), turn=1, now=now)
    return made


def _fits(page: Page) -> None:
    """Nothing sticks out to the side, and whatever is pressed is large enough."""
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth + 1")
    small = page.locator("main button:visible, main select:visible, main input:not([type=hidden]):visible").evaluate_all(
        "all => all.filter(one => !['checkbox', 'radio'].includes(one.type))"
        ".map(one => [one.outerHTML.slice(0, 80), one.getBoundingClientRect().height]).filter(([, h]) => h < 43.5)"
    )
    assert small == []


def _look(page: Page, name: str) -> None:
    """A picture, where somebody wants to look (`LOOK=folder`)."""
    folder = os.environ.get("LOOK")
    if folder:
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


@pytest.mark.parametrize(("language", "width", "script"), [("ru", 390, True), ("en", 390, False), ("en", 1280, True)])
def test_a_draft_is_amended_published_and_taken_back(
    opened: Opened, site: Site, language: str, width: int, script: bool
) -> None:
    battle, words = _draft(site), WORDS[language]
    shot = f"{language}-{width}-{'js' if script else 'plain'}"
    page = opened(width=width, language=language, script=script)
    page.goto(f"/k/{battle.master_key}")
    page.goto(f"/b/{battle.id}/desk")
    _fits(page)
    _look(page, f"{shot}-1-desk")
    page.goto(f"/b/{battle.id}/desk/rulings")
    page.locator("form.amend summary", has_text=re.compile(f"^{words['unit']}$")).click()
    unit = page.locator("#pick option").nth(1).get_attribute("value")
    assert unit
    page.select_option("#pick", unit)
    page.get_by_role("button", name=words["show"]).click()
    page.fill("#cohesion", "1")
    _fits(page)
    _look(page, f"{shot}-2-amend")
    page.get_by_role("button", name=words["preview"]).click()
    expect(page.locator("#preview .differences li")).to_have_count(1)
    page.fill("#reason", "Кубик упал со стола")
    page.fill("#rule", "ATTACK-2")
    _fits(page)
    _look(page, f"{shot}-3-preview")
    page.get_by_role("button", name=words["make"]).click()
    expect(page.get_by_role("status")).to_contain_text(words["made"])
    page.goto(f"/b/{battle.id}/desk")
    _look(page, f"{shot}-4-draft")
    page.get_by_role("button", name=words["publish"]).click()
    page.goto(f"/b/{battle.id}/t/1")
    expect(page.locator("#rulings")).to_contain_text(words["told"])
    expect(page.locator("#rulings")).to_contain_text("Кубик упал со стола")
    _fits(page)
    page.goto("/precedents?rule=ATTACK-2")
    expect(page.locator(".precedents")).to_contain_text("Кубик упал со стола")
    _fits(page)
    _look(page, f"{shot}-5-precedents")
    page.goto(f"/b/{battle.id}/desk/rewind")
    page.select_option("#to", "1")
    page.fill("#reason", "Не та карта")
    page.locator("summary", has_text=words["back"]).click()
    page.get_by_role("button", name=words["yes"]).click()
    expect(page.get_by_role("status")).to_contain_text(words["stands"])
    _fits(page)
    _look(page, f"{shot}-6-rewind")
    page.goto(f"/b/{battle.id}/lines/1/t/1")
    _fits(page)
    page.goto(f"/b/{battle.id}/desk/options")
    _fits(page)
    _look(page, f"{shot}-7-options")
    page.goto(f"/b/{battle.id}/log")
    expect(page.locator("main")).to_contain_text("Не та карта")
    _fits(page)
    _look(page, f"{shot}-8-log")
