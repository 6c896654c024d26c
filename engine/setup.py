"""What a game starts from: its set-up, what a table may choose in the lobby, the chance that its seed settles."""

import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

from engine.errors import RuleError
from engine.record import Record, Rule
from engine.words import join_words

T = TypeVar("T")
Options = Mapping[str, str]
FILE_NAME = r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}"
RULES = 4
"""Version of the rules that new games are begun under.

A log means what it meant when its game was begun, so every change of a rule raises this number and leaves the old
reading behind a switch of the title's ``Rules``:

1. Written by 0.1 and by 0.2 alike; read as 3. Migrating a database finds out which of the two it was.
2. As 0.1 played.
3. As 0.2 played.
4. 0.3: 1862 sells a forced block as one, 1860 exchanges no private for a share of a bankrupt company.
"""
LOBBY = Rule("Table", "lobby options")
"""Where a refusal of a lobby option stands: no rulebook has them."""
IMPORTED = Rule("Table", "imported games")
"""The same of an action that only a game from elsewhere can have."""
_OWN = re.compile(rf"custom:(?:({FILE_NAME})?\n)?(.*)", re.DOTALL)
_MASK = (1 << 64) - 1


class Setup(Record, frozen=True):
    """All that a game starts from.

    Args:
        title: id of the title, a key of ``TITLES``.
        seats: number of players; seat 0 sits first, the next ones clockwise.
        options: value of each lobby option; a missing one has its default.
        seed: settles all chance of the game.
        rules: version of the rules the game was begun under, see ``RULES``.
    """

    title: str
    seats: int
    options: dict[str, str] = {}
    seed: int = 0
    rules: int = RULES


class OwnFile(Record, frozen=True):
    """A file of the group's own as it stands in a set-up: whole, so that a log needs nothing beside it.

    Args:
        name: of the file, empty where it came without; ``text``: all that is in it.
    """

    name: str
    text: str

    @property
    def value(self) -> str:
        """The value of the lobby option it is chosen for."""
        return f"custom:{self.name}\n{self.text}"


def read_own_file(value: str) -> OwnFile | None:
    """Return the file that stands in a value of a lobby option, ``None`` for a plain value."""
    found = _OWN.fullmatch(value)
    return OwnFile(found[1] or "", found[2]) if found else None


class LobbyOption(Record, frozen=True):
    """A choice the table makes before the game: a variant, a map, a profile.

    Args:
        name: as typed, lower case.
        label: a few words for the lobby.
        help: one sentence; says who agrees to what.
        values: the values that may be chosen, with their words, default first.
        files: files of the group's own that may be chosen as well, by folder and kind
            ("boards/*.toml"); the lobby shows such an option even if no one has chosen.
        hides: what players do not see of each other until the end, by the value that hides it.
    """

    name: str
    label: str
    help: str
    values: tuple[tuple[str, str], ...] = (("off", "off"), ("on", "on"))
    files: str = ""
    hides: tuple[tuple[str, str], ...] = ()

    @property
    def default(self) -> str:
        """The value if no one chooses."""
        return self.values[0][0]

    def admits(self, value: str) -> bool:
        """Return whether a value may be chosen; what a file holds is for the title to judge."""
        return value in dict(self.values) or bool(self.files and read_own_file(value))

    def write_value(self, value: str) -> str:
        """Return a value as people type it: a file by its name."""
        own = read_own_file(value)
        return value if own is None else own.name or "a file"

    def describe_value(self, value: str) -> str:
        """Return the words for a value."""
        own = read_own_file(value)
        return dict(self.values).get(value, value) if own is None else f"custom ({own.name or 'unnamed'})"


ADVICE = LobbyOption(
    "advice",
    "Advice",
    "The move that the program would make, and its reason.",
    (("private", "only at your own desk"), ("public", "also where everyone can read it"), ("off", "none")),
)
"""For a title whose player thinks; no rule depends on it."""


def may_advise(options: Mapping[str, str], *, private: bool) -> bool:
    """Return whether a table with these options lets the program say what it thinks of moves; ``private``: to one."""
    level = options.get(ADVICE.name, ADVICE.default)
    return level == "public" or (private and level == "private")


def choose_options(options: Sequence[LobbyOption], given: Mapping[str, str], game: str) -> dict[str, str]:
    """Return the value of every option of a title: what was given, else its default.

    Args:
        options: what the lobby offers.
        given: value by name of option.
        game: what the title is called.

    Raises:
        RuleError: the title has no such option, or the option no such value.
    """
    known = {option.name: option for option in options}
    for name, value in given.items():
        if name not in known:
            raise RuleError(f"{game} has no option “{name[:40]}”; it has {', '.join(known)}.", LOBBY)
        if not known[name].admits(value):
            values = join_words([each for each, _ in known[name].values], "or")
            raise RuleError(f"{known[name].label} can be {values}, not “{value[:40]}”.", LOBBY)
    return {option.name: option.default for option in options} | dict(given)


class Rng:
    """A stream of numbers that depends on the seed alone, the only chance in the engine.

    The generator is SplitMix64 (Steele, Lea and Flood, 2014), written out here so
    that a game dealt today is dealt alike by every later Python.

    Args:
        seed: what it begins with.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._state = seed & _MASK

    def below(self, limit: int) -> int:
        """Return a whole number from 0 to ``limit - 1``, each as likely."""
        if limit < 1:
            message = "limit must be at least 1"
            raise ValueError(message)
        span = _MASK - _MASK % limit
        while True:
            self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
            word = self._state
            word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
            word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _MASK
            word ^= word >> 31
            if word < span:
                return word % limit

    def choose(self, items: Sequence[T]) -> T:
        """Return one of the items, each as likely."""
        return items[self.below(len(items))]

    def shuffle(self, items: Sequence[T]) -> list[T]:
        """Return the items in a random order (Fisher and Yates)."""
        deck = list(items)
        for last in range(len(deck) - 1, 0, -1):
            other = self.below(last + 1)
            deck[last], deck[other] = deck[other], deck[last]
        return deck
