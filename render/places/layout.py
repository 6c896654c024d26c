"""Where everything stands on a map of places and links, whatever is built on it: worked out once for a board."""

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

from engine.record import Record
from engine.view import Network
from render import fonts
from render.hexes.names import list_line_breaks
from render.places.spread import Axis, Frame, list_frames_along, list_frames_around, make_frame_around, push_apart
from render.scene import CAP, Point

PIXELS = 1600
HEAD, LOW_EDGE, LEFT_EDGE, RIGHT_EDGE = 120, 60, 220, 110
"""Sea on the four sides of the places: names and chips stand there."""

FLAT, TALL = 0.45, 1.1
"""Least and greatest height of a map in parts of its width."""

ROOM = 38000
"""Square pixels that each place has at least, for its name and the costs around it."""

APART = 130
"""Least distance of two places: room for the cost of a link between them."""

NAME, RADIUS = 29, 31
CHIP, BADGE = (68.0, 36.0), (60.0, 34.0)
CUBE = 36.0
ROUNDS, MORE_ROUNDS, MANY = 1, 2, 45
"""How often badges, names and goods are placed again once all others stand, the latter where there are many places."""

LEADER = 26.0
"""How far from its place a name stands before a line leads to it."""

GAPS, FAR_GAPS = (2.0, 6.0, 12.0, 20.0), (32.0, 48.0)
WAYS = 24
"""How far from its place a name is tried, the latter where there are many places, and in how many directions."""

STEP = NAME * 0.96
"""Distance of the two lines of a name."""

FINE = 7.0
"""Harm below which no better place is looked for."""

HIDING = 2.6
"""Harm of a pixel of a link under a label, beside that of a pixel farther from its place."""


class NameBox(Record, frozen=True):
    """A name in one line or two, and its frame.

    ``led`` tells that a line leads to it, ``hides`` that it lies over a link, of which it hides a piece.
    """

    lines: tuple[str, ...]
    frame: Frame
    led: bool
    hides: bool


class PlaceSpot(Record, frozen=True):
    """A place on the board: where it is, where its name, its goods and a company's chip stand."""

    at: Point
    name: NameBox
    cube: Point
    chip: Frame


class Layout(Record, frozen=True):
    """All spots by the id of their place, the badge of each link, and how high the map is."""

    spots: dict[str, PlaceSpot]
    badges: tuple[Frame, ...]
    height: float
    span: tuple[tuple[float, float], tuple[float, float]]
    points: tuple[Point, ...]

    def outline(self, points: tuple[Point, ...]) -> tuple[Point, ...]:
        """Return a line on the view's canvas in pixels, where places crowd farther from others."""
        return _make_outline(points, self.points, self.span, self.height)


_Key = tuple[
    tuple[tuple[str, str, float, float, str], ...],
    tuple[tuple[str, str], ...],
    tuple[tuple[float, float], tuple[float, float]],
    float,
]


def lay_out(view: Network) -> Layout:
    """Return where everything stands on a network."""
    places = tuple((p.id, p.name, p.x, p.y, p.shape) for p in view.places)
    known = {p.id for p in view.places}
    links = tuple((link.a, link.b) for link in view.links if link.a in known and link.b in known)
    points = [(p.x, p.y) for p in view.places] + [point for outline in view.outlines for point in outline]
    wide, tall = (
        _measure_value_range([x for x, _ in points], view.width),
        _measure_value_range([y for _, y in points], view.height),
    )
    ratio = max(view.height / max(view.width, 1.0), FLAT, len(places) * ROOM / PIXELS**2)
    high = round(PIXELS * min(ratio, TALL))
    return _lay_out((places, links, (wide, tall), float(HEAD + high)))


def _measure_value_range(values: list[float], whole: float) -> tuple[float, float]:
    """Return the least and the greatest value; the whole canvas where they do not differ."""
    least, greatest = min(values, default=0.0), max(values, default=0.0)
    return (least, greatest) if greatest > least else (0.0, whole)


@lru_cache(maxsize=32)
def _make_axes(
    points: tuple[Point, ...], span: tuple[tuple[float, float], tuple[float, float]], height: float
) -> tuple[Axis, Axis]:
    across = Axis([x for x, _ in points], span[0], (LEFT_EDGE, PIXELS - RIGHT_EDGE))
    return across, Axis([y for _, y in points], span[1], (HEAD + 20, height - LOW_EDGE))


@lru_cache(maxsize=64)
def _make_outline(
    line: tuple[Point, ...],
    points: tuple[Point, ...],
    span: tuple[tuple[float, float], tuple[float, float]],
    high: float,
) -> tuple[Point, ...]:
    across, down = _make_axes(points, span, high)
    return tuple((round(across.find_pixel(x), 1), round(down.find_pixel(y), 1)) for x, y in line)


@lru_cache(maxsize=32)
def _lay_out(key: _Key) -> Layout:
    places, links, span, height = key
    points = tuple((x, y) for _, _, x, y, _ in places)
    across, down = _make_axes(points, span, height)
    wanted = {name: (round(across.find_pixel(x), 1), round(down.find_pixel(y), 1)) for name, _, x, y, _ in places}
    frame = (LEFT_EDGE - 50.0, HEAD + 20.0, PIXELS - RIGHT_EDGE + 20.0, height - LOW_EDGE)
    spots = push_apart(wanted, APART, frame)
    free = _Free(height, [(spots[a], spots[b]) for a, b in links], list(spots.values()))
    badges = [free.take_best(list_frames_along(*line, *BADGE), lines=False) for line in free.lines]
    chips = {
        name: free.take_best(list_frames_around(*spots[name], *CHIP, RADIUS), of=spots[name])
        for name, _, _, _, shape in places
        if shape == "hexagon"
    }
    names: dict[str, NameBox] = {}
    cubes: dict[str, Frame] = {}
    crowded = sorted(places, key=lambda place: (-free.count_near(spots[place[0]]), -len(place[1]), place[0]))
    rounds, gaps = (ROUNDS, GAPS) if len(places) <= MANY else (MORE_ROUNDS, (*GAPS, *FAR_GAPS))
    for again in range(1 + rounds):
        for k, line in enumerate(free.lines if again else ()):
            free.frames.remove(badges[k])
            badges[k] = free.take_best(list_frames_along(*line, *BADGE), lines=False)
        for name, text, *_ in crowded:
            if again:
                free.frames.remove(names[name].frame)
            names[name] = _place_name(free, spots[name], text, gaps)
        for name, *_ in places if again else ():
            if name in cubes:
                free.frames.remove(cubes[name])
            cubes[name] = free.take_best(_list_frames_at_corners(spots[name]))
    return Layout(
        {
            name: PlaceSpot(at, names[name], (cubes[name].x, cubes[name].y), chips.get(name, Frame(*at, *CHIP)))
            for name, at in spots.items()
        },
        tuple(badges),
        height,
        span,
        points,
    )


def _place_name(free: "_Free", at: Point, text: str, gaps: Sequence[float]) -> NameBox:
    """Return the lines of a name and their frame, and whether it stands so far off that a line leads to it."""
    tried: dict[Frame, tuple[str, ...]] = {}
    for gap in gaps:
        for lines in list_line_breaks(fonts.cut_to_fit(text, NAME, 300, "semi"))[:2]:
            wide = max(fonts.measure_text(line, NAME, "semi") for line in lines) + 8
            high = NAME * CAP + 12 + (len(lines) - 1) * STEP
            tried |= dict.fromkeys(_list_frames_around(at, (wide, high), RADIUS + gap), lines)
    found = free.take_best(list(tried), of=at)
    hides = any(_measure_length_in(found, line) for line in free.lines)
    return NameBox(tried[found], found, found.measure_distance(at) > RADIUS + LEADER, hides)


def _list_frames_around(at: Point, size: tuple[float, float], gap: float) -> Iterator[Frame]:
    """Yield frames round a point that keep a gap to it, below and above first."""
    for k in sorted(range(WAYS), key=lambda k: (abs(math.cos(2 * math.pi * k / WAYS)), k)):
        ux, uy = math.cos(2 * math.pi * k / WAYS), math.sin(2 * math.pi * k / WAYS)
        near, far = gap, gap + sum(size)
        while far - near > 0.5:
            half = (near + far) / 2
            inside = math.hypot(max(abs(ux) * half - size[0] / 2, 0), max(abs(uy) * half - size[1] / 2, 0)) < gap
            near, far = (half, far) if inside else (near, half)
        yield Frame(round(at[0] + ux * far, 1), round(at[1] + uy * far, 1), *size)


def _list_frames_at_corners(at: Point) -> list[Frame]:
    steps = ((1, 1), (-1, 1), (1, -1), (-1, -1), (1.35, 0), (-1.35, 0), (0, 1.6), (0, -1.6))
    return [Frame(at[0] + dx * 38, at[1] + dy * 30, CUBE, CUBE) for dx, dy in steps]


class _Free:
    """What is on the map already: frames and places that must not be covered, lines that had better not be."""

    def __init__(self, height: float, lines: list[tuple[Point, Point]], places: list[Point]) -> None:
        self.height, self.lines, self.places = height, lines, places
        self.frames = [Frame(x, y, 2 * RADIUS + 8, 2 * RADIUS + 8) for x, y in places]

    def count_near(self, at: Point) -> int:
        """Return how many places are near."""
        return sum(math.dist(at, place) < 210 for place in self.places)

    def take_best(self, frames: Sequence[Frame], *, lines: bool = True, of: Point | None = None) -> Frame:
        """Take the frame that covers least; of equal ones the first. ``of`` is the place a label belongs to."""
        whole = make_frame_around(frames)
        near = [other for other in self.frames if whole.measure_shared_area(other)]
        crossing = [line for line in self.lines if lines and _is_crossed(line, whole)]
        rivals = [place for place in self.places if of and place != of and math.dist(place, of) < 400]
        best, least = frames[0], math.inf
        for frame in frames:
            harm = 40 * sum(frame.measure_shared_area(other) for other in near) + self._measure_outside(frame)
            if harm < least:
                harm += HIDING * sum(_measure_length_in(frame, line) for line in crossing)
            if of and harm < least:
                harm += _measure_doubt(frame, of, rivals)
            if harm < least:
                best, least = frame, harm
                if least < FINE:
                    break
        self.frames.append(best)
        return best

    def _measure_outside(self, frame: Frame) -> float:
        left, top = frame.x - frame.width / 2, frame.y - frame.height / 2
        over = max(6 - left, 0) + max(HEAD - 30 - top, 0)
        return 10000 * (over + max(left + frame.width - PIXELS + 6, 0) + max(top + frame.height - self.height, 0))


def _is_crossed(line: tuple[Point, Point], frame: Frame) -> bool:
    """Return whether the rectangle around a line meets a frame."""
    (ax, ay), (bx, by) = line
    return (
        abs((ax + bx) / 2 - frame.x) < (abs(bx - ax) + frame.width) / 2
        and abs((ay + by) / 2 - frame.y) < (abs(by - ay) + frame.height) / 2
    )


def _measure_length_in(frame: Frame, line: tuple[Point, Point]) -> float:
    """Return how much of a line, as broad as a built link, lies in a frame."""
    if not _is_crossed(line, frame):
        return 0.0
    (ax, ay), (bx, by) = line
    first, last = 0.0, 1.0
    for start, step, middle, half in (
        (ax, bx - ax, frame.x, frame.width / 2 + 10),
        (ay, by - ay, frame.y, frame.height / 2 + 10),
    ):
        if not step:
            if abs(start - middle) > half:
                return 0.0
            continue
        one, two = sorted(((middle - half - start) / step, (middle + half - start) / step))
        first, last = max(first, one), min(last, two)
    return max(0.0, last - first) * math.dist(*line)


def _measure_doubt(frame: Frame, of: Point, rivals: Sequence[Point]) -> float:
    """Return how much nearer a label is to other places than it should be, and how far from its own."""
    own = frame.measure_distance(of)
    others = min((frame.measure_distance(place) for place in rivals), default=math.inf)
    return 2.2 * max(0.0, own - RADIUS - 3) + 160 * max(0.0, 1.5 * own + 8 - others)
