"""Who is told what, and where: a person's subscriptions."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.store.models.base import Table, Utc, core


class Subscription(Table):
    """A way to one person. It belongs to a seat's key, to one of a battle's game masters, to an account for all that it
    holds, or to somebody who asks for a seat."""

    __tablename__ = "subscriptions"

    id: Mapped[int] = mapped_column(primary_key=True)
    role: Mapped[str] = mapped_column(String(8))
    """`seat`, `master`, `account`, `asking`."""
    battle_id: Mapped[str | None] = mapped_column(ForeignKey("battles.id", ondelete="CASCADE"))
    seat: Mapped[str | None] = mapped_column(String(80))
    generation: Mapped[int | None]
    """Of the seat's key: with a newer key, nothing goes there any more. Of a game master: his number among them."""
    pass_id: Mapped[int | None] = mapped_column(ForeignKey("passes.id", ondelete="CASCADE"))
    """Of a deputy or of one who shares the seat: it goes with his pass."""
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), index=True)
    """Of whoever made it, where he was signed in: it goes with his account."""
    asking_id: Mapped[int | None] = mapped_column(ForeignKey("askings.id", ondelete="CASCADE"), index=True)
    """Of who asks for a seat by a ticket; the seat's own as soon as he has one."""
    kind: Mapped[str] = mapped_column(String(12))
    """`mail`, `discord`, `telegram`, `webhook`, `apprise`."""
    place: Mapped[str] = mapped_column(String(400))
    """As its owner may see it; of an address that is itself a key, the host alone."""
    target: Mapped[str] = mapped_column(Text)
    """JSON: addresses and keys. Secret: read to deliver, never shown, logged or exported."""
    language: Mapped[str] = mapped_column(String(8))
    zone: Mapped[str] = mapped_column(String(64))
    topics: Mapped[str] = mapped_column(Text)
    """JSON: a list of what is wanted."""
    digest_hour: Mapped[int | None]
    """Once a day at this hour of the zone; None: at once."""
    quiet_from: Mapped[int | None]
    """Minutes after midnight in the zone; None: no quiet hours."""
    quiet_to: Mapped[int | None]
    token: Mapped[str] = mapped_column(String(64), unique=True)
    """In the link that ends it; opens nothing else."""
    confirm: Mapped[str | None] = mapped_column(String(64), unique=True)
    """In the link that confirms the address; None: confirmed, or nothing to confirm."""
    stopped: Mapped[str | None] = mapped_column(Text)
    """JSON: why nothing goes there until its owner says so; None: it works."""
    created_at: Mapped[datetime] = mapped_column(Utc)

    __table_args__ = (Index("ix_subscriptions_battle_id_seat", "battle_id", "seat"),)


class Hush(Table):
    """A battle of which an account's ways tell nothing."""

    __tablename__ = "hushes"

    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True)
    battle_id: Mapped[str] = mapped_column(ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True, index=True)


SUBSCRIPTIONS, HUSHES = core(Subscription), core(Hush)
