"""Pictures that show choices: numbered hexes, lettered tiles, a run on the map."""

from collections.abc import Sequence

from engine.hex_view import HexView
from engine.rails import views
from engine.rails.laying import LayTile, board_after
from engine.rails.views import hex_and_neighbours
from engine.record import Action
from engine.title import Request
from engine.titles.g1860.actions import PlaceBase, Run
from engine.titles.g1860.ground import bases, waiting
from engine.titles.g1860.pictures import look, sheets
from engine.titles.g1860.state import Operating, State
from engine.titles.g1860.steps import running, trains
from engine.view import View


def illustrate(s: State, request: Request, actions: Sequence[Action]) -> View | None:
    """Return a picture of the choices among some legal actions of one kind, or ``None`` where words do.

    Hexes are numbered in the order of the actions; the tiles for one hex are lettered.
    """
    if request.seat is None and not s.rules.open_treasuries:
        return None  # where something may be built would tell a bystander what a treasury holds (10.4)
    lays = [action for action in actions if isinstance(action, LayTile)]
    if lays:
        hexes = list(dict.fromkeys(lay.hex for lay in lays))
        return _tiles(s, lays) if len(hexes) == 1 else _numbered(s, hexes, "Where to lay a tile")
    towns = [action.hex for action in actions if isinstance(action, PlaceBase)]
    if towns:
        return _numbered(s, list(dict.fromkeys(towns)), "Where to build a base")
    runs = [action for action in actions if isinstance(action, Run)]
    if len(runs) == 1:
        return _run(s, runs[0])
    return None


def _numbered(s: State, hexes: list[str], title: str) -> View:
    """Return the map with a number on each hex."""
    return views.numbered(s.board, hexes, title, lambda notes, numbers: look.board(s, (), notes, numbers))


def _tiles(s: State, lays: list[LayTile]) -> View:
    """Return each tile in place among its pale neighbours, lettered."""
    return views.tiles(s.board.map, lays[0].hex, (_tile(s, lay) for lay in lays), sheets.BRANDS)


def _tile(s: State, lay: LayTile) -> tuple[str, tuple[HexView, ...]]:
    there = hex_and_neighbours(board_after(s.board, lay), lay.hex, bases(s), waiting(s))
    return views.caption(lay, s.board.left(lay.tile)), there


def _run(s: State, run: Run) -> View | None:
    """Return the map with the plan's runs on it."""
    r = s.round
    if not isinstance(r, Operating) or r.step != "run":
        return None
    company = s.companies[r.code]
    plan = running.spell_out(s, run).plan
    leased = "" if company.trains else trains.cheapest(s)
    lines = running.lines_of(s, company, plan, leased)
    return look.board(s, lines)
