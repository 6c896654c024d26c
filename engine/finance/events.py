"""Facts that games of shares and rounds have in common, in the past tense, and their sentences."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from engine.printed import Units
from engine.record import Event
from engine.words import add_article

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
    """A company skipped a step of its turn: ``lays`` no ``track``, or no more of it."""

    company: str
    does: str
    what: str
    more: bool = False


class BidMade(Event, frozen=True):
    """A player bid in an auction; ``company`` is what the bid is for, if it names one."""

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
    """Enough shares were sold for a company to operate; it received its ``capital``."""

    is_turning_point: ClassVar[bool] = True
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
    """The director's certificate went to the pool, so the company has no director."""

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
        revenue: the total, with what was added. paid: what each seat received.
        treasury: what the company received for its own shares. added: what it paid on top from its treasury.
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
    """A share price did not move because the dividend was less than the price."""

    company: str
    price: int
    paid: int


class PriceHeld(Event, frozen=True):
    """A share price did not move although shares were sold.

    Args:
        why: "zone" if the first share sold is free, "two" if two are, "fresh" if the company has not operated,
            "late" once sales no longer move prices.
    """

    company: str
    price: int
    why: Held


class TopReached(Event, frozen=True):
    """A share price reached the top of the market."""

    company: str


class BankBroke(Event, frozen=True):
    """The bank ran out of money."""

    is_turning_point: ClassVar[bool] = True


class GameEnded(Event, frozen=True):
    """The game ended; each title has its own reasons."""

    reason: str


Names = Sequence[str]
Words = Callable[[Any, Names], str]

_SELLERS = {"bank": "the bank", "pile": "the pile"}
_SOURCES = {"ipo": "the IPO", "pool": "the pool", "treasury": "its treasury"}


HELD: Mapping[Held, str] = MappingProxyType(
    {
        "zone": "its zone ignores the first share sold",
        "two": "its zone ignores the first two shares sold",
        "fresh": "it hasn't begun to operate",
        "late": "sales no longer move prices",
    }
)
"""Why a sale moved no price, in words."""

_ROUNDS = {"AR": "Initial auction", "PR": "Parliament", "SR": "Stock round", "OR": "Operating round"}
_AGAIN = "The second "


def name_round(name: str) -> str:
    """Return the name of a round: "Stock round 4" for "SR 4", "Initial auction"."""
    kind, _, number = name.partition(" ")
    return " ".join([_ROUNDS[kind], *([number] if kind != "AR" else [])]) if kind in _ROUNDS else name


def name_round_with_sign(name: str) -> str:
    """Return a round with name and sign: "Operating round 4.1 (OR 4.1)"."""
    sign = name.removeprefix(_AGAIN)
    kind, _, number = sign.partition(" ")
    number = "" if kind == "AR" else f" {number}"
    return f"{_ROUNDS[kind]}{number} ({sign})" if kind in _ROUNDS else name


def make_sentences(units: Units, reasons: Mapping[str, str]) -> dict[type[Event], Words]:
    """Return what makes the sentence of each event here; titles replace some and add their own.

    Args:
        units: of the title.
        reasons: why a game ends, in words.
    """
    return {
        RoundBegun: lambda event, _: (
            f"{name_round_with_sign(event.name)} begins{' again' * event.name.startswith(_AGAIN)}."
        ),
        TurnBegan: lambda event, _: f"{event.company} operates.",
        Passed: lambda event, names: f"{names[event.seat]} passes.",
        Declined: lambda event, _: f"{event.company} {event.does} no {'more ' * event.more}{event.what}.",
        BidMade: lambda event, names: _say_bid(units, event, names),
        PriorityGiven: lambda event, names: f"{names[event.seat]} has the priority deal.",
        CompanyStarted: lambda event, names: _say_started(units, event, names),
        CompanyFloated: lambda event, _: say_floated(event, units.money(event.capital)),
        ShareBought: lambda event, names: (
            f"{names[event.seat]} buys {describe_purchase(units, event.company, event.source, event.price)}."
        ),
        SharesSold: lambda event, names: _say_sold(units, event, names),
        DirectorChanged: lambda event, names: f"{names[event.seat]} becomes director of {event.company}.",
        ReceivershipBegan: lambda event, _: f"{event.company} is in receivership.",
        TrainsRan: lambda event, _: say_run(units, event),
        DividendPaid: lambda event, names: _say_dividend(units, event, names),
        RevenueKept: lambda event, _: say_revenue_kept(event, units.money(event.revenue)),
        TrainBought: lambda event, _: say_train_bought(event, units.money(event.price)),
        PhaseBegun: lambda event, _: (
            f"Phase {event.phase} begins" + (f"; all {event.rusted} trains rust." if event.rusted else ".")
        ),
        PriceMoved: lambda event, _: (
            f"{event.company} {'rises' if event.after > event.before else 'falls'} from {units.money(event.before)} "
            f"to {units.money(event.after)}."
        ),
        PriceStayed: lambda event, _: (
            f"{event.company} stays at {units.money(event.price)}: the dividend was only {units.money(event.paid)}."
        ),
        PriceHeld: lambda event, _: f"{event.company} stays at {units.money(event.price)}: {HELD[event.why]}.",
        TopReached: lambda event, _: f"{event.company} has reached the top of the market.",
        BankBroke: lambda *_: "The bank has run out of money.",
        GameEnded: lambda event, _: f"The game is over: {reasons[event.reason]}.",
    }


def describe_purchase(units: Units, company: str, source: str, price: int) -> str:
    """Return a purchase in words: "10% IOW from the IPO for £74"."""
    return f"{units.percent(1)} {company} from {_SOURCES[source]} for {units.money(price)}"


def _say_bid(units: Units, event: BidMade, names: Names) -> str:
    lot = f" for {event.company}" if event.company else ""
    return f"{names[event.seat]} bids {units.money(event.amount)}{lot}."


def say_floated(event: CompanyFloated, money: str) -> str:
    """Return the sentence of a floated company; ``money`` is its capital in the currency of companies."""
    return f"{event.company} floats" + (f" with {money}." if event.capital else ".")


def _say_started(units: Units, event: CompanyStarted, names: Names) -> str:
    par, price = units.money(event.par), units.money(event.price)
    return f"{names[event.seat]} starts {event.company} at par {par} for {price}."


def _say_sold(units: Units, event: SharesSold, names: Names) -> str:
    total, each = units.money(event.count * event.each), units.money(event.each)
    apiece = f" ({each} a share)" if event.count > 1 else ""
    return f"{names[event.seat]} sells {units.percent(event.count)} {event.company} for {total}{apiece}."


def describe_overdraft(units: Units, bank: int) -> str:
    """Return a sentence about a bank with a negative amount."""
    return f"The bank has paid {units.money(-bank)} more than it had."


def say_run(units: Units, event: TrainsRan, beside: str = "") -> str:
    """Return the sentence of a run with its routes; ``beside`` is what it earns on top: " and 20cc for halts"."""
    routes = "; ".join(f"{train} {way} {units.money(earned)}".replace("  ", " ") for train, way, earned in event.runs)
    return f"{event.company} runs for {units.money(event.revenue)}{beside}" + (f": {routes}." if routes else ".")


def _say_dividend(units: Units, event: DividendPaid, names: Names) -> str:
    paid = list_amounts(units, event.paid, names)
    return f"{event.company} pays {units.money(event.revenue)}" + (f": {paid}." if paid else "; no one holds shares.")


def list_amounts(units: Units, by_seat: Sequence[int], names: Names) -> str:
    """Return who received what: "Ann £30, Bob £20", without those who received nothing."""
    return ", ".join(f"{names[seat]} {units.money(amount)}" for seat, amount in enumerate(by_seat) if amount)


def say_train_bought(event: TrainBought, money: str, more: str = "") -> str:
    """Return the sentence of a purchase; ``money`` is the price in companies' currency, ``more`` comes with it."""
    seller = _SELLERS.get(event.seller, event.seller)
    return f"{event.company} buys {add_article(event.train)}{more} from {seller} for {money}."


def say_revenue_kept(event: RevenueKept, money: str) -> str:
    """Return the sentence of kept revenue; ``money`` is in the currency of companies."""
    return f"{event.company} keeps {money}." if event.revenue else f"{event.company} earns nothing."
