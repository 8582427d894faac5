"""Who plays: six people of three zones on two sides, who stand in or come later, and the game master."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from app.referee.subscriptions import Wishes

MOSCOW, BERLIN, NEW_YORK = "Europe/Moscow", "Europe/Berlin", "America/New_York"
TOPICS = ("turns", "reminders", "messages", "rulings", "people")


@dataclass(frozen=True)
class Person:
    """`digest_hour`, `quiet`: of his zone's wall clock, as he wishes to be written to."""

    name: str
    zone: str
    language: Literal["en", "ru"]
    digest_hour: int | None = None
    quiet: tuple[int, int] | None = None

    @property
    def address(self) -> str:
        return f"{self.name.lower()}@players.example"

    def wishes(self, *more: str) -> Wishes:
        begin, end = (hour * 60 for hour in self.quiet) if self.quiet else (None, None)
        return Wishes(self.language, self.zone, (*TOPICS, *more), self.digest_hour, begin, end)


AGLAYA = Person("Aglaya", MOSCOW, "ru")
BORIS = Person("Boris", MOSCOW, "ru", quiet=(22, 7))
CLARA = Person("Clara", BERLIN, "en")
DIETRICH = Person("Dietrich", BERLIN, "en")
EDITH = Person("Edith", NEW_YORK, "en", digest_hour=8)
FRANK = Person("Frank", NEW_YORK, "en")
MASTER = Person("Ksenia", MOSCOW, "ru")
DEPUTY = Person("Gleb", BERLIN, "ru")
"""Stands in for Clara."""
SUCCESSOR = Person("Henry", NEW_YORK, "en")
"""Comes after Edith."""

SEATED: Mapping[str, Person] = {
    "north-left": AGLAYA,
    "north-centre": BORIS,
    "north-right": CLARA,
    "south-left": DIETRICH,
    "south-centre": EDITH,
    "south-right": FRANK,
}
SIDES: Mapping[str, tuple[str, ...]] = {
    side: tuple(seat for seat in SEATED if seat.startswith(side)) for side in ("north", "south")
}
