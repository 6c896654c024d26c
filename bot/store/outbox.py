"""The posts owed: stored with the move, sent later, each once.

A post is ``owed`` until it is ``sent`` or ``dropped``. Replacing a post with
its key makes it owed again and keeps the id of its message, so that the
message is edited. After a crash the owed ones are simply sent; a sender that
died between Discord's answer and ``sent`` may give Discord the row's id as
nonce, so that the message is not made twice.
"""

from collections.abc import Sequence

import msgspec
from sqlalchemy import update
from sqlmodel import col, func, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.posts import AnyPost, Owed, Pictures, Ping, Turn, turn_key
from bot.records import Table
from bot.store.tables import OutboxRow
from engine import Record

MOST_AT_ONCE = 100


class Letter(Record, frozen=True):
    """A post as it lies in the outbox.

    Args:
        id: its number; use ``f"sm{id}.{revision}"`` as Discord's nonce.
        channel, message: where it was posted before; then edit it there.
        attempts: how often sending failed.
    """

    id: int
    game: int
    key: str
    post: AnyPost
    due: int
    revision: int
    attempts: int
    channel: str
    message: str


_decode = msgspec.json.Decoder(AnyPost).decode


async def owe(session: AsyncSession, posts: Sequence[Owed], now: int) -> None:
    """Put posts into the outbox; one with a known key replaces the earlier one."""
    for owed in posts:
        row = (await session.exec(select(OutboxRow).where(OutboxRow.key == owed.key))).first()
        if row is None:
            kind = type(owed.post).__name__.lower()
            row = OutboxRow(
                game=owed.post.game, key=owed.key, kind=kind, payload="", state="owed", due=owed.due, created=now
            )
        else:
            row.revision += 1
        row.payload = msgspec.json.encode(_still_loud(row, owed.post)).decode()
        row.state, row.due, row.attempts, row.error = "owed", owed.due, 0, ""
        session.add(row)
    await session.flush()


def _still_loud(row: OutboxRow, post: AnyPost) -> AnyPost:
    """Let a turn message that was not posted yet still ping, though it is replaced by a quiet one."""
    if isinstance(post, Turn) and row.payload and not row.message:
        before = _decode(row.payload)
        if isinstance(before, Turn) and not before.quiet:
            return msgspec.structs.replace(post, quiet=False)
    return post


async def close_turn(session: AsyncSession, old: Table) -> None:
    """Drop what is still owed for a turn that has passed: its ping, and its message if that was never posted."""
    turn = await find(session, turn_key(old.id, old.turn_from))
    await drop(session, old.id, (Turn, Ping) if turn is None or turn.message else (Turn, Ping, Pictures))


async def drop(session: AsyncSession, game: int, kinds: Sequence[type[AnyPost]]) -> None:
    """Drop the posts of some kinds that a table still owes."""
    names = [kind.__name__.lower() for kind in kinds]
    await session.exec(
        update(OutboxRow)
        .where(col(OutboxRow.game) == game, col(OutboxRow.state) == "owed", col(OutboxRow.kind).in_(names))
        .values(state="dropped")
    )


async def due(session: AsyncSession, now: int) -> list[Letter]:
    """Return the posts to send now, in the order they were owed."""
    rows = await session.exec(
        select(OutboxRow)
        .where(OutboxRow.state == "owed", OutboxRow.due <= now)
        .order_by(col(OutboxRow.due), col(OutboxRow.id))
        .limit(MOST_AT_ONCE)
    )
    return [_letter(row) for row in rows]


async def next_due(session: AsyncSession) -> int | None:
    """Return the moment the next post is due, ``None`` if none is owed."""
    return (await session.exec(select(func.min(OutboxRow.due)).where(OutboxRow.state == "owed"))).one()


async def find(session: AsyncSession, key: str) -> Letter | None:
    """Return a post by its key, sent or not."""
    row = (await session.exec(select(OutboxRow).where(OutboxRow.key == key))).first()
    return None if row is None else _letter(row)


async def every(session: AsyncSession, game: int) -> list[tuple[str, Letter]]:
    """Return all posts of a table with their states, oldest first."""
    rows = await session.exec(select(OutboxRow).where(OutboxRow.game == game).order_by(col(OutboxRow.id)))
    return [(row.state, _letter(row)) for row in rows]


def _letter(row: OutboxRow) -> Letter:
    assert row.id is not None  # it comes from the store
    post = _decode(row.payload)
    return Letter(row.id, row.game, row.key, post, row.due, row.revision, row.attempts, row.channel, row.message)


async def sent(session: AsyncSession, letter: Letter, channel: str, message: str, now: int) -> None:
    """Note that a post was sent; if it was replaced meanwhile it stays owed, as an edit."""
    await session.exec(
        update(OutboxRow).where(col(OutboxRow.id) == letter.id).values(channel=channel, message=message, sent=now)
    )
    await session.exec(
        update(OutboxRow)
        .where(col(OutboxRow.id) == letter.id, col(OutboxRow.revision) == letter.revision)
        .values(state="sent")
    )


async def failed(session: AsyncSession, letter: Letter, error: str, again: int | None) -> None:
    """Note that sending failed; try again at a moment, or never."""
    values = {"attempts": letter.attempts + 1, "error": error[:500]}
    state = {"state": "dropped"} if again is None else {"due": again}
    await session.exec(
        update(OutboxRow)
        .where(col(OutboxRow.id) == letter.id, col(OutboxRow.revision) == letter.revision)
        .values(**values, **state)
    )
