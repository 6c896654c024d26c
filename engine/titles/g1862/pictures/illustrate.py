"""Pictures that show choices: numbered hexes, lettered tiles, a run on the map, a merger."""

from collections.abc import Sequence

import msgspec

from engine import view
from engine.hex_view import HexView
from engine.rails import places, views
from engine.rails.board import Board
from engine.rails.laying import LayTile
from engine.rails.maps import neighbour
from engine.rails.views import hex_and_neighbours, worth_now
from engine.record import Action
from engine.title import Request
from engine.titles.g1862 import geography, track
from engine.titles.g1862.actions import AddStation, Answer, Merge, Option, PlaceMarker, RemoveMarker, Run
from engine.titles.g1862.ground import bases, waiting
from engine.titles.g1862.pictures import look, merger_view, sheets
from engine.titles.g1862.rounds.records import Operating
from engine.titles.g1862.state import State
from engine.titles.g1862.steps import running
from engine.titles.g1862.steps import track as track_step
from engine.view import View

MOST_OF_MAP = 0.6
"""Share of the map above which the whole of it is shown."""


def illustrate(s: State, request: Request, actions: Sequence[Action]) -> View | None:
    """Return a picture of the choices among some legal actions of one kind, or ``None`` where words do.

    Hexes are numbered in the order of the actions; the tiles for one hex are lettered.
    """
    lays = [action for action in actions if isinstance(action, LayTile)]
    if lays:
        hexes = list(dict.fromkeys(lay.hex for lay in lays))
        return _tiles(s, request.seat or 0, lays) if len(hexes) == 1 else _numbered(s, hexes, "Where to lay a tile")
    stations = [action for action in actions if isinstance(action, AddStation)]
    if stations:
        hexes = list(dict.fromkeys(station.hex for station in stations))
        return _stations(s, stations) if len(hexes) == 1 else _numbered(s, hexes, "Where to build a small station")
    towns = [action.hex for action in actions if isinstance(action, PlaceMarker | RemoveMarker)]
    if towns:
        return _numbered(s, [hex_ for hex_ in dict.fromkeys(towns) if hex_ in s.board], "Which station")
    merges = [action for action in actions if isinstance(action, Merge)]
    if merges:
        several = len({each.company for each in merges}) > 1
        return merger_view.merger(s, request) if several else merger_view.proposed(s, merges[0], request)
    if any(isinstance(action, Option) for action in actions) or _consent(s, actions):
        return merger_view.merger(s, request)
    runs = [action for action in actions if isinstance(action, Run)]
    return _run(s, runs[0]) if len(runs) == 1 else None


def _consent(s: State, actions: Sequence[Action]) -> bool:
    """Tell whether the actions answer the proposal of a merger."""
    r = s.round
    asked = isinstance(r, Operating) and r.offer is not None and r.offer.kind == "merge"
    return asked and any(isinstance(action, Answer) for action in actions)


def _numbered(s: State, hexes: list[str], title: str) -> View:
    """Return the map with a number on each hex."""
    return _part(views.numbered(s.board, hexes, title, lambda notes, numbers: look.board(s, (), notes, numbers)))


def _part(whole: view.MapView) -> view.MapView:
    """Return the part of a map where there is something to choose, if the rest is worth leaving out."""
    chosen = [h for h in whole.hexes if h.choice]
    columns = range(min(h.x for h in chosen) - 1, max(h.x for h in chosen) + 2)
    rows = range(min(h.y for h in chosen) - 3, max(h.y for h in chosen) + 4)
    near = tuple(h for h in whole.hexes if h.x in columns and h.y in rows)
    if len(near) > MOST_OF_MAP * len(whole.hexes):
        return whole
    return msgspec.structs.replace(whole, hexes=near, part=True)


def _tiles(s: State, seat: int, lays: list[LayTile]) -> View:
    """Return each tile in place among its pale neighbours, lettered."""
    return views.tiles(s.board.map, lays[0].hex, (_tile(s, seat, lay) for lay in lays), sheets.BRANDS)


def _tile(s: State, seat: int, lay: LayTile) -> tuple[str, tuple[HexView, ...]]:
    after = s.board.lay(lay.hex, track_step.check(s, seat, lay).fit.tile, lay.rotation)
    return views.caption(lay, geography.left(s.board, lay.tile)), _around(s, after, lay.hex)


def _stations(s: State, stations: list[AddStation]) -> View:
    """Return each line of a hex with its small station, lettered."""
    where = places.numbered(s.board.map, stations[0].hex)
    lines = (_station(s, station) for station in stations)
    return views.lettered(f"Small stations on {where}", where, lines, sheets.BRANDS)


def _station(s: State, station: AddStation) -> tuple[str, tuple[HexView, ...]]:
    after = track.with_station(s.board, station.hex, (station.a, station.b))
    line = f"{neighbour(station.hex, station.a)} to {neighbour(station.hex, station.b)}"
    return line, _around(s, after, station.hex)


def _around(s: State, after: Board, hex_: str) -> tuple[HexView, ...]:
    """Return a hex and its neighbours on a board to be."""
    return worth_now(hex_and_neighbours(after, hex_, bases(s), waiting(s)), s.band.level)


def _run(s: State, run: Run) -> View | None:
    """Return the map with the plan's runs on it, each told in the legend."""
    r = s.round
    if not isinstance(r, Operating) or r.step != "run":
        return None
    lines = running.lines_of(s, s.companies[r.code], running.spell_out(s, run).plan)
    return look.board(s, lines)
