"""The API over a real SQLite file, a clock that the test moves, and a battle with two seats and two units a side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.config import Settings
from app.referee import accounts
from app.store.db import Database
from app.web.api.service import service
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
  S1: {type: LM, contingent: south, at: B4}
  S2: {type: LR, contingent: south, at: D4}
"""


@dataclass
class Clock:
    now: datetime = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **step: float) -> None:
        self.now += timedelta(**step)


@dataclass
class Caller:
    """Calls with one token; the answer's JSON is looked at by the test."""

    http: TestClient
    token: str | None = None
    language: str = "en"

    def __call__(self, method: str, path: str, body: Any = None, **options: Any) -> Any:
        headers = {"Accept-Language": self.language, **options.pop("headers", {})}
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        if body is not None:
            options["json"] = body
        return self.http.request(method, path, headers=headers, **options)


@dataclass
class Game:
    """A battle under way, and everybody who may call."""

    id: str
    public: Caller
    account: Caller
    stranger: Caller
    master: Caller
    seats: dict[str, Caller]
    made: dict[str, Any] = field(repr=False, default_factory=dict)

    @property
    def path(self) -> str:
        return f"/api/v1/battles/{self.id}"

    def sheet(self, seat: str) -> Any:
        return self.seats[seat]("GET", f"{self.path}/seats/{seat}/sheet").json()

    def enter(self, seat: str, orders: Any = None, **more: Any) -> Any:
        """Enters on top of whatever is there now."""
        now = self.sheet(seat)
        body = {"turn": now["turn"], "revision": now["revision"], "orders": {} if orders is None else orders, **more}
        return self.seats[seat]("PUT", f"{self.path}/seats/{seat}/sheet", body)


@pytest.fixture(scope="session")
def skirmish() -> str:
    return SKIRMISH


@pytest.fixture
def db(sqlite_db: Database) -> Database:
    """SQLite, save where a file says otherwise."""
    return sqlite_db


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def house(db: Database, clock: Clock) -> House:
    return House(db, Settings(base_url="https://fieldpost.example"), now=clock, tries=Tries(most=1000))


@pytest.fixture
def http(house: House) -> Iterator[TestClient]:
    with TestClient(service(house), base_url="https://fieldpost.example") as client:
        yield client


@pytest.fixture
def account(http: TestClient, db: Database, clock: Clock) -> Caller:
    return Caller(http, accounts.make_token(db, "Master", clock.now))


@pytest.fixture
def new_game(http: TestClient, db: Database, clock: Clock, account: Caller) -> Any:
    def make(**options: Any) -> Game:
        made = account("POST", "/api/v1/battles", {"scenario_file": SKIRMISH, **options})
        assert made.status_code == 201, made.text
        told = made.json()
        return Game(
            id=told["id"],
            public=Caller(http),
            account=account,
            stranger=Caller(http, accounts.make_token(db, "Stranger", clock.now)),
            master=Caller(http, told["desk"]["key"]),
            seats={seat["seat"]: Caller(http, seat["key"]) for seat in told["seats"]},
            made=told,
        )

    return make


@pytest.fixture
def game(new_game: Any) -> Game:
    found: Game = new_game()
    return found
