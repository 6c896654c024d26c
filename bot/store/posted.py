"""What was posted and written: looked up by its key, its message, its number; and where the turns of tables stand."""

from collections.abc import Collection
from typing import Any

import msgspec
from sqlalchemy import String, and_, bindparam, cast, delete, func, or_
from sqlalchemy import select as core_select
from sqlmodel import SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.letters import Letter, NumberedMoves
from bot.model.posts import Ping, Post, Reminder
from bot.store.outbox import LETTERS, StoredPost, asked_posts, kind_of, stored_post
from bot.store.rows import change_rows
from bot.store.tables import GameRow, OutboxRow
from engine import Record

MOST_AT_ONCE = 100
_OF_KEYS = asked_posts().where(col(OutboxRow.key).in_(bindparam("keys", expanding=True))).order_by(col(OutboxRow.id))
_IS_POST = col(OutboxRow.batch) != LETTERS


async def find(session: AsyncSession, key: str) -> StoredPost | None:
    """Return a post or letter by its key, sent or not."""
    return next(iter(await find_all(session, (key,))), None)


async def find_all(session: AsyncSession, keys: Collection[str]) -> list[StoredPost]:
    """Return the posts with these keys, sent or not, in the order they were first owed."""
    return [stored_post(row) for row in await session.exec(_OF_KEYS, params={"keys": list(keys)})]


async def due(session: AsyncSession, now: int) -> list[StoredPost]:
    """Return the posts of tables to send now, in the order they were owed."""
    owed = asked_posts().where(OutboxRow.state == "owed", OutboxRow.due <= now, _IS_POST)
    ordered = owed.order_by(col(OutboxRow.due), col(OutboxRow.id)).limit(MOST_AT_ONCE)
    return [stored_post(row) for row in await session.exec(ordered)]


async def at(session: AsyncSession, channel: str, message: str) -> list[StoredPost]:
    """Return the posts that stand in a message, the latest first."""
    here = asked_posts().where(OutboxRow.channel == channel, OutboxRow.message == message)
    return [stored_post(row) for row in await session.exec(here.order_by(col(OutboxRow.id).desc()))]


async def every(session: AsyncSession, game: int) -> list[tuple[str, StoredPost]]:
    """Return all posts of a table with their states, oldest first."""
    rows = await session.exec(select(OutboxRow).where(OutboxRow.game == game, _IS_POST).order_by(col(OutboxRow.id)))
    return [(row.state, stored_post(row)) for row in rows]


async def calls_owed(session: AsyncSession, game: int, turn_from: int) -> list[StoredPost]:
    """Return the calls to a turn that are still owed, at the table and by letter."""
    calls = col(OutboxRow.kind).in_([kind_of(kind) for kind in (Ping, Reminder, Letter)])
    rows = await session.exec(asked_posts().where(OutboxRow.game == game, OutboxRow.state == "owed", calls))
    return [each for each in map(stored_post, rows) if _calls_to(each.post, turn_from)]


def _calls_to(post: Post, turn_from: int) -> bool:
    """Return whether a post calls to a turn."""
    if isinstance(post, Letter):
        return post.about in ("turn", "reminder") and post.turn_from == turn_from
    return isinstance(post, Ping | Reminder) and post.turn_from == turn_from


# --- letters -----------------------------------------------------------------------------


async def letter(session: AsyncSession, number: int) -> StoredPost | None:
    """Return a letter by its number, sent or not."""
    named = or_(col(OutboxRow.number) == number, and_(col(OutboxRow.id) == number, col(OutboxRow.number).is_(None)))
    row = (await session.exec(asked_posts().where(named, OutboxRow.batch == LETTERS))).first()
    return None if row is None else stored_post(row)


async def letters(session: AsyncSession, user: str, game: int, most: int = 20) -> list[StoredPost]:
    """Return the last letters to a person about a table, the newest first."""
    mine = asked_posts().where(OutboxRow.user == user, OutboxRow.game == game)
    return [stored_post(row) for row in await session.exec(mine.order_by(col(OutboxRow.id).desc()).limit(most))]


async def answers(session: AsyncSession, user: str, head: str, since: int) -> list[StoredPost]:
    """Return the letters to a person since a moment whose keys begin with ``head``, the newest first."""
    mine = asked_posts().where(OutboxRow.user == user, OutboxRow.created > since)
    found = mine.where(col(OutboxRow.key).startswith(head, autoescape=True)).order_by(col(OutboxRow.id).desc())
    return [stored_post(row) for row in await session.exec(found.limit(MOST_AT_ONCE))]


async def count_letters(session: AsyncSession, since: int, user: str = "") -> int:
    """Return how many letters were sent since a moment, to all or to one person."""
    sent = (OutboxRow.batch == LETTERS, col(OutboxRow.sent) > since)
    which = (*sent, OutboxRow.user == user) if user else sent
    found: int = (await session.exec(select(func.count()).select_from(OutboxRow).where(*which))).one()
    return found


async def note_offer(session: AsyncSession, number: int, offered: NumberedMoves) -> None:
    """Note what the choices of a letter mean."""
    offers = msgspec.json.encode(offered).decode()
    await change_rows(session, OutboxRow, col(OutboxRow.id) == number, offers=offers)


async def forget_letters(session: AsyncSession, user: str) -> None:
    """Drop what was written to a person."""
    await session.exec(delete(OutboxRow).where(col(OutboxRow.batch) == LETTERS, col(OutboxRow.user) == user))


# --- turns -------------------------------------------------------------------------------


class TurnPost(Record, frozen=True):
    """What the store knows of the message of a table's current turn.

    Args:
        game, name, guild: the table. turn_from: version at which the turn began.
        state: of its post; empty if none is known. revision, attempts, error: of its post.
        channel, message: where it stands, if it does.
    """

    game: int
    name: str
    guild: str
    turn_from: int
    state: str = ""
    revision: int = 0
    attempts: int = 0
    error: str = ""
    channel: str = ""
    message: str = ""

    @property
    def is_silent(self) -> bool:
        """Whether the turn could not be posted, so that nobody can see it."""
        return not self.message and (self.state in ("", "dropped") or (self.state == "owed" and self.attempts > 0))


async def of_running(session: AsyncSession, game: int = 0) -> list[TurnPost]:
    """Return the turns of all running tables that live in a channel, or of one."""
    columns: tuple[Any, ...] = (
        GameRow.id, GameRow.name, GameRow.guild, GameRow.turn_from, OutboxRow.state, OutboxRow.revision,
        OutboxRow.attempts, OutboxRow.error, OutboxRow.channel, OutboxRow.message,
    )  # fmt: skip
    key = cast(GameRow.id, String) + ":turn:" + cast(GameRow.turn_from, String)
    asked = select(*columns).outerjoin(OutboxRow, col(OutboxRow.key) == key).where(*_RUNNING)
    rows = await session.exec(asked.where(GameRow.id == game) if game else asked.order_by(col(GameRow.id)))
    return [TurnPost(*row) if row[4] is not None else TurnPost(*row[:4]) for row in rows]


async def given_up(session: AsyncSession) -> list[tuple[str, str]]:
    """Return the keys of posts that were given up and are missed, each with the channel of its message.

    They are results of turns whose message still has live buttons, and table messages.
    """
    post, turn = _OUTBOX.alias("post").c, _OUTBOX.alias("turn").c
    of_turn = and_(turn.key == func.replace(post.key, ":summary:", ":turn:"), turn.kind == "turn", turn.message != "")
    missed = or_(and_(post.kind == "summary", turn.id.is_not(None)), and_(post.kind == "card", *_RUNNING))
    asked: Any = (  # the library types statements over models only
        core_select(post.key, func.coalesce(turn.channel, post.channel))
        .select_from(post.key.table.outerjoin(turn.key.table, of_turn).join(_GAME, _GAME.c.id == post.game))
        .where(post.state == "dropped", missed)
    )
    return [(key, channel) for key, channel in await session.exec(asked)]


_OUTBOX, _GAME = (SQLModel.metadata.tables[name] for name in ("outbox", "game"))
_RUNNING: tuple[Any, ...] = (GameRow.state == "running", GameRow.privacy != "private", GameRow.channel != "")
