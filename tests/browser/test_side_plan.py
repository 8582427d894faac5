"""A side's plan in a browser: friends' ghosts, arrows and notes, warnings that come and go, the order of movement."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from app.referee import battles, orders, plans, scenarios
from app.referee.keys import viewer_by_key
from app.referee.views import NewBattle
from tests.browser import eyes
from tests.browser.conftest import Opened, Site

pytestmark = pytest.mark.browser
FIELD = """\
format: 1
ruleset: cohesion
key: two-commanders
title: {en: Two commanders, ru: Два командира}
goal: 3
board:
  layout: pointy
  map: |
    . . . . . . .
     . . . . . . .
    . . . . . . .
     . . . . . . .
    . . . . . . .
     . . . . . . .
    . . . . . . .
  legend: {".": open}
sides:
  north: {name: {en: North, ru: Север}, home: top, colour: "#d8d8d8"}
  south: {name: {en: South, ru: Юг}, home: bottom, colour: "#77aa88"}
contingents:
  north: {side: north, name: {en: North, ru: Север}}
  left: {side: south, name: {en: Left, ru: Левые}}
  right: {side: south, name: {en: Right, ru: Правые}}
units:
  N1: {type: HM, contingent: north, at: A1}
  S1: {type: HM, contingent: left, at: B6}
  S2: {type: HM, contingent: right, at: D6}
"""
WORDS: dict[str, dict[str, Any]] = {
    "en": {
        "clash": "enter C6 in the same step",
        "clear": "Every unit has an order",
        "ally": "HM D6: moves to C6",
        "side": "Plan of the side",
        "order": "Order of movement",
        "group": "Speed 1, 1 step: HM D6",
        "arrow": "Arrow B6 → C5: to the gate",
        "note": "Note E5: wait here",
        "draw": "Draw",
        "pick": "Point on the field",
        "remove": "Remove: E5",
    },
    "ru": {
        "clash": "входят в C6 на одном и том же шаге",
        "clear": "У каждого отряда есть приказ",
        "ally": "Т.М D6: идёт на C6",
        "side": "План стороны",
        "order": "Порядок движения",
        "group": "Скорость 1, 1 шаг: Т.М D6",
        "arrow": "Стрелка B6 → C5: to the gate",
        "note": "Заметка E5: wait here",
        "draw": "Нанести",
        "pick": "Показать на поле",
        "remove": "Убрать: E5",
    },
}
SIZES = pytest.mark.parametrize(("language", "width"), [("en", 1280), ("ru", 390)])


def _begin(site: Site) -> NewBattle:
    db = site.app.state.house.db
    return battles.create(db, scenario=scenarios.read_file(FIELD), now=datetime.now(UTC))


def _enter(site: Site, made: NewBattle, seat: str, fields: Any, revision: int = 0) -> None:
    db, now = site.app.state.house.db, datetime.now(UTC)
    viewer = viewer_by_key(db, made.seat_keys[seat])
    orders.enter(db, made.id, seat, viewer, turn=1, revision=revision, fields=fields, now=now)


def _come(opened: Opened, made: NewBattle, seat: str, **how: Any) -> Page:
    page = opened(**how)
    page.goto(f"/k/{made.seat_keys[seat]}")
    return page


def _open(page: Page, words: str) -> None:
    page.locator("#side-plan summary", has_text=words).click()


def _path(page: Page, cells: str) -> None:
    """What the field and the text write into a card, written by hand."""
    page.locator("#unit-S1").evaluate("card => { card.open = true; }")
    page.locator("#unit-S1 details.path").evaluate("part => { part.open = true; }")
    page.locator('#unit-S1 [data-part="path"]').fill(cells)


@SIZES
def test_a_friend_is_seen_on_the_field_without_loading_the_page_again_and_an_enemy_is_not(
    opened: Opened, site: Site, language: str, width: int
) -> None:
    made, words = _begin(site), WORDS[language]
    left = _come(opened, made, "left", language=language, width=width, touch=width < 600)
    north = _come(opened, made, "north", language=language, width=width)
    expect(left.locator(".ghosts .plan-line")).to_have_count(0)
    _enter(site, made, "right", {"S2": {"move": ["C6"]}})
    ghost = left.locator('.ghosts .plan-line.move.ghost[data-line="D6-C6"]')
    expect(ghost).to_have_count(1)
    _open(left, words["side"])
    expect(left.locator(".side-ghosts")).to_contain_text(words["ally"])
    _open(left, words["order"])
    expect(left.locator(".side-order")).to_contain_text(words["group"])
    _enter(site, made, "north", {"N1": {"move": ["B1"]}})
    north.reload()
    expect(north.locator(".plan-line")).to_have_count(1)
    expect(north.locator(".ghosts > *")).to_have_count(0)
    assert "C6" not in north.locator("#side-plan").inner_html()
    expect(left.locator(".ghosts .plan-line")).to_have_count(1)
    assert int(left.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")) <= 0


@SIZES
def test_the_warning_comes_while_planning_and_goes_when_it_is_mended(
    opened: Opened, site: Site, language: str, width: int
) -> None:
    made, words = _begin(site), WORDS[language]
    _enter(site, made, "right", {"S2": {"move": ["C6"]}})
    page = _come(opened, made, "left", language=language, width=width)
    expect(page.locator('[data-finding="no-order"]')).to_have_count(1)
    _path(page, "C6")
    clash = page.locator('[data-finding="same-cell"]')
    expect(clash).to_contain_text(words["clash"])
    clash.locator("summary").click()
    expect(clash.locator("details p")).to_be_visible()
    _path(page, "C7")
    expect(clash).to_have_count(0)
    expect(page.locator("[data-glance]")).to_contain_text(words["clear"])


@SIZES
def test_what_one_commander_draws_the_other_sees_and_the_enemy_does_not(
    opened: Opened, site: Site, language: str, width: int
) -> None:
    made, words = _begin(site), WORDS[language]
    touch = width < 600
    right = _come(opened, made, "right", language=language, width=width, touch=touch)
    press = (lambda at, **where: at.tap(**where)) if touch else (lambda at, **where: at.click(**where))
    _open(right, words["side"])
    draw = right.get_by_role("button", name=words["draw"], exact=True)
    # An arrow, by pointing at cells; a unit that stands there is not chosen by it.
    right.get_by_role("button", name=words["pick"]).click()
    for cell in ("B6", "C5"):
        _press_cell(right, cell, touch)
    expect(right.locator("#plan-cells")).to_have_value("B6 C5")
    expect(right.locator('.ghosts .draft[data-line="B6-C5"]')).to_have_count(1)
    right.locator("#plan-text").fill("to the gate")
    press(draw)
    expect(right.locator(".side-drawings")).to_contain_text("to the gate")
    expect(right.locator("#plan-cells")).to_have_value("")
    # A note, by the keyboard alone.
    right.locator("#plan-kind").select_option("note")
    right.locator("#plan-cells").fill("е5")  # a Russian letter
    right.locator("#plan-text").fill("wait here")
    right.locator("#plan-text").press("Enter")
    expect(right.locator(".side-drawings li")).to_have_count(2)

    left = _come(opened, made, "left", language=language, width=width, touch=touch)
    _open(left, words["side"])
    listed = [" ".join(re.sub('[“”«»"]', "", text).split()) for text in left.locator(".side-drawings li").all_inner_texts()]
    assert words["arrow"] in listed[0]
    assert words["note"] in listed[1]
    expect(left.locator('.ghosts .drawn[data-line="B6-C5"]')).to_have_count(1)
    expect(left.locator(".ghosts text")).to_have_text(["to the gate", "wait here"])
    expect(left.locator(".side-drawings button")).to_have_count(0)
    north = _come(opened, made, "north", language=language, width=width)
    expect(north.locator("#side-plan")).to_have_count(1)
    assert "wait here" not in north.content()
    expect(north.locator(".ghosts > *")).to_have_count(0)

    press(right.get_by_role("button", name=words["remove"], exact=True))
    expect(right.locator(".side-drawings li")).to_have_count(1)
    left.evaluate("document.dispatchEvent(new CustomEvent('fieldpost:hint'))")
    expect(left.locator(".ghosts text")).to_have_text(["to the gate"])
    db = site.app.state.house.db
    assert len(plans.plan(db, made.id, "left", viewer_by_key(db, made.seat_keys["left"])).drawings) == 1


def _press_cell(page: Page, cell: str, touch: bool) -> None:
    """The middle of a cell of the board, wherever it is on the screen."""
    page.locator(".board-paper .board").scroll_into_view_if_needed()
    x, y = page.evaluate(
        """label => {
            const svg = document.querySelector(".board-paper .board");
            const use = svg.querySelector(`use[data-cell="${label}"]`);
            const at = new DOMPoint(Number(use.getAttribute("x")), Number(use.getAttribute("y")));
            const seen = at.matrixTransform(svg.getScreenCTM());
            return [seen.x, seen.y];
        }""",
        cell,
    )
    (page.touchscreen.tap if touch else page.mouse.click)(x, y)


@SIZES
def test_what_the_glance_warns_of_is_seen_at_the_counters(opened: Opened, site: Site, language: str, width: int) -> None:
    made, words = _begin(site), WORDS[language]
    _enter(site, made, "right", {"S2": {"move": ["C6"]}})
    page = _come(opened, made, "left", language=language, width=width)
    expect(page.locator('.badge.silent[data-badge="S1"]')).to_have_count(1)
    expect(page.locator(".badge.warned")).to_have_count(0)
    _path(page, "C6")
    expect(page.locator('.badge.warned[data-badge="S1"], .badge.warned[data-badge="S2"]').first).to_be_visible()
    warned = page.locator('.board [data-unit][data-warned]:not([data-warned=""])').first
    assert words["clash"] in str(warned.get_attribute("aria-description"))
    expect(page.locator(".badge.silent")).to_have_count(0)
    _path(page, "C7")
    expect(page.locator(".badge")).to_have_count(0)
    expect(page.locator(".board [aria-description]")).to_have_count(0)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_cells_are_pointed_at_by_the_keyboard_alone(opened: Opened, site: Site, language: str) -> None:
    made, words = _begin(site), WORDS[language]
    page = _come(opened, made, "left", language=language)
    _open(page, words["side"])
    page.locator("#plan-cells").fill("B6")
    page.get_by_role("button", name=words["pick"]).focus()
    page.keyboard.press("Enter")
    cursor = page.locator(".cell-cursor")
    expect(cursor).to_be_focused()
    expect(cursor).to_have_attribute("data-cursor", "B6")
    assert "HM" in str(cursor.get_attribute("aria-description")) or "S1" in str(cursor.get_attribute("aria-description"))
    for key in ("ArrowRight", "ArrowUp"):
        page.keyboard.press(key)
    expect(cursor).to_be_focused()
    there = str(cursor.get_attribute("data-cursor"))
    assert there in {"C5", "D5"}
    page.keyboard.press("Enter")
    expect(page.locator("#plan-cells")).to_have_value(f"B6 {there}")
    page.keyboard.press("Escape")
    expect(cursor).to_have_count(0)
    expect(page.get_by_role("button", name=words["pick"])).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(f'.ghosts .drawn[data-line="B6-{there}"]:not(.draft)')).to_have_count(1)


def test_a_drawing_that_is_refused_stays_in_the_form(opened: Opened, site: Site) -> None:
    page = _come(opened, _begin(site), "left")
    _open(page, "Plan of the side")
    page.locator("#plan-cells").fill("Q77")
    page.locator("#plan-text").fill("nowhere")
    page.get_by_role("button", name="Draw", exact=True).click()
    expect(page.locator("[data-error]")).to_contain_text("2 to 12 cells")
    expect(page.locator("#plan-cells")).to_have_value("Q77")
    expect(page.locator("#plan-text")).to_have_value("nowhere")


@pytest.mark.parametrize("language", ["en", "ru"])
def test_without_scripts_the_plan_is_seen_and_drawn_on(opened: Opened, site: Site, language: str) -> None:
    made, words = _begin(site), WORDS[language]
    _enter(site, made, "right", {"S2": {"move": ["C6"]}})
    page = _come(opened, made, "left", language=language, script=False)
    expect(page.locator(".board .route.move.ghost")).to_have_count(1)
    _open(page, words["side"])
    expect(page.locator(".side-ghosts")).to_contain_text(words["ally"])
    page.locator("#unit-S1").locator('[data-part="move"]').select_option("B5")
    page.locator("#draw-cells").fill("Q77")
    page.locator("#draw-text").fill("to the gate")
    draw = page.get_by_role("button", name=words["draw"], exact=True)
    draw.click()
    expect(page.locator("#side-plan .mistakes:visible")).to_have_count(1)
    expect(page.locator("#draw-text")).to_have_value("to the gate")
    page.locator("#draw-cells").fill("B6 C5")
    draw.click()
    expect(page.locator(".side-drawings")).to_contain_text("to the gate")
    expect(page.locator("#unit-S1").locator('[data-part="move"]')).to_have_value("B5")  # nothing typed is lost
    page.locator("[name=erase-beside]").first.click()
    expect(page.locator(".side-drawings")).to_have_count(0)
    expect(page.locator("#unit-S1").locator('[data-part="move"]')).to_have_value("B5")


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(opened: Opened, site: Site, language: str, scheme: str) -> None:
    made = _begin(site)
    _enter(site, made, "right", {"S2": {"move": ["C6"]}})
    db = site.app.state.house.db
    given = {"turn": 1, "kind": "note", "cells": ("E5",), "text": "wait", "now": datetime.now(UTC)}
    plans.draw(db, made.id, "left", viewer_by_key(db, made.seat_keys["left"]), **given)  # type: ignore[arg-type]
    page = _come(opened, made, "left", language=language, scheme=scheme)
    _path(page, "C6")
    expect(page.locator('[data-finding="same-cell"]')).to_have_count(1)
    page.locator("#side-plan details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
    assert eyes.faults(page, within="#side-plan") == []
