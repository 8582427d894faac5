"""Leave, deputies, doctrine, offered seats."""

from __future__ import annotations

revision = "2026_11_30_absence"
down_revision = "2026_11_30_people"
branch_labels = None
depends_on = None


def upgrade() -> None:
    pass


def downgrade() -> None:
    pass
