"""Bring the tables of the store to today's form, from within the program."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.engine import Connection


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


def revisions(connection: Connection) -> tuple[str | None, str | None]:
    """Return the revision the store has and the one it should have."""
    script = ScriptDirectory.from_config(configuration())
    return MigrationContext.configure(connection).get_current_revision(), script.get_current_head()
