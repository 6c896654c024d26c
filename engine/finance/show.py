"""Share prices and worth as views."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

from engine.view import Brand, Cell, Chart, Market, Series


class Listed(Protocol):
    """What the market shows of a company: ``cell`` is the space of its marker, ``stamp`` its order of arrival there."""

    @property
    def code(self) -> str: ...  # noqa: D102
    @property
    def cell(self) -> int | None: ...  # noqa: D102
    @property
    def stamp(self) -> int: ...  # noqa: D102
    @property
    def price(self) -> int: ...  # noqa: D102
    @property
    def par(self) -> int | None: ...  # noqa: D102


def market_view(
    round_name: str,
    prices: Sequence[int],
    companies: Collection[Listed],
    zone: Callable[[int], str],
    zones: Mapping[str, tuple[str, str]],
    brands: tuple[Brand, ...],
) -> Market:
    """Return a market that is one chain of spaces in two rows, with the markers in operating order.

    Args:
        round_name: of the round.
        prices: of the spaces.
        companies: all of them.
        zone: tells the zone of a price.
        zones: sign and meaning by zone; a zone without a sign is not explained.
        brands: of the companies.
    """
    order = sorted(companies, key=lambda company: (-(company.cell or 0), company.stamp))
    listed = [company for company in order if company.cell is not None]
    pars = [(company.par, company.code) for company in companies]
    cells = tuple(
        Cell(
            x=index // 2 + (index % 2) / 2,
            y=index % 2,
            price=price,
            zone=zone(price),
            sign=zones[zone(price)][0],
            tokens=tuple(company.code for company in listed if company.cell == index),
            pars=tuple(code for par, code in pars if par == price),
        )
        for index, price in enumerate(prices)
    )
    words = ", ".join(f"{company.code} {company.price}" for company in listed)
    explained = tuple((name, sign, meaning) for name, (sign, meaning) in zones.items() if sign)
    return Market(f"Stock market · {round_name}", f"Share prices: {words or 'none yet'}.", cells, brands, explained)


def worth_chart(steps: Sequence[str], worth: Sequence[Sequence[int]], names: Sequence[str]) -> Chart:
    """Return what everybody was worth at the end of each round.

    Args:
        steps: names of the rounds.
        worth: for each round the pounds by seat.
        names: what the seats are called.
    """
    series = tuple(Series(name, tuple(each[seat] for each in worth)) for seat, name in enumerate(names))
    last = ", ".join(f"{line.name} £{line.values[-1]}" for line in series if line.values)
    return Chart("Worth over time", f"Worth: {last or 'no round has ended yet'}.", tuple(steps), series)
