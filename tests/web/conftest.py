"""The whole server over a real SQLite file; each test makes battles of its own."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.config import Settings
from app.referee import battles, scenarios
from app.referee.views import NewBattle
from app.web.app import create_app
from app.web.house import House
from app.web.tries import Tries

SKIRMISH = """\
format: 1
ruleset: cohesion
key: skirmish
title: {en: Skirmish, ru: Стычка}
goal: 1
board:
  layout: pointy
  map: |
    . . . . .
     . . . . .
    . . r . .
     . . . . .
    . . . . .
  legend: {".": open, r: rough}
sides:
  north: {name: {en: North, ru: Север}, home: top, colour: "#d8d8d8"}
  south: {name: {en: South, ru: Юг}, home: bottom, colour: "#77aa88"}
contingents:
  north: {side: north, name: {en: North, ru: Север}}
  south: {side: south, name: {en: South, ru: Юг}}
units:
  N1: {type: LM, contingent: north, at: B2}
  N2: {type: XS, contingent: north, at: D2}
  S1: {type: LM, contingent: south, at: B3}
  S2: {type: LR, contingent: south, at: D4}
"""


@dataclass
class Post:
    """A server, and people who visit it with browsers of their own."""

    app: FastAPI
    portal: BlockingPortal | None = None
    """Into the event loop in which the server runs; without one, each request has its own."""

    def visitor(self, language: str = "en") -> TestClient:
        headers = {"accept-language": language}
        client = TestClient(self.app, base_url="http://here.example", headers=headers, follow_redirects=False)
        client.portal = self.portal
        return client

    @property
    def house(self) -> House:
        house: House = self.app.state.house
        return house

    def battle(self, **options: Any) -> NewBattle:
        given = {"scenario": scenarios.read_file(SKIRMISH), "now": datetime.now(UTC), **options}
        return battles.create(self.house.db, **given)

    def holder(self, key: str, language: str = "en") -> TestClient:
        """Somebody who has followed a link."""
        client = self.visitor(language)
        assert client.get(f"/k/{key}").status_code == 303
        return client


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Post]:
    """Nothing happens in it by itself: what a test counts or compares, no clock changes meanwhile."""
    folder: Path = tmp_path_factory.mktemp("web")
    app = create_app(Settings(data=folder, embedded=False), upgrade=True)
    with TestClient(app) as client:
        yield Post(app, client.portal)


@pytest.fixture
def post(served: Post) -> Iterator[Post]:
    before = served.house
    served.app.state.house = replace(before, tries=Tries())
    yield served
    served.app.state.house = before


def text_of(page: str) -> str:
    """What a reader sees of a page, roughly."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


def value_of(page: str, name: str) -> str:
    """The value of the first field of this name."""
    found = re.search(rf'name="{re.escape(name)}"[^>]* value="([^"]*)"', page)
    assert found, name
    return html.unescape(found[1])


def choices_of(page: str, name: str) -> dict[str, bool]:
    """The values that a select offers, and whether each is selected."""
    select = re.search(rf'<select [^>]*name="{re.escape(name)}".*?</select>', page, re.DOTALL)
    if select is None:
        return {}
    options = re.findall(r'<option value="([^"]*)"([^>]*)>', select[0])
    return {html.unescape(value): " selected" in rest for value, rest in options}
