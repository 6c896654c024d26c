"""Let a table have a clock, and a seat be lent for one turn."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns."""
    op.add_column("game", sa.Column("clock", sa.Text(), nullable=False, server_default=""))
    op.add_column("seat", sa.Column("once", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    """Drop them."""
    with op.batch_alter_table("game") as game:
        game.drop_column("clock")
    with op.batch_alter_table("seat") as seat:
        seat.drop_column("once")
