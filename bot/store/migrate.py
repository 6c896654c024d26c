"""Bring the tables of a database to today's schema, and find the version of the rules of each game that was left open.

The version is found by playing the log of a game, as only the program can.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import msgspec
from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import SQLModel
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.errors import BotError
from bot.model.posts import Ballot, Card, Leftover, Lobby, Notice, Owed, Turn, name_kind
from bot.store import log, outbox
from bot.store.schema import Schema, read_schema, upgrade_schema
from bot.store.tables import GameRow, LogRow, OutboxRow, ProposalRow, SeatRow, VoteRow
from engine import LogError, Record, RuleError, Setup, UnreadableLogError
from engine.codec import encode_file
from engine.game import AMBIGUOUS_RULES, CANDIDATE_RULES, replay_as_written
from engine.setup import RULES

_GAME, _LOG, _SEAT, _OUTBOX, _PROPOSAL, _VOTE = (
    SQLModel.metadata.tables[row.__tablename__] for row in (GameRow, LogRow, SeatRow, OutboxRow, ProposalRow, VoteRow)
)
_SHOWN_KINDS = [name_kind(kind) for kind in (Lobby, Card, Turn, Ballot)]
_KEPT_TABLES = {"seat", "score"}
UNPLAYABLE_REASON = "an earlier version wrote moves that break its rules; the bot's operator has the log as a file"


class Unplayable(Record, frozen=True):
    """A game whose log no version of the rules plays whole.

    Args:
        game: its number. words: which table it is, which action fails and why.
        file: the game in our format; if not even its actions can be read, the rows of the database.
    """

    game: int
    words: str
    file: bytes


SetAside = Callable[[Unplayable], None]
"""Keeps a game that cannot be played, before it leaves the database."""


BeforeMigrating = Callable[[Schema], AbstractAsyncContextManager[SetAside | None]]
"""What surrounds the migration of an older store, within its transaction: a copy is kept first, for instance.

It gives what keeps games that cannot be played; ``None`` if they are to stop the migration."""


async def bring_up_to_date(connection: AsyncConnection, around: BeforeMigrating) -> None:
    """Bring the tables to today's schema, in the transaction of the connection; a database without any gets them."""
    schema = await connection.run_sync(read_schema)
    if schema.is_current:
        return  # another process was faster
    if schema.found is None:
        await connection.run_sync(upgrade_schema)
        return
    async with around(schema) as set_aside:
        await connection.run_sync(upgrade_schema)
        await record_rules(connection, set_aside)


class _Stored(Record, frozen=True):
    """A game as it stands in the database: its seats with the names, and the rows of its log."""

    game: int
    name: str
    guild: str
    setup: Setup
    begun: bool
    names: tuple[str, ...]
    places: tuple[int, ...]
    rows: tuple[tuple[int, str], ...]


async def record_rules(connection: AsyncConnection, set_aside: SetAside | None) -> None:
    """Record for each game the version of the rules that plays its log whole, in the transaction of the connection.

    Args:
        connection: to a database of today's schema.
        set_aside: is given each game that cannot be played; without it the first of them stops all.

    Raises:
        BotError: games cannot be played, and are not to be set aside; it names them all.
    """
    unplayable = []
    for number in (
        (await connection.execute(select(_GAME.c.id).where(_GAME.c.rules == AMBIGUOUS_RULES))).scalars().all()
    ):
        stored = await _read_game(connection, number)
        found = await asyncio.to_thread(_find_rules, stored)
        if isinstance(found, Unplayable):
            unplayable.append(found)
        else:
            await connection.execute(update(_GAME).where(_GAME.c.id == number).values(rules=found))
    if unplayable and set_aside is None:
        raise BotError(
            f"{' '.join(each.words for each in unplayable)} Nothing was changed. “stationmaster migrate --set-aside” "
            "saves such games as files, closes their tables and migrates the rest."
        )
    for each in unplayable:
        assert set_aside is not None
        set_aside(each)
        await _close_table(connection, each.game)


async def _read_game(connection: AsyncConnection, number: int) -> _Stored:
    game = (await connection.execute(select(_GAME).where(_GAME.c.id == number))).mappings().one()
    seats = select(_SEAT.c.name).where(_SEAT.c.game == number, _SEAT.c.gone.is_(None)).order_by(_SEAT.c.number)
    names = tuple((await connection.execute(seats)).scalars().all())
    columns = select(_LOG.c.seq, _LOG.c.seat, _LOG.c.payload).where(_LOG.c.game == number).order_by(_LOG.c.seq)
    entries = (await connection.execute(columns)).all()
    options = msgspec.json.decode(game["options"], type=dict[str, str])
    return _Stored(
        number,
        game["name"],
        game["guild"],
        Setup(game["title"], len(names), options, game["seed"], AMBIGUOUS_RULES),
        game["started"] is not None,
        names,
        tuple(seq for seq, _, _ in entries),
        tuple((seat, payload) for _, seat, payload in entries),
    )


def _find_rules(stored: _Stored) -> int | Unplayable:
    """Return the version of the rules of a game: today's if it has not begun, 0.2's if entries of it are missing.

    A log that lost entries is named by every check, and can be mended from an exported one.
    """
    if not stored.begun:
        return RULES
    if stored.places != tuple(range(len(stored.rows))):
        return CANDIDATE_RULES[0]
    said = None
    try:
        said = log.decode_rows(stored.setup.title, stored.rows)
        return replay_as_written(stored.setup, said).setup.rules
    except (LogError, RuleError, UnreadableLogError) as refusal:
        why = str(refusal).partition("\n")[0][:300]
    server = f", server {stored.guild}" if stored.guild else ""
    words = f"Table {stored.game} “{stored.name}” ({stored.setup.title}{server}) can't be replayed: {why}"
    if said is None:
        return Unplayable(stored.game, words, msgspec.json.encode({"setup": stored.setup, "rows": stored.rows}))
    return Unplayable(stored.game, words, encode_file(stored.setup, said, stored.names))


async def _close_table(connection: AsyncConnection, game: int) -> None:
    """Close a table that was set aside, and forget its log and what it owes; its number is never given again.

    Its players are told where it lived, and its messages lose their buttons.
    """
    now, stands = int(time.time()), _OUTBOX.c.kind.in_(_SHOWN_KINDS) & (_OUTBOX.c.message != "")
    await connection.execute(delete(_VOTE).where(_VOTE.c.proposal.in_(select(_PROPOSAL.c.id).filter_by(game=game))))
    for table in SQLModel.metadata.sorted_tables:
        if "game" in table.c and table.name not in _KEPT_TABLES:
            goes = delete(table).where(table.c.game == game)
            await connection.execute(goes.where(~stands) if table is _OUTBOX else goes)
    await connection.execute(update(_OUTBOX).where(_OUTBOX.c.game == game).values(state="sent"))
    closed = {"state": "closed", "reason": UNPLAYABLE_REASON, "started": None, "ended": now, "rules": RULES}
    await connection.execute(update(_GAME).where(_GAME.c.id == game).values(closed))
    home = (await connection.execute(select(_GAME.c.name, _GAME.c.channel).where(_GAME.c.id == game))).one()
    seats = select(_SEAT.c.user).where(_SEAT.c.game == game, _SEAT.c.gone.is_(None)).order_by(_SEAT.c.number)
    users = tuple(filter(None, (await connection.execute(seats)).scalars()))
    text = f"“{home.name}” was closed when the bot was updated: {UNPLAYABLE_REASON}. /game new opens a new table."
    owed = [Owed(f"{game}:aside", Notice(game, text, tuple(dict.fromkeys(users))), now)] if home.channel else []
    for row in (await connection.execute(select(_OUTBOX).where(_OUTBOX.c.game == game))).all():
        left = Leftover(game, row.key, (row.channel,), row.message, row.created)
        is_lobby = row.kind == name_kind(Lobby)
        owed.append(Owed(row.key, Lobby(game), now) if is_lobby else Owed(f"{game}:left:{row.message}", left, now))
    async with AsyncSession(bind=connection) as session:
        await outbox.owe(session, owed, now)
        await session.commit()  # of the session: the connection's transaction goes on
