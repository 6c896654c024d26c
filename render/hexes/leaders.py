"""Names for which their own hex has no room: over its side or beside it, with a line that leads to the stop."""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from heapq import nsmallest
from types import MappingProxyType
from typing import get_args

from engine.hex_view import HexView, Layout
from engine.record import Record
from render import fonts
from render.geometry import find_centre, find_neighbour_step, find_side_corners
from render.hexes import room
from render.hexes.labels import SMALL, TIGHT, Size, find_text_cells, list_line_breaks, make_labels
from render.hexes.room import (
    CELL,
    COLUMNS,
    EVERYWHERE,
    MID_COLUMN,
    MID_ROW,
    Cells,
    find_disc_cells,
    find_fitting_cells,
    is_on_hex,
    move_cells,
)
from render.hexes.tile import Art
from render.hexes.track import place_stops_and_track
from render.scene import Curve, Item, Label, Point

Frame = tuple[float, float, float, float]

SIZES: tuple[Size, ...] = ((0.27, SMALL), (0.24, SMALL), (0.21, SMALL), (0.21, TIGHT), (0.185, TIGHT))
"""Tried in this order; a smaller name must stand nearer."""

FAR = 0.2
"""Cost of a step to the next smaller size, in hex sides of distance."""

OUTSIDE = 0.35
"""Cost of a name whose middle is on another hex, and which needs a line."""

MAX_TRIES = 24
CROSSED = 0.5
"""Cost of a line that crosses other labels."""

_EDGES: Cells = sum(1 << (row * COLUMNS + column) for row in range(2 * MID_ROW) for column in (0, COLUMNS - 1))


class Strayed(Record, frozen=True):
    """Names beside their hexes, the lines that lead to them, and the hexes whose name stands nowhere."""

    names: tuple[Item, ...]
    lines: tuple[Item, ...]
    missing: tuple[str, ...]


class _Try(Record, frozen=True):
    """A place for a name: lines of text, size, middle, and what it costs."""

    cost: float
    at: Point
    lines: tuple[str, ...]
    size: float


def place_strayed_names(hexes: Sequence[HexView], arts: Mapping[HexView, Art], kept: Sequence[Frame]) -> Strayed:
    """Return the names that their hexes left out; ``kept`` are frames on the map that must stay free."""
    names: list[Item] = []
    lines: list[Item] = []
    missing: list[str] = []
    grid = {(h.x, h.y): h for h in hexes}
    added: dict[HexView, Cells] = {}
    bounds = _measure_map(hexes)
    for h in hexes:
        if not h.name or h.faded or h.name not in arts[h].missing:
            continue
        found = _find_best_place(h, _collect_blocked_cells(h, grid, arts, added), bounds, tuple(kept))
        if found is None:
            missing.append(h.coord)
            continue
        cells = move_cells(
            find_text_cells(found.lines, (found.size, TIGHT), "semi"),
            (round(found.at[0] / CELL), round(found.at[1] / CELL)),
        )
        _take_room(h, cells, grid, added)
        cx, cy = find_centre(h.x, h.y, h.layout)
        at = (round(cx + found.at[0], 3), round(cy + found.at[1], 3))
        names += make_labels(found.lines, at, found.size, ("ink", "semi"))
        if not is_on_hex(*found.at, h.layout):
            start, end = _make_leader_line(h, found)
            moved_ends = tuple((round(cx + x, 3), round(cy + y, 3)) for x, y in (start, end))
            lines += [Curve(moved_ends, "casing", 0.07, round=True), Curve(moved_ends, "ink", 0.03, round=True)]
    return Strayed(tuple(names), tuple(lines), tuple(missing))


def _measure_map(hexes: Sequence[HexView]) -> Frame:
    spots = [find_centre(h.x, h.y, h.layout) for h in hexes]
    return (
        min(x for x, _ in spots) - 0.9,
        min(y for _, y in spots) - 0.8,
        max(x for x, _ in spots) + 1.0,
        max(y for _, y in spots) + 0.9,
    )


def _list_neighbour_steps(h: HexView) -> Iterator[tuple[tuple[int, int], Point]]:
    """Yield for each neighbour its step on the grid, and the same in cells."""
    here = find_centre(h.x, h.y, h.layout)
    for side in range(6):
        dx, dy = find_neighbour_step(side, h.layout)
        x, y = find_centre(h.x + dx, h.y + dy, h.layout)
        yield (dx, dy), ((x - here[0]) / CELL, (y - here[1]) / CELL)


def _collect_blocked_cells(
    h: HexView, grid: Mapping[tuple[int, int], HexView], arts: Mapping[HexView, Art], added: Mapping[HexView, Cells]
) -> Cells:
    """Return the cells around a hex on which something stands."""
    blocked = _list_cells_on_hex(arts[h], h) | added.get(h, 0) | _EDGES
    for side, ((dx, dy), step) in enumerate(_list_neighbour_steps(h)):
        other = grid.get((h.x + dx, h.y + dy))
        if (other is None or other.ink == "sea") != (h.ink == "sea"):
            blocked |= room.find_stroke_cells(find_side_corners(side, h.layout), 0.12)
        if other is not None:
            there = _list_cells_on_hex(arts[other], other)
            right, down = step
            rows = {math.floor(down), math.ceil(down)}  # a step is no whole number of cells: keep off either
            for row in rows:
                blocked |= _shift_cells(there | added.get(other, 0), (round(right), row))
    return blocked & EVERYWHERE


def _list_cells_on_hex(art: Art, h: HexView) -> Cells:
    """Return the cells of a hex itself on which something stands."""
    return art.covered & ~room.find_rim_cells(h.layout, 0.0)


def _take_room(h: HexView, cells: Cells, grid: Mapping[tuple[int, int], HexView], added: dict[HexView, Cells]) -> None:
    """Keep others off a name, on its own hex and on those around it."""
    added[h] = added.get(h, 0) | cells
    for (dx, dy), (right, down) in _list_neighbour_steps(h):
        other = grid.get((h.x + dx, h.y + dy))
        if other is not None:
            added[other] = added.get(other, 0) | _shift_cells(cells, (-round(right), -round(down)))


def _shift_cells(cells: Cells, step: tuple[int, int]) -> Cells:
    """Return cells moved by a step; what leaves the raster at a side is dropped."""
    return move_cells(cells, step) & _extend_cells(step[0])


@cache
def _extend_cells(right: int) -> Cells:
    """Return the cells that others reach by a step to the right without leaving the raster at a side."""
    row = sum(1 << column for column in range(max(0, right), min(COLUMNS, COLUMNS + right)))
    return sum(row << (line * COLUMNS) for line in range(2 * MID_ROW)) & EVERYWHERE


@lru_cache(maxsize=512)
def _find_best_place(h: HexView, blocked: Cells, bounds: Frame, kept: tuple[Frame, ...]) -> _Try | None:
    """Return the nearest place for a name in the largest letters it is worth."""
    best: _Try | None = None
    target = _find_leader_target(h)
    for rank, size in enumerate(SIZES):
        if best and best.cost <= FAR * rank:
            break
        for lines in list_line_breaks(h.name):
            free = find_fitting_cells(find_text_cells(lines, size, "semi"), EVERYWHERE & ~blocked)
            for cost, at in _find_nearest_places(free, target, h.layout):
                one = _Try(cost + FAR * rank, at, lines, size[0])
                if best and one.cost >= best.cost:
                    break
                if _fits_on_map(h, one, bounds, kept):
                    one = _Try(one.cost + CROSSED * _measure_crossing(h, one, blocked), at, lines, size[0])
                    best = one if best is None or one.cost < best.cost else best
    return best


def _find_nearest_places(free: Cells, target: Point, layout: Layout) -> list[tuple[float, Point]]:
    """Return the free places nearest to where one looks for a name, with how far each is."""
    x, y = target
    for near, outside in _RINGS[layout]:
        found = [
            (max(abs(px - x) - 0.3, 0.0) + max(abs(py - y) - 0.1, 0.0) + outside, (px, py))
            for px, py in _list_points(free & near)
        ]
        if found:
            return nsmallest(MAX_TRIES, found)
    return []


_RINGS: Mapping[Layout, tuple[tuple[Cells, float], ...]] = MappingProxyType({
    layout: (
        (EVERYWHERE & ~room.find_rim_cells(layout, 0.0), 0.0),
        (find_disc_cells(0.0, 0.0, 1.15) & room.find_rim_cells(layout, 0.0), OUTSIDE),
        (find_disc_cells(0.0, 0.0, 1.45), OUTSIDE),
    )
    for layout in get_args(Layout)
})  # fmt: skip
"""Where the middle of a name may stand: on its hex, near it, a little farther."""


def _find_leader_target(h: HexView) -> Point:
    """Return the point that a name belongs to: its first stop, else the middle."""
    spots = place_stops_and_track(h).spots
    return (spots[0].x, spots[0].y) if spots else (0.0, 0.0)


def _list_points(cells: Cells) -> Iterator[Point]:
    """Yield the points of cells."""
    while cells:
        low = cells & -cells
        row, column = divmod(low.bit_length() - 1, COLUMNS)
        yield (column - MID_COLUMN) * CELL, (row - MID_ROW) * CELL
        cells ^= low


def _name_frame(one: _Try) -> Frame:
    drawn = [label for label in make_labels(one.lines, one.at, one.size, ("ink", "semi")) if isinstance(label, Label)]
    half = max(fonts.measure_text(line, one.size, "semi") for line in one.lines) / 2
    high = 0.36 * one.size
    return (
        one.at[0] - half,
        min(label.y for label in drawn) - high,
        one.at[0] + half,
        max(label.y for label in drawn) + high,
    )


def _fits_on_map(h: HexView, one: _Try, bounds: Frame, kept: Sequence[Frame]) -> bool:
    """Return whether a name lies within the map and off all frames that are kept."""
    cx, cy = find_centre(h.x, h.y, h.layout)
    left, top, right, low = _name_frame(one)
    left, top, right, low = left + cx, top + cy, right + cx, low + cy
    inside = left > bounds[0] and top > bounds[1] and right < bounds[2] and low < bounds[3]
    return inside and not any(left < k[2] and right > k[0] and top < k[3] and low > k[1] for k in kept)


def _make_leader_line(h: HexView, one: _Try) -> tuple[Point, Point]:
    """Return the line from a name to its stop."""
    x, y = _find_leader_target(h)
    left, top, right, low = _name_frame(one)
    start = min(max(x, left), right), min(max(y, top - 0.03), low + 0.03)
    return start, (x, y)


def _measure_crossing(h: HexView, one: _Try, blocked: Cells) -> float:
    """Return how much of what stands around a hex the line to a name would cross, its own stop left out."""
    if is_on_hex(*one.at, h.layout):
        return 0.0
    (ax, ay), (bx, by) = _make_leader_line(h, one)
    away = math.dist((ax, ay), (bx, by))
    share = max(0.0, 1 - 0.4 / away) if away else 0.0
    line = room.find_stroke_cells(
        ((round(ax, 2), round(ay, 2)), (round(ax + (bx - ax) * share, 2), round(ay + (by - ay) * share, 2))), 0.08
    )
    return (line & blocked).bit_count() / 20
