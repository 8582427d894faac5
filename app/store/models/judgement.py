"""What a rewind leaves behind: lines of a battle that are no longer played."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.store.models.base import Table, Utc, core

LEFT = "left"
"""The status of a battle's row that only holds the rows of a line which was left: no verb and no list finds it."""


class Branch(Table):
    """A line that was left. Its turns, states, events, rulings and sheets hang on a row of `battles` of its own, whose
    status is `left`, so that what is played stands in the same tables under the same keys, however often it is rewound."""

    __tablename__ = "branches"

    battle_id: Mapped[str] = mapped_column(ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True)
    line: Mapped[int] = mapped_column(primary_key=True)
    """The battle's lines count from 1; the one that is played is `battles.line`, the highest."""
    kept_as: Mapped[str] = mapped_column(ForeignKey("battles.id", ondelete="CASCADE"), unique=True)
    back_to: Mapped[int]
    """The turn to whose start the battle was taken; of a line that was left for another, the turn that was open there."""
    turn: Mapped[int]
    """The last turn of the line that is published; 0: none."""
    status: Mapped[str] = mapped_column(String(12))
    """The battle's when it was left."""
    reason: Mapped[str] = mapped_column(Text)
    left_at: Mapped[datetime] = mapped_column(Utc)
    taken_as: Mapped[int | None]
    """The line that went on from its end. What was published of it stands there; what was sealed stays here for ever."""


BRANCHES = core(Branch)
