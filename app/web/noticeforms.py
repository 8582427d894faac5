"""A person's wishes as a form: what was typed -> wishes, and back again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from app.language import LANGUAGES, Translator
from app.language import marked as _
from app.referee.subscriptions import Wishes
from app.reports.noticewords import TOPICS
from app.web import zones
from app.web.deps import Fields

_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")

TROUBLES = {
    "no-topic": _("Tick at least one thing that you want to be told."),
    "zone": _("That is no time zone: choose one of the list, or type a name such as Europe/Moscow."),
    "quiet": _("Quiet hours need a beginning and an end, as 22:00 and 07:30; leave both empty for none."),
}
DESK_ALONE = ("desk",)
"""Topics of the game master."""
USUAL = {"turns", "reminders", "messages", "rulings", "people", "desk"}


@dataclass(frozen=True)
class Topic:
    key: str
    label: str
    is_wanted: bool


@dataclass(frozen=True)
class WishForm:
    """`digest`: an hour, or empty: at once. Times as `22:00`."""

    topics: tuple[Topic, ...]
    digest: str
    quiet_from: str
    quiet_to: str
    zone: str
    language: str


def read(fields: Fields) -> tuple[Wishes | None, str]:
    """The wishes, or a code of `TROUBLES`."""
    topics = tuple(topic for topic in TOPICS if fields.is_on(f"topic-{topic}"))
    zone = fields.line("zone")
    begin, end = (_minutes(fields.line(name)) for name in ("quiet_from", "quiet_to"))
    hour = fields.whole("digest")
    language = fields["language"] if fields["language"] in LANGUAGES else LANGUAGES[0]
    if not topics:
        return None, "no-topic"
    if zone not in zones.known():
        return None, "zone"
    if None in (begin, end) or (begin == -1) != (end == -1):
        return None, "quiet"
    quiet = (None, None) if begin == -1 else (begin, end)
    return Wishes(language, zone, topics, hour if hour is not None and hour < 24 else None, *quiet), ""


def form(wishes: Wishes, words: Translator, *, for_master: bool) -> WishForm:
    return WishForm(
        topics=_topics(set(wishes.topics), words, for_master=for_master),
        digest="" if wishes.digest_hour is None else str(wishes.digest_hour),
        quiet_from=_time(wishes.quiet_from),
        quiet_to=_time(wishes.quiet_to),
        zone=wishes.zone,
        language=wishes.language,
    )


def blank(language: str, zone: str, words: Translator, *, for_master: bool) -> WishForm:
    return WishForm(_topics(USUAL, words, for_master=for_master), "", "", "", zone, language)


def again(fields: Mapping[str, str], words: Translator, *, for_master: bool) -> WishForm:
    """What was typed and refused."""
    wanted = {topic for topic in TOPICS if fields.get(f"topic-{topic}")}
    told = {name: fields.get(name, "") for name in ("digest", "quiet_from", "quiet_to", "zone", "language")}
    return WishForm(topics=_topics(wanted, words, for_master=for_master), **told)


def _topics(wanted: set[str], words: Translator, *, for_master: bool) -> tuple[Topic, ...]:
    offered = (topic for topic in TOPICS if for_master or topic not in DESK_ALONE)
    return tuple(Topic(topic, words.gettext(TOPICS[topic]), topic in wanted) for topic in offered)


def _minutes(text: str) -> int | None:
    """Of the day; -1: nothing typed; None: no time."""
    if not text:
        return -1
    found = _TIME.fullmatch(text)
    return int(found[1]) * 60 + int(found[2]) if found else None


def _time(minutes: int | None) -> str:
    return "" if minutes is None else f"{minutes // 60:02}:{minutes % 60:02}"
