"""Ties of battles to topics and channels, and the outbox."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_30_ties_and_outbox"
down_revision = "2026_11_30_first_tables"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "ties",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("battle_id", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("place", sa.String(length=400), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("language", sa.String(length=8), nullable=False),
        sa.Column("length", sa.String(length=12), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["battle_id"], ["battles.id"], name="fk_ties_battle_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_ties"),
    )
    op.create_index("ix_ties_battle_id", "ties", ["battle_id"], unique=False)
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=120), nullable=False),
        sa.Column("mark", sa.String(length=32), nullable=False),
        sa.Column("what", sa.String(length=24), nullable=False),
        sa.Column("battle_id", sa.String(length=16), nullable=True),
        sa.Column("turn", sa.Integer(), nullable=True),
        sa.Column("tie_id", sa.Integer(), nullable=True),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("claim", sa.String(length=32), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("link", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["battle_id"], ["battles.id"], name="fk_outbox_battle_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["tie_id"], ["ties.id"], name="fk_outbox_tie_id", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        sa.UniqueConstraint("key", name="uq_outbox_key"),
        sa.UniqueConstraint("mark", name="uq_outbox_mark"),
    )
    op.create_index("ix_outbox_battle_id_turn", "outbox", ["battle_id", "turn"], unique=False)
    op.create_index("ix_outbox_due_at", "outbox", ["due_at"], unique=False)
    op.create_index("ix_outbox_tie_id", "outbox", ["tie_id"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_outbox_tie_id", table_name="outbox")
    op.drop_index("ix_outbox_due_at", table_name="outbox")
    op.drop_index("ix_outbox_battle_id_turn", table_name="outbox")
    op.drop_table("outbox")
    op.drop_index("ix_ties_battle_id", table_name="ties")
    op.drop_table("ties")
