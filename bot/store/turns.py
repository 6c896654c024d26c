"""Whether the turn of each running table stands where its players see it, and what is owed again if not."""

from typing import Any

from sqlalchemy import String, and_, cast, func, or_
from sqlalchemy import select as core_select
from sqlmodel import SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.store.tables import GameRow, OutboxRow
from engine import Record


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
