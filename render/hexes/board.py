"""Maps of hexes: the sea and the coast, the hexes and areas of several, the runs, what is marked, the legend."""

import math
import re
from collections.abc import Iterator, Sequence

import msgspec

from engine.hex_view import FIRST_STOP, HexView, Stop
from engine.view import MapView
from render.geometry import (
    find_centre,
    find_direction_to,
    find_neighbour_step,
    find_side_corners,
    list_corners,
    measure_half,
)
from render.hexes.bands import collect_visits, draw_bands
from render.hexes.legend import draw_outline, place_legend
from render.hexes.tile import UNVISITED, Art, draw_hex, draw_side_by_side
from render.hexes.track import SIDES, SLOT_RADII, find_slot_centres, place_stops_and_track
from render.scene import Chip, Curve, Disc, Inset, Item, Label, Point, Polygon, Scene, Stamp

PIXELS, MAX_HEIGHT = 1600, 1380
MIN_SIDES_ACROSS = 12.5
"""Width in hex sides below which a picture of few hexes grows no larger."""

USUAL_SIDE_PIXELS = 83.0
"""Pixels of a hex side on a map of twelve columns, for which sizes of letters are given."""

EDGE_SIZE, SMALL = 0.46, 0.12
RING = 1.035
"""Size of the ring round the hex that a panel is about: its labels are within."""

Grid = dict[tuple[int, int], HexView]
_COORD = re.compile(r"([A-Za-z]+)(\d+)")
MIN_GATHERED = 2
"""Hexes that make an area a region."""


def build_scene(view: MapView, palette: str) -> Scene:
    """Return the scene of a map; its unit is a hex side."""
    view = msgspec.structs.replace(view, hexes=drop_empty_sea(view.hexes))
    if not view.hexes:
        return Scene(10, 2, PIXELS, "sea", (Label(5, 1, view.title, 0.6),))
    left, top, right, low = _map_frame(view.hexes, 1.0)
    scale = min(PIXELS / max(MIN_SIDES_ACROSS, right - left), MAX_HEIGHT / (low - top))  # pixels of a hex side
    size = max(0.5, min(1.25, USUAL_SIDE_PIXELS / scale))
    blocks = place_legend(view, palette, size, _map_frame(view.hexes, size))
    left, top, right, low = blocks.frame
    items = [*draw_map(view, palette), *_draw_edge_labels(view.hexes, blocks.map_frame, size), *blocks.items]
    pixels = min(PIXELS, round(scale * (right - left)))
    near = Stamp(-left, -top, tuple(_list_small_words(view, palette)), layer="near")
    size_of_all = (round(right - left, 4), round(low - top, 4))
    return Scene(*size_of_all, pixels, "sea", (Stamp(-left, -top, tuple(items)),), (near,))


def _list_small_words(view: MapView, palette: str) -> Iterator[Item]:
    """Yield what found no room on each hex, its coordinate and the number of its tile, very small at its lower edge."""
    on = collect_visits(view)
    for h in gather_area_values(view.hexes):
        art = draw_hex(h, view.brands, palette, on.get(h.coord, UNVISITED))
        shown = {item.kind for item in art.items if isinstance(item, Label)}
        told = [h.coord] * ("coord" not in shown) + [h.tile] * ("number" not in shown)
        words = " · ".join(dict.fromkeys(filter(None, (*told, *art.missing))))
        if words and not h.faded:
            x, y = find_centre(h.x, h.y, h.layout)
            low = measure_half(h.layout)[1] - 0.09
            yield Label(round(x, 3), round(y + low, 3), words, SMALL, "ink", "text", halo="casing")


def drop_empty_sea(hexes: Sequence[HexView]) -> tuple[HexView, ...]:
    """Return hexes without those of the sea on which nothing is."""
    return tuple(h for h in hexes if h.ink != "sea" or h.stops or h.track or h.mark or h.choice)


def draw_map(view: MapView, palette: str) -> list[Item]:
    """Return the map itself, in the coordinates of its hexes."""
    shown = tuple(  # with the outline of what may be chosen, if it has a number to choose it by
        msgspec.structs.replace(h, mark="can") if h.choice and not h.mark else h for h in gather_area_values(view.hexes)
    )
    grid: Grid = {(h.x, h.y): h for h in shown}
    on = collect_visits(view)
    arts = draw_side_by_side(shown, view.brands, palette, on)
    return [
        *_draw_shoals(grid),
        *_draw_grounds(grid, arts, {(h.x, h.y): h for h in view.hexes}),
        Stamp(0, 0, tuple(draw_bands(view, palette)), layer="runs"),
        *_draw_barriers(grid),
        *(_stamp_on_hex(h, _draw_contents(arts[h], h)) for h in shown),
        Stamp(0, 0, tuple(_draw_acting_rings(view, shown)), layer="acting"),
    ]


def _stamp_on_hex(h: HexView, items: tuple[Item, ...]) -> Stamp:
    """Return items around the centre of a hex, whose name they bear."""
    return Stamp(*find_centre(h.x, h.y, h.layout), items, about=f"hex:{h.coord}" if h.coord else "")


def _draw_acting_rings(view: MapView, hexes: Sequence[HexView]) -> list[Item]:
    """Return rings round the tokens of the company that acts."""
    company = view.banner.company if view.banner else ""
    rings: list[Item] = []
    for h in hexes if company else ():
        cx, cy = find_centre(h.x, h.y, h.layout)
        for stop, spot in zip(h.stops, place_stops_and_track(h).spots, strict=True):
            for token, (x, y) in zip(
                stop.tokens, find_slot_centres(stop, spot) if stop.kind == "city" else (), strict=False
            ):
                if token and token.company == company:
                    r = SLOT_RADII[min(4, max(1, stop.slots))]
                    rings += [
                        Disc(round(cx + x, 3), round(cy + y, 3), round(r + 0.055, 3), "", "ink", 0.1),
                        Disc(round(cx + x, 3), round(cy + y, 3), round(r + 0.038, 3), "", "acting", 0.066),
                    ]
    return rings


def draw_hexes_alone(view: MapView, palette: str, shift: Point) -> list[Item]:
    """Return hexes without sea around them, moved: for panels that show a part of the map.

    Faded hexes keep their track and tokens and lose their labels; what is not
    faded gets a ring.
    """
    grid: Grid = {(h.x, h.y): h for h in view.hexes}
    arts = {h: draw_hex(h, view.brands, palette) for h in view.hexes}
    items: list[Item] = []
    for h in view.hexes:
        ground = () if h.ink == "sea" else arts[h].ground
        outline = Polygon(list_corners(h.layout), line="hexline", width=0.028)
        items.append(Stamp(*find_centre(h.x, h.y, h.layout), (*_draw_hex(ground, h), outline)))
    if any(h.faded for h in view.hexes):
        for h in (h for h in view.hexes if not h.faded):
            points = tuple((x * RING, y * RING) for x, y in list_corners(h.layout))
            items.append(Stamp(*find_centre(h.x, h.y, h.layout), (Polygon(points, line="ink", width=0.075),)))
    for h in view.hexes:
        items.append(Stamp(*find_centre(h.x, h.y, h.layout), _draw_contents(arts[h], h)))
    return [Stamp(*shift, (*items, *_draw_barriers(grid)))]


def _draw_contents(art: Art, hex_view: HexView) -> tuple[Item, ...]:
    """Return what lies on a hex: of surroundings the track and tokens alone."""
    return _draw_hex(art.structure if hex_view.faded else art.items, hex_view)


def _draw_hex(items: tuple[Item, ...], hex_view: HexView) -> tuple[Item, ...]:
    """Return the items of a hex, washed out if it is only surroundings."""
    return tuple(wash_out(item) for item in items) if hex_view.faded else items


def _map_frame(hexes: Sequence[HexView], size: float) -> tuple[float, float, float, float]:
    """Return the frame of the map with room for its edges; ``size`` is that of letters, usually 1."""
    points = [find_centre(h.x, h.y, h.layout) for h in hexes]
    across, down = measure_half(hexes[0].layout)
    return (
        min(x for x, _ in points) - across - 0.62 * size,
        min(y for _, y in points) - down - 0.64 * size,
        max(x for x, _ in points) + across + 0.16,
        max(y for _, y in points) + down + 0.2,
    )


def _list_coast_sides(grid: Grid) -> list[tuple[Point, Point]]:
    """Return the sides of hexes that border the sea."""
    sides: list[tuple[Point, Point]] = []
    for (x, y), hex_view in grid.items():
        if hex_view.ink == "sea":
            continue
        cx, cy = find_centre(x, y, hex_view.layout)
        for side in range(6):
            dx, dy = find_neighbour_step(side, hex_view.layout)
            there = grid.get((x + dx, y + dy))
            if there is None or there.ink == "sea":
                a, b = find_side_corners(side, hex_view.layout)
                sides.append(((a[0] + cx, a[1] + cy), (b[0] + cx, b[1] + cy)))
    return sides


def _draw_shoals(grid: Grid) -> list[Item]:
    """Return the waterlines along the coast."""
    sides = _list_coast_sides(grid)
    return [
        Curve(side, role, width, round=True) for role, width in (("shoal_1", 0.62), ("shoal_2", 0.32)) for side in sides
    ]


def _draw_grounds(grid: Grid, arts: dict[HexView, Art], originals: Grid) -> list[Item]:
    """Return the hexes' colours, the lines between them, the coast and the marks."""
    items: list[Item] = []
    lines: list[Item] = []
    marks: list[Item] = []
    for (x, y), hex_view in grid.items():
        at, outline = find_centre(x, y, hex_view.layout), list_corners(hex_view.layout)
        if hex_view.ink == "sea":
            lines.append(Stamp(*at, (Curve((*outline, outline[0]), "coast", 0.03, (3, 3), joined=True),)))
            continue
        items.append(_stamp_on_hex(hex_view, _draw_hex(arts[hex_view].ground, hex_view)))
        edge = "region_line" if hex_view.ink == "red" else "hexline"
        lines.append(Stamp(*at, (Polygon(outline, line=edge, width=0.028), *draw_divider(originals[x, y]))))
        if hex_view.mark:
            marks.append(Stamp(*at, (_draw_mark(hex_view),)))
    shore = [Curve(side, "coast", 0.07, round=True) for side in _list_coast_sides(grid)]
    return [*items, *lines, *shore, *marks]


def _draw_mark(hex_view: HexView) -> Item:
    items: list[Item] = []
    for mark, share in zip(hex_view.mark.split(), (0.915, 0.8), strict=False):
        points = tuple((x * share, y * share) for x, y in list_corners(hex_view.layout))
        items.append(Stamp(0, 0, tuple(draw_outline(mark, points, 0.085)), layer=mark))
    return Stamp(0, 0, tuple(items))


def _draw_barriers(grid: Grid) -> list[Item]:
    """Return the sides that track may not cross, each drawn once."""
    seen: set[tuple[Point, Point]] = set()
    for (x, y), hex_view in grid.items():
        cx, cy = find_centre(x, y, hex_view.layout)
        for side in hex_view.barriers:
            a, b = find_side_corners(side, hex_view.layout)
            ends = sorted(((round(a[0] + cx, 3), round(a[1] + cy, 3)), (round(b[0] + cx, 3), round(b[1] + cy, 3))))
            seen.add((ends[0], ends[1]))
    sides = sorted(seen)
    return [
        Curve(side, role, width, round=True) for role, width in (("casing", 0.2), ("barrier", 0.13)) for side in sides
    ]


def _draw_edge_labels(hexes: Sequence[HexView], frame: tuple[float, float, float, float], size: float) -> list[Item]:
    """Return what columns and rows are called at the edges: letter and number, of pointy hexes number and letter."""
    left, top, _, _ = frame
    columns: dict[str, float] = {}
    rows: dict[str, float] = {}
    for hex_view in hexes:
        match = _COORD.fullmatch(hex_view.coord)
        if match:
            x, y = find_centre(hex_view.x, hex_view.y, hex_view.layout)
            column, row = (1, 2) if hex_view.layout == "flat" else (2, 1)
            columns.setdefault(match[column], x)
            rows.setdefault(match[row], y)
    high, near = EDGE_SIZE * size, 0.32 * size
    above = [Label(x, top + near, name, high, "sea_ink") for name, x in columns.items()]
    beside = [Label(left + near, y, name, high, "sea_ink") for name, y in rows.items()]
    return [*above, *beside]


def wash_out(item: Item) -> Item:
    """Return an item with all its colours washed out."""
    if isinstance(item, Stamp):
        return msgspec.structs.replace(item, items=tuple(wash_out(part) for part in item.items))
    if isinstance(item, Inset):
        return item
    if isinstance(item, Chip):
        look = item.livery
        faded = msgspec.structs.replace(
            look, fill=_wash_out_role(look.fill), ink=_wash_out_role(look.ink), accent=_wash_out_role(look.accent)
        )
        return msgspec.structs.replace(item, livery=faded)
    roles = {
        name: _wash_out_role(getattr(item, name))
        for name in ("fill", "line", "colour", "halo")
        if getattr(item, name, "")
    }
    return msgspec.structs.replace(item, **roles)


def _wash_out_role(role: str) -> str:
    return role if not role or role.startswith("pale:") else f"pale:{role}"


def gather_area_values(hexes: Sequence[HexView]) -> tuple[HexView, ...]:
    """Return hexes of which only the middlemost of each region tells what it is worth."""
    where = {(h.x, h.y): h for h in hexes}
    told: dict[str, set[str]] = {}
    for name in {stop.name for h in hexes for stop in _list_red_areas(h)}:
        named = [h for h in hexes if any(stop.name == name for stop in _list_red_areas(h))]
        for region in _group_regions(named, where):
            if len(region) >= MIN_GATHERED:
                first = _find_middlemost(region)
                for h in region:
                    if h is not first:
                        told.setdefault(h.coord, set()).add(name)
    return tuple(_remove_area_values(h, told[h.coord]) if h.coord in told else h for h in hexes)


def _list_red_areas(hex_view: HexView) -> list[Stop]:
    return [stop for stop in hex_view.stops if stop.values and hex_view.ink == "red"]


def _group_regions(members: Sequence[HexView], where: dict[tuple[int, int], HexView]) -> list[list[HexView]]:
    """Return hexes in groups of which each is connected side by side."""
    left = {(h.x, h.y) for h in members}
    groups: list[list[HexView]] = []
    while left:
        todo = [min(left)]
        left.discard(todo[0])
        for x, y in todo:
            beside = [find_neighbour_step(side, where[x, y].layout) for side in range(SIDES)]
            near = [(x + dx, y + dy) for dx, dy in beside if (x + dx, y + dy) in left]
            left.difference_update(near)
            todo += near
        groups.append([where[at] for at in todo])
    return groups


def _find_middlemost(region: Sequence[HexView]) -> HexView:
    """Return the hex of one area only, with least track, that lies nearest to the middle of its region."""
    spots = [find_centre(h.x, h.y, h.layout) for h in region]
    middle = (sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots))
    away = {h: math.dist(spot, middle) for h, spot in zip(region, spots, strict=True)}
    return min(region, key=lambda h: (len(_list_red_areas(h)), len(h.track), away[h], h.coord))


def _remove_area_values(hex_view: HexView, names: set[str]) -> HexView:
    """Return a hex without the values of areas that are told elsewhere."""
    stops = tuple(
        msgspec.structs.replace(stop, value=None, values=(), name="") if stop.values and stop.name in names else stop
        for stop in hex_view.stops
    )
    return msgspec.structs.replace(hex_view, stops=stops, name="" if hex_view.name in names else hex_view.name)


def draw_divider(hex_view: HexView) -> list[Item]:
    """Return the border between two areas of a hex: half way between the sides their track comes from."""
    if len(_list_red_areas(hex_view)) != 2:
        return []
    sides = [
        [end for end in (t.a, t.b) if end < SIDES]
        for k in range(2)
        for t in hex_view.track
        if FIRST_STOP + k in (t.a, t.b)
    ]
    if len(sides) != 2 or not all(sides):
        return []
    (ax, ay), (bx, by) = (find_direction_to(mine[0], hex_view.layout) for mine in sides)
    span = math.hypot(ax + bx, ay + by)
    if not span:
        return []
    ux, uy = (ax + bx) / span, (ay + by) / span
    return [Curve(((-ux, -uy), (ux, uy)), "casing", 0.05, (3.0, 2.4))]
