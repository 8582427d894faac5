"""Where an imported battle came from."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026_11_30_origin"
down_revision = "2026_11_30_ties_and_outbox"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("battles") as battles:
        battles.add_column(sa.Column("origin", sa.String(length=16), nullable=True))
    op.create_index("ix_battles_origin", "battles", ["origin"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_battles_origin", table_name="battles")
    op.drop_column("battles", "origin")
