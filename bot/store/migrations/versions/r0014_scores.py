"""Keep the scores of finished games, for whoever asks how people play."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "score",
        sa.Column("game", sa.Integer(), sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True),
        sa.Column("user", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
    )
    op.create_index("ix_score_user", "score", ["user"])


def downgrade() -> None:
    """Drop it."""
    op.drop_table("score")
