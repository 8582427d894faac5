"""What browsers of some years ago lack, and any browser on a page without TLS, or allows so often only."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from playwright.sync_api import Locator, expect

from app.referee import battles, orders, plans, scenarios
from app.referee.keys import viewer_by_key
from tests.browser import eventful
from tests.browser.conftest import Opened, Site

pytestmark = pytest.mark.browser
LACKING = """
delete Navigator.prototype.clipboard;
window.FormData = class extends FormData { constructor(form) { super(form); } };
"""
ONCE_TOO_OFTEN = "history.replaceState = () => { throw new DOMException('so often only', 'SecurityError'); };"


def _old_tap(at: Locator, *, count: int) -> None:
    """The click that follows does not say that a finger made it."""
    at.evaluate(
        """(at, detail) => {
            at.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, pointerType: "touch" }));
            at.dispatchEvent(new MouseEvent("click", { bubbles: true, detail }));
        }""",
        count,
    )


def test_a_seat_is_played_on_an_older_phone(opened: Opened, site: Site) -> None:
    db, now = site.app.state.house.db, datetime.now(UTC)
    made = battles.create(db, scenario=scenarios.read_file(eventful.SCENARIO), now=now)
    south = viewer_by_key(db, made.seat_keys["south"])
    orders.enter(
        db, made.id, "south", south, turn=1, revision=0, fields={"S3": {"move": ["L7"]}}, ready=False, now=datetime.now(UTC)
    )
    plans.draw(db, made.id, "south", south, turn=1, kind="note", cells=("E5",), text="wait here", now=datetime.now(UTC))
    page = opened(width=390, touch=True)
    page.add_init_script(LACKING)
    page.goto(f"/k/{made.seat_keys['south']}")
    # Copied without the clipboard of a page with TLS.
    page.evaluate("document.addEventListener('copy', () => { window.copied = getSelection().toString(); })")
    page.locator("[data-state] #receipt > summary").click()
    copy = page.locator("[data-digest] + button")
    copy.click()
    expect(copy).to_have_text("Copied")
    assert page.evaluate("window.copied") == page.locator("[data-digest]").inner_text()
    expect(copy).to_be_focused()
    # The button that was pressed says which drawing goes.
    page.locator("[data-erase] button:visible").click()
    expect(page.locator(".side-drawings li")).to_have_count(0)
    # Two quick taps on one cell are two choices: there, and a step back.
    page.locator('.board [data-unit="S2"]').tap()
    mark = page.locator('.plan-mark[data-mark="G6"]')
    _old_tap(mark, count=1)
    expect(page.locator('.plan-line.move[data-line="G7-G6"]')).to_have_count(1)
    _old_tap(mark, count=2)
    expect(page.locator('.plan-line.move[data-line="G7-G6"]')).to_have_count(0)


def test_a_film_goes_on_where_the_address_may_not_be_changed_so_often(opened: Opened, site: Site) -> None:
    battle = eventful.played(site.app.state.house.db)
    page = opened()
    page.add_init_script(ONCE_TOO_OFTEN)
    page.goto(f"/b/{battle.id}/t/1#melee-1")
    expect(page.locator("#player")).to_be_visible()
    page.locator("[data-only]").select_option("S1")
    expect(page.locator("[data-filter-name]")).to_contain_text("S1")
    page.get_by_role("button", name="One moment on").click()
    expect(page.locator("[data-here]")).to_have_attribute("href", "?unit=S1#melee-2")
    page.evaluate("delete history.replaceState")
    page.get_by_role("button", name="One moment on").click()
    expect(page.locator("[data-here]")).to_have_attribute("href", "?unit=S1#melee-3")
    assert page.url.endswith("/t/1?unit=S1#melee-3")
