"""Pictures that show choices: numbered hexes, lettered tiles, a run on the map."""

from collections.abc import Sequence

import msgspec

from engine.rails.actions import LayTile
from engine.rails.show import hex_and_neighbours
from engine.record import Action
from engine.title import Request
from engine.titles.g1860.actions import PlaceBase, Run
from engine.titles.g1860.ground import bases, waiting
from engine.titles.g1860.pictures import look, sheets
from engine.titles.g1860.state import Operating, State
from engine.titles.g1860.steps import running, trains
from engine.view import Panel, Panels, View

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


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
    choices = {hex_: str(number) for number, hex_ in enumerate(hexes, 1)}
    words = ", ".join(f"{number} {hex_} {s.board.spec(hex_).name}".strip() for hex_, number in choices.items())
    seen = look.board(s, notes=(f"{title}: {words}.",), choices=choices)
    return msgspec.structs.replace(seen, notes=(), asks=title)  # which number is where is seen, and said by the menu


def _tiles(s: State, lays: list[LayTile]) -> View:
    """Return each tile in place among its pale neighbours, lettered."""
    where = f"{lays[0].hex} {s.board.spec(lays[0].hex).name}".strip()
    panels = []
    for lay, letter in zip(lays, LETTERS, strict=False):
        after = s.board.lay(lay.hex, lay.tile, lay.rotation)
        caption = f"{lay.tile} ↻{lay.rotation} · {s.board.left(lay.tile)} left"
        panels.append(Panel(letter, caption, hex_and_neighbours(after, lay.hex, bases(s), waiting(s))))
    words = "; ".join(f"{panel.letter}: {panel.caption}" for panel in panels)
    return Panels(f"Tiles for {where}", f"Tiles for {where}. {words}."[:1024], tuple(panels), sheets.BRANDS)


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
