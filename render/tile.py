"""One hex with its tile: track, stops and labels, each where nothing else is."""

from collections.abc import Sequence
from functools import lru_cache

from engine.record import Record
from engine.view import Brand, HexView
from render import fonts, room, station
from render.geometry import CORNERS, into_hex, middle, side_corners, toward
from render.room import Room, wished
from render.scene import Box, Curve, Disc, Face, Item, Label, Point, Polygon
from render.station import Liveries
from render.theme import load
from render.track import FIRST_STOP, SIDES, Course, course

TRACK, CASING = 0.13, 0.215
NAME_SIZES = (0.3, 0.27, 0.24, 0.21)
COORD_SIZE, NUMBER_SIZE, LETTER_SIZE, CHOICE_SIZE = 0.25, 0.2, 0.52, 0.46


class Art(Record, frozen=True):
    """A hex drawn: what lies under runs, what lies over them, and the run numbers' free places."""

    ground: tuple[Item, ...]
    items: tuple[Item, ...]
    missing: tuple[str, ...] = ()


def art(hex_view: HexView, brands: Sequence[Brand], palette: str, badges: tuple[tuple[int, Point], ...] = ()) -> Art:
    """Return a hex drawn around its centre.

    ``badges`` are the numbers of runs that end here, each with the point it
    belongs to.
    """
    codes = {token.company for stop in hex_view.stops for token in stop.tokens if token}
    codes |= {code for stop in hex_view.stops for code in stop.reserved} | set(hex_view.homes)
    return _art(hex_view, tuple(brand for brand in brands if brand.code in codes), palette, badges)


@lru_cache(maxsize=4096)
def _art(hex_view: HexView, brands: tuple[Brand, ...], palette: str, badges: tuple[tuple[int, Point], ...]) -> Art:
    drawing = _Drawing(hex_view, Liveries(brands, load(palette)), palette)
    drawing.track()
    drawing.stops()
    drawing.labels(badges)
    ground, items = tuple(drawing.ground), tuple(drawing.items)
    return Art(ground, items, tuple(drawing.missing))


class _Drawing:
    """A hex while it is drawn."""

    def __init__(self, hex_view: HexView, liveries: Liveries, palette: str) -> None:
        self.hex, self.liveries, self.palette = hex_view, liveries, palette
        self.course: Course = course(hex_view)
        self.room = Room()
        self.ground: list[Item] = [Polygon(CORNERS, hex_view.ink if hex_view.ink != "plain" else "land")]
        self.items: list[Item] = []
        self.missing: list[str] = []
        for side in hex_view.barriers:
            self.room.cross(room.stroke(side_corners(side), 0.14))

    def track(self) -> None:
        """Draw the track, as rails, as the deck of a pier, or as an arrow into a red area."""
        if self.hex.ink == "sea":
            for curve in self.course.curves:
                self._pier(curve)
        elif self.hex.ink == "red":
            self._arrows()
        else:
            self._rails()

    def _rails(self) -> None:
        for group in _joined(self.hex):
            for role, width in (("casing", CASING), ("track", TRACK)):
                for k in group:
                    self.items.append(Curve(self.course.curves[k], role, width))
        for curve in self.course.curves:
            self.room.cross(room.stroke(_rounded(curve), CASING + 0.02))

    def _pier(self, curve: tuple[Point, ...]) -> None:
        self.items.append(Curve(curve, "pier_line", 0.3))
        self.items.append(Curve(curve, "pier", 0.24))
        self.items.append(Curve(curve, "pier_line", 0.24, dash=(0.1, 0.25)))
        self.items += [Curve(curve, "casing", 0.17), Curve(curve, "track", 0.11)]
        self.room.cross(room.stroke(_rounded(curve), 0.3))

    def _arrows(self) -> None:
        for track in self.hex.track:
            for side in (end for end in (track.a, track.b) if end < SIDES):
                (mx, my), (ux, uy) = middle(side), toward(side)
                wing, tip = 0.15, 0.36
                points = ((mx - uy * wing, my + ux * wing), (mx + uy * wing, my - ux * wing), (mx - ux * tip, my - uy * tip))
                self.items.append(Polygon(points, "track", "casing", 0.03))
                self.room.take(room.stroke((points[2], (mx, my)), 0.24))

    def stops(self) -> None:
        """Draw the stops, then their values."""
        waiting = list(self.hex.homes)
        reserved = {code for stop in self.hex.stops for code in stop.reserved}
        waiting = [code for code in waiting if code not in reserved]
        for stop, spot in zip(self.hex.stops, self.course.spots, strict=True):
            if stop.kind == "city":
                items, cells = station.city(stop, spot, waiting, self.liveries)
                waiting = waiting[sum(1 for t in stop.tokens if t is None) or stop.slots :]
            elif stop.kind == "offboard":
                items, cells = self._offboard(stop, spot) if stop.values else ([], 0)
            elif stop.kind == "halt" and self.hex.track:
                items, cells = station.halt(spot)
            else:
                items, cells = station.town(spot) if self.hex.track else station.village(spot)
            self.items += items
            self.room.take(cells)
        self._values()

    def _offboard(self, stop, spot):  # type: ignore[no-untyped-def]
        return station.scale_of_values(stop, (spot.x, spot.y))

    def _values(self) -> None:
        for stop, spot in zip(self.hex.stops, self.course.spots, strict=True):
            if stop.value is None or stop.values or (stop.value == 0 and stop.kind != "offboard"):
                continue
            places = wished("value", round(spot.x, 2), round(spot.y, 2))
            at = self.room.squeeze(station.value_shape(stop.value), places)
            self.items += station.value_disc(stop.value, at)

    def labels(self, badges: tuple[tuple[int, Point], ...]) -> None:
        """Draw numbers of runs, the choice, the letter, cost, coordinate, name and tile number."""
        for number, (x, y) in badges:
            at = self.room.squeeze(room.disc(0, 0, 0.23), wished("near", round(x, 2), round(y, 2)))
            role = load(self.palette).stroke(number - 1).colour
            self.items += [
                Disc(*at, 0.23, "casing"),
                Disc(*at, 0.2, role),
                Label(*at, str(number), 0.32, "#ffffff"),
            ]
        if self.hex.choice:
            self._choice()
        if self.hex.letter:
            self._text(self.hex.letter, LETTER_SIZE, "letter", "ink", "bold")
        if self.hex.cost:
            self._cost()
        coord = self._fit((self.hex.coord,), (COORD_SIZE, 0.22), "coord")
        if coord:
            self._write(coord, "ink_soft" if self.hex.ink == "plain" else "ink", "semi")
        elif self.hex.coord:
            self.missing.append(self.hex.coord)
        self._names()
        if self.hex.tile:
            number = self._fit((self.hex.tile,), (NUMBER_SIZE, 0.17), "number")
            if number:
                self._write(number, "ink", "text")

    def _choice(self) -> None:
        text = self.hex.choice[:3]
        wide = max(0.62, fonts.width(text, CHOICE_SIZE) + 0.24)
        at = self.room.squeeze(room.box(-wide / 2, -0.31, wide / 2, 0.31), wished("near", 0.0, -0.45))
        self.items += [
            Box(at[0] - wide / 2, at[1] - 0.31, wide, 0.62, 0.31, "choice", "casing", 0.045),
            Label(*at, text, CHOICE_SIZE, "choice_ink"),
        ]

    def _cost(self) -> None:
        text = str(self.hex.cost)
        wide = fonts.width(text, 0.4) + 0.36
        at = self.room.squeeze(room.box(-wide / 2, -0.18, wide / 2, 0.18), wished("cost"))
        role = "water" if self.hex.terrain == "water" else "hill"
        x, y = at[0] - wide / 2 + 0.15, at[1]
        if role == "water":
            for drop in (-0.09, 0.06):
                wave = ((x - 0.15, y + drop + 0.03), (x - 0.05, y + drop - 0.15), (x + 0.05, y + drop + 0.21), (x + 0.15, y + drop + 0.03))
                self.items.append(Curve(wave, role, 0.055))
        else:
            self.items.append(Polygon(((x - 0.15, y + 0.14), (x, y - 0.14), (x + 0.15, y + 0.14)), role))
        self.items.append(Label(at[0] + wide / 2, y, text, 0.4, role, "bold", "r"))

    def _names(self) -> None:
        if not self.hex.name:
            return
        for size in NAME_SIZES:
            for lines in _line_breaks(self.hex.name, few=size > 0.25):
                found = self._fit(lines, (size,), "name")
                if found:
                    self._write(found, "sea_ink" if self.hex.ink == "sea" else "ink", "semi")
                    return
        if not self.hex.tile:
            short = (fonts.fitted(self.hex.name, NAME_SIZES[-1], 1.2, "semi"),)
            at = self.room.squeeze(_text_shape(short, NAME_SIZES[-1], "semi"), wished("name"))
            self._write((short, at, NAME_SIZES[-1]), "ink", "semi")
        else:
            self.missing.append(self.hex.name)

    def _text(self, text: str, size: float, wish: room.Wish, colour: str, face: Face) -> None:
        at = self.room.squeeze(_text_shape((text,), size, face), wished(wish))
        self._write(((text,), at, size), colour, face)

    def _fit(
        self, lines: tuple[str, ...], sizes: Sequence[float], wish: room.Wish
    ) -> tuple[tuple[str, ...], Point, float] | None:
        """Find room for lines at the first size that fits anywhere."""
        for size in sizes:
            at = self.room.find(_text_shape(lines, size, "semi"), wished(wish))
            if at:
                return lines, at, size
        return None

    def _write(self, found: tuple[tuple[str, ...], Point, float], colour: str, face: Face) -> None:
        lines, (x, y), size = found
        for k, line in enumerate(lines):
            drop = (k - (len(lines) - 1) / 2) * size * LINE
            self.items.append(Label(x, round(y + drop, 4), line, size, colour, face))


LINE = 0.98
"""Distance of lines, of the size of the font."""


def _text_shape(lines: Sequence[str], size: float, face: Face) -> room.Cells:
    """Return the cells that lines of text need, around their middle."""
    half = max(fonts.width(line, size, face) for line in lines) / 2 + 0.015
    high = ((len(lines) - 1) * LINE + 0.72) * size / 2 + 0.015
    hang = 0.2 * size if any(sign in "gjpqy,;()Q" for sign in lines[-1]) else 0.0
    return room.box(-half, -high, half, high + hang)


def _line_breaks(name: str, *, few: bool) -> list[tuple[str, ...]]:
    """Return a name in one line, and in two if it has words to break between."""
    words = fonts.clean(name).split(" ")
    breaks = [(" ".join(words[:k]), " ".join(words[k:])) for k in range(1, len(words))]
    best = sorted(breaks, key=lambda pair: max(fonts.width(part, 1.0, "semi") for part in pair))[:1]
    return [(" ".join(words),), *best] if few or len(words) < 2 else [*best, (" ".join(words),)]


def _rounded(curve: tuple[Point, ...]) -> tuple[Point, ...]:
    return tuple((round(x, 3), round(y, 3)) for x, y in curve)


def _joined(hex_view: HexView) -> list[list[int]]:
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


def leg_curve(hex_view: HexView, a: int, b: int) -> list[tuple[Point, ...]]:
    """Return the track between two ends of a leg: the piece itself, or the pieces that lead from one to the other."""
    the_course = course(hex_view)
    pieces = {frozenset((t.a, t.b)): curve for t, curve in zip(hex_view.track, the_course.curves, strict=True)}
    if frozenset((a, b)) in pieces:
        return [pieces[frozenset((a, b))]]
    steps: list[tuple[int, list[tuple[Point, ...]]]] = [(a, [])]
    seen = {a}
    for end, way in steps:
        if end == b:
            return way
        for track, curve in zip(hex_view.track, the_course.curves, strict=True):
            if end in (track.a, track.b):
                other = track.b if track.a == end else track.a
                if other not in seen and (other == b or other >= FIRST_STOP):
                    seen.add(other)
                    steps.append((other, [*way, curve]))
    return [] if FIRST_STOP <= max(a, b) else [into_hex(a, (0.0, 0.0)), into_hex(b, (0.0, 0.0))]


def end_point(hex_view: HexView, end: int) -> Point:
    """Return where a leg ends: the middle of a side, or a stop."""
    spots = course(hex_view).spots
    if end < SIDES:
        return middle(end)
    return (spots[end - FIRST_STOP].x, spots[end - FIRST_STOP].y) if end - FIRST_STOP < len(spots) else (0.0, 0.0)


