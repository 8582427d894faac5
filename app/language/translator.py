"""One language's words, numbers and dates."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from babel import Locale
from babel.dates import format_datetime
from babel.lists import format_list
from babel.numbers import format_decimal
from babel.support import NullTranslations

LOCALES = {"en": "en_GB", "ru": "ru_RU"}


class Translator:
    """Sentences and figures of one language. Parameters fill `%(name)s`; without any, a text is left as it is."""

    __slots__ = ("catalogue", "language", "locale")

    def __init__(self, language: str, catalogue: NullTranslations) -> None:
        self.language = language
        self.catalogue = catalogue
        self.locale = Locale.parse(LOCALES[language])

    def gettext(self, text: str, /, **parameters: object) -> str:
        found: str = self.catalogue.ugettext(text)
        return found % parameters if parameters else found

    def ngettext(self, one: str, many: str, number: int, /, **parameters: object) -> str:
        """The form that the number asks for; `%(num)s` is the number itself."""
        found: str = self.catalogue.ungettext(one, many, number)
        return found % {"num": number, **parameters}

    def pgettext(self, context: str, text: str, /, **parameters: object) -> str:
        found: str = self.catalogue.upgettext(context, text)
        return found % parameters if parameters else found

    def npgettext(self, context: str, one: str, many: str, number: int, /, **parameters: object) -> str:
        found: str = self.catalogue.unpgettext(context, one, many, number)
        return found % {"num": number, **parameters}

    def text(self, texts: Mapping[str, str] | None) -> str:
        """A text from data (names, notes) in this language, or in another if there is none."""
        from app.language import pick

        return pick(texts, self.language)

    def number(self, number: float) -> str:
        return format_decimal(number, locale=self.locale)

    def moment(self, moment: datetime, zone: str | tzinfo = "UTC") -> str:
        """`30 November 2026, 21:05`; the zone is named by the caller."""
        return format_datetime(moment, "d MMMM y, HH:mm", tzinfo=_zone(zone), locale=self.locale)

    def short_moment(self, moment: datetime, zone: str | tzinfo = "UTC") -> str:
        """`30 Nov, 21:05`."""
        return format_datetime(moment, "d MMM, HH:mm", tzinfo=_zone(zone), locale=self.locale)

    def day_moment(self, moment: datetime, zone: str | tzinfo = "UTC") -> str:
        """`Mon 30 November, 21:05`."""
        return format_datetime(moment, "EEE d MMMM, HH:mm", tzinfo=_zone(zone), locale=self.locale)

    def zone(self, zone: str, moment: datetime | None = None) -> str:
        """A zone by its place, `Moscow`, and at a moment by its distance from UTC too, `Moscow, UTC+3`."""
        known = self.locale.time_zones.get(zone, {}).get("city")
        place = "" if zone == "UTC" else known or zone.rpartition("/")[2].replace("_", " ")
        if moment is None:
            return place or "UTC"
        offset = moment.astimezone(ZoneInfo(zone)).utcoffset() or timedelta()
        hours, minutes = divmod(int(abs(offset).total_seconds()) // 60, 60)
        sign = "−" if offset < timedelta() else "+"
        far = "UTC" if not offset else f"UTC{sign}{hours}" + (f":{minutes:02}" if minutes else "")
        return f"{place}, {far}" if place else far

    def list(self, items: list[str] | tuple[str, ...]) -> str:
        """`one, two and three`."""
        return format_list(list(items), locale=self.locale)


def _zone(zone: str | tzinfo) -> tzinfo:
    return ZoneInfo(zone) if isinstance(zone, str) else zone
