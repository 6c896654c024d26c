"""What every game of shares and trains knows: companies, rounds and the state; titles add fields of their own."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from engine.record import Mutable, Record

R = TypeVar("R")

IPO, POOL = -1, -2
"""Where a director's certificate lies that no seat has."""


class ShareCompany(Mutable):
    """A company whose shares are dealt in.

    Args:
        shares: held by seat; ipo and pool: lying there, a director's certificate included.
        director: the seat that directs it, or where its certificate lies.
        par: ``None`` before the start. cell: space of its marker, ``None`` off the market; stamp: order of arrival.
        trains: as the title has them. unplaced: bases or markers left on the charter.
        home_placed: the home base or marker is on the board. operated: it has had a turn.
    """

    prices: ClassVar[Sequence[int]]
    """Of the spaces of the market."""
    certificate: ClassVar[int]
    """Shares that the director's certificate stands for."""

    code: str
    shares: list[int]
    ipo: int = 10
    pool: int = 0
    director: int = IPO
    par: int | None = None
    cell: int | None = None
    stamp: int = 0
    cash: int = 0
    trains: list[Any] = []
    unplaced: int = 0
    home_placed: bool = False
    floated: bool = False
    operated: bool = False

    @property
    def price(self) -> int:
        """The market price; par while no marker lies on the market; 0 before the start."""
        return self.prices[self.cell] if self.cell is not None else (self.par or 0)

    @property
    def started(self) -> bool:
        """The director's certificate has been sold."""
        return self.par is not None

    @property
    def receivership(self) -> bool:
        """Floated, and the director's certificate lies in the pool."""
        return self.floated and self.director == POOL

    @property
    def ordinary_in_pool(self) -> int:
        """Ordinary certificates in the pool."""
        return self.pool - self.certificate if self.director == POOL else self.pool


class StockRound(Mutable):
    """A stock round.

    Args:
        turn: seat to deal; acted: it has bought or sold this turn; bought: its purchase is made.
        passes: passes in a row. sold: by seat, what was sold in this round.
    """

    turn: int
    acted: bool = False
    bought: bool = False
    passes: int = 0
    sold: list[list[str]] = []


class OperatingRound(Mutable):
    """An operating round, with the turn of a company.

    Args:
        number: which of the set, from 1; rounds: how many the set has.
        order: companies in operating order; index: whose turn it is.
        step: of the turn, in the order of ``steps``; empty between turns. laid: track built this turn.
        revenue, subsidy, plan: of this turn's run.
    """

    steps: ClassVar[Sequence[str]]
    """The turn of a company in its order; the first is between turns."""

    number: int
    rounds: int
    order: list[str]
    index: int = -1
    step: str = ""
    laid: list[Any] = []
    revenue: int = 0
    subsidy: int = 0
    plan: str = ""

    @property
    def code(self) -> str:
        """The company whose turn it is."""
        return self.order[self.index]

    def begin_next_step(self) -> None:
        """Go to the next step of the turn."""
        self.step = self.steps[self.steps.index(self.step) + 1]


class RoundEnd(Record, frozen=True):
    """What was known at the end of a round: worth by seat, price by company."""

    name: str
    worth: tuple[int, ...]
    prices: tuple[tuple[str, int], ...]


class ShareState(Mutable):
    """Everything that the log leads to.

    Args:
        cash: by seat. depot: trains left by kind, -1 without end. clock: counts arrivals on the market.
        priority: seat with the priority deal. turn: number of the stock round.
        broken: the bank has run out; topped: a price reached the top. over: why the game is, if it is.
        marks: what was known at the end of each round.
    """

    seats: int
    cash: list[int]
    companies: Mapping[str, ShareCompany]
    depot: dict[str, int]
    round: Mutable
    phase: str = ""
    clock: int = 0
    priority: int = 0
    turn: int = 0
    broken: bool = False
    topped: bool = False
    over: str = ""
    marks: list[RoundEnd] = []

    @property
    def name(self) -> str:
        """The round as players call it: SR 2, OR 2.1."""
        r = self.round
        return f"OR {self.turn}.{r.number}" if isinstance(r, OperatingRound) else f"SR {self.turn}"

    def get_round(self, kind: type[R]) -> R:
        """Return the round of a kind, where one is being played."""
        r = self.round
        assert isinstance(r, kind), self.name
        return r


class RoundField(Generic[R]):
    """A field of the state that holds the round of a kind, where one is being played."""

    def __init__(self, kind: type[R]) -> None:
        self._kind = kind

    def __get__(self, s: ShareState, owner: type[ShareState] | None = None) -> R:
        """Return the round."""
        return s.get_round(self._kind)
