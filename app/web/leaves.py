"""A leave as pages show it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from app.language import Translator
from app.referee.views import BattleView, SeatView
from app.web.parts import capital


@dataclass(frozen=True)
class LeaveCard:
    """A leave in words. `deputy` empty: nobody stands in."""

    begins_at: datetime
    ends_at: datetime
    zone: str
    zone_name: str
    deputy: str
    is_under_way: bool


def leave_card(seat: SeatView, view: BattleView, words: Translator) -> LeaveCard | None:
    """A seat's leave, to come or under way."""
    if seat.leave is None:
        return None
    found = seat.leave
    names = {one.seat: capital(words.text(one.name)) for one in view.seats}
    deputy = found.deputy or ""
    if found.deputy_seat:
        deputy = f"{names[found.deputy_seat]} ({deputy})" if deputy else names[found.deputy_seat]
    return LeaveCard(
        found.begins_at,
        found.ends_at,
        found.zone,
        words.zone(found.zone, found.ends_at),
        deputy,
        found.is_under_way,
    )
