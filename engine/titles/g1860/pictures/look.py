"""What of a position can be seen: its pictures, and those that show choices."""

from collections.abc import Callable, Mapping, Sequence

import msgspec

from engine import pictures
from engine.finance import market
from engine.finance.events import name_round
from engine.finance.holdings import chart_worth
from engine.finance.market import PrintedMarket
from engine.hex_view import Line
from engine.rails import views
from engine.rails.laying import LayTile, lay_on_board
from engine.record import Action
from engine.title import Request
from engine.titles.g1860 import worth
from engine.titles.g1860.actions import PlaceBase, Run
from engine.titles.g1860.catalogue import CHARTERS, MARKET, UNITS
from engine.titles.g1860.pictures import sheets
from engine.titles.g1860.state import Operating, State
from engine.titles.g1860.steps import running, trains
from engine.titles.g1860.steps.building import find_bases, list_waiting
from engine.view import Chart, MapView, Series, View


def look(s: State, request: Request) -> View:
    """Return one picture's view.

    Raises:
        RuleError: there is no such picture, or nothing of that name to show.
    """
    return pictures.find_view(_VIEWS, s, s.seats, request)


def list_subjects(s: State, about: str) -> Sequence[tuple[str, str]]:
    """Return what a picture can be about: (value, words)."""
    names = {code: charter.name for code, charter in CHARTERS.items()}
    return pictures.list_subjects(about, names, s.seats, s.board.map.names)


def list_fresh_hexes(s: State) -> list[str]:
    """Return the hexes that changed in this turn and the one before."""
    return [*s.fresh_tiles, *(hex_ for hex_, _, _ in s.round.laid)] if isinstance(s.round, Operating) else s.fresh_tiles


def view_board(
    s: State, lines: tuple[Line, ...] = (), notes: tuple[str, ...] = (), choices: Mapping[str, str] = views.NO_CHOICES
) -> MapView:
    """Return the map as it lies, with runs and numbered choices on it."""
    lying = views.view_hexes(
        s.board, find_bases(s), list_waiting(s), dict.fromkeys(list_fresh_hexes(s), "new"), choices
    )
    frame = views.MapFrame(s.name, name_round(s.name).lower(), s.phase, sheets.BRANDS, lines, notes, s.colours)
    placed = {company.code: [hex_ for hex_, _ in company.bases] for company in s.companies.values()}
    told = (views.describe_tokens(s.board, "bases", placed), views.describe_tiles(s.board))
    return views.view_map(frame, views.add_area_values(lying, s.colours[-1]), told)


def _view_map(s: State, request: Request) -> View:
    del request
    r = s.round
    if not isinstance(r, Operating) or r.step not in ("dividend", "train") or not r.plan:
        return view_board(s)
    seen = view_board(s, running.list_lines(s, s.companies[r.code], r.plan, r.leased))
    return msgspec.structs.replace(seen, headline=f"{r.code} ran for {UNITS.money(r.revenue)}")


_ZONES = {
    "": ("", ""),
    "yellow": ("P", "a company may start here"),
    "red": ("R", "the first share sold doesn't move the price"),
    "grey": ("B", "bankrupt"),
    "green": ("T", "the game ends"),
}
"""Sign and meaning of each zone."""


def _choose_colour(price: int) -> str:
    """Return the colour of a space; the sign beside it says what it means."""
    if price == 0:
        return "grey"
    if price == MARKET.prices[-1]:
        return "green"
    if MARKET.is_red_letter(price):
        return "red"
    return "yellow" if price in MARKET.pars else ""


def _view_prices(s: State, request: Request) -> View:
    del request
    steps = tuple(mark.name for mark in s.marks)
    seen = [dict(mark.prices) for mark in s.marks]
    codes = [code for code in CHARTERS if any(code in prices for prices in seen)]
    series = tuple(Series(code, tuple(prices.get(code) for prices in seen), chip=code) for code in codes)
    prices = {company.code: company.price for company in s.companies.values() if company.started}
    now = tuple(prices.get(code) for code in codes)
    last = ", ".join(
        f"{code} {UNITS.money(price) if price else 'bankrupt'}" for code, price in zip(codes, now, strict=True)
    )
    words = f"Share prices: {last or 'no round has ended yet'}."
    now = now if seen and now != tuple(line.values[-1] for line in series) else ()
    title = pictures.name_chart("Share prices", steps, now)
    return Chart(title, words, steps, series, sheets.BRANDS, UNITS.currency, now=now)


def view_chart(s: State, request: Request) -> Chart:
    """Return what all players were worth at the end of each round, and are now."""
    return chart_worth(s, request, UNITS, sheets.BRANDS, worth.list_totals(s))


_PRINTED_MARKET = PrintedMarket(market.make_spaces(MARKET.prices, _choose_colour), _ZONES, sheets.BRANDS, UNITS)


_VIEWS: dict[str, Callable[[State, Request], View]] = {
    "map": _view_map,
    "market": lambda s, _: market.view_market(_PRINTED_MARKET, s.name, s.companies.values(), s.marks),
    "table": sheets.view_table,
    "trains": sheets.view_trains,
    "tiles": lambda s, _: views.view_tiles_left(s.board.map.manifest, s.board.count_left, brands=sheets.BRANDS),
    "lots": sheets.view_lots,
    "chart": view_chart,
    "card": lambda s, request: pictures.make_card(view_board(s), view_chart(s, request), worth.find_result(s), request),
    "prices": _view_prices,
    "company": sheets.view_company,
    "player": sheets.view_player,
    "sheet": lambda s, _: pictures.view_aid("engine.titles.g1860", s.phase),
}
PICTURES = pictures.make_pictures(_VIEWS, ("map", "market", "table"))


def illustrate(s: State, request: Request, actions: Sequence[Action]) -> View | None:
    """Return a picture of the choices among some legal actions of one kind, or ``None`` where words do.

    Hexes are numbered in the order of the actions; the tiles for one hex are lettered.
    """
    if request.seat is None and not s.rules.open_treasuries:
        return None  # where something may be built would tell a bystander what a treasury holds (Miscellaneous)
    lays = [action for action in actions if isinstance(action, LayTile)]
    if lays:
        hexes = list(dict.fromkeys(lay.hex for lay in lays))
        if len(hexes) > 1:
            return _view_numbered_map(s, hexes, "where to lay a tile")
        there = (
            views.view_hex_and_neighbours(lay_on_board(s.board, lay), lay.hex, find_bases(s), list_waiting(s))
            for lay in lays
        )
        captions = (views.write_caption(lay, s.board.count_left(lay.tile)) for lay in lays)
        return views.view_tile_choices(s.board.map, hexes[0], zip(captions, there, strict=True), sheets.BRANDS)
    towns = [action.hex for action in actions if isinstance(action, PlaceBase)]
    if towns:
        return _view_numbered_map(s, list(dict.fromkeys(towns)), "where to build a base")
    runs = [action for action in actions if isinstance(action, Run)]
    if len(runs) == 1:
        return _view_run(s, runs[0])
    return None


def _view_numbered_map(s: State, hexes: list[str], title: str) -> View:
    """Return the map with a number on each hex."""
    return views.view_numbered_map(s.board, hexes, title, lambda notes, numbers: view_board(s, (), notes, numbers))


def _view_run(s: State, run: Run) -> View | None:
    """Return the map with the plan's runs on it."""
    r = s.round
    if not isinstance(r, Operating) or r.step != "run":
        return None
    company = s.companies[r.code]
    plan = running.spell_out(s, run).plan
    leased = "" if company.trains else trains.find_cheapest(s)
    lines = running.list_lines(s, company, plan, leased)
    return msgspec.structs.replace(view_board(s, lines), close=True)
