"""The renderer as the bot calls it: a view and the name of a palette in, a PNG out."""

from collections.abc import Awaitable, Callable

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
