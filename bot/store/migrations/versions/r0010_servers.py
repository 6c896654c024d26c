"""Let those who run a server decide for it, on the record; note which tables were brought in."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_LARGE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the tables and the column."""
    op.add_column("game", sa.Column("imported", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "server",
        sa.Column("guild", sa.String(), primary_key=True),
        sa.Column("rules", sa.Text(), nullable=False),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("guild", sa.String(), nullable=False),
        sa.Column("at", _LARGE, nullable=False),
        sa.Column("user", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
    )
    op.create_index("ix_audit_guild", "audit", ["guild"])


def downgrade() -> None:
    """Drop them."""
    op.drop_table("audit")
    op.drop_table("server")
    with op.batch_alter_table("game") as game:
        game.drop_column("imported")
