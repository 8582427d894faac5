"""Rewinds and branches, looks, rulings set aside."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026_11_30_judgement"
down_revision = "2026_11_30_time"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("battles") as battles:
        battles.add_column(sa.Column("line", sa.Integer(), nullable=False, server_default="1"))
    with op.batch_alter_table("rulings") as rulings:
        rulings.add_column(sa.Column("kind", sa.String(12), nullable=False, server_default="amend"))
        rulings.add_column(sa.Column("facts", sa.Text(), nullable=False, server_default="{}"))
    op.add_column("log", sa.Column("name", sa.String(80), nullable=True))
    op.create_table(
        "branches",
        sa.Column("battle_id", sa.String(16), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("kept_as", sa.String(16), nullable=False),
        sa.Column("back_to", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(12), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("left_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("taken_as", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["battle_id"], ["battles.id"], name="fk_branches_battle_id_battles", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["kept_as"], ["battles.id"], name="fk_branches_kept_as_battles", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("battle_id", "line", name="pk_branches"),
        sa.UniqueConstraint("kept_as", name="uq_branches_kept_as"),
    )


def downgrade() -> None:
    """The rows of lines that were left have no place in the older schema."""
    op.drop_table("branches")
    op.execute("DELETE FROM battles WHERE status = 'left'")
    with op.batch_alter_table("log") as log:
        log.drop_column("name")
    with op.batch_alter_table("rulings") as rulings:
        rulings.drop_column("facts")
        rulings.drop_column("kind")
    with op.batch_alter_table("battles") as battles:
        battles.drop_column("line")
