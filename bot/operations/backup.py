"""Backups: made, kept, put back; by hand and by a schedule."""

import asyncio
import itertools
import os
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import structlog
import typer

from bot.model.errors import BotError
from bot.operations.settings import Schedule, load_settings
from bot.service.duties import BACKUP_DUTY
from bot.service.services import Services
from bot.service.transfer import restore_log
from bot.service.workers.files import FORMATS
from bot.store import copies, leases, soundness
from bot.store.address import PRIVATE_MODE, hide_password, is_server, make_folder
from bot.store.database import Database
from bot.store.sqlite import SqliteFile
from bot.store.upgrading import open_database
from bot.web.album import make_album
from engine.codec import MAX_FILE_BYTES

_PREFIX = "stationmaster-"
_SQLITE = b"SQLite format 3\0"
_log = structlog.get_logger(__name__)
commands = typer.Typer()


async def back_up(address: str, target: Path, *, whole: bool = False) -> str:
    """Copy a database into a file, whether or not a bot runs on it; return what was copied, in words.

    Args:
        address: of the database.
        target: the file.
        whole: of a damaged store, copy what can be read.

    Raises:
        BotError: there is no store, or the copy cannot be made, or is not sound.
    """
    database = await Database.open_existing(address, older=True)
    try:
        if whole:
            return " ".join((await copies.write_intact_tables(database, target)).sentences)
        copy = await copies.write_copy(database, target)
    finally:
        await database.close()
    return f"{target}: {copy.summary}, {copy.size} bytes, checked."


async def restore_backup(address: str, source: Path, *, replace: bool = False, home: Path | None = None) -> str:
    """Make a database what a backup says, with the schema that the backup has; return what is in it, in words.

    Args:
        address: of the database, a file or a server; no bot may be running on it.
        source: the backup.
        replace: put aside a file that is there, or empty a database on a server.
        home: folder for what lies beside the database; that of the file if left out.

    Raises:
        BotError: there is a database already, or the backup is not sound, or a bot is running.
    """
    if not _is_copy(source):
        raise BotError(f"{source} isn't a backup.")
    if is_server(address):
        return await _restore_to_server(address, source, home, replace=replace)
    path = Path(address)
    make_folder(path.parent)
    held, fresh = SqliteFile(path), path.with_name(f".{path.name}.restored")
    held.keep_others_out()
    try:
        if path.exists() and not replace:
            raise BotError(f"There is already a database at {path}. Use --replace to set it aside.")
        copies.remove_database(fresh)  # of one that was killed
        await asyncio.to_thread(copies.copy_pages, source, fresh)
        copy = await copies.check_copy(fresh)
        await asyncio.to_thread(copies.put_aside, path, find_unused(f"{path}.before-{format_stamp(time.time())}"))
        copies.put_in_place(fresh, path)
    except OSError as error:
        raise BotError(f"The database at {path} can't be replaced: {error.strerror or error}.") from None
    finally:
        copies.remove_database(fresh)
        await held.close()
    return f"{path}: {copy.summary}, checked."


async def _restore_to_server(address: str, source: Path, home: Path | None, *, replace: bool) -> str:
    copy = Path(f"{source}.restoring")
    copies.remove_database(copy)  # of one that was killed
    await asyncio.to_thread(copies.copy_pages, source, copy)
    there = await Database.open_existing(copy, older=True)
    try:
        here = await open_database(address, home)
        try:
            await refuse_running(here)
            await copies.copy_rows(there, here, replace=replace)
        finally:
            await here.close()
        found = await copies.count_contents(there)
    finally:
        await there.close()
        copies.remove_database(copy)
    return f"{found.summary}."


async def refuse_running(database: Database) -> None:
    """Refuse a database on which a bot is at work."""
    if await database.backend.count_others_at_work():
        raise BotError(f"A bot is running on {database.name}; stop it first.")


async def restore_game(address: str, source: Path, game: int, *, home: Path | None = None) -> str:
    """Give a table its log back from an exported one; no bot may be running.

    Args:
        address: of the database.
        source: the exported log.
        game: number of the table.
        home: folder for what lies beside the database; that of the file if left out.

    Raises:
        BotError, UnreadableLogError, LogError, RuleError: the log is refused; nothing is changed.
    """
    if _is_copy(source):
        raise BotError(f"{source} is a backup of a whole database; --game needs the exported log of the game.")
    try:
        with source.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)  # more is refused as it is read
    except OSError as error:
        raise BotError(f"{source} can't be read: {error.strerror}.") from None
    database = await open_database(address, home, alone=not is_server(address))
    try:
        await refuse_running(database)
        entries = await restore_log(database, game, data, int(time.time()))
    finally:
        await database.close()
    return f"Table {game} is restored: {entries} log entries."


async def examine_store(address: str) -> soundness.Soundness:
    """Look at every page of a database, and play every log again.

    Raises:
        BotError: there is no store, or not even the list of its tables can be read.
    """
    database = await Database.open_existing(address, older=True)
    try:
        return await soundness.examine(database, played=True)
    finally:
        await database.close()


async def back_up_if_due(services: Services, schedule: Schedule) -> None:
    """Make the backup that is due, if one is, and remove those that are too many."""
    folder = services.folder / "backups"
    now = services.clock()
    last = await services.duties.read_note(BACKUP_DUTY)
    if last.isdecimal() and 0 <= now - int(last) < schedule.seconds:
        return
    if not (await copies.count_contents(services.database)).tables or not await services.duties.take_duty(
        BACKUP_DUTY, leases.MAX_LEASE_SECONDS
    ):
        return
    try:
        target = folder / f"{_PREFIX}{format_stamp(now)}.sqlite"
        copy = await copies.write_copy(services.database, target)
        await services.duties.write_note(BACKUP_DUTY, str(now))
    finally:
        await services.duties.give_back_duty(BACKUP_DUTY)
        await asyncio.to_thread(copies.prune_copies, folder, _PREFIX, schedule.kept)
    _log.info("backed up", file=str(target), tables=copy.tables, entries=copy.entries, bytes=copy.size)


def find_newest(home: Path) -> Path | None:
    """Return the newest backup that the schedule has made."""
    return max((home / "backups").glob(f"{_PREFIX}*.sqlite"), default=None)


def find_unused(name: str, ending: str = "") -> Path:
    """Return a path that nothing lies at: the name, or one with a number after it."""
    names = (f"{name}{more}{ending}" for more in itertools.chain(("",), (f"-{n}" for n in itertools.count(2))))
    return next(path for path in map(Path, names) if not path.exists())


def format_stamp(moment: float) -> str:
    """Return a moment as names of files have it."""
    return datetime.fromtimestamp(moment, UTC).strftime("%Y%m%dT%H%M%SZ")


def _is_copy(path: Path) -> bool:
    if path.exists() and not path.is_file() and not path.is_dir():
        return False  # a pipe would never end
    try:
        with path.open("rb") as file:
            return file.read(len(_SQLITE)) == _SQLITE
    except OSError as error:
        raise BotError(f"{path} can't be read: {error.strerror}.") from None


@commands.command()
def migrate(
    *,
    set_aside: Annotated[
        bool, typer.Option("--set-aside", help="Save games that can't be replayed as files, and close their tables.")
    ] = False,
) -> None:
    """Migrate the database, as every start does; a copy of the old one is kept."""
    settings = load_settings()

    async def bring() -> None:
        store = await open_database(settings.database, settings.home, set_aside=set_aside, report=typer.echo)
        await store.close()

    asyncio.run(bring())
    typer.echo(f"{hide_password(settings.database)} is up to date.")


@commands.command()
def export(
    game: Annotated[int | None, typer.Argument(help="Number of the game; left out with --all.")] = None,
    kind: Annotated[str, typer.Option("--format", help=f"One of: {', '.join(FORMATS)}.")] = FORMATS[0],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="File to write; default: standard output.")] = None,
    every: Annotated[Path | None, typer.Option("--all", metavar="FOLDER", help="Write every game here.")] = None,
) -> None:
    """Write a game to a file, or all games to a folder."""
    if (game is None) == (every is None):
        raise BotError("Name either a game or --all FOLDER.")
    if every is not None:
        from bot.operations.personal import print_all  # noqa: PLC0415  # it imports this module

        print_all(every)
        return
    settings = load_settings()

    async def fetch(game: int) -> bytes:
        services = await Services.open(settings.database, folder=settings.home)
        try:
            return (await services.transfer.export(game, kind)).data
        finally:
            await services.close()

    data = asyncio.run(fetch(game or 0))
    if out is None:
        sys.stdout.buffer.write(data)
    else:
        with os.fdopen(os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE_MODE), "wb") as file:
            file.write(data)


@commands.command()
def album(
    game: Annotated[int, typer.Argument(help="Number of the game.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="File to write; default: game-N.html.")] = None,
) -> None:
    """Write a finished game as one page for a browser."""
    settings = load_settings()

    async def make() -> bytes:
        services = await Services.open(settings.database, folder=settings.home)
        try:
            return await make_album(services, game)
        finally:
            await services.close()

    path = out or Path(f"game-{game}.html")
    path.write_bytes(asyncio.run(make()))
    typer.echo(f"Written to {path}.")


@commands.command("backup")
def back_up_store(
    file: Annotated[Path, typer.Argument(help="File to write.")],
    *,
    whole: Annotated[bool, typer.Option("--whole", help="Copy what is readable in a damaged database.")] = False,
) -> None:
    """Copy the database into a file and check the copy; the bot can keep running."""
    typer.echo(asyncio.run(back_up(load_settings().database, file, whole=whole)))


@commands.command("restore")
def restore_store(
    file: Annotated[Path, typer.Argument(help="A backup; with --game, the exported log of that game.")],
    *,
    game: Annotated[int | None, typer.Option(help="Restore only the game with this number.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Set aside the current database.")] = False,
) -> None:
    """Restore the database from a backup, from any machine; stop the bot first."""
    settings = load_settings()
    if game is None:
        typer.echo(asyncio.run(restore_backup(settings.database, file, replace=replace, home=settings.home)))
    else:
        typer.echo(asyncio.run(restore_game(settings.database, file, game, home=settings.home)))
