"""What a title brings that 18xx.games has too: one record with all that reads, writes and compares its games."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from engine.finance.state import ShareCompany
from engine.finance.trading import find_share_price
from engine.interop.site import Raw, SiteSettings
from engine.interop.writing import Written
from engine.record import Action, Event, Record

Row = dict[str, object]
"""What is compared after an action, as JSON."""


class Reader(Protocol):
    """What reads the actions of one game, in order."""

    def read(self, s: Any, raw: Raw) -> Iterator[tuple[int, Action]]:  # noqa: ANN401 - each title has its own state
        """Yield what we say for one action of the site, seat by seat."""

    def hear(self, event: Event) -> None:
        """Hear a fact of what was played."""


class Writer(Protocol):
    """What writes the actions of one game, in order."""

    def write(self, s: Any, seat: int, action: Action) -> Written | None:  # noqa: ANN401 - each title has its own state
        """Return an action as the site logs it, before it is played; ``None`` where the site logs nothing."""

    def hear(self, event: Event) -> None:
        """Hear a fact of what was played."""

    def write_afterwards(self) -> list[Written]:
        """Return what the site needs after the action that was played, so that it goes on."""


class LegalMenu:
    """Gathers what is legal, by kind."""

    def __init__(self) -> None:
        self._moves: dict[str, list[list[object]]] = {}
        self._pars: dict[str, list[int]] = {}
        self._prices: dict[str, int] = {}

    def add(self, kind: str, *move: object) -> None:
        """Add a move: a tile, a token, a share to buy or sell."""
        self._moves.setdefault(kind, []).append([*move])

    def extend(self, kind: str, moves: Iterable[list[object]]) -> None:
        """Add several moves of a kind."""
        self._moves.setdefault(kind, []).extend(moves)

    def buy(self, company: ShareCompany, source: str) -> None:
        """Add a share that may be bought, a tenth of the company, with its price."""
        self.add("buy", company.code, source, 10, find_share_price(company, source))

    def sell(self, company: str, count: int, each: int) -> None:
        """Add shares that may be sold, in percent, and what they bring."""
        self.add("sell", company, count * 10, count * each)

    def par(self, company: str, price: int) -> None:
        """Add a price at which a company may start."""
        self._pars.setdefault(company, []).append(price)

    def dividend(self, kind: str, price: int) -> None:
        """Add a kind of dividend, and the share price after it."""
        self._prices[kind] = price

    def make_row(self) -> Row:
        """Return what there is; kinds without a move are left out."""
        return {
            **self._moves,
            **({"par": self._pars} if self._pars else {}),
            **({"dividend": self._prices} if self._prices else {}),
        }


def count_held(companies: Iterable[ShareCompany], seat: int) -> dict[str, int]:
    """Return what a player has of each company, in percent of ten shares."""
    return {company.code: company.shares[seat] * 10 for company in companies if company.shares[seat]}


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
