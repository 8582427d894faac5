"""Schedules, pauses, reminders."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026_11_30_time"
down_revision = "2026_11_30_plan"
branch_labels = None
depends_on = None

MOMENTS = ("slot_due", "last_deadline", "paused_at", "paused_deadline", "resume_at", "held_at")


def upgrade() -> None:
    with op.batch_alter_table("battles") as battles:
        battles.add_column(sa.Column("schedule", sa.Text(), nullable=True))
        battles.add_column(sa.Column("slot", sa.String(16), nullable=True))
        for name in MOMENTS:
            battles.add_column(sa.Column(name, sa.DateTime(timezone=True), nullable=True))
        battles.add_column(sa.Column("pause_asked", sa.Text(), nullable=True))
    op.create_table(
        "reminders",
        sa.Column("battle_id", sa.String(16), nullable=False),
        sa.Column("deadline", sa.DateTime(timezone=True), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seats", sa.Text(), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["battle_id"], ["battles.id"], name="fk_reminders_battle_id_battles", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("battle_id", "deadline", "turn", name="pk_reminders"),
    )


def downgrade() -> None:
    op.drop_table("reminders")
    with op.batch_alter_table("battles") as battles:
        for name in ("pause_asked", *reversed(MOMENTS), "slot", "schedule"):
            battles.drop_column(name)
