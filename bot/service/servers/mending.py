"""A table whose log is damaged gets it back from an exported one."""

from collections.abc import Sequence

from msgspec.structs import replace
from sqlalchemy import delete
from sqlmodel import col

from bot.model import posts
from bot.model.errors import BotError
from bot.model.records import Position, Table
from bot.model.standing import Standing
from bot.store import games, log, outbox, proposals
from bot.store.database import Database
from bot.store.tables import LogRow
from engine import Game, LogError, Redo, RuleError, Said, Undo
from engine.codec import GameFile, read_file
from engine.english import once
from engine.readings import replay_as_written


async def mend(database: Database, game: int, data: bytes, now: int) -> int:
    """Put the log of a table in the place of the one it has; return the number of its entries.

    The table keeps its number, seats and thread, and owes its turn message anew.

    Args:
        database: the store; no bot may be running on it.
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
    file = replace(file, setup=replay_as_written(file.setup, file.log).setup)
    _refuse_other(table, file)
    after = Game.new(file.setup)
    steps = []
    for place, said in enumerate(file.log):
        try:
            after, told = _next(after, said, table.names)
        except RuleError as refusal:
            raise LogError(place, str(refusal)) from refusal
        steps.append((said, told))
    await _stored(database, table, after, steps, now)
    return len(steps)


def _next(game: Game, said: Said, names: Sequence[str]) -> tuple[Game, tuple[str, ...]]:
    """Return the game after one more entry, and what is told of it."""
    if isinstance(said.action, Undo):
        return game.undo(said.seat, said.action.to), ("Moves are taken back.",)
    if isinstance(said.action, Redo):
        return game.redo(said.seat), ("Moves are brought back.",)
    played = game.play(said.seat, said.action)
    return played.game, once(game.title.words.say(event, names) for event in played.events)


def _refuse_other(table: Table, file: GameFile) -> None:
    if not table.started:
        raise BotError(f"Table {table.id} has not started; it has no log.")
    if table.setup != file.setup or any(not 0 <= said.seat < table.setup.seats for said in file.log):
        raise BotError(f"That is not the log of table {table.id}: its game, players, seed or options are others.")


async def _stored(
    database: Database, table: Table, after: Game, steps: Sequence[tuple[Said, tuple[str, ...]]], now: int
) -> None:
    result = after.result()
    state = "running" if result is None else "finished"
    reason = "" if result is None else result.told
    holders = {seat.number: seat.user for seat in table.seats}
    async with database.writing(table.id) as session:
        await session.exec(delete(LogRow).where(col(LogRow.game) == table.id))
        for seq, (said, told) in enumerate(steps):
            user = holders.get(said.seat) or table.host
            await log.append(session, log.NewEntry(table.id, seq, said, user, told, now))
        await games.change(session, table.id, state=state, reason=reason, turn_from=len(steps))
        await proposals.lapse_all(session, table.id)
        await outbox.close_turn(session, table)
        mended = await games.fetch(session, table.id)
        step = posts.LogStep(None, Position(mended, Standing.of(after), len(steps)), mended.host, (), now, live=False)
        await outbox.owe(session, posts.owed(step), now)
