"""Check the database, and restore damaged tables from the newest backup and what is left of their logs."""

import asyncio
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import asyncpg
import typer
from sqlalchemy import delete, insert, update
from sqlalchemy import select as core_select
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlmodel import SQLModel, col

from bot.model.errors import BotError
from bot.operations import backup
from bot.operations.cli import REFUSED, find_document
from bot.operations.settings import load_settings
from bot.service.transfer import reopen_table
from bot.store import copies, games, log, salvage, soundness
from bot.store.address import is_server
from bot.store.database import Database
from bot.store.sqlite import SqliteFile
from bot.store.tables import LogRow
from engine import Game, LogError, Record, RuleError, Setup
from engine.words import pluralise

commands = typer.Typer()
Row = dict[str, Any]  # of whatever the columns hold
_GAME, _SEAT, _LOG = (SQLModel.metadata.tables[name] for name in ("game", "seat", "log"))


class _Found(Record, frozen=True):
    """What a database has of a table: its own row, its seats, its log by place; ``setup`` if its row can be read."""

    game: Row | None
    seats: list[Row]
    log: dict[int, Row]
    setup: Setup | None


NOTHING = _Found(None, [], {}, None)


async def repair_store(address: str, home: Path, *, discard: bool = False) -> tuple[str, ...]:
    """Restore the damaged tables of a database; return what was done in sentences.

    Args:
        address: of the database; no bot may be running on it.
        home: folder of its backups.
        discard: restore a table even if moves that can still be read are not among those restored.

    Raises:
        BotError: there is no store, not even the list of its tables can be read, or a bot is running.
    """
    source = backup.find_newest(home)
    if is_server(address):
        database = await Database.open_existing(address)
        try:
            await backup.refuse_running(database)
            damaged = (await soundness.examine(database, played=True)).damaged
            if not damaged:
                return ()
            aside = backup.find_unused(
                f"{home / 'stationmaster.damaged'}-{backup.format_stamp(time.time())}", ".sqlite"
            )
            kept = await _copy_damaged(database, aside)
            told, _ = await _repair_tables(database, source, [each.game for each in damaged], discard=discard)
        finally:
            await database.close()
        return (*told, kept)
    held = SqliteFile(Path(address))
    await held.refuse_missing()
    held.keep_others_out()
    try:
        return await _repair_file(Path(address), source, discard=discard)
    except OSError as error:
        raise BotError(f"The database at {address} can't be replaced: {error.strerror or error}.") from None
    finally:
        copies.remove_database(_fresh_path(Path(address)))
        await held.close()


async def _copy_damaged(database: Database, aside: Path) -> str:
    """Copy the database of a server before it is repaired; return what to say of that.

    Raises:
        BotError: the server can't read it.
    """
    try:
        await copies.write_copy(database, aside, damage_too=True)
    except IntegrityError:
        return "The damaged database couldn't be copied before: tables are lost whose seats are still there."
    except (DBAPIError, asyncpg.PostgresError) as error:
        why = str(getattr(error, "orig", error)).partition("\n")[0]
        raise BotError(
            f"The server can't read its database: {why}. Nothing was changed. “When the database is damaged” in "
            f"{find_document('hosting.md')} has the steps for this."
        ) from None
    return f"The damaged database was copied to {aside} before."


def _fresh_path(path: Path) -> Path:
    return path.with_name(f".{path.name}.repaired")


async def _repair_file(path: Path, source: Path | None, *, discard: bool) -> tuple[str, ...]:
    """Save what is readable into a fresh file, restore its tables, and let it take the place of the damaged one."""
    found = await backup.examine_store(str(path))
    if found.is_intact:
        return ()
    fresh = _fresh_path(path)
    copies.remove_database(fresh)  # of one that was killed
    copies.remove_unfinished(path.parent, f"{fresh.name}.*")
    target = await Database.open(fresh)
    try:
        lost = await asyncio.to_thread(salvage.salvage_rows, path, fresh)
        damaged = {each.game for each in found.damaged}
        after = await soundness.examine(target, played=True)
        numbers = sorted(damaged | {*found.intact} - {*after.intact})
        told, is_changed = await _repair_tables(target, source, numbers, discard=discard)
    finally:
        await target.close()
    if not is_changed and not found.pages:
        return told
    aside = backup.find_unused(f"{path}.damaged-{backup.format_stamp(time.time())}")
    await asyncio.to_thread(copies.put_aside, path, aside)
    copies.put_in_place(fresh, path)
    if found.pages:
        told += ("The database was rebuilt from what is readable, with new indexes.",)
    if lost:
        told += (f"Rows on damaged pages are lost, unless the backup had them, from: {', '.join(lost)}.",)
    return (*told, f"The damaged database is kept as {aside}.")


async def _repair_tables(
    target: Database, source: Path | None, numbers: list[int], *, discard: bool
) -> tuple[tuple[str, ...], bool]:
    """Restore tables, each in one transaction; return what was done in sentences, and whether anything was."""
    copy, told, is_changed = None, [], False
    try:
        if source is not None:
            copy = await Database.open_existing(source)
    except BotError:
        source = None  # of an earlier version, or damaged itself
    try:
        for number in numbers:
            saved = await _read_table(copy, number) if copy is not None else NOTHING
            sentence, done = await _repair_table(target, number, saved, discard=discard)
            told += [sentence] if sentence else []
            is_changed = is_changed or done
    finally:
        if copy is not None:
            await copy.close()
    if numbers:
        told.append(f"The backup used was {source}." if source else "There was no backup to use.")
    return tuple(told), is_changed


async def _repair_table(target: Database, number: int, saved: _Found, *, discard: bool) -> tuple[str, bool]:
    """Restore a table; return what was done in a sentence, and whether anything was."""
    left = await _read_table(target, number)
    here = {row["number"] for row in left.seats if row["gone"] is None}
    seats = [row for row in saved.seats if row["gone"] is None and row["number"] not in here]
    setup = saved.setup if seats else left.setup or saved.setup
    if setup is None:
        return f"Table {number} can't be restored: what is stored about it is damaged and in no backup.", False
    if saved.setup is not None and saved.setup.seed != setup.seed:
        saved = NOTHING  # another game had this number
    readable = {
        place: row
        for place, row in left.log.items()
        if not log.decode_intact(setup.title, setup.seats, [(0, row["seat"], row["payload"])]).damage
    }
    merged = max(({**saved.log, **readable}, {**readable, **saved.log}), key=lambda rows: _count_playable(setup, rows))
    count = _count_playable(setup, merged)
    kept = {place: merged[place] for place in range(count)}
    turn_from = left.game["turn_from"] if left.game else 0  # the log had so many entries, at least
    is_same = count == len(left.log) >= max(len(saved.log), turn_from) and kept == left.log and not seats
    if left.setup is not None and is_same:
        return "", False  # only an index was damaged
    missed = sum(place >= count for place in readable)
    if missed and not discard:
        later = pluralise(missed, "later entry", "later entries")
        why = f"log entry {count + 1} is in no backup, and {later} can still be read"
        way = "“stationmaster check --repair --discard” restores it without them"
        return f"Table {number} is left as it is: {why}. {way}.", False
    from_backup = sum(place not in readable or readable[place] != row for place, row in kept.items())
    lost = max((*left.log, *saved.log, turn_from - 1)) + 1 - count
    game = Game.replay(setup, log.decode_intact(setup.title, setup.seats, _list_entries(kept)).entries)
    row = saved.game if left.setup is None else None
    await _write_table(target, number, _Found(row, seats, kept, setup), game, is_new=left.game is None)
    sentence = f"Table {number} is restored: {pluralise(count, 'log entry', 'log entries')}"
    sentence += f", {from_backup} of them from the backup." if from_backup else "."
    return sentence + (f" {pluralise(lost, 'later entry is', 'later entries are')} lost." if lost > 0 else ""), True


async def _write_table(target: Database, number: int, found: _Found, game: Game, *, is_new: bool) -> None:
    """Write what is restored of a table, with all that it asks its players at the end of its log."""
    async with target.writing(number) as session:
        connection = await session.connection()
        if found.game is not None and is_new:
            await connection.execute(insert(_GAME), [found.game])
        elif found.game is not None:
            await connection.execute(update(_GAME).where(_GAME.c.id == number).values(found.game))
        await connection.execute(delete(_SEAT).where(_SEAT.c.game == number, _SEAT.c.number < 0))  # of lost rows
        if found.seats:
            await connection.execute(insert(_SEAT), found.seats)
        await session.exec(delete(LogRow).where(col(LogRow.game) == number))
        if found.log:
            rows = [{name: value for name, value in row.items() if name != "id"} for row in found.log.values()]
            await connection.execute(insert(_LOG), rows)
        await reopen_table(session, await games.fetch(session, number), game, int(time.time()))


async def _read_table(database: Database, number: int) -> _Found:
    """Return what a database has of a table; it has no damaged pages."""
    async with database.reading() as session:
        connection = await session.connection()
        game = (await connection.execute(core_select(_GAME).where(_GAME.c.id == number))).mappings().first()
        seats = (await connection.execute(core_select(_SEAT).where(_SEAT.c.game == number))).mappings().all()
        rows = (await connection.execute(core_select(_LOG).where(_LOG.c.game == number))).mappings().all()
        try:
            setup = (await games.fetch(session, number)).setup
        except BotError:
            setup = None
    found = {row["seq"]: dict(row) for row in rows}
    return _Found(None if game is None else dict(game), [dict(row) for row in seats], found, setup)


def _list_entries(rows: Mapping[int, Row]) -> list[tuple[int, int, str]]:
    return [(place, rows[place]["seat"], rows[place]["payload"]) for place in sorted(rows)]


def _count_playable(setup: Setup, rows: Mapping[int, Row]) -> int:
    """Return how many entries of a log can be replayed, from the first on."""
    said = log.decode_intact(setup.title, setup.seats, _list_entries(rows)).entries
    while True:
        try:
            Game.replay(setup, said)
        except LogError as error:
            said = said[: error.index]
        except RuleError:
            return 0
        except Exception:  # noqa: BLE001  # a defect of the engine: the log goes as far as it can be played
            said = said[:-1]
        else:
            return len(said)


@commands.command("check")
def check_store(
    *,
    repair: Annotated[
        bool, typer.Option("--repair", help="Restore damaged tables from the newest backup; stop the bot first.")
    ] = False,
    discard: Annotated[
        bool, typer.Option("--discard", help="Restore tables even if moves that can still be read are lost.")
    ] = False,
) -> None:
    """Check the database and replay every game; exit 1 if anything is damaged."""
    settings = load_settings()
    if repair:
        for sentence in asyncio.run(repair_store(settings.database, settings.home, discard=discard)):
            typer.echo(sentence)
    found = asyncio.run(backup.examine_store(settings.database))
    for sentence in found.sentences:
        typer.echo(sentence)
    if not found.is_intact:
        raise typer.Exit(REFUSED)
