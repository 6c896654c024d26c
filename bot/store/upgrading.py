"""How a program opens its store: closed to other users, and migrated only after a verified copy was kept."""

import shutil
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import structlog

from bot.model.errors import BotError
from bot.store import copies
from bot.store.address import close_to_others, find_folder, is_server, make_folder, make_private
from bot.store.database import Database
from bot.store.migrate import BeforeMigrating, SetAside, Unplayable
from bot.store.schema import Schema

UNDER_WAY = ".under-way"
"""Ending of the note beside a copy whose migration is not yet stored."""
SPARE_BYTES = 1 << 20
_MEGABYTE = 1 << 20
_log = structlog.get_logger(__name__)


def _report(sentence: str) -> None:
    _log.warning("the database is being migrated", words=sentence)


async def open_database(
    address: Path | str,
    folder: Path | None = None,
    *,
    alone: bool = False,
    set_aside: bool = False,
    report: Callable[[str], None] = _report,
) -> Database:
    """Open the database at an address; one of an earlier version is migrated, after a copy was kept.

    Args:
        address: a path, or postgresql://…
        folder: for what lies beside the database; that of the file if left out.
        alone: keep other processes out of a file until ``close``; they may still read, export, back up.
        set_aside: keep games that cannot be played as files, instead of refusing to migrate.
        report: is given a sentence where the copy is and how to go back, and one for each game set aside.

    Raises:
        BotError: see ``Database.open``; or no copy can be kept, and nothing was changed.
    """
    folder = folder or find_folder(address)

    def around(database: Database) -> BeforeMigrating:
        keep = _make_writer(folder / "set-aside", report) if set_aside else None
        return lambda schema: _keep_copy(database, folder, schema, report, keep)

    for path in close_to_others(folder, None if is_server(address) else Path(address)):
        _log.warning(
            "Other users can read a file with secrets; another user owns it, so its mode can't be changed.",
            file=str(path),
        )
    return await Database.open(address, alone=alone, around=around)


@asynccontextmanager
async def _keep_copy(
    database: Database, folder: Path, schema: Schema, report: Callable[[str], None], set_aside: SetAside | None
) -> AsyncIterator[SetAside | None]:
    """Keep a verified copy of an older store while it is migrated, and after; without it nothing is migrated."""
    stem = folder / "stationmaster" if database.shared else Path(database.address)
    remove_killed_copies(stem, schema)
    target = Path(f"{stem}.before-{schema.wanted}-{datetime.fromtimestamp(time.time(), UTC):%Y%m%dT%H%M%SZ}.sqlite")
    note = target.with_name(f".{target.name}{UNDER_WAY}")
    try:
        _check_disk_space(target.parent, await database.backend.measure_size())
        make_private(note)
        copy = await copies.write_copy(database, target, damage_too=True)
    except BotError as refusal:
        note.unlink(missing_ok=True)
        raise BotError(
            f"The database at {database.name} must be migrated from schema {schema.found} to {schema.wanted}, but it "
            f"can't be copied first: {refusal.sentence} Nothing was changed."
        ) from refusal
    report(
        f"The database at {database.name} is migrated from schema {schema.found} to {schema.wanted}. Its copy is kept "
        f"in {target}: {copy.summary}, checked. To go back, stop the bot, run “stationmaster restore {target} "
        "--replace” with this version, and start the earlier version."
    )
    try:
        yield set_aside
    except BaseException:
        copies.remove_database(
            target
        )  # nothing was changed, and a bot that is started again and again would fill the disk
        raise
    finally:
        note.unlink(missing_ok=True)


def remove_killed_copies(stem: Path, schema: Schema) -> None:
    """Remove the copies of migrations that were killed, and changed nothing: each has a note beside it.

    A bot that is killed again and again while it migrates would fill the disk with them.
    """
    for note in stem.parent.glob(f".{stem.name}.before-*{UNDER_WAY}"):
        copy = note.with_name(note.name.removeprefix(".").removesuffix(UNDER_WAY))
        if not copy.name.startswith(f"{stem.name}.before-{schema.found}-"):  # that migration came to its end
            copies.remove_database(copy)
    copies.remove_unfinished(stem.parent, f"{stem.name}.before-*")


def _make_writer(folder: Path, report: Callable[[str], None]) -> SetAside:
    """Return what writes a game that cannot be played into a folder, for its owner's eyes only."""

    def write(game: Unplayable) -> None:
        make_folder(folder)
        path = folder / f"table-{game.game}.json"
        make_private(path)
        path.write_bytes(game.file)
        report(f"{game.words} It is saved as {path}, and its table is closed.")

    return write


def _check_disk_space(folder: Path, size: int) -> None:
    """Refuse to copy a database where there is no room for the copy, and for what is written while it is migrated."""
    make_folder(folder)
    needed, free = 2 * size + SPARE_BYTES, shutil.disk_usage(folder).free
    if free < needed:
        raise BotError(
            f"{folder.absolute()} has {free / _MEGABYTE:.1f} MB free, but {needed / _MEGABYTE:.1f} MB are needed. "
            "Free some space, then start again."
        )
