"""Games that travel: out of the database and into it as files, and to private tables to think at."""

import asyncio
from collections.abc import Sequence

import msgspec
from sqlalchemy import delete
from sqlalchemy.exc import IntegrityError
from sqlmodel import col
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model import posts, turns
from bot.model.errors import BotError
from bot.model.plain import tidy_name, tidy_person
from bot.model.records import Home, NewTable, Outcome, Person, Position, Seat, Table
from bot.model.seating import make_outcome
from bot.model.standing import UNNUMBERED, Course, Standing
from bot.service import lobby
from bot.service.servers import Quota, Servers
from bot.service.table import GameTable
from bot.service.workers import files
from bot.service.workers.files import EXPORT, FileAsked, ImportedGame, ReadMove
from bot.service.workers.pool import TooMuchError
from bot.service.workers.stand_in import FORESEEN, Foresee
from bot.service.workers.tasks import STAND
from bot.store import games, log, obligations, outbox, proposals
from bot.store.database import Database
from bot.store.tables import LogRow
from engine import TITLES, Game, LogEntry, LogError, Redo, RuleError, Undo
from engine.codec import GameFile, decode_entry, read_file
from engine.game import replay_as_written
from engine.interop.profile import SITE
from engine.interop.travel import explain_stay
from engine.words import merge_repeats, pluralise

_FILE_ENDINGS = {"native": ".json", "18xx.games": "-18xx-games.json", "csv": ".csv"}
MAX_FILES_WAITING = 8
"""Files that wait to be read, one after the other."""


class Exported(msgspec.Struct, frozen=True):
    """A game as a file: its name, what is in it, and what is to be known of it."""

    name: str
    data: bytes
    words: str


FORK = msgspec.structs.replace(STAND, lane="searches")
ANALYSIS, PLAN = FORK_PREFIXES = ("Analysis of", "Plan for")
ToldEntryOfFork = tuple[LogEntry, tuple[str, ...], str]
"""An entry of a log, what is told of it, and who made it: empty for a person."""


class Transfer:
    """Export of stored games, import of files, and private tables to think at.

    All seats of such a table are one person's; no one else sees it, and it calls no one.
    """

    def __init__(self, table: GameTable, quota: Quota, servers: Servers) -> None:
        self.table = table
        self.servers = servers
        self.quota = quota
        self._waiting = 0

    async def export(self, game: int, kind: str = "native", user: str | None = None) -> Exported:
        """Return a game as a file.

        While the game runs only its players may have it, without the seed, and
        not at a table that hides something until the end: replaying the log
        would reveal it.

        Args:
            game: number of the table.
            kind: one of the ``FORMATS``.
            user: who asks; ``None`` for the operator.

        Raises:
            BotError: no such game, no such format, or not for this user now.
            UnreadableLogError: the format has no such game.
        """
        here = await self.table.load_position(game)
        sealed = user is not None and here.table.state == "running"
        if sealed:
            refuse_to_show(here.table, user or "")
        data, stop = await self.table.workers.do(EXPORT, (here.table.names, kind, sealed), here.course)
        name = f"{here.table.title}-{game}-{len(here.game.line)}{_FILE_ENDINGS.get(kind, '')}"
        words = f"{name}, {len(data)} bytes."
        why = (explain_stay(TITLES[here.table.title], here.table.options) if kind == SITE else "") or stop
        words += f" {why} It can be imported here." * bool(why)
        if sealed and kind != "csv":
            words += (
                " The game is still running, so the seed is left out. The table shows the seed at the end; with it,"
                " /game import can read this file. The fingerprint of the seed proves that it was drawn at the start:"
                f" {here.table.fingerprint}."
            )
        return Exported(name, data, words)

    async def import_file(
        self, host: Person, asked: FileAsked, name: str = "", home: Home | None = None, interaction: str | None = None
    ) -> Outcome:
        """Open a table from a file; the host holds all its seats, under the names in the file.

        By the same interaction twice, one table is opened.

        Raises:
            BotError: the file is refused, or needs too much time or memory; nothing is stored.
        """
        known = await self._find_opened(interaction)
        if known is not None:
            return make_outcome(known, ("Already imported.",), repeated=True)
        self.quota.spend("imports", host.id, (home or Home()).guild)
        brought = await self._read_file(asked)
        setup, now = brought.setup, self.table.clock()
        wish = NewTable(setup.title, setup.seats, name, setup.options, seed=setup.seed)
        opened = lobby.build_table(host, wish, home or Home(), now)
        said = await asyncio.to_thread(_decode_moves, setup.title, brought.rows)
        game, result = Standing.read(setup, said, brought.facts), brought.facts.result
        seats = tuple(Seat(number, host.id, tidy_person(each)) for number, each in enumerate(brought.names))
        table = msgspec.structs.replace(
            opened, seats=seats, started=now, turn_from=len(said), rules=setup.rules,
            state="running" if result is None else "finished", reason="" if result is None else result.reason_in_words,
        )  # fmt: skip
        told = [row.told for row in brought.rows]
        try:
            here = await self._store_import(Position(table, game, len(said)), told, interaction)
        except IntegrityError:  # the same delivery again, in this very moment
            known = await self._find_opened(interaction)
            if known is None:
                raise
            return make_outcome(known, ("Already imported.",), repeated=True)
        return make_outcome(here, (f"Imported {pluralise(len(said), 'move')}.", *brought.report), handed_over=True)

    async def _read_file(self, asked: FileAsked) -> ImportedGame:
        """Read a file; one at a time.

        Raises:
            BotError: the file is refused, or too many wait already.
        """
        if self._waiting >= MAX_FILES_WAITING:
            raise BotError("Many files are being read at the moment. Try again in a few minutes.")
        self._waiting += 1
        try:
            return await self.table.workers.do(files.READ_FILE, asked)
        except TooMuchError:
            raise BotError(files.TOO_MUCH) from None
        finally:
            self._waiting -= 1

    async def _find_opened(self, interaction: str | None) -> Position | None:
        """Return the table that an interaction opened."""
        async with self.table.database.reading() as session:
            number = await games.find(session, interaction=interaction) if interaction else None
        return None if number is None else await self.table.load_position(number)

    async def _store_import(self, here: Position, told: Sequence[tuple[str, ...]], interaction: str | None) -> Position:
        """Store a game that was played elsewhere, with the posts it owes now."""
        table, now = here.table, self.table.clock()
        async with self.table.database.writing() as session:
            number = await games.insert(session, table, interaction)
            if table.state == "running":
                await self.quota.refuse_too_many(session, table.host, table.home.guild)
                await self.servers.refuse_too_many(session, table.host, table.home.guild)
            table = msgspec.structs.replace(table, id=number)
            await games.change(session, number, imported=True, started=now)
            await self.servers.refuse_import(session, table.home.guild)
            await log.append_all(
                session,
                (
                    log.NewEntry(number, seq, said, table.seats[said.seat].user, words, now)
                    for seq, (said, words) in enumerate(zip(here.game.log, told, strict=True))
                ),
            )
            here = Position(table, here.game, here.version)
            step = turns.LogStep(None, here, table.host, (), now, live=False)
            owed = turns.list_posts(step)
            if table.home.channel and table.state == "running":
                owed.append(posts.Owed(posts.build_giving_key(number), posts.Giving(number), now))
            await outbox.owe(session, owed, now)
        self.table.live.keep(here)
        return here

    # --- tables to think at --------------------------------------------------------------

    async def fork(self, game: int, person: Person, at: int | None = None, interaction: str | None = None) -> Outcome:
        """Open a private table from a position, now or after so many moves; by the same interaction once.

        Raises:
            BotError: no such game or move, or it may not be seen by this person while it runs.
        """
        here = await self._load_visible(game, person)
        count = len(here.game.line) if at is None else at
        if not 0 <= count <= len(here.game.line):
            raise BotError(
                f"There is no move {str(count)[:20]}; the game has {pluralise(len(here.game.line), 'move')}."
            )
        made = await self._store_fork(here, person, await self._read_entries(here, count), ANALYSIS, interaction)
        told = f"Game {made.table.id} is a table of your own: all seats are yours, and no one else can see it."
        return make_outcome(
            made, (told, f"“{here.table.name}” isn't affected. To end this, use /game close game:{made.table.id}.")
        )

    async def plan(self, game: int, person: Person, interaction: str | None = None) -> Outcome:
        """Open a private table at a person's next turn; until then the program moves for all others.

        By the same interaction one table is opened.

        Raises:
            BotError: the person does not play in this running game.
        """
        here = await self._load_visible(game, person)
        mine = here.table.list_playable(person.id)
        if here.table.state != "running" or not mine:
            raise BotError(
                f"You don't have a seat in a running game at “{here.table.name}”. To open any position, use /game fork."
            )
        entries = await self._read_entries(here, len(here.game.line))
        found = await self.table.workers.do(FORESEEN, Foresee(mine, here.table.names), here.course)
        title = here.table.title
        entries += [(decode_entry(title, each.seat, each.said), each.told, each.made_by) for each in found]
        made = await self._store_fork(here, person, entries, PLAN, interaction)
        guessed = f", after {pluralise(len(found), 'move')} that the program guessed for the others" if found else ""
        told = f"Game {made.table.id} is your plan{guessed}. Try anything; no one else can see it."
        return make_outcome(
            made, (told, f"“{here.table.name}” isn't affected. To end this, use /game close game:{made.table.id}.")
        )

    async def _load_visible(self, game: int, person: Person) -> Position:
        here = await self.table.load_position(game)
        if here.table.state == "running" or here.table.privacy == "private":
            refuse_to_show(here.table, person.id)
        return here

    async def _read_entries(self, here: Position, count: int) -> list[ToldEntryOfFork]:
        """Return the first moves in force with what was told of them."""
        told = {line.seq: line.sentences for line in await self.table.told.list_lines(here)}
        return [(here.game.log[place], told[place], "") for place in here.game.line[:count]]

    async def _store_fork(
        self, here: Position, person: Person, entries: Sequence[ToldEntryOfFork], what: str, interaction: str | None
    ) -> Position:
        """Store a private table with this log, unless the interaction has opened it before."""
        if (known := await self._find_opened(interaction)) is not None:
            return known
        now, before = self.table.clock(), here.table
        said = tuple(each for each, _, _ in entries)
        facts = await self.table.workers.do(FORK, None, Course(UNNUMBERED, before.setup, said))
        game = Standing.read(before.setup, said, facts)
        result = game.result()
        seats = tuple(
            msgspec.structs.replace(seat, user=person.id, proxy="", proxy_name="", stand_in=False, once=False)
            for seat in before.seats
        )
        table = msgspec.structs.replace(
            before, id=0, name=_name_fork(what, before.name), host=person.id, privacy="private",
            state="running" if result is None else "finished", home=Home(before.home.guild), created=now, expires=now,
            started=now, turn_from=len(said), reason="" if result is None else result.reason_in_words, seats=seats,
            clock=None, season=0,
        )  # fmt: skip
        async with self.table.database.writing() as session:
            number = await games.insert(session, table, interaction)
            await self.servers.refuse_too_many(session, person.id, table.home.guild)
            await log.append_all(
                session,
                (
                    log.NewEntry(number, seq, one, person.id, words, now, made_by=made_by)
                    for seq, (one, words, made_by) in enumerate(entries)
                ),
            )
        made = Position(msgspec.structs.replace(table, id=number), game, len(said))
        self.table.live.keep(made)
        return made


def _decode_moves(title: str, rows: Sequence[ReadMove]) -> tuple[LogEntry, ...]:
    return tuple(decode_entry(title, row.seat, row.said) for row in rows)


def refuse_to_show(table: Table, user: str) -> None:
    """Refuse the log of a running game to strangers, and to all where something is hidden until the end.

    Raises:
        BotError: with the reason.
    """
    if not table.list_playable(user):
        until = "" if table.privacy == "private" else " until the game ends"
        raise BotError(f"Only players of “{table.name}” can see its log{until}.")
    hidden = [
        words
        for option in TITLES[table.title].options
        for value, words in option.hides
        if table.options.get(option.name, option.default) == value
    ]
    if hidden:
        raise BotError(
            f"“{table.name}” hides {' and '.join(hidden)} until the end, and the log would reveal them. Try "
            "again after the game ends."
        )


def _name_fork(what: str, name: str) -> str:
    """Return the name of a private table after that of the game it comes from, also where that is one already."""
    for each in FORK_PREFIXES:
        name = name.removeprefix(f"{each} ")
    return tidy_name(f"{what} {name}", name)


async def restore_log(database: Database, game: int, data: bytes, now: int) -> int:
    """Put the log of a table in the place of the one it has; return the number of its entries.

    The table keeps its number, seats and thread, and owes its turn message again.

    Args:
        database: the database; no bot may be running on it.
        game: number of the table.
        data: the log as it was exported, in our format.
        now: the moment.

    Raises:
        BotError: no such table, or the log is not of this table.
        UnreadableLogError, LogError, RuleError: the log is refused; nothing is changed.
    """
    async with database.reading() as session:
        table = await games.fetch(session, game)
    file = read_file(data, table.seed)  # which opens a log that was taken while the game ran
    file = msgspec.structs.replace(file, setup=replay_as_written(file.setup, file.log).setup)
    _refuse_other(table, file)
    after = Game.new(file.setup)
    steps = []
    for place, said in enumerate(file.log):
        try:
            after, told = _play_entry(after, said, table.names)
        except RuleError as refusal:
            raise LogError(place, str(refusal)) from refusal
        steps.append((said, told))
    await _store_log(database, table, after, steps, now)
    return len(steps)


def _play_entry(game: Game, said: LogEntry, names: Sequence[str]) -> tuple[Game, tuple[str, ...]]:
    """Return the game after one more entry, and what is told of it."""
    if isinstance(said.action, Undo):
        return game.undo(said.seat, said.action.to), ("Moves were taken back.",)
    if isinstance(said.action, Redo):
        return game.redo(said.seat), ("Moves were restored.",)
    played = game.play(said.seat, said.action)
    return played.game, merge_repeats(game.title.words.say(event, names) for event in played.events)


def _refuse_other(table: Table, file: GameFile) -> None:
    if not table.started:
        raise BotError(f"Table {table.id} hasn't started; it has no log.")
    if table.setup != file.setup or any(not 0 <= said.seat < table.setup.seats for said in file.log):
        raise BotError(f"That isn't the log of table {table.id}: its game, players, seed or options differ.")


async def _store_log(
    database: Database, table: Table, after: Game, steps: Sequence[tuple[LogEntry, tuple[str, ...]]], now: int
) -> None:
    holders = {seat.number: seat.user for seat in table.seats}
    async with database.writing(table.id) as session:
        await session.exec(delete(LogRow).where(col(LogRow.game) == table.id))
        for seq, (said, told) in enumerate(steps):
            user = holders.get(said.seat) or table.host
            await log.append(session, log.NewEntry(table.id, seq, said, user, told, now))
        await reopen_table(session, table, after, now)


async def reopen_table(session: AsyncSession, table: Table, after: Game, now: int) -> None:
    """Let a table go on from the game that its restored log leads to, and owe its turn message again."""
    result, version = after.result(), len(after.log)
    state = "running" if result is None else "finished"
    reason = "" if result is None else result.reason_in_words
    await games.change(session, table.id, state=state, reason=reason, turn_from=version)
    gone = await proposals.expire_all(session, table.id)
    await outbox.close_turn(session, table)
    await obligations.close(session, table.id, now)  # whoever was asked in the same turn before has answered
    restored = await games.fetch(session, table.id)
    step = turns.LogStep(None, Position(restored, Standing.of(after), version), "", (), now, live=False)
    await outbox.owe(session, [*turns.list_posts(step), *(posts.make_ballot(each, now) for each in gone)], now)
