"""The posts of tables that change their place, or have none for a while."""

from collections.abc import Collection

import msgspec
from sqlalchemy import update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.posts import AnyPost, Ballot, Leftover, Owed, Pictures, Turn
from bot.model.records import Home
from bot.store.outbox import OUT_OF_SIGHT, find_all
from bot.store.tables import OutboxRow


async def owe_anew(session: AsyncSession, keys: Collection[str], now: int, stays: str = "") -> None:
    """Owe posts again as messages of their own, first owed now; what has rung, or may have, stays silent.

    ``stays`` is the channel above, if the table keeps it: what was said there because the thread took nothing is
    edited, and what may have been is looked for first.
    """
    for stored in await find_all(session, keys):
        post = _quiet(stored.post) if stored.message or stored.unsure else stored.post
        stands = bool(stays) and stored.channel == stays
        await session.exec(
            update(OutboxRow)
            .where(col(OutboxRow.id) == stored.id)
            .values(
                payload=msgspec.json.encode(post).decode(),
                channel=stays if stands else "", message=stored.message if stands else "",
                state="owed", due=now, attempts=0, error="", revision=stored.revision + 1,
                handed=int(bool(stays) and stored.unsure and not stored.message),
                created=max(now, stored.created + 1),
            )
            .execution_options(synchronize_session=False)
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


async def lose_sight(session: AsyncSession, game: int) -> None:
    """Note that what a table may have posted, without being told so, can be looked for no more."""
    lost = (col(OutboxRow.game) == game, col(OutboxRow.state) == "owed", col(OutboxRow.message) == "")
    await session.exec(
        update(OutboxRow)
        .where(*lost, col(OutboxRow.handed) > 0)
        .values(handed=OUT_OF_SIGHT)
        .execution_options(synchronize_session=False)
    )


def _quiet(post: AnyPost) -> AnyPost:
    if isinstance(post, Turn):
        return msgspec.structs.replace(post, quiet=True)
    return msgspec.structs.replace(post, mention=()) if isinstance(post, Ballot) else post


async def pictures_of(session: AsyncSession, game: int, turn: str) -> list[str]:
    """Return the keys of the pictures that belong to the message with a key."""
    rows = select(OutboxRow.key, OutboxRow.payload).where(OutboxRow.game == game, OutboxRow.kind == "pictures")
    return [key for key, payload in await session.exec(rows) if msgspec.json.decode(payload)["follows"] == turn]


async def pause(session: AsyncSession, tables: Collection[int]) -> None:
    """Hold back what tables owe."""
    mine = (col(OutboxRow.game).in_(tables), col(OutboxRow.state) == "owed")
    await session.exec(update(OutboxRow).where(*mine).values(state="paused"))


_CALLS = ("ping", "reminder", "timeup", "errand", "ondeck")


async def hold_calls(session: AsyncSession, tables: Collection[int]) -> None:
    """Hold back what calls somebody, or moves by itself, until ``let_go``."""
    mine = (col(OutboxRow.game).in_(tables), col(OutboxRow.state) == "owed", col(OutboxRow.kind).in_(_CALLS))
    await session.exec(update(OutboxRow).where(*mine).values(state="held"))


async def let_go(session: AsyncSession, tables: Collection[int]) -> None:
    """Owe again the calls that were held back."""
    held = (col(OutboxRow.game).in_(tables), col(OutboxRow.state) == "held")
    await session.exec(update(OutboxRow).where(*held).values(state="owed"))


async def paused(session: AsyncSession, tables: Collection[int]) -> list[int]:
    """Return those of the tables whose posts are held back."""
    held = select(OutboxRow.game).where(col(OutboxRow.game).in_(tables), OutboxRow.state == "paused")
    return list(await session.exec(held.distinct()))


async def resume(session: AsyncSession, tables: Collection[int]) -> None:
    """Owe again what was held back."""
    held = (col(OutboxRow.game).in_(tables), col(OutboxRow.state) == "paused")
    await session.exec(update(OutboxRow).where(*held).values(state="owed"))
