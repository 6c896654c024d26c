"""Files that only their owner can read: stores and copies of them hold seeds, hidden cards and mail addresses."""

import os
from collections.abc import Iterator
from pathlib import Path

PRIVATE = 0o600
_OTHERS = 0o077
BESIDE_A_STORE = ("", "-wal", "-shm", "-journal", ".lock")
"""Endings of the files that SQLite keeps for a store."""


def make_private(path: Path) -> None:
    """Make an empty file that only its owner can read; one that exists keeps its content.

    SQLite takes an empty file for a new store, and gives what it writes beside it the same mode.

    Raises:
        OSError: it cannot be made, or belongs to another user.
    """
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, PRIVATE))
    if is_open_to_others(path):
        path.chmod(PRIVATE)


def is_open_to_others(path: Path) -> bool:
    """Return whether others than its owner have any right to a file; elsewhere than on POSIX no mode says so."""
    return os.name == "posix" and bool(path.stat().st_mode & _OTHERS)


def tighten(folder: Path, store: Path | None) -> list[Path]:
    """Take the rights of others from a store, its copies and keys; return the files where that was refused.

    Earlier versions left them readable by every user of the machine.

    Args:
        folder: of what lies beside the store.
        store: the file; none if it is on a server.
    """
    refused = []
    for path in secrets_in(folder, store):
        try:
            if is_open_to_others(path):
                path.chmod(PRIVATE)
        except FileNotFoundError:
            continue  # a file of SQLite's that went meanwhile
        except OSError:
            refused.append(path)
    return refused


def secrets_in(folder: Path, store: Path | None) -> Iterator[Path]:
    """Return the files that only their owner should read."""
    if store is not None:
        mine = (f"{store.name}*", f".{store.name}.*")  # the store, copies that were put aside, and copies in the making
        yield from (path for pattern in mine for path in store.parent.glob(pattern) if path.is_file())
    yield from (path for path in folder.glob("stationmaster.before-*") if path.is_file())
    yield from (path for path in (folder / "backups").glob("*") if path.is_file())
    yield from (path for path in [folder / "mail.key", *(folder / "quarantine").glob("*")] if path.is_file())
