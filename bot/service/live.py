"""Running games in memory: their latest positions and logs in words, and entries about to be stored."""

import asyncio
import math
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from weakref import WeakValueDictionary

import msgspec
import structlog
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.clock import Clock
from bot.model.errors import BotError, make_reference
from bot.model.measures import Measures
from bot.model.posts import LIVE_SECONDS, ClockAlarm, Errand, OnDeck, Ping, Ring, TimeUp, build_turn_key
from bot.model.records import LogLine, Position, Table
from bot.model.seating import list_acting_seats, refuse_damaged
from bot.model.standing import Course, Facts, Standing, hands_over
from bot.model.turns import LogStep
from bot.service.orders import ORDER
from bot.service.workers.jobs import DefectError
from bot.service.workers.pool import Workers
from bot.service.workers.tasks import LEGAL, STAND, FurtherMove
from bot.store import games, log, outbox, posted, soundness
from bot.store.database import DamageError, Database, StoreError
from bot.store.log import EntryText
from engine import Action, LogEntry, LogError, Record
from engine.codec import decode_action, decode_entry

MIN_CARD_SECONDS, MAX_CARD_SECONDS = 0.25, 60.0
"""Seconds that a table message waits for its next edit; a rest of more is by a clock that was put back since."""
_log = structlog.get_logger(__name__)


class StoredGame(Record, frozen=True):
    """What the database has of a started game.

    Args:
        kept: where it stood when it was last read, if that is still so.
    """

    table: Table
    kept: Position | None


class LiveGames:
    """A bounded cache of positions; the database is asked each time whether one is still the latest.

    Another process may write to the same store, so the version is read, never assumed.

    Args:
        database: the open database. workers: replay logs. most: how many positions are kept.
        clock: gives the moment.
    """

    def __init__(self, database: Database, workers: Workers, most: int, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._workers = workers
        self._most = most
        self.measures = Measures()
        self.card_rests: dict[int, float] = {}
        """Moments until which the messages of tables aren't edited again."""
        self._games: OrderedDict[int, Position] = OrderedDict()
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def get_lock(self, game: int) -> asyncio.Lock:
        """Return the lock of a game; hold it from reading the position to storing the next."""
        lock = self._locks.get(game)
        if lock is None:
            lock = self._locks[game] = asyncio.Lock()
        return lock

    def get_cached(self, game: int) -> Position | None:
        """Return the position that is in memory, which may be outdated; storing what follows checks that."""
        return self._games.get(game)

    async def load_position(self, game: int) -> Position:
        """Return a started game as it stands.

        Raises:
            BotError: there is no such game, or it has not started.
        """
        async with self._database.reading() as session:
            found = await self.read_stored(session, game)
        return await self.restore_position(found)

    async def read_stored(self, session: AsyncSession, game: int) -> "StoredGame":
        """Return what the database has of a started game, for ``restore_position``.

        Raises:
            BotError: there is no such game, or it has not started.
        """
        table, version = await games.fetch_with_version(session, game)
        refuse_unstarted(table)
        kept = self._games.get(game)
        is_latest = kept is not None and (kept.version == version or bool(kept.damage))
        return StoredGame(table, kept if is_latest else None)

    async def restore_position(self, found: "StoredGame") -> Position:
        """Return the position that was found; of a damaged log, the last intact one."""
        if found.kept is None:
            here = await self._replay(found.table)
        elif found.kept.table == found.table:
            here = found.kept
        else:
            here = msgspec.structs.replace(found.kept, table=found.table)
        self.keep(here)
        return here

    async def _replay(self, table: Table) -> Position:
        stored = await soundness.read_intact_log(self._database, table.id, table.title, table.setup.seats)
        said, damage = stored.entries, stored.damage or log.find_missing(stored, table.turn_from)
        while True:
            try:
                facts = await self._workers.do(STAND, None, Course(table.id, table.setup, said))
                break
            except LogError as error:  # what was undone by then is in force again, and may be refused in turn
                said, damage = said[: error.index], f"log entry {error.index + 1} can't be replayed: {error.cause}"
            except DefectError as error:
                if not said:
                    raise
                number = make_reference()
                _log.error("defect", ref=number, game=table.id, trace=str(error))
                said = said[: await self.count_playable(table, said)]
                damage = f"log entry {len(said) + 1} can't be replayed, which is a defect on our side (ref {number})"
        here = Position(table, Standing.read(table.setup, said, facts), len(said), damage.rstrip("."))
        if damage:
            _log.error("a table is damaged", game=table.id, why=damage, intact=len(said))
            await show_damage(self._database, self._clock, here)
        return here

    async def reload(self, game: int) -> None:
        """Replace a position in memory by what the log leads to now, if what is stored about its table can be read."""
        async with self.get_lock(game):
            try:
                async with self._database.reading() as session:
                    table, _ = await games.fetch_with_version(session, game)
            except DamageError as error:
                _log.error("a table is damaged", game=game, why=str(error))
                self.forget(game)
            else:
                self._games[game] = await self._replay(table)

    async def count_playable(self, table: Table, said: tuple[LogEntry, ...]) -> int:
        """Return after how many entries of a log, all of which crash the engine, it still stands."""
        good, bad = 0, len(said)
        while bad - good > 1:
            middle = (good + bad) // 2
            try:
                await self._workers.do(STAND, None, Course(table.id, table.setup, said[:middle]))
            except (DefectError, LogError):
                bad = middle
            else:
                good = middle
        return good

    def is_in_server(self, game: int, guild: str) -> bool:
        """Return whether a game is known to belong to a server; what belongs to one never changes it."""
        kept = self._games.get(game)
        if kept is None or kept.table.privacy == "private":
            return False
        return bool(guild) and kept.table.home.guild == guild

    def keep(self, here: Position, stored: int = 0) -> None:
        """Keep a position that is stored; an older one does not replace a newer, nor any one that is damaged.

        Args:
            here: the position.
            stored: how many entries of the log led to it just now.
        """
        self.measures.moves[here.table.title] += stored
        kept = self._games.get(here.table.id)
        if kept is None or (kept.version <= here.version and not kept.damage):
            self._games[here.table.id] = here
        self._games.move_to_end(here.table.id)
        while len(self._games) > self._most:
            self.forget(next(iter(self._games)))

    def find_card_due(self, game: int, now: int) -> int:
        """Return the moment from which a table's message may be edited again."""
        rest = self.card_rests.get(game, 0.0) - now
        return now + math.ceil(rest) if MIN_CARD_SECONDS < rest <= MAX_CARD_SECONDS else now

    def forget(self, game: int) -> None:
        """Drop a game from memory; the next request reads it again."""
        self._games.pop(game, None)

    def forget_damaged(self) -> None:
        """Drop the damaged games from memory, as what was damaged has been repaired."""
        for game in [number for number, here in self._games.items() if here.damage]:
            self.forget(game)

    async def list_legal(self, here: Position, user: str) -> tuple[Action, ...]:
        """Return the legal actions of all acting seats of a user; () out of turn."""
        seats = list_acting_seats(here, user)
        found = await self._workers.do(LEGAL, seats, here.course) if seats else []
        return tuple(decode_action(here.table.title, each) for each in found)


async def show_damage(database: Database, clock: Clock, here: Position) -> None:
    """Let the messages of a damaged table say so, and let nothing ring any more."""
    game = here.table.id
    turn = build_turn_key(game, here.table.turn_from)
    with suppress(StoreError):  # what can't be written either stays as it is
        async with database.writing(game) as session:
            await outbox.drop(session, game, (Ping, Ring, OnDeck, ClockAlarm, TimeUp, Errand))
            keys = [turn, *await posted.list_pictures(session, game, turn), f"{game}:card"]
            for stored in await posted.find_all(session, keys):
                await posted.owe_again(session, [stored.key], clock(), stored.channel or "nowhere")


def refuse_unstarted(table: Table) -> None:
    """Refuse what needs a started game.

    Raises:
        BotError: the table is still open, or was closed before the start.
    """
    if table.state == "open":
        raise BotError(f"“{table.name}” hasn't started yet. The host can start it with /game start.")
    if table.state == "closed" and not table.started:
        raise BotError(f"“{table.name}” was closed{f': {table.reason}' if table.reason else ' before it started'}.")


MAX_TEXT_CHARACTERS = 500
MAX_DIGITS = 15
MAX_LOGS_KEPT = 64
"""Tables whose log is kept in words, for players who look back."""


class Change(Record, frozen=True):
    """A log entry about to be stored: who said what, where it leads, what is told of it.

    ``further`` are moves of programs that follow it, stored with it; ``game`` is where all of it leads.
    """

    said: LogEntry
    user: str
    game: Standing
    told: tuple[str, ...]
    interaction: str | None
    further: tuple[FurtherMove, ...] = ()
    made_by: str = ""

    @property
    def all_sentences(self) -> tuple[str, ...]:
        """What is told of all of it."""
        return (*self.told, *(sentence for each in self.further for sentence in each.told))


def play_further(game: Standing, further: Sequence[FurtherMove], told: Facts) -> Standing:
    """Return where a game stands after the moves of programs."""
    for each in further:
        game = game.add_entry(decode_entry(game.setup.title, each.seat, each.said), told)
    return game


def build_entries(here: Position, change: Change, now: int) -> list[log.NewEntry]:
    """Return the entries of a change as the log has them."""
    table = here.table
    first = log.NewEntry(
        table.id, here.version, change.said, change.user, change.told, now, change.interaction, change.made_by
    )
    holders = {seat.number: seat.user for seat in table.seats}
    return [
        first,
        *(
            log.NewEntry(
                table.id, here.version + place, decode_entry(table.title, each.seat, each.said), holders[each.seat],
                each.told, now, made_by=each.made_by,
            )
            for place, each in enumerate(change.further, 1)
        ),
    ]  # fmt: skip


def compute_position(here: Position, change: Change) -> tuple[Position, bool]:
    """Return the position after a change, and whether the turn passes with it.

    Raises:
        BotError: the table is damaged.
    """
    refuse_damaged(here)
    passed = hands_over(here.game, change.game)
    result = change.game.result()
    table = msgspec.structs.replace(
        here.table,
        turn_from=len(change.game.log) if passed else here.table.turn_from,
        state="running" if result is None else "finished",
        reason="" if result is None else result.reason_in_words,
    )
    return Position(table, change.game, len(change.game.log)), passed


def refuse_oversized(words: Mapping[str, str]) -> None:
    """Refuse words no move needs, before anything looks into them.

    Raises:
        BotError: a text is too long, or a number too large.
    """
    for name, word in words.items():
        if len(word) > MAX_TEXT_CHARACTERS or len(name) > MAX_TEXT_CHARACTERS:
            raise BotError(f"That's too long; the limit is {MAX_TEXT_CHARACTERS} characters.")
        if len(word.strip().lstrip("+-")) > MAX_DIGITS and word.strip().lstrip("+-").isdecimal():
            raise BotError(f"The number for {name} is too large.")


class LogTexts:
    """What was told of the entries of tables, kept for players who look back; nothing told is ever changed.

    Args:
        database: the open database.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: OrderedDict[int, list[EntryText]] = OrderedDict()

    async def list_lines(self, here: Position, since: int = 0) -> list[LogLine]:
        """Return the log up to a position in words, as ``GameTable.read_log`` does."""
        rows = (await self._read_all(here))[max(0, since) : here.version]
        moves = {position: count for count, position in enumerate(here.game.line, 1)}
        plays = {at for at, said in enumerate(here.game.log) if type(said.action) in here.game.title.actions}
        names = here.table.names
        lines, first = list[LogLine](), 0
        for row in rows:
            move, is_folded = moves.get(row.seq, 0), row.made_by == ORDER and not row.told
            first = move and (first or move)
            lines.append(
                LogLine(
                    row.seq, move, row.seat, names[row.seat], row.told, row.at,
                    row.seq in plays and not move, is_folded, first,
                )
            )  # fmt: skip
            first = first if is_folded else 0
        return lines

    async def _read_all(self, here: Position) -> list[EntryText]:
        """Return what was told of all entries, of which only new ones are read: nothing told is ever changed."""
        rows = self._known.setdefault(here.table.id, [])
        self._known.move_to_end(here.table.id)
        if len(rows) < here.version:
            async with self._database.reading() as session:
                more = await log.list_told(session, here.table.id, len(rows))
            rows += [row for row in more if row.seq >= len(rows)]  # another may have read them meanwhile
        while len(self._known) > MAX_LOGS_KEPT:
            self._known.popitem(last=False)
        return rows

    def forget(self, game: int) -> None:
        """Forget what was told of a game, which is told otherwise now."""
        self._known.pop(game, None)

    async def build_step(
        self, session: AsyncSession, here: Position, after: Position, change: Change, now: int
    ) -> LogStep:
        """Gather what the posts need: the sentences of the turn, and whether the table is live."""
        game, turn_from = here.table.id, here.table.turn_from
        rows = self._known.get(game, [])[: here.version]
        if len(rows) == here.version:
            acted = {row.user for row in rows if row.at > now - LIVE_SECONDS}
        else:  # no one has looked at the log here
            rows, acted = (
                await log.list_told(session, game, turn_from),
                await log.list_users_after(session, game, now - LIVE_SECONDS),
            )
        line = {place for place in after.game.line if turn_from <= place < here.version}
        told = [sentence for row in rows if row.seq in line for sentence in row.told]
        is_live = len((acted | {change.user}) - {""}) > 1
        said = (*told, *change.all_sentences)
        return LogStep(here, after, change.user, said, now, is_live, here.table.followed)

    def append(self, here: Position, entries: Sequence[log.NewEntry]) -> None:
        """Remember what was told of entries that are stored now, where all before them is known."""
        rows = self._known.get(here.table.id)
        if rows is not None and len(rows) == here.version:
            rows += [
                EntryText(new.game, new.seq, new.said.seat, new.user, new.told, new.at, new.made_by) for new in entries
            ]
