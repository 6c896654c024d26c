"""The state of a game of 1862: plain fields.

Shares are counted in tenths; a director's certificate is three of them. Where
it lies is told by ``Company.director``: a seat, ``POOL`` or ``IPO``.
"""

from collections.abc import Sequence
from typing import ClassVar, Literal, NamedTuple, get_args

import msgspec

from engine.finance import trading
from engine.finance.state import OperatingRound, RoundField, ShareCompany, ShareState, StockRound
from engine.rails.board import Board
from engine.rails.runs import RunRecord
from engine.record import Mutable, Record
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


class Stock(StockRound):
    """A stock round (§6.2).

    Args:
        above: the player has been above the certificate limit since the turn began.
        just_sold: companies sold this turn, with the terms on which more of them is sold.
        got: by seat, shares bought this round by company.
        choosing: a company that has just floated and whose director chooses its markers.
        fines: owed at the end of the round, first to be paid first.
    """

    above: bool = False
    just_sold: dict[str, SaleTerms] = {}
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


class Operating(OperatingRound):
    """An operating round.

    Args:
        done: companies that operate no more.
        laid: (hex, what) of the track built this turn: "first", "yellow", "upgrade" or "station".
        rescued: money was raised, so the train must come from the bank (§7.11).
        hasty: it was raised without a question, so that redeeming is looked at before the train is bought (§7.11).
        unredeemed: nothing could be redeemed then, so nothing is redeemed this turn.
        removing: the company that must take markers off the map (§7.5.6).
    """

    steps: ClassVar[Sequence[str]] = STEPS

    step: TurnStep = ""
    laid: list[tuple[str, str]] = []
    ran: list[str] = []
    rescued: bool = False
    offer: Offer | None = None
    merging: Merging | None = None
    removing: str = ""
    done: list[str] = []
    hasty: bool = False
    unredeemed: bool = False


COMPANY = -1
"""The holder of treasury shares while shares are merged."""
DIRECTOR_SHARES = 3
SHARES_TO_FLOAT = 5


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


class Company(ShareCompany):
    """One railway.

    Args:
        treasury: tenths that the company has itself.
        group: phase that opens it; permit: the one dealt, ``""`` in a simple game; permits: those it has.
        markers: on the map; unplaced: left on the charter; waiting: hexes where one lies beside a full
            city (§7.2); london: box of its London marker, or empty.
        due: hexes that its next track must serve (§7.2).
        obliged: seat under obligation for it, or -1. barred: failed, and not free before a stock round.
        former: the last director, for ties (§6.3).
    """

    prices: ClassVar[Sequence[int]] = MARKET.prices
    certificate: ClassVar[int] = DIRECTOR_SHARES

    trains: list[Train] = []
    group: str = "A"
    permit: str = ""
    permits: list[str] = []
    chartered: bool = False
    treasury: int = 0
    markers: list[Marker] = []
    waiting: list[str] = []
    london: str = ""
    due: list[str] = []
    obliged: int = -1
    barred: bool = False
    former: int = 0
    gone: bool = False

    @property
    def charter(self) -> Charter:
        """What is printed on the charter."""
        return CHARTERS[self.code]

    @property
    def effective_price(self) -> int:
        """The price less half of it, rounded down, while the company owns no train (§6.4.1)."""
        return self.price if self.trains else self.price // 2

    @property
    def places(self) -> list[str]:
        """Hexes where it has a marker in a slot."""
        return [marker.hex for marker in self.markers]

    @property
    def marker_count(self) -> int:
        """Markers on the map, London and those beside a city too."""
        return len(self.markers) + len(self.waiting) + bool(self.london)

    def count_ordinary(self, seat: int) -> int:
        """Return the ordinary certificates a player holds."""
        return self.shares[seat] - DIRECTOR_SHARES * (self.director == seat)


Placed = tuple[tuple[int, str, str], ...]
"""Markers on the map: slot, hex and company of each, in order."""


class State(ShareState, kw_only=True):
    """Everything that the log leads to.

    Args:
        depot: trains left by band; sold: trains sold of each. offer: codes in the order of the deal.
        lner_due, lner: the LNER will form, has formed (§10.3). limit: certificates a player may hold.
        fresh: hexes built on in the turn before. record: runs made without asking, empty between actions.
    """

    parliament: ClassVar[RoundField[Parliament]] = RoundField(Parliament)
    stock: ClassVar[RoundField[Stock]] = RoundField(Stock)
    operating: ClassVar[RoundField[Operating]] = RoundField(Operating)

    rules: Rules
    companies: dict[str, Company]
    offer: tuple[str, ...]
    board: Board
    sold: dict[str, int]
    round: Parliament | Stock | Operating
    phase: str = "A"
    turn: int = 1
    lner_due: bool = False
    lner: bool = False
    limit: int = 0
    fresh: list[str] = []
    record: RunRecord = msgspec.field(default_factory=RunRecord)

    def list_trains_for_sale(self, company: Company) -> list[Train]:
        """Return the trains that a company can sell to others: those it owns."""
        return company.trains

    def find_believed_markers(self, code: str) -> Placed:
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

    def has_begun(self, phase: str) -> bool:
        """Return whether a phase has begun."""
        return PHASES.index(phase) <= PHASES.index(self.phase)

    def count_certificates(self, seat: int) -> int:
        """Count a player's certificates; a director's certificate is one (§6.5.2)."""
        return trading.count_certificates(self.companies.values(), seat)

    @property
    def name(self) -> str:
        """The round as players call it: PR 1, SR 2, OR 2.1."""
        return f"PR {self.turn}" if isinstance(self.round, Parliament) else super().name
