"""The pictures of the game master's guide: the desk on a phone, one part of a page each. Made by `make pictures`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page

from app.engine.dice import SeededDice
from app.referee import battles, orders, scenarios, timing, turns
from app.referee.keys import viewer_by_key
from app.referee.options import Options
from app.referee.views import PUBLIC, NewBattle
from app.store.db import Database
from tests.browser.conftest import LOCALES

FOLDER = Path(__file__).parents[2] / "docs" / "pictures" / "guide"
WIDTH, HEIGHT, TALLEST = 390, 844, 780
QUALITY = 72
ZONES = {"en": "America/New_York", "ru": "Asia/Yekaterinburg"}
"""Where the game master of the pictures lives; the battle goes by Moscow's clock."""


def _part(page: Page, selector: str) -> Locator:
    return page.locator(f"section:has(> {selector}), fieldset:has({selector}), {selector}.sheet").first


def _new(page: Page, _: str) -> Locator:
    page.goto("/battles/new")
    page.locator("#at-tue").fill("21:00")
    page.locator("#at-fri").fill("21:00")
    page.locator("#zone").fill("Europe/Moscow")
    page.locator("button[name=preview]").click()
    return page.locator("#deadlines")


def _now(page: Page, battle: str) -> Locator:
    page.goto(f"/b/{battle}/desk")
    return page.locator("main")


def _links(page: Page, battle: str) -> Locator:
    page.goto(f"/b/{battle}/desk")
    return _part(page, "#links")


def _time(page: Page, battle: str) -> Locator:
    page.goto(f"/b/{battle}/desk/time")
    return page.locator("main")


def _ruling(page: Page, battle: str) -> Locator:
    page.goto(f"/b/{battle}/desk/rulings")
    page.locator("details:has(#pick) > summary").click()
    page.locator("#pick").select_option(index=1)
    page.locator("button[value=choose]").click()
    page.locator(".amend input[inputmode=numeric]").first.fill("1")
    page.locator("button[value=preview]").click()
    return page.locator("#preview")


def _log(page: Page, battle: str) -> Locator:
    page.goto(f"/b/{battle}/log")
    return page.locator("main")


def _review(page: Page, battle: str) -> Locator:
    page.goto(f"/b/{battle}/desk")
    return page.locator("#review")


OPEN: dict[str, Callable[[Page, str], Locator]] = {
    "new": _new,
    "now": _now,
    "time": _time,
    "ruling": _ruling,
    "log": _log,
}
DRAFT: dict[str, Callable[[Page, str], Locator]] = {"review": _review}
FRESH: dict[str, Callable[[Page, str], Locator]] = {"links": _links}


def _shot(page: Page, part: Locator, name: str) -> None:
    """The part as wide as the phone, from its top, no taller than can be taken in."""
    part.wait_for()
    box = part.evaluate("one => { const b = one.getBoundingClientRect(); return {y: b.top + scrollY, height: b.height} }")
    clip = {"x": 0.0, "y": max(0.0, box["y"] - 8), "width": float(WIDTH), "height": min(box["height"] + 16.0, TALLEST)}
    page.screenshot(path=FOLDER / f"{name}.jpg", type="jpeg", quality=QUALITY, clip=clip, full_page=True)


def _draft(db: Database) -> NewBattle:
    """A first turn that lies under review."""
    now, chance = datetime.now(UTC), SeededDice(b"guide")
    made = battles.create(db, scenario=scenarios.frozen("first-skirmish"), now=now, review=True, seed="0a0b0c")
    view = battles.battle(db, made.id, PUBLIC, now)
    for request in view.ruleset.requests(view.state):
        order = view.ruleset.choose(view.state, request, lambda n: chance.pick("guide", n) if n > 1 else 0)
        fields, viewer = view.ruleset.dump_order(order), viewer_by_key(db, made.seat_keys[request.seat])
        orders.enter(db, made.id, request.seat, viewer, turn=1, revision=0, fields=fields, now=now)
    turns.resolve_now(db, made.id, viewer_by_key(db, made.master_key), turn=1, now=now)
    return made


def _something_to_log(db: Database, made: NewBattle) -> None:
    now, master = datetime.now(UTC), viewer_by_key(db, made.master_key)
    timing.extend(db, made.id, master, timedelta(hours=24), now, reason="Maren: +24 h")
    orders.enter(db, made.id, "south-left", master, turn=5, revision=0, fields={}, now=now)
    battles.set_options(db, made.id, master, Options(looks="after-deadline"), now)


def make(browser: Browser, address: str, db: Database, made: NewBattle) -> None:
    """Of a battle that is under way, of a draft, and of a battle that is just made."""
    FOLDER.mkdir(exist_ok=True)
    draft, now = _draft(db), datetime.now(UTC)
    fresh = battles.create(db, scenario=scenarios.frozen("first-skirmish"), now=now, deadline=now + timedelta(days=3))
    _something_to_log(db, made)
    for language, locale in LOCALES.items():
        context = browser.new_context(
            base_url=address,
            locale=locale,
            timezone_id=ZONES[language],
            viewport={"width": WIDTH, "height": HEIGHT},
            device_scale_factor=1.5,
            has_touch=True,
            is_mobile=True,
            reduced_motion="reduce",
        )
        page = context.new_page()
        for battle, step in ((made, OPEN), (draft, DRAFT), (fresh, FRESH)):
            page.goto(f"/k/{battle.master_key}")
            for name, taken in step.items():
                _shot(page, taken(page, battle.id), f"{name}-{language}")
        context.close()
