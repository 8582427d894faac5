"""The schedule: deadlines from the one before, in any zone, over both changes of summer time, whatever a law does."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as some

from app.referee import schedule
from app.referee.errors import RefereeError
from app.referee.schedule import DAYS, Due, Schedule, ahead, following, least, made, moment, plain, read, written

ZONES = (
    *("UTC", "Europe/Moscow", "Europe/Berlin", "Europe/London", "America/New_York", "America/Sao_Paulo"),
    *("Asia/Kolkata", "Asia/Kathmandu", "Australia/Lord_Howe", "Africa/Cairo", "Pacific/Apia", "America/Scoresbysund"),
)
TWICE_A_WEEK = made(times=["tue 21:00", "fri 21:00"])


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def told(dues: tuple[Due, ...]) -> list[str]:
    return [due.deadline.isoformat(timespec="minutes").removesuffix("+00:00") for due in dues]


def test_tuesdays_and_fridays_at_nine_in_moscow() -> None:
    found = ahead(TWICE_A_WEEK, "Europe/Moscow", last=None, slot=None, opened=at("2026-12-01T12:00"))
    assert [due.slot for due in found] == [
        *("2026-12-04T21:00", "2026-12-08T21:00", "2026-12-11T21:00", "2026-12-15T21:00", "2026-12-18T21:00"),
    ]
    assert told(found)[0] == "2026-12-04T18:00"


def test_a_turn_resolved_early_keeps_the_schedule() -> None:
    due = following(
        TWICE_A_WEEK, "Europe/Moscow", last=at("2026-12-04T18:00"), slot="2026-12-04T21:00", opened=at("2026-12-01T09:00")
    )
    assert due == Due(at("2026-12-08T18:00"), "2026-12-08T21:00")


def test_a_turn_that_opens_late_is_given_a_time_that_leaves_enough() -> None:
    assert least(TWICE_A_WEEK) == timedelta(hours=24)
    late = {"last": at("2026-12-01T18:00"), "slot": "2026-12-01T21:00"}
    soon = following(TWICE_A_WEEK, "Europe/Moscow", **late, opened=at("2026-12-03T18:00"))
    later = following(TWICE_A_WEEK, "Europe/Moscow", **late, opened=at("2026-12-03T18:01"))
    assert (soon and soon.slot, later and later.slot) == ("2026-12-04T21:00", "2026-12-08T21:00")


def test_twice_a_day_is_nothing_too_late_for_itself() -> None:
    daily = made(times=[f"{day} {hour}" for day in DAYS for hour in ("09:00", "21:00")])
    assert least(daily) == timedelta(hours=6)
    found = ahead(daily, "UTC", last=at("2026-12-01T09:00"), slot="2026-12-01T09:00", opened=at("2026-12-01T09:00:03"))
    assert told(found)[:3] == ["2026-12-01T21:00", "2026-12-02T09:00", "2026-12-02T21:00"]


def test_hours_stay_on_their_grid_however_late_a_turn_opens() -> None:
    three_days = Schedule(hours=72)
    for opened, wanted in [
        ("2026-12-01T11:00", "2026-12-04T12:00"),
        ("2026-12-01T12:00:09", "2026-12-04T12:00"),
        ("2026-12-03T12:00", "2026-12-04T12:00"),
        ("2026-12-03T12:01", "2026-12-07T12:00"),
        ("2026-12-20T00:00", "2026-12-22T12:00"),
    ]:
        due = following(three_days, "UTC", last=at("2026-12-01T12:00"), slot=None, opened=at(opened))
        assert due == Due(at(wanted)), opened


def test_days_off_are_passed_over() -> None:
    holidays = made(times=["tue 21:00", "fri 21:00"], skip=["2026-12-25", "2026-12-31/2027-01-08"])
    found = ahead(holidays, "Europe/Moscow", last=None, slot=None, opened=at("2026-12-20T00:00"))
    assert [due.slot for due in found][:3] == ["2026-12-22T21:00", "2026-12-29T21:00", "2027-01-12T21:00"]
    hours = made(48, skip=["2026-12-31/2027-01-08"])
    assert told(ahead(hours, "Europe/Moscow", last=at("2026-12-29T18:00"), slot=None, opened=at("2026-12-29T18:00")))[
        :2
    ] == [
        *("2027-01-09T18:00", "2027-01-11T18:00"),
    ]


@pytest.mark.parametrize(
    ("zone", "wall", "utc"),
    [
        ("Europe/Berlin", "2027-03-28T02:30", "2027-03-28T01:30"),  # left out: 03:30 by the summer clock
        ("Europe/Berlin", "2026-10-25T02:30", "2026-10-25T01:30"),  # twice: the second
        ("Europe/Berlin", "2026-10-25T01:59", "2026-10-24T23:59"),
        ("Europe/Berlin", "2026-10-25T03:00", "2026-10-25T02:00"),
        ("Europe/London", "2026-10-25T01:30", "2026-10-25T01:30"),
        ("America/New_York", "2026-03-08T02:30", "2026-03-08T07:30"),
        ("America/New_York", "2026-11-01T01:30", "2026-11-01T06:30"),
        ("Australia/Lord_Howe", "2026-10-04T02:15", "2026-10-03T15:45"),  # half an hour of summer time
        ("Europe/Moscow", "2027-03-28T02:30", "2027-03-27T23:30"),  # no summer time
        ("Asia/Kolkata", "2026-10-25T02:30", "2026-10-24T21:00"),
    ],
)
def test_a_wall_time_left_out_is_later_and_one_that_comes_twice_the_second(zone: str, wall: str, utc: str) -> None:
    assert moment(datetime.fromisoformat(wall), zone) == at(utc)


def test_nine_in_the_evening_stays_nine_over_both_changes_of_summer_time() -> None:
    weekly = made(times=["sun 21:00"])
    autumn = ahead(weekly, "Europe/Berlin", last=None, slot=None, opened=at("2026-10-12T00:00"), number=3)
    assert told(autumn) == ["2026-10-18T19:00", "2026-10-25T20:00", "2026-11-01T20:00"]
    spring = ahead(weekly, "Europe/Berlin", last=None, slot=None, opened=at("2027-03-16T00:00"), number=3)
    assert told(spring) == ["2027-03-21T20:00", "2027-03-28T19:00", "2027-04-04T19:00"]
    moscow = ahead(weekly, "Europe/Moscow", last=None, slot=None, opened=at("2026-10-12T00:00"), number=3)
    assert {text[-5:] for text in told(moscow)} == {"18:00"}


def test_a_day_that_a_zone_left_out_is_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """Samoa had no 30 December 2011."""
    friday = made(times=["fri 21:00"])
    (due,) = ahead(friday, "Pacific/Apia", last=None, slot=None, opened=at("2011-12-26T00:00"), number=1)
    assert due.slot == "2011-12-30T21:00"
    assert due.deadline.astimezone(ZoneInfo("Pacific/Apia")).isoformat() == "2011-12-31T21:00:00+14:00"
    off = made(times=["fri 21:00"], skip=["2011-12-31"])
    (due,) = ahead(off, "Pacific/Apia", last=None, slot=None, opened=at("2011-12-26T00:00"), number=1)
    assert due.slot == "2012-01-06T21:00"


class Law(tzinfo):
    """A zone by a law: so many hours from UTC until a day, and others from it on."""

    def __init__(self, before: int, since: date, after: int) -> None:
        self.hours = (before, after)
        self.since = since

    def utcoffset(self, when: datetime | None) -> timedelta:
        assert when is not None
        return timedelta(hours=self.hours[when.date() >= self.since])

    def dst(self, when: datetime | None) -> timedelta:
        return timedelta()

    def tzname(self, when: datetime | None) -> str:
        return "LAW"


def test_a_zone_whose_law_changes_keeps_its_wall_time(monkeypatch: pytest.MonkeyPatch) -> None:
    laws = {"Europe/Moscow": Law(3, date(2027, 1, 1), 4)}
    monkeypatch.setattr(schedule, "ZoneInfo", lambda zone: laws[zone])
    found = ahead(TWICE_A_WEEK, "Europe/Moscow", last=None, slot=None, opened=at("2026-12-27T00:00"), number=3)
    assert told(found) == ["2026-12-29T18:00", "2027-01-01T17:00", "2027-01-05T17:00"]
    assert schedule.slot_moment("2027-01-01T21:00", "Europe/Moscow") == at("2027-01-01T17:00")


@pytest.mark.parametrize(
    ("hours", "times", "skip", "part"),
    [
        (0, (), (), "hours"),
        (24 * 366 + 1, (), (), "hours"),
        (24, ("tue 21:00",), (), "both"),
        (None, ("tue 24:00",), (), "time"),
        (None, ("вт 21:00",), (), "time"),
        (None, ("tue 9:00",), (), "time"),
        (None, ("tue 21:00", ""), (), "time"),
        (None, (), ("2026-02-30",), "skip"),
        (None, (), ("2026-12-31/2026-12-30",), "skip"),
        (None, (), ("9999-01-01",), "skip"),
        (None, (), ("2026-12-31/",), None),
        (None, (), tuple(f"{year}-01-01" for year in range(2000, 2101)), "many"),
        (None, tuple(f"mon 00:{minute:02}" for minute in range(51)), (), "many"),
    ],
)
def test_what_is_no_schedule_is_refused(hours: int | None, times: tuple[str, ...], skip: tuple[str, ...], part: str) -> None:
    if part is None:
        assert made(hours, times, skip).skip
        return
    with pytest.raises(RefereeError, match="bad-schedule") as refused:
        made(hours, times, skip)
    assert refused.value.params["part"] == part


def test_a_schedule_of_days_off_alone_never_comes() -> None:
    never = made(times=["tue 21:00"], skip=["2026-01-01/2040-01-01"])
    assert following(never, "UTC", last=None, slot=None, opened=at("2026-11-30T00:00")) is None
    assert (
        following(made(24, skip=["2026-01-01/2040-01-01"]), "UTC", last=None, slot=None, opened=at("2026-11-30T00:00"))
        is None
    )


WALLS = some.builds(
    lambda day, hour, minute: f"{DAYS[day]} {hour:02}:{minute:02}",
    some.integers(0, 6),
    some.integers(0, 23),
    some.sampled_from([0, 15, 30, 59]),
)
SPANS = some.builds(
    lambda first, days: f"{first}/{first + timedelta(days=days)}",
    some.dates(date(2026, 1, 1), date(2027, 12, 31)),
    some.integers(0, 20),
)
MOMENTS = some.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 31), timezones=some.just(UTC))  # noqa: DTZ001
SKIPS = some.lists(SPANS, max_size=6)
WEEKS = some.lists(WALLS, min_size=1, max_size=6)


@given(times=WEEKS, skip=SKIPS, zone=some.sampled_from(ZONES), opened=MOMENTS)
def test_deadlines_rise_stand_on_the_wall_and_never_on_a_day_off(
    times: list[str], skip: list[str], zone: str, opened: datetime
) -> None:
    chosen = made(times=times, skip=skip)
    found = ahead(chosen, zone, last=None, slot=None, opened=opened, number=8)
    assert len(found) == 8
    deadlines = [due.deadline for due in found]
    assert deadlines == sorted(set(deadlines))
    assert deadlines[0] >= opened + least(chosen)
    walls = {(weekly.day, time(weekly.minute // 60, weekly.minute % 60)) for weekly in chosen.times}
    there = ZoneInfo(zone)
    for due in found:
        assert due.slot is not None
        wall = datetime.fromisoformat(due.slot)
        local = due.deadline.astimezone(there).replace(tzinfo=None)
        assert (wall.weekday(), wall.time()) in walls
        assert not chosen.is_off(wall.date())
        assert not chosen.is_off(local.date())
        assert local == wall or _is_left_out(wall, there)


@given(times=WEEKS, zone=some.sampled_from(ZONES), opened=MOMENTS, early=some.floats(0, 1), late=some.integers(0, 20))
def test_no_way_of_resolving_leads_off_the_schedule(
    times: list[str], zone: str, opened: datetime, early: float, late: int
) -> None:
    """Whether a turn is resolved early, at its deadline or after it: the next deadline is the schedule's, and later."""
    chosen = made(times=times)
    first = following(chosen, zone, last=None, slot=None, opened=opened)
    assert first is not None
    span = first.deadline - opened
    for then in (opened + span * early, first.deadline + timedelta(seconds=late), first.deadline + timedelta(days=late)):
        due = following(chosen, zone, last=first.deadline, slot=first.slot, opened=then)
        assert due is not None
        assert due.deadline > first.deadline
        assert due.deadline >= then + least(chosen)
        assert due.slot is not None
        assert moment(datetime.fromisoformat(due.slot), zone) == due.deadline


@given(
    hours=some.integers(1, 24 * 30), skip=SKIPS, zone=some.sampled_from(ZONES), opened=MOMENTS, late=some.integers(0, 2000)
)
def test_hours_rise_and_never_end_on_a_day_off(hours: int, skip: list[str], zone: str, opened: datetime, late: int) -> None:
    chosen = made(hours, skip=skip)
    found = ahead(chosen, zone, last=None, slot=None, opened=opened)
    deadlines = [due.deadline for due in found]
    assert len(found) == 5
    assert deadlines == sorted(set(deadlines))
    assert not any(chosen.is_off(due.astimezone(ZoneInfo(zone)).date()) for due in deadlines)
    due = following(Schedule(hours), zone, last=deadlines[0], slot=None, opened=deadlines[0] + timedelta(hours=late))
    assert due is not None
    assert (due.deadline - deadlines[0]) % timedelta(hours=hours) == timedelta()


@given(times=some.lists(WALLS, max_size=6), skip=SKIPS, hours=some.none() | some.integers(1, 1000))
def test_a_schedule_is_stored_and_read_back(times: list[str], skip: list[str], hours: int | None) -> None:
    chosen = made(None if times else hours, times, skip)
    assert read(written(chosen), chosen.hours) == chosen
    told = plain(chosen)
    assert made(told["hours"], told["times"], told["skip"]) == chosen  # type: ignore[arg-type]


def _is_left_out(wall: datetime, there: ZoneInfo) -> bool:
    back = wall.replace(tzinfo=there).astimezone(UTC).astimezone(there).replace(tzinfo=None)
    return back != wall
