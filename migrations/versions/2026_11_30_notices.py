"""Who is told what, and where."""

from __future__ import annotations

revision = "2026_11_30_notices"
down_revision = "2026_11_30_absence"
branch_labels = None
depends_on = None


def upgrade() -> None:
    pass


def downgrade() -> None:
    pass
