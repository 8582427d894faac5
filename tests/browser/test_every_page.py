"""Nothing serious stands against any page of the site: in both languages, in light and dark, at a desk and on a phone."""

from __future__ import annotations

import dataclasses

import pytest
from playwright.sync_api import ConsoleMessage, Page, Request, Response

from app.web.pages import ROUTERS
from tests.browser import eyes
from tests.browser.addresses import HOST_KEY, NO_PAGES, PAGES, SUFFIXES, World, enter, world
from tests.browser.conftest import Opened, Site

LISTS = "tests/browser/addresses.py"
SQUEEZED = """[...document.querySelectorAll('.tick > label')].some(
  one => one.offsetWidth > 0 && one.offsetWidth < one.parentElement.offsetWidth / 2)"""
"""The words beside a box take most of their line."""


def _routes() -> set[str]:
    """The paths that a browser may get, files left out."""
    routes = (route for router in ROUTERS for route in router.routes)
    paths = {getattr(route, "path", "") for route in routes if "GET" in (getattr(route, "methods", None) or ())}
    return {path for path in paths if not path.endswith(SUFFIXES)}


def test_every_route_is_looked_at_or_known_to_be_no_page() -> None:
    forgotten = sorted(_routes() - set(PAGES) - set(NO_PAGES))
    told = ", ".join(forgotten)
    assert not forgotten, f"nobody looks at {told}: add its addresses to PAGES in {LISTS}, or to NO_PAGES if it is no page"
    gone = sorted((set(PAGES) | set(NO_PAGES)) - _routes())
    assert not gone, f"there is no route {', '.join(gone)} any more: take it out of {LISTS}"


@pytest.fixture(scope="module")
def seen(site: Site) -> World:
    """Battles in every state, on a server whose host has a key."""
    house = site.app.state.house
    object.__setattr__(house, "settings", dataclasses.replace(house.settings, host_key=HOST_KEY))
    return world(house.db)


def _too_wide(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") > 0)


def _faults(page: Page) -> list[str]:
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    faults = eyes.faults(page)
    if _too_wide(page):
        faults.append("wider than the window")
    if page.evaluate(SQUEEZED):
        faults.append("a label is squeezed beside its box")
    if page.locator("main h1").count() != 1:
        faults.append("not exactly one heading of the first level")
    return faults


class Listener:
    """What a page complains about while it is looked at, and what it asked for in vain."""

    def __init__(self, page: Page) -> None:
        self.heard: list[str] = []
        page.on("console", self._told)
        page.on("response", self._answered)
        page.on("requestfailed", self._failed)

    def take(self) -> list[str]:
        heard, self.heard = self.heard, []
        return heard

    def _told(self, message: ConsoleMessage) -> None:
        # an answer that is an error is told of by `_answered`, and that of the page itself is looked at apart
        if message.type in {"error", "warning"} and not message.text.startswith("Failed to load resource"):
            self.heard.append(f"{message.type} in the console: {message.text}")

    def _answered(self, answer: Response) -> None:
        if answer.status >= 400 and not answer.request.is_navigation_request():
            self.heard.append(f"{answer.url} answered with {answer.status}")

    def _failed(self, request: Request) -> None:
        # what a page still waits for is left when the browser goes on
        if request.failure != "net::ERR_ABORTED":
            self.heard.append(f"{request.url} failed: {request.failure}")


@pytest.mark.browser
@pytest.mark.parametrize(
    ("language", "width", "scheme"),
    [("en", 1280, "light"), ("ru", 390, "dark")],
    ids=["english-desktop", "russian-dark-phone"],
)
def test_nothing_serious_stands_against_any_page(
    opened: Opened, seen: World, language: str, width: int, scheme: str
) -> None:
    page = opened(language=language, width=width, scheme=scheme)
    listener = Listener(page)
    found = {}
    page.goto("/account")  # the door, before somebody has come in
    if faults := [*_faults(page), *listener.take()]:
        found["the door"] = faults
    enter(page, seen)
    listener.take()
    for address in seen.addresses():
        answer = page.goto(address.removeprefix("!"))
        assert answer is not None, address
        if page.locator("#player").count():
            page.locator("#player").wait_for()
        faults = _faults(page)
        if not (400 <= answer.status < 500 if address.startswith("!") else answer.status == 200):
            faults.append(f"answered with {answer.status}")
        if width == 390:
            page.set_viewport_size({"width": 360, "height": 740})
            if _too_wide(page):
                faults.append("wider than a small telephone")
            page.set_viewport_size({"width": width, "height": 844})
        faults += listener.take()
        if faults:
            found[address] = faults
    assert found == {}
