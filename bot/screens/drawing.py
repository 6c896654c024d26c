"""The renderer as the bot calls it: a view and the name of a palette in, a PNG out."""

import asyncio
from collections.abc import Awaitable, Callable

from engine import TITLES, Game, Request, Setup
from engine.view import View
from render import PALETTES, Palette, Renderer, Style

Draw = Callable[[View, str], Awaitable[bytes]]
"""Draws a view in a palette as PNG, off the event loop."""


def drawer(renderer: Renderer) -> Draw:
    """Return what draws with this renderer; a palette that is none counts as the standard one."""

    async def draw(view: View, palette: str) -> bytes:
        known: dict[str, Palette] = {name: name for name in PALETTES}
        return await renderer.png(view, Style(known.get(palette, "standard")))

    return draw


async def warm_up(draw: Draw) -> None:
    """Draw the pictures of every turn of each title once: what is measured for the first is remembered for all."""
    for title in TITLES.values():
        game = await asyncio.to_thread(Game.new, Setup(title.id, title.seats[0], {}, 0))
        for name in game.pictures():
            await draw(await asyncio.to_thread(game.look, Request(name)), "standard")
