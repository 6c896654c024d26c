"""Stops as they are drawn: cities with slots and tokens, small stations, halts, offboard areas."""

import math
from collections.abc import Mapping, Sequence

from engine.hex_view import Stop
from engine.view import Brand
from render import fonts
from render.fonts import clean_text
from render.hexes import room
from render.hexes.room import Cells
from render.hexes.track import SLOT_RADII, StopSpot, find_slot_centres
from render.scene import CAP, Box, Chip, Curve, Disc, Item, Label, Livery, Point
from render.theme import Theme

VALUES = ((0.29, 0.435), (0.25, 0.37), (0.215, 0.32))
"""Radius of the disc of a value and size of its figures, the smaller ones for crowded tiles."""

UNKNOWN = Livery("#8a8a8a", "#000000", "#000000")


class Liveries:
    """The liveries of a view's companies, by code."""

    def __init__(self, brands: Sequence[Brand], theme: Theme) -> None:
        self._known: Mapping[str, Livery] = theme.assign_liveries(tuple(brands))

    def find(self, code: str) -> Livery:
        """Return a company's livery; grey for one that the view does not know."""
        return self._known.get(code, UNKNOWN)


def draw_token(
    code: str, at: Point, radius: float, livery: Livery, *, flipped: bool = False, ghost: bool = False
) -> Chip:
    """Return a company's token as a disc, its letters as large as they fit."""
    lines = split_code_into_lines(code)
    size = max(
        _find_size_in_disc(lines, radius * (0.78 if ghost else 0.8 if livery.pattern != "plain" else 0.9)), radius * 0.3
    )
    return Chip(
        *at, 2 * radius, 2 * radius, lines, round(size, 3), livery,
        disc=True, flipped=flipped, ghost=ghost, about=f"company:{code}",
    )  # fmt: skip


def split_code_into_lines(code: str) -> tuple[str, ...]:
    """Return a code in one line of at most three letters, or in two lines."""
    code = clean_text(code)[:8]
    if len(code) <= 3:
        return (code,)
    breaks = [k for k in range(1, len(code)) if not code[k].islower()] or [len(code) // 2]
    best = min(breaks, key=lambda k: (abs(2 * k - len(code)), -k))
    return code[:best], code[best:]


def _find_size_in_disc(lines: Sequence[str], radius: float) -> float:
    """Return the largest font size at which lines fit into a circle."""
    for step in range(30, 5, -1):
        size = radius * step / 20
        half = (0.84 * size * (len(lines) - 1) + CAP * size) / 2
        if half < radius and max(fonts.measure_text(line, size) for line in lines) / 2 <= math.sqrt(
            radius**2 - half**2
        ):
            return size
    return radius * 0.3


def draw_city(stop: Stop, spot: StopSpot, waiting: Sequence[str], liveries: Liveries) -> tuple[list[Item], Cells]:
    """Return a city with its tokens and the cells it covers; ``waiting`` are homes to show."""
    centres = find_slot_centres(stop, spot)
    r = SLOT_RADII[len(centres)]
    items: list[Item] = []
    if len(centres) > 1:
        ring = [*centres, centres[0]] if len(centres) == 3 else _order_around(centres)
        items.append(Curve(tuple(ring), "casing", 2 * r + 0.07, joined=True, round=True))
    items += [Disc(x, y, r + 0.035, "casing") for x, y in centres]
    if len(centres) == 4:
        items.append(Disc(spot.x, spot.y, 2 * r * 0.72, "casing"))
    ghosts = [code for code in (*stop.reserved, *waiting) if all(t is None or t.company != code for t in stop.tokens)]
    for k, (x, y) in enumerate(centres):
        placed = stop.tokens[k] if k < len(stop.tokens) else None
        items.append(Disc(x, y, r, "slot", "slot_line", 0.035))
        if placed:
            items.append(draw_token(placed.company, (x, y), r, liveries.find(placed.company), flipped=placed.flipped))
        elif ghosts:
            code = ghosts.pop(0)
            items.append(draw_token(code, (x, y), r, liveries.find(code), ghost=True))
    cells = 0
    for x, y in centres:
        cells |= room.find_disc_cells(round(x, 2), round(y, 2), r + 0.035)
    return items, cells


def _order_around(centres: Sequence[Point]) -> list[Point]:
    """Return centres in an order that goes around them."""
    if len(centres) < 4:
        return list(centres)
    a, b, c, d = centres
    return [a, b, d, c, a]


def draw_town(spot: StopSpot) -> tuple[list[Item], Cells]:
    """Return a small station: a bar across its track, or a dot where several tracks meet."""
    if spot.along is None:
        return [Disc(spot.x, spot.y, 0.18, "town", "casing", 0.04)], room.find_disc_cells(
            round(spot.x, 2), round(spot.y, 2), 0.2
        )
    ux, uy = -spot.along[1], spot.along[0]
    ends = ((spot.x - ux * 0.21, spot.y - uy * 0.21), (spot.x + ux * 0.21, spot.y + uy * 0.21))
    rim = ((spot.x - ux * 0.25, spot.y - uy * 0.25), (spot.x + ux * 0.25, spot.y + uy * 0.25))
    return [Curve(rim, "casing", 0.25), Curve(ends, "town", 0.17)], room.find_stroke_cells(rim, 0.27)


def draw_halt(stop: Stop, spot: StopSpot) -> tuple[list[Item], Cells]:
    """Return a halt: a grey disc with its sign, say the currency, where it earns a subsidy and no revenue."""
    return [
        Disc(spot.x, spot.y, 0.225, "casing"),
        Disc(spot.x, spot.y, 0.19, "halt", "halt_line", 0.035),
        Label(spot.x, spot.y, clean_text(stop.sign)[:2], 0.31, "ink"),
    ], room.find_disc_cells(round(spot.x, 2), round(spot.y, 2), 0.24)


def draw_village(spot: StopSpot) -> tuple[list[Item], Cells]:
    """Return the dot of a village that no track has reached."""
    return [Disc(spot.x, spot.y, 0.15, "town", "casing", 0.03)], room.find_disc_cells(
        round(spot.x, 2), round(spot.y, 2), 0.17
    )


def make_value_shape(value: int, rank: int) -> Cells:
    """Return the cells that a value needs in one of the sizes of ``VALUES``, its rim left out."""
    return find_value_cells(value, (0.0, 0.0), rank, -0.02)


def find_value_cells(value: int, at: Point, rank: int, rim: float = 0.035) -> Cells:
    """Return the cells that a value covers."""
    radius, size = VALUES[rank]
    x, y = round(at[0], 2), round(at[1], 2)
    wide = _measure_value(value, size)
    if not wide:
        return room.find_disc_cells(x, y, radius + rim)
    return room.find_box_cells(x - wide / 2, y - radius * 0.8, x + wide / 2, y + radius * 0.8)


def _measure_value(value: int, size: float) -> float:
    """Return the width of the plate of a value of three figures; 0 for a disc."""
    return fonts.measure_text(str(value), size) + 0.16 if len(str(value)) > 2 else 0.0


def draw_value(value: int, at: Point, rank: int) -> list[Item]:
    """Return a value in its disc, or in an oblong plate if it has three figures."""
    x, y = at
    radius, size = VALUES[rank]
    wide, high = _measure_value(value, size), radius * 1.7
    ground: Item = (
        Box(x - wide / 2, y - high / 2, wide, high, high * 0.4, "disc", "ink", 0.03)
        if wide
        else Disc(x, y, radius, "disc", "ink", 0.03)
    )
    return [ground, Label(x, y, str(value), size)]


def draw_value_on_stop(value: int, spot: StopSpot) -> list[Item]:
    """Return a value that stands on its small station itself."""
    return [Disc(spot.x, spot.y, 0.235, "disc", "town", 0.05), Label(spot.x, spot.y, str(value), VALUES[-1][1])]
