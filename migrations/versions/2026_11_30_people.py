"""Accounts that sign in, game masters, invitations."""

from __future__ import annotations

revision = "2026_11_30_people"
down_revision = "2026_11_30_judgement"
branch_labels = None
depends_on = None


def upgrade() -> None:
    pass


def downgrade() -> None:
    pass
