"""Mark that each game has the version of the rules that plays its log whole; ``bot.store.readings`` finds it."""

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change no table: only the program can play a log, and it does so in the same transaction."""


def downgrade() -> None:
    """Change no table."""
