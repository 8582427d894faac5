"""What a game master chooses for his battle."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026_11_30_options"
down_revision = "2026_11_30_origin"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("battles") as battles:
        battles.add_column(sa.Column("options", sa.Text(), nullable=False, server_default="{}"))


def downgrade() -> None:
    op.drop_column("battles", "options")
