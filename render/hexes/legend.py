"""Title, legend and notes of a map: set into free corners of the sea, else below; compass and name of the land."""

import math
from collections.abc import Sequence

from engine.hex_view import Layout
from engine.record import Record
from engine.view import MapView
from render import fonts
from render.geometry import find_centre, list_corners
from render.hexes.room import is_on_hex
from render.scene import Box, Curve, Disc, Face, Item, Label, Point, Polygon, Stamp
from render.theme import load_theme

DASH = (2.4, 1.5)
"""Of what may be chosen, in widths of the line."""
Frame = tuple[float, float, float, float]
Hex = tuple[Point, Layout]
"""The centre of a hex, and how it stands."""
TITLE, TEXT, STEP = 0.56, 0.4, 0.56
MIN_WIDTH = 8.0
"""Width below which a picture of few hexes gets blank sides, for the sake of its words."""
NAMES = (0.8, 0.62, 0.5)
"""Sizes of the name of the land, tried in this order."""
SIGNS, SMALL_SIGNS = 1.95, 0.72
"""Width of the signs before the words: runs as pieces of line, or marks alone."""
MIDDLE = 0.472
"""Where in its room a sign stands."""
SIDE_STEP = 0.25
"""Between the places along a side that are tried."""
LINE_STEP = 1.02
"""Distance of lines, of the size of the letters."""
PAD, INNER = 0.5, 0.11
"""Blank around the words, and between the two lines of the frame, of the size of the letters."""
SCALE_LETTERS, SCALE_BAR, SCALE_PARTS = 0.4, 0.14, 5
"""Letters, height and parts of a scale bar."""
COMPASS = 2.1
"""Width of a compass for which the widths of its lines are given."""


def draw_outline(mark: str, points: tuple[Point, ...], width: float) -> list[Item]:
    """Return the outline of a marked shape: a double line for what is new, which no run can be; else dashes."""
    if mark == "new":
        core = round(width * 0.62, 3)
        return [Polygon(points, line="ink", width=round(width * 1.35, 3)), Polygon(points, line="new", width=core)]
    return [Curve((*points, points[0]), "can", width, DASH, joined=True)]


class Row(Record, frozen=True):
    """A line of a block: a sign drawn in 1.7 x 0.5 around its middle, or in 0.5 x 0.5 if ``small``, and words."""

    words: str
    sign: tuple[Item, ...] = ()
    small: bool = False


class Block(Record, frozen=True):
    """Rows, the size of their letters and of all else, and the room they take."""

    rows: tuple[Row, ...]
    face: Face
    letters: float
    size: float
    width: float
    height: float


class PlacedBlocks(Record, frozen=True):
    """The items of all blocks and their frames; ``frame`` is the picture's, ``map_frame`` that of the map alone."""

    items: tuple[Item, ...]
    frame: Frame
    map_frame: Frame


def place_legend(view: MapView, palette: str, size: float, frame: Frame) -> PlacedBlocks:
    """Return title, legend and notes in their places around a map; ``size`` 1 is usual."""
    left, top, right, low = frame
    spare = max(0.0, MIN_WIDTH * size - (right - left)) / 2
    left, right = left - spare, right + spare
    wide: Frame = (left, top, right, low)
    hexes = [(find_centre(h.x, h.y, h.layout), h.layout) for h in view.hexes]
    room = right - left - 0.4
    items: list[Item] = []
    taken: list[Frame] = []
    if view.title:
        title = _make_block([Row(view.title)], "bold", TITLE, size, room)
        spot = _find_free_corner(title, wide, hexes, taken)
        if spot is None:
            top -= title.height + 0.1
            spot = (left + 0.2, top + 0.1)
        items += draw_block(title, spot)
        taken.append((spot[0], spot[1], spot[0] + title.width, spot[1] + title.height))
    for smaller in (size, 0.86 * size):
        rows = list_legend_rows(view, palette, smaller)
        if not rows:
            break
        block = make_text_block(rows, smaller, room)
        spot = _find_free_corner(block, wide, hexes, taken)
        if spot:
            items += draw_block(block, spot)
            taken.append((spot[0], spot[1], spot[0] + block.width, spot[1] + block.height))
            break
    else:
        block = make_text_block(list_legend_rows(view, palette, size), size, room)
        items += draw_block(block, (left + 0.2, low + 0.05))
        taken.append((left + 0.2, low + 0.05, left + 0.2 + block.width, low + 0.05 + block.height))
        low += block.height + 0.2
    items += _place_cartouche(view, size, (left, top, right, low), hexes, taken)
    items += _place_compass(size, (left, top, right, low), hexes, taken)
    items += _place_scale(view, size, (left, top, right, low), hexes, taken)
    return PlacedBlocks(tuple(items), (left, top, right, low), (frame[0], frame[1], frame[2], low))


def _place_compass(size: float, frame: Frame, hexes: Sequence[Hex], taken: list[Frame]) -> list[Item]:
    """Return a compass in a free corner of the sea, which it takes, or nothing where none is free."""
    wide = COMPASS * size
    spot = _find_free_spot(Block((), "bold", TEXT, size, wide, wide), frame, hexes, taken)
    if spot is None:
        return []
    taken.append((spot[0], spot[1], spot[0] + wide, spot[1] + wide))
    return draw_compass((round(spot[0] + wide / 2, 3), round(spot[1] + wide / 2 + 0.1, 3)), wide)


def _place_cartouche(view: MapView, size: float, frame: Frame, hexes: Sequence[Hex], taken: list[Frame]) -> list[Item]:
    """Return the name of the land in a free corner of the sea, which it takes, or nothing where none is free."""
    place = view.identity.place
    for letters in NAMES if place else ():
        drawn = draw_cartouche(place, fonts.choose_face(view.identity.face), letters * size)
        block = Block((), "bold", TEXT, size, drawn.width, drawn.height)
        spot = _find_free_corner(block, frame, hexes, taken, below=True)
        if spot:
            taken.append((spot[0], spot[1], spot[0] + drawn.width, spot[1] + drawn.height))
            return [Stamp(round(spot[0], 3), round(spot[1], 3), drawn.items)]
    return []


def _place_scale(view: MapView, size: float, frame: Frame, hexes: Sequence[Hex], taken: list[Frame]) -> list[Item]:
    """Return a scale bar at an edge of the sea, as far down as there is room, or nothing where there is none."""
    words, sides = view.identity.scale
    letters = SCALE_LETTERS * size
    if not words or len({h.layout for h in view.hexes}) != 1:
        return []
    block = Block((), "semi", SCALE_LETTERS, size, max(sides, fonts.measure_text(words, letters)), letters + SCALE_BAR)
    spot = _find_free_spot(block, frame, hexes, taken)
    return _draw_scale((round(spot[0], 3), round(spot[1], 3)), words, sides, letters) if spot else []


def _draw_scale(at: Point, words: str, sides: float, letters: float) -> list[Item]:
    """Return a distance in words above a bar of five parts."""
    x, y = at[0], round(at[1] + letters, 3)
    part = sides / SCALE_PARTS
    bar: list[Item] = [
        Box(round(x + k * part, 3), y, round(part, 3), SCALE_BAR, 0, "casing" if k % 2 else "coast", "coast", 0.025)
        for k in range(SCALE_PARTS)
    ]
    return [*bar, Label(round(x + sides / 2, 3), round(at[1] + letters / 2, 3), words, letters, "sea_ink", "semi")]


def list_legend_rows(view: MapView, palette: str, size: float) -> list[Row]:
    """Return the rows that explain runs and marks, and the notes."""
    theme = load_theme(palette)
    rows: list[Row] = []
    for line in view.lines:
        stroke, r = theme.choose_stroke(line.number - 1), 0.22 * size
        track = ((-0.85 * size, 0.0), (0.85 * size, 0.0))
        sign: tuple[Item, ...] = (
            Curve(track, "casing", 0.34 * size),
            Curve(track, stroke.colour, 0.28 * size, stroke.dash),
            Disc(-0.63 * size, 0.0, r * 1.14, "casing"),
            Disc(-0.63 * size, 0.0, r, stroke.colour),
            Label(-0.63 * size, 0.0, str(line.number), 0.34 * size, "badge_ink"),
        )
        told = line.told or line.words
        rows.append(Row(f"{line.label}: {told}" if told else line.label, sign))
    marks = {mark for h in view.hexes for mark in h.mark.split()}
    ring = tuple((x * 0.25 * size, y * 0.25 * size) for x, y in list_corners(view.hexes[0].layout))
    if "new" in marks:
        rows.append(Row(view.new, tuple(draw_outline("new", ring, 0.08 * size)), small=True))
    if "can" in marks or any(h.choice for h in view.hexes):
        rows.append(Row(view.asks, tuple(draw_outline("can", ring, 0.075 * size)), small=True))
    if view.phase:
        rows.append(Row(view.phase, _draw_fan(view, 0.15 * size), small=True))
    return rows + [Row(note) for note in view.notes if note]


def _draw_fan(view: MapView, r: float) -> tuple[Item, ...]:
    """Return small hexes in the colours of tiles that may be laid, each partly over the one before."""
    ring, first = list_corners(view.hexes[0].layout), (1 - len(view.inks)) / 2
    return tuple(
        Polygon(tuple((x * r + (first + k) * r, y * r) for x, y in ring), ink, "ink", 0.12 * r)
        for k, ink in enumerate(view.inks)
    )


def make_text_block(rows: Sequence[Row], size: float, room: float) -> Block:
    """Return the rows of a legend as a block at most ``room`` wide."""
    return _make_block(rows, "semi", TEXT, size, room)


def _make_block(rows: Sequence[Row], face: Face, letters: float, size: float, room: float) -> Block:
    """Return rows as a block at most ``room`` wide; long words are broken into lines."""
    letters = letters * size
    signs = _measure_signs(rows) * size
    broken: list[Row] = []
    for row in rows:
        lines = fonts.wrap(row.words, letters, room - signs - 0.2, face)
        broken += [Row(line, row.sign if k == 0 else (), row.small) for k, line in enumerate(lines)]
    width = max((fonts.measure_text(row.words, letters, face) for row in broken), default=0.0) + signs + 0.15
    return Block(tuple(broken), face, letters, size, width, len(broken) * STEP * size + 0.1)


def _measure_signs(rows: Sequence[Row]) -> float:
    """Return how wide the signs before the words are; none where there are none."""
    drawn = [row for row in rows if row.sign]
    return (SMALL_SIGNS if all(row.small for row in drawn) else SIGNS) if drawn else 0.0


def _find_free_corner(
    block: Block, frame: Frame, hexes: Sequence[Hex], taken: Sequence[Frame], *, below: bool = False
) -> Point | None:
    """Return the upper left corner for a block in a free corner of the map; ``below``: in a lower one if it can be."""
    left, top, right, low = _measure_inside(block, frame)
    upper, lower = ((left, top), (right, top)), ((left, low), (right, low))
    corners = (*lower, *upper) if below else (*upper, *lower)
    return next((at for at in corners if _is_free(block, at, left, hexes, taken)), None)


def _find_free_spot(block: Block, frame: Frame, hexes: Sequence[Hex], taken: Sequence[Frame]) -> Point | None:
    """Return the upper left corner for a block in a free corner of the map, or else along a side."""
    found = _find_free_corner(block, frame, hexes, taken)
    if found:
        return found
    left, top, right, low = _measure_inside(block, frame)
    along = [(right - k * SIDE_STEP, low) for k in range(int((right - left) / SIDE_STEP))]
    sides = [(x, low - k * SIDE_STEP) for k in range(int((low - top) / SIDE_STEP)) for x in (right, left)]
    return next((at for at in (*along, *sides) if _is_free(block, at, left, hexes, taken)), None)


def _measure_inside(block: Block, frame: Frame) -> Frame:
    """Return between which points the upper left corner of a block may lie."""
    edge = 0.75 * block.size
    return frame[0] + edge, frame[1] + edge, frame[2] - 0.2 - block.width, frame[3] - 0.1 - block.height


def _is_free(block: Block, at: Point, left: float, hexes: Sequence[Hex], taken: Sequence[Frame]) -> bool:
    """Return whether a block would stand on the sea, clear of the land and of what stands there."""
    mine = (*at, at[0] + block.width, at[1] + block.height)
    covers = any(mine[0] < o[2] and o[0] < mine[2] and mine[1] < o[3] and o[1] < mine[3] for o in taken)
    return at[0] >= left - 0.01 and not covers and not _touches_hexes(mine, hexes)


def _touches_hexes(frame: Frame, hexes: Sequence[Hex]) -> bool:
    """Return whether a rectangle comes near a hex."""
    left, top, right, low = frame
    for (cx, cy), layout in hexes:
        dx, dy = max(left - cx, cx - right, 0.0), max(top - cy, cy - low, 0.0)
        if is_on_hex(dx, dy, layout, -0.12):
            return True
    return False


def draw_block(block: Block, spot: Point) -> list[Item]:
    """Return a block with its upper left corner at a spot."""
    signs = _measure_signs(block.rows) * block.size
    items: list[Item] = []
    for k, row in enumerate(block.rows):
        y = spot[1] + 0.05 + (k + 0.5) * STEP * block.size
        if row.sign:
            items.append(Stamp(round(spot[0] + MIDDLE * signs, 3), y, row.sign))
        items.append(Label(spot[0] + signs, y, row.words, block.letters, "ink", block.face, "l"))
    return items


class Cartouche(Record, frozen=True):
    """Its items around its upper left corner, and the room it takes."""

    items: tuple[Item, ...]
    width: float
    height: float


def draw_cartouche(lines: Sequence[str], face: Face, size: float) -> Cartouche:
    """Return the name of a land in its frame; ``size`` is that of the letters."""
    wide = max(fonts.measure_text(line, size, face) for line in lines) + 2 * PAD * size
    high = (len(lines) - 1) * LINE_STEP * size + 0.72 * size + 2 * PAD * size
    inner = INNER * size
    items: list[Item] = [
        Box(0, 0, wide, high, 0.16 * size, "shoal_1", "coast", 0.05 * size),
        Box(inner, inner, wide - 2 * inner, high - 2 * inner, 0.1 * size, "", "coast", 0.02 * size),
    ]
    y, r = high / 2, 0.14 * size
    for x in (0.0, wide):
        items.append(Polygon(((x, y - r), (x + r, y), (x, y + r), (x - r, y)), "coast"))
    for k, line in enumerate(lines):
        y = PAD * size + 0.36 * size + k * LINE_STEP * size
        items.append(Label(round(wide / 2, 3), round(y, 3), line, size, "sea_ink", face))
    return Cartouche(tuple(items), round(wide, 3), round(high, 3))


def draw_compass(at: Point, wide: float) -> list[Item]:
    """Return a compass around a point, in a square of a width."""
    (x, y), r = at, wide * 0.36
    unit = wide / COMPASS
    items: list[Item] = [Disc(x, y, round(r * 0.8, 3), "", "coast", 0.03 * unit)]
    for turn in range(8):
        reach = r if turn % 2 == 0 else r * 0.6
        ux, uy = math.sin(turn * math.pi / 4), -math.cos(turn * math.pi / 4)
        side = r * 0.13
        tip, left, right = (ux * reach, uy * reach), (uy * side, -ux * side), (-uy * side, ux * side)
        for edge, role in ((left, "coast"), (right, "casing")):
            points = tuple((round(x + px, 3), round(y + py, 3)) for px, py in ((0.0, 0.0), edge, tip))
            items.append(Polygon(points, role, "coast", 0.014 * unit))
    return [*items, Label(x, round(y - r - 0.17 * unit, 3), "N", 0.4 * unit, "sea_ink")]
