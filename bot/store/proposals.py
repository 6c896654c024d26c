"""Proposals and votes in the database."""

from collections.abc import Sequence

import msgspec
from sqlalchemy import and_, bindparam, or_, update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.records import Proposal, Table, Vote
from bot.model.terms import AnyTerms, make_subject
from bot.store.rows import make_columns, make_record, upsert
from bot.store.tables import ProposalRow, VoteRow

UNDO = "takeback"
_OPEN = (
    select(ProposalRow)
    .where(col(ProposalRow.game) == bindparam("of_game"), col(ProposalRow.state) == "open")
    .order_by(col(ProposalRow.id))
)
_LAPSING = _OPEN.where(
    or_(
        col(ProposalRow.subject) == UNDO,
        and_(col(ProposalRow.absent) == bindparam("of_user"), col(ProposalRow.absent) != ""),
    )
)
_ACCEPTED = (
    select(ProposalRow)
    .where(
        col(ProposalRow.game) == bindparam("of_game"),
        col(ProposalRow.subject) == bindparam("about"),
        col(ProposalRow.state) == "accepted",
    )
    .order_by(col(ProposalRow.id).desc())
    .limit(1)
)


async def insert(session: AsyncSession, proposal: Proposal, now: int, interaction: str | None) -> int:
    """Store a new proposal; return its number."""
    columns = make_columns(proposal, ProposalRow)
    row = ProposalRow(**columns, subject=make_subject(proposal.terms), created=now, interaction=interaction)
    session.add(row)
    await session.flush()
    assert row.id is not None  # the flush has numbered it
    return row.id


async def fetch(session: AsyncSession, number: int) -> Proposal | None:
    """Return a proposal with its votes."""
    row = await session.get(ProposalRow, number) if 0 < number < 1 << 31 else None
    return None if row is None else await _read_proposal(session, row)


async def fetch_open(session: AsyncSession, game: int) -> list[Proposal]:
    """Return the open proposals of a game, oldest first."""
    rows = (await session.exec(_OPEN, params={"of_game": game})).all()
    return [await _read_proposal(session, row) for row in rows]


async def fetch_accepted(session: AsyncSession, game: int, about: AnyTerms) -> Proposal | None:
    """Return what was agreed last at a game about the subject of some terms."""
    row = (await session.exec(_ACCEPTED, params={"of_game": game, "about": make_subject(about)})).first()
    return None if row is None else await _read_proposal(session, row)


async def find_by_interaction(session: AsyncSession, interaction: str) -> Proposal | None:
    """Return the proposal that an interaction made."""
    row = (await session.exec(select(ProposalRow).where(ProposalRow.interaction == interaction))).first()
    return None if row is None else await _read_proposal(session, row)


async def list_expired(session: AsyncSession, now: int) -> Sequence[int]:
    """Return the numbers of the open proposals whose time is up."""
    rows = await session.exec(select(ProposalRow.id).where(ProposalRow.state == "open", ProposalRow.expires <= now))
    return [number for number in rows if number is not None]


async def _read_proposal(session: AsyncSession, row: ProposalRow) -> Proposal:
    votes = await session.exec(
        select(VoteRow.user, VoteRow.yes).where(VoteRow.proposal == row.id).order_by(col(VoteRow.at))
    )
    return make_record(Proposal, row.model_dump(), votes=[Vote(user, yes) for user, yes in votes])


async def record_vote(session: AsyncSession, number: int, user: str, now: int, *, yes: bool) -> None:
    """Note what a person says to a proposal; the last word counts."""
    await upsert(session, VoteRow(proposal=number, user=user, yes=yes, at=now))


async def settle(session: AsyncSession, number: int, state: str) -> None:
    """Settle an open proposal."""
    await session.exec(
        update(ProposalRow).where(col(ProposalRow.id) == number, col(ProposalRow.state) == "open").values(state=state)
    )


async def expire(session: AsyncSession, table: Table, user: str) -> list[Proposal]:
    """Let what a move of a user answers lapse, and what speaks of them as absent; return it as it is then.

    A move lapses the question whether moves may be taken back, the last one of a game all questions.
    """
    if not table.asked:
        return []
    if table.state == "finished":
        return await expire_all(session, table.id)
    lapsing = (await session.exec(_LAPSING, params={"of_game": table.id, "of_user": user})).all()
    gone = [await _read_proposal(session, row) for row in lapsing]
    for each in gone:
        await settle(session, each.id, "lapsed")
    return [msgspec.structs.replace(each, state="lapsed") for each in gone]


async def expire_all(session: AsyncSession, game: int) -> list[Proposal]:
    """Let everything lapse that is asked at a table; return it as it is then."""
    gone = await fetch_open(session, game)
    for each in gone:
        await settle(session, each.id, "lapsed")
    return [msgspec.structs.replace(each, state="lapsed") for each in gone]
