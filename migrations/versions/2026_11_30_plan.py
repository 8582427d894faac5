"""What commanders of one side draw for each other."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026_11_30_plan"
down_revision = "2026_11_30_options"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "drawings",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("battle_id", sa.String(length=16), nullable=False),
        sa.Column("line", sa.Integer(), server_default="1", nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(length=80), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("cells", sa.Text(), nullable=False),
        sa.Column("text", sa.String(length=200), nullable=False),
        sa.Column("drawn_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["battle_id"], ["battles.id"], name="fk_drawings_battle_id_battles", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_drawings"),
    )
    op.create_index("ix_drawings_battle_id_turn", "drawings", ["battle_id", "turn"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_drawings_battle_id_turn", table_name="drawings")
    op.drop_table("drawings")
