"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_30_first_tables"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_accounts"),
        sa.UniqueConstraint("name", name="uq_accounts_name"),
    )
    op.create_table(
        "heartbeats",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_heartbeats"),
    )
    op.create_table(
        "battles",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("ruleset", sa.String(length=40), nullable=False),
        sa.Column("ruleset_version", sa.String(length=20), nullable=False),
        sa.Column("scenario_key", sa.String(length=80), nullable=False),
        sa.Column("scenario", sa.Text(), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("deadline", sa.DateTime(timezone=True), nullable=True),
        sa.Column("turn_hours", sa.Integer(), nullable=True),
        sa.Column("zone", sa.String(length=64), nullable=False),
        sa.Column("review", sa.Boolean(), nullable=False),
        sa.Column("early", sa.Boolean(), nullable=False),
        sa.Column("given_seed", sa.String(length=128), nullable=True),
        sa.Column("master_hash", sa.String(length=64), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("points", sa.Text(), nullable=False),
        sa.Column("winner", sa.String(length=80), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_battles_account_id", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name="pk_battles"),
        sa.UniqueConstraint("master_hash", name="uq_battles_master_hash"),
    )
    op.create_index("ix_battles_account_id", "battles", ["account_id"], unique=False)
    op.create_index("ix_battles_created_at", "battles", ["created_at"], unique=False)
    op.create_index("ix_battles_status_deadline", "battles", ["status", "deadline"], unique=False)
    op.create_table(
        "tokens",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_tokens_account_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_tokens"),
        sa.UniqueConstraint("hash", name="uq_tokens_hash"),
    )
    op.create_index("ix_tokens_account_id", "tokens", ["account_id"], unique=False)
    op.create_table(
        "events",
        sa.Column("battle_id", sa.String(length=16), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("dice", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["battle_id"], ["battles.id"], name="fk_events_battle_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("battle_id", "turn", name="pk_events"),
    )
    op.create_table(
        "log",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("battle_id", sa.String(length=16), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("who", sa.String(length=12), nullable=False),
        sa.Column("what", sa.String(length=40), nullable=False),
        sa.Column("params", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["battle_id"], ["battles.id"], name="fk_log_battle_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_log"),
    )
    op.create_index("ix_log_battle_id_id", "log", ["battle_id", "id"], unique=False)
    op.create_table(
        "rulings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("battle_id", sa.String(length=16), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("rule", sa.String(length=40), nullable=True),
        sa.Column("changes", sa.Text(), nullable=False),
        sa.Column("stage", sa.String(length=12), nullable=False),
        sa.Column("events", sa.Text(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["battle_id"], ["battles.id"], name="fk_rulings_battle_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_rulings"),
    )
    op.create_index("ix_rulings_battle_id_turn", "rulings", ["battle_id", "turn"], unique=False)
    op.create_table(
        "seats",
        sa.Column("battle_id", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.String(length=80), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("side", sa.String(length=80), nullable=False),
        sa.Column("holder", sa.String(length=80), nullable=True),
        sa.Column("key_hash", sa.String(length=64), nullable=False),
        sa.Column("key_generation", sa.Integer(), nullable=False),
        sa.Column("ready_turn", sa.Integer(), nullable=False),
        sa.Column("ready_revision", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["battle_id"], ["battles.id"], name="fk_seats_battle_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("battle_id", "seat", name="pk_seats"),
        sa.UniqueConstraint("key_hash", name="uq_seats_key_hash"),
    )
    op.create_table(
        "sheets",
        sa.Column("battle_id", sa.String(length=16), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(length=80), nullable=False),
        sa.Column("request", sa.String(length=80), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("orders", sa.Text(), nullable=False),
        sa.Column("nonce", sa.String(length=64), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("entered_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("entered_by", sa.String(length=12), nullable=False),
        sa.Column("ordered", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["battle_id"], ["battles.id"], name="fk_sheets_battle_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("battle_id", "turn", "seat", "request", "revision", name="pk_sheets"),
    )
    op.create_table(
        "states",
        sa.Column("battle_id", sa.String(length=16), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("amended", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["battle_id"], ["battles.id"], name="fk_states_battle_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("battle_id", "turn", name="pk_states"),
    )
    op.create_table(
        "turns",
        sa.Column("battle_id", sa.String(length=16), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("secret", sa.LargeBinary(length=32), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("resolved_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("resolved_by", sa.String(length=12), nullable=True),
        sa.Column("published_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("seed", sa.String(length=64), nullable=True),
        sa.Column("counted", sa.Text(), nullable=True),
        sa.Column("points", sa.Text(), nullable=True),
        sa.Column("winner", sa.String(length=80), nullable=True),
        sa.Column("version", sa.String(length=20), nullable=True),
        sa.ForeignKeyConstraint(["battle_id"], ["battles.id"], name="fk_turns_battle_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("battle_id", "turn", name="pk_turns"),
    )


def downgrade() -> None:
    op.drop_table("turns")
    op.drop_table("states")
    op.drop_table("sheets")
    op.drop_table("seats")
    op.drop_index("ix_rulings_battle_id_turn", table_name="rulings")
    op.drop_table("rulings")
    op.drop_index("ix_log_battle_id_id", table_name="log")
    op.drop_table("log")
    op.drop_table("events")
    op.drop_index("ix_tokens_account_id", table_name="tokens")
    op.drop_table("tokens")
    op.drop_index("ix_battles_status_deadline", table_name="battles")
    op.drop_index("ix_battles_created_at", table_name="battles")
    op.drop_index("ix_battles_account_id", table_name="battles")
    op.drop_table("battles")
    op.drop_table("heartbeats")
    op.drop_table("accounts")
