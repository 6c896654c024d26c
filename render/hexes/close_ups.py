"""Close-ups of a map: what is asked about, as large as a phone needs it, and a small map that shows where that is."""

import math
from collections.abc import Sequence

import msgspec

from engine.hex_view import HexView
from engine.record import Record
from engine.view import MapView
from render.geometry import HALF, find_centre, list_corners, measure_half
from render.hexes import board
from render.hexes.legend import Frame, draw_block, list_legend_rows, make_text_block
from render.scene import CAP, Box, Inset, Item, Label, Polygon, Scene, Stamp, flatten_items

PIXELS = 1200
WIDTHS, MAX_DOWN, MIN_ACROSS = (10.9, 9.8, 8.7), 10.0, 8.0
"""Size of a close-up in hex sides: the widest in which a phone shows all its names large enough, by those of the
smallest letters that are usual, rare, and the least there are."""

PHONE, MIN_CAPITAL = 400, 5.0
"""Pixels across a picture on a phone, and the least a capital of a name has there."""

MARGINS = ((1.62, 2 * HALF + 0.12), (0.75, HALF + 0.12), (0.12, 0.12))
"""How much is shown around the hexes asked about, across and down: their neighbours if there is room."""

MAX_PARTS, MAX_TALLNESS = 2, 1.35
"""How many close-ups one picture has, and how high they are for their width: chats shrink what is taller."""
MAX_SHARE = 0.8
"""Of the hexes of a map: if a close-up would show more, the whole map is shown."""

COAST = (0.35, 0.35)
"""How much of the sea is shown beyond the outermost hexes."""

FURTHER = 1.8
"""How far beyond its frame a close-up knows the map, for its coast."""

GAP, KEY = 0.2, 0.22
"""Blank between close-ups, and the width of the small map as a share of that of the picture."""

FRAME_LINE = 0.05


class CloseUp(Record, frozen=True):
    """A part of the map, and the hexes in it that are asked about."""

    frame: Frame
    asked: tuple[HexView, ...]


def build_map_scene(view: MapView, palette: str) -> Scene:
    """Return the scene of a map: close-ups of what is asked about if it wants them, else the whole.

    They are narrower where names need it, and where that still shows what is asked about.
    """
    scene: Scene | None = None
    for widest in WIDTHS if view.close else ():
        parts = find_close_ups(view, widest)
        if parts:
            seen = msgspec.structs.replace(view, hexes=board.drop_empty_sea(view.hexes))
            scene = _build_close_scene(seen, parts, palette)
        if not scene or not parts or _measure_least_name(scene) >= MIN_CAPITAL:
            break
    return scene or board.build_scene(view, palette)


def find_close_ups(view: MapView, widest: float = WIDTHS[0]) -> tuple[CloseUp, ...]:
    """Return the parts of a map that show what is asked about; none if they are too many, or nearly the whole."""
    hexes = board.drop_empty_sea(view.hexes)
    asked = [h for h in hexes if h.choice or "can" in h.mark]
    if not asked:
        on_runs = {leg.coord for line in view.lines for leg in line.legs}
        asked = [h for h in hexes if h.coord in on_runs]
    groups = _split_into_groups(asked, widest) if asked else []
    if not groups or len(groups) > (MAX_PARTS if not view.lines else 1):
        return ()
    whole = _measure_extent(hexes, COAST)
    margins = MARGINS[len(groups) - 1 :]  # two need their room
    parts = tuple(CloseUp(_find_frame(group, margins, whole, widest), tuple(group)) for group in groups)
    shown = sum(any(is_inside(h, part.frame) for part in parts) for h in hexes)
    wide = max(part.frame[2] - part.frame[0] for part in parts)
    high = sum(part.frame[3] - part.frame[1] for part in parts)
    return parts if shown <= MAX_SHARE * len(hexes) and high <= MAX_TALLNESS * wide else ()


def _split_into_groups(asked: Sequence[HexView], widest: float) -> list[list[HexView]]:
    """Return hexes in groups of which each fits into a close-up, cut where the gap between them is widest."""
    left, top, right, low = _measure_extent(asked, MARGINS[-1])
    if right - left <= widest and low - top <= MAX_DOWN:
        return [list(asked)]
    axis = 0 if right - left > widest else 1
    order = sorted(asked, key=lambda h: find_centre(h.x, h.y, h.layout)[axis])
    places = [find_centre(h.x, h.y, h.layout)[axis] for h in order]
    cut = max(range(1, len(order)), key=lambda k: (places[k] - places[k - 1], -abs(2 * k - len(order))))
    return [*_split_into_groups(order[:cut], widest), *_split_into_groups(order[cut:], widest)]


def _measure_extent(hexes: Sequence[HexView], margin: tuple[float, float]) -> Frame:
    points = [find_centre(h.x, h.y, h.layout) for h in hexes]
    across, down = measure_half(hexes[0].layout)
    aside, above = across + margin[0], down + margin[1]
    return (
        min(x for x, _ in points) - aside,
        min(y for _, y in points) - above,
        max(x for x, _ in points) + aside,
        max(y for _, y in points) + above,
    )


def _find_frame(group: Sequence[HexView], margins: Sequence[tuple[float, float]], whole: Frame, widest: float) -> Frame:
    """Return the frame of a close-up with as much around its hexes as there is room for; little of the sea."""
    for margin in margins:
        left, top, right, low = _measure_extent(group, margin)
        if right - left <= widest and low - top <= MAX_DOWN:
            break
    left, right = max(left, whole[0]), min(right, whole[2])
    spare = max(0.0, MIN_ACROSS - (right - left))
    left = max(min(whole[0], left), left - spare / 2)
    return left, max(top, whole[1]), max(right, left + MIN_ACROSS), min(low, whole[3])


def is_inside(h: HexView, frame: Frame, slack: float = -FRAME_LINE) -> bool:
    """Return whether the whole of a hex lies within the line of a frame."""
    x, y = find_centre(h.x, h.y, h.layout)
    across, down = measure_half(h.layout)
    return (
        frame[0] - slack <= x - across
        and x + across <= frame[2] + slack
        and frame[1] - slack <= y - down
        and y + down <= frame[3] + slack
    )


def _build_close_scene(view: MapView, parts: Sequence[CloseUp], palette: str) -> Scene:
    """Return close-ups below one another, and below them the legend and the small map."""
    wide = max(part.frame[2] - part.frame[0] for part in parts)
    items: list[Item] = []
    y = GAP / 2
    for part in parts:
        drawn = _draw_close_up(view, part, wide, palette)
        items += [
            Inset(GAP / 2, y, wide, drawn),
            Box(GAP / 2, y, wide, drawn.height, 0.06, "", "ink", FRAME_LINE),
        ]
        y += drawn.height + GAP
    key = _draw_key(view, parts)
    size = board.USUAL_SIDE_PIXELS * wide / PIXELS
    seen = tuple(h for h in view.hexes if any(is_inside(h, part.frame) for part in parts))
    rows = list_legend_rows(msgspec.structs.replace(view, hexes=seen), palette, size)
    block = make_text_block(rows, size, wide * (1 - KEY) - GAP)
    items += draw_block(block, (GAP, y))
    items.append(Inset(GAP / 2 + wide * (1 - KEY), y, wide * KEY, key))
    high = max(block.height, wide * KEY * key.height / key.width)
    return Scene(round(wide + GAP, 4), round(y + high + GAP / 2, 4), PIXELS, "panel", tuple(items))


def _measure_least_name(scene: Scene) -> float:
    """Return the pixels of a capital of the smallest name on close-ups, as a phone shows them."""
    drawn = [item.scene for item in scene.items if isinstance(item, Inset)]
    labels = [item for each in drawn for item, _ in flatten_items(each.items) if isinstance(item, Label)]
    least = min((label.size for label in labels if label.kind == "name"), default=math.inf)
    return least * CAP * PHONE / scene.width


def _draw_close_up(view: MapView, part: CloseUp, wide: float, palette: str) -> Scene:
    """Return a part of the map; hexes that reach out of it are pale and bear no words."""
    left, top, right, low = part.frame
    spare = (wide - (right - left)) / 2
    left, right = left - spare, right + spare
    beyond = (left - FURTHER, top - FURTHER, right + FURTHER, low + FURTHER)
    near = tuple(
        h if is_inside(h, (left, top, right, low)) else _strip_words(h) for h in view.hexes if is_inside(h, beyond)
    )
    items = board.draw_map(msgspec.structs.replace(view, hexes=near), palette)
    return Scene(right - left, low - top, PIXELS, "sea", (Stamp(-left, -top, tuple(items)),))


def _strip_words(h: HexView) -> HexView:
    """Return a hex as surroundings."""
    stops = tuple(msgspec.structs.replace(stop, value=None, values=(), name="") for stop in h.stops)
    return msgspec.structs.replace(h, stops=stops, name="", cost=0, letter="", mark="", choice="", faded=True)


def _draw_key(view: MapView, parts: Sequence[CloseUp]) -> Scene:
    """Return the whole map without words, the hexes asked about filled, and a frame for each close-up."""
    left, top, right, low = _measure_extent(view.hexes, COAST)
    asked = {h.coord for part in parts for h in part.asked}
    items: list[Item] = []
    for h in view.hexes:
        fill = "choice" if h.coord in asked else "land" if h.ink == "plain" else h.ink
        if fill != "sea":
            at = find_centre(h.x, h.y, h.layout)
            items.append(Stamp(*at, (Polygon(list_corners(h.layout), fill, "hexline", 0.06),)))
    for part in parts:
        x, y, end, low_end = part.frame
        items.append(Box(x, y, end - x, low_end - y, 0.3, "", "ink", 0.28))
    return Scene(right - left, low - top, PIXELS, "sea", (Stamp(-left, -top, tuple(items)),))
