"""The director's certificate: who takes it, where it lies, and how certificates are counted."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from engine.finance.events import DirectorChanged
from engine.finance.stock_turn import clockwise
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


def count(companies: Iterable[Issuer], seat: int, least: int) -> int:
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


def successor(shares: Sequence[int], holder: int, keep: int, least: int) -> int | None:
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
