"""Threads, channels, arms and lines in character."""

from __future__ import annotations

revision = "2026_11_30_talk"
down_revision = "2026_11_30_notices"
branch_labels = None
depends_on = None


def upgrade() -> None:
    pass


def downgrade() -> None:
    pass
