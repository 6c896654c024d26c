"""Bring the tables of the store to today's form, from within the program."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import MetaData
from sqlalchemy.engine import Connection
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.readings import SetAside, settle
from engine import Record


class SchemaForm(Record, frozen=True):
    """The form a store has, and the one it should have.

    Args:
        has: ``None`` if it holds no tables. newer: it has a form that this program does not know.
    """

    has: str | None
    wants: str
    newer: bool

    @property
    def is_todays(self) -> bool:
        """Whether it is the form that it should be."""
        return self.has == self.wants


BeforeMigrating = Callable[[SchemaForm], AbstractAsyncContextManager[SetAside | None]]
"""What surrounds the migration of an older store, within its transaction: a copy is kept first, for instance.

It gives what keeps games that cannot be played; ``None`` if they are to stop the migration."""


def configuration() -> Config:
    """Return Alembic's settings; the scripts lie in this package, wherever it is installed."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


async def bring_up_to_date(connection: AsyncConnection, around: BeforeMigrating) -> None:
    """Bring the tables to today's form, in the transaction of the connection; a store without any gets them."""
    form = await connection.run_sync(form_of)
    if form.is_todays:
        return  # another process was faster
    if form.has is None:
        await connection.run_sync(upgrade)
        return
    async with around(form) as set_aside:
        await connection.run_sync(upgrade)
        await settle(connection, set_aside)


def upgrade(connection: Connection, form: str = "head") -> None:
    """Run the migrations that are missing, in the transaction of the connection."""
    config = configuration()
    config.attributes["connection"] = connection
    command.upgrade(config, form)


def rebuild(connection: Connection, form: str) -> None:
    """Drop all tables and make those of an older form, without rows, in the transaction of the connection."""
    there = MetaData()
    there.reflect(connection)
    there.drop_all(connection)
    upgrade(connection, form)


def form_of(connection: Connection) -> SchemaForm:
    """Return the form the store has and the one it should have."""
    has = MigrationContext.configure(connection).get_current_revision()
    known = _known()
    return SchemaForm(has, known[0], has is not None and has not in known)


@cache
def _known() -> tuple[str, ...]:
    """Return the forms there are, today's first; the scripts do not change while the program runs."""
    return tuple(script.revision for script in ScriptDirectory.from_config(configuration()).walk_revisions())
