"""A page that is open at one of several servers, when that one dies and comes back."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from app.referee import battles, scenarios
from app.store.db import Database
from tests.browser.conftest import LOCALES
from tests.servers import Instance, running

pytestmark = pytest.mark.browser


def test_a_page_is_told_of_what_was_done_through_another_server_even_after_its_own_was_killed(
    chromium: Browser, postgres_db: Database, tmp_path: Path
) -> None:
    battle = battles.create(postgres_db, scenario=scenarios.frozen("first-skirmish"), now=datetime.now(UTC), early=False)
    url = postgres_db.engine.url.render_as_string(hide_password=False)
    here, there = (Instance(url, tmp_path / name) for name in ("here", "there"))

    def enter(seat: str, revision: int) -> None:
        body = {"turn": 1, "revision": revision, "orders": {}}
        there.api("PUT", f"/battles/{battle.id}/seats/{seat}/sheet", battle.seat_keys[seat], body)

    with running(here, there):
        context = chromium.new_context(locale=LOCALES["en"])
        try:
            page = context.new_page()
            page.set_default_timeout(30_000)
            page.goto(f"{here.address}/b/{battle.id}")
            entered = page.locator(".seats .mark.entered")
            enter("north", 0)
            expect(entered).to_have_count(1, timeout=30_000)
            here.kill()
            enter("south", 0)
            page.wait_for_timeout(1500)
            expect(entered).to_have_count(1)
            here.start()
            expect(entered).to_have_count(2, timeout=60_000)
        finally:
            context.close()
