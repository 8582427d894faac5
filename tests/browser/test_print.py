"""On paper: the board, the orders and what happened; nothing that only leads elsewhere, nothing that nobody can open."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser import eventful
from tests.browser.conftest import Opened, Site

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_paper_holds_what_can_be_read_on_it(opened: Opened, site: Site, language: str, scheme: str) -> None:
    made = eventful.played(site.app.state.house.db)
    page = opened(language=language, width=794, scheme=scheme)
    page.goto(f"/k/{made.seat_keys['south']}")
    for address, shown in (
        (f"/b/{made.id}", ".seats"),
        (f"/b/{made.id}/t/1", ".report .entry"),
        (f"/b/{made.id}/seat/south", ".unit-card .says"),
    ):
        page.emulate_media(media="screen")
        page.goto(address)
        page.emulate_media(media="print")
        expect(page.locator(shown).first).to_be_visible()
        board = page.locator(".board-paper").first.bounding_box()
        assert board is not None
        assert 450 < board["width"] <= 18 / 2.54 * 96 + 1
        for gone in (
            ".mast nav",
            ".talk-links",
            ".seat-ways",
            ".plan",
            ".board-tools",
            ".player",
            "button",
            ".why:not([open])",
        ):
            assert page.locator(gone).filter(visible=True).count() == 0, (address, gone)
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, "nothing runs off the sheet"
