"""What of a position can be seen: its pictures, and those that show choices."""

from collections.abc import Callable, Mapping, Sequence

import msgspec

from engine import pictures
from engine.finance import market
from engine.finance.events import name_round
from engine.finance.holdings import chart_worth
from engine.finance.market import PrintedMarket
from engine.hex_view import HexView, Line, Stop, Token
from engine.rails import places, views
from engine.rails.board import Board
from engine.rails.laying import LayTile
from engine.rails.maps import find_neighbour
from engine.record import Action
from engine.title import Request
from engine.titles.g1862 import catalogue, track, worth
from engine.titles.g1862.actions import AddStation, Answer, Merge, Option, PlaceMarker, RemoveMarker, Run
from engine.titles.g1862.catalogue import CHARTERS, MARKET, UNITS
from engine.titles.g1862.ground import LONDON_SPACES, find_bases, list_linked_to_london, list_waiting
from engine.titles.g1862.pictures import mergers, sheets
from engine.titles.g1862.state import Operating, State
from engine.titles.g1862.steps import building, running
from engine.view import Chart, MapView, View

LONDON_HEX = "C14"
"""The hex below which the four spaces of London are shown."""


def look(s: State, request: Request) -> View:
    """Return one picture's view.

    Raises:
        RuleError: there is no such picture, or nothing of that name to show.
    """
    return pictures.find_view(_VIEWS, s, s.seats, request)


def list_subjects(s: State, about: str) -> Sequence[tuple[str, str]]:
    """Return what a picture can be about: (value, words)."""
    names = {code: CHARTERS[code].name for code in s.companies if not s.companies[code].gone}
    return pictures.list_subjects(about, names, s.seats, s.board.map.names)


def list_fresh_hexes(s: State) -> list[str]:
    """Return the hexes that changed in this turn and the one before."""
    return [*s.fresh, *(hex_ for hex_, _ in s.round.laid)] if isinstance(s.round, Operating) else s.fresh


def view_board(
    s: State, lines: tuple[Line, ...] = (), notes: tuple[str, ...] = (), choices: Mapping[str, str] = views.NO_CHOICES
) -> MapView:
    """Return the map as it lies, with London's markers, runs and numbered choices on it."""
    lying = views.view_hexes(
        s.board, find_bases(s), list_waiting(s), dict.fromkeys(list_fresh_hexes(s), "new"), choices
    )
    hexes = (*views.add_area_values(lying, s.band.level), _view_london(s, lying))
    frame = views.MapFrame(s.name, name_round(s.name).lower(), s.phase, sheets.BRANDS, lines, notes, s.band.colours)
    placed = {each.code: [*each.places, *["London"] * bool(each.london)] for each in s.companies.values()}
    return views.view_map(
        frame,
        hexes,
        (views.describe_tokens(s.board, "markers", placed), views.describe_tiles(s.board, catalogue.find_plain_name)),
    )


def _view_london(s: State, lying: Sequence[HexView]) -> HexView:
    """Return the four spaces for London's markers (§7.6.5), beside the map: below its middle hex."""
    above = next(view for view in lying if view.coord == LONDON_HEX)
    there = list_linked_to_london(s)
    tokens = (*(Token(code) for code in there), *[None] * (LONDON_SPACES - len(there)))
    spaces = Stop("city", slots=LONDON_SPACES, tokens=tokens)
    return HexView("", above.x, above.y + 2, name="London", ink="sea", stops=(spaces,))


def _view_map(s: State, request: Request) -> View:
    del request
    r = s.round
    if not isinstance(r, Operating) or not r.plan or r.step in ("home", "merge", "track", "token", "run"):
        return view_board(s)
    if r.index >= len(r.order):
        return view_board(s)  # the game ended with the last turn
    lines = running.list_lines(s, s.companies[r.code], r.plan, r.ran)
    if not lines:
        return view_board(s)
    subsidy = f" and £{r.subsidy:,} subsidy" if r.subsidy else ""
    told = f"{r.code} ran for £{r.revenue:,}{subsidy}"
    return msgspec.structs.replace(view_board(s, lines, (f"{told}.",)), headline=told, notes=())


_ZONES = {
    "": ("", ""),
    "par": ("P", "any company may start here"),
    "start": ("S", "a company without a charter may start here"),
    "green": ("G", "the first share sold by anyone but the director doesn't count"),
    "double": ("D", "the first two shares sold by anyone but the director don't count"),
    "closed": ("B", "bankrupt"),
    "top": ("T", "the game ends"),
}
"""Sign and meaning of each zone."""


def _choose_colour(price: int) -> str:
    if price in (0, MARKET.prices[-1]):
        return "top" if price else "closed"
    if MARKET.count_free_shares(price):
        return "double" if MARKET.count_free_shares(price) > 1 else "green"
    if price in MARKET.pars:
        return "par"
    return "start" if price in MARKET.starts else ""


def view_chart(s: State, request: Request) -> Chart:
    """Return what all players were worth at the end of each round, and are now."""
    return chart_worth(s, request, UNITS, sheets.BRANDS, worth.list_totals(s))


_PRINTED_MARKET = PrintedMarket(market.make_spaces(MARKET.prices, _choose_colour), _ZONES, sheets.BRANDS, UNITS)


_VIEWS: dict[str, Callable[[State, Request], View]] = {
    "map": _view_map,
    "market": lambda s, _: market.view_market(_PRINTED_MARKET, s.name, s.companies.values(), s.marks),
    "table": sheets.view_table,
    "trains": sheets.view_trains,
    "parliament": sheets.view_parliament,
    "merger": mergers.view_merger,
    "tiles": lambda s, _: views.view_tiles_left(
        s.board.map.manifest, lambda name: catalogue.count_left(s.board, name), brands=sheets.BRANDS
    ),
    "chart": view_chart,
    "card": lambda s, request: pictures.make_card(view_board(s), view_chart(s, request), worth.find_result(s), request),
    "company": sheets.view_company,
    "player": sheets.view_player,
    "sheet": lambda s, _: pictures.view_aid("engine.titles.g1862", s.phase),
}
PICTURES = pictures.make_pictures(_VIEWS, ("map", "market", "table"))


def illustrate(s: State, request: Request, actions: Sequence[Action]) -> View | None:
    """Return a picture of the choices among some legal actions of one kind, or ``None`` where words do.

    Hexes are numbered in the order of the actions; the tiles for one hex are lettered.
    """
    lays = [action for action in actions if isinstance(action, LayTile)]
    if lays:
        return _view_lays(s, request, lays)
    stations = [action for action in actions if isinstance(action, AddStation)]
    if stations:
        return _view_stations(s, stations)
    markers = [action for action in actions if isinstance(action, PlaceMarker | RemoveMarker)]
    if markers:
        hexes = [hex_ for hex_ in dict.fromkeys(action.hex for action in markers) if hex_ in s.board]
        placing = isinstance(markers[0], PlaceMarker)
        return _view_numbered_map(s, hexes, "where to place a marker" if placing else "which marker to remove")
    merges = [action for action in actions if isinstance(action, Merge)]
    if merges:
        several = len({each.company for each in merges}) > 1
        return mergers.view_merger(s, request) if several else mergers.view_proposal(s, merges[0], request)
    r = s.round
    proposed = isinstance(r, Operating) and r.offer is not None and r.offer.kind == "merge"
    if any(isinstance(action, Option) or (proposed and isinstance(action, Answer)) for action in actions):
        return mergers.view_merger(s, request)
    runs = [action for action in actions if isinstance(action, Run)]
    return _view_run(s, runs[0]) if len(runs) == 1 else None


def _view_numbered_map(s: State, hexes: list[str], title: str) -> View:
    """Return the map with a number on each hex."""
    return views.view_numbered_map(s.board, hexes, title, lambda notes, numbers: view_board(s, (), notes, numbers))


def _view_lays(s: State, request: Request, lays: Sequence[LayTile]) -> View:
    """Return the map with the hexes numbered, or the tiles for the only one."""
    hexes = list(dict.fromkeys(lay.hex for lay in lays))
    if len(hexes) > 1:
        return _view_numbered_map(s, hexes, "where to lay a tile")
    shown = list[tuple[str, tuple[HexView, ...]]]()
    for lay in lays:
        after = s.board.with_tile(lay.hex, building.check_lay(s, request.seat or 0, lay).fit.tile, lay.rotation)
        caption = views.write_caption(lay, catalogue.count_left(s.board, lay.tile))
        shown.append((caption, _view_around(s, after, lay.hex)))
    return views.view_tile_choices(s.board.map, hexes[0], shown, sheets.BRANDS)


def _view_stations(s: State, stations: list[AddStation]) -> View:
    """Return the map with the hexes numbered, or each line of the only one with its small station, lettered."""
    hexes = list(dict.fromkeys(station.hex for station in stations))
    if len(hexes) > 1:
        return _view_numbered_map(s, hexes, "where to build a small station")
    where = places.write_hex_for_list(s.board.map, stations[0].hex)
    lines = (_view_station(s, station) for station in stations)
    return views.add_letters(f"Small stations on {where}", where, lines, sheets.BRANDS)


def _view_station(s: State, station: AddStation) -> tuple[str, tuple[HexView, ...]]:
    after = track.add_station(s.board, station.hex, (station.a, station.b))
    line = f"{find_neighbour(station.hex, station.a)} to {find_neighbour(station.hex, station.b)}"
    return line, _view_around(s, after, station.hex)


def _view_around(s: State, after: Board, hex_: str) -> tuple[HexView, ...]:
    """Return a hex and its neighbours on a board to be."""
    return views.add_area_values(
        views.view_hex_and_neighbours(after, hex_, find_bases(s), list_waiting(s)), s.band.level
    )


def _view_run(s: State, run: Run) -> View | None:
    """Return the map with the plan's runs on it, each told in the legend."""
    r = s.round
    if not isinstance(r, Operating) or r.step != "run":
        return None
    lines = running.list_lines(s, s.companies[r.code], running.spell_out(s, run).plan)
    return msgspec.structs.replace(view_board(s, lines), close=True)
