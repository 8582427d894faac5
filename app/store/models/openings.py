"""Open seats: what a battle looks for, who asks, who claims what, who was given a seat."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.store.models.base import Table, Utc, core


class Opening(Table):
    """A battle that looks for players, or has looked for them."""

    __tablename__ = "openings"

    battle_id: Mapped[str] = mapped_column(ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True)
    is_open: Mapped[bool]
    """Whether anybody may ask, and lists have it."""
    words: Mapped[str] = mapped_column(Text)
    """What the game master looks for, as he wrote it."""
    seats: Mapped[str] = mapped_column(Text)
    """JSON: the seats that are open, not given yet."""
    choosing: Mapped[bool]
    """Sides choose their contingents among themselves: people are accepted to a side."""
    settled: Mapped[str] = mapped_column(Text)
    """JSON: the sides whose contingents are settled."""
    settle_by: Mapped[datetime | None] = mapped_column(Utc)
    """When what is claimed is settled, whoever has not agreed."""
    waits: Mapped[bool]
    """The battle was paused until its sides have settled."""
    swaps: Mapped[bool]
    """Commanders of one side may exchange their contingents later, too."""
    offer_hours: Mapped[int]
    """A seat that is free is offered to the first of the waiting list for so many hours; 0: the game master is told."""
    opened_at: Mapped[datetime] = mapped_column(Utc)


class Asking(Table):
    """Somebody asks for a seat. Seen by the battle's game masters and himself."""

    __tablename__ = "askings"

    id: Mapped[int] = mapped_column(primary_key=True)
    battle_id: Mapped[str] = mapped_column(ForeignKey("battles.id", ondelete="CASCADE"))
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), index=True)
    """None: he has a ticket."""
    ticket_hash: Mapped[str | None] = mapped_column(String(64), unique=True)
    origin: Mapped[str | None] = mapped_column(String(64))
    """A digest of the address that it came from, while it waits: so that one address does not fill the list."""
    name: Mapped[str] = mapped_column(String(80))
    reach: Mapped[str] = mapped_column(String(254))
    """How the game master may reach him; empty: he did not say."""
    words: Mapped[str] = mapped_column(Text)
    want: Mapped[str] = mapped_column(String(8))
    """`seat`, `side`, `any`."""
    what: Mapped[str] = mapped_column(String(80))
    """The seat or the side; empty: any."""
    status: Mapped[str] = mapped_column(String(12))
    """`asked`, `listed` (on the waiting list), `offered` (a seat, until `until`), `accepted`, `declined`, `withdrawn`,
    `lapsed` (the offer was let pass)."""
    seat: Mapped[str | None] = mapped_column(String(80))
    """The seat that is offered."""
    until: Mapped[datetime | None] = mapped_column(Utc)
    side: Mapped[str | None] = mapped_column(String(80))
    """Accepted to a side that chooses among itself."""
    agreed: Mapped[bool]
    """To the claims of his side as they stand."""
    answer: Mapped[str] = mapped_column(Text)
    """A word of the game master's to him."""
    asked_at: Mapped[datetime] = mapped_column(Utc)
    answered_at: Mapped[datetime | None] = mapped_column(Utc)

    __table_args__ = (Index("ix_askings_battle_id_status", "battle_id", "status"),)


class Claim(Table):
    """A contingent that somebody of a side would have before it has settled. Seen by the side and the game masters."""

    __tablename__ = "claims"

    asking_id: Mapped[int] = mapped_column(ForeignKey("askings.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[str] = mapped_column(String(80), primary_key=True)
    claimed_at: Mapped[datetime] = mapped_column(Utc)


class Swap(Table):
    """An exchange that is proposed: of two claims, or of two contingents. The row goes when it is answered."""

    __tablename__ = "swaps"

    id: Mapped[int] = mapped_column(primary_key=True)
    battle_id: Mapped[str] = mapped_column(ForeignKey("battles.id", ondelete="CASCADE"), index=True)
    seat: Mapped[str] = mapped_column(String(80))
    """His who proposes it."""
    other: Mapped[str] = mapped_column(String(80))
    by_asking: Mapped[int | None] = mapped_column(ForeignKey("askings.id", ondelete="CASCADE"))
    to_asking: Mapped[int | None] = mapped_column(ForeignKey("askings.id", ondelete="CASCADE"))
    """Of two claims; None: of contingents that are held."""
    generation: Mapped[int]
    other_generation: Mapped[int]
    """Of the seats' keys: who holds one of them anew has not proposed it, nor is asked."""
    fresh: Mapped[bool]
    """Both begin the open turn's orders anew."""
    proposed_at: Mapped[datetime] = mapped_column(Utc)


class Grant(Table):
    """A seat that was given to somebody who asked. It holds while the seat's key has this generation."""

    __tablename__ = "grants"

    battle_id: Mapped[str] = mapped_column(ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[str] = mapped_column(String(80), primary_key=True)
    asking_id: Mapped[int] = mapped_column(ForeignKey("askings.id", ondelete="CASCADE"), index=True)
    generation: Mapped[int]
    salt: Mapped[str] = mapped_column(String(32))
    """With the ticket it makes the seat's key, which the server does not know before the ticket is shown."""
    taken: Mapped[bool]
    """The ticket was shown, and the key made."""


OPENINGS, ASKINGS, CLAIMS, SWAPS, GRANTS = core(Opening), core(Asking), core(Claim), core(Swap), core(Grant)
