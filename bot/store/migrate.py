"""Bring the tables of the store to today's form, from within the program."""

from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.engine import Connection

from engine import Record


class SchemaForm(Record, frozen=True):
    """The form a store has, and the one it should have.

    Args:
        has: ``None`` if it holds no tables. newer: it has a form that this program does not know.
    """

    has: str | None
    wants: str
    newer: bool


def configuration() -> Config:
    """Return Alembic's settings; the scripts lie in this package, wherever it is installed."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def upgrade(connection: Connection) -> None:
    """Run the migrations that are missing, in the transaction of the connection."""
    config = configuration()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def form_of(connection: Connection) -> SchemaForm:
    """Return the form the store has and the one it should have."""
    has = MigrationContext.configure(connection).get_current_revision()
    known = _known()
    return SchemaForm(has, known[0], has is not None and has not in known)


@cache
def _known() -> tuple[str, ...]:
    """Return the forms there are, today's first; the scripts do not change while the program runs."""
    return tuple(script.revision for script in ScriptDirectory.from_config(configuration()).walk_revisions())
