"""Lobby options: read, checked, and files of the group's own that stand in for a value, such as a board.

An option names files by folder and kind ("boards/*.toml"). Only plain names are
read, from that folder only; the whole text goes into the set-up, so that a
table and its log need the file no more. Before a table is opened on one the
seeded player tries whole games with it, in a process for it alone.
"""

import re
from collections.abc import Mapping
from pathlib import Path

import msgspec

from bot.model.errors import BotError
from bot.service.workers.jobs import Task
from bot.service.workers.pool import TooMuchError, Workers
from engine import TITLES, Game, LobbyOption, Rng, RuleError, Setup
from engine.game import find_title
from engine.setup import FILE_NAME, OwnFile, read_own_file
from engine.words import join_words

MAX_FILE_BYTES = 65_536
MAX_FILES_OFFERED = 20
MAX_TRIAL_MOVES = 5_000
"""Of a game that is tried."""
TRIAL_SEED = 1
_NAME = re.compile(FILE_NAME)


def check_options(title: str, options: Mapping[str, str]) -> dict[str, str]:
    """Return the lobby options of a title, each name and value checked.

    Raises:
        BotError: an unknown name or value; tells which there are.
    """
    known = {option.name: option for option in TITLES[title].options}
    for name, value in options.items():
        option = known.get(name)
        if option is None:
            names = ", ".join(known) or "none"
            raise BotError(f"{TITLES[title].name} has no option “{name[:40]}”. Its options: {names}.")
        if not option.admits(value):
            values = join_words([each for each, _ in option.values], "or")
            raise BotError(f"{option.label} ({name}) must be {values}, not “{value[:40]}”.")
    return dict(options)


def parse_options(text: str) -> dict[str, str]:
    """Read "map=small treasuries=closed" (commas allowed); a bare name means "on".

    Raises:
        BotError: a name stands twice, or the text is too long.
    """
    if len(text) > 500:
        raise BotError("That's too long; write options as name=value, separated by spaces.")
    found: dict[str, str] = {}
    for word in text.replace(",", " ").split():
        name, _, value = word.lower().partition("=")
        if name in found:
            raise BotError(f"The option “{name[:40]}” is given twice.")
        found[name] = value or "on"
    return found


# --- files of the group's own ---------------------------------------------------------------


def list_own_files(home: Path, option: LobbyOption) -> list[str]:
    """Return the names of the files that may be chosen for an option, sorted; at most ``MAX_FILES_OFFERED``.

    ``home`` is the folder of the database.
    """
    folder, _, kind = option.files.rpartition("/")
    try:
        found = sorted(path.name for path in (home / folder).glob(kind) if path.is_file()) if folder else []
    except OSError:
        return []
    return [name for name in found if _NAME.fullmatch(name)][:MAX_FILES_OFFERED]


def read_own_files(home: Path, title: str, options: Mapping[str, str]) -> dict[str, str]:
    """Return lobby options with the text of a file in the place of its name.

    Raises:
        BotError: there is no such file, or it cannot be read as text; tells which there are.
    """
    known = {option.name: option for option in TITLES[title].options if option.files} if title in TITLES else {}
    return {name: _read_value(home, known[name], value) if name in known else value for name, value in options.items()}


def _read_value(home: Path, option: LobbyOption, value: str) -> str:
    if option.admits(value):
        return value
    names = list_own_files(home, option)
    name = next((each for each in names if each.lower() == value.lower()), None)
    if name is None:
        there = join_words([*(each for each, _ in option.values), *names], "or")
        raise BotError(f"{option.label} ({option.name}) must be {there}, not “{value[:40]}”.")
    return OwnFile(name, _read_text(home / option.files.rpartition("/")[0] / name)).value


def _read_text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise BotError(f"{path.name} can't be read: {error.strerror}.") from None
    if len(content) > MAX_FILE_BYTES:
        raise BotError(f"{path.name} is too large; the limit is {MAX_FILE_BYTES // 1024} KiB.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BotError(f"{path.name}, byte {error.start}: it isn't UTF-8 text.") from None


# --- trying a file -------------------------------------------------------------------------


def has_own_file(setup: Setup) -> bool:
    """Return whether a set-up holds a file of the group's own."""
    return any(read_own_file(value) for value in setup.options.values())


async def try_file(workers: Workers, setup: Setup) -> None:
    """Have whole games played with a set-up.

    Raises:
        BotError, RuleError: the file is refused, or a game on it does not come to its end.
    """
    try:
        await workers.do(TRY, setup)
    except TooMuchError:
        raise BotError(_word_endless(setup)) from None


def play_trial_games(setup: Setup) -> None:
    """Play a game by each number of players that the title allows.

    Raises:
        RuleError: the set-up is refused. BotError: a game does not come to its end.
    """
    least, most = find_title(setup).seats
    for seats in sorted({setup.seats, least, most}):
        _play_trial_game(msgspec.structs.replace(setup, seats=seats, seed=TRIAL_SEED))


def _play_trial_game(setup: Setup) -> None:
    """Play one game to its end.

    Raises:
        RuleError: the set-up is refused. BotError: the game does not come to its end.
    """
    game, rng = Game.new(setup), Rng(setup.seed)
    title, state = game.title, game.state
    for _ in range(MAX_TRIAL_MOVES):
        actors = title.actors(state)
        if not actors:
            return
        try:
            action = title.spell_out(state, actors[0], title.advice.choose(state, actors[0], rng))
            title.apply(state, title.check(state, actors[0], action), lambda _event: None)
        except (RuleError, LookupError, ValueError, ArithmeticError, AssertionError):
            break
    raise BotError(_word_endless(setup))


def _word_endless(setup: Setup) -> str:
    names = [own.name for value in setup.options.values() if (own := read_own_file(value))]
    return f"{names[0] if names else 'This file'} can't be used: test games with it never end."


def _try(_: None, setup: Setup) -> None:
    play_trial_games(setup)


TRY = Task("try", _try, Setup, None, lane="boards", seconds=60.0, cpu_seconds=10)
