"""Where a database lies: a file for SQLite, which only its owner can read, or the address of a PostgreSQL server.

Stores and copies of them hold seeds, hidden cards and people's addresses.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from bot.model.errors import BotError

_SERVERS = ("postgresql", "postgres")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")
"""Of two letters at least: C: is a drive."""
MAX_SCHEME = 16
"""Longer ones are none, and may be a secret."""
FORM = "postgresql://USER:PASSWORD@HOST/DATABASE"
_SECRET = re.compile(r"pass|key", re.IGNORECASE)
PRIVATE_MODE = 0o600
FOLDER_MODE = 0o755
_OTHERS = 0o077
BESIDE_A_STORE = ("", "-wal", "-shm", "-journal", ".lock")
"""Endings of the files that SQLite keeps for a database."""


def is_server(address: Path | str) -> bool:
    """Return whether an address is that of a server; everything else is the path of a file."""
    return str(address).partition("://")[0] in _SERVERS and "://" in str(address)


def parse_server_url(address: Path | str) -> URL:
    """Return the address of a server as SQLAlchemy takes it.

    Raises:
        BotError: it cannot be read.
    """
    try:
        return make_url(str(address)).set(drivername="postgresql+asyncpg")
    except (ArgumentError, ValueError):
        raise BotError(f"The address of a database server looks like {FORM}.") from None


def check_address(address: str) -> str:
    """Return the address of a database, if it is one: the path of a file, or the address of a server.

    Raises:
        BotError: it is neither; the sentence repeats no password.
    """
    if not address.isprintable():
        raise BotError("The address contains an invisible character.")
    if is_server(address):
        if not parse_server_url(address).database:
            raise BotError(f"The address doesn't name a database; write {FORM}.")
        return address
    scheme = _SCHEME.match(address)
    if scheme:
        said = f", not “{scheme[1]}:”" if len(scheme[1]) <= MAX_SCHEME else ""
        raise BotError(f"The database is a file or on PostgreSQL{said}; write a path or {FORM}.")
    if not address.strip():
        raise BotError(f"It's empty; write the path of a file or {FORM}.")
    return address


def hide_password(address: Path | str) -> str:
    """Return an address as it may be shown: without its password."""
    if not is_server(address):
        return str(address)
    url = parse_server_url(address).set(drivername="postgresql")
    url = url.difference_update_query([name for name in url.query if _SECRET.search(name)])
    return url.render_as_string(hide_password=True)


def find_folder(address: Path | str) -> Path:
    """Return the folder for what lies beside the database: boards, backups."""
    return Path("data") if is_server(address) else Path(address).parent


def make_folder(folder: Path) -> None:
    """Make a folder, and those it lies in, in which no other user can write, whatever the process allows by default.

    Raises:
        OSError: it cannot be made.
    """
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(mode=FOLDER_MODE, exist_ok=True)


def make_private(path: Path) -> None:
    """Make an empty file that only its owner can read; one that exists keeps its content.

    SQLite takes an empty file for a new store, and gives what it writes beside it the same mode.

    Raises:
        OSError: it cannot be made, or belongs to another user.
    """
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, PRIVATE_MODE))
    if is_open_to_others(path):
        path.chmod(PRIVATE_MODE)


def is_open_to_others(path: Path) -> bool:
    """Return whether others than its owner have any right to a file; elsewhere than on POSIX no mode says so."""
    return os.name == "posix" and bool(path.stat().st_mode & _OTHERS)


def close_to_others(folder: Path, store: Path | None) -> list[Path]:
    """Take the rights of others from a database, its copies and keys; return the files where that was refused.

    Earlier versions left them readable by every user of the machine.

    Args:
        folder: of what lies beside the database.
        store: the file; none if it is on a server.
    """
    refused = []
    for path in list_secrets(folder, store):
        try:
            if is_open_to_others(path):
                path.chmod(PRIVATE_MODE)
        except FileNotFoundError:
            continue  # a file of SQLite's that went meanwhile
        except OSError:
            refused.append(path)
    return refused


def list_secrets(folder: Path, store: Path | None) -> Iterator[Path]:
    """Return the files that only their owner should read."""
    if store is not None:
        mine = (f"{store.name}*", f".{store.name}.*")  # the database, and copies put aside or in the making
        yield from (path for pattern in mine for path in store.parent.glob(pattern) if path.is_file())
    yield from (path for path in folder.glob("stationmaster.before-*") if path.is_file())
    yield from (path for path in (folder / "backups").glob("*") if path.is_file())
    kept = [*(folder / "quarantine").glob("*"), *(folder / "set-aside").glob("*")]
    yield from (path for path in [folder / "mail.key", *kept] if path.is_file())
