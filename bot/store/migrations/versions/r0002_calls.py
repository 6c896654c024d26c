"""Note when each person may be called."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "calls",
        sa.Column("user", sa.String(), nullable=False),
        sa.Column("reminders", sa.Boolean(), nullable=False),
        sa.Column("quiet_from", sa.Integer(), nullable=False),
        sa.Column("quiet_to", sa.Integer(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("user"),
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_table("calls")
