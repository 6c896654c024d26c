"""Let a person have addresses of their own, and owe letters to them."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

_LARGE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "contact",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("address", sa.String(), nullable=False, unique=True),
        sa.Column("user", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("until", _LARGE, nullable=False),
        sa.Column("asked", _LARGE, nullable=False),
    )
    op.create_index("ix_contact_user", "contact", ["user"])
    op.create_table(
        "letter",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False, unique=True),
        sa.Column("user", sa.String(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("offers", sa.Text(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("due", _LARGE, nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("handed", sa.Integer(), nullable=False),
        sa.Column("error", sa.String(), nullable=False),
        sa.Column("created", _LARGE, nullable=False),
        sa.Column("sent", _LARGE, nullable=True),
    )
    op.create_index("ix_letter_state_due", "letter", ["state", "due"])


def downgrade() -> None:
    """Drop them."""
    op.drop_table("letter")
    op.drop_table("contact")
