"""Campaigns: battles under one name, their game masters, sides, rulings on their standings, and their log."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.store.models.base import Table, Utc, core


class Campaign(Table):
    """`version` counts the changes of the row and of all that belongs to it, save its battles' own turns."""

    __tablename__ = "campaigns"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    title: Mapped[str] = mapped_column(String(200))
    description: Mapped[str] = mapped_column(Text)
    """JSON: Markdown by language."""
    sides: Mapped[str] = mapped_column(Text)
    """JSON, in order: key -> `name` by language, `colour`."""
    version: Mapped[int] = mapped_column(default=1)
    created_at: Mapped[datetime] = mapped_column(Utc, index=True)


class CampaignMaster(Table):
    __tablename__ = "campaign_masters"

    campaign_id: Mapped[str] = mapped_column(ForeignKey("campaigns.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str | None] = mapped_column(String(80))
    key_hash: Mapped[str] = mapped_column(String(64), unique=True)
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id", ondelete="SET NULL"), index=True)
    added_at: Mapped[datetime] = mapped_column(Utc)


class CampaignBattle(Table):
    """A battle of a campaign; it belongs to one at most."""

    __tablename__ = "campaign_battles"

    battle_id: Mapped[str] = mapped_column(ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True)
    campaign_id: Mapped[str] = mapped_column(ForeignKey("campaigns.id", ondelete="CASCADE"))
    place: Mapped[int]
    label: Mapped[str] = mapped_column(String(80))
    """As "Battle 3: the ford"; empty: its number and title."""
    sides: Mapped[str] = mapped_column(Text)
    """JSON: a side of the battle -> a side of the campaign; one that is left out counts for nobody."""
    added_at: Mapped[datetime] = mapped_column(Utc)

    __table_args__ = (Index("ix_campaign_battles_campaign_id_place", "campaign_id", "place"),)


class CampaignRuling(Table):
    """What a game master adds to the standings."""

    __tablename__ = "campaign_rulings"

    id: Mapped[int] = mapped_column(primary_key=True)
    campaign_id: Mapped[str] = mapped_column(ForeignKey("campaigns.id", ondelete="CASCADE"), index=True)
    kind: Mapped[str] = mapped_column(String(12))
    """`side`, `commander`."""
    subject: Mapped[str] = mapped_column(String(80))
    """The key of a side, or a commander's name."""
    changes: Mapped[str] = mapped_column(Text)
    """JSON: a number of the standings -> what is added to it."""
    reason: Mapped[str] = mapped_column(Text)
    by: Mapped[str | None] = mapped_column(String(80))
    made_at: Mapped[datetime] = mapped_column(Utc)


class CampaignLog(Table):
    """What the game masters of a campaign did, shown to all."""

    __tablename__ = "campaign_log"

    id: Mapped[int] = mapped_column(primary_key=True)
    campaign_id: Mapped[str] = mapped_column(ForeignKey("campaigns.id", ondelete="CASCADE"), index=True)
    at: Mapped[datetime] = mapped_column(Utc)
    name: Mapped[str | None] = mapped_column(String(80))
    """Of the game master, as he was called then, where he gave a name."""
    what: Mapped[str] = mapped_column(String(40))
    params: Mapped[str] = mapped_column(Text)


CAMPAIGNS, CAMPAIGN_BATTLES = core(Campaign), core(CampaignBattle)
