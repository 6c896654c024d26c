"""The state of a game of 1860: plain fields.

Shares are counted in tenths; a director's certificate is two of them. Where
it lies is told by ``Company.director``: a seat, ``POOL`` or ``IPO``.
"""

from typing import Literal, get_args

import msgspec

from engine.finance import market, trading
from engine.finance.market import RoundEnd
from engine.finance.trading import IPO, POOL
from engine.rails.board import Board
from engine.rails.runs import RunRecord
from engine.record import Mutable, Record
from engine.steps import after, playing
from engine.titles.g1860.catalogue import CHARTERS, MARKET, PLAYERS, PRIVATES, TRAINS, Charter, TrainKind
from engine.titles.g1860.rules import Rules

# Owners of a private company that is in nobody's hands.
BANK, CLOSED, ASIDE = -1, -2, -3

Base = tuple[str, int]
TurnStep = Literal["", "discard", "track", "base", "run", "dividend", "train", "end"]
STEPS: tuple[TurnStep, ...] = get_args(TurnStep)
"""The turn of a company in its order (6); it begins with the second, the first is between turns."""


class Company(Mutable):
    """One railway.

    Args:
        shares: tenths held, by seat; ipo and pool: tenths lying there, a director's certificate included.
        reserved: the last certificate of the IPO waits for its private (Exchanging Private Companies).
        cell: space on the market, ``None`` while no marker lies there; stamp: order of arrival in it.
        bases: (hex, city) placed, the home base first; unplaced: bases left on the charter.
        home_placed: the home base is on the board.
        operated: has had a turn in its life, also before a bankruptcy (Share Price Movement).
        reached: destinations linked with home by its runs; through: those linked by one train.
    """

    code: str
    shares: list[int]
    ipo: int = 10
    pool: int = 0
    director: int = IPO
    reserved: bool = False
    par: int | None = None
    cell: int | None = None
    stamp: int = 0
    cash: int = 0
    trains: list[str] = []
    bases: list[Base] = []
    unplaced: int = 0
    home_placed: bool = False
    floated: bool = False
    operated: bool = False
    bankrupt: bool = False
    insolvent: bool = False
    closed: bool = False
    reached: list[str] = []
    through: list[str] = []

    @property
    def charter(self) -> Charter:
        """What is printed on the charter."""
        return CHARTERS[self.code]

    @property
    def price(self) -> int:
        """The market price; par while no marker lies on the market; 0 before the start."""
        return market.price(MARKET.prices, self)

    @property
    def started(self) -> bool:
        """The director's certificate has been sold and par set, and it is not bankrupt since."""
        return self.par is not None

    @property
    def receivership(self) -> bool:
        """Floated, and the director's certificate lies in the pool (Companies In Receivership)."""
        return self.floated and self.director == POOL

    @property
    def running(self) -> bool:
        """Takes part in operating rounds."""
        return self.floated and not self.bankrupt and not self.closed

    @property
    def singles_in_pool(self) -> int:
        """Ordinary certificates in the pool."""
        return trading.ordinary_in_pool(self, 2)


class Auction(Mutable):
    """The initial auction: one auction after the other for the right to choose a lot."""

    lots: list[str]
    turn: int = 0
    high: int = 0
    leader: int = -1
    passed: list[int] = []
    chooser: int = -1

    @property
    def won(self) -> bool:
        """Whether somebody has won the auction and must choose a lot (Private Companies and the Initial Auction)."""
        return self.chooser >= 0


class Stock(Mutable):
    """A stock round.

    Args:
        turn: seat to deal; acted: it has bought or sold this turn; bought: its purchase is made.
        just_sold: companies sold this turn; opened: the private bought or the company started,
            where that makes an exchange possible, for which the turn goes on.
        passes: passes in a row; last: seat that traded last, -1 for none.
        sold: by seat, companies (and privates) sold this round.
        homes: companies whose director must lay the home tile now (Flotation & Capitalisation).
    """

    turn: int
    acted: bool = False
    bought: bool = False
    opened: str = ""
    just_sold: list[str] = []
    passes: int = 0
    last: int = -1
    sold: list[list[str]] = []
    homes: list[str] = []


class Offer(Record, frozen=True):
    """A price named for a train of another company; ``decider`` must answer, ``proposer`` may withdraw."""

    buyer: str
    seller: str
    train: str
    price: int
    decider: int
    proposer: int


class Operating(Mutable):
    """An operating round.

    Args:
        number: which of the set, from 1; rounds: how many the set has.
        order: companies in operating order, fixed at the start; index: whose turn it is.
        step: of the turn, in the order of ``STEPS``; empty between turns.
        laid: (hex, has a city, is an upgrade) of the tiles laid this turn.
        revenue, subsidy: of this turn's run; leased: the train it was run with, if leased.
        earned: revenue of each company that ran in this round.
    """

    number: int
    rounds: int
    order: list[str]
    index: int = -1
    step: TurnStep = ""
    laid: list[tuple[str, bool, bool]] = []
    revenue: int = 0
    subsidy: int = 0
    leased: str = ""
    plan: str = ""
    offer: Offer | None = None
    earned: dict[str, int] = {}

    @property
    def code(self) -> str:
        """The company whose turn it is."""
        return self.order[self.index]

    def go_on(self) -> None:
        """Go to the next step of the turn."""
        self.step = after(STEPS, self.step)


class State(Mutable):
    """Everything that the log leads to.

    Args:
        cash: by seat. privates: owner by code. depot: trains left by kind, -1 without end.
        returned: excess trains for sale in the bank. clock: counts arrivals on the market.
        turn: number of the stock round. layer: highest open layer.
        formed, stopped, nationalised: how far the Southern Railway has got (9).
        broken: the bank has run out; topped: a price reached the top. fresh: nationalised, and
            no whole round played since. record: runs made without asking, empty between actions.
    """

    rules: Rules
    seats: int
    cash: list[int]
    privates: dict[str, int]
    companies: dict[str, Company]
    board: Board
    depot: dict[str, int]
    returned: list[str]
    round: Auction | Stock | Operating
    phase: str = "2"
    clock: int = 0
    priority: int = 0
    turn: int = 0
    layer: int = 1
    formed: bool = False
    stopped: bool = False
    nationalised: bool = False
    broken: bool = False
    topped: bool = False
    over: str = ""
    marks: list[RoundEnd] = []
    fresh_tiles: list[str] = []
    turned_over: list[tuple[str, int]] = []
    record: RunRecord = msgspec.field(default_factory=RunRecord)

    @property
    def bank(self) -> int:
        """Money left for players (Starting Money); below zero when the bank has run out."""
        return PLAYERS.bank - sum(self.cash)

    @property
    def colours(self) -> tuple[str, ...]:
        """Tile colours that may be laid in this phase."""
        return phase_kind(self.phase).colours

    @property
    def limit(self) -> int:
        """Trains a company may own (Buying Trains)."""
        return phase_kind(self.phase).limit if self.rules.train_limit else 99

    @property
    def unlimited(self) -> bool:
        """No certificate limit, and sales move no price: the first 8+4 has been sold."""
        return int(self.phase) >= 8

    def unseen_homes(self, company: Company) -> tuple[str, ...]:
        """Return the companies whose home base closes no way for a company that builds: none."""
        del company
        return ()

    def is_asked_again_for_a_base(self, company: Company) -> bool:
        """Return whether a company is asked for a base although it can reach no place for one: never."""
        del company
        return False

    def certificates(self, seat: int) -> int:
        """Count a player's certificates: director's and privates are one each (Certificate Limit)."""
        privates = sum(1 for owner in self.privates.values() if owner == seat)
        return privates + trading.count_certificates(self.companies.values(), seat, 2)

    @property
    def auction(self) -> Auction:
        """The initial auction, where that is being played."""
        return playing(self, Auction)

    @property
    def stock(self) -> Stock:
        """The stock round, where one is being played."""
        return playing(self, Stock)

    @property
    def operating(self) -> Operating:
        """The operating round, where one is being played."""
        return playing(self, Operating)

    @property
    def name(self) -> str:
        """The round as players call it: AR 1, SR 2, OR 2.1."""
        if isinstance(self.round, Auction):
            return "AR 1"
        if isinstance(self.round, Stock):
            return f"SR {self.turn}"
        return f"OR {self.turn}.{self.round.number}"


def phase_kind(phase: str) -> TrainKind:
    """Return the train kind that began a phase, with the phase's row of the chart."""
    return _PHASES[phase]


_PHASES = {kind.phase: kind for kind in TRAINS.values()}
LOTS = (*[code for code, private in PRIVATES.items() if private.railway], "C&N", "IOW")
