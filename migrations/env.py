"""Run by `app.store.migrating`, which hands in a connection with its transaction begun and its lock held."""

from alembic import context

from app.store.models import Table

connection = context.config.attributes.get("connection")
if connection is None:
    raise SystemExit("Run `fieldpost migrate`: it knows the database, and takes the lock.")

# transactional_ddl: Alembic believes that SQLite cannot roll back a table; with our transactions it can.
context.configure(
    connection=connection,
    target_metadata=Table.metadata,
    render_as_batch=connection.dialect.name == "sqlite",
    compare_type=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
