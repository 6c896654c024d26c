"""Log entries: a move about to be stored, with those that programs make after it, and what was told of all."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence

import msgspec
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.errors import BotError
from bot.model.posts import LIVE_SPAN, LogStep
from bot.model.records import LogLine, Position
from bot.model.standing import Facts, Standing, hands_over
from bot.service.workers.tasks import FurtherMove
from bot.store import log
from bot.store.database import Database
from bot.store.log import ToldEntry
from engine import LogEntry, Record
from engine.codec import decode_entry

MAX_TEXT_CHARACTERS = 500
MAX_DIGITS = 15
MAX_LOGS_KEPT = 64
"""Tables whose log is kept in words, for whoever looks back."""


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
        game = game.after(decode_entry(game.setup.title, each.seat, each.said), told)
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
    """Return the position after a change, and whether the turn passes with it."""
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


class ToldLogs:
    """What was told of the entries of tables, kept for whoever looks back; nothing told is ever changed.

    Args:
        database: the open store.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: OrderedDict[int, list[ToldEntry]] = OrderedDict()

    async def list_lines(self, here: Position, since: int = 0) -> list[LogLine]:
        """Return the log up to a position in words, as ``log`` does."""
        rows = (await self._read_all(here))[max(0, since) : here.version]
        moves = {position: count for count, position in enumerate(here.game.line, 1)}
        plays = {at for at, said in enumerate(here.game.log) if type(said.action) in here.game.title.actions}
        names = here.table.names
        return [
            LogLine(
                row.seq, moves.get(row.seq, 0), row.seat, names[row.seat], row.told, row.at,
                row.seq in plays and row.seq not in moves,
            )
            for row in rows
        ]  # fmt: skip

    async def _read_all(self, here: Position) -> list[ToldEntry]:
        """Return what was told of all entries, of which only new ones are read: nothing told is ever changed."""
        rows = self._known.setdefault(here.table.id, [])
        self._known.move_to_end(here.table.id)
        if len(rows) < here.version:
            async with self._database.reading() as session:
                more = await log.list_told(session, here.table.id, len(rows))
            rows += [row for row in more if row.seq >= len(rows)]  # somebody else may have read them meanwhile
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
            acted = {row.user for row in rows if row.at > now - LIVE_SPAN}
        else:  # nobody has looked at the log here
            rows, acted = (
                await log.list_told(session, game, turn_from),
                await log.list_users_after(session, game, now - LIVE_SPAN),
            )
        line = {place for place in after.game.line if turn_from <= place < here.version}
        told = [sentence for row in rows if row.seq in line for sentence in row.told]
        return LogStep(
            here, after, change.user, (*told, *change.all_sentences), now, len((acted | {change.user}) - {""}) > 1
        )

    def append(self, here: Position, entries: Sequence[log.NewEntry]) -> None:
        """Remember what was told of entries that are stored now, where all before them is known."""
        rows = self._known.get(here.table.id)
        if rows is not None and len(rows) == here.version:
            rows += [ToldEntry(new.game, new.seq, new.said.seat, new.user, new.told, new.at) for new in entries]
