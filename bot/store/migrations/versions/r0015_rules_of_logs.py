"""Mark that each game has the version of the rules that plays its log whole, and note why a thread takes nothing.

The version is found by ``bot.store.migrate`` in the same transaction, as only the program can play a log.
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("game", sa.Column("barred", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    """Drop it."""
    with op.batch_alter_table("game") as game:
        game.drop_column("barred")
