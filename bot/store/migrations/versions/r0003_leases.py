"""Let several processes share a store: leases, notes, one holder a seat, numbers of 64 bits."""

from collections import defaultdict

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

LARGE = {
    "game": ("seed", "created", "expires", "started", "ended"),
    "seat": ("joined", "gone"),
    "invite": ("at",),
    "log": ("at",),
    "outbox": ("due", "created", "sent"),
    "proposal": ("created", "expires"),
    "vote": ("at",),
}
"""Columns that need 64 bits; SQLite's integers have them anyway."""


def upgrade() -> None:
    """Make the tables, the column and the index."""
    op.create_table(
        "lease",
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("holder", sa.String(), nullable=False),
        sa.Column("until", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
    )
    op.create_table(
        "note", sa.Column("name", sa.String(), primary_key=True), sa.Column("words", sa.Text(), nullable=False)
    )
    op.add_column("outbox", sa.Column("handed", sa.Integer(), nullable=False, server_default="0"))
    _tell_seats_apart()
    held = sa.text("gone IS NULL")
    op.create_index("uq_seat_held", "seat", ["game", "number"], unique=True, sqlite_where=held, postgresql_where=held)
    if op.get_bind().dialect.name == "postgresql":
        for table, columns in LARGE.items():
            for column in columns:
                op.alter_column(table, column, type_=sa.BigInteger())


def downgrade() -> None:
    """Take them away; what is large stays large."""
    op.drop_index("uq_seat_held", "seat")
    with op.batch_alter_table("outbox") as outbox:
        outbox.drop_column("handed")
    op.drop_table("note")
    op.drop_table("lease")


def _tell_seats_apart() -> None:
    """Renumber seats that two people hold: in a race two could once sit down on one."""
    seat = sa.table("seat", sa.column("id"), sa.column("game"), sa.column("number"), sa.column("gone"))
    held = op.get_bind().execute(
        sa.select(seat.c.id, seat.c.game, seat.c.number).where(seat.c.gone.is_(None)).order_by(seat.c.id)
    )
    taken: defaultdict[int, set[int]] = defaultdict(set)
    for row in held.all():
        number = row.number
        if number in taken[row.game]:
            number = max(taken[row.game]) + 1
            op.execute(seat.update().where(seat.c.id == row.id).values(number=number))
        taken[row.game].add(number)
