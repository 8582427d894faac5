"""A clock that stands still until the story moves it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo


def wall(text: str, zone: str = "UTC") -> datetime:
    """`2026-10-25 20:00` of a zone's wall clock, as a moment."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


class Clock:
    """Aware UTC. Whoever waits for something (`rings`) is called at each step."""

    def __init__(self, begins: datetime, step: timedelta = timedelta(hours=6)) -> None:
        self.now = begins
        self.step = step
        self.rings: list[Callable[[], None]] = []

    def __call__(self) -> datetime:
        return self.now

    def to(self, moment: datetime) -> None:
        """On to a moment, step by step, as a server lives through it."""
        assert moment >= self.now, "no clock goes back"
        while self.now < moment:
            self.now = min(self.now + self.step, moment)
            self.ring()

    def on(self, **given: float) -> None:
        self.to(self.now + timedelta(**given))

    def ring(self) -> None:
        for ring in self.rings:
            ring()
