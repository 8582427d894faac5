"""What commanders of one side draw for each other."""

from __future__ import annotations

revision = "2026_11_30_plan"
down_revision = "2026_11_30_options"
branch_labels = None
depends_on = None


def upgrade() -> None:
    pass


def downgrade() -> None:
    pass
