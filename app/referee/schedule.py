"""When turns are due: so many hours a turn, or wall times of a zone; days off. Pure: nothing here knows what time it is.

Every deadline follows from the one before it and never from the moment at which a turn happened to be resolved. A wall time
that a zone's clock leaves out is as much later as the clock was moved; one that comes twice is the second of the two:
whoever reads it either way is in time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from app.referee.errors import RefereeError

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
HOURS_MAX = 24 * 366
TIMES_MAX = 50
SPANS_MAX = 100
FAR = timedelta(days=366 * 5)
"""No deadline lies farther away."""
LEAST = timedelta(hours=24)
"""A turn that opens late has at least so long, or half of the schedule's shortest turn if that is less: a time of the
schedule that would leave it less is passed over."""
WEEK = 7 * 24 * 60
MACHINES_OWN = frozenset({"localtime", "posixrules"})
"""Files beside the tz database that stand for whatever the machine is set to."""
_TIME = re.compile("(" + "|".join(DAYS) + ") ([01][0-9]|2[0-3]):([0-5][0-9])")


class Weekly(msgspec.Struct, frozen=True, order=True):
    """A wall time of each week: the day from Monday (0), the minute after midnight."""

    day: int
    minute: int

    def __str__(self) -> str:
        return f"{DAYS[self.day]} {self.minute // 60:02}:{self.minute % 60:02}"


class Span(msgspec.Struct, frozen=True, order=True):
    """Days off, both ends included."""

    first: date
    last: date

    def __str__(self) -> str:
        return self.first.isoformat() if self.first == self.last else f"{self.first.isoformat()}/{self.last.isoformat()}"


class Schedule(msgspec.Struct, frozen=True):
    """Hours, or times, or neither: then deadlines are set by hand."""

    hours: int | None = None
    times: tuple[Weekly, ...] = ()
    skip: tuple[Span, ...] = ()

    def __bool__(self) -> bool:
        return self.hours is not None or bool(self.times)

    def is_off(self, day: date) -> bool:
        return any(span.first <= day <= span.last for span in self.skip)


class Due(msgspec.Struct, frozen=True):
    """A deadline, and the wall time of the schedule that it is (of hours: none)."""

    deadline: datetime
    slot: str | None = None


BY_HAND = Schedule()


def made(hours: int | None = None, times: Iterable[str] = (), skip: Iterable[str] = ()) -> Schedule:
    """A schedule from what people and programs write: `tue 21:00`; `2026-12-31`, `2027-01-01/2027-01-08`.
    Raises `RefereeError("bad-schedule")` with the part that is wrong (`hours`, `time`, `skip`, `both`, `many`, `never`)."""
    weekly, spans = tuple(sorted({_weekly(text) for text in times})), tuple(sorted({_span(text) for text in skip}))
    if hours is not None and not 1 <= hours <= HOURS_MAX:
        raise _bad("hours", str(hours))
    if hours is not None and weekly:
        raise _bad("both", "")
    if len(weekly) > TIMES_MAX or len(spans) > SPANS_MAX:
        raise _bad("many", "")
    return Schedule(hours, weekly, spans)


def read(stored: str | None, hours: int | None) -> Schedule:
    """As the battle's row keeps it: the hours in a column of their own."""
    told = msgspec.json.decode(stored) if stored else {}
    times = tuple(_weekly(text) for text in told.get("times", ()))
    return Schedule(None if times else hours, times, tuple(_span(text) for text in told.get("skip", ())))


def written(schedule: Schedule) -> str | None:
    """What `read` reads, without the hours."""
    told = {name: texts for name, texts in plain(schedule).items() if name != "hours" and texts}
    return msgspec.json.encode(told).decode() if told else None


def plain(schedule: Schedule) -> dict[str, object]:
    """As JSON tells it."""
    return {"hours": schedule.hours, "times": [str(t) for t in schedule.times], "skip": [str(s) for s in schedule.skip]}


def moment(wall: datetime, zone: str) -> datetime:
    """The moment of a wall time (naive), in UTC."""
    there = ZoneInfo(zone)
    return max(wall.replace(tzinfo=there, fold=fold).astimezone(UTC) for fold in (0, 1))


def wall(at: datetime, zone: str) -> str:
    """What a zone's clock shows at a moment, to the minute, as `slot` names it."""
    return at.astimezone(ZoneInfo(zone)).replace(tzinfo=None).isoformat(timespec="minutes")


def slot_moment(slot: str, zone: str) -> datetime:
    return moment(datetime.fromisoformat(slot), zone)


def following(schedule: Schedule, zone: str, *, last: datetime | None, slot: str | None, opened: datetime) -> Due | None:
    """The deadline of a turn that opens, after the one before it: its deadline `last`, its wall time `slot` (None: there was
    none). None: the schedule has no more, or there is no schedule."""
    if schedule.hours is not None:
        return _after_hours(schedule, zone, last=last, opened=opened)
    if not schedule.times:
        return None
    earliest = opened + least(schedule)
    after = None if slot is None else datetime.fromisoformat(slot)
    for wall, at in _walls(schedule, zone, since=opened):
        if (after is None or wall > after) and (last is None or at > last) and at >= earliest:
            return Due(at, wall.isoformat(timespec="minutes"))
    return None


def ahead(
    schedule: Schedule, zone: str, *, last: datetime | None, slot: str | None, opened: datetime, number: int = 5
) -> tuple[Due, ...]:
    """The next deadlines, if each turn is resolved at its own."""
    found: list[Due] = []
    while len(found) < number:
        due = following(schedule, zone, last=last, slot=slot, opened=opened)
        if due is None:
            break
        found.append(due)
        last, slot, opened = due.deadline, due.slot, due.deadline
    return tuple(found)


def least(schedule: Schedule) -> timedelta:
    """So long a turn has at least."""
    if schedule.hours is not None:
        return min(LEAST, timedelta(hours=schedule.hours) / 2)
    minutes = [weekly.day * 24 * 60 + weekly.minute for weekly in schedule.times]
    later = [*minutes[1:], *(minute + WEEK for minute in minutes[:1])]
    between = [after - before for before, after in zip(minutes, later, strict=True)]
    return min([LEAST, *(timedelta(minutes=minute) / 2 for minute in between)])


def is_zone(zone: str) -> bool:
    """Whether a time zone is known here, and would be the same on another machine."""
    if len(zone) > 64 or zone in MACHINES_OWN:
        return False
    try:
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def _after_hours(schedule: Schedule, zone: str, *, last: datetime | None, opened: datetime) -> Due | None:
    """So many hours after the last deadline; where that leaves too little, as many turns later as it takes. A day off moves
    it to the same wall time of the next day that is none."""
    hours = timedelta(hours=schedule.hours or 0)
    if last is None:
        at = opened + hours
    else:
        at = last + hours
        short = opened + least(schedule) - at
        if short > timedelta():
            at += -(-short // hours) * hours
    there = ZoneInfo(zone)
    while schedule.is_off(at.astimezone(there).date()):
        at = moment(at.astimezone(there).replace(tzinfo=None, fold=0) + timedelta(days=1), zone)
        if at > opened + FAR:
            return None
    return Due(at)


def _walls(schedule: Schedule, zone: str, *, since: datetime) -> Iterator[tuple[datetime, datetime]]:
    """Wall times from the day before `since` on, with their moments; none of a day off, whether the wall says so or the
    clock, which may have been moved over midnight."""
    there = ZoneInfo(zone)
    day = since.astimezone(there).date() - timedelta(days=1)
    end = day + FAR
    while day < end:
        for weekly in schedule.times:
            if weekly.day == day.weekday() and not schedule.is_off(day):
                wall = datetime.combine(day, time(weekly.minute // 60, weekly.minute % 60))
                at = moment(wall, zone)
                if not schedule.is_off(at.astimezone(there).date()):
                    yield wall, at
        day += timedelta(days=1)


def _weekly(text: str) -> Weekly:
    found = _TIME.fullmatch(text.strip().lower())
    if found is None:
        raise _bad("time", text)
    return Weekly(DAYS.index(found[1]), int(found[2]) * 60 + int(found[3]))


def _span(text: str) -> Span:
    first, _, last = text.strip().partition("/")
    try:
        span = Span(date.fromisoformat(first), date.fromisoformat(last or first))
    except ValueError:
        raise _bad("skip", text) from None
    if span.first > span.last or span.last.year > 9000:
        raise _bad("skip", text)
    return span


def _bad(part: str, given: str) -> RefereeError:
    return RefereeError("bad-schedule", params={"part": part, "given": given[:80]})
