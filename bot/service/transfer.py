"""Games that travel: out of the store and into it, in our format and that of 18xx.games."""

import asyncio
from collections.abc import Iterator, Sequence

import msgspec

from bot.service import lobby, posts
from bot.service.errors import BotError
from bot.service.plain import tidied
from bot.service.records import Home, NewTable, Outcome, Person, Position, Seat
from bot.service.seating import outcome
from bot.service.table import GameTable
from bot.store import games, log, outbox
from engine import Game, LogError, Record, Redo, RuleError, Said, Setup, Undo
from engine.codec import decode_file, encode_file
from engine.interop import export_game, import_log

FORMATS = ("native", "18xx.games")
MOST_ENTRIES = 20_000


class Loaded(Record, frozen=True):
    """A game read from a file.

    Args:
        ids: ids of the players in the file, by seat. names: what they are called.
    """

    setup: Setup
    ids: tuple[str, ...]
    names: tuple[str, ...]
    log: tuple[Said, ...]


def load(data: bytes) -> Loaded:
    """Read a game in our format or that of 18xx.games.

    Raises:
        UnreadableLogError: it is no log. LogError: one of its entries cannot be read or played.
    """
    if b'"stationmaster"' in data[:4096]:
        setup, log = decode_file(data)
        seats = range(min(setup.seats, 100))
        return Loaded(setup, tuple(map(str, seats)), tuple(f"Player {seat + 1}" for seat in seats), tuple(log))
    found = import_log(data)
    return Loaded(found.setup, found.ids, found.names, found.log)


def as_bytes(game: Game, names: tuple[str, ...], kind: str) -> bytes:
    """Return a game as a file of one of the ``FORMATS``.

    Raises:
        BotError: no such format. UnreadableLogError: the format has no such game.
    """
    if kind not in FORMATS:
        raise BotError(f"The format is one of: {', '.join(FORMATS)}.")
    if kind == "native":
        return encode_file(game.setup, game.log)
    return export_game(game, names)


def played_out(loaded: Loaded) -> Iterator[tuple[Said, Game, tuple[str, ...]]]:
    """Play a log from the beginning; yield each entry, the game after it and what is told.

    Raises:
        LogError: an entry breaks a rule. RuleError: the set-up is refused.
    """
    game = Game.new(loaded.setup)
    for index, entry in enumerate(loaded.log):
        if not 0 <= entry.seat < loaded.setup.seats:
            raise LogError(index, f"There is no seat {entry.seat}.")
        try:
            game, told = _next(game, entry, loaded.names)
        except RuleError as refusal:
            raise LogError(index, str(refusal)) from refusal
        yield entry, game, told


def _next(game: Game, entry: Said, names: Sequence[str]) -> tuple[Game, tuple[str, ...]]:
    """Return the game after one more entry, and what is told of it."""
    if isinstance(entry.action, Undo):
        return game.undo(entry.seat, entry.action.to), ("Moves are taken back.",)
    if isinstance(entry.action, Redo):
        return game.redo(entry.seat), ("Moves are brought back.",)
    played = game.play(entry.seat, entry.action)
    return played.game, tuple(game.title.say(event, names) for event in played.events)


class Transfer:
    """Export of stored games, import of files."""

    def __init__(self, table: GameTable) -> None:
        self.table = table

    async def export(self, game: int, kind: str = "native") -> tuple[str, bytes]:
        """Return a file name and the game as a file.

        Raises:
            BotError: no such game, or no such format. UnreadableLogError: the format has no such game.
        """
        here = await self.table.position(game)
        name = f"{here.table.title}-{game}-{len(here.game.line)}.json"
        return name, await asyncio.to_thread(as_bytes, here.game, here.table.names, kind)

    async def bring_in(
        self, host: Person, data: bytes, name: str = "", home: Home | None = None, interaction: str | None = None
    ) -> Outcome:
        """Open a table from a file; the host holds all its seats, under the names in the file.

        By the same interaction twice, one table is opened.

        Raises:
            UnreadableLogError, LogError, RuleError, BotError: the file is refused; nothing is stored.
        """
        known = await self._known(interaction)
        if known is not None:
            return outcome(known, ("Brought in already.",), repeated=True)
        loaded = await asyncio.to_thread(load, data)
        setup = loaded.setup
        if len(loaded.log) > MOST_ENTRIES:
            raise BotError(f"The log has {len(loaded.log)} entries; {MOST_ENTRIES} are the most.")
        now = self.table.clock()
        wish = NewTable(setup.title, setup.seats, name, setup.options, seed=setup.seed)
        opened = lobby.opened(host, wish, home or Home(), now)
        steps = await asyncio.to_thread(lambda: list(played_out(loaded)))
        game = steps[-1][1] if steps else Game.new(setup)
        seats = tuple(Seat(number, host.id, tidied(each, "Someone")) for number, each in enumerate(loaded.names))
        result = game.result()
        table = msgspec.structs.replace(
            opened, seats=seats, started=now, turn_from=len(steps), rules=setup.rules,
            state="running" if result is None else "finished", reason="" if result is None else result.reason,
        )  # fmt: skip
        here = await self._stored(Position(table, game, len(steps)), steps, interaction)
        return outcome(here, (f"Brought in: {len(game.line)} moves in force.",), handed_over=True)

    async def _known(self, interaction: str | None) -> Position | None:
        """Return the table that an interaction opened."""
        async with self.table.database.reading() as session:
            number = await games.find(session, interaction=interaction) if interaction else None
        return None if number is None else await self.table.position(number)

    async def _stored(
        self, here: Position, steps: Sequence[tuple[Said, Game, tuple[str, ...]]], interaction: str | None
    ) -> Position:
        """Store a game that was played elsewhere, with the posts it owes now."""
        table, now = here.table, self.table.clock()
        async with self.table.database.writing() as session:
            number = await games.insert(session, table, interaction)
            table = msgspec.structs.replace(table, id=number)
            await games.change(session, number, started=now, turn_from=table.turn_from, reason=table.reason)
            for seq, (said, _, told) in enumerate(steps):
                user = table.seats[said.seat].user
                await log.append(session, log.Entry(number, seq, said, user, told, now))
            here = Position(table, here.game, here.version)
            step = posts.Step(None, here, table.host, (), now, live=False)
            await outbox.owe(session, posts.owed(step), now)
        self.table.live.keep(here)
        return here
