"""Where a game stands, without its state: all that the event loop knows of it.

The state lives with the workers (``bot/service/workers``), for reading it may take
long: what is legal, what it looks like, what follows from a move.
"""

from typing import Any

from engine import TITLES, Ask, Game, LogEntry, Record, Redo, Result, Setup, Title, Undo
from engine.game import resolve_undos


class Facts(Record, frozen=True):
    """What a worker tells of a position: who must decide, what is asked, the result at the end."""

    actors: tuple[int, ...]
    ask: Ask
    result: Result | None


def read_facts(game: Game) -> Facts:
    """Return the facts of a position."""
    return Facts(game.actors, game.ask(), game.result())


UNNUMBERED = 0
"""Number of a game that has no table yet; no worker keeps its position."""


class Course(Record, frozen=True):
    """All that a position follows from: the number of the table, the set-up, the log."""

    number: int
    setup: Setup
    log: tuple[LogEntry, ...]


class Standing(Record, frozen=True):
    """A game by its log and its facts.

    Args:
        line: places in the log of the moves in force.
    """

    setup: Setup
    log: tuple[LogEntry, ...]
    line: tuple[int, ...]
    facts: Facts

    @staticmethod
    def of(game: Game) -> "Standing":
        """Return where a game stands."""
        return Standing(game.setup, game.log, game.line, read_facts(game))

    @staticmethod
    def read(setup: Setup, log: tuple[LogEntry, ...], told: Facts) -> "Standing":
        """Return where the game of a log stands, of which a worker has told the facts."""
        return Standing(setup, log, tuple(resolve_undos(log)[0]), told)

    @property
    def title(self) -> Title[Any]:
        """The title, for what holds in every position."""
        return TITLES[self.setup.title]

    @property
    def actors(self) -> tuple[int, ...]:
        """Seats that must decide now; empty when the game is over."""
        return self.facts.actors

    def ask(self) -> Ask:
        """Return what the game waits for."""
        return self.facts.ask

    def pictures(self) -> tuple[str, ...]:
        """Return the names of the pictures that belong to this moment, the most telling first."""
        return self.facts.ask.pictures or tuple(each.name for each in self.title.views.pictures if each.every_turn)

    def result(self) -> Result | None:
        """Return the final result, ``None`` while the game goes on."""
        return self.facts.result

    def list_actions(self) -> tuple[LogEntry, ...]:
        """Return the actions in force, in order."""
        return tuple(self.log[place] for place in self.line)

    def add_entry(self, said: LogEntry, told: Facts) -> "Standing":
        """Return where the game stands after one more entry."""
        log = (*self.log, said)
        if isinstance(said.action, Undo | Redo):
            return Standing.read(self.setup, log, told)
        return Standing(self.setup, log, (*self.line, len(self.log)), told)

    def replay(self) -> Game:
        """Return the game with its state, played again from the beginning; never on the event loop."""
        return Game.replay(self.setup, self.log)


def hands_over(before: Standing, after: Standing) -> bool:
    """Return whether the turn passes: a person is asked who was not, or the game is over.

    Who made an offer may take it back, but is not asked before the answer has come.
    """
    asked = after.ask().seats
    return not asked or not set(asked) <= set(before.ask().seats)
