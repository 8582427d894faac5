"""What a person needs who has never seen the page: odds without a mouse, a word where a tap leads nowhere, a board that
works in a tunnel, a focus that is never lost."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from app.referee import battles, orders, scenarios
from app.referee.keys import viewer_by_key
from app.referee.views import NewBattle
from tests.browser import eventful
from tests.browser.conftest import Opened, Site
from tests.browser.test_field import FIELD

pytestmark = pytest.mark.browser
READERS = pytest.mark.parametrize(("language", "width"), [("en", 1280), ("ru", 390)])
ODDS = {"en": "On average 2 cohesion and 0.5 strength", "ru": "В среднем собранности 2, силы 0,5"}
FAR = {"en": "{unit} cannot get to {cell} now.", "ru": "{unit}: сейчас до {cell} не дойти."}
CODE = {"en": "LM D6", "ru": "Л.М D6"}
SAVED = {"en": "Saved", "ru": "Сохранено"}
KEYS = {"en": "Backspace", "ru": "Backspace"}
SEVEN = "\n".join(f"  T{i}: {{type: LM, contingent: south, at: {cell}}}" for i, cell in enumerate(("C7", "E7", "F7", "G7")))


def _begin(opened: Opened, site: Site, scenario: str = FIELD, **how: Any) -> tuple[Page, NewBattle]:
    db = site.app.state.house.db
    made = battles.create(db, scenario=scenarios.read_file(scenario), now=datetime.now(UTC))
    page = opened(**how)
    page.goto(f"/k/{made.seat_keys['south']}")
    return page, made


def _sheet(site: Site, made: NewBattle) -> dict[str, Any]:
    db = site.app.state.house.db
    saved: Any = orders.sheet(db, made.id, "south", viewer_by_key(db, made.seat_keys["south"])).orders or {}
    saved = saved.get("orders", saved)
    return {unit: {part: what for part, what in order.items() if what} for unit, order in saved.items()}


def _at(page: Page, cell: str) -> tuple[float, float]:
    box = page.locator(f'.board use[data-cell="{cell}"]').bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _press(page: Page, width: int, place: str) -> None:
    at = page.locator(place)
    at.tap() if width < 600 else at.click()


def _unit(unit: str) -> str:
    return f'.board [data-unit="{unit}"]'


@READERS
def test_the_odds_stand_beside_each_target(opened: Opened, site: Site, language: str, width: int) -> None:
    """A finger rests on nothing: what a mouse is told on its way stands there to be read."""
    page, _ = _begin(opened, site, language=language, width=width, touch=width < 600)
    _press(page, width, _unit("S2"))
    target = page.locator(".plan-targets li", has=page.locator('[data-key="shoot N2"]'))
    expect(target.locator(".plan-odds")).to_contain_text(ODDS[language])
    _press(page, width, '[data-key="shoot N2"]')
    expect(page.locator("[data-plan-says]")).to_contain_text(ODDS[language])


@READERS
def test_a_cell_out_of_reach_is_told_and_the_unit_stays_chosen(
    opened: Opened, site: Site, language: str, width: int
) -> None:
    page, made = _begin(opened, site, language=language, width=width, touch=width < 600)
    _press(page, width, _unit("S3"))
    expect(page.locator('.plan-mark[data-mark="D5"]')).to_be_visible()
    x, y = _at(page, "E3")
    page.touchscreen.tap(x, y) if width < 600 else page.mouse.click(x, y)
    expect(page.locator("[data-plan-says]")).to_have_text(FAR[language].format(unit=CODE[language], cell="E3"))
    expect(page.locator(_unit("S3"))).to_have_attribute("aria-pressed", "true")
    _press(page, width, '[data-key="leave"]')
    expect(page.locator(_unit("S3"))).to_have_attribute("aria-pressed", "false")
    expect(page.locator("[data-plan-says]")).to_have_text("")
    assert _sheet(site, made) == {}


@READERS
def test_the_board_works_without_a_connection(opened: Opened, site: Site, language: str, width: int) -> None:
    """What each unit may do has come before it is asked for; the order goes out when the connection is back."""
    page, made = _begin(opened, site, language=language, width=width, touch=width < 600)
    expect(page.locator("#plan")).to_have_attribute("data-known", "4")
    page.context.set_offline(True)
    _press(page, width, _unit("S3"))
    _press(page, width, '.plan-mark[data-mark="D5"]')
    expect(page.locator("[data-plan-saved]")).to_contain_text(CODE[language])
    expect(page.locator("[data-plan-saved]")).to_have_class("plan-saved bad")
    page.context.set_offline(False)
    expect(page.locator("[data-plan-saved]")).to_contain_text(SAVED[language])
    assert _sheet(site, made) == {"S3": {"move": ["D5"]}}


@pytest.mark.parametrize("language", ["en", "ru"])
def test_escape_on_a_marked_cell_leads_back_to_the_unit(opened: Opened, site: Site, language: str) -> None:
    page, _ = _begin(opened, site, language=language)
    page.locator(_unit("S3")).focus()
    page.keyboard.press("Enter")
    cell = page.locator('.plan-mark[data-mark="D5"]')
    expect(cell).to_be_visible()
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.mark"), "the arrow leads to a cell"
    page.keyboard.press("Escape")
    expect(page.locator(_unit("S3"))).to_be_focused()


@pytest.mark.parametrize("language", ["en", "ru"])
def test_keys_are_told_only_where_there_are_any(opened: Opened, site: Site, language: str) -> None:
    phone, _ = _begin(opened, site, language=language, width=390, touch=True)
    expect(phone.locator("[data-plan-hint]")).to_be_visible()
    expect(phone.locator("[data-plan-hint] .keys")).to_be_hidden()
    desktop, _ = _begin(opened, site, language=language)
    desktop.locator('[data-key="leave"]').click()
    expect(desktop.locator("[data-plan-hint] .keys")).to_contain_text(KEYS[language])


@pytest.mark.parametrize("language", ["en", "ru"])
def test_seven_units_are_ordered_by_a_newcomer_s_taps(opened: Opened, site: Site, language: str) -> None:
    """Two taps for a unit and nothing else: no form, no button, no zoom, no saving; well under five minutes."""
    page, made = _begin(opened, site, FIELD + SEVEN + "\n", language=language, width=390, touch=True)
    wanted = {"S1": "A5", "S3": "D5", "S4": "A6", "T0": "B6", "T1": "E6", "T2": "F6", "T3": "G6"}
    page.locator("#plan").scroll_into_view_if_needed()
    for taps, (unit, cell) in enumerate(wanted.items(), start=1):
        page.locator(_unit(unit)).tap()
        page.locator(f'.plan-mark[data-mark="{cell}"]').tap()
        expect(page.locator(".plan-line.move")).to_have_count(taps)
    expect(page.locator("[data-plan-saved]")).to_contain_text(SAVED[language])
    expect(page.locator("[data-plan-saved]")).to_have_class("plan-saved good")
    assert {unit: order["move"][-1] for unit, order in _sheet(site, made).items()} == wanted


@READERS
def test_a_unit_s_story_leads_to_its_moment(opened: Opened, site: Site, language: str, width: int) -> None:
    made = eventful.played(site.app.state.house.db)
    page = opened(language=language, width=width)
    page.goto(f"/b/{made.id}/unit/N5")
    page.locator(".unit-story a").first.click()
    page.locator("#player").wait_for()
    expect(page.locator(".entry.showing")).to_have_count(1)
    expect(page.locator("[data-moment]")).to_contain_text("N5")
    expect(page.locator("[data-only]")).to_have_value("N5")


@READERS
def test_a_field_is_heard_as_a_list(opened: Opened, site: Site, language: str, width: int) -> None:
    """On every page that has a board, not alone where orders are given; the film as well as what it began with."""
    made = eventful.played(site.app.state.house.db)
    page = opened(language=language, width=width)
    for address, standing in (("", 9), ("/t/1", 9), ("/film", 10)):
        page.goto(f"/b/{made.id}{address}")
        if address:
            page.locator("#player").wait_for()
        units = page.locator(".board-paper").first.get_by_role("list").get_by_role("listitem")
        expect(units).to_have_count(standing)
        heard = page.locator(".board-paper").first.aria_snapshot()
        assert "N5" in heard, address
        assert "listitem" in heard, address
    page.locator('[data-do="on"]').click()
    expect(page.locator(".board-paper").first.get_by_role("listitem")).to_have_count(10)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_panel_hides_nothing_of_the_board_where_there_is_room(opened: Opened, site: Site, language: str) -> None:
    page, _ = _begin(opened, site, language=language)
    page.locator(_unit("S2")).click()
    expect(page.locator(".plan-odds").first).to_be_visible()
    board, panel = page.locator(".board-paper").bounding_box(), page.locator("#plan").bounding_box()
    assert board is not None
    assert panel is not None
    assert panel["x"] >= board["x"] + board["width"]
    assert panel["y"] + panel["height"] <= 900, "seen without scrolling"
    page.set_viewport_size({"width": 700, "height": 900})
    panel, board = page.locator("#plan").bounding_box(), page.locator(".board-paper").bounding_box()
    assert panel is not None
    assert board is not None
    assert panel["x"] < board["x"] + board["width"]


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_first_screen_of_a_phone_shows_the_board(opened: Opened, site: Site, language: str) -> None:
    page, _ = _begin(opened, site, language=language, width=390, touch=True)
    tools = page.locator(".plan-tools")
    expect(tools).to_be_in_viewport(ratio=1)
    board, panel = page.locator(".board-paper").bounding_box(), page.locator("#plan").bounding_box()
    assert board is not None
    assert panel is not None
    assert panel["y"] - board["y"] >= 180, "no scrolling to see what it is about"
    assert panel["height"] <= 844 / 4
    sizes = [one.bounding_box() for one in page.locator(".plan-tools button, .board-tools button").all()]
    assert all(size and min(size["width"], size["height"]) >= 44 for size in sizes)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_going_from_unit_to_unit_moves_neither_page_nor_buttons(opened: Opened, site: Site, language: str) -> None:
    page, _ = _begin(opened, site, language=language, width=390, touch=True)
    _press(page, 390, _unit("S3"))
    expect(page.locator(".plan-mark").first).to_be_visible()

    def places() -> tuple[int, int]:
        box = page.locator('[data-next="1"]').bounding_box()
        assert box is not None
        return page.evaluate("scrollY"), round(box["y"] / 4)

    before = places()
    for unit in ("S4", "S1", "S2", "S3"):
        _press(page, 390, '[data-next="1"]')
        expect(page.locator(_unit(unit))).to_have_attribute("aria-pressed", "true")
        expect(page.locator("#plan .plan-row")).to_be_visible()
        assert places() == before


@pytest.mark.parametrize("language", ["en", "ru"])
def test_what_is_drawn_anew_stays_under_the_finger(opened: Opened, site: Site, language: str) -> None:
    """What comes from the server meanwhile does not take away the cell or the button that is being pressed."""
    page, made = _begin(opened, site, language=language)
    page.locator(_unit("S3")).click()
    for place in ('.plan-mark[data-mark="D5"]', '[data-key="hold"]'):
        page.locator(place).hover()
        pressed = page.locator(place).element_handle()
        assert pressed is not None
        page.mouse.down()
        page.evaluate("document.querySelector('.board').dispatchEvent(new CustomEvent('fieldpost:warned'))")
        assert pressed.evaluate("one => one.isConnected")
        page.mouse.up()
    expect(page.locator("[data-plan-saved]")).to_contain_text(SAVED[language])
    expect(page.locator('[data-key="hold"]')).to_have_attribute("aria-pressed", "true")
    assert _sheet(site, made) == {"S3": {}}


@READERS
def test_who_has_ordered_all_his_units_is_asked_whether_he_is_ready(
    opened: Opened, site: Site, language: str, width: int
) -> None:
    page, _ = _begin(opened, site, language=language, width=width, touch=width < 600)
    ready = page.locator("[data-plan-ready]")
    for unit in ("S1", "S2", "S3", "S4"):
        expect(ready).to_be_hidden()
        _press(page, width, _unit(unit))
        _press(page, width, '[data-key="hold"]')
    _press(page, width, '[data-key="leave"]')
    _press(page, width, "[data-plan-ready]")
    expect(page.locator("[data-state] .mark.ready")).to_be_attached()
    expect(ready).to_be_hidden()
    expect(page.locator("[data-plan-saved]")).to_contain_text({"en": "You are ready.", "ru": "Вы готовы."}[language])


@pytest.mark.parametrize("language", ["en", "ru"])
def test_one_tab_leads_from_the_board_to_a_unit(opened: Opened, site: Site, language: str) -> None:
    page, _ = _begin(opened, site, language=language)
    page.locator(".board-scroll").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.unit")


def test_a_finger_hits_whatever_may_be_tapped(opened: Opened, site: Site) -> None:
    """A button is 44 px high, a link in a text as high as lets its neighbours be hit, too."""
    made = eventful.played(site.app.state.house.db)
    page = opened(width=390, touch=True)
    page.goto(f"/k/{made.seat_keys['south']}")
    low = """() => [...document.querySelectorAll("main :is(button, summary, select, a)")]
      .filter((one) => one.checkVisibility() && !one.closest(".board") && one.getBoundingClientRect().width)
      .filter((one) => one.getBoundingClientRect().height < (one.localName === "a" ? 28 : 40))
      .map((one) => `${one.localName} ${one.className} ${one.textContent.trim()}`)"""
    for address in ("", "/t/1", "/film", "/seat/south"):
        page.goto(f"/b/{made.id}{address}")
        if address in ("/t/1", "/film"):
            page.locator("#player").wait_for()
        assert page.evaluate(low) == [], address


@READERS
def test_a_unit_that_is_named_at_a_glance_is_chosen_on_the_board(
    opened: Opened, site: Site, language: str, width: int
) -> None:
    page, _ = _begin(opened, site, language=language, width=width, touch=width < 600)
    _press(page, width, '[data-finding="no-order"] a[href="#unit-S3"]')
    expect(page.locator(_unit("S3"))).to_have_attribute("aria-pressed", "true")
    expect(page.locator(_unit("S3"))).to_be_focused()
    expect(page.locator(_unit("S3"))).to_be_in_viewport()
    expect(page.locator('.plan-mark[data-mark="D5"]')).to_be_visible()


@READERS
def test_nothing_moves_when_the_scripts_arrive(opened: Opened, site: Site, language: str, width: int) -> None:
    """On a slow line the board is there first, and somebody is about to tap it."""
    page, _ = _begin(opened, site, language=language, width=width, touch=width < 600)
    held: list[Route] = []
    holds = [True]
    page.route("**/*.js*", lambda route: held.append(route) if holds else route.continue_())
    page.reload(wait_until="commit")
    page.locator("footer").wait_for()
    # Nothing is painted before its style sheets are there, but it can be measured.
    page.evaluate("new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))")
    places = "() => ['.board-scroll', '#side-plan'].map((one) => document.querySelector(one).getBoundingClientRect().y)"
    board, plan = page.evaluate(places)
    holds.clear()
    for route in held:
        route.continue_()
    expect(page.locator("#plan")).to_be_visible()
    expect(page.locator(".board-view.zooms")).to_be_visible()
    now, below = page.evaluate(places)
    assert now == board
    assert width < 600 or below == plan, "what stands beside the board"


@READERS
def test_the_numbers_of_a_path_stand_on_its_line(opened: Opened, site: Site, language: str, width: int) -> None:
    page, _ = _begin(opened, site, language=language, width=width, touch=width < 600)
    _press(page, width, _unit("S3"))
    _press(page, width, '.plan-mark[data-mark="D5"]')
    number = page.locator('.plan-mark[data-mark="D5"] .number')
    expect(number).to_have_text("1")
    expect(page.locator(".plan-line.move.strong")).to_have_count(1)
    # In one look: what is drawn anew meanwhile is another element.
    assert page.evaluate("""() => {
      const line = document.querySelector(".plan-line.move.strong");
      const number = document.querySelector('.plan-mark[data-mark="D5"] .number');
      return Boolean(line.compareDocumentPosition(number) & Node.DOCUMENT_POSITION_FOLLOWING);
    }""")
    _press(page, width, _unit("S4"))
    expect(page.locator(".plan-line.move.strong")).to_have_count(0)
    expect(page.locator(".plan-line.move")).to_have_count(1)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_double_click_orders_once(opened: Opened, site: Site, language: str) -> None:
    page, made = _begin(opened, site, language=language)
    page.locator(_unit("S3")).dblclick()
    page.locator('.plan-mark[data-mark="D5"]').dblclick()
    expect(page.locator("[data-plan-saved]")).to_have_class("plan-saved good")
    assert _sheet(site, made) == {"S3": {"move": ["D5"]}}
