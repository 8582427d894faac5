"""Threads, channels, arms and lines in character."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026_11_30_talk"
down_revision = "2026_11_30_notices"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "channels",
        sa.Column("battle_id", sa.String(length=16), nullable=False),
        sa.Column("channel", sa.String(length=96), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.Column("changes", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["battle_id"], ["battles.id"], name="fk_channels_battle_id_battles", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("battle_id", "channel", name="pk_channels"),
    )
    op.create_table(
        "messages",
        sa.Column("battle_id", sa.String(length=16), nullable=False),
        sa.Column("channel", sa.String(length=96), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("writer", sa.String(length=96), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=True),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("mentions", sa.Text(), nullable=False),
        sa.Column("written_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("edited_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("hidden_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("hidden_reason", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["battle_id"], ["battles.id"], name="fk_messages_battle_id_battles", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("battle_id", "channel", "number", name="pk_messages"),
    )
    op.create_table(
        "read_marks",
        sa.Column("battle_id", sa.String(length=16), nullable=False),
        sa.Column("channel", sa.String(length=96), nullable=False),
        sa.Column("reader", sa.String(length=96), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["battle_id"], ["battles.id"], name="fk_read_marks_battle_id_battles", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("battle_id", "channel", "reader", name="pk_read_marks"),
    )
    op.create_table(
        "sayings",
        sa.Column("battle_id", sa.String(length=16), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(length=80), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("said_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["battle_id"], ["battles.id"], name="fk_sayings_battle_id_battles", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("battle_id", "turn", "seat", name="pk_sayings"),
    )
    op.create_table(
        "arms",
        sa.Column("battle_id", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.String(length=80), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("set_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["battle_id"], ["battles.id"], name="fk_arms_battle_id_battles", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("battle_id", "seat", name="pk_arms"),
    )


def downgrade() -> None:
    for table in ("arms", "sayings", "read_marks", "messages", "channels"):
        op.drop_table(table)
