"""What most people would do with shares and trains: sell what earns nothing, start what one can float alone."""

from collections.abc import Iterable, Mapping, Sized
from typing import Protocol, TypeVar

from engine.finance.buying import Owning, appeal

RAISES = (5, 10, 20)
"""How much is added to the last bid where a button bids."""


class Sellable(Protocol):
    """A company of which somebody holds shares."""

    @property
    def director(self) -> int: ...  # noqa: D102
    @property
    def operated(self) -> bool: ...  # noqa: D102
    @property
    def price(self) -> int: ...  # noqa: D102
    @property
    def trains(self) -> Sized: ...  # noqa: D102


def against_selling(company: Sellable, seat: int) -> tuple[bool, bool, int]:
    """Tell what speaks against selling shares, less is better: that one directs it, that it earns, a low price."""
    return company.director == seat, bool(company.trains) or not company.operated, -company.price


def against_price(price: int, to_float: int, cash: int) -> tuple[bool, int]:
    """Tell what speaks against a price for a new company, less is better.

    The most money that one can float alone comes first; what takes others to float last, the dearest at the end.
    """
    beyond = price * to_float > cash
    return beyond, price if beyond else -price


class Promising(Owning, Protocol):
    """A company of which a share may be bought."""

    @property
    def operated(self) -> bool: ...  # noqa: D102


class Purchase(Protocol):
    """An action that buys a share of a company from somewhere."""

    @property
    def company(self) -> str: ...  # noqa: D102
    @property
    def source(self) -> str: ...  # noqa: D102


P = TypeVar("P", bound=Purchase)


def best_purchase(companies: Mapping[str, Promising], buys: Iterable[P]) -> P | None:
    """Return the share with the most appeal, of companies that run or may yet; ``None`` if all are lame."""
    good = [buy for buy in buys if companies[buy.company].trains or not companies[buy.company].operated]
    return max(
        good, key=lambda buy: (appeal(companies[buy.company], buy.source), buy.company, buy.source), default=None
    )


def raises(high: int, most: int) -> list[int]:
    """Return the bids worth a button: a little above the last one, and none above the most that can be bid."""
    return [high + step for step in RAISES if high + step <= most]


def against_seller(companies: Mapping[str, Sellable], seller: str, seat: int) -> int:
    """Tell what speaks against a train by whose it is: the bank's, of a company one directs, somebody else's."""
    if seller not in companies:
        return 0
    return 1 if companies[seller].director == seat else 2
