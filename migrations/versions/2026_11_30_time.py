"""Schedules, pauses, reminders."""

from __future__ import annotations

revision = "2026_11_30_time"
down_revision = "2026_11_30_plan"
branch_labels = None
depends_on = None


def upgrade() -> None:
    pass


def downgrade() -> None:
    pass
