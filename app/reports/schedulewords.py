"""A battle's schedule in words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from babel.dates import format_date

from app.language import translator

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def words(told: Mapping[str, Any], language: str) -> str:
    """`told`: as JSON has a schedule, `hours`, `times` (`tue 21:00`), `skip`; begins with a small letter."""
    say = translator(language)
    if told.get("times"):
        text = times(told["times"], language)
    elif told.get("hours"):
        text = say.ngettext("%(num)s hour a turn", "%(num)s hours a turn", int(told["hours"]))
    else:
        return say.gettext("deadlines are set by hand")
    off = ", ".join(span(one, language) for one in told.get("skip", ()))
    return f"{text}; " + say.gettext("not on %(days)s", days=off) if off else text


def times(given: list[str], language: str) -> str:
    """`Tuesday and Friday, 21:00`; days that have the same times stand together."""
    say = translator(language)
    of_day: dict[str, list[str]] = {}
    for one in given:
        day, _, clock = one.partition(" ")
        of_day.setdefault(day, []).append(clock)
    alike: dict[tuple[str, ...], list[str]] = {}
    for day in sorted(of_day, key=DAYS.index):
        alike.setdefault(tuple(sorted(of_day[day])), []).append(day)
    return "; ".join(
        f"{say.list([day_name(day, language) for day in days])}, {say.list(list(clocks))}" for clocks, days in alike.items()
    )


def day_name(day: str, language: str) -> str:
    name: str = translator(language).locale.days["stand-alone"]["wide"][DAYS.index(day)]
    return name


def span(given: str, language: str) -> str:
    """`2026-12-31/2027-01-08` -> `31 December 2026 – 8 January 2027`."""
    locale = translator(language).locale
    first, _, last = given.partition("/")
    told = [format_date(date.fromisoformat(text), "d MMMM y", locale=locale) for text in (first, last) if text]
    return " – ".join(told)
