"""A stock market that is one chain of spaces: markers on it, and how they move."""

from collections.abc import Callable, Collection, Sequence
from typing import Protocol

from engine.finance import views
from engine.finance.events import PriceMoved, TopReached
from engine.finance.views import Listed, PrintedMarket, Ranked, RoundEnd, Space, with_moves
from engine.title import Tell
from engine.view import MarketView


class Marked(Protocol):
    """A company's marker: ``cell`` is its space, ``None`` off the market; ``stamp`` its order of arrival there."""

    code: str
    cell: int | None
    stamp: int


class Started(Protocol):
    """A company as its price is told: the space of its marker, and its par, ``None`` before the start."""

    @property
    def cell(self) -> int | None: ...  # noqa: D102
    @property
    def par(self) -> int | None: ...  # noqa: D102


class MarketState(Protocol):
    """What a state knows of the market: ``clock`` counts arrivals, ``topped`` that a price reached the top."""

    clock: int
    topped: bool


def place(s: MarketState, company: Marked, prices: Sequence[int], price: int) -> None:
    """Put a marker on the space of a price, under those already there."""
    company.cell = prices.index(price)
    restack(s, company)


def restack(s: MarketState, company: Marked) -> None:
    """Put a marker under the others of its space."""
    s.clock += 1
    company.stamp = s.clock


def move(s: MarketState, company: Marked, prices: Sequence[int], steps: int, tell: Tell) -> None:
    """Move a marker along the spaces, clamped at both ends; one that does not move keeps its place in the stack."""
    if company.cell is None:
        return
    before = company.cell
    company.cell = max(0, min(len(prices) - 1, before + steps))
    if company.cell == before:
        return
    restack(s, company)
    tell(PriceMoved(company.code, prices[before], prices[company.cell]))
    watch_top(s, company, prices, tell)


def watch_top(s: MarketState, company: Marked, prices: Sequence[int], tell: Tell) -> None:
    """Note the first price that reaches the top."""
    note_top(s, company, len(prices) - 1, tell)


def note_top(s: MarketState, company: Marked, top: int, tell: Tell) -> None:
    """Note the first marker on the highest space."""
    if company.cell == top and not s.topped:
        s.topped = True
        tell(TopReached(company.code))


def price_at(prices: Sequence[int], cell: int) -> int:
    """Return the price of a space, clamped to the market."""
    return prices[max(0, min(len(prices) - 1, cell))]


def price(prices: Sequence[int], company: Started) -> int:
    """Return the market price of a company; par while no marker lies on the market, 0 before the start."""
    return prices[company.cell] if company.cell is not None else (company.par or 0)


def price_after(prices: Sequence[int], company: Started, steps: int) -> int:
    """Return the price after a marker moves so many spaces; off the market it stays."""
    return price(prices, company) if company.cell is None else price_at(prices, company.cell + steps)


def market_view(
    market: PrintedMarket, round_name: str, companies: Collection[Listed], ends: Sequence[RoundEnd]
) -> MarketView:
    """Return the market with markers in operating order, and from where they moved since the last of the rounds."""
    before = dict(ends[-1].prices) if ends else {}
    return with_moves(views.market_view(market, round_name, companies, rank), companies, before)


def spaces(prices: Sequence[int], zone: Callable[[int], str]) -> tuple[Space, ...]:
    """Return the spaces as they are printed: in two tiers, even ones above; ``zone`` tells that of a price."""
    return tuple(
        Space(index // 2 + (index % 2) / 2, index % 2, price, zone(price)) for index, price in enumerate(prices)
    )


def rank(company: Ranked) -> tuple[int, int]:
    """Return the place of a company among those that operate: the highest space first, then who came there first."""
    return -(company.cell or 0), company.stamp
