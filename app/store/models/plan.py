"""What commanders of one side draw for each other on the plan of a turn."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.store.models.base import Table, Utc, core


class Drawing(Table):
    """An arrow, a mark or a note. As secret as the sheets of its turn, and never published: read by one function alone,
    `referee.plans.drawings`."""

    __tablename__ = "drawings"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    """Chance: a number would tell the others how much is drawn."""
    battle_id: Mapped[str] = mapped_column(ForeignKey("battles.id", ondelete="CASCADE"))
    line: Mapped[int] = mapped_column(default=1, server_default="1")
    """The battle's line on which it was drawn: a turn that is played again begins with an empty plan."""
    turn: Mapped[int]
    seat: Mapped[str] = mapped_column(String(80))
    kind: Mapped[str] = mapped_column(String(8))
    """`arrow`, `mark`, `note`."""
    cells: Mapped[str] = mapped_column(Text)
    """JSON: labels; of an arrow the cells that it leads over, else one."""
    text: Mapped[str] = mapped_column(String(200))
    drawn_at: Mapped[datetime] = mapped_column(Utc)

    __table_args__ = (Index("ix_drawings_battle_id_turn", "battle_id", "turn"),)


DRAWINGS = core(Drawing)
