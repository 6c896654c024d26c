"""Stock markets: markers on a chain or a grid of spaces, how they move, and what is seen of them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Literal, Protocol

import msgspec

from engine.finance.events import PriceMoved, TopReached
from engine.printed import Units
from engine.record import Record
from engine.title import Request, Tell
from engine.view import Brand, Cell, Chart, MarketView, Series


class Ranked(Protocol):
    """A company as its marker lies: ``cell`` is the space, ``stamp`` its order of arrival there."""

    @property
    def cell(self) -> int | None: ...  # noqa: D102
    @property
    def stamp(self) -> int: ...  # noqa: D102


class Listed(Ranked, Protocol):
    """What the market shows of a company."""

    @property
    def code(self) -> str: ...  # noqa: D102
    @property
    def price(self) -> int: ...  # noqa: D102
    @property
    def par(self) -> int | None: ...  # noqa: D102


class Space(Record, frozen=True):
    """A space of a stock market as it is printed.

    Args:
        x, y: place on the market, in spaces (halves allowed).
        price: of a share; zone: name of its colour zone, or empty.
        par: companies may start at it, so that a par is shown here.
    """

    x: float
    y: float
    price: int
    zone: str = ""
    par: bool = True


class PrintedMarket(Record, frozen=True):
    """A stock market as it is printed, and how the companies on it are told apart.

    Args:
        spaces: ``Listed.cell`` is an index of them.
        zones: sign and meaning by zone; a zone without a sign is not explained.
        brands: of the companies. units: of the title.
    """

    spaces: tuple[Space, ...]
    zones: Mapping[str, tuple[str, str]]
    brands: tuple[Brand, ...]
    units: Units


def show_market(
    market: PrintedMarket,
    round_name: str,
    companies: Collection[Listed],
    rank: Callable[[Ranked], tuple[float, ...]],
) -> MarketView:
    """Return a stock market with the markers on it; ``rank`` tells the operating order of the companies."""
    listed = sorted((company for company in companies if company.cell is not None), key=rank)
    cells = tuple(
        Cell(
            x=space.x,
            y=space.y,
            price=space.price,
            zone=space.zone,
            sign=market.zones[space.zone][0],
            tokens=tuple(company.code for company in listed if company.cell == index),
            pars=tuple(company.code for company in companies if space.par and company.par == space.price),
        )
        for index, space in enumerate(market.spaces)
    )
    words = ", ".join(f"{company.code} {market.units.money(company.price)}" for company in listed)
    explained = tuple((name, sign, meaning) for name, (sign, meaning) in market.zones.items() if sign)
    told = f"Share prices: {words or 'none yet'}."
    return MarketView(f"Stock market · {round_name}", told, cells, market.brands, explained)


def with_moves(view: MarketView, companies: Collection[Listed], before: Mapping[str, int]) -> MarketView:
    """Return a market that shows from where prices moved; ``before`` are those at the end of the last round."""
    at = {cell.price: index for index, cell in reversed(list(enumerate(view.cells)))}
    moves = tuple(
        (company.code, at[before[company.code]], company.price > before[company.code])
        for company in companies
        if company.cell is not None and before.get(company.code) in at and before[company.code] != company.price
    )
    return msgspec.structs.replace(view, moves=moves)


class RoundEnd(Record, frozen=True):
    """What was known at the end of a round: worth by seat, price by company."""

    name: str
    worth: tuple[int, ...]
    prices: tuple[tuple[str, int], ...]


def worth_over_time(
    ends: Sequence[RoundEnd], seats: int, request: Request, units: Units, brands: tuple[Brand, ...]
) -> Chart:
    """Return what everybody was worth at the end of each round.

    Args:
        ends: of the rounds that are over.
        seats: how many there are.
        request: tells what they are called.
        units: of the title.
        brands: of the companies.
    """
    series = tuple(Series(request.called(seat), tuple(end.worth[seat] for end in ends)) for seat in range(seats))
    last = ", ".join(f"{line.name} {units.money(line.values[-1] or 0)}" for line in series if line.values)
    words = f"Worth: {last or 'no round has ended yet'}."
    return Chart("Worth over time", words, tuple(end.name for end in ends), series, brands, units.currency)


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
    return with_moves(show_market(market, round_name, companies, rank), companies, before)


def spaces(prices: Sequence[int], zone: Callable[[int], str]) -> tuple[Space, ...]:
    """Return the spaces as they are printed: in two tiers, even ones above; ``zone`` tells that of a price."""
    return tuple(
        Space(index // 2 + (index % 2) / 2, index % 2, price, zone(price)) for index, price in enumerate(prices)
    )


def rank(company: Ranked) -> tuple[int, int]:
    """Return the place of a company among those that operate: the highest space first, then who came there first."""
    return -(company.cell or 0), company.stamp


Way = Literal["left", "right", "up", "down"]
_WAYS: Mapping[Way, tuple[int, int]] = MappingProxyType(
    {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
)


class Grid(msgspec.Struct, frozen=True, dict=True, forbid_unknown_fields=True):
    """The market as printed; ``cell`` of a marker is an index of ``spaces``.

    Args:
        rows: prices from the upper row to the lower one; 0 where there is no space.
        moves: which way a happening moves a marker: ``{paid = "right", sold = "down"}``.
        beyond: which way it goes instead where a row or column ends; else it stays.
        zones: column and row, from 0, of the spaces in each zone. pars: the zone that companies start in.
    """

    rows: tuple[tuple[int, ...], ...]
    moves: dict[str, Way]
    beyond: dict[Way, Way] = {}
    zones: dict[str, tuple[tuple[int, int], ...]] = {}
    pars: str = "par"

    @cached_property
    def spaces(self) -> tuple[Space, ...]:
        """The spaces row by row."""
        zone = {place: name for name, places in self.zones.items() for place in places}
        return tuple(
            Space(x, y, price, zone.get((x, y), ""), par=zone.get((x, y)) == self.pars)
            for y, row in enumerate(self.rows)
            for x, price in enumerate(row)
            if price
        )

    @cached_property
    def _at(self) -> dict[tuple[float, float], int]:
        return {(space.x, space.y): cell for cell, space in enumerate(self.spaces)}

    @cached_property
    def _top(self) -> int:
        return max(range(len(self.spaces)), key=lambda cell: self.spaces[cell].price)

    def place(self, s: MarketState, company: Marked, price: int) -> None:
        """Put a marker on the space that companies start at for this price, under those already there."""
        company.cell = next(cell for cell, space in enumerate(self.spaces) if space.par and space.price == price)
        restack(s, company)

    def move(self, s: MarketState, company: Marked, happening: str, steps: int, tell: Tell) -> None:
        """Move a marker for something that happened so many times; one that stays keeps its place in the stack."""
        if company.cell is None:
            return
        before = company.cell
        for _ in range(steps):
            company.cell = self._next(company.cell, self.moves[happening])
        if company.cell == before:
            return
        restack(s, company)
        tell(PriceMoved(company.code, self.price(before), self.price(company.cell)))
        note_top(s, company, self._top, tell)

    def _next(self, cell: int, way: Way) -> int:
        """Return the space beside one, or where a marker goes that cannot go there."""
        space = self.spaces[cell]
        for going in (way, self.beyond.get(way)):
            if going:
                across, down = _WAYS[going]
                there = self._at.get((space.x + across, space.y + down))
                if there is not None:
                    return there
        return cell

    def price(self, cell: int) -> int:
        """Return the price of a space."""
        return self.spaces[cell].price

    def rank(self, company: Ranked) -> tuple[float, ...]:
        """Return the place of a company among those that operate.

        The highest price first; of equal ones the farthest right, then the uppermost, then who came there first.
        """
        if company.cell is None:
            return (0.0,)
        space = self.spaces[company.cell]
        return -space.price, -space.x, space.y, company.stamp

    @property
    def par_prices(self) -> list[int]:
        """The prices that companies may start at, the lowest first."""
        return sorted({space.price for space in self.spaces if space.par})
