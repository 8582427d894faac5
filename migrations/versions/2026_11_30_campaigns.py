"""Battles under one name."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026_11_30_campaigns"
down_revision = "2026_11_30_talk"
branch_labels = None
depends_on = None


def _of_campaign(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name=f"fk_{table}_campaign_id", ondelete="CASCADE")


def upgrade() -> None:
    op.create_table(
        "campaigns",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("sides", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_campaigns"),
    )
    op.create_index("ix_campaigns_created_at", "campaigns", ["created_at"], unique=False)
    op.create_table(
        "campaign_masters",
        sa.Column("campaign_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=True),
        sa.Column("key_hash", sa.String(length=64), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
        _of_campaign("campaign_masters"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_campaign_masters_account_id", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("campaign_id", "number", name="pk_campaign_masters"),
        sa.UniqueConstraint("key_hash", name="uq_campaign_masters_key_hash"),
    )
    op.create_index("ix_campaign_masters_account_id", "campaign_masters", ["account_id"], unique=False)
    op.create_table(
        "campaign_battles",
        sa.Column("battle_id", sa.String(length=16), nullable=False),
        sa.Column("campaign_id", sa.String(length=16), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("label", sa.String(length=80), nullable=False),
        sa.Column("sides", sa.Text(), nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["battle_id"], ["battles.id"], name="fk_campaign_battles_battle_id", ondelete="CASCADE"),
        _of_campaign("campaign_battles"),
        sa.PrimaryKeyConstraint("battle_id", name="pk_campaign_battles"),
    )
    op.create_index("ix_campaign_battles_campaign_id_place", "campaign_battles", ["campaign_id", "place"], unique=False)
    op.create_table(
        "campaign_rulings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("subject", sa.String(length=80), nullable=False),
        sa.Column("changes", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by", sa.String(length=80), nullable=True),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        _of_campaign("campaign_rulings"),
        sa.PrimaryKeyConstraint("id", name="pk_campaign_rulings"),
    )
    op.create_index("ix_campaign_rulings_campaign_id", "campaign_rulings", ["campaign_id"], unique=False)
    op.create_table(
        "campaign_log",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.String(length=16), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=True),
        sa.Column("what", sa.String(length=40), nullable=False),
        sa.Column("params", sa.Text(), nullable=False),
        _of_campaign("campaign_log"),
        sa.PrimaryKeyConstraint("id", name="pk_campaign_log"),
    )
    op.create_index("ix_campaign_log_campaign_id", "campaign_log", ["campaign_id"], unique=False)


def downgrade() -> None:
    for table in ("campaign_log", "campaign_rulings", "campaign_battles", "campaign_masters", "campaigns"):
        op.drop_table(table)
