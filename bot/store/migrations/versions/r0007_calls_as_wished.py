"""Let people say where, how soon and how often they are called, and when they are away."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_LARGE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_NEW = (
    ("place", sa.String(), "table"),
    ("delay", sa.Integer(), "0"),
    ("every", sa.Integer(), "0"),
    ("most", sa.Integer(), "5"),
    ("digest", sa.Integer(), "-1"),
    ("digested", sa.String(), ""),
    ("away_from", _LARGE, "0"),
    ("away_to", _LARGE, "0"),
    ("away_note", sa.String(), ""),
)


def upgrade() -> None:
    """Add the columns."""
    for name, kind, default in _NEW:
        op.add_column("calls", sa.Column(name, kind, nullable=False, server_default=default))


def downgrade() -> None:
    """Drop them."""
    with op.batch_alter_table("calls") as calls:
        for name, _, _ in _NEW:
            calls.drop_column(name)
