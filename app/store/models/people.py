"""People: who is game master of a battle; browsers that are signed in; links by which one signs in."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from app.store.models.base import Table, Utc, core


class Master(Table):
    """A game master of a battle. Number 1 is who made it: its key is the one that seats' keys are derived from."""

    __tablename__ = "masters"

    battle_id: Mapped[str] = mapped_column(ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str | None] = mapped_column(String(80))
    key_hash: Mapped[str] = mapped_column(String(64), unique=True)
    wrapped: Mapped[str | None] = mapped_column(String(64))
    """The first key, hex, hidden under this master's own: without it, it tells nothing. None: it is the first."""
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id", ondelete="SET NULL"), index=True)
    plays: Mapped[bool] = mapped_column(default=False)
    """Plays in the battle as well: marked as such to all, and reads no sealed orders."""
    added_at: Mapped[datetime] = mapped_column(Utc)


class SignedIn(Table):
    """A browser that is signed in to an account: of its secret only the SHA-256 is kept."""

    __tablename__ = "signed_in"

    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), index=True)
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    browser: Mapped[str] = mapped_column(String(80))
    """What the browser says it is, shortened: so that its owner knows which to sign out."""
    began_at: Mapped[datetime] = mapped_column(Utc)
    seen_at: Mapped[datetime] = mapped_column(Utc)
    ends_at: Mapped[datetime] = mapped_column(Utc)


class Entry(Table):
    """A link that was asked for by mail: it signs in, or shows that an address is its owner's. Works once."""

    __tablename__ = "entries"

    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), index=True)
    purpose: Mapped[str] = mapped_column(String(8))
    """`sign-in`, `mail`."""
    mail: Mapped[str] = mapped_column(String(254))
    hash: Mapped[str | None] = mapped_column(String(64), unique=True)
    """None: not sent yet; the key is made when it is."""
    asked_at: Mapped[datetime] = mapped_column(Utc)
    ends_at: Mapped[datetime] = mapped_column(Utc)
    used_at: Mapped[datetime | None] = mapped_column(Utc)


MASTERS, SIGNED_IN, ENTRIES = core(Master), core(SignedIn), core(Entry)
