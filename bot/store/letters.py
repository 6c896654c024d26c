"""The letters owed: stored with what they tell of, sent later, each once."""

from collections.abc import Sequence

import msgspec
from sqlalchemy import bindparam, delete, func, update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.letters import Letter, NumberedMoves, OwedLetter, StoredLetter, copies, named
from bot.model.posts import Owed
from bot.store.tables import ContactRow, LetterRow

MOST_AT_ONCE = 50
_KNOWN = select(LetterRow.key).where(col(LetterRow.key).in_(bindparam("keys", expanding=True)))
_REACHED = select(ContactRow.user).where(
    col(ContactRow.user).in_(bindparam("users", expanding=True)), ContactRow.state == "confirmed"
)
_letter = msgspec.json.Decoder(Letter).decode
_offered = msgspec.json.Decoder(NumberedMoves).decode


async def owe_copies(session: AsyncSession, posts: Sequence[Owed], now: int) -> None:
    """Owe the letters that posts of a table make, to those they name who have an address of their own."""
    users = named(posts)
    if users:
        reached = list(await session.exec(_REACHED, params={"users": list(users)}))
        await owe(session, copies(posts, reached), now)


async def owe(session: AsyncSession, letters: Sequence[OwedLetter], now: int) -> None:
    """Note letters that are owed; one with a key that is known is not owed again."""
    if not letters:
        return
    known = set(await session.exec(_KNOWN, params={"keys": [each.key for each in letters]}))
    for each in letters:
        if each.key not in known:
            payload = msgspec.json.encode(each.letter).decode()
            row = LetterRow(
                game=each.letter.game, key=each.key, user=each.letter.user, payload=payload, state="owed",
                due=each.due, created=now,
            )  # fmt: skip
            session.add(row)
    await session.flush()


async def hand_out(session: AsyncSession, now: int) -> list[StoredLetter]:
    """Return the letters to send now, and note that they were handed out."""
    due = (LetterRow.state == "owed", col(LetterRow.due) <= now)
    rows = (await session.exec(select(LetterRow).where(*due).order_by(col(LetterRow.id)).limit(MOST_AT_ONCE))).all()
    found = [_stored(row) for row in rows]
    for row in rows:
        row.handed += 1
        session.add(row)
    await session.flush()
    return found


async def next_due(session: AsyncSession, now: int) -> int | None:
    """Return the moment after ``now`` at which the next letter is due; ``None`` if none is owed for later."""
    later = select(func.min(LetterRow.due)).where(LetterRow.state == "owed", col(LetterRow.due) > now)
    found: int | None = (await session.exec(later)).one()
    return found


async def fetch(session: AsyncSession, number: int) -> StoredLetter | None:
    """Return a letter, sent or not."""
    row = await session.get(LetterRow, number)
    return None if row is None else _stored(row)


async def find(session: AsyncSession, key: str) -> StoredLetter | None:
    """Return a letter by its key, sent or not."""
    row = (await session.exec(select(LetterRow).where(LetterRow.key == key))).first()
    return None if row is None else _stored(row)


async def recent(session: AsyncSession, user: str, game: int, most: int = 20) -> list[StoredLetter]:
    """Return the last letters to a person about a table, the newest first."""
    mine = select(LetterRow).where(LetterRow.user == user, LetterRow.game == game)
    return [_stored(row) for row in await session.exec(mine.order_by(col(LetterRow.id).desc()).limit(most))]


async def count(session: AsyncSession, since: int, user: str = "") -> int:
    """Return how many letters were sent since a moment, to all or to one person."""
    which = (col(LetterRow.sent) > since, *((LetterRow.user == user,) if user else ()))
    found: int = (await session.exec(select(func.count()).select_from(LetterRow).where(*which))).one()
    return found


async def answers(session: AsyncSession, user: str, head: str, since: int) -> list[StoredLetter]:
    """Return the letters to a person since a moment whose keys begin with ``head``, the newest first."""
    mine = select(LetterRow).where(LetterRow.user == user, col(LetterRow.created) > since)
    found = mine.where(col(LetterRow.key).startswith(head, autoescape=True)).order_by(col(LetterRow.id).desc())
    return [_stored(row) for row in await session.exec(found.limit(MOST_AT_ONCE))]


async def change(session: AsyncSession, number: int, **values: object) -> None:
    """Note what became of a letter: its state, the moment it is due or was sent, what its choices mean."""
    offered = values.get("offers")
    if isinstance(offered, NumberedMoves):
        values["offers"] = msgspec.json.encode(offered).decode()
    await session.exec(update(LetterRow).where(col(LetterRow.id) == number).values(**values))


async def forget(session: AsyncSession, user: str) -> None:
    """Drop the addresses of a person, and what was written to them."""
    await session.exec(delete(LetterRow).where(col(LetterRow.user) == user))
    await session.exec(delete(ContactRow).where(col(ContactRow.user) == user))


def _stored(row: LetterRow) -> StoredLetter:
    return StoredLetter(
        row.id or 0, row.key, _letter(row.payload), row.due, row.attempts, row.created,
        _offered(row.offers) if row.offers else None, row.sent or 0,
    )  # fmt: skip
