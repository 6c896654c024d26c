"""Let people ask each other for more than moves back, and let somebody act for a seat."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_NEW = (
    ("subject", sa.String(), ""),
    ("terms", sa.Text(), ""),
    ("voters", sa.Text(), "[]"),
    ("enough", sa.Integer(), "0"),
    ("absent", sa.String(), ""),
)
_OF_SEATS = ("proxy", "proxy_name")


def upgrade() -> None:
    """Write the requests to take moves back as terms."""
    for name, kind, default in _NEW:
        op.add_column("proposal", sa.Column(name, kind, nullable=False, server_default=default))
    proposal = sa.table("proposal", *(sa.column(name) for name in ("id", "back_to", "lost", "subject", "terms")))
    for row in op.get_bind().execute(sa.select(proposal.c.id, proposal.c.back_to, proposal.c.lost)).all():
        lost = json.loads(row.lost)
        terms = json.dumps({"ask": "takeback", "to": row.back_to, "lost": lost, "count": len(lost)})
        op.execute(proposal.update().where(proposal.c.id == row.id).values(subject="takeback", terms=terms))
    with op.batch_alter_table("proposal") as table:
        table.drop_column("back_to")
        table.drop_column("lost")
    for name in _OF_SEATS:
        op.add_column("seat", sa.Column(name, sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    """Write them as they were; what else was asked is forgotten."""
    with op.batch_alter_table("seat") as seat:
        for name in _OF_SEATS:
            seat.drop_column(name)
    for name, kind, default in (("back_to", sa.Integer(), "0"), ("lost", sa.Text(), "[]")):
        op.add_column("proposal", sa.Column(name, kind, nullable=False, server_default=default))
    op.execute("DELETE FROM vote WHERE proposal IN (SELECT id FROM proposal WHERE subject <> 'takeback')")
    op.execute("DELETE FROM proposal WHERE subject <> 'takeback'")
    proposal = sa.table("proposal", *(sa.column(name) for name in ("id", "back_to", "lost", "terms")))
    for row in op.get_bind().execute(sa.select(proposal.c.id, proposal.c.terms)).all():
        terms = json.loads(row.terms)
        lost = json.dumps(terms["lost"])
        op.execute(proposal.update().where(proposal.c.id == row.id).values(back_to=terms["to"], lost=lost))
    with op.batch_alter_table("proposal") as table:
        for name, _, _ in _NEW:
            table.drop_column(name)
