"""All posts of a table at once: held back, sent again, owed to other people or in another place."""

from collections.abc import Collection

import msgspec
from sqlalchemy import ColumnElement
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.posts import Ballot, Errand, Leftover, Owed, Pictures, Ping, Post, Reminder, Turn
from bot.model.records import Home
from bot.store import outbox
from bot.store.outbox import OUT_OF_SIGHT, POSTS
from bot.store.posted import find_all
from bot.store.rows import change_rows
from bot.store.tables import OutboxRow


async def owe_anew(session: AsyncSession, keys: Collection[str], now: int, stays: str = "") -> None:
    """Owe posts again as messages of their own, first owed now; what has rung, or may have, stays silent.

    ``stays`` is the channel above, if the table keeps it: what was said there because the thread took nothing is
    edited, and what may have been is looked for first.
    """
    for stored in await find_all(session, keys):
        post = _quiet(stored.post) if stored.message or stored.unsure else stored.post
        stands = bool(stays) and stored.channel == stays
        await change_rows(
            session, OutboxRow, col(OutboxRow.id) == stored.id,
            payload=outbox.encode(post),
            channel=stays if stands else "", message=stored.message if stands else "",
            state="owed", due=now, attempts=0, error="", revision=stored.revision + 1,
            handed=int(bool(stays) and stored.unsure and not stored.message),
            created=max(now, stored.created + 1),
        )  # fmt: skip


async def leftovers(session: AsyncSession, keys: Collection[str], old: Home, now: int) -> list[Owed]:
    """Return what is owed so that no message of these posts has live buttons at the place that a table leaves."""
    left = []
    for stored in await find_all(session, keys):
        if (stored.message or stored.unsure) and not isinstance(stored.post, Pictures):  # they stand in another's
            places = (stored.channel,) if stored.message else tuple(filter(None, (old.thread, old.channel)))
            post = Leftover(stored.game, stored.key, places, stored.message, stored.created)
            left.append(Owed(f"{stored.game}:left:{stored.message or f'{stored.id}:{now}'}", post, now))
    return left


async def recall(session: AsyncSession, game: int, now: int) -> None:
    """Drop all calls that are owed, and let those that were sent be sent anew, to whoever decides now."""
    await outbox.drop(session, game, (Turn, Ping, Reminder, Errand))
    calls = col(OutboxRow.kind).in_((outbox.kind_of(Ping), outbox.kind_of(Reminder)))
    anew = {"channel": "", "message": "", "handed": 0, "created": now}
    await change_rows(session, OutboxRow, col(OutboxRow.game) == game, calls, **anew)


async def lose_sight(session: AsyncSession, game: int) -> None:
    """Note that what a table may have posted, without being told so, can be looked for no more."""
    lost = (*_of((game,), "owed"), col(OutboxRow.message) == "", col(OutboxRow.handed) > 0)
    await change_rows(session, OutboxRow, *lost, handed=OUT_OF_SIGHT)


def _of(tables: Collection[int], state: str) -> tuple[ColumnElement[bool], ...]:
    """Return the condition that a post of tables has a state."""
    return col(OutboxRow.batch).in_([f"{POSTS}{game}" for game in tables]), col(OutboxRow.state) == state


def _quiet(post: Post) -> Post:
    if isinstance(post, Turn):
        return msgspec.structs.replace(post, quiet=True)
    return msgspec.structs.replace(post, mention=()) if isinstance(post, Ballot) else post


async def pictures_of(session: AsyncSession, game: int, turn: str) -> list[str]:
    """Return the keys of the pictures that belong to the message with a key."""
    rows = select(OutboxRow.key, OutboxRow.payload).where(OutboxRow.game == game, OutboxRow.kind == "pictures")
    return [key for key, payload in await session.exec(rows) if msgspec.json.decode(payload)["follows"] == turn]


async def hurry(session: AsyncSession, tables: Collection[int], now: int) -> list[str]:
    """Owe now what these tables tried in vain to send; return their batches."""
    tried = (*_of(tables, "owed"), col(OutboxRow.attempts) > 0)
    late = list(await session.exec(select(OutboxRow.batch).where(*tried).distinct()))
    await change_rows(session, OutboxRow, *tried, col(OutboxRow.due) > now, due=now)
    return late


async def pause(session: AsyncSession, tables: Collection[int]) -> None:
    """Hold back what tables owe."""
    await change_rows(session, OutboxRow, *_of(tables, "owed"), state="paused")


async def paused(session: AsyncSession, tables: Collection[int]) -> list[int]:
    """Return those of the tables whose posts are held back."""
    found = await session.exec(select(OutboxRow.game).where(*_of(tables, "paused")).distinct())
    return [game for game in found if game is not None]


async def resume(session: AsyncSession, tables: Collection[int]) -> None:
    """Owe again what was held back."""
    await change_rows(session, OutboxRow, *_of(tables, "paused"), state="owed")


_CALLS = col(OutboxRow.kind).in_(("ping", "reminder", "timeup", "errand", "ondeck"))


async def hold_calls(session: AsyncSession, tables: Collection[int]) -> None:
    """Hold back what calls somebody, or moves by itself, until ``let_go``."""
    await change_rows(session, OutboxRow, *_of(tables, "owed"), _CALLS, state="held")


async def let_go(session: AsyncSession, tables: Collection[int]) -> None:
    """Owe again the calls that were held back."""
    await change_rows(session, OutboxRow, *_of(tables, "held"), state="owed")
