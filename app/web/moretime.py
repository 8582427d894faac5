"""What seats have asked for more time, as the desk and their own pages show it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from app.language import Translator
from app.referee import moretime
from app.referee.moretime import Asked
from app.referee.views import BattleView
from app.web.house import House
from app.web.parts import capital


@dataclass(frozen=True)
class TimeCard:
    """`until`: the deadline that it would be."""

    seat: str
    name: str
    hours: int
    reason: str
    at: datetime
    until: datetime


def asked(house: House, view: BattleView, words: Translator) -> tuple[TimeCard, ...]:
    """All that wait for an answer."""
    return cards(moretime.asked(house.db, view.id), view, words) if view.status == "open" else ()


def cards(waiting: tuple[Asked, ...], view: BattleView, words: Translator) -> tuple[TimeCard, ...]:
    names = {seat.seat: capital(words.text(seat.name)) for seat in view.seats}
    deadline = view.deadline
    if deadline is None:
        return ()
    return tuple(
        TimeCard(one.seat, names[one.seat], one.hours, one.reason or "", one.at, deadline + timedelta(hours=one.hours))
        for one in waiting
    )
