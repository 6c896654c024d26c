"""Make the first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

TABLES = ("vote", "proposal", "outbox", "log", "invite", "seat", "style", "game")


def upgrade() -> None:
    """Make the first tables."""
    _make_games()
    _make_people()
    _make_log()
    _make_outbox()
    _make_proposals()


def downgrade() -> None:
    """Drop them all."""
    for table in TABLES:
        op.drop_table(table)


def _text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=nullable)


def _whole(name: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=nullable)


def _of_game() -> sa.Column[int]:
    return sa.Column("game", sa.Integer(), sa.ForeignKey("game.id"), nullable=False)


def _make_games() -> None:
    op.create_table(
        "game",
        sa.Column("id", sa.Integer(), primary_key=True),
        *(_text(name) for name in ("name", "title")),
        sa.Column("options", sa.Text(), nullable=False),
        *(_whole(name) for name in ("seed", "rules", "places")),
        *(_text(name) for name in ("host", "state", "pace", "privacy", "seating")),
        *(_text(name) for name in ("guild", "channel", "thread", "message")),
        *(_whole(name) for name in ("created", "expires")),
        *(_whole(name, nullable=True) for name in ("started", "ended")),
        _whole("turn_from"),
        *(_text(name) for name in ("fingerprint", "reason")),
        sa.Column("interaction", sa.String(), nullable=True, unique=True),
    )
    op.create_index("ix_game_state", "game", ["state"])
    op.create_index("ix_game_thread", "game", ["thread"])


def _make_people() -> None:
    op.create_table(
        "seat",
        sa.Column("id", sa.Integer(), primary_key=True),
        _of_game(),
        _whole("number"),
        *(_text(name) for name in ("user", "name")),
        _whole("joined"),
        _whole("gone", nullable=True),
        _text("replaced_by", nullable=True),
    )
    op.create_index("ix_seat_game", "seat", ["game"])
    op.create_index("ix_seat_user", "seat", ["user"])
    op.create_table(
        "invite",
        sa.Column("game", sa.Integer(), sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("user", sa.String(), primary_key=True),
        _whole("at"),
    )
    op.create_table(
        "style",
        sa.Column("user", sa.String(), primary_key=True),
        _text("palette"),
        sa.Column("text_first", sa.Boolean(), nullable=False),
    )


def _make_log() -> None:
    op.create_table(
        "log",
        sa.Column("id", sa.Integer(), primary_key=True),
        _of_game(),
        *(_whole(name) for name in ("seq", "seat")),
        _text("user"),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("told", sa.Text(), nullable=False),
        sa.Column("interaction", sa.String(), nullable=True, unique=True),
        _whole("at"),
        sa.UniqueConstraint("game", "seq", name="uq_log_game_seq"),
    )


def _make_outbox() -> None:
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), primary_key=True),
        _of_game(),
        sa.Column("key", sa.String(), nullable=False, unique=True),
        _text("kind"),
        sa.Column("payload", sa.Text(), nullable=False),
        _text("state"),
        *(_whole(name) for name in ("due", "revision", "attempts")),
        *(_text(name) for name in ("error", "channel", "message")),
        _whole("created"),
        _whole("sent", nullable=True),
    )
    op.create_index("ix_outbox_game", "outbox", ["game"])
    op.create_index("ix_outbox_state_due", "outbox", ["state", "due"])


def _make_proposals() -> None:
    op.create_table(
        "proposal",
        sa.Column("id", sa.Integer(), primary_key=True),
        _of_game(),
        _text("proposer"),
        *(_whole(name) for name in ("back_to", "version")),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("needed", "lost")),
        _text("state"),
        *(_whole(name) for name in ("created", "expires")),
        sa.Column("interaction", sa.String(), nullable=True, unique=True),
    )
    op.create_index("ix_proposal_game", "proposal", ["game"])
    op.create_table(
        "vote",
        sa.Column("proposal", sa.Integer(), sa.ForeignKey("proposal.id"), primary_key=True),
        sa.Column("user", sa.String(), primary_key=True),
        sa.Column("yes", sa.Boolean(), nullable=False),
        _whole("at"),
    )
