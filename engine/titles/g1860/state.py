"""The state of a game of 1860: plain fields.

Shares are counted in tenths; a director's certificate is two of them. Where
it lies is told by ``Company.director``: a seat, ``POOL`` or ``IPO``.
"""

from collections.abc import Sequence
from typing import ClassVar, Literal, get_args

import msgspec

from engine.finance import trading
from engine.finance.state import OperatingRound, RoundField, ShareCompany, ShareState, StockRound
from engine.rails.board import Board
from engine.rails.runs import RunRecord
from engine.record import Mutable, Record
from engine.titles.g1860.catalogue import CHARTERS, MARKET, PHASES, PLAYERS, Charter
from engine.titles.g1860.rules import Rules

# Owners of a private company that no one owns.
BANK, CLOSED, ASIDE = -1, -2, -3

Base = tuple[str, int]
TurnStep = Literal["", "discard", "track", "base", "run", "dividend", "train", "end"]
STEPS: tuple[TurnStep, ...] = get_args(TurnStep)
"""The turn of a company in its order (Operating Public Companies); the first is between turns."""


class Company(ShareCompany):
    """One railway.

    Args:
        reserved: the last certificate of the IPO waits for its private (Exchanging Private Companies).
        bases: (hex, city) placed, the home base first; unplaced: bases left on the charter.
        operated: it has had a turn in its life, also before a bankruptcy (Share Price Movement).
        reached: destinations linked with home by its runs; through: those linked by one train.
    """

    prices: ClassVar[Sequence[int]] = MARKET.prices
    certificate: ClassVar[int] = 2

    trains: list[str] = []
    reserved: bool = False
    bases: list[Base] = []
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
    def running(self) -> bool:
        """Takes part in operating rounds."""
        return self.floated and not self.bankrupt and not self.closed


class Auction(Mutable):
    """The initial auction: one auction after the other for the right to choose a lot."""

    lots: list[str]
    turn: int = 0
    high: int = 0
    leader: int = -1
    passed: list[int] = []
    chooser: int = -1

    @property
    def is_won(self) -> bool:
        """Whether a player has won the auction and must choose a lot (Private Companies and the Initial Auction)."""
        return self.chooser >= 0


class Stock(StockRound):
    """A stock round.

    Args:
        just_sold: companies sold this turn; opened: the private bought or the company started,
            where that makes an exchange possible, for which the turn goes on.
        last: seat that traded last, -1 for none. sold: by seat, companies and privates sold this round.
        homes: companies whose director must lay the home tile now (Flotation & Capitalisation).
    """

    opened: str = ""
    just_sold: list[str] = []
    last: int = -1
    homes: list[str] = []


class Offer(Record, frozen=True):
    """A price named for a train of another company; ``decider`` must answer, ``proposer`` may withdraw."""

    buyer: str
    seller: str
    train: str
    price: int
    decider: int
    proposer: int


class Operating(OperatingRound):
    """An operating round.

    Args:
        laid: (hex, has a city, is an upgrade) of the tiles laid this turn.
        leased: the train of this turn's run, if it is leased.
        earned: revenue of each company that ran in this round.
    """

    steps: ClassVar[Sequence[str]] = STEPS

    step: TurnStep = ""
    laid: list[tuple[str, bool, bool]] = []
    leased: str = ""
    offer: Offer | None = None
    earned: dict[str, int] = {}


class State(ShareState, kw_only=True):
    """Everything that the log leads to.

    Args:
        privates: owner by code. returned: excess trains for sale in the bank. layer: highest open layer.
        formed, stopped, nationalised: how far the Southern Railway has got.
        fresh_tiles: laid in the turn before. turned_over: privates and who had them.
        record: runs made without asking, empty between actions.
    """

    auction: ClassVar[RoundField[Auction]] = RoundField(Auction)
    stock: ClassVar[RoundField[Stock]] = RoundField(Stock)
    operating: ClassVar[RoundField[Operating]] = RoundField(Operating)

    rules: Rules
    privates: dict[str, int]
    companies: dict[str, Company]
    board: Board
    returned: list[str]
    round: Auction | Stock | Operating
    phase: str = "2"
    layer: int = 1
    formed: bool = False
    stopped: bool = False
    nationalised: bool = False
    fresh_tiles: list[str] = []
    turned_over: list[tuple[str, int]] = []
    record: RunRecord = msgspec.field(default_factory=RunRecord)

    @property
    def bank(self) -> int:
        """Money left for players (Components); below zero when the bank has run out."""
        return PLAYERS.bank - sum(self.cash)

    @property
    def colours(self) -> tuple[str, ...]:
        """Tile colours that may be laid in this phase."""
        return PHASES[self.phase].colours

    @property
    def train_limit(self) -> int:
        """Trains a company may own (Phases)."""
        return PHASES[self.phase].limit if self.rules.train_limit else 99

    @property
    def unlimited(self) -> bool:
        """No certificate limit, and sales move no price: the first 8+4 has been sold."""
        return int(self.phase) >= 8

    def find_unseen_homes(self, company: Company) -> tuple[str, ...]:
        """Return the companies whose home base closes no way for a company that builds: none."""
        del company
        return ()

    def is_asked_again_for_a_base(self, company: Company) -> bool:
        """Return whether a company is asked for a base although it can reach no place for one: never."""
        del company
        return False

    def count_certificates(self, seat: int) -> int:
        """Count a player's certificates: director's and privates are one each (Certificate Limit)."""
        privates = sum(1 for owner in self.privates.values() if owner == seat)
        return privates + trading.count_certificates(self.companies.values(), seat)

    @property
    def name(self) -> str:
        """The round as players call it: AR 1, SR 2, OR 2.1."""
        return "AR 1" if isinstance(self.round, Auction) else super().name
