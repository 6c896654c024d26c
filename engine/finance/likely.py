"""What most people would do with shares: sell those that earn nothing, start what one can float alone."""

from collections.abc import Sized
from typing import Protocol


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
