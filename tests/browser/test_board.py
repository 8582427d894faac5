"""The board itself, as people handle it: nearer and farther, paths drawn on it, cards of its units."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from app.referee import battles, orders, scenarios, turns
from app.referee.keys import viewer_by_key
from app.referee.views import NewBattle
from tests.browser import eyes
from tests.browser.conftest import Opened, Site
from tests.browser.test_field import FIELD

pytestmark = pytest.mark.browser
READERS = [("en", 1280), ("ru", 390)]
GREAT = """\
format: 1
ruleset: cohesion
key: great
title: {en: Great, ru: Большое}
goal: 3
board:
  layout: pointy
  map: |
MAP
  legend: {".": open}
sides:
  north: {name: {en: North, ru: Север}, home: top}
  south: {name: {en: South, ru: Юг}, home: bottom}
contingents:
  north: {side: north, name: {en: North, ru: Север}}
  south: {side: south, name: {en: South, ru: Юг}}
units:
  one: {type: WS, contingent: north, at: T19}
  two: {type: LM, contingent: south, at: U22}
"""


def _great() -> str:
    rows = ["    " + " " * (row % 2) + " ".join("." * 40) for row in range(40)]
    return GREAT.replace("MAP", "\n".join(rows))


def _made(site: Site, text: str = FIELD) -> NewBattle:
    return battles.create(site.app.state.house.db, scenario=scenarios.read_file(text), now=datetime.now(UTC))


def _board(page: Page, made: NewBattle) -> None:
    page.goto(f"/b/{made.id}")
    expect(page.locator(".board-view.zooms .board-scroll[aria-describedby]")).to_be_visible()  # both scripts are there


def _near(page: Page) -> float:
    """How wide a cell is, in px."""
    return float(page.evaluate("document.querySelector('.board use[data-cell]').getBoundingClientRect().width"))


def _until(page: Page, there: str) -> None:
    """A wheel's turn arrives when the browser gets to it."""
    for _ in range(100):
        if page.evaluate(there):
            return
        page.wait_for_timeout(20)
    raise AssertionError(there)


def _comes_nearer(page: Page, whole: float) -> None:
    wide = "document.querySelector('.board use[data-cell]').getBoundingClientRect().width"
    _until(page, f"{wide} > {whole * 1.3}")


def _middle(page: Page, what: str) -> tuple[float, float]:
    box = page.locator(what).first.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _cell(page: Page, cell: str) -> tuple[float, float]:
    return _middle(page, f'.board use[data-cell="{cell}"]')


def _line(page: Page, line: str) -> None:
    expect(page.locator(f'.plan-line.move[data-line="{line}"]')).to_have_count(1)


def _order(page: Page, unit: str) -> str:
    """What the form says of a unit's move."""
    card = page.locator(f'[data-card="{unit}"]')
    return card.locator('[data-part="path"]').input_value() or card.locator('[data-part="move"]').input_value()


def _touch(client: CDPSession, kind: str, *points: tuple[float, float]) -> None:
    client.send(
        "Input.dispatchTouchEvent",
        {"type": kind, "touchPoints": [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]},
    )


@pytest.mark.parametrize(("language", "width"), READERS)
def test_buttons_and_keys_bring_the_board_nearer_and_back(opened: Opened, site: Site, language: str, width: int) -> None:
    page = opened(language=language, width=width)
    _board(page, _made(site))
    whole = _near(page)
    assert page.locator(".board-view.whole").count() == 1
    page.locator('[data-near="1"]').click()
    assert _near(page) > whole * 1.4
    page.keyboard.press("-")
    assert _near(page) == pytest.approx(whole, rel=0.01)
    page.locator(".board-scroll").focus()
    page.keyboard.press("+")
    page.keyboard.press("+")
    assert _near(page) > whole * 1.9
    page.keyboard.press("0")
    assert _near(page) == pytest.approx(whole, rel=0.01)
    assert page.locator('[data-near="-1"]').is_disabled()


def test_the_wheel_is_the_pages_until_the_board_is_in_use(opened: Opened, site: Site) -> None:
    page = opened()
    _board(page, _made(site))
    whole = _near(page)
    page.mouse.move(*_cell(page, "D2"))
    page.mouse.wheel(0, 240)
    _until(page, "scrollY > 0")
    assert _near(page) == pytest.approx(whole, rel=0.01)
    page.mouse.wheel(0, -240)
    _until(page, "scrollY === 0")
    page.mouse.move(*_cell(page, "D2"))
    page.keyboard.down("Control")
    page.mouse.wheel(0, -300)
    page.keyboard.up("Control")
    _comes_nearer(page, whole)
    page.keyboard.press("Control+0")
    page.locator(".board-scroll").focus()
    page.keyboard.press("0")
    page.mouse.wheel(0, -300)
    _comes_nearer(page, whole)


def test_the_wheel_keeps_what_lies_under_the_pointer(opened: Opened, site: Site) -> None:
    page = opened()
    _board(page, _made(site))
    whole = _near(page)
    before = _cell(page, "D4")
    page.mouse.move(*before)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -300)
    page.keyboard.up("Control")
    _comes_nearer(page, whole)
    assert _cell(page, "D4") == pytest.approx(before, abs=4)


def test_two_fingers_bring_the_board_nearer(opened: Opened, site: Site) -> None:
    page = opened(width=390, touch=True)
    _board(page, _made(site))
    page.locator(".board-scroll").scroll_into_view_if_needed()
    whole = _near(page)
    client = page.context.new_cdp_session(page)
    x, y = _cell(page, "D4")
    _touch(client, "touchStart", (x - 20, y), (x + 20, y))
    for far in (30, 40, 50, 60):
        _touch(client, "touchMove", (x - far, y), (x + far, y))
    _touch(client, "touchEnd")
    assert _near(page) == pytest.approx(whole * 3, rel=0.1)
    assert _cell(page, "D4") == pytest.approx((x, y), abs=6)
    # As Safari tells of two fingers on the pad of a Mac.
    page.locator(".board-scroll").evaluate(
        """(frame, [clientX, clientY]) => {
            for (const [kind, scale] of [["gesturestart", 1], ["gesturechange", 0.5]]) {
                frame.dispatchEvent(Object.assign(new Event(kind), { clientX, clientY, scale }));
            }
        }""",
        [x, y],
    )
    assert _near(page) == pytest.approx(whole * 1.5, rel=0.1)


def test_two_taps_bring_the_ground_nearer(opened: Opened, site: Site) -> None:
    page = opened(width=390, touch=True)
    _board(page, _made(site))
    whole = _near(page)
    page.locator('.board use[data-cell="D5"]').tap()
    page.locator('.board use[data-cell="D5"]').tap()
    assert _near(page) > whole * 1.5


def test_the_mouse_drags_the_board_and_a_drag_is_no_click(opened: Opened, site: Site) -> None:
    page = opened()
    page.goto(f"/k/{_made(site).seat_keys['south']}")
    page.locator('.board [data-unit="S3"]').click()
    expect(page.locator(".plan-mark").first).to_be_visible()
    for _ in range(2):
        page.locator('[data-near="1"]').click()
    page.locator(".board-scroll").scroll_into_view_if_needed()
    before = page.evaluate("document.querySelector('.board-scroll').scrollTop")
    box = page.locator(".board-scroll").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] - 60, box["y"] + 60
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 90, y + 80, steps=5)
    page.mouse.up()
    assert page.evaluate("document.querySelector('.board-scroll').scrollTop") == pytest.approx(before - 80, abs=2)
    expect(page.locator('.board [data-unit="S3"]')).to_have_attribute("aria-pressed", "true")
    assert _order(page, "S3") == ""


def test_a_reload_keeps_the_place(opened: Opened, site: Site) -> None:
    page = opened()
    _board(page, _made(site, _great()))
    for _ in range(4):
        page.locator('[data-near="1"]').click()
    page.evaluate("document.querySelector('.board-scroll').scrollTo(900, 700)")
    page.wait_for_timeout(300)
    scrolled = "(f => [f.scrollLeft, f.scrollTop])(document.querySelector('.board-scroll'))"
    near, place = _near(page), page.evaluate(scrolled)
    page.reload()
    expect(page.locator(".board-view.zooms")).to_be_visible()
    assert _near(page) == pytest.approx(near, rel=0.01)
    assert page.evaluate(scrolled) == pytest.approx(place, abs=3)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_forty_by_forty_cells_are_handled_on_a_small_phone(opened: Opened, site: Site, language: str) -> None:
    page = opened(language=language, width=360, touch=True)
    _board(page, _made(site, _great()))
    fits = "(f => f.scrollWidth - f.clientWidth)(document.querySelector('.board-scroll'))"
    assert page.evaluate(fits) <= 0
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    expect(page.locator(".ruler.across span:visible").first).to_be_visible()  # the board's own letters would be dust
    page.locator('.board use[data-cell="T21"]').tap()
    assert _near(page) >= 40, "a tap on dust comes nearer"
    for kind, name in (("across", "T"), ("down", "21")):
        mark = page.locator(f".ruler.{kind} span", has_text=name).first
        seen, cell = mark.bounding_box(), _cell(page, "T21")
        assert seen is not None
        along = seen["x"] + seen["width"] / 2 if kind == "across" else seen["y"] + seen["height"] / 2
        assert along == pytest.approx(cell[0 if kind == "across" else 1], abs=3)
    page.locator('[data-near="1"]').tap()
    expect(page.locator(".cell-labels")).to_be_visible()


def test_without_a_script_the_board_scrolls(opened: Opened, site: Site) -> None:
    page = opened(width=390, script=False)
    page.goto(f"/b/{_made(site).id}")
    assert page.locator(".board-tools").is_hidden()
    box = page.locator(".board-paper").bounding_box()
    assert box is not None
    assert box["width"] > 600


def _planning(opened: Opened, site: Site, **how: Any) -> Page:
    page = opened(**how)
    page.goto(f"/k/{_made(site).seat_keys['south']}")
    expect(page.locator(".board.planning")).to_be_visible()
    return page


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_path_is_drawn_and_redrawn_by_the_mouse(opened: Opened, site: Site, language: str) -> None:
    page = _planning(opened, site, language=language)
    page.mouse.move(*_middle(page, '.board [data-unit="S2"]'))  # chosen by the drag itself
    page.mouse.down()
    page.mouse.move(*_cell(page, "G5"), steps=5)
    page.mouse.move(*_cell(page, "G6"), steps=5)
    page.mouse.up()
    _line(page, "F5-G5-G6")
    page.mouse.move(*_cell(page, "G6"))  # the end of the path: back over it, and on another way
    page.mouse.down()
    page.mouse.move(*_cell(page, "G5"), steps=5)
    page.mouse.move(*_cell(page, "G4"), steps=5)
    page.mouse.up()
    _line(page, "F5-G5-G4")
    assert _order(page, "S2") == "G5-G4"
    page.keyboard.press("Control+z")
    _line(page, "F5-G5-G6")
    page.locator("[data-revert]").click()
    expect(page.locator(".plan-line.move")).to_have_count(0)
    expect(page.locator("[data-revert]")).to_be_disabled()


def test_a_drag_that_is_broken_off_changes_nothing(opened: Opened, site: Site) -> None:
    page = _planning(opened, site)
    page.locator('.board [data-unit="S2"]').click()
    page.mouse.move(*_middle(page, '.board [data-unit="S2"]'))
    page.mouse.down()
    page.mouse.move(*_cell(page, "G5"), steps=5)
    _line(page, "F5-G5")
    page.locator('.board [data-unit="S2"]').focus()
    page.keyboard.press("Escape")
    page.mouse.up()
    expect(page.locator(".plan-line.move")).to_have_count(0)
    assert _order(page, "S2") == ""


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_path_is_drawn_and_redrawn_by_a_finger(opened: Opened, site: Site, language: str) -> None:
    page = _planning(opened, site, language=language, width=390, touch=True)
    page.locator('.board [data-unit="S2"]').tap()
    expect(page.locator(".plan-mark").first).to_be_visible()
    page.locator('[data-near="0"]').click(force=True)
    client = page.context.new_cdp_session(page)
    _draw(client, page, _middle(page, '.board [data-unit="S2"]'), "G5", "G6")
    _line(page, "F5-G5-G6")
    _draw(client, page, _cell(page, "G6"), "G5", "G4")
    _line(page, "F5-G5-G4")
    before = page.evaluate("[scrollY, document.querySelector('.board-scroll').scrollTop]")
    _draw(client, page, _cell(page, "G4"), "G5", "F5")
    assert _order(page, "S2") == ""
    assert page.evaluate("[scrollY, document.querySelector('.board-scroll').scrollTop]") == before


def test_a_finger_goes_on_drawing_when_the_mark_under_it_is_drawn_anew(opened: Opened, site: Site) -> None:
    page = _planning(opened, site, width=390, touch=True)
    page.locator('.board [data-unit="S2"]').tap()
    expect(page.locator(".plan-mark").first).to_be_visible()
    page.locator('[data-near="0"]').click(force=True)
    client = page.context.new_cdp_session(page)
    _draw(client, page, _middle(page, '.board [data-unit="S2"]'), "G5", "G6")
    _line(page, "F5-G5-G6")
    start, by, end = (_cell(page, cell) for cell in ("G6", "G5", "G4"))
    _touch(client, "touchStart", start)
    page.evaluate("document.querySelectorAll('[data-mark]').forEach(one => one.replaceWith(one.cloneNode(true)))")
    for at in (((start[0] + by[0]) / 2, (start[1] + by[1]) / 2), by, ((by[0] + end[0]) / 2, (by[1] + end[1]) / 2), end):
        _touch(client, "touchMove", at)
    _touch(client, "touchEnd")
    _line(page, "F5-G5-G4")


def _draw(client: CDPSession, page: Page, start: tuple[float, float], *cells: str) -> None:
    _touch(client, "touchStart", start)
    at = start
    for cell in cells:
        to = _cell(page, cell)
        for part in (0.3, 0.6, 1):
            _touch(client, "touchMove", (at[0] + (to[0] - at[0]) * part, at[1] + (to[1] - at[1]) * part))
        at = to
    _touch(client, "touchEnd")


def test_the_keyboard_takes_steps_back(opened: Opened, site: Site) -> None:
    page = _planning(opened, site)
    page.locator('.board [data-unit="S1"]').focus()
    page.keyboard.press("n")
    expect(page.locator('.board [data-unit="S2"]')).to_be_focused()
    expect(page.locator('.plan-mark[data-mark="G5"]')).to_have_count(1)
    for cell in ("G5", "G6"):
        page.locator(f'.plan-mark[data-mark="{cell}"]').focus()
        page.keyboard.press("Enter")
    _line(page, "F5-G5-G6")
    page.keyboard.press("Backspace")
    _line(page, "F5-G5")
    page.keyboard.press("Backspace")
    assert _order(page, "S2") == ""
    page.keyboard.press("Control+z")
    _line(page, "F5-G5")


def test_who_hears_the_field_hears_a_list_and_choices(opened: Opened, site: Site) -> None:
    page = _planning(opened, site)
    units = page.get_by_role("list").locator("[data-unit]")
    assert [unit.split(",")[0] for unit in units.evaluate_all("all => all.map(one => one.ariaLabel)")] == [
        "N3",
        "N1",
        "N2",
        "S1",
        "S2",
        "S3",
        "S4",
    ]
    page.locator('.board [data-unit="S3"]').click()
    expect(page.get_by_role("button", name="C4, steps: 2, rough ground, a move ends here")).to_have_count(1)
    expect(page.get_by_role("button", name="D7, steps: 1, it can withdraw to here")).to_have_count(1)


def _fought(site: Site) -> NewBattle:
    """A battle with a turn behind it, in which S2 has shot at N2."""
    made, db = _made(site), site.app.state.house.db
    now = datetime.now(UTC)
    south = viewer_by_key(db, made.seat_keys["south"])
    fields = {"S2": {"shoot": "N2", "move": ["G5"]}}
    orders.enter(db, made.id, "south", south, turn=1, revision=0, ready=False, fields=fields, now=now)
    turns.resolve_now(db, made.id, viewer_by_key(db, made.master_key), turn=1, now=now)
    return made


STORY = {"en": "shot at N2; moved: F5-G5", "ru": "стрельба по N2; движение: F5-G5"}
SHOOTS = {"en": "strength (now 3 dice); as far as 3 cells", "ru": "сила (сейчас 3 кубика); на 3 клетки"}


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_unit_tells_its_card_to_pointer_and_focus(opened: Opened, site: Site, language: str) -> None:
    made = _fought(site)
    page = opened(language=language)
    _board(page, made)
    unit = page.locator('.board [data-unit="S2"]')
    unit.hover()
    card = page.locator(".board-card")
    expect(card).to_contain_text(SHOOTS[language])
    expect(card).to_contain_text(STORY[language])
    page.mouse.move(5, 5)
    expect(card).to_have_count(0)
    page.locator(".board-scroll").focus()
    page.keyboard.press("Enter")
    for key in ("ArrowDown", "ArrowDown"):  # from the rear of the north over its front to the south
        page.keyboard.press(key)
    expect(unit).to_be_focused()
    expect(card).to_contain_text(STORY[language])
    page.keyboard.press("i")
    expect(page.get_by_role("dialog")).to_be_focused()
    assert eyes.faults(page) == []
    page.keyboard.press("Escape")
    expect(unit).to_be_focused()
    unit.click()
    card.locator(".unit-story a").click()
    expect(page).to_have_url(f"{site.address}/b/{made.id}/t/1?unit=S2#of-S2")


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_long_tap_tells_the_card(opened: Opened, site: Site, language: str) -> None:
    page = opened(language=language, width=390, touch=True)
    page.goto(f"/k/{_fought(site).seat_keys['south']}")
    expect(page.locator(".board.planning")).to_be_visible()
    unit = page.locator('.board [data-unit="S2"]')
    unit.scroll_into_view_if_needed()
    client = page.context.new_cdp_session(page)
    _touch(client, "touchStart", _middle(page, '.board [data-unit="S2"]'))
    expect(page.locator(".board-card.pinned")).to_contain_text(STORY[language])
    _touch(client, "touchEnd")
    expect(unit).to_have_attribute("aria-pressed", "false")  # a long tap chooses nothing
    page.locator(".board-card > button").tap()
    expect(page.locator(".board-card")).to_have_count(0)


def test_the_strider_tells_both_its_parts(opened: Opened, site: Site) -> None:
    page = opened()
    made = _made(site, _great())
    _board(page, made)
    unit = page.locator('.board [data-unit="one"]')
    assert unit.locator("text").all_text_contents().count("6") >= 2
    unit.hover()
    expect(page.locator(".board-card")).to_contain_text("upper 6 of 6, lower 6 of 6")
    page.goto(f"/b/{made.id}/unit/one")
    expect(page.locator("main")).to_contain_text("The strider has two strengths")


LETTERS = """() => {
  const box = (one) => one.getBoundingClientRect();
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  const badges = [...document.querySelectorAll(".badge")].map(box);
  const found = [];
  for (const text of document.querySelectorAll(".board .counters [data-unit] text")) {
    const [counter, seen] = [text.closest("[data-unit]"), box(text)];
    const body = box(counter.querySelector(":scope > use"));
    const tell = (what) => found.push(`${counter.dataset.unit} ${text.textContent}: ${what}`);
    if (parseFloat(getComputedStyle(text).fontSize) !== parseFloat(text.getAttribute("font-size"))) tell("another size");
    if (seen.left < body.left || seen.right > body.right) tell("beside its counter");
    if (badges.some((badge) => meet(seen, badge))) tell("under a badge");
  }
  return found;
}"""


@pytest.mark.parametrize(("language", "width"), READERS)
def test_a_counter_s_letters_stand_on_it_whole(opened: Opened, site: Site, language: str, width: int) -> None:
    """In the size that the picture gives them, whatever the page's own styles are; nothing lies over them."""
    made = battles.create(site.app.state.house.db, scenario=scenarios.frozen("visage-and-throne"), now=datetime.now(UTC))
    page = opened(language=language, width=width)
    for seat in ("north-centre", "south-centre"):
        page.goto(f"/k/{made.seat_keys[seat]}")
        expect(page.locator(".badge").first).to_be_attached()
        assert page.evaluate(LETTERS) == []
