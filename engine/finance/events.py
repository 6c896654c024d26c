"""Facts that games of shares and rounds have in common, in the past tense; ``say.py`` words them."""

from typing import Literal

from engine.record import Event

Held = Literal["zone", "two", "fresh", "late"]
"""Why a sale moved no price."""


class RoundBegun(Event, frozen=True):
    """A round began: ``AR 1``, ``PR 1``, ``SR 2``, ``OR 2.1``."""

    name: str


class TurnBegan(Event, frozen=True):
    """A company began its turn."""

    company: str


class Passed(Event, frozen=True):
    """A player passed."""

    seat: int


class Declined(Event, frozen=True):
    """A company left a step of its turn out: ``lays`` no ``track``, or no more of it."""

    company: str
    does: str
    what: str
    more: bool = False


class BidMade(Event, frozen=True):
    """A player bid in an auction, for a company where the bid is for one that is named."""

    seat: int
    amount: int
    company: str = ""


class PriorityGiven(Event, frozen=True):
    """A player got the priority deal."""

    seat: int


class CompanyStarted(Event, frozen=True):
    """A player set the par of a company and took its director's certificate for ``price``."""

    seat: int
    company: str
    par: int
    price: int


class CompanyFloated(Event, frozen=True):
    """So many shares were sold that a company may operate; ``capital`` was paid in for it."""

    company: str
    capital: int


class ShareBought(Event, frozen=True):
    """A player bought one share, from ``ipo``, ``pool`` or ``treasury``."""

    seat: int
    company: str
    source: str
    price: int


class SharesSold(Event, frozen=True):
    """A player sold shares to the pool, for ``each`` apiece."""

    seat: int
    company: str
    count: int
    each: int


class DirectorChanged(Event, frozen=True):
    """A company got another director."""

    company: str
    seat: int


class ReceivershipBegan(Event, frozen=True):
    """The director's certificate went to the pool: nobody directs the company."""

    company: str


class TrainsRan(Event, frozen=True):
    """A company ran its trains.

    Args:
        plan: the routes as they are kept.
        runs: each train, its way in names and what it earned.
        leased: the train, where it is not the company's own.
    """

    company: str
    plan: str
    revenue: int
    subsidy: int
    runs: tuple[tuple[str, str, int], ...] = ()
    leased: str = ""


class DividendPaid(Event, frozen=True):
    """A company paid its revenue out.

    Args:
        revenue: all that was paid, with what was added. paid: what each seat got.
        treasury: what the company got for shares of its own. added: what it paid out of its treasury beside.
    """

    company: str
    revenue: int
    paid: tuple[int, ...]
    treasury: int = 0
    added: int = 0


class RevenueKept(Event, frozen=True):
    """A company kept its revenue; nothing earned is 0."""

    company: str
    revenue: int


class TrainBought(Event, frozen=True):
    """A company bought a train; ``warranties`` are runs after it rusts, bought with it.

    Args:
        seller: a company, or "bank".
        price: of the train alone.
    """

    company: str
    train: str
    seller: str
    price: int
    warranties: int = 0


class PhaseBegun(Event, frozen=True):
    """A phase began with the first train of a kind; ``rusted``, if any, are the trains that left the game."""

    phase: str
    rusted: str = ""


class PriceMoved(Event, frozen=True):
    """A share price moved on the market."""

    company: str
    before: int
    after: int


class PriceStayed(Event, frozen=True):
    """A share price did not move though a dividend was paid: it was less than the price."""

    company: str
    price: int
    paid: int


class PriceHeld(Event, frozen=True):
    """A share price did not move though shares were sold.

    Args:
        why: "zone" where the first one sold is free, "two" where two are, "fresh" of a company that has not begun,
            "late" in a game in which sales move prices no more.
    """

    company: str
    price: int
    why: Held


class TopReached(Event, frozen=True):
    """A share price reached the top of the market."""

    company: str


class BankBroke(Event, frozen=True):
    """The bank ran out of money."""


class GameEnded(Event, frozen=True):
    """The game ended; each title has its own reasons."""

    reason: str
