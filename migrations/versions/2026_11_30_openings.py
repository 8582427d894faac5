"""Open seats that people ask for, sides that choose among themselves, a waiting list."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026_11_30_openings"
down_revision = "2026_11_30_campaigns"
branch_labels = None
depends_on = None


def _of(table: str, column: str, target: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [target], name=f"fk_{table}_{column}", ondelete="CASCADE")


def upgrade() -> None:
    op.create_table(
        "openings",
        sa.Column("battle_id", sa.String(length=16), nullable=False),
        sa.Column("is_open", sa.Boolean(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("seats", sa.Text(), nullable=False),
        sa.Column("choosing", sa.Boolean(), nullable=False),
        sa.Column("settled", sa.Text(), nullable=False),
        sa.Column("settle_by", sa.DateTime(timezone=True), nullable=True),
        sa.Column("waits", sa.Boolean(), nullable=False),
        sa.Column("swaps", sa.Boolean(), nullable=False),
        sa.Column("offer_hours", sa.Integer(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        _of("openings", "battle_id", "battles.id"),
        sa.PrimaryKeyConstraint("battle_id", name="pk_openings"),
    )
    op.create_table(
        "askings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("battle_id", sa.String(length=16), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("ticket_hash", sa.String(length=64), nullable=True),
        sa.Column("origin", sa.String(length=64), nullable=True),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("reach", sa.String(length=254), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("want", sa.String(length=8), nullable=False),
        sa.Column("what", sa.String(length=80), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.String(length=80), nullable=True),
        sa.Column("until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("side", sa.String(length=80), nullable=True),
        sa.Column("agreed", sa.Boolean(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True),
        _of("askings", "battle_id", "battles.id"),
        _of("askings", "account_id", "accounts.id"),
        sa.PrimaryKeyConstraint("id", name="pk_askings"),
        sa.UniqueConstraint("ticket_hash", name="uq_askings_ticket_hash"),
    )
    op.create_index("ix_askings_battle_id_status", "askings", ["battle_id", "status"], unique=False)
    op.create_index("ix_askings_account_id", "askings", ["account_id"], unique=False)
    op.create_table(
        "claims",
        sa.Column("asking_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(length=80), nullable=False),
        sa.Column("claimed_at", sa.DateTime(timezone=True), nullable=False),
        _of("claims", "asking_id", "askings.id"),
        sa.PrimaryKeyConstraint("asking_id", "seat", name="pk_claims"),
    )
    op.create_table(
        "swaps",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("battle_id", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.String(length=80), nullable=False),
        sa.Column("other", sa.String(length=80), nullable=False),
        sa.Column("by_asking", sa.Integer(), nullable=True),
        sa.Column("to_asking", sa.Integer(), nullable=True),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("other_generation", sa.Integer(), nullable=False),
        sa.Column("fresh", sa.Boolean(), nullable=False),
        sa.Column("proposed_at", sa.DateTime(timezone=True), nullable=False),
        _of("swaps", "battle_id", "battles.id"),
        _of("swaps", "by_asking", "askings.id"),
        _of("swaps", "to_asking", "askings.id"),
        sa.PrimaryKeyConstraint("id", name="pk_swaps"),
    )
    op.create_index("ix_swaps_battle_id", "swaps", ["battle_id"], unique=False)
    op.create_table(
        "grants",
        sa.Column("battle_id", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.String(length=80), nullable=False),
        sa.Column("asking_id", sa.Integer(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("salt", sa.String(length=32), nullable=False),
        sa.Column("taken", sa.Boolean(), nullable=False),
        _of("grants", "battle_id", "battles.id"),
        _of("grants", "asking_id", "askings.id"),
        sa.PrimaryKeyConstraint("battle_id", "seat", name="pk_grants"),
    )
    op.create_index("ix_grants_asking_id", "grants", ["asking_id"], unique=False)


def downgrade() -> None:
    for table in ("grants", "swaps", "claims", "askings", "openings"):
        op.drop_table(table)
