"""Alembic's entry: runs the steps on the connection that :mod:`crenel.store.database` hands over, and only there."""

from __future__ import annotations

from alembic import context

from crenel.store.schema import VERSION_TABLE, metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    render_as_batch=True,  # SQLite changes few things in place; a batch copies the table
    transactional_ddl=True,  # the caller holds the transaction, in SQLite too
)
with context.begin_transaction():
    context.run_migrations()
