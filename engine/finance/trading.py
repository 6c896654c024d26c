"""Buying and selling shares: the director's certificate, what refuses a purchase, what changes hands."""

from collections.abc import Iterable, Sequence, Sized
from typing import Protocol

from engine.errors import RuleError
from engine.finance import market
from engine.finance.events import DirectorChanged, Held, PriceHeld, ShareBought, SharesSold
from engine.finance.rounds import clockwise
from engine.printed import Units
from engine.record import Rule
from engine.title import Tell

IPO, POOL = -1, -2
"""Where a director's certificate lies that no seat has."""


class Issuer(Protocol):
    """A company as its shares are held: by seat, and in the pool."""

    @property
    def shares(self) -> Sequence[int]: ...  # noqa: D102
    @property
    def pool(self) -> int: ...  # noqa: D102
    @property
    def director(self) -> int: ...  # noqa: D102


class NotStarted(Protocol):
    """A company whose director's certificate lies in the IPO."""

    director: int
    ipo: int
    shares: list[int]


def sell_first(company: NotStarted, seat: int, shares: int) -> None:
    """Give a player the director's certificate of a company that is started; it stands for so many shares."""
    company.director = seat
    company.shares[seat] += shares
    company.ipo -= shares


class Directed(Protocol):
    """A company that has a director, or may have."""

    code: str
    director: int


def hand_over(company: Directed, seat: int, tell: Tell) -> None:
    """Make a player the director."""
    company.director = seat
    tell(DirectorChanged(company.code, seat))


def count_certificates(companies: Iterable[Issuer], seat: int, least: int) -> int:
    """Count a player's certificates of companies; the director's is one, which stands for ``least`` shares."""
    found = 0
    for company in companies:
        found += company.shares[seat] - (least - 1) * (company.director == seat)
    return found


def too_many(held: int, limit: int) -> str:
    """Word that a player above the certificate limit cannot pass."""
    return f"You hold {held} certificates, {limit} are allowed; sell first."


def only_sell(held: int, limit: int) -> str:
    """Word that a player above the certificate limit can do nothing but sell."""
    return f"You hold {held} certificates and {limit} are allowed; sell before anything else."


def ordinary_in_pool(company: Issuer, least: int) -> int:
    """Count the ordinary certificates in the pool; the director's stands for ``least`` shares."""
    return company.pool - least if company.director == POOL else company.pool


def find_successor(shares: Sequence[int], holder: int, keep: int, least: int) -> int | None:
    """Return the seat that takes the certificate from its holder, ``None`` if nobody does.

    Most shares, more than the holder keeps; ties to the nearest on his left.

    Args:
        shares: of the company, by seat.
        holder: the seat that has it.
        keep: shares he keeps.
        least: shares that the certificate itself stands for.
    """
    able = [seat for seat in clockwise(holder, len(shares))[1:] if shares[seat] >= least and shares[seat] > keep]
    return max(able, key=shares.__getitem__, default=None)


class Offered(Protocol):
    """A company whose shares have a price: ``par`` before its marker lies on the market."""

    code: str
    par: int | None

    @property
    def price(self) -> int: ...  # noqa: D102


class Sold(Offered, Protocol):
    """A company whose shares lie in the IPO and in the pool, and by seat at the players'."""

    ipo: int
    pool: int
    shares: list[int]


def share_price(company: Offered, source: str) -> int:
    """Return what a share costs: par from the IPO, else the market price."""
    return (company.par or 0) if source == "ipo" else company.price


class Owning(Offered, Protocol):
    """A company of which shares are offered, with its trains."""

    @property
    def trains(self) -> Sized: ...  # noqa: D102


def appeal(company: Owning, source: str) -> int:
    """Return how good a purchase looks: the market price in percent of the cost, and ten for each train."""
    return 100 * company.price // max(1, share_price(company, source)) + 10 * len(company.trains)


def check_started(company: Offered, code: str, rule: Rule) -> None:
    """Refuse shares of a company before its director's certificate is sold."""
    if company.par is None:
        raise RuleError(f"{code} has not been started; its director's certificate comes first.", rule)


def check_room(held: int, limit: int, rule: Rule) -> None:
    """Refuse a purchase at the certificate limit."""
    if held >= limit:
        raise RuleError(f"You hold {held} certificates; the limit is {limit}, so you cannot buy.", rule)


def check_not_sold(code: str, rule: Rule, *, sold: bool) -> None:
    """Refuse a purchase in a company sold in this round."""
    if sold:
        raise RuleError(f"You sold {code} in this stock round, so you cannot buy it until the next.", rule)


_PLACES = {"ipo": "the IPO", "pool": "the bank pool", "treasury": "its treasury"}


def check_lies(code: str, source: str, rule: Rule, *, left: int, certificate: bool) -> None:
    """Refuse a share from where none is left; the director's ``certificate`` may lie there, which is not sold."""
    if left < 1:
        held = " but the director's certificate, which cannot be bought" if certificate else ""
        raise RuleError(f"There is no share of {code} in {_PLACES[source]}{held}.", rule)


def check_cash(price: int, cash: int, what: str, units: Units, rule: Rule) -> None:
    """Refuse a purchase that cannot be paid."""
    if price > cash:
        raise RuleError(f"{what} costs {units.money(price)}; you have {units.money(cash)}.", rule)


def take_share(company: Sold, seat: int, source: str, price: int, tell: Tell) -> None:
    """Give a player a share out of the IPO or the pool; from where else it comes, a title says."""
    if source == "ipo":
        company.ipo -= 1
    elif source == "pool":
        company.pool -= 1
    company.shares[seat] += 1
    tell(ShareBought(seat, company.code, source, price))


class Pooled(Protocol):
    """A company whose shares lie in the pool, and by seat at the players'."""

    code: str
    pool: int
    shares: list[int]


def give_up(company: Pooled, seat: int, count: int, each: int, tell: Tell) -> None:
    """Put a player's shares into the pool, for ``each`` apiece; who pays, a title says."""
    company.shares[seat] -= count
    company.pool += count
    tell(SharesSold(seat, company.code, count, each))


def lower_price(
    s: market.MarketState, company: market.Marked, prices: Sequence[int], block: tuple[int, Held], tell: Tell
) -> None:
    """Move the price after a sale.

    Args:
        s: the state, changed in place.
        company: of which shares were sold.
        prices: of the market.
        block: the spaces it moves down, and why it stays where those are none.
        tell: takes the facts.
    """
    steps, why = block
    if not steps and company.cell is not None:
        tell(PriceHeld(company.code, prices[company.cell], why))
    market.move(s, company, prices, -steps, tell)
