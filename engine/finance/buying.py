"""Buying one share: what it costs, what refuses it, and what becomes of it."""

from collections.abc import Sized
from typing import Protocol

from engine.errors import RuleError
from engine.finance.events import ShareBought
from engine.printed import Units
from engine.record import Rule
from engine.title import Tell


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


def price(company: Offered, source: str) -> int:
    """Return what a share costs: par from the IPO, else the market price."""
    return (company.par or 0) if source == "ipo" else company.price


class Owning(Offered, Protocol):
    """A company of which shares are offered, with its trains."""

    @property
    def trains(self) -> Sized: ...  # noqa: D102


def appeal(company: Owning, source: str) -> int:
    """Return how good a purchase looks: the market price in percent of the cost, and ten for each train."""
    return 100 * company.price // max(1, price(company, source)) + 10 * len(company.trains)


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


def take(company: Sold, seat: int, source: str, price: int, tell: Tell) -> None:
    """Give a player a share out of the IPO or the pool; from where else it comes, a title says."""
    if source == "ipo":
        company.ipo -= 1
    elif source == "pool":
        company.pool -= 1
    company.shares[seat] += 1
    tell(ShareBought(seat, company.code, source, price))
