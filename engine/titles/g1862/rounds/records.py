"""The rounds of 1862 as state: Parliament, stock round, operating round, and what waits in them."""

from typing import Literal, get_args

from engine.record import Mutable, Record
from engine.steps import after

TurnStep = Literal[
    "", "home", "merge", "track", "token", "run", "dividend", "train", "redeem", "acquire", "end", "left"
]  # fmt: skip
STEPS: tuple[TurnStep, ...] = get_args(TurnStep)
"""The turn of a company in its order (8.2); the first is between turns, "left" that of one that went bankrupt."""


class Parliament(Mutable):
    """A Parliament round (3).

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
    """What a player still owes for a company that did not float (4)."""

    seat: int
    company: str
    owed: int


class SaleTerms(Record, frozen=True):
    """The terms of a sale: the price of each share, and how many more shares leave the market price as it is (6.2)."""

    each: int
    free: int


class Stock(Mutable):
    """A stock round (5).

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
    """Two companies' shares, or one company's, being merged two to one (14).

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
        rescued: money was raised, so the train must come from the bank (18.2).
        hasty: it was raised without a question, so that redeeming is looked at before the train is bought (18.2).
        unredeemed: nothing could be redeemed then, so nothing is redeemed this turn.
        removing: the company that must take markers off the map (13.6).
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
