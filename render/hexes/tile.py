"""One hex with its tile: track, stops and labels, each where nothing else is."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from msgspec.structs import replace

from engine.hex_view import HexView, Layout, Stop
from engine.record import Record
from engine.view import Brand
from render import fonts
from render.geometry import (
    find_centre,
    find_direction_to,
    find_neighbour_step,
    find_side_corners,
    find_side_middle,
    list_corners,
)
from render.hexes import areas, room, station
from render.hexes.labels import Badge, Labels
from render.hexes.room import Cells, Room
from render.hexes.station import Liveries
from render.hexes.track import SIDES, HexTrack, StopSpot, make_leg_curve, place_stops_and_track
from render.scene import CAP, Curve, Disc, Item, Label, Point, Polygon
from render.theme import load_theme

TRACK, CASING, BAND = 0.13, 0.215, 0.46
"""Widths of the rails, of the white beside them, and of a run under both."""

LANES = (BAND, BAND, 0.19, 0.17, 0.17, 0.13)
"""Width of each of several runs beside one piece of track, by how many they are."""


Frame = tuple[float, float, float, float]
NEAR_SIDE, TOUCH = 0.04, -0.03
"""How near to a side words are looked at that might meet those of the next hex, and how near is too near."""


class Art(Record, frozen=True):
    """A hex drawn: its ground, what lies over runs, that without labels, texts without room, words at the sides."""

    ground: tuple[Item, ...]
    items: tuple[Item, ...]
    structure: tuple[Item, ...] = ()
    missing: tuple[str, ...] = ()
    outer: tuple[Frame, ...] = ()


class Visit(Record, frozen=True):
    """What runs do on a hex.

    Args:
        badges: the numbers of those that end here; again: of those that pass, shown where there is room.
        legs: between ends of track, as often as runs go along them.
        inside: names keep well inside the hex, because those of the next one reach its side.
    """

    badges: tuple[Badge, ...] = ()
    legs: tuple[tuple[int, int], ...] = ()
    again: tuple[Badge, ...] = ()
    inside: bool = False


UNVISITED = Visit()


def draw_hex(hex_view: HexView, brands: Sequence[Brand], palette: str, visit: Visit = UNVISITED) -> Art:
    """Return a hex drawn around its centre."""
    return _draw_hex(hex_view, tuple(brands), palette, visit)


@lru_cache(maxsize=4096)
def _draw_hex(hex_view: HexView, brands: tuple[Brand, ...], palette: str, visit: Visit) -> Art:
    drawing = _Drawing(hex_view, Liveries(brands, load_theme(palette)))
    drawing.draw_track()
    drawing.keep_off_runs(visit)
    drawing.room.inside = visit.inside
    drawing.draw_stops()
    labels = Labels(hex_view, drawing.course, drawing.room, palette).choose_placing(visit.badges, visit.again)
    ground = Polygon(list_corners(hex_view.layout), hex_view.ink if hex_view.ink != "plain" else "land")
    items = (*drawing.items, *labels.items)
    outer = _list_words_at_sides(items, hex_view.layout)
    return Art((ground,), items, tuple(drawing.items), labels.missing, outer)


def draw_side_by_side(
    hexes: Sequence[HexView], brands: Sequence[Brand], palette: str, visits: Mapping[str, Visit]
) -> dict[HexView, Art]:
    """Return hexes drawn; where words of two would meet across a side, those of one keep well inside."""
    arts = {h: draw_hex(h, brands, palette, visits.get(h.coord, UNVISITED)) for h in hexes}
    grid = {(h.x, h.y): h for h in hexes if not h.faded}
    outer = {h: _list_frames_on_map(h, arts[h]) for h in grid.values() if arts[h].outer}
    for h, words in outer.items():
        steps = [find_neighbour_step(side, h.layout) for side in range(SIDES // 2)]
        near = [grid[h.x + dx, h.y + dy] for dx, dy in steps if (h.x + dx, h.y + dy) in grid]
        for other in (other for other in near if other in outer):
            for each in (other, h) if any(_meets(one, word) for one in words for word in outer[other]) else ():
                visit = replace(visits.get(each.coord, UNVISITED), inside=True)
                art = draw_hex(each, brands, palette, visit)
                if len(art.missing) <= len(arts[each].missing):  # it has room for all it had
                    arts[each] = art
                    break
    return arts


def _list_words_at_sides(items: Sequence[Item], layout: Layout) -> tuple[Frame, ...]:
    """Return the frames of the words that reach the sides of a hex, around its middle."""
    found: list[Frame] = []
    for label in (item for item in items if isinstance(item, Label) and item.side == "m"):
        wide, high = fonts.measure_text(label.text, label.size, label.face) / 2, CAP * label.size / 2
        left, top, right, low = label.x - wide, label.y - high, label.x + wide, label.y + high
        if not all(room.is_on_hex(px, py, layout, NEAR_SIDE) for px in (left, right) for py in (top, low)):
            found.append((left, top, right, low))
    return tuple(found)


def _list_frames_on_map(h: HexView, art: Art) -> list[Frame]:
    """Return the frames of the words that reach the sides of a hex, where they are on the map."""
    x, y = find_centre(h.x, h.y, h.layout)
    return [(left + x, top + y, right + x, low + y) for left, top, right, low in art.outer]


def _meets(a: Frame, b: Frame) -> bool:
    return min(a[2], b[2]) - max(a[0], b[0]) > TOUCH and min(a[3], b[3]) - max(a[1], b[1]) > TOUCH


class _Drawing:
    """A hex while its track and stops are drawn."""

    def __init__(self, hex_view: HexView, liveries: Liveries) -> None:
        self.hex, self.liveries = hex_view, liveries
        self.course: HexTrack = place_stops_and_track(hex_view)
        self.room = Room(hex_view.layout)
        self.items: list[Item] = []
        for side in hex_view.barriers:
            self.room.mark_track(room.find_stroke_cells(find_side_corners(side, hex_view.layout), 0.14))
        if hex_view.mark:
            self.room.mark_outline(
                room.find_rim_cells(hex_view.layout, room.RING) & ~room.find_rim_cells(hex_view.layout, 0.0)
            )

    def draw_track(self) -> None:
        """Draw the track, as rails, as the deck of a pier, or as an arrow into a red area."""
        if self.hex.ink == "sea":
            for curve in self.course.curves:
                self._draw_pier(curve)
            for spot in self.course.spots if self.course.curves else ():
                self.items.append(Disc(spot.x, spot.y, 0.17, "pier", "pier_line", 0.04))
        elif self.hex.ink == "red":
            self._draw_arrows()
        else:
            self._draw_rails()

    def _draw_rails(self) -> None:
        for group in _group_pieces(self.hex):
            for role, width in (("casing", CASING), ("track", TRACK)):
                for k in group:
                    self.items.append(Curve(self.course.curves[k], role, width))
        for curve in self.course.curves:
            self.room.mark_track(room.find_stroke_cells(_round_numbers(curve), CASING + 0.02))

    def _draw_pier(self, curve: tuple[Point, ...]) -> None:
        self.items.append(Curve(curve, "pier_line", 0.3))
        self.items.append(Curve(curve, "pier", 0.24))
        self.items.append(Curve(curve, "pier_line", 0.24, dash=(0.1, 0.25)))
        self.items += [Curve(curve, "casing", 0.17), Curve(curve, "track", 0.11)]
        self.room.mark_track(room.find_stroke_cells(_round_numbers(curve), 0.3))

    def _draw_arrows(self) -> None:
        for track in self.hex.track:
            for side in (end for end in (track.a, track.b) if end < SIDES):
                (mx, my), (ux, uy) = find_side_middle(side, self.hex.layout), find_direction_to(side, self.hex.layout)
                wing, tip = 0.15, 0.36
                points = (
                    (mx - uy * wing, my + ux * wing),
                    (mx + uy * wing, my - ux * wing),
                    (mx - ux * tip, my - uy * tip),
                )
                self.items.append(Polygon(points, "track", "casing", 0.03))
                self.room.take(room.find_stroke_cells((points[2], (mx, my)), 0.24))

    def keep_off_runs(self, visit: Visit) -> None:
        """Keep labels off the runs."""
        for a, b in dict.fromkeys(visit.legs):
            count = visit.legs.count((a, b)) + visit.legs.count((b, a))
            broad = BAND if count == 1 else CASING + 2 * LANES[min(count, len(LANES) - 1)] * ((count + 1) // 2)
            for curve in make_leg_curve(self.hex, a, b):
                self.room.mark_track(room.find_stroke_cells(_round_numbers(curve), round(broad, 3)))

    def draw_stops(self) -> None:
        """Draw the stops; companies whose base is not placed yet wait in the first free slots."""
        reserved = {code for stop in self.hex.stops for code in stop.reserved}
        waiting = [code for code in self.hex.homes if code not in reserved]
        for stop, spot in zip(self.hex.stops, self.course.spots, strict=True):
            items, cells = self._draw_stop(stop, spot, waiting)
            if stop.kind == "city":
                waiting = waiting[stop.slots - sum(1 for t in stop.tokens if t) :]
            self.items += items
            self.room.take(cells)
        self.items += areas.draw_areas(self.hex, self.course.spots, self.room)

    def _draw_stop(self, stop: Stop, spot: StopSpot, waiting: Sequence[str]) -> tuple[list[Item], Cells]:
        if stop.kind == "city":
            return station.draw_city(stop, spot, waiting, self.liveries)
        if stop.kind == "offboard":
            return [], 0
        if not self.hex.track:
            return station.draw_village(spot)
        return station.draw_halt(stop, spot) if stop.kind == "halt" else station.draw_town(spot)


def _round_numbers(curve: tuple[Point, ...]) -> tuple[Point, ...]:
    return tuple((round(x, 3), round(y, 3)) for x, y in curve)


def _group_pieces(hex_view: HexView) -> list[list[int]]:
    """Return the pieces of track in groups that share an end; one group crosses over another."""
    groups: list[tuple[set[int], list[int]]] = []
    for k, track in enumerate(hex_view.track):
        ends, members = {track.a, track.b}, [k]
        for group in [g for g in groups if g[0] & ends]:
            ends |= group[0]
            members = group[1] + members
            groups.remove(group)
        groups.append((ends, members))
    return [members for _, members in groups]
