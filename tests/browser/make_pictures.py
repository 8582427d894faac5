"""Makes the pictures of docs/pictures anew, from a battle that programs play: `make pictures`."""

from __future__ import annotations

import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright

from app.config import Settings
from app.engine.dice import SeededDice
from app.referee import battles, orders, scenarios
from app.referee.keys import viewer_by_key
from app.referee.views import PUBLIC, NewBattle
from app.store.db import Database
from app.web.app import create_app
from tests.browser import guide_pictures
from tests.browser.conftest import ARGUMENTS, LOCALES

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
SIZES = {"desktop": (1200, 860, 1), "phone": (390, 800, 1.5)}
"""Width and height of the window, and how many dots a point has."""
HOLDERS = {"north-left": "Тарик", "north-centre": "Maren", "south-centre": "Ольга", "south-left": "Ivo"}
SEAT = "south-centre"
TURNS = 4
QUALITY = 80


def played(db: Database) -> NewBattle:
    """Four turns are over, and of the fifth some have entered their orders."""
    now, chance = datetime.now(UTC), SeededDice(b"pictures")
    made = battles.create(
        db,
        scenario=scenarios.frozen("visage-and-throne"),
        now=now,
        turn_hours=72,
        deadline=now + timedelta(hours=72),
        zone="Europe/Moscow",
        seed="0f0e0d",
    )
    viewers = {seat: viewer_by_key(db, key) for seat, key in made.seat_keys.items()}
    for seat, name in HOLDERS.items():
        battles.name_holder(db, made.id, seat, viewers[seat], name, now)
    for turn in range(1, TURNS + 2):
        view = battles.battle(db, made.id, PUBLIC, now)
        for request in view.ruleset.requests(view.state):
            if turn > TURNS and request.seat not in ("north-left", SEAT):
                continue
            order = view.ruleset.choose(view.state, request, lambda n: chance.pick("pictures", n) if n > 1 else 0)
            fields = view.ruleset.dump_order(order)
            viewer = viewers[request.seat]
            orders.enter(
                db, made.id, request.seat, viewer, turn=turn, revision=0, fields=fields, ready=turn <= TURNS, now=now
            )
    return made


@contextmanager
def served() -> Iterator[tuple[str, Database, NewBattle]]:
    folder = Path(tempfile.mkdtemp())
    app = create_app(Settings(data=folder), upgrade=True)
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error", access_log=False))
    thread = threading.Thread(target=server.run, daemon=True)
    made = played(app.state.house.db)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    address = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    object.__setattr__(app.state.house, "settings", Settings(data=folder, base_url=address))
    try:
        yield address, app.state.house.db, made
    finally:
        server.should_exit = True
        thread.join(timeout=20)
        shutil.rmtree(folder)


def pages(page: Page, made: NewBattle) -> Iterator[str]:
    """The main pages, each as a visitor, a commander or the game master comes to it."""
    page.goto(f"/b/{made.id}")
    yield "battle"
    page.goto(f"/b/{made.id}/film#t4-movement-1")
    page.locator("#player").wait_for()
    page.wait_for_timeout(500)
    yield "film"
    page.goto(f"/b/{made.id}/t/4#shooting-1")
    page.locator("#player").wait_for()
    page.locator(".entry.showing .why summary").first.click()
    page.evaluate("document.querySelector('.sticky').scrollTop = 0")
    page.evaluate("document.querySelector('[data-board-title]').scrollIntoView()")
    yield "turn"
    page.goto(f"/k/{made.seat_keys[SEAT]}")
    page.goto(f"/b/{made.id}/seat/{SEAT}")
    for _ in range(8):  # to a unit that has somebody to shoot at
        page.locator('[data-next="1"]').click()
        page.locator(".plan-row").wait_for()
        if page.locator(".plan-targets li").count():
            break
    page.wait_for_timeout(500)
    yield "orders"
    page.goto(f"/k/{made.master_key}")
    page.goto(f"/b/{made.id}/desk")
    yield "desk"


def taken(browser: Browser, address: str, made: NewBattle) -> None:
    for language, locale in LOCALES.items():
        for size, (width, height, dots) in SIZES.items():
            context = browser.new_context(
                base_url=address,
                locale=locale,
                viewport={"width": width, "height": height},
                device_scale_factor=dots,
                has_touch=size == "phone",
                is_mobile=size == "phone",
                reduced_motion="reduce",
            )
            page = context.new_page()
            for name in pages(page, made):
                page.screenshot(path=FOLDER / f"{name}-{language}-{size}.jpg", type="jpeg", quality=QUALITY)
            context.close()


def main() -> None:
    found = next((p for p in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if p), None)
    with served() as (address, db, made), sync_playwright() as play:
        browser = play.chromium.launch(executable_path=found, args=ARGUMENTS)
        taken(browser, address, made)
        guide_pictures.make(browser, address, db, made)
        browser.close()


if __name__ == "__main__":
    main()
