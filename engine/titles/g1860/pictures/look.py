"""Pictures of 1860: which there are, and the map, market, tiles and chart among them."""

from collections.abc import Callable, Mapping, Sequence

import msgspec

from engine import pictures
from engine.finance import chain
from engine.finance.say import round_called
from engine.finance.views import PrintedMarket, worth_over_time
from engine.hex_view import Line
from engine.rails.views import (
    NO_CHOICES,
    MapFrame,
    board_hexes,
    map_view,
    tiles_left,
    tiles_told,
    tokens_told,
    worth_now,
)
from engine.title import Request
from engine.titles.g1860 import worth
from engine.titles.g1860.catalogue import CHARTERS, MARKET, UNITS
from engine.titles.g1860.ground import bases, waiting
from engine.titles.g1860.pictures import sheets
from engine.titles.g1860.state import Operating, State
from engine.titles.g1860.steps import running
from engine.view import Chart, MapView, Series, View


def look(s: State, request: Request) -> View:
    """Return one picture's view.

    Raises:
        RuleError: there is no such picture, or nothing of that name to show.
    """
    return pictures.drawn(_VIEWS, s, s.seats, request)


def subjects(s: State, about: str) -> Sequence[tuple[str, str]]:
    """Return what a picture can be about: (value, words)."""
    names = {code: charter.name for code, charter in CHARTERS.items()}
    return pictures.about(about, names, s.seats, s.board.map.names)


def fresh(s: State) -> list[str]:
    """Return the hexes that changed in this turn and the one before."""
    return [*s.fresh_tiles, *(hex_ for hex_, _, _ in s.round.laid)] if isinstance(s.round, Operating) else s.fresh_tiles


def board(
    s: State, lines: tuple[Line, ...] = (), notes: tuple[str, ...] = (), choices: Mapping[str, str] = NO_CHOICES
) -> MapView:
    """Return the map as it lies, with runs and numbered choices on it."""
    lying = board_hexes(s.board, bases(s), waiting(s), dict.fromkeys(fresh(s), "new"), choices)
    frame = MapFrame(s.name, round_called(s.name).lower(), s.phase, sheets.BRANDS, lines, notes)
    placed = {company.code: [hex_ for hex_, _ in company.bases] for company in s.companies.values()}
    told = (tokens_told(s.board, "bases", placed), tiles_told(s.board))
    return map_view(frame, worth_now(lying, s.colours[-1]), told)


def _map(s: State, request: Request) -> View:
    del request
    r = s.round
    if not isinstance(r, Operating) or r.step not in ("dividend", "train") or not r.plan:
        return board(s)
    seen = board(s, running.lines_of(s, s.companies[r.code], r.plan, r.leased))
    return msgspec.structs.replace(seen, headline=f"{r.code} ran for {UNITS.money(r.revenue)}")


_ZONES = {
    "": ("", ""),
    "yellow": ("P", "a company may start here"),
    "red": ("R", "the first share sold moves no price"),
    "grey": ("B", "bankrupt"),
    "green": ("T", "the game ends"),
}
"""Sign and meaning of each zone."""


def _zone(price: int) -> str:
    """Return the colour of a space; the sign beside it says what it means."""
    if price == 0:
        return "grey"
    if price == MARKET.prices[-1]:
        return "green"
    if MARKET.red(price):
        return "red"
    return "yellow" if price in MARKET.pars else ""


def _prices(s: State, request: Request) -> View:
    del request
    steps = tuple(mark.name for mark in s.marks)
    seen = [dict(mark.prices) for mark in s.marks]
    codes = [code for code in CHARTERS if any(code in prices for prices in seen)]
    series = tuple(Series(code, tuple(prices.get(code) for prices in seen), chip=code) for code in codes)
    last = ", ".join(
        f"{line.name} {UNITS.money(line.values[-1]) if line.values[-1] else 'bankrupt'}" for line in series
    )
    words = f"Share prices at the end of the last round: {last or 'none has ended yet'}."
    return Chart("Share prices over time", words, steps, series, sheets.BRANDS, UNITS.currency)


def chart(s: State, request: Request) -> Chart:
    """Return what everybody was worth at the end of each round."""
    return worth_over_time(s.marks, s.seats, request, UNITS, sheets.BRANDS)


_PRINTED_MARKET = PrintedMarket(chain.spaces(MARKET.prices, _zone), _ZONES, sheets.BRANDS, UNITS)


_VIEWS: dict[str, Callable[[State, Request], View]] = {
    "map": _map,
    "market": lambda s, _: chain.market_view(_PRINTED_MARKET, s.name, s.companies.values(), s.marks),
    "table": sheets.table,
    "trains": sheets.train_sheet,
    "tiles": lambda s, _: tiles_left(s.board.map.manifest, s.board.left, brands=sheets.BRANDS),
    "lots": sheets.lots,
    "chart": chart,
    "card": lambda s, request: pictures.card(board(s), chart(s, request), worth.result(s), request),
    "prices": _prices,
    "company": sheets.company_sheet,
    "player": sheets.player_sheet,
}
PICTURES = pictures.listed(_VIEWS, ("map", "market", "table"))
