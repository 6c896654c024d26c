"""Keep standing orders, and say of each entry of a log whether a program made it."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table and the column."""
    op.create_table(
        "standing_order",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game", sa.Integer(), sa.ForeignKey("game.id"), nullable=False),
        sa.Column("user", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
    )
    op.create_index("ix_standing_order_game", "standing_order", ["game"])
    op.add_column("log", sa.Column("made_by", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    """Drop them."""
    with op.batch_alter_table("log") as log:
        log.drop_column("made_by")
    op.drop_table("standing_order")
