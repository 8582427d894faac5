"""When a notice may go to somebody: at once or with the day's digest, and not in his quiet hours."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo

from app.engine.ruleset import Json
from app.reports.noticewords import ALWAYS, CODES

MINUTES = 24 * 60


class Wishes(Protocol):
    """What of a subscription is asked for here. Hours and minutes are of the zone's wall clock."""

    @property
    def zone(self) -> str: ...
    @property
    def digest_hour(self) -> int | None: ...
    @property
    def quiet_from(self) -> int | None: ...
    @property
    def quiet_to(self) -> int | None: ...


def due(wishes: Wishes, code: str, facts: Mapping[str, Json], now: datetime) -> datetime:
    """The first moment, from `now` on, that suits its reader. A notice that has to be read by a certain moment, and would
    be held back until then, goes at once."""
    at = now
    if wishes.digest_hour is not None:
        at = _next(at, wishes.zone, wishes.digest_hour * 60)
    return _or_at_once(code, facts, now, after_quiet(wishes, at))


def held_until(wishes: Wishes, code: str, facts: Mapping[str, Json], now: datetime) -> datetime:
    """The end of the quiet hours that hold back a notice which is due; `now`, where nothing does."""
    return _or_at_once(code, facts, now, after_quiet(wishes, now))


def _or_at_once(code: str, facts: Mapping[str, Json], now: datetime, at: datetime) -> datetime:
    until = facts.get(CODES[code].until)
    is_late = until is not None and at >= datetime.fromisoformat(until)
    return now if is_late or CODES[code].topic == ALWAYS else at


def after_quiet(wishes: Wishes, at: datetime) -> datetime:
    """The end of the quiet hours that hold at a moment; the moment itself, where none do."""
    begin, end = wishes.quiet_from, wishes.quiet_to
    if begin is None or end is None or begin == end:
        return at
    local = at.astimezone(ZoneInfo(wishes.zone))
    minute = local.hour * 60 + local.minute
    is_quiet = begin <= minute < end if begin < end else minute >= begin or minute < end
    return _next(at, wishes.zone, end) if is_quiet else at


def _next(after: datetime, zone: str, minute: int) -> datetime:
    """The next time that a wall clock shows a minute of the day. In the hour that summer time leaves out, it is that much
    later; in the one that comes twice, the first."""
    day = after.astimezone(ZoneInfo(zone)).date()
    while True:
        found = datetime.combine(day, time(minute // 60, minute % 60), ZoneInfo(zone)).astimezone(UTC)
        if found > after:
            return found
        day += timedelta(days=1)
