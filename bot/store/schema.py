"""The schema of a database: which it has, and the way to that of this version."""

from importlib.metadata import version

import sqlalchemy as sa
from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext
from sqlalchemy.engine import Connection

from bot.store.migrations import STEPS
from engine import Record

_VERSION = sa.Table("alembic_version", sa.MetaData(), sa.Column("version_num", sa.String(32), nullable=False))
_NOTE = sa.table("note", sa.column("name"), sa.column("words"))
_PROGRAM = "program"
"""The note of the version of the program that brought the tables to their schema; since 0.3."""
_VERSION.append_constraint(sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"))


class Schema(Record, frozen=True):
    """The schema that a database has, and the one that it should have.

    Args:
        found: its number; ``None`` if there are no tables.
        wanted: that of this version.
        program: version of the program that made a newer one, if that is known.
    """

    found: str | None
    wanted: str
    program: str = ""

    @property
    def is_current(self) -> bool:
        """Whether it is the schema that it should be."""
        return self.found == self.wanted

    @property
    def is_known(self) -> bool:
        """Whether there are no tables yet, or those of a release up to this one."""
        return self.found is None or self.found in STEPS

    @property
    def is_newer(self) -> bool:
        """Whether a later version wrote it."""
        return self.found is not None and self.found > self.wanted


def read_schema(connection: Connection) -> Schema:
    """Return the schema that a database has, and the one that it should have."""
    look = sa.inspect(connection)
    found = connection.execute(sa.select(_VERSION.c.version_num)).scalar() if look.has_table(_VERSION.name) else None
    schema = Schema(found, [*STEPS][-1])
    if schema.is_newer and look.has_table(_NOTE.name):
        note = connection.execute(sa.select(_NOTE.c.words).where(_NOTE.c.name == _PROGRAM)).scalar()
        return Schema(found, schema.wanted, note or "")
    return schema


def upgrade_schema(connection: Connection, wanted: str = "") -> None:
    """Take the steps that are missing, up to a schema, else to the last, in the transaction of the connection."""
    schema, op = read_schema(connection), Operations(MigrationContext.configure(connection))
    for number, step in STEPS.items():
        if (schema.found or "") < number <= (wanted or schema.wanted):
            step(op)
            _VERSION.create(connection, checkfirst=True)
            connection.execute(_VERSION.delete())
            connection.execute(_VERSION.insert().values(version_num=number))
    if not wanted:
        connection.execute(_NOTE.delete().where(_NOTE.c.name == _PROGRAM))
        connection.execute(_NOTE.insert().values(name=_PROGRAM, words=version("stationmaster")))


def rebuild_schema(connection: Connection, wanted: str) -> None:
    """Drop all tables and make those of an older schema, without rows, in the transaction of the connection."""
    there = sa.MetaData()
    there.reflect(connection)
    there.drop_all(connection)
    upgrade_schema(connection, wanted)
