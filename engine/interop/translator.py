"""What a title brings that 18xx.games has too: one record with all that reads, writes and compares its games."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from engine.interop.site import Raw, SiteSettings
from engine.interop.writing import Written
from engine.record import Action, Event, Record

Row = dict[str, object]
"""What is compared after an action, as JSON."""


class Reader(Protocol):
    """What reads the actions of one game, in order."""

    def read(self, s: Any, raw: Raw) -> Iterator[tuple[int, Action]]:  # noqa: ANN401 - each title has its own state
        """Yield what we say for one action of the site, seat by seat."""

    def told(self, event: Event) -> None:
        """Hear a fact of what was played."""


class Writer(Protocol):
    """What writes the actions of one game, in order."""

    def write(self, s: Any, seat: int, action: Action) -> Written | None:  # noqa: ANN401 - each title has its own state
        """Return an action as the site logs it, before it is played; ``None`` where the site logs nothing."""

    def told(self, event: Event) -> None:
        """Hear a fact of what was played."""

    def afterwards(self) -> list[Written]:
        """Return what the site needs after the action that was played, so that it goes on."""


class Tracer(Record, frozen=True):
    """How a replay of a title is compared with one of the site.

    Args:
        state: of a state and the players' ids in seat order, what is compared after each action.
        options: what a seat may do, in the site's words.
        best: the search for the best run where an action runs trains, ``None`` elsewhere.
    """

    state: Callable[[Any, Sequence[str]], Row]
    options: Callable[[Any, int], Row]
    best: Callable[[Any, Action], Callable[[], Row] | None]


class Waiting(Record, frozen=True):
    """How a title is played with every question of the site asked, also where there is but one answer.

    Files of the site are read, compared and written so; a table of ours is
    not asked, and its log does not have those answers.

    Args:
        wait: returns a state that was just dealt as one that asks them; rest: returns it as one that asks no more.
        asks_alone: tells whether the site alone asks the question that a state waits at.
        idle: seat and action that answer such a question;
        idles: tells whether an action may be such an answer.
        silent: tells whether a table of ours says nothing where a state waits for such an answer; else it says
            what follows from the answer too.
    """

    wait: Callable[[Any], Any]
    rest: Callable[[Any], Any]
    asks_alone: Callable[[Any], bool]
    idle: Callable[[Any], tuple[int, Action]]
    idles: Callable[[Action], bool]
    silent: Callable[[Any], bool]


class Translator(Record, frozen=True):
    """Games of one title to and from 18xx.games.

    Args:
        options: our lobby options for the settings of a file; RuleError for a rule that we do not have.
        optional_rules: the site's optional rules for our lobby options.
        reader: makes the reader of a file from the seats by player id.
        writer: makes the writer of a file from the players' ids in seat order.
        tracer: what is compared.
        waiting: the questions the site asks and we do not, ``None`` where it asks none.
    """

    options: Callable[[SiteSettings], dict[str, str]]
    optional_rules: Callable[[Mapping[str, str]], list[str]]
    reader: Callable[[Mapping[str, int]], Reader]
    writer: Callable[[tuple[int, ...]], Writer]
    tracer: Tracer
    waiting: Waiting | None = None
