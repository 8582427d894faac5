"""Notices for all that an account holds, and to who asks for a seat; names of accounts that look the same."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from app.referee.names import digest_of_looks

revision = "2026_11_30_persons"
down_revision = "2026_11_30_openings"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "hushes",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("battle_id", sa.String(length=16), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_hushes_account_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["battle_id"], ["battles.id"], name="fk_hushes_battle_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "battle_id", name="pk_hushes"),
    )
    op.create_index("ix_hushes_battle_id", "hushes", ["battle_id"], unique=False)
    with op.batch_alter_table("subscriptions") as subscriptions:
        subscriptions.add_column(sa.Column("asking_id", sa.Integer(), nullable=True))
        subscriptions.create_foreign_key("fk_subscriptions_asking_id", "askings", ["asking_id"], ["id"], ondelete="CASCADE")
        subscriptions.create_index("ix_subscriptions_asking_id", ["asking_id"])
    with op.batch_alter_table("accounts") as accounts:
        accounts.add_column(sa.Column("looks", sa.String(length=64), nullable=True))
        accounts.create_unique_constraint("uq_accounts_looks", ["looks"])
    _fill()


def _fill() -> None:
    """Of names that look the same the oldest has it: the others stay as they are, and nobody new joins them."""
    accounts = sa.table("accounts", sa.column("id", sa.Integer), sa.column("name", sa.String), sa.column("looks", sa.String))
    connection = op.get_bind()
    seen: dict[str, int] = {}
    for row in connection.execute(sa.select(accounts.c.id, accounts.c.name).order_by(accounts.c.id)).all():
        seen.setdefault(digest_of_looks(row.name), row.id)
    for looks, account_id in seen.items():
        connection.execute(sa.update(accounts).where(accounts.c.id == account_id).values(looks=looks))


def downgrade() -> None:
    op.execute(
        "DELETE FROM outbox WHERE what = 'notice' AND done_at IS NULL AND subscription_id IN "
        "(SELECT id FROM subscriptions WHERE role IN ('account', 'asking'))"
    )
    op.execute("DELETE FROM subscriptions WHERE role IN ('account', 'asking')")
    with op.batch_alter_table("accounts") as accounts:
        accounts.drop_constraint("uq_accounts_looks", type_="unique")
        accounts.drop_column("looks")
    with op.batch_alter_table("subscriptions") as subscriptions:
        subscriptions.drop_index("ix_subscriptions_asking_id")
        subscriptions.drop_constraint("fk_subscriptions_asking_id", type_="foreignkey")
        subscriptions.drop_column("asking_id")
    op.drop_index("ix_hushes_battle_id", table_name="hushes")
    op.drop_table("hushes")
