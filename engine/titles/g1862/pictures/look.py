"""Pictures of 1862: which there are, and the map, market, tiles and chart among them."""

from collections.abc import Callable, Mapping, Sequence

import msgspec

from engine import pictures
from engine.finance import chain
from engine.finance.say import round_called
from engine.finance.views import PrintedMarket, worth_over_time
from engine.hex_view import HexView, Line, Stop, Token
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
from engine.titles.g1862 import geography, worth
from engine.titles.g1862.catalogue import CHARTERS, MARKET, UNITS
from engine.titles.g1862.ground import LONDON_SPACES, bases, linked, waiting
from engine.titles.g1862.pictures import merger_view, sheets
from engine.titles.g1862.rounds.records import Operating
from engine.titles.g1862.state import State
from engine.titles.g1862.steps import running
from engine.view import Chart, MapView, View

LONDON_HEX = "C14"
"""The hex below which the four spaces of London are shown."""


def look(s: State, request: Request) -> View:
    """Return one picture's view.

    Raises:
        RuleError: there is no such picture, or nothing of that name to show.
    """
    return pictures.drawn(_VIEWS, s, s.seats, request)


def subjects(s: State, about: str) -> Sequence[tuple[str, str]]:
    """Return what a picture can be about: (value, words)."""
    names = {code: CHARTERS[code].name for code in s.companies if not s.companies[code].gone}
    return pictures.about(about, names, s.seats, s.board.map.names)


def fresh(s: State) -> list[str]:
    """Return the hexes that changed in this turn and the one before."""
    return [*s.fresh, *(hex_ for hex_, _ in s.round.laid)] if isinstance(s.round, Operating) else s.fresh


def board(
    s: State, lines: tuple[Line, ...] = (), notes: tuple[str, ...] = (), choices: Mapping[str, str] = NO_CHOICES
) -> MapView:
    """Return the map as it lies, with London's markers, runs and numbered choices on it."""
    lying = board_hexes(s.board, bases(s), waiting(s), dict.fromkeys(fresh(s), "new"), choices)
    hexes = (*worth_now(lying, s.band.level), _london(s, lying))
    frame = MapFrame(s.name, round_called(s.name).lower(), s.phase, sheets.BRANDS, lines, notes)
    placed = {each.code: [*each.places, *["London"] * bool(each.london)] for each in s.companies.values()}
    return map_view(frame, hexes, (tokens_told(s.board, "markers", placed), tiles_told(s.board, geography.plain_name)))


def _london(s: State, lying: Sequence[HexView]) -> HexView:
    """Return the four spaces for London's markers (11.6), beside the map: below its middle hex."""
    above = next(view for view in lying if view.coord == LONDON_HEX)
    there = linked(s)
    tokens = (*(Token(code) for code in there), *[None] * (LONDON_SPACES - len(there)))
    spaces = Stop("city", slots=LONDON_SPACES, tokens=tokens)
    return HexView("", above.x, above.y + 2, name="London", ink="sea", stops=(spaces,))


def _map(s: State, request: Request) -> View:
    del request
    r = s.round
    if not isinstance(r, Operating) or not r.plan or r.step in ("home", "merge", "track", "token", "run"):
        return board(s)
    if r.index >= len(r.order):
        return board(s)  # the game ended with the last turn
    lines = running.lines_of(s, s.companies[r.code], r.plan, r.ran)
    if not lines:
        return board(s)
    subsidy = f" and £{r.subsidy} subsidy" if r.subsidy else ""
    told = f"{r.code} ran for £{r.revenue}{subsidy}"
    return msgspec.structs.replace(board(s, lines, (f"{told}.",)), headline=told, notes=())


_ZONES = {
    "": ("", ""),
    "par": ("P", "any company may start here"),
    "start": ("S", "a company without a charter may start here"),
    "green": ("G", "the first share sold by others than the director is free"),
    "double": ("D", "the first two shares sold by others than the director are free"),
    "closed": ("B", "bankrupt"),
    "top": ("T", "the game ends"),
}
"""Sign and meaning of each zone."""


def _zone(price: int) -> str:
    if price in (0, MARKET.prices[-1]):
        return "top" if price else "closed"
    if MARKET.free(price):
        return "double" if MARKET.free(price) > 1 else "green"
    if price in MARKET.pars:
        return "par"
    return "start" if price in MARKET.starts else ""


def chart(s: State, request: Request) -> Chart:
    """Return what everybody was worth at the end of each round."""
    return worth_over_time(s.marks, s.seats, request, UNITS, sheets.BRANDS)


_PRINTED_MARKET = PrintedMarket(chain.spaces(MARKET.prices, _zone), _ZONES, sheets.BRANDS, UNITS)


_VIEWS: dict[str, Callable[[State, Request], View]] = {
    "map": _map,
    "market": lambda s, _: chain.market_view(_PRINTED_MARKET, s.name, s.companies.values(), s.marks),
    "table": sheets.table,
    "trains": sheets.train_sheet,
    "parliament": sheets.parliament,
    "merger": merger_view.merger,
    "tiles": lambda s, _: tiles_left(
        s.board.map.manifest, lambda name: geography.left(s.board, name), brands=sheets.BRANDS
    ),
    "chart": chart,
    "card": lambda s, request: pictures.card(board(s), chart(s, request), worth.result(s), request),
    "company": sheets.company_sheet,
    "player": sheets.player_sheet,
}
PICTURES = pictures.listed(_VIEWS, ("map", "market", "table"))
