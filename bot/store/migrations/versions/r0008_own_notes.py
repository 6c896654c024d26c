"""Let people keep a note of their own at each table."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "own_note",
        sa.Column("game", sa.Integer(), sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("user", sa.String(), primary_key=True),
        sa.Column("words", sa.Text(), nullable=False),
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_table("own_note")
