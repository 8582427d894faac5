"""Nothing serious stands against any page of the site: in both languages, in light and dark, at a desk and on a phone."""

from __future__ import annotations

import dataclasses

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from app.web.pages import ROUTERS
from tests.browser.addresses import HOST_KEY, NO_PAGES, PAGES, SUFFIXES, enter, world
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


def _faults(page: Page) -> list[str]:
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    faults = [f"{v['id']}: {v['nodes'][0]['html'][:160]}" for v in found if v["impact"] in {"serious", "critical"}]
    if page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") > 0:
        faults.append("wider than the window")
    if page.evaluate(SQUEEZED):
        faults.append("a label is squeezed beside its box")
    if page.locator("main h1").count() != 1:
        faults.append("not exactly one heading of the first level")
    return faults


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("language", "width"), [("en", 1280), ("ru", 390)], ids=["english-desktop", "russian-phone"])
def test_nothing_serious_stands_against_any_page(opened: Opened, site: Site, language: str, width: int, scheme: str) -> None:
    house = site.app.state.house
    settings = dataclasses.replace(house.settings, host_key=HOST_KEY)
    object.__setattr__(house, "settings", settings)
    seen = world(house.db)
    page = opened(language=language, width=width, scheme=scheme)
    enter(page, seen)
    found = {}
    for address in seen.addresses():
        answer = page.goto(address.removeprefix("!"))
        assert answer is not None, address
        if page.locator("#player").count():
            page.locator("#player").wait_for()
        faults = _faults(page)
        if not (400 <= answer.status < 500 if address.startswith("!") else answer.status == 200):
            faults.append(f"answered with {answer.status}")
        if faults:
            found[address] = faults
    assert found == {}
