"""A stock market that is a grid of spaces: rows of prices, and where each happening moves a marker."""

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Literal

import msgspec

from engine.finance.chain import Marked, MarketState, note_top, restack
from engine.finance.events import PriceMoved
from engine.finance.views import Ranked, Space
from engine.title import Tell

Way = Literal["left", "right", "up", "down"]
_STEPS: Mapping[Way, tuple[int, int]] = MappingProxyType(
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
                across, down = _STEPS[going]
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
