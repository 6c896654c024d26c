"""Views to PNG, off the event loop, each picture drawn once while it is remembered; and to a time-lapse."""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import cast

import msgspec

from engine.record import Record
from engine.view import (
    AidView,
    Broadsheet,
    Chart,
    CharterView,
    MapView,
    MarketView,
    Network,
    Note,
    Panels,
    Poster,
    Reel,
    Sheet,
    View,
)
from render import banner
from render.hexes import close_ups, panels
from render.pdf import write_pdf
from render.pixels import paint
from render.places import network
from render.scene import Scene
from render.sheets import aid, broadsheet, chart, charter, market, poster, reel, sheet, tables
from render.theme import Palette, name_tinted_palette

MAX_BYTES = 8 * 1024 * 1024
"""What Discord takes without asking anybody for money."""
Builder = Callable[[View, str], Scene]
FILM_WIDTH = 1080
MAX_FILM_BYTES = 3_000_000
"""Of a film, so that it begins at once on a phone."""
FRAME_MS, LAST_FRAME_MS = 900, 4000
"""Milliseconds that a view stands, and the last one."""
QUALITIES = (72, 50, 34, 20)
"""Tried until the file is small enough."""


class PictureStyle(Record, frozen=True):
    """How a viewer wants pictures: a palette, and a width in pixels or ``None`` for the natural one."""

    palette: Palette = "standard"
    width: int | None = None


Paint = Callable[[View, PictureStyle], Awaitable[bytes]]
"""Draws a view as PNG somewhere off the event loop."""

BUILDERS: Mapping[type[View], Builder] = {
    MapView: cast("Builder", close_ups.build_map_scene),
    MarketView: cast("Builder", market.build_scene),
    Sheet: cast("Builder", sheet.build_scene),
    CharterView: cast("Builder", charter.build_scene),
    Panels: cast("Builder", panels.build_scene),
    Chart: cast("Builder", chart.build_scene),
    Network: cast("Builder", network.build_scene),
    Broadsheet: cast("Builder", broadsheet.build_scene),
    Reel: cast("Builder", reel.build_scene),
    Poster: cast("Builder", poster.build_scene),
    AidView: cast("Builder", aid.build_scene),
    Note: cast("Builder", tables.build_note_scene),
}


def build_scene(view: View, palette: str = "standard") -> Scene:
    """Return the scene of any view, under its banner if it has one."""
    if view.banner is None:
        return BUILDERS[type(view)](view, palette)
    plain = BUILDERS[type(view)](msgspec.structs.replace(view, title=""), palette)
    return banner.put_under_banner(plain, view, palette)


STANDARD = PictureStyle()


def png(view: View, style: PictureStyle = STANDARD) -> bytes:
    """Return the picture of a view as a PNG smaller than ``MAX_BYTES``."""
    palette = name_tinted_palette(style.palette, view.identity.colours)
    return paint.paint_png(build_scene(view, palette), palette, style.width)


def pdf(view: View, palette: Palette = "standard") -> bytes:
    """Return the picture of a view as a PDF on a sheet of A3."""
    own = name_tinted_palette(palette, view.identity.colours)
    return write_pdf(build_scene(view, own), own)


async def paint_in_thread(view: View, style: PictureStyle) -> bytes:
    """Return the picture of a view, drawn in a thread of this process."""
    return await asyncio.to_thread(png, view, style)


def make_picture_key(view: View, style: PictureStyle) -> bytes:
    """Return what tells pictures apart: a digest of all that the view and the style say, but for the words about it.

    The table message and the turn show one map; only the turn's alt text tells what its buttons do.
    """
    return hashlib.sha256(msgspec.json.encode((msgspec.structs.replace(view, alt=""), style))).digest()


class Renderer:
    """Draws pictures, a few at a time, and keeps the latest ones.

    Args:
        keep: bytes of pictures to remember.
        at_once: pictures drawn side by side.
        paint: draws one; in a thread, if none is given.
    """

    def __init__(self, keep: int = 32 * 1024 * 1024, at_once: int = 2, paint: Paint | None = None) -> None:
        self._paint = paint or paint_in_thread
        self._keep = keep
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()
        self._size = 0
        self._under_way: dict[bytes, asyncio.Task[bytes]] = {}
        self._turn = asyncio.Semaphore(at_once)

    async def png(self, view: View, style: PictureStyle = STANDARD) -> bytes:
        """Return the picture of a view; two callers who want the same one share the work."""
        name = make_picture_key(view, style)
        if name in self._kept:
            self._kept.move_to_end(name)
            return self._kept[name]
        task = self._under_way.get(name)
        if task is None:
            task = asyncio.create_task(self._draw(name, view, style))
            self._under_way[name] = task
            task.add_done_callback(lambda _: self._under_way.pop(name, None))
        return await asyncio.shield(task)

    async def _draw(self, name: bytes, view: View, style: PictureStyle) -> bytes:
        async with self._turn:
            picture = await self._paint(view, style)
        self._kept[name] = picture
        self._size += len(picture)
        while self._size > self._keep and self._kept:
            _, old = self._kept.popitem(last=False)
            self._size -= len(old)
        return picture


def film(views: Sequence[View], palette: Palette = "standard", width: int = FILM_WIDTH) -> bytes:
    """Return views as an animated WebP that is small enough for a phone, and for Discord.

    All frames are as large as the largest; a smaller one stands at the top.
    """
    frames = []
    for view in views:
        own = name_tinted_palette(palette, view.identity.colours)
        frames.append(paint.paint_film_frame(build_scene(view, own), own, width))
    whole = b""
    for quality in QUALITIES:
        whole = paint.encode_webp(frames, (FRAME_MS, LAST_FRAME_MS), quality)
        if len(whole) < MAX_FILM_BYTES:
            break
    return whole
