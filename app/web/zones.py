"""Time zones: which are offered, which are taken, and moments as a form writes them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

from app.language import Translator
from app.referee.schedule import MACHINES_OWN

OFFERED = [
    "UTC",
    "Europe/London",
    "Europe/Lisbon",
    "Europe/Berlin",
    "Europe/Madrid",
    "Europe/Paris",
    "Europe/Rome",
    "Europe/Warsaw",
    "Europe/Prague",
    "Europe/Athens",
    "Europe/Helsinki",
    "Europe/Kyiv",
    "Europe/Bucharest",
    "Europe/Istanbul",
    "Europe/Minsk",
    "Europe/Kaliningrad",
    "Europe/Moscow",
    "Europe/Samara",
    "Asia/Tbilisi",
    "Asia/Yerevan",
    "Asia/Baku",
    "Asia/Yekaterinburg",
    "Asia/Tashkent",
    "Asia/Almaty",
    "Asia/Omsk",
    "Asia/Novosibirsk",
    "Asia/Krasnoyarsk",
    "Asia/Irkutsk",
    "Asia/Yakutsk",
    "Asia/Vladivostok",
    "Asia/Magadan",
    "Asia/Kamchatka",
    "Asia/Jerusalem",
    "Asia/Dubai",
    "Asia/Kolkata",
    "Asia/Bangkok",
    "Asia/Shanghai",
    "Asia/Tokyo",
    "Australia/Perth",
    "Australia/Sydney",
    "Pacific/Auckland",
    "Atlantic/Reykjavik",
    "America/Sao_Paulo",
    "America/Argentina/Buenos_Aires",
    "America/Halifax",
    "America/New_York",
    "America/Toronto",
    "America/Chicago",
    "America/Mexico_City",
    "America/Denver",
    "America/Los_Angeles",
    "America/Vancouver",
    "America/Anchorage",
    "Pacific/Honolulu",
]
"""From UTC eastward, as a list to choose from; any other zone of the tz database may be typed."""


@lru_cache(maxsize=1)
def known() -> frozenset[str]:
    return frozenset(available_timezones() - MACHINES_OWN)


def parse_local(text: str, zone: str) -> datetime | None:
    """`2026-12-01T20:00` in a known zone -> UTC; None: not such a moment."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=ZoneInfo(zone))
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        return None


def span(long: timedelta, words: Translator) -> str:
    """A stretch of time in days, hours and minutes; what is shorter than a minute is one."""
    minutes = max(1, round(long.total_seconds() / 60))
    days, hours, rest = minutes // 1440, minutes // 60 % 24, minutes % 60
    parts = [
        *([words.ngettext("%(num)s day", "%(num)s days", days)] if days else []),
        *([words.ngettext("%(num)s hour", "%(num)s hours", hours)] if hours else []),
        *([words.ngettext("%(num)s minute", "%(num)s minutes", rest)] if rest and not days else []),
    ]
    return " ".join(parts)


def local_text(moment: datetime | None, zone: str) -> str:
    """UTC -> what a form's field of a moment holds, in a zone."""
    return "" if moment is None else moment.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%dT%H:%M")
