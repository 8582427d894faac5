"""What people say in a battle: messages and who has read them, words for a turn's report; and their coats of arms."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.store.models.base import Table, Utc, core


class Channel(Table):
    """A channel in which something was said. `public`, `side/SIDE`, or `master/SEAT` (from a seat to the game masters)."""

    __tablename__ = "channels"

    battle_id: Mapped[str] = mapped_column(ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True)
    channel: Mapped[str] = mapped_column(String(96), primary_key=True)
    last: Mapped[int]
    """The number of its last message: each channel counts for itself, so that no number tells of another channel."""
    changes: Mapped[int]
    """Counts whatever was written, changed, taken back or hidden in it."""


class Message(Table):
    """Read by one module alone, `referee.talk`, and only by those who are of its channel."""

    __tablename__ = "messages"

    battle_id: Mapped[str] = mapped_column(ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True)
    channel: Mapped[str] = mapped_column(String(96), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    writer: Mapped[str] = mapped_column(String(96))
    """`seat/SEAT`, `master/NUMBER`, `account/ID`."""
    name: Mapped[str | None] = mapped_column(String(80))
    """As the writer was called then."""
    turn: Mapped[int]
    text: Mapped[str] = mapped_column(Text)
    """Markdown; empty where it was taken back."""
    mentions: Mapped[str] = mapped_column(Text)
    """JSON: who is called by it and by which name, `[["seat/N", "Ann"]]`."""
    written_at: Mapped[datetime] = mapped_column(Utc)
    edited_at: Mapped[datetime | None] = mapped_column(Utc)
    deleted_at: Mapped[datetime | None] = mapped_column(Utc)
    hidden_at: Mapped[datetime | None] = mapped_column(Utc)
    hidden_reason: Mapped[str | None] = mapped_column(Text)
    """Why a game master hid it."""


class ReadMark(Table):
    """How far somebody has read a channel."""

    __tablename__ = "read_marks"

    battle_id: Mapped[str] = mapped_column(ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True)
    channel: Mapped[str] = mapped_column(String(96), primary_key=True)
    reader: Mapped[str] = mapped_column(String(96), primary_key=True)
    """As `Message.writer`."""
    number: Mapped[int]


class Saying(Table):
    """What a commander says with his orders: as secret as they are until the turn is published. No part of the proof."""

    __tablename__ = "sayings"

    battle_id: Mapped[str] = mapped_column(ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True)
    turn: Mapped[int] = mapped_column(primary_key=True)
    seat: Mapped[str] = mapped_column(String(80), primary_key=True)
    text: Mapped[str] = mapped_column(Text)
    said_at: Mapped[datetime] = mapped_column(Utc)


class Arms(Table):
    """A commander's coat of arms, as it was written anew here: it lies in the database, so that all instances have it."""

    __tablename__ = "arms"

    battle_id: Mapped[str] = mapped_column(ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[str] = mapped_column(String(80), primary_key=True)
    digest: Mapped[str] = mapped_column(String(64))
    body: Mapped[bytes] = mapped_column(LargeBinary)
    set_at: Mapped[datetime] = mapped_column(Utc)


CHANNELS, MESSAGES, READ_MARKS = core(Channel), core(Message), core(ReadMark)
SAYINGS, ARMS = core(Saying), core(Arms)
