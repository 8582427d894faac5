"""Battles under one name."""

from __future__ import annotations

revision = "2026_11_30_campaigns"
down_revision = "2026_11_30_talk"
branch_labels = None
depends_on = None


def upgrade() -> None:
    pass


def downgrade() -> None:
    pass
