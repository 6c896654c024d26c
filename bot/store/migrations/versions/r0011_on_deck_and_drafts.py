"""Let people be called when they are next, and keep the move they have in the making."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column and the table."""
    op.add_column("calls", sa.Column("on_deck", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "draft",
        sa.Column("game", sa.Integer(), sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("user", sa.String(), primary_key=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("typed", sa.Text(), nullable=False),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("draft")
    with op.batch_alter_table("calls") as calls:
        calls.drop_column("on_deck")
