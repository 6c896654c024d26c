"""Files of the group's own beside the store that stand in for a value of a lobby option, such as a board.

An option names them by folder and kind ("boards/*.toml"). Only plain names are
read, from that folder only; the whole text goes into the set-up, so that a
table and its log need the file no more.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from bot.service.errors import BotError
from engine import TITLES, LobbyOption
from engine.setup import FILE_NAME, OwnFile

MOST_BYTES = 65_536
MOST_OFFERED = 20
_NAME = re.compile(FILE_NAME)


def offered(home: Path, option: LobbyOption) -> list[str]:
    """Return the names of the files that may be chosen for an option, sorted; at most ``MOST_OFFERED``.

    ``home`` is the folder of the store.
    """
    folder, _, kind = option.files.rpartition("/")
    try:
        found = sorted(path.name for path in (home / folder).glob(kind) if path.is_file()) if folder else []
    except OSError:
        return []
    return [name for name in found if _NAME.fullmatch(name)][:MOST_OFFERED]


def with_files(home: Path, title: str, options: Mapping[str, str]) -> dict[str, str]:
    """Return lobby options with the text of a file in the place of its name.

    Raises:
        BotError: there is no such file, or it cannot be read as text; tells which there are.
    """
    known = {option.name: option for option in TITLES[title].options if option.files} if title in TITLES else {}
    return {name: _value(home, known[name], value) if name in known else value for name, value in options.items()}


def _value(home: Path, option: LobbyOption, value: str) -> str:
    if option.admits(value):
        return value
    names = offered(home, option)
    name = next((each for each in names if each.lower() == value.lower()), None)
    if name is None:
        there = ", ".join([*(each for each, _ in option.values), *names])
        raise BotError(f"{option.label} ({option.name}) is one of {there}, not “{value[:40]}”.")
    return OwnFile(name, _text(home / option.files.rpartition("/")[0] / name)).value


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise BotError(f"{path.name} cannot be read: {error.strerror}.") from None
    if len(content) > MOST_BYTES:
        raise BotError(f"{path.name} is too large; {MOST_BYTES // 1024} KiB are the most.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BotError(f"{path.name}, byte {error.start}: it is no UTF-8 text.") from None
