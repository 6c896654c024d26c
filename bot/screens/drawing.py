"""The renderer as the bot calls it: a view and the name of a palette in, a PNG out."""

from collections.abc import Awaitable, Callable
from typing import Literal

from bot.service.workers.jobs import Held, Task
from bot.service.workers.pool import Workers
from engine import TITLES, Game, Record, Request, Setup, posters
from engine import posters as course
from engine.view import AnyView, Poster, View
from render import PALETTES, Palette, PictureStyle, Renderer, film, pdf, png
from render.cache import Paint

TILES = "tiles"
"""The picture of all tiles: who has drawn it draws any map faster."""

Draw = Callable[[View, str], Awaitable[bytes]]
"""Draws a view in a palette as PNG, off the event loop."""


class Drawing(Record, frozen=True):
    """A picture to be drawn."""

    view: AnyView
    style: PictureStyle


class Invitation(Record, frozen=True):
    """A table that waits for players: what is to be dealt, who has joined, its name, what was agreed."""

    setup: Setup
    names: tuple[str, ...]
    table: str
    facts: tuple[str, ...]


class Film(Record, frozen=True):
    """A time-lapse to be made: of players, of a table, in a palette."""

    names: tuple[str, ...]
    table: str
    palette: Palette = "standard"


class Keepsake(Record, frozen=True):
    """A sheet to hang up that is to be made: of players, of a table, as a picture or to be printed, in a palette."""

    names: tuple[str, ...]
    table: str
    form: Literal["png", "pdf"] = "png"
    palette: Palette = "standard"


def make_drawer(renderer: Renderer) -> Draw:
    """Return what draws with this renderer; a palette that is none counts as the standard one."""

    async def draw(view: View, palette: str) -> bytes:
        known: dict[str, Palette] = {name: name for name in PALETTES}
        return await renderer.png(view, PictureStyle(known.get(palette, "standard")))

    return draw


def make_painter(workers: Workers) -> Paint:
    """Return what has a worker draw."""

    async def paint(view: View, style: PictureStyle) -> bytes:
        return await workers.do(DRAW, Drawing(view, style))  # type: ignore[arg-type]  # every view is one of them

    return paint


async def warm_up(workers: Workers) -> None:
    """Have every worker play and draw a little: what is read and measured for the first is remembered for all."""
    await workers.do_everywhere(READ, None)
    await workers.do_everywhere(WARM_UP, None)


def _draw(_: Held | None, drawing: Drawing) -> bytes:
    return png(drawing.view, drawing.style)


def _warm_rules(_: Held | None, __: None) -> None:
    for title in TITLES.values():
        game = Game.new(Setup(title.id, title.seats[0], {}, 0))
        game.tips(game.actors[0])


def _warm_pictures(_: Held | None, __: None) -> int:
    """Draw the pictures of every turn and of the first one of each title, and its tiles; return how many."""
    drawn = 0
    for title in TITLES.values():
        game = Game.new(Setup(title.id, title.seats[0], {}, 0))
        every = [picture.name for picture in title.views.pictures if picture.every_turn]
        tiles = [picture.name for picture in title.views.pictures if picture.name == TILES]
        for name in dict.fromkeys((*every, *game.pictures(), *tiles)):
            png(game.look(Request(name)))
            drawn += 1
    return drawn


def _describe_lobby(_: Held | None, wish: Invitation) -> Poster | None:
    return posters.make_lobby_card(wish.setup, wish.names, wish.table, wish.facts)


def _make_film(held: Held | None, wish: Film) -> bytes:
    """Return the time-lapse of a game as an animated WebP."""
    assert held is not None
    return film(course.make_frames(held.game, wish.names, wish.table), wish.palette)


def _make_sheet(held: Held | None, wish: Keepsake) -> bytes:
    """Return the sheet of a game; nothing for a title without the pictures it is made of."""
    assert held is not None
    if not course.can_make_broadsheet(held.game.title):
        return b""
    view = course.make_broadsheet(held.game, wish.names, wish.table)
    return pdf(view, wish.palette) if wish.form == "pdf" else png(view, PictureStyle(wish.palette))


LOBBY = Task("lobby", _describe_lobby, Invitation, Poster | None, lane="pictures", rank=3)
FILM = Task("film", _make_film, Film, bytes, lane="pictures", rank=8, seconds=120.0)
SHEET = Task("sheet", _make_sheet, Keepsake, bytes, lane="pictures", rank=7, seconds=60.0)
DRAW = Task("draw", _draw, Drawing, bytes, lane="looks", rank=2)
READ = Task("read", _warm_rules, None, None, lane="moves", rank=8, warms=True)
WARM_UP = Task("warm up", _warm_pictures, None, int, rank=9, warms=True)
