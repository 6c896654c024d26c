"""Read the state of all tables' posts in a few statements, and owe lost posts again."""

from typing import Any

import msgspec
from sqlalchemy import String, and_, bindparam, cast, func, or_
from sqlalchemy import select as core_select
from sqlmodel import SQLModel, col
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.clock import DAY, GameClock
from bot.model.obligations import Obligation
from bot.model.posts import Post, build_turn_key
from bot.model.records import Home, ServerRules
from bot.store import outbox
from bot.store.outbox import POSTS
from bot.store.rows import update_rows
from bot.store.tables import OutboxRow
from engine import Record


class PostFate(Record, frozen=True):
    """The state of a post: a row of the outbox, with its payload as stored.

    Args:
        sent: when it was sent; ``None`` if it never was, whatever ``state`` says.
    """

    id: int
    game: int
    key: str
    kind: str
    state: str
    due: int
    revision: int
    attempts: int
    error: str
    channel: str
    message: str
    created: int
    sent: int | None
    payload: str

    @property
    def is_waiting(self) -> bool:
        """Whether it is still owed, even if paused or held back."""
        return self.state in WAITING

    @property
    def is_lost(self) -> bool:
        """Whether it is neither owed nor sent."""
        return not self.is_waiting and (self.state != "sent" or self.sent is None)

    @property
    def post(self) -> Post:
        """The post that it is."""
        found: Post = outbox.decode(self.payload)
        return found


class TableFates(Record, frozen=True):
    """A table in a channel, with the states of the posts that matter now.

    Args:
        game, name, state, home: the table. turn_from, version: where its game stands.
        clock: seats with a running clock, and when it runs out.
        expires, ended: when an open table closes, and when a game ended.
        seats: for each, the user to call, empty for none, and whether the stand-in plays it.
        is_paused: no one on its server is called.
        obligations: what is asked of whom. elsewhere: users who are not pinged at tables.
        posts: by key, those of the current turn, the table message, waiting posts, and recently dropped ones.
        old_turns: messages of past turns whose result is neither owed nor sent.
        ballots: numbers of its open proposals.
        lease: moment until which a sender holds its posts, or they rest.
    """

    game: int
    name: str
    state: str
    home: Home
    turn_from: int
    version: int
    clock: tuple[tuple[int, int], ...]
    expires: int
    ended: int
    seats: dict[int, tuple[str, bool]]
    is_paused: bool
    obligations: tuple[Obligation, ...]
    elsewhere: frozenset[str]
    posts: dict[str, PostFate]
    old_turns: tuple[PostFate, ...]
    ballots: tuple[int, ...]
    lease: int

    @property
    def turn(self) -> PostFate | None:
        """The message of the current turn."""
        return self.posts.get(build_turn_key(self.game, self.turn_from))

    @property
    def is_silent(self) -> bool:
        """Whether the turn could not be posted, so that no one can see it."""
        turn = self.turn
        if self.state != "running" or (turn is not None and turn.message):
            return False
        return turn is None or turn.is_lost or (turn.state == "owed" and turn.attempts > 0)


WAITING = ("owed", "paused", "held")
MAX_NUMBER = (1 << 31) - 1
RECENT_SECONDS = 2 * DAY
"""How far back dropped posts and results of past turns are checked."""
_OUTBOX, _GAME, _LOG, _SEAT, _PROPOSAL, _LEASE, _SERVER, _CALLS, _OBLIGATION = (
    SQLModel.metadata.tables[name]
    for name in ("outbox", "game", "log", "seat", "proposal", "lease", "server", "calls", "obligation")
)
_FATE = tuple(_OUTBOX.c[name] for name in PostFate.__struct_fields__)
_HERE = _GAME.c.id.between(bindparam("first"), bindparam("last"))
_LIVES: tuple[Any, ...] = (
    _HERE, _GAME.c.privacy != "private", _GAME.c.channel != "",
    or_(_GAME.c.state.in_(("open", "running")), _GAME.c.ended > bindparam("since")),
)  # fmt: skip
_PREFIX = cast(_GAME.c.id, String)
_TURN_FROM = cast(_GAME.c.turn_from, String)
_NOT_DROPPED = ("turn", "ping", "ring", "clockalarm", "ondeck", "timeup", "pictures", "errand")
"""Kinds of posts that are dropped at the end of every turn; those of the current turn are found by their keys."""


def _select_tables() -> Any:  # noqa: ANN401  # the library types four columns at most
    names = ("id", "name", "state", "guild", "channel", "thread", "message", "turn_from", "clock", "expires", "ended")
    entries = core_select(func.max(_LOG.c.seq)).where(_LOG.c.game == _GAME.c.id).scalar_subquery()
    return core_select(*(_GAME.c[name] for name in names), entries).where(*_LIVES).order_by(_GAME.c.id)


def _select_current() -> Any:  # noqa: ANN401  # likewise
    """Return the query for the posts of the current turn, found by their keys."""
    entries = core_select(func.coalesce(func.max(_LOG.c.seq) + 1, 0)).where(_LOG.c.game == _GAME.c.id)
    of_turn = [_PREFIX + f":{kind}:" + _TURN_FROM for kind in ("turn", "pictures", "deck")]
    of_version = [
        _PREFIX + f":{kind}:" + cast(entries.scalar_subquery(), String) for kind in ("errand", "end", "story")
    ]
    of_table = [_PREFIX + f":{kind}" for kind in ("card", "lobby", "expire", "nudge", "giving", "ring")]
    keys = [*of_turn, *of_version, *of_table]
    return core_select(*_FATE).select_from(_GAME.join(_OUTBOX, _OUTBOX.c.key.in_(keys))).where(*_LIVES)


def _select_old_turns() -> Any:  # noqa: ANN401  # likewise
    """Return the query for messages of past turns whose result is missing."""
    result = _OUTBOX.alias("result")
    told = result.c.state.in_(WAITING) | and_(result.c.state == "sent", result.c.sent.is_not(None))
    of_turn = result.c.key == func.replace(_OUTBOX.c.key, ":turn:", ":summary:")
    batch = and_(_OUTBOX.c.batch == "posts:" + _PREFIX, _OUTBOX.c.sent > bindparam("old"))
    is_over = (_OUTBOX.c.kind == "turn", _OUTBOX.c.message != "", _OUTBOX.c.key != _PREFIX + ":turn:" + _TURN_FROM)
    missing = ~core_select(result.c.id).where(of_turn, told).exists()
    return core_select(*_FATE).select_from(_GAME.join(_OUTBOX, batch)).where(*_LIVES, *is_over, missing)


_TABLES, _CURRENT, _OLD_TURNS = _select_tables(), _select_current(), _select_old_turns()
_IN_PAGE = _OUTBOX.c.game.between(bindparam("first"), bindparam("last"))
_STATE = _OUTBOX.c.state
_UNSETTLED: Any = core_select(*_FATE).where(  # every state but "dropped" and "sent", as ranges of an index
    _IN_PAGE, or_(_STATE < "dropped", and_(_STATE > "dropped", _STATE < "sent"), _STATE > "sent")
)
_DROPPED: Any = core_select(*_FATE).where(
    _IN_PAGE, _OUTBOX.c.state == "dropped", _OUTBOX.c.due > bindparam("since"), _OUTBOX.c.kind.not_in(_NOT_DROPPED)
)
_ASKED: Any = (
    core_select(_PROPOSAL.c.game, _PROPOSAL.c.id.label("asked"), *(each.label(f"of_{each.name}") for each in _FATE))
    .select_from(
        _PROPOSAL.outerjoin(
            _OUTBOX, _OUTBOX.c.key == cast(_PROPOSAL.c.game, String) + ":ballot:" + cast(_PROPOSAL.c.id, String)
        )
    )
    .where(_PROPOSAL.c.state == "open", _PROPOSAL.c.game.between(bindparam("first"), bindparam("last")))
)
_SEATED: Any = core_select(_SEAT.c.game, _SEAT.c.number, _SEAT.c.user, _SEAT.c.proxy, _SEAT.c.stand_in).where(
    _SEAT.c.gone.is_(None), _SEAT.c.game.between(bindparam("first"), bindparam("last"))
)
_BUSY: Any = core_select(_LEASE.c.name, _LEASE.c.until).where(_LEASE.c.name.startswith(POSTS))
_ELSEWHERE: Any = core_select(_CALLS.c.user).where(_CALLS.c.place.in_(("dm", "none")))
_IN_GAMES = _OBLIGATION.c.game.between(bindparam("first"), bindparam("last"))
_OBLIGATIONS: Any = core_select(*(_OBLIGATION.c[name] for name in Obligation.__struct_fields__)).where(_IN_GAMES)
_PING_KEY = (
    _OBLIGATION.c.subject + ":ping:" + cast(_OBLIGATION.c.pinged, String) + ":" + cast(_OBLIGATION.c.pings - 1, String)
)
_USER = _OBLIGATION.c.user
_PING_KEYS = (_PING_KEY, _PING_KEY + ":refused", _PING_KEY + ":refused:" + _USER, _PING_KEY + ":" + _USER)
"""As ``list_ping_keys`` has them."""
_PINGED: Any = (
    core_select(*_FATE).select_from(_OBLIGATION.join(_OUTBOX, _OUTBOX.c.key.in_(_PING_KEYS))).where(_IN_GAMES)
)
_RULES: Any = core_select(_SERVER.c.guild, _SERVER.c.rules)
_decode_clock = msgspec.json.Decoder(GameClock).decode
_decode_rules = msgspec.json.Decoder(ServerRules).decode


async def read_fates(session: AsyncSession, now: int, first: int, last: int, *, all_turns: bool) -> list[TableFates]:
    """Return the tables in channels with numbers from first to last, with the states of their posts.

    Args:
        session: reads one moment.
        now: that moment.
        first: number of the first table.
        last: number of the last.
        all_turns: check the results of all turns, however old.
    """
    recent = now - RECENT_SECONDS
    values = {"first": first, "last": last, "since": recent, "old": 0 if all_turns else recent}
    tables = (await session.exec(_TABLES, params=values)).all()
    if not tables:
        return []
    found: dict[int, dict[str, PostFate]] = {row[0]: {} for row in tables}
    for query in (_CURRENT, _UNSETTLED, _DROPPED, _PINGED):
        for row in await session.exec(query, params=values):
            if row.game in found:
                found[row.game][row.key] = PostFate(*row)
    asked: dict[int, list[int]] = {}
    for game, number, *of_ballot in await session.exec(_ASKED, params=values):
        asked.setdefault(game, []).append(number)
        if game in found and of_ballot[0] is not None:
            found[game][of_ballot[2]] = PostFate(*of_ballot)
    old: dict[int, list[PostFate]] = {}
    for row in await session.exec(_OLD_TURNS, params=values):
        old.setdefault(row.game, []).append(PostFate(*row))
    seats: dict[int, dict[int, tuple[str, bool]]] = {}
    for game, number, user, proxy, stand_in in await session.exec(_SEATED, params=values):
        seats.setdefault(game, {})[number] = ("" if stand_in else proxy or user, stand_in)
    busy = dict((await session.exec(_BUSY)).all())
    rules = (await session.exec(_RULES)).all()
    elsewhere = frozenset((await session.exec(_ELSEWHERE)).scalars())
    asked_of: dict[int, list[Obligation]] = {}
    for row in await session.exec(_OBLIGATIONS, params=values):
        asked_of.setdefault(row.game, []).append(Obligation(*row))
    paused = {guild for guild, words in rules if _decode_rules(words).paused}
    return [
        TableFates(
            game, name, state, Home(guild, channel, thread, message), turn_from, 0 if entries is None else entries + 1,
            _read_ends(clock), expires, ended or 0, seats.get(game, {}), guild in paused, tuple(asked_of.get(game, ())),
            elsewhere, found[game],
            tuple(old.get(game, ())), tuple(asked.get(game, ())), busy.get(f"{POSTS}{game}", 0),
        )
        for game, name, state, guild, channel, thread, message, turn_from, clock, expires, ended, entries in tables
    ]  # fmt: skip


def _read_ends(clock: str) -> tuple[tuple[int, int], ...]:
    running = _decode_clock(clock) if clock else None
    return () if running is None else tuple(zip(running.running, running.ends, strict=True))


async def list_numbers(session: AsyncSession, now: int, among: tuple[int, int], most: int) -> list[int]:
    """Return the first numbers in a range of tables in channels that are played, or were until recently."""
    values = {"first": among[0], "last": among[1], "since": now - RECENT_SECONDS}
    query: Any = core_select(_GAME.c.id).where(*_LIVES).order_by(_GAME.c.id).limit(most)
    return [number for (number,) in await session.exec(query, params=values)]


async def owe_lost(session: AsyncSession, post: PostFate, due: int) -> None:
    """Owe a post again that was neither owed nor sent; if it has a message, that is edited."""
    changes = {"state": "owed", "due": due, "attempts": 0, "error": "", "revision": post.revision + 1}
    await update_rows(session, OutboxRow, col(OutboxRow.id) == post.id, **changes)


async def note_place(session: AsyncSession, key: str, place: outbox.Place) -> None:
    """Note the message of a post whose row named none."""
    channel, message = place
    await update_rows(session, OutboxRow, col(OutboxRow.key) == key, channel=channel, message=message, handed=0)
