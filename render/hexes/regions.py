"""Areas of several hexes: each is drawn as one region, with one name and one strip of values."""

import math
from collections.abc import Sequence

import msgspec

from engine.hex_view import HexView, Stop
from render.geometry import centre, neighbour, toward
from render.hexes.track import FIRST_STOP, SIDES
from render.scene import Curve, Item

LEAST = 2
"""Hexes that make an area a region."""


def gathered(hexes: Sequence[HexView]) -> tuple[HexView, ...]:
    """Return hexes of which only the middlemost of each region tells what it is worth."""
    where = {(h.x, h.y): h for h in hexes}
    told: dict[str, set[str]] = {}
    for name in {stop.name for h in hexes for stop in _areas(h)}:
        for region in _regions([h for h in hexes if any(stop.name == name for stop in _areas(h))], where):
            if len(region) >= LEAST:
                first = _middlemost(region)
                for h in region:
                    if h is not first:
                        told.setdefault(h.coord, set()).add(name)
    return tuple(_without(h, told[h.coord]) if h.coord in told else h for h in hexes)


def _areas(hex_view: HexView) -> list[Stop]:
    return [stop for stop in hex_view.stops if stop.values and hex_view.ink == "red"]


def _regions(members: Sequence[HexView], where: dict[tuple[int, int], HexView]) -> list[list[HexView]]:
    """Return hexes in groups of which each is connected side by side."""
    left = {(h.x, h.y) for h in members}
    groups: list[list[HexView]] = []
    while left:
        todo = [min(left)]
        left.discard(todo[0])
        for x, y in todo:
            beside = [neighbour(side, where[x, y].layout) for side in range(SIDES)]
            near = [(x + dx, y + dy) for dx, dy in beside if (x + dx, y + dy) in left]
            left.difference_update(near)
            todo += near
        groups.append([where[at] for at in todo])
    return groups


def _middlemost(region: Sequence[HexView]) -> HexView:
    """Return the hex of one area only, with least track, that lies nearest to the middle of its region."""
    spots = [centre(h.x, h.y, h.layout) for h in region]
    middle = (sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots))
    away = {h: math.dist(spot, middle) for h, spot in zip(region, spots, strict=True)}
    return min(region, key=lambda h: (len(_areas(h)), len(h.track), away[h], h.coord))


def _without(hex_view: HexView, names: set[str]) -> HexView:
    """Return a hex without the values of areas that are told elsewhere."""
    stops = tuple(
        msgspec.structs.replace(stop, value=None, values=(), name="") if stop.values and stop.name in names else stop
        for stop in hex_view.stops
    )
    return msgspec.structs.replace(hex_view, stops=stops, name="" if hex_view.name in names else hex_view.name)


def divider(hex_view: HexView) -> list[Item]:
    """Return the border between two areas of a hex: half way between the sides their track comes from."""
    if len(_areas(hex_view)) != 2:
        return []
    sides = [
        [end for end in (t.a, t.b) if end < SIDES]
        for k in range(2)
        for t in hex_view.track
        if FIRST_STOP + k in (t.a, t.b)
    ]
    if len(sides) != 2 or not all(sides):
        return []
    (ax, ay), (bx, by) = (toward(mine[0], hex_view.layout) for mine in sides)
    span = math.hypot(ax + bx, ay + by)
    if not span:
        return []
    ux, uy = (ax + bx) / span, (ay + by) / span
    return [Curve(((-ux, -uy), (ux, uy)), "casing", 0.05, (3.0, 2.4))]
