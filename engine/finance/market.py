"""Stock markets: markers on a line or grid of spaces, how they move, and their picture."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Literal

import msgspec

from engine.finance.events import PriceMoved, TopReached
from engine.finance.state import RoundEnd, ShareCompany, ShareState
from engine.printed import Units
from engine.record import Record
from engine.title import Tell
from engine.view import Brand, Cell, MarketView


class Space(Record, frozen=True):
    """A space of a stock market as it is printed.

    Args:
        x, y: place on the market, in spaces (halves allowed).
        price: of a share; zone: name of its colour zone, or empty.
        par: whether companies may start at it, so that pars are shown here.
    """

    x: float
    y: float
    price: int
    zone: str = ""
    par: bool = True


class PrintedMarket(Record, frozen=True):
    """A stock market as it is printed.

    Args:
        spaces: ``ShareCompany.cell`` is an index of them.
        zones: sign and meaning by zone; one without a sign gets no explanation.
        brands: of the companies. units: of the title.
    """

    spaces: tuple[Space, ...]
    zones: Mapping[str, tuple[str, str]]
    brands: tuple[Brand, ...]
    units: Units


def rank_company(company: ShareCompany) -> tuple[float, ...]:
    """Return the place of a company in the operating order: the highest space first, then who came there first."""
    return -(company.cell or 0), company.stamp


def view_market(
    market: PrintedMarket,
    round_name: str,
    companies: Collection[ShareCompany],
    ends: Sequence[RoundEnd] = (),
    rank: Callable[[ShareCompany], tuple[float, ...]] = rank_company,
) -> MarketView:
    """Return a stock market with its markers.

    Args:
        market: as printed.
        round_name: for the title.
        companies: all of the game.
        ends: the rounds so far, to show how prices moved since the last; only where each price has one space.
        rank: what sorts companies into operating order.
    """
    ranked = sorted((company for company in companies if company.cell is not None), key=rank)
    cells = tuple(
        Cell(
            x=space.x,
            y=space.y,
            price=space.price,
            zone=space.zone,
            sign=market.zones[space.zone][0],
            tokens=tuple(company.code for company in ranked if company.cell == index),
            pars=tuple(company.code for company in companies if space.par and company.par == space.price),
        )
        for index, space in enumerate(market.spaces)
    )
    words = ", ".join(f"{company.code} {market.units.money(company.price)}" for company in ranked)
    explained = tuple((name, sign, meaning) for name, (sign, meaning) in market.zones.items() if sign)
    before = dict(ends[-1].prices) if ends else {}
    at = {cell.price: index for index, cell in reversed(list(enumerate(cells)))}
    moves = tuple(
        (company.code, at[before[company.code]], company.price > before[company.code])
        for company in companies
        if company.cell is not None and before.get(company.code) in at and before[company.code] != company.price
    )
    alt = f"Share prices: {words or 'none yet'}."
    return MarketView(f"Stock market · {round_name}", alt, cells, market.brands, explained, moves=moves)


def place_marker(s: ShareState, company: ShareCompany, price: int) -> None:
    """Put a marker on the space of a price, under any that are there."""
    company.cell = company.prices.index(price)
    move_to_bottom(s, company)


def move_to_bottom(s: ShareState, company: ShareCompany) -> None:
    """Put a marker under the others of its space."""
    s.clock += 1
    company.stamp = s.clock


def move_marker(s: ShareState, company: ShareCompany, steps: int, tell: Tell) -> None:
    """Move a marker along the line, at most to its end; one that does not move keeps its place in the stack."""
    if company.cell is None:
        return
    _put_marker(s, company, max(0, min(len(company.prices) - 1, company.cell + steps)), tell)


def _put_marker(s: ShareState, company: ShareCompany, cell: int, tell: Tell) -> None:
    """Put a marker on a space; one that is already there keeps its place in the stack."""
    before = company.price
    if company.cell != cell:
        company.cell = cell
        move_to_bottom(s, company)
        tell(PriceMoved(company.code, before, company.price))
        note_top(s, company, tell)


def note_top(s: ShareState, company: ShareCompany, tell: Tell) -> None:
    """Note the first price that reaches the top of the market."""
    if company.price == max(company.prices) and not s.topped:
        s.topped = True
        tell(TopReached(company.code))


def find_price_after(company: ShareCompany, steps: int) -> int:
    """Return the price after a marker moves ``steps`` spaces; a company without a marker keeps its price."""
    if company.cell is None:
        return company.price
    return company.prices[max(0, min(len(company.prices) - 1, company.cell + steps))]


def make_spaces(prices: Sequence[int], zone: Callable[[int], str]) -> tuple[Space, ...]:
    """Return the spaces of a line, printed in two tiers with even ones above; ``zone`` finds the zone of a price."""
    return tuple(
        Space(index // 2 + (index % 2) / 2, index % 2, price, zone(price)) for index, price in enumerate(prices)
    )


Direction = Literal["left", "right", "up", "down"]
_STEPS: Mapping[Direction, tuple[int, int]] = MappingProxyType(
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
    moves: dict[str, Direction]
    beyond: dict[Direction, Direction] = {}
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
    def _cell_at(self) -> dict[tuple[float, float], int]:
        return {(space.x, space.y): cell for cell, space in enumerate(self.spaces)}

    def place_marker(self, s: ShareState, company: ShareCompany, price: int) -> None:
        """Put a marker on the starting space of a price, under any that are there."""
        company.cell = next(cell for cell, space in enumerate(self.spaces) if space.par and space.price == price)
        move_to_bottom(s, company)

    def move_marker(self, s: ShareState, company: ShareCompany, happening: str, steps: int, tell: Tell) -> None:
        """Move a marker ``steps`` times as ``moves`` says of a happening; one that stays keeps its place there."""
        if company.cell is None:
            return
        cell = company.cell
        for _ in range(steps):
            cell = self._find_next(cell, self.moves[happening])
        _put_marker(s, company, cell, tell)

    def _find_next(self, cell: int, way: Direction) -> int:
        """Return the next space in a direction, or in the one of ``beyond`` at an edge; else the same space."""
        space = self.spaces[cell]
        for going in (way, self.beyond.get(way)):
            if going:
                across, down = _STEPS[going]
                there = self._cell_at.get((space.x + across, space.y + down))
                if there is not None:
                    return there
        return cell

    @property
    def prices(self) -> tuple[int, ...]:
        """The prices of the spaces."""
        return tuple(space.price for space in self.spaces)

    def rank_company(self, company: ShareCompany) -> tuple[float, ...]:
        """Return the place of a company in the operating order.

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
