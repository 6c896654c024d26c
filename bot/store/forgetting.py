"""Notes of people, and forgetting all that is known of one."""

import re
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, delete, or_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.store import posted
from bot.store.rows import change_rows, put
from bot.store.tables import (
    AuditRow,
    CallsRow,
    ContactRow,
    DraftRow,
    GameRow,
    InviteRow,
    LogRow,
    OrderRow,
    OutboxRow,
    OwnNoteRow,
    ProposalRow,
    ScoreRow,
    SeatRow,
    StyleRow,
    VoteRow,
)

FORMER = "a former player"
_SENTENCES = msgspec.json.Decoder(list[str])
_TERMS = msgspec.json.Decoder(dict[str, Any])


async def note(session: AsyncSession, game: int, user: str) -> str:
    """Return the note that a person keeps at a table; empty if there is none."""
    row = await session.get(OwnNoteRow, (game, user))
    return "" if row is None else row.words


async def set_note(session: AsyncSession, game: int, user: str, words: str) -> None:
    """Keep a note; an empty one takes it away."""
    if words:
        await put(session, OwnNoteRow(game=game, user=user, words=words))
    else:
        await session.exec(delete(OwnNoteRow).where(col(OwnNoteRow.game) == game, col(OwnNoteRow.user) == user))


async def games_of(session: AsyncSession, user: str) -> list[int]:
    """Return the tables at which a person sits or sat, has acted for somebody, or is spoken of in a question."""
    sat = await session.exec(select(SeatRow.game).where((col(SeatRow.user) == user) | (col(SeatRow.proxy) == user)))
    acted = await session.exec(select(LogRow.game).where(LogRow.user == user).distinct())
    spoken_of = await session.exec(select(ProposalRow.game).where(_speaks_of(user)).distinct())
    return sorted({*sat, *acted, *spoken_of})


def _speaks_of(user: str) -> ColumnElement[bool]:
    """Return the condition that a proposal has a person's id: who asks, who is asked, whom it is about."""
    lists = (ProposalRow.needed, ProposalRow.voters, ProposalRow.terms)
    named = [col(each).contains(_json(user), autoescape=True) for each in lists]
    return or_(col(ProposalRow.proposer) == user, col(ProposalRow.absent) == user, *named)


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


async def invited_to(session: AsyncSession, user: str) -> list[int]:
    """Return the tables to which a person is invited."""
    return list(await session.exec(select(InviteRow.game).where(InviteRow.user == user)))


async def forget_at(session: AsyncSession, game: int, user: str) -> None:
    """Take a person's name and id from a table: its seats, its log in words, what it owes and asks."""
    seats = (await session.exec(select(SeatRow).where(SeatRow.game == game))).all()
    names = {row.name for row in seats if row.user == user} | {row.proxy_name for row in seats if row.proxy == user}
    for row in seats:
        if row.user == user or (not row.user and row.name in names):
            row.user, row.name = "", FORMER
        if row.proxy == user:
            row.proxy, row.proxy_name = "", ""
        row.replaced_by = "" if row.replaced_by == user else row.replaced_by
        session.add(row)
    await session.flush()
    names -= {"", *(row.name for row in seats if row.user and row.user != user)}
    await _unname(session, game, names)
    await _unask(session, game, user, names)
    await change_rows(session, LogRow, col(LogRow.game) == game, col(LogRow.user) == user, user="")
    asked = select(ProposalRow.id).where(ProposalRow.game == game)
    mine = (col(OrderRow.game) == game, col(OrderRow.user) == user)
    await session.exec(delete(OrderRow).where(*mine))
    await session.exec(delete(VoteRow).where(col(VoteRow.proposal).in_(asked), col(VoteRow.user) == user))
    await session.exec(delete(OutboxRow).where(col(OutboxRow.game) == game, col(OutboxRow.kind) == "whisper"))


async def become_at(session: AsyncSession, game: int, before: str, after: str) -> None:
    """Let all that a person has at a table be another's, who is the same: seats, log, votes, place as a host."""
    invited = await session.get(InviteRow, (game, before))
    if invited is not None and await session.get(InviteRow, (game, after)) is None:
        session.add(InviteRow(game=game, user=after, at=invited.at))
        await session.flush()
    await session.exec(delete(InviteRow).where(col(InviteRow.game) == game, col(InviteRow.user) == before))
    changes = (
        (SeatRow, "user"), (SeatRow, "proxy"), (SeatRow, "replaced_by"), (LogRow, "user"), (OrderRow, "user"),
        (ScoreRow, "user"),
    )  # fmt: skip
    for table, column in changes:
        theirs = (col(table.game) == game, getattr(table, column) == before)
        await change_rows(session, table, *theirs, **{column: after})
    await change_rows(session, GameRow, col(GameRow.id) == game, col(GameRow.host) == before, host=after)


async def _unask(session: AsyncSession, game: int, user: str, names: set[str]) -> None:
    """Take a person's id and names out of what was asked at a table, which is settled by now."""
    for row in (await session.exec(select(ProposalRow).where(ProposalRow.game == game))).all():
        terms = _TERMS.decode(row.terms)
        if terms.get("user") == user:  # they may never have sat here
            terms |= {"user": "", "name": FORMER}
        row.terms = _json({key: value if key == "ask" else _unnamed(value, names) for key, value in terms.items()})
        row.needed, row.voters = (each.replace(_json(user), _json("")) for each in (row.needed, row.voters))
        row.proposer, row.absent = ("" if each == user else each for each in (row.proposer, row.absent))
        session.add(row)
    await session.flush()


async def _unname(session: AsyncSession, game: int, names: set[str]) -> None:
    """Write what was told of a game without a person's names."""
    for row in (await session.exec(select(LogRow).where(LogRow.game == game))).all():
        row.told = _json(_unnamed(_SENTENCES.decode(row.told), names))
        session.add(row)
    await session.flush()


def _unnamed(said: object, names: set[str]) -> object:
    """Return a sentence, or several, without names."""
    if isinstance(said, list):
        return [_unnamed(each, names) for each in said]
    if not isinstance(said, str) or not names:
        return said
    return re.sub(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(names)))})(?!\w)", FORMER, said)


async def forget(session: AsyncSession, user: str) -> None:
    """Drop what a person wished for themselves, their invitations and notes, and their name as a host."""
    for table in (CallsRow, StyleRow, InviteRow, OwnNoteRow, DraftRow):
        await session.exec(delete(table).where(col(table.user) == user))
    await change_rows(session, ScoreRow, col(ScoreRow.user) == user, user="", name=FORMER)
    await change_rows(session, AuditRow, col(AuditRow.user) == user, user="", name=FORMER)
    await posted.forget_letters(session, user)
    await session.exec(delete(ContactRow).where(col(ContactRow.user) == user))
    await change_rows(session, GameRow, col(GameRow.host) == user, host="")
