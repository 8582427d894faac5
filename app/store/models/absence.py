"""Who acts in a seat beside its holder, and what becomes of a seat whose holder is silent, away or gone."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from app.store.models.base import Table, Utc, core


class Manned:
    """The columns of a seat's row that are about silence, offers, programs and doctrine."""

    silent_turns: Mapped[int] = mapped_column(default=0, server_default="0")
    """Turns in a row that were resolved without a word of it."""
    extended_turn: Mapped[int | None]
    """The turn in which it had its one extension of this battle; None: it has it still."""
    offered_at: Mapped[datetime | None] = mapped_column(Utc)
    """Since when it is offered to others; None: it is not."""
    offered_by: Mapped[str | None] = mapped_column(String(8))
    """`clock` (it was silent too long: a word of its holder takes the offer back), `master`."""
    vacant_at: Mapped[datetime | None] = mapped_column(Utc)
    """Since when it has no holder: nobody waits for it. None: it has one."""
    program: Mapped[str | None] = mapped_column(String(20))
    """The program that fills it."""
    program_seed: Mapped[str | None] = mapped_column(String(64))
    """Hex: where its chance comes from. Secret, as its sheets are."""
    doctrine: Mapped[str | None] = mapped_column(String(40))
    """What it does while silent, a name of the ruleset's: as secret as orders until it is used. Read by one function alone,
    `referee.doctrines.standing`."""
    doctrine_nonce: Mapped[str | None] = mapped_column(String(64))
    doctrine_digest: Mapped[str | None] = mapped_column(String(64))
    """Its seal, shown to all as soon as it is chosen."""


class Pass(Table):
    """Another way to a seat than its own key, or an absence without one. The row goes when it ends."""

    __tablename__ = "passes"

    id: Mapped[int] = mapped_column(primary_key=True)
    battle_id: Mapped[str] = mapped_column(ForeignKey("battles.id", ondelete="CASCADE"))
    seat: Mapped[str] = mapped_column(String(80))
    kind: Mapped[str] = mapped_column(String(8))
    """`shared` (another key for as long as the holder likes), `deputy` (for a leave), `away` (a leave without deputy)."""
    name: Mapped[str | None] = mapped_column(String(80))
    """Of whoever it is for, as all know him; of another seat's holder None: he is called by his seat."""
    key_hash: Mapped[str | None] = mapped_column(String(64), unique=True)
    deputy_seat: Mapped[str | None] = mapped_column(String(80))
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), index=True)
    begins_at: Mapped[datetime | None] = mapped_column(Utc)
    ends_at: Mapped[datetime | None] = mapped_column(Utc)
    zone: Mapped[str] = mapped_column(String(64), default="UTC", server_default="UTC")
    """In which its dates were named."""
    began_at: Mapped[datetime | None] = mapped_column(Utc)
    """When its beginning was told to all."""
    made_at: Mapped[datetime] = mapped_column(Utc)

    __table_args__ = (Index("ix_passes_battle_id_seat", "battle_id", "seat"),)


PASSES = core(Pass)
