"""Let a draft hold the moves that its owner has put aside to make them in one go."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("draft", sa.Column("basket", sa.Text(), nullable=False, server_default="[]"))


def downgrade() -> None:
    """Drop it."""
    with op.batch_alter_table("draft") as draft:
        draft.drop_column("basket")
