"""Share prices and worth as views."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

import msgspec

from engine.printed import Units
from engine.record import Record
from engine.title import Request
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


def market_view(
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
