"""Who is told what, and where."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_30_notices"
down_revision = "2026_11_30_absence"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "subscriptions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(length=8), nullable=False),
        sa.Column("battle_id", sa.String(length=16), nullable=True),
        sa.Column("seat", sa.String(length=80), nullable=True),
        sa.Column("generation", sa.Integer(), nullable=True),
        sa.Column("pass_id", sa.Integer(), nullable=True),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("place", sa.String(length=400), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("language", sa.String(length=8), nullable=False),
        sa.Column("zone", sa.String(length=64), nullable=False),
        sa.Column("topics", sa.Text(), nullable=False),
        sa.Column("digest_hour", sa.Integer(), nullable=True),
        sa.Column("quiet_from", sa.Integer(), nullable=True),
        sa.Column("quiet_to", sa.Integer(), nullable=True),
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.Column("confirm", sa.String(length=64), nullable=True),
        sa.Column("stopped", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["battle_id"], ["battles.id"], name="fk_subscriptions_battle_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["pass_id"], ["passes.id"], name="fk_subscriptions_pass_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_subscriptions_account_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_subscriptions"),
        sa.UniqueConstraint("token", name="uq_subscriptions_token"),
        sa.UniqueConstraint("confirm", name="uq_subscriptions_confirm"),
    )
    op.create_index("ix_subscriptions_battle_id_seat", "subscriptions", ["battle_id", "seat"], unique=False)
    op.create_index("ix_subscriptions_account_id", "subscriptions", ["account_id"], unique=False)
    with op.batch_alter_table("outbox") as outbox:
        outbox.add_column(sa.Column("subscription_id", sa.Integer(), nullable=True))
        outbox.add_column(sa.Column("batch", sa.Integer(), nullable=True))
        outbox.create_foreign_key(
            "fk_outbox_subscription_id", "subscriptions", ["subscription_id"], ["id"], ondelete="SET NULL"
        )
        outbox.create_index("ix_outbox_subscription_id", ["subscription_id"])
        outbox.create_index("ix_outbox_batch", ["batch"])


def downgrade() -> None:
    op.execute("DELETE FROM outbox WHERE what = 'notice'")
    with op.batch_alter_table("outbox") as outbox:
        outbox.drop_index("ix_outbox_batch")
        outbox.drop_index("ix_outbox_subscription_id")
        outbox.drop_constraint("fk_outbox_subscription_id", type_="foreignkey")
        outbox.drop_column("batch")
        outbox.drop_column("subscription_id")
    op.drop_index("ix_subscriptions_account_id", table_name="subscriptions")
    op.drop_index("ix_subscriptions_battle_id_seat", table_name="subscriptions")
    op.drop_table("subscriptions")
