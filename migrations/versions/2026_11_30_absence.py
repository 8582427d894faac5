"""Leave, deputies, doctrine, offered seats."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026_11_30_absence"
down_revision = "2026_11_30_people"
branch_labels = None
depends_on = None


def seat_columns() -> tuple[sa.Column[object], ...]:
    return (
        sa.Column("silent_turns", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("extended_turn", sa.Integer(), nullable=True),
        sa.Column("offered_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("offered_by", sa.String(length=8), nullable=True),
        sa.Column("vacant_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("program", sa.String(length=20), nullable=True),
        sa.Column("program_seed", sa.String(length=64), nullable=True),
        sa.Column("doctrine", sa.String(length=40), nullable=True),
        sa.Column("doctrine_nonce", sa.String(length=64), nullable=True),
        sa.Column("doctrine_digest", sa.String(length=64), nullable=True),
    )


def upgrade() -> None:
    op.create_table(
        "passes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("battle_id", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.String(length=80), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=True),
        sa.Column("key_hash", sa.String(length=64), nullable=True),
        sa.Column("deputy_seat", sa.String(length=80), nullable=True),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("begins_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("zone", sa.String(length=64), nullable=False, server_default="UTC"),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["battle_id"], ["battles.id"], name="fk_passes_battle_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_passes_account_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_passes"),
        sa.UniqueConstraint("key_hash", name="uq_passes_key_hash"),
    )
    op.create_index("ix_passes_battle_id_seat", "passes", ["battle_id", "seat"], unique=False)
    op.create_index("ix_passes_account_id", "passes", ["account_id"], unique=False)
    for column in seat_columns():
        op.add_column("seats", column)
    op.add_column("sheets", sa.Column("entered_name", sa.String(length=80), nullable=True))
    op.add_column("turns", sa.Column("doctrines", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("turns", "doctrines")
    op.drop_column("sheets", "entered_name")
    for column in reversed(seat_columns()):
        op.drop_column("seats", column.name)
    op.drop_index("ix_passes_account_id", table_name="passes")
    op.drop_index("ix_passes_battle_id_seat", table_name="passes")
    op.drop_table("passes")
