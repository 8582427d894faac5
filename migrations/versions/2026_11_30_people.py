"""Accounts that sign in, and game masters."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026_11_30_people"
down_revision = "2026_11_30_judgement"
branch_labels = None
depends_on = None

FIRST_MASTERS = """
INSERT INTO masters (battle_id, number, key_hash, account_id, plays, added_at)
SELECT id, 1, master_hash, account_id, false, created_at FROM battles WHERE master_hash <> ''
"""


def upgrade() -> None:
    with op.batch_alter_table("accounts") as accounts:
        accounts.add_column(sa.Column("password", sa.String(length=200), nullable=True))
        accounts.add_column(sa.Column("mail", sa.String(length=254), nullable=True))
        accounts.add_column(sa.Column("zone", sa.String(length=64), nullable=False, server_default="UTC"))
        accounts.add_column(sa.Column("language", sa.String(length=8), nullable=False, server_default="en"))
    op.create_index("uq_accounts_mail", "accounts", ["mail"], unique=True)
    with op.batch_alter_table("seats") as seats:
        seats.add_column(sa.Column("key_salt", sa.String(length=32), nullable=True))
        seats.add_column(sa.Column("account_id", sa.Integer(), nullable=True))
        seats.create_foreign_key("fk_seats_account_id", "accounts", ["account_id"], ["id"], ondelete="SET NULL")
    op.create_index("ix_seats_account_id", "seats", ["account_id"], unique=False)
    op.create_table(
        "masters",
        sa.Column("battle_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=True),
        sa.Column("key_hash", sa.String(length=64), nullable=False),
        sa.Column("wrapped", sa.String(length=64), nullable=True),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("plays", sa.Boolean(), nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["battle_id"], ["battles.id"], name="fk_masters_battle_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_masters_account_id", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("battle_id", "number", name="pk_masters"),
        sa.UniqueConstraint("key_hash", name="uq_masters_key_hash"),
    )
    op.create_index("ix_masters_account_id", "masters", ["account_id"], unique=False)
    op.execute(FIRST_MASTERS)
    op.create_table(
        "signed_in",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("browser", sa.String(length=80), nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_signed_in_account_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_signed_in"),
        sa.UniqueConstraint("hash", name="uq_signed_in_hash"),
    )
    op.create_index("ix_signed_in_account_id", "signed_in", ["account_id"], unique=False)
    op.create_table(
        "entries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("purpose", sa.String(length=8), nullable=False),
        sa.Column("mail", sa.String(length=254), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=True),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_entries_account_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_entries"),
        sa.UniqueConstraint("hash", name="uq_entries_hash"),
    )
    op.create_index("ix_entries_account_id", "entries", ["account_id"], unique=False)


def downgrade() -> None:
    op.drop_table("entries")
    op.drop_table("signed_in")
    op.drop_table("masters")
    with op.batch_alter_table("seats") as seats:
        seats.drop_index("ix_seats_account_id")
        seats.drop_constraint("fk_seats_account_id", type_="foreignkey")
        seats.drop_column("account_id")
        seats.drop_column("key_salt")
    op.drop_index("uq_accounts_mail", table_name="accounts")
    for column in ("language", "zone", "mail", "password"):
        op.drop_column("accounts", column)
