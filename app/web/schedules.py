"""A schedule as a form has it: hours, or times for each day of the week; days off, one or a stretch a line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime

from app.language import Translator, capital
from app.referee import timing
from app.referee.errors import RefereeError
from app.referee.schedule import DAYS, HOURS_MAX, Schedule, Span, ahead, made
from app.reports import schedulewords
from app.web.deps import Fields
from app.web.parts import Trouble

_CLOCK = re.compile(r"([01]?[0-9]|2[0-3])[:.]([0-5][0-9])")
_DAY = r"([0-9]{4}-[0-9]{1,2}-[0-9]{1,2}|[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{4})"
_SPAN = re.compile(rf"{_DAY}(?:\s*(?:/|–|—|-|\.\.\.?|…|to|до|по)\s*{_DAY})?")


@dataclass(frozen=True)
class DayField:
    """The times of a day of the week, as they were typed."""

    key: str
    name: str
    value: str


@dataclass(frozen=True)
class ScheduleForm:
    """As it stands in a page."""

    hours: str
    days: tuple[DayField, ...]
    skip: str

    @property
    def has_times(self) -> bool:
        return any(day.value for day in self.days)


def shown(schedule: Schedule, words: Translator) -> ScheduleForm:
    """A schedule that is kept, to be changed."""
    times = {day: [str(one).partition(" ")[2] for one in schedule.times if DAYS[one.day] == day] for day in DAYS}
    return ScheduleForm(
        hours="" if schedule.hours is None else str(schedule.hours),
        days=tuple(DayField(day, schedulewords.day_name(day, words.language), ", ".join(times[day])) for day in DAYS),
        skip="\n".join(_span_text(span) for span in schedule.skip),
    )


def typed(fields: Fields, words: Translator) -> ScheduleForm:
    return ScheduleForm(
        hours=fields.line("hours"),
        days=tuple(DayField(day, schedulewords.day_name(day, words.language), fields.line(f"at:{day}")) for day in DAYS),
        skip=fields["skip"].strip(),
    )


def parse(form: ScheduleForm, words: Translator) -> tuple[Schedule, tuple[Trouble, ...]]:
    """What was typed, and everything that is wrong with it."""
    troubles: list[Trouble] = []
    hours = _hours(form.hours)
    if hours == 0:
        text = words.gettext("Hours a turn should be a whole number from 1 to %(most)s.", most=HOURS_MAX)
        troubles.append(Trouble(text, "hours"))
    times = [f"{day.key} {clock}" for day in form.days for clock in _clocks(day, words, troubles)]
    if hours is not None and form.has_times:
        troubles.append(Trouble(words.gettext("Give either hours a turn or times of the week, not both."), "hours"))
    skip = [text for line in form.skip.split("\n") if line.strip() for text in _span(line, words, troubles)]
    if troubles:
        return Schedule(), tuple(troubles)
    try:
        return made(hours, times, skip), ()
    except RefereeError:  # what is left of its refusals
        text = words.gettext("A schedule has at most 50 times of the week and 100 lines of days off.")
        return Schedule(), (Trouble(text, "skip"),)


def preview(
    schedule: Schedule, zone: str, words: Translator, now: datetime
) -> tuple[tuple[datetime, ...], tuple[Trouble, ...]]:
    """The first five deadlines of a schedule that is not kept yet; or why there are none."""
    if not schedule:
        return (), (Trouble(words.gettext("Without hours and times, deadlines are set by hand."), "hours"),)
    try:
        timing.first(schedule, zone, now)
    except RefereeError:
        return (), (Trouble(words.gettext("The days off leave no deadline within five years."), "skip"),)
    return tuple(due.deadline for due in ahead(schedule, zone, last=None, slot=None, opened=now)), ()


def _hours(text: str) -> int | None:
    """0: no such number."""
    if not text:
        return None
    hours = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0
    return hours if 1 <= hours <= HOURS_MAX else 0


def _clocks(day: DayField, words: Translator, troubles: list[Trouble]) -> list[str]:
    found = []
    for text in re.split(r"[\s,;]+", day.value):
        clock = _CLOCK.fullmatch(text)
        if clock is not None:
            found.append(f"{int(clock[1]):02}:{clock[2]}")
        elif text:
            told = words.gettext("%(day)s: “%(text)s” is not a time, as 21:00.", day=day.name, text=text[:40])
            troubles.append(Trouble(capital(told), f"at-{day.key}"))
    return found


def _span(line: str, words: Translator, troubles: list[Trouble]) -> list[str]:
    found = _SPAN.fullmatch(line.strip())
    try:
        if found is None:
            raise ValueError
        span = Span(_date(found[1]), _date(found[2] or found[1]))
        if span.first > span.last:
            raise ValueError
    except ValueError:
        told = words.gettext(
            "Days off: “%(text)s” is neither a day, as 2026-12-31, nor a stretch of days, as 2026-12-31 – 2027-01-08.",
            text=line.strip()[:40],
        )
        troubles.append(Trouble(told, "skip"))
        return []
    return [str(span)]


def _date(text: str) -> date:
    numbers = [int(part) for part in re.split(r"[-.]", text)]
    return date(*numbers) if "-" in text else date(numbers[2], numbers[1], numbers[0])


def _span_text(span: Span) -> str:
    return str(span).replace("/", " – ")
