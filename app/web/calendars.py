"""Deadlines as a calendar for other programs (iCalendar)."""

from __future__ import annotations

from datetime import datetime, timedelta

import icalendar

from app.language import Translator, translator
from app.referee.rows import AWAITING
from app.referee.views import BattleView
from app.web.parts import battle_title

KIND = "text/calendar; charset=utf-8"
MAKER = "-//Fieldpost//Deadlines//EN"
REFRESH = timedelta(hours=1)
LAST_CALL = timedelta(hours=1)
"""The second alarm; the first is when the battle's reminders are."""


def made(battle: BattleView, url: str, language: str) -> icalendar.Calendar:
    """The deadline of the open turn, and those of the next ones as the schedule has them. While the battle is paused, the
    one that does not hold any more is told as cancelled."""
    words = translator(language)
    title = battle_title(battle.title, battle.scenario.get("title"), words)
    feed = empty(title, battle.zone)
    add(feed, battle, title, url, words)
    return feed


def empty(name: str, zone: str) -> icalendar.Calendar:
    """A calendar of this name, without a deadline."""
    feed = icalendar.Calendar()
    feed.add("prodid", MAKER)
    feed.add("version", "2.0")
    feed.add("method", "PUBLISH")
    feed.add("x-wr-calname", name)
    feed.add("x-wr-timezone", zone)
    feed.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    feed.add("x-published-ttl", "PT1H")
    return feed


def add(feed: icalendar.Calendar, battle: BattleView, title: str, url: str, words: Translator) -> None:
    """A battle's deadlines, under its title."""
    if battle.status in AWAITING and battle.deadline is not None:
        feed.add_component(_event(battle, title, url, words, battle.turn, battle.deadline, "CONFIRMED"))
    elif battle.pause is not None and battle.pause.left is not None:
        was = battle.pause.since + battle.pause.left
        feed.add_component(_event(battle, title, url, words, battle.turn, was, "CANCELLED"))
    if battle.pause is None:
        for turn, at in enumerate(battle.ahead, start=battle.turn + 1):
            feed.add_component(_event(battle, title, url, words, turn, at, "TENTATIVE"))


def _event(
    battle: BattleView, title: str, url: str, words: Translator, turn: int, at: datetime, status: str
) -> icalendar.Event:
    """Its UID is the turn's for ever; SEQUENCE, the battle's version, rises with every change of the battle."""
    event = icalendar.Event()
    host = url.partition("://")[2].partition("/")[0].partition(":")[0]
    event.add("uid", f"{battle.id}-turn-{turn}@{host}")
    event.add("sequence", battle.version)
    event.add("dtstamp", battle.log[-1].at if battle.log else battle.created_at)
    event.add("dtstart", at)
    event.add("summary", words.gettext("%(title)s: turn %(turn)s, deadline", title=title, turn=turn))
    place = f"{words.moment(at, battle.zone)} ({words.zone(battle.zone, at)})"
    event.add("description", f"{words.gettext('Orders until %(moment)s.', moment=place)}\n{url}")
    event.add("url", url)
    event.add("status", status)
    event.add("transp", "TRANSPARENT")
    if status == "CONFIRMED":
        for before in sorted({timedelta(hours=battle.options.remind_hours or 24), LAST_CALL}, reverse=True):
            event.add_component(_alarm(before, words.gettext("%(title)s: orders are due", title=title)))
    return event


def _alarm(before: timedelta, text: str) -> icalendar.Alarm:
    alarm = icalendar.Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("trigger", -before)
    alarm.add("description", text)
    return alarm
