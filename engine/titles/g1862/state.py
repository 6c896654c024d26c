"""The state of a game of 1862: plain fields.

Shares are counted in tenths; a director's certificate is three of them. Where
it lies is told by ``Company.director``: a seat, ``POOL`` or ``IPO``.
"""

from typing import Literal, NamedTuple, get_args

import msgspec

from engine.finance import market, trading
from engine.finance.market import RoundEnd
from engine.finance.trading import IPO, POOL
from engine.rails.board import Board
from engine.rails.runs import RunRecord
from engine.record import Mutable, Record
from engine.steps import after, playing
from engine.titles.g1862.catalogue import BANDS, CHARTERS, FACES, MARKET, PHASES, PLAYERS, Band, Charter, Face
from engine.titles.g1862.rules import Rules

TurnStep = Literal[
    "", "home", "merge", "track", "token", "run", "dividend", "train", "redeem", "acquire", "end", "left"
]  # fmt: skip
STEPS: tuple[TurnStep, ...] = get_args(TurnStep)
"""The turn of a company in its order (§7.1); the first is between turns, "left" that of one that went bankrupt."""


class Parliament(Mutable):
    """A Parliament round (§4.1).

    Args:
        number: 1 or 2 of the set; turn: whose turn; passes: how many declined in a row.
        lot: the company proposed, or empty; high, leader: the bid; out: seats that have passed on it.
        winner: seat that won the charter and starts the company; extra: shares it may still buy.
        won: seats that got a charter in this round.
    """

    number: int
    turn: int
    passes: int = 0
    lot: str = ""
    high: int = 0
    leader: int = -1
    out: list[int] = []
    winner: int = -1
    extra: int = 0
    won: list[int] = []


class Fine(Record, frozen=True):
    """What a player still owes for a company that did not float (§4.3)."""

    seat: int
    company: str
    owed: int


class SaleTerms(Record, frozen=True):
    """The terms of a sale: the price of each share, and how many more shares leave the price as it is (§6.4.2)."""

    each: int
    free: int


class Stock(Mutable):
    """A stock round (§6.2).

    Args:
        turn: seat to deal; acted: it has sold this turn; bought: its purchase is made.
        above: it has been above the certificate limit since its turn began.
        just_sold: companies sold this turn, with the terms on which more of them is sold; passes: passes in a row.
        sold: by seat, companies sold this round; got: by seat, shares bought this round by company.
        choosing: a company that has just floated and whose director chooses its markers.
        fines: owed at the end of the round, first to be paid first.
    """

    turn: int
    acted: bool = False
    bought: bool = False
    above: bool = False
    just_sold: dict[str, SaleTerms] = {}
    passes: int = 0
    sold: list[list[str]] = []
    got: list[dict[str, int]] = []
    choosing: str = ""
    fines: list[Fine] = []
    closing: bool = False


class Offer(Record, frozen=True):
    """What another director must agree to: a merger, or the sale of a train.

    Args:
        kind: "merge" or "train"; company: the active one; other: the one asked.
        survivor: of a merger; train: name of the train with its stars.
    """

    kind: str
    company: str
    other: str
    decider: int
    proposer: int
    survivor: str = ""
    train: str = ""


class Merging(Mutable):
    """Two companies' shares, or one company's, being merged two to one (§5.2.4).

    Args:
        survivor, other: codes; ``other`` is empty when the company refinances.
        kind: "merge", "acquire" or "refinance"; initiator: director who began it.
        price: what the option shares are reckoned by.
        holders: seats still to come, ``COMPANY`` last; holder: the one whose turn it is, or -2.
        redeem, sell: what the open option costs and brings; 0 and 0 when there is none.
        parts: shares of the survivor (or the certificate) that the option is about.
        moved: the assets have gone to the survivor; what is left are the markers on the map.
        emptied: the director's certificate went to the pool for the last shares in it, and lies before what comes.
    """

    survivor: str
    other: str
    kind: str
    initiator: int
    price: int
    holders: list[int]
    holder: int = -2
    redeem: int = 0
    sell: int = 0
    parts: int = 0
    moved: bool = False
    emptied: bool = False


class Operating(Mutable):
    """An operating round.

    Args:
        number: which of the set, from 1; rounds: how many the set has.
        order: companies in operating order; index: whose turn it is; done: those that operate no more.
        step: of the turn, in the order of ``STEPS``; empty between turns.
        laid: (hex, what) of the track built this turn: "first", "yellow", "upgrade" or "station".
        revenue, subsidy, plan: of this turn's run.
        rescued: money was raised, so the train must come from the bank (§7.11).
        hasty: it was raised without a question, so that redeeming is looked at before the train is bought (§7.11).
        unredeemed: nothing could be redeemed then, so nothing is redeemed this turn.
        removing: the company that must take markers off the map (§7.5.6).
    """

    number: int
    rounds: int
    order: list[str]
    index: int = -1
    step: TurnStep = ""
    laid: list[tuple[str, str]] = []
    revenue: int = 0
    subsidy: int = 0
    plan: str = ""
    ran: list[str] = []
    rescued: bool = False
    offer: Offer | None = None
    merging: Merging | None = None
    removing: str = ""
    done: list[str] = []
    hasty: bool = False
    unredeemed: bool = False

    @property
    def code(self) -> str:
        """The company whose turn it is."""
        return self.order[self.index]

    def go_on(self) -> None:
        """Go to the next step of the turn."""
        self.step = after(STEPS, self.step)


COMPANY = -1
"""The holder of treasury shares while shares are merged."""
DIRECTOR_SHARES = 3
TO_FLOAT = 5


class Marker(NamedTuple):
    """A station marker in a city: its hex, when it came, and the slot it lies in."""

    hex: str
    stamp: int
    slot: int = 0


class Train(Record, frozen=True):
    """A train: card ``A-3``, face "2/3E", warranties left."""

    id: str
    face: str
    stars: int = 0

    @property
    def name(self) -> str:
        """The face with a star for each warranty."""
        return self.face + "*" * self.stars

    @property
    def printed(self) -> Face:
        """What is printed on the side in use."""
        return FACES[self.face]


class Company(Mutable):
    """One railway.

    Args:
        shares: tenths held, by seat; ipo, pool, treasury: tenths lying there, a director's certificate included.
        group: phase that opens it; permit: the one dealt, ``""`` in a simple game; permits: those it has.
        cell: space on the market, ``None`` while no marker lies there; stamp: order of arrival in it.
        markers: on the map; unplaced: left on the charter; waiting: hexes where one lies beside a full
            city (§7.2); london: box of its London marker, or empty.
        home_placed: the home marker has been placed; due: hexes that its next track must serve (§7.2).
        obliged: seat under obligation for it, or -1. barred: failed, and not free before a stock round.
        former: the last director, for ties (§6.3). operated: it has had a turn.
    """

    code: str
    shares: list[int]
    group: str = "A"
    permit: str = ""
    permits: list[str] = []
    chartered: bool = False
    ipo: int = 10
    pool: int = 0
    treasury: int = 0
    director: int = IPO
    cell: int | None = None
    stamp: int = 0
    par: int | None = None
    cash: int = 0
    trains: list[Train] = []
    markers: list[Marker] = []
    unplaced: int = 0
    waiting: list[str] = []
    london: str = ""
    home_placed: bool = False
    due: list[str] = []
    floated: bool = False
    operated: bool = False
    obliged: int = -1
    barred: bool = False
    former: int = 0
    gone: bool = False

    @property
    def charter(self) -> Charter:
        """What is printed on the charter."""
        return CHARTERS[self.code]

    @property
    def price(self) -> int:
        """The market price; par while no marker lies on the market; 0 before the start."""
        return market.price(MARKET.prices, self)

    @property
    def effective(self) -> int:
        """The price less half of it, rounded down, while the company owns no train (§6.4)."""
        return self.price if self.trains else self.price // 2

    @property
    def started(self) -> bool:
        """The director's certificate has been sold."""
        return self.par is not None

    @property
    def receivership(self) -> bool:
        """Floated, and the director's certificate lies in the pool (§6.3)."""
        return self.floated and self.director == POOL

    @property
    def ordinary_in_pool(self) -> int:
        """Ordinary certificates in the pool."""
        return trading.ordinary_in_pool(self, DIRECTOR_SHARES)

    @property
    def places(self) -> list[str]:
        """Hexes where it has a marker in a slot."""
        return [marker.hex for marker in self.markers]

    @property
    def marker_count(self) -> int:
        """Markers on the map, London and those beside a city too."""
        return len(self.markers) + len(self.waiting) + bool(self.london)

    def ordinary(self, seat: int) -> int:
        """Return the ordinary certificates a player holds."""
        return self.shares[seat] - DIRECTOR_SHARES * (self.director == seat)


Placed = tuple[tuple[int, str, str], ...]
"""Markers on the map: slot, hex and company of each, in order."""


class State(Mutable):
    """Everything that the log leads to.

    Args:
        cash: by seat. depot: trains left by band, -1 without end. sold: trains sold of each band.
        companies: in play, in the order of the charters; offer: codes in the order of the deal.
        clock: counts arrivals on the market and of markers. turn: number of the stock round.
        priority: seat with the priority deal. lner_due, lner: the LNER will form, has formed (§10.3).
        broken: the bank has run out; topped: a price reached the top. limit: certificates after the LNER.
        record: runs made without asking, empty between actions.
    """

    rules: Rules
    seats: int
    cash: list[int]
    companies: dict[str, Company]
    offer: tuple[str, ...]
    board: Board
    depot: dict[str, int]
    sold: dict[str, int]
    round: Parliament | Stock | Operating
    phase: str = "A"
    clock: int = 0
    priority: int = 0
    turn: int = 1
    lner_due: bool = False
    lner: bool = False
    broken: bool = False
    topped: bool = False
    over: str = ""
    limit: int = 0
    marks: list[RoundEnd] = []
    fresh: list[str] = []
    record: RunRecord = msgspec.field(default_factory=RunRecord)

    def trains_for_sale(self, company: Company) -> list[Train]:
        """Return the trains that a company can sell to others: those it owns."""
        return company.trains

    def believed_markers(self, code: str) -> Placed:
        """Return markers that have left the map and that a company might still have to reckon with: none."""
        del code
        return ()

    def asks_without_choice(self) -> bool:
        """Return whether the player whose turn it is is asked although there is nothing to choose: never."""
        return False

    @property
    def bank(self) -> int:
        """Money in the bank; below zero when it has run out (§10.2)."""
        return PLAYERS.bank - sum(self.cash) - sum(company.cash for company in self.companies.values())

    @property
    def band(self) -> Band:
        """The phase's row of the chart."""
        return BANDS[self.phase]

    def begun(self, phase: str) -> bool:
        """Tell whether a phase has begun."""
        return PHASES.index(phase) <= PHASES.index(self.phase)

    def certificates(self, seat: int) -> int:
        """Count a player's certificates; a director's certificate is one (§6.3)."""
        return trading.count_certificates(self.companies.values(), seat, DIRECTOR_SHARES)

    @property
    def parliament(self) -> Parliament:
        """The Parliament round, where one is being held."""
        return playing(self, Parliament)

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
        """The round as players call it: PR 1, SR 2, OR 2.1."""
        if isinstance(self.round, Parliament):
            return f"PR {self.turn}"
        if isinstance(self.round, Stock):
            return f"SR {self.turn}"
        return f"OR {self.turn}.{self.round.number}"
