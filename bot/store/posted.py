"""What was posted and written: looked up by its key, its message, its number; owed again; and forgotten."""

from collections.abc import Collection
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, and_, bindparam, delete, func, or_
from sqlalchemy.orm import aliased
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.letters import NumberedMoves
from bot.model.posts import (
    AnyCall,
    ClockAlarm,
    Errand,
    Leftover,
    OldCall,
    OnDeck,
    Owed,
    Pictures,
    Ping,
    Post,
    Ring,
    Summary,
    TimeUp,
    Turn,
    Whisper,
    name_kind,
)
from bot.model.records import Home
from bot.store import outbox
from bot.store.outbox import (
    LETTERS,
    OUT_OF_SIGHT,
    POSTS,
    StoredPost,
    make_readable_posts,
    make_stored_post,
    select_posts,
)
from bot.store.rows import update_rows
from bot.store.tables import OutboxRow

MAX_ROWS = 100
_OF_KEYS = select_posts().where(col(OutboxRow.key).in_(bindparam("keys", expanding=True))).order_by(col(OutboxRow.id))
_IS_POST = col(OutboxRow.batch) != LETTERS


async def find(session: AsyncSession, key: str) -> StoredPost | None:
    """Return a post or letter by its key, sent or not."""
    return next(iter(await find_all(session, (key,))), None)


async def find_all(session: AsyncSession, keys: Collection[str]) -> list[StoredPost]:
    """Return the posts with these keys, sent or not, in the order they were first owed."""
    return make_readable_posts(await session.exec(_OF_KEYS, params={"keys": list(keys)}))


async def list_due(session: AsyncSession, now: int) -> list[StoredPost]:
    """Return the posts of tables to send now, in the order they were owed."""
    owed = select_posts().where(OutboxRow.state == "owed", OutboxRow.due <= now, _IS_POST)
    ordered = owed.order_by(col(OutboxRow.due), col(OutboxRow.id)).limit(MAX_ROWS)
    return make_readable_posts(await session.exec(ordered))


async def list_in_message(session: AsyncSession, channel: str, message: str) -> list[StoredPost]:
    """Return the posts that stand in a message, the latest first."""
    here = select_posts().where(OutboxRow.channel == channel, OutboxRow.message == message)
    return make_readable_posts(await session.exec(here.order_by(col(OutboxRow.id).desc())))


async def put_off_letters(session: AsyncSession, subjects: Collection[str], user: str, until: int) -> None:
    """Let the letters to a person about what posts ask, if they did not go out yet, go out at a moment."""
    mine = (OutboxRow.user == user, OutboxRow.state == "owed", col(OutboxRow.batch) == LETTERS)
    for subject in subjects:
        is_about = col(OutboxRow.key).startswith(f"{subject}:", autoescape=True)
        await update_rows(session, OutboxRow, *mine, is_about, due=until)


# --- letters -----------------------------------------------------------------------------


async def find_letter(session: AsyncSession, number: int) -> StoredPost | None:
    """Return a letter by its number, sent or not."""
    named = or_(col(OutboxRow.number) == number, and_(col(OutboxRow.id) == number, col(OutboxRow.number).is_(None)))
    row = (await session.exec(select_posts().where(named, OutboxRow.batch == LETTERS))).first()
    return None if row is None else make_stored_post(row)


async def list_letters(session: AsyncSession, user: str, game: int, most: int = 20) -> list[StoredPost]:
    """Return the last letters to a person about a table, the newest first."""
    mine = select_posts().where(OutboxRow.user == user, OutboxRow.game == game)
    return make_readable_posts(await session.exec(mine.order_by(col(OutboxRow.id).desc()).limit(most)))


async def list_answers(session: AsyncSession, user: str, head: str, since: int, most: int) -> list[StoredPost]:
    """Return the last letters to a person since a moment whose keys begin with ``head``, the newest first."""
    mine = select_posts().where(OutboxRow.user == user, OutboxRow.created > since)
    found = mine.where(col(OutboxRow.key).startswith(head, autoescape=True))
    newest = found.order_by(col(OutboxRow.created).desc(), col(OutboxRow.id).desc()).limit(most)
    return make_readable_posts(await session.exec(newest))


async def count_letters(session: AsyncSession, since: int, user: str = "") -> int:
    """Return how many letters were sent since a moment, or to one person, without answers to mails of their own."""
    sent = (OutboxRow.batch == LETTERS, col(OutboxRow.sent) > since)
    which = (*sent, OutboxRow.user == user, ~col(OutboxRow.key).startswith("answer:")) if user else sent
    found: int = (await session.exec(select(func.count()).select_from(OutboxRow).where(*which))).one()
    return found


async def record_offer(session: AsyncSession, number: int, offered: NumberedMoves) -> None:
    """Note what the choices of a letter mean."""
    offers = msgspec.json.encode(offered).decode()
    await update_rows(session, OutboxRow, col(OutboxRow.id) == number, offers=offers)


# --- what is owed again ------------------------------------------------------------------


async def owe_again(session: AsyncSession, keys: Collection[str], now: int, stays: str = "") -> None:
    """Owe posts again as messages of their own, first owed now; what has rung, or may have, stays silent.

    ``stays`` is the channel above, if the table keeps it: what was said there because the thread took nothing is
    edited, and what may have been is looked for first.
    """
    for stored in await find_all(session, keys):
        post = _silence(stored.post) if stored.message or stored.unsure else stored.post
        stands = bool(stays) and stored.channel == stays
        await update_rows(
            session, OutboxRow, col(OutboxRow.id) == stored.id,
            payload=outbox.encode(post),
            channel=stays if stands else "", message=stored.message if stands else "",
            state="owed", due=now, attempts=0, error="", revision=stored.revision + 1,
            handed=int(bool(stays) and stored.unsure and not stored.message),
            created=max(now, stored.created + 1),
        )  # fmt: skip


async def list_leftovers(session: AsyncSession, keys: Collection[str], old: Home, now: int) -> list[Owed]:
    """Return what is owed so that no message of these posts has live buttons at the place that a table leaves."""
    left = []
    for stored in await find_all(session, keys):
        if (stored.message or stored.unsure) and not isinstance(stored.post, Pictures):  # they stand in another's
            places = (stored.channel,) if stored.message else tuple(filter(None, (old.thread, old.channel)))
            post = Leftover(stored.game, stored.key, places, stored.message, stored.created)
            left.append(Owed(f"{stored.game}:left:{stored.message or f'{stored.id}:{now}'}", post, now))
    return left


async def delete_pings(session: AsyncSession, game: int, old: Home, now: int) -> None:
    """Owe that the pings which stand at the place that a table leaves are deleted."""
    which = (OutboxRow.game == game, col(OutboxRow.kind).in_([name_kind(kind) for kind in (Ping, OnDeck)]))
    here = (col(OutboxRow.channel).in_([*filter(None, (old.thread, old.channel))]), col(OutboxRow.message) != "")
    await update_rows(
        session, OutboxRow, *which, *here, OutboxRow.state != "dropped",
        kind=name_kind(OldCall), payload=outbox.encode(OldCall(game)), state="owed", due=now, attempts=0, error="",
        revision=OutboxRow.revision + 1,
    )  # fmt: skip


async def mark_lost(session: AsyncSession, game: int) -> None:
    """Note that what a table may have posted, without being told so, can be looked for no more."""
    lost = (*_of_tables((game,), "owed"), col(OutboxRow.message) == "", col(OutboxRow.handed) > 0)
    await update_rows(session, OutboxRow, *lost, handed=OUT_OF_SIGHT)


def _of_tables(tables: Collection[int], state: str) -> tuple[ColumnElement[bool], ...]:
    """Return the condition that a post of tables has a state."""
    return col(OutboxRow.batch).in_([f"{POSTS}{game}" for game in tables]), col(OutboxRow.state) == state


def _silence(post: Post) -> Post:
    return msgspec.structs.replace(post, pings=()) if isinstance(post, AnyCall) else post


async def list_pictures(session: AsyncSession, game: int, turn: str) -> list[str]:
    """Return the keys of the pictures that belong to the message with a key."""
    rows = select(OutboxRow.key, OutboxRow.payload).where(OutboxRow.game == game, OutboxRow.kind == "pictures")
    return [key for key, payload in await session.exec(rows) if msgspec.json.decode(payload)["follows"] == turn]


async def retry_now(session: AsyncSession, tables: Collection[int], now: int) -> list[str]:
    """Owe now what these tables tried in vain to send; return their batches."""
    tried = (*_of_tables(tables, "owed"), col(OutboxRow.attempts) > 0)
    late = list(await session.exec(select(OutboxRow.batch).where(*tried).distinct()))
    await update_rows(session, OutboxRow, *tried, col(OutboxRow.due) > now, due=now)
    return late


async def pause_posts(session: AsyncSession, tables: Collection[int]) -> None:
    """Hold back what tables owe."""
    await update_rows(session, OutboxRow, *_of_tables(tables, "owed"), state="paused")


async def list_paused(session: AsyncSession, tables: Collection[int]) -> list[int]:
    """Return those of the tables whose posts are held back."""
    found = await session.exec(select(OutboxRow.game).where(*_of_tables(tables, "paused")).distinct())
    return [game for game in found if game is not None]


async def resume_posts(session: AsyncSession, tables: Collection[int]) -> None:
    """Owe again what was held back."""
    await update_rows(session, OutboxRow, *_of_tables(tables, "paused"), state="owed")


_CALLS = col(OutboxRow.kind).in_([name_kind(kind) for kind in (Ping, Ring, ClockAlarm, TimeUp, Errand, OnDeck)])


async def hold_calls(session: AsyncSession, tables: Collection[int]) -> None:
    """Hold back what calls a person, or moves automatically, until ``release_calls``."""
    await update_rows(session, OutboxRow, *_of_tables(tables, "owed"), _CALLS, state="held")


async def release_calls(session: AsyncSession, tables: Collection[int]) -> None:
    """Owe again the calls that were held back."""
    await update_rows(session, OutboxRow, *_of_tables(tables, "held"), state="owed")


# --- what is forgotten -------------------------------------------------------------------

_OF_PAST_TURNS = [name_kind(kind) for kind in (Turn, Summary, Pictures, Ping, OldCall, OnDeck, Whisper)]
"""Most of what is posted; the message of the last turn, and what was said after it, is never forgotten."""


async def forget_past_turns(session: AsyncSession, before: int) -> int:
    """Forget what was first owed before a moment about turns that are over; return how many posts that were.

    A table of which any such post is still owed keeps them all.
    """
    old: Any = aliased(OutboxRow)
    last = select(func.max(old.id)).where(old.game == OutboxRow.game, old.kind == name_kind(Turn)).scalar_subquery()
    of_old = (old.game == OutboxRow.game, old.kind.in_(_OF_PAST_TURNS), old.created < before)
    is_owed = select(old.id).where(*of_old, old.state.not_in(("sent", "dropped"))).exists()
    which = (col(OutboxRow.kind).in_(_OF_PAST_TURNS), col(OutboxRow.created) < before, col(OutboxRow.id) < last)
    return (await session.exec(delete(OutboxRow).where(*which, ~is_owed))).rowcount
