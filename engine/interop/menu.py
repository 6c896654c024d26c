"""What a seat may do, as the site would list it, to be compared."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from engine.finance.buying import Offered, price
from engine.interop.translator import Row


class Shared(Protocol):
    """A company with its shares by seat."""

    @property
    def code(self) -> str: ...  # noqa: D102
    @property
    def shares(self) -> Sequence[int]: ...  # noqa: D102


class LegalMenu:
    """Gathers what is legal, by kind."""

    def __init__(self) -> None:
        self._moves: dict[str, list[list[object]]] = {}
        self._pars: dict[str, list[int]] = {}
        self._prices: dict[str, int] = {}

    def add(self, kind: str, *move: object) -> None:
        """Add a move: a tile, a token, a share to buy or sell."""
        self._moves.setdefault(kind, []).append([*move])

    def extend(self, kind: str, moves: Iterable[list[object]]) -> None:
        """Add several moves of a kind."""
        self._moves.setdefault(kind, []).extend(moves)

    def buy(self, company: Offered, source: str) -> None:
        """Add a share that may be bought, a tenth of the company, with its price."""
        self.add("buy", company.code, source, 10, price(company, source))

    def sell(self, company: str, count: int, each: int) -> None:
        """Add shares that may be sold, in percent, and what they bring."""
        self.add("sell", company, count * 10, count * each)

    def par(self, company: str, price: int) -> None:
        """Add a price at which a company may start."""
        self._pars.setdefault(company, []).append(price)

    def dividend(self, kind: str, price: int) -> None:
        """Add a kind of dividend, and the share price after it."""
        self._prices[kind] = price

    def row(self) -> Row:
        """Return what there is; kinds without a move are left out."""
        return {
            **self._moves,
            **({"par": self._pars} if self._pars else {}),
            **({"dividend": self._prices} if self._prices else {}),
        }


def held(companies: Iterable[Shared], seat: int) -> dict[str, int]:
    """Return what a player has of each company, in percent of ten shares."""
    return {company.code: company.shares[seat] * 10 for company in companies if company.shares[seat]}
