"""How it went to tell the front our commands: a note in the store, written by the bot, read by ``doctor``."""

import msgspec

DUTY = "commands"
"""Of one process at a time; the note lies under the same name."""


class Declared(msgspec.Struct, frozen=True):
    """The last time the commands were declared, or found as they should be.

    Args:
        commands: how many there are. refused: the reason, if they were not taken.
    """

    commands: int
    refused: str = ""


def write_declared(declared: Declared) -> str:
    """Return the words of the note."""
    return msgspec.json.encode(declared).decode()


def read_declared(words: str) -> Declared | None:
    """Return what the note says; ``None`` if there is none that can be read."""
    try:
        return msgspec.json.decode(words, type=Declared)
    except msgspec.DecodeError:
        return None
