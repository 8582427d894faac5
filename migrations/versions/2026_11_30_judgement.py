"""Rewinds and branches, looks, rulings set aside."""

from __future__ import annotations

revision = "2026_11_30_judgement"
down_revision = "2026_11_30_time"
branch_labels = None
depends_on = None


def upgrade() -> None:
    pass


def downgrade() -> None:
    pass
