"""What a battle keeps of its time: the schedule, a pause, who was reminded."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.store.models.base import Table, Utc, core


class Timed:
    """The columns of a battle's row that are about its time, beside `deadline`, `turn_hours` and `zone`."""

    schedule: Mapped[str | None] = mapped_column(Text)
    """JSON: wall times and days off (`referee.schedule`); None: hours alone, or deadlines set by hand."""
    slot: Mapped[str | None] = mapped_column(String(16))
    """The wall time of the schedule that the open turn has, `2026-12-01T21:00` in the battle's zone."""
    slot_due: Mapped[datetime | None] = mapped_column(Utc)
    """The moment that `slot` was when it was computed. While it is the deadline too, the deadline follows the zone's law."""
    last_deadline: Mapped[datetime | None] = mapped_column(Utc)
    """While `review`: the deadline that the resolved turn had."""
    paused_at: Mapped[datetime | None] = mapped_column(Utc)
    paused_deadline: Mapped[datetime | None] = mapped_column(Utc)
    """While `paused`: the deadline as it was; with `paused_at` it says what is left."""
    resume_at: Mapped[datetime | None] = mapped_column(Utc)
    """The end of a pause; None: until somebody says so."""
    held_at: Mapped[datetime | None] = mapped_column(Utc)
    """While `held`: since when."""
    pause_asked: Mapped[str | None] = mapped_column(Text)
    """JSON: the pause that a game master who plays has asked for, and the sides that have agreed so far."""


class Reminder(Table):
    """Who was reminded of a deadline: once for each, and told if it moves."""

    __tablename__ = "reminders"

    battle_id: Mapped[str] = mapped_column(ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True)
    deadline: Mapped[datetime] = mapped_column(Utc, primary_key=True)
    turn: Mapped[int] = mapped_column(primary_key=True)
    seats: Mapped[str] = mapped_column(Text)
    """JSON: a list, empty where nobody had to be."""
    sent_at: Mapped[datetime] = mapped_column(Utc)


REMINDERS = core(Reminder)
