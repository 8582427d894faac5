"""What every page and call stands on: the database, the settings, the clock, the count of wrong keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated, cast

from fastapi import Depends, Request

from app.config import Settings
from app.language import chosen
from app.store.db import Database
from app.web.pace import Pace
from app.web.tries import Tries


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class House:
    db: Database
    settings: Settings
    now: Callable[[], datetime] = _now
    tries: Tries = field(default_factory=Tries)
    guesses: Tries = field(default_factory=lambda: Tries(most=100))
    """Wrong passwords of one name, from wherever they come: more than one caller may give, so that no single one keeps
    somebody out of his account."""
    readings: Pace = field(default_factory=lambda: Pace(most=60, each_second=2.5))
    """How much each seat may have read while it writes: a reading costs 1 for every 5,000 characters that it has begun."""
    talking: Pace = field(default_factory=lambda: Pace(most=12, each_second=0.2))
    """How many messages each writer may send, change or take back, and how many pictures of arms he may give."""

    def link(self, path: str) -> str:
        return f"{self.settings.url}{path}"


async def house(request: Request) -> House:
    return cast(House, request.app.state.house)


def language_of(request: Request) -> str:
    return chosen(request.headers.get("accept-language"))


async def language(request: Request) -> str:
    """The language of the answer: what `Accept-Language` asks for, of those that are spoken here."""
    return language_of(request)


Here = Annotated[House, Depends(house)]
Language = Annotated[str, Depends(language)]
