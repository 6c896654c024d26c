"""Run the migrations on the connection that ``bot.store.migrate`` hands over."""

from alembic import context
from sqlmodel import SQLModel

from bot.store import tables

assert tables.GameRow.metadata is SQLModel.metadata  # the import fills the metadata
context.configure(
    connection=context.config.attributes["connection"], target_metadata=SQLModel.metadata, render_as_batch=True
)
with context.begin_transaction():
    context.run_migrations()
