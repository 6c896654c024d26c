"""A time-lapse: views one after the other as an animated picture."""

from collections.abc import Sequence

from engine.view import View
from render.cache import MOST_BYTES, scene
from render.pixels import paint
from render.theme import Palette, tinted

WIDTH = 1000
FRAME, LAST = 900, 4000
"""Milliseconds that a view stands, and the last one."""

QUALITIES = (80, 60, 40, 20)
"""Tried until the file is small enough."""


def film(views: Sequence[View], palette: Palette = "standard", width: int = WIDTH) -> bytes:
    """Return views as an animated WebP smaller than what Discord takes.

    All frames are as large as the largest; a smaller one stands at the top.
    """
    frames = []
    for view in views:
        own = tinted(palette, view.identity.colours)
        frames.append(paint.frame(scene(view, own), own, width))
    whole = b""
    for quality in QUALITIES:
        whole = paint.animated(frames, (FRAME, LAST), quality)
        if len(whole) < MOST_BYTES:
            break
    return whole
