"""Share prices and worth as views."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

import msgspec

from engine.record import Record
from engine.title import Request
from engine.units import Units
from engine.view import Brand, Cell, Chart, MarketView, Series

MOST_CONTROL = 260
"""Characters in which it is told what a player holds."""


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


def market_view(
    round_name: str,
    spaces: Sequence[Space],
    companies: Collection[Listed],
    rank: Callable[[Ranked], tuple[float, ...]],
    zones: Mapping[str, tuple[str, str]],
    identity: tuple[tuple[Brand, ...], Units],
) -> MarketView:
    """Return a stock market with the markers on it.

    Args:
        round_name: of the round.
        spaces: of the market; ``Listed.cell`` is an index of it.
        companies: all of them.
        rank: tells their operating order.
        zones: sign and meaning by zone; a zone without a sign is not explained.
        identity: brands of the companies, and the currency.
    """
    brands, units = identity
    listed = sorted((company for company in companies if company.cell is not None), key=rank)
    cells = tuple(
        Cell(
            x=space.x,
            y=space.y,
            price=space.price,
            zone=space.zone,
            sign=zones[space.zone][0],
            tokens=tuple(company.code for company in listed if company.cell == index),
            pars=tuple(company.code for company in companies if space.par and company.par == space.price),
        )
        for index, space in enumerate(spaces)
    )
    words = ", ".join(f"{company.code} {units.money(company.price)}" for company in listed)
    explained = tuple((name, sign, meaning) for name, (sign, meaning) in zones.items() if sign)
    told = f"Share prices: {words or 'none yet'}."
    return MarketView(f"Stock market · {round_name}", told, cells, brands, explained)


def moved(view: MarketView, companies: Collection[Listed], before: Mapping[str, int]) -> MarketView:
    """Return a market that shows from where prices moved; ``before`` are those at the end of the last round."""
    at = {cell.price: index for index, cell in reversed(list(enumerate(view.cells)))}
    moves = tuple(
        (company.code, at[before[company.code]], company.price > before[company.code])
        for company in companies
        if company.cell is not None and before.get(company.code) in at and before[company.code] != company.price
    )
    return msgspec.structs.replace(view, moves=moves)


def worth_chart(steps: Sequence[str], worth: Sequence[Sequence[int]], names: Sequence[str], units: Units) -> Chart:
    """Return what everybody was worth at the end of each round.

    Args:
        steps: names of the rounds.
        worth: for each round the money by seat.
        names: what the seats are called.
        units: currency of the title.
    """
    series = tuple(Series(name, tuple(each[seat] for each in worth)) for seat, name in enumerate(names))
    last = ", ".join(f"{line.name} {units.money(line.values[-1] or 0)}" for line in series if line.values)
    words = f"Worth: {last or 'no round has ended yet'}."
    return Chart("Worth over time", words, tuple(steps), series, unit=units.currency)


class RoundEnd(Record, frozen=True):
    """What was known at the end of a round: worth by seat, price by company."""

    name: str
    worth: tuple[int, ...]
    prices: tuple[tuple[str, int], ...]


def worth_over_time(
    ends: Sequence[RoundEnd], seats: int, request: Request, units: Units, brands: tuple[Brand, ...]
) -> Chart:
    """Return what everybody was worth at the end of each round, by the names they are called."""
    names = [request.called(seat) for seat in range(seats)]
    chart = worth_chart([end.name for end in ends], [end.worth for end in ends], names, units)
    return msgspec.structs.replace(chart, brands=brands)


class Owned(Protocol):
    """What control shows of a company: shares by seat, and who directs it, -1 for nobody."""

    @property
    def code(self) -> str: ...  # noqa: D102
    @property
    def shares(self) -> Sequence[int]: ...  # noqa: D102
    @property
    def director(self) -> int: ...  # noqa: D102


def holding_told(units: Units, companies: Collection[Owned], seat: int) -> str:
    """Return in words what shares a player holds: "40 % C&N (director), 10 % FYN", "no shares"."""
    told = (
        f"{units.percent(each.shares[seat])} {each.code}{' (director)' if each.director == seat else ''}"
        for each in companies
        if each.shares[seat]
    )
    return ", ".join(told) or "no shares"


def control(units: Units, companies: Collection[Owned], seat: int) -> str:
    """Return what a player holds, who directs it, and who comes next: "C&N 40 % (you direct, next {1} 30 %)".

    Only companies of which the player has something are told, those they direct first, as many as a line holds;
    "" if there are none.
    """
    mine = sorted((each for each in companies if each.shares[seat]), key=lambda each: each.director != seat)
    told = [f"{each.code} {units.percent(each.shares[seat])} ({_controlled(units, each, seat)})" for each in mine]
    while len("; ".join(told)) > MOST_CONTROL:
        told = [*told[:-2], f"and {len(mine) - len(told) + 2} more"]
    return "; ".join(told)


def _controlled(units: Units, company: Owned, seat: int) -> str:
    if company.director < 0:
        return "nobody directs"
    if company.director != seat:
        return f"{{{company.director}}} directs with {units.percent(company.shares[company.director])}"
    most, rival = max((count, -other) for other, count in enumerate(company.shares) if other != seat)
    return f"you direct, next {{{-rival}}} {units.percent(most)}" if most else "you direct"


def holders(units: Units, amounts: Sequence[int], director: int) -> str:
    """Return what a dividend brings to whom, the director first as the one who reads it: "you £128, {2} £32"."""
    first = [f"you {units.money(amounts[director])}"] if 0 <= director < len(amounts) and amounts[director] else []
    rest = [f"{{{seat}}} {units.money(each)}" for seat, each in enumerate(amounts) if each and seat != director]
    return ", ".join([*first, *rest]) or "nobody holds shares"
