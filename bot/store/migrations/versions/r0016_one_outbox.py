"""Keep letters in the outbox, with the posts of tables; one made before keeps its number beside its id."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

_TAG = '{"post":"letter",'
_LARGE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_SAME = "key, user, offers, state, due, attempts, handed, error, created, sent"
_QUOTED = _SAME.replace("key, user", '"key", "user"')


def upgrade() -> None:
    """Add the columns and move the letters: their ids come after those of all posts."""
    with op.batch_alter_table("outbox") as outbox:
        outbox.add_column(sa.Column("batch", sa.String(), nullable=False, server_default=""))
        outbox.add_column(sa.Column("user", sa.String(), nullable=False, server_default=""))
        outbox.add_column(sa.Column("offers", sa.Text(), nullable=False, server_default=""))
        outbox.add_column(sa.Column("number", sa.Integer(), nullable=True))
        outbox.alter_column("game", existing_type=sa.Integer(), nullable=True)
    op.execute("UPDATE outbox SET batch = CASE kind WHEN 'expire' THEN 'expiries' ELSE 'posts:' || game END")
    op.execute(
        f"""INSERT INTO outbox (id, number, game, kind, batch, payload, revision, channel, message, {_QUOTED})
        SELECT id + (SELECT coalesce(max(id), 0) FROM outbox), id, nullif(game, 0), 'letter', 'letters',
        '{_TAG}' || substr(payload, 2), 0, '', '', {_QUOTED} FROM letter"""  # noqa: S608  # names of ours
    )
    if op.get_bind().dialect.name == "postgresql":
        op.execute("SELECT setval(pg_get_serial_sequence('outbox', 'id'), coalesce(max(id), 0) + 1, false) FROM outbox")
    for columns in (["batch", "sent"], ["user"], ["number"]):
        op.create_index(f"ix_outbox_{'_'.join(columns)}", "outbox", columns)
    op.drop_table("letter")


def downgrade() -> None:
    """Move the letters back, each under the number by which it was sent."""
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
    op.execute(
        f"""INSERT INTO letter (id, game, payload, {_QUOTED})
        SELECT coalesce(number, id), coalesce(game, 0), '{{' || substr(payload, {len(_TAG) + 1}), {_QUOTED}
        FROM outbox WHERE batch = 'letters'"""  # noqa: S608  # names of ours
    )
    op.execute("DELETE FROM outbox WHERE batch = 'letters'")
    op.create_index("ix_letter_state_due", "letter", ["state", "due"])
    for columns in ("batch_sent", "user", "number"):
        op.drop_index(f"ix_outbox_{columns}", "outbox")
    with op.batch_alter_table("outbox") as outbox:
        for column in ("batch", "user", "offers", "number"):
            outbox.drop_column(column)
        outbox.alter_column("game", existing_type=sa.Integer(), nullable=False)
