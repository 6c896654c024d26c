"""How it went to tell the front our commands: a note beside the store, written by the bot, read by ``doctor``."""

from pathlib import Path

import msgspec


class Declared(msgspec.Struct, frozen=True):
    """The last time the commands were declared, or found as they should be.

    Args:
        commands: how many there are. refused: the reason, if they were not taken.
    """

    commands: int
    refused: str = ""


def declared_file(database: Path) -> Path:
    """Return the file of the note."""
    return database.with_suffix(".commands")


def write_declared(path: Path, declared: Declared) -> None:
    """Write the note.

    Raises:
        OSError: it cannot be written.
    """
    path.write_bytes(msgspec.json.encode(declared))


def read_declared(path: Path) -> Declared | None:
    """Return the note; ``None`` if there is none that can be read."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Declared)
    except (OSError, msgspec.DecodeError):
        return None
