"""A whole seat planned on the field, without the form's selects: by clicks, by touch, by the keyboard alone."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from app.referee import battles, orders, scenarios
from app.referee.keys import viewer_by_key
from app.referee.views import NewBattle
from tests.browser import eyes
from tests.browser.conftest import Opened, Site

pytestmark = pytest.mark.browser
FIELD = """\
format: 1
ruleset: cohesion
key: a-field
title: {en: A field, ru: Поле}
goal: 3
board:
  layout: pointy
  map: |
    . . . . . . .
     . . . . . . .
    . . . . . . .
     . . r . . . .
    . . . . . . .
     . . . . . . .
    . . . . . . .
  legend: {".": open, r: rough}
sides:
  north: {name: {en: North, ru: Север}, home: top, colour: "#d8d8d8"}
  south: {name: {en: South, ru: Юг}, home: bottom, colour: "#77aa88"}
contingents:
  north: {side: north, name: {en: North, ru: Север}}
  south: {side: south, name: {en: South, ru: Юг}}
units:
  N1: {type: LM, contingent: north, at: B3}
  N2: {type: XS, contingent: north, at: F3}
  N3: {type: HM, contingent: north, at: F2}
  S1: {type: LM, contingent: south, at: B4}
  S2: {type: XS, contingent: south, at: F5}
  S3: {type: LM, contingent: south, at: D6}
  S4: {type: HM, contingent: south, at: A7}
"""
SAVED = {"en": "Saved as revision", "ru": "Сохранено, редакция"}
SAVE = {"en": "Save", "ru": "Сохранить"}
HOLD = {"en": "Hold its ground", "ru": "Стоять на месте"}
WHOLE = {
    "S1": {"melee": "N1"},
    "S2": {"shoot": "N2", "move": ["G5", "G6"]},
    "S3": {"withdraw": "D7", "move": ["C7"]},
    "S4": {},
}


def _begin(opened: Opened, site: Site, **how: Any) -> tuple[Page, NewBattle]:
    db = site.app.state.house.db
    made = battles.create(db, scenario=scenarios.read_file(FIELD), now=datetime.now(UTC))
    page = opened(**how)
    page.goto(f"/k/{made.seat_keys['south']}")
    return page, made


def _sheet(site: Site, made: NewBattle) -> dict[str, Any]:
    """What the referee has, each unit's parts that say something."""
    db = site.app.state.house.db
    saved = orders.sheet(db, made.id, "south", viewer_by_key(db, made.seat_keys["south"])).orders
    saved = saved.get("orders", saved)
    return {unit: {part: what for part, what in order.items() if what} for unit, order in saved.items()}


def _save(page: Page, language: str) -> None:
    page.get_by_role("button", name=SAVE[language], exact=True).click()
    expect(page.locator(".notice.good")).to_contain_text(SAVED[language])


def _unit(page: Page, unit: str) -> Locator:
    return page.locator(f'.board [data-unit="{unit}"]')


def _cell(page: Page, cell: str) -> Locator:
    return page.locator(f'.plan-mark[data-mark="{cell}"]')


def _drawn(page: Page, *lines: str) -> None:
    """These lines stand on the field, as soon as its script has drawn them."""
    for line in lines:
        drawn = page.locator(f'.plan-line.move[data-line="{line}"], .plan-line.withdraw[data-line="{line}"]')
        expect(drawn).to_have_count(1)


def _plan(page: Page, language: str, press: Any) -> None:
    """The orders of `WHOLE`, chosen on the board and in its panel. `press` clicks or taps."""
    press(_unit(page, "S1"))
    press(_unit(page, "N1"))
    press(page.locator('[data-key="answer melee"]'))
    press(_unit(page, "S2"))
    press(_unit(page, "N2"))
    # A way, another one, a step back, and on by a way of one's own.
    press(_cell(page, "E5"))
    _drawn(page, "F5-E5")
    press(_cell(page, "G5"))
    press(_cell(page, "G6"))
    _drawn(page, "F5-G5-G6")
    press(_cell(page, "G6"))
    _drawn(page, "F5-G5")
    press(_cell(page, "G6"))
    press(_unit(page, "S3"))
    press(_cell(page, "D7"))
    press(page.locator('[data-key="answer withdraw"]'))
    press(_cell(page, "C7"))
    press(_unit(page, "S4"))
    press(page.locator('[data-key="hold"]'))
    press(page.locator('[data-key="leave"]'))


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_seat_is_planned_by_clicks(opened: Opened, site: Site, language: str) -> None:
    page, made = _begin(opened, site, language=language)
    _plan(page, language, lambda at: at.click())
    _save(page, language)
    assert _sheet(site, made) == WHOLE
    _drawn(page, "F5-G5-G6", "D6-D7", "D7-C7")  # the saved plan is drawn again


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_seat_is_planned_by_touch(opened: Opened, site: Site, language: str) -> None:
    page, made = _begin(opened, site, language=language, width=390, touch=True)
    _plan(page, language, lambda at: at.tap())
    assert int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")) <= 0
    _save(page, language)
    assert _sheet(site, made) == WHOLE


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_seat_is_planned_by_the_keyboard_alone(opened: Opened, site: Site, language: str) -> None:
    page, made = _begin(opened, site, language=language)
    expect(_unit(page, "S1")).to_have_class(re.compile(r"\bchosen\b"))
    _tab_to(page, "document.activeElement.matches('.board [data-unit]')")
    _reach(page, "S1")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    expect(_cell(page, "A4")).to_have_count(1)
    _reach(page, "N1")
    page.keyboard.press("Enter")
    expect(page.locator('[data-key="answer shoot"]')).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(_unit(page, "N1")).to_be_focused()
    expect(_unit(page, "N1").locator("> use").first).to_have_css("stroke-width", "17px")
    _choose(page, "S2")
    _reach(page, "N2")
    page.keyboard.press("Enter")
    for cell in ("G5", "G6"):
        _reach(page, cell)
        page.keyboard.press("Enter")
        expect(_cell(page, cell)).to_be_focused()
    _choose(page, "S3")
    _reach(page, "D7")
    page.keyboard.press("Enter")
    expect(page.locator('[data-key="answer move"]')).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    _reach(page, "C7")
    page.keyboard.press("Enter")
    _choose(page, "S4")
    _tab_to(page, "document.activeElement.dataset.key === 'hold'")
    page.keyboard.press("Enter")
    expect(page.locator('[data-key="hold"]')).to_have_attribute("aria-pressed", "true")
    expect(page.locator('[data-key="hold"]')).to_be_focused()
    page.keyboard.press("Escape")
    expect(_unit(page, "S4")).to_be_focused()
    _tab_to(page, f"document.activeElement.textContent === {SAVE[language]!r}")
    page.keyboard.press("Enter")
    expect(page.locator(".notice.good")).to_contain_text(SAVED[language])
    assert _sheet(site, made) == WHOLE


def _choose(page: Page, unit: str) -> None:
    _reach(page, unit)
    page.keyboard.press("Enter")
    expect(_unit(page, unit)).to_have_attribute("aria-pressed", "true")
    expect(page.locator('[data-key="hold"]')).to_be_visible()


def _tab_to(page: Page, there: str) -> None:
    for _ in range(80):
        if page.evaluate(there):
            return
        page.keyboard.press("Tab")
    raise AssertionError(there)


def _reach(page: Page, name: str) -> None:
    """Arrow keys, each the one that leads nearer on the board, until the unit or the cell has the focus."""
    for _ in range(40):
        found = page.evaluate(
            """name => {
              const at = one => { const m = one.transform.baseVal.consolidate().matrix; return [m.e, m.f] };
              const goal = document.querySelector(`.plan-mark[data-mark="${name}"], .board [data-unit="${name}"]`);
              const here = document.activeElement;
              if (goal === here) return [];
              const [dx, dy] = [0, 1].map(i => at(goal)[i] - at(here)[i]);
              const across = [Math.abs(dx), dx > 0 ? 'ArrowRight' : 'ArrowLeft'];
              const down = [Math.abs(dy), dy > 0 ? 'ArrowDown' : 'ArrowUp'];
              return [across, down].sort((a, b) => b[0] - a[0]).map(([, key]) => key);
            }""",
            name,
        )
        if not found:
            assert page.evaluate("document.activeElement.matches(':focus-visible')")
            return
        for key in found:
            before = page.evaluate_handle("document.activeElement")
            page.keyboard.press(key)
            if page.evaluate("before => before !== document.activeElement", before):
                break
    raise AssertionError(name)


def test_a_target_tells_its_odds_to_pointer_and_focus(opened: Opened, site: Site) -> None:
    page, _ = _begin(opened, site)
    _unit(page, "S2").click()
    expect(page.locator('[data-key="shoot N2"]')).to_be_visible()
    _unit(page, "N2").hover()
    says = page.locator("[data-plan-says]")
    expect(says).to_have_attribute("role", "status")
    expect(says).to_contain_text("3 dice: 3+ takes cohesion, 6+ strength too. On average 2 cohesion and 0.5 strength")
    expect(page.locator('.plan-line.sight[data-line="F5-F3"]')).to_have_count(1)
    _cell(page, "G5").click()
    _unit(page, "N2").focus()
    page.keyboard.press("ArrowUp")
    expect(says).to_contain_text("HM F2 is out of sight; in the way: XS F3.")
    page.keyboard.press("ArrowDown")
    expect(says).to_contain_text("2 dice: 3+ takes cohesion, 6+ strength too. On average 1.33 cohesion")


def test_what_else_changes_the_form_is_drawn_too(opened: Opened, site: Site) -> None:
    page, _ = _begin(opened, site)
    card = page.locator('[data-card="S1"]')
    card.locator('select[data-part="move"]').select_option("A4-A5")
    expect(page.locator('.plan-line.move[data-line="B4-A4-A5"]')).to_have_count(1)
    expect(page.locator(".plan-path")).to_contain_text("A5")
    _cell(page, "A5").click()
    expect(page.locator('.plan-line.move[data-line="B4-A4"]')).to_have_count(1)
    _cell(page, "A4").click()
    assert card.locator('select[data-part="move"]').input_value() == ""
    expect(page.locator(".plan-line.move")).to_have_count(0)
    _unit(page, "S4").click()
    assert card.get_attribute("open") is None
    page.locator('[data-card="S2"] > summary').click()
    expect(_unit(page, "S2")).to_have_attribute("aria-pressed", "true")


def test_the_board_grows_until_a_finger_hits_a_cell(opened: Opened, site: Site) -> None:
    page, _ = _begin(opened, site, width=390, touch=True)
    # One's own are ringed by a line: not every browser casts a light around a part of a picture.
    expect(_unit(page, "S4").locator("> use").first).to_have_css("stroke", "rgb(47, 108, 179)")
    _unit(page, "S4").tap()
    assert page.evaluate("(f => f.scrollWidth - f.clientWidth)(document.querySelector('.board-scroll'))") <= 0, (
        "all of it fits"
    )
    page.locator('[data-near="1"]').tap()
    box = _cell(page, "A6").locator("use").bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 44
    for button in page.locator("#plan button:visible").all():
        size = button.bounding_box()
        assert size is not None
        assert size["height"] >= 44


def test_a_server_that_does_not_answer_leaves_the_form(opened: Opened, site: Site) -> None:
    page, made = _begin(opened, site, width=390)
    page.route("**/unit/*", lambda route: route.abort())
    page.reload()
    _unit(page, "S1").click()
    expect(page.locator("[data-plan-says]")).to_contain_text("The form beside the board works all the same.")
    page.locator('[data-card="S1"] [data-part="hold"]').check()
    _save(page, "en")
    assert _sheet(site, made) == {"S1": {}}
    page.unroute("**/unit/*")
    _unit(page, "S1").click()
    expect(_cell(page, "A5")).to_have_count(1)


@pytest.mark.parametrize(("language", "width", "scheme"), [("en", 1280, "light"), ("ru", 390, "dark")])
def test_axe_finds_nothing_serious_while_planning(
    opened: Opened, site: Site, language: str, width: int, scheme: str
) -> None:
    page, _ = _begin(opened, site, language=language, width=width, scheme=scheme)
    for unit, cell in (("S1", "A5"), ("S3", "D7")):
        _unit(page, unit).click()
        _cell(page, cell).click()
    assert eyes.faults(page) == []
