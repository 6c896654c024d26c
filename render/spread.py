"""Labels on an open map: each takes the place where it covers least."""

import math
from collections import defaultdict
from collections.abc import Sequence

from engine.record import Record
from render.scene import Point

FIELD, RIVAL = 64, 400
"""Size of the fields that dots are kept by; distance at which a place may claim another's label."""


class Frame(Record, frozen=True):
    """A rectangle by its middle."""

    x: float
    y: float
    width: float
    height: float

    def gap(self, point: Point) -> float:
        """Return how far a point lies outside the rectangle."""
        dx = max(abs(point[0] - self.x) - self.width / 2, 0.0)
        dy = max(abs(point[1] - self.y) - self.height / 2, 0.0)
        return math.hypot(dx, dy)

    def meets(self, other: "Frame") -> float:
        """Return the area that two rectangles share."""
        wide = (self.width + other.width) / 2 - abs(self.x - other.x)
        high = (self.height + other.height) / 2 - abs(self.y - other.y)
        return wide * high if wide > 0 and high > 0 else 0.0


class Spread:
    """What is on the map already: frames that must not be covered, and lines that had better not be."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.frames: list[Frame] = []
        self.places: list[Point] = []
        self.dots: dict[tuple[int, int], list[Point]] = defaultdict(list)

    def line(self, a: Point, b: Point) -> None:
        """Add a line, as dots along it."""
        count = max(1, int(math.dist(a, b) / 8))
        for k in range(count + 1):
            x, y = a[0] + (b[0] - a[0]) * k / count, a[1] + (b[1] - a[1]) * k / count
            self.dots[int(x // FIELD), int(y // FIELD)].append((x, y))

    def take(self, frame: Frame) -> None:
        """Add a frame."""
        self.frames.append(frame)

    def best(self, frames: Sequence[Frame], *, lines: bool = True, of: Point | None = None) -> Frame:
        """Take the frame that covers least; of equal ones the first.

        ``of`` is the place a label belongs to: it must not look like another's.
        """
        near = self._near(frames)
        rivals = [place for place in self.places if of and 0 < math.dist(place, of) < RIVAL]
        harms = [self._harm(f, near, lines=lines) + (_doubt(f, of, rivals) if of else 0.0) for f in frames]
        chosen = frames[harms.index(min(harms))]
        self.take(chosen)
        return chosen

    def _near(self, frames: Sequence[Frame]) -> list[Frame]:
        """Return what could be covered by any of some frames."""
        left = min(f.x - f.width / 2 for f in frames)
        right = max(f.x + f.width / 2 for f in frames)
        top = min(f.y - f.height / 2 for f in frames)
        low = max(f.y + f.height / 2 for f in frames)
        around_all = Frame((left + right) / 2, (top + low) / 2, right - left, low - top)
        return [other for other in self.frames if around_all.meets(other)]

    def _harm(self, frame: Frame, near: Sequence[Frame], *, lines: bool) -> float:
        """Return how bad a frame would be: what it covers, and how far it leaves the map."""
        harm = 40 * sum(frame.meets(other) for other in near)
        if lines:
            harm += 25 * self._dots_in(frame)
        left, top = frame.x - frame.width / 2, frame.y - frame.height / 2
        over = max(-left, 0) + max(-top, 0)
        over += max(left + frame.width - self.width, 0) + max(top + frame.height - self.height, 0)
        return round(harm + 10000 * over, 3)

    def _dots_in(self, frame: Frame) -> int:
        """Return how many dots of lines a frame covers."""
        columns = range(int((frame.x - frame.width / 2) // FIELD), int((frame.x + frame.width / 2) // FIELD) + 1)
        rows = range(int((frame.y - frame.height / 2) // FIELD), int((frame.y + frame.height / 2) // FIELD) + 1)
        fields = [self.dots.get((column, row), ()) for column in columns for row in rows]
        return sum(1 for field in fields for x, y in field if _inside(frame, x, y))


def _doubt(frame: Frame, of: Point, rivals: Sequence[Point]) -> float:
    """Return how much nearer a label is to other places than it should be, and how far from its own."""
    own = frame.gap(of)
    others = min((frame.gap(place) for place in rivals), default=math.inf)
    return 4 * own + 45 * max(0.0, 1.5 * own + 8 - others)


def _inside(frame: Frame, x: float, y: float) -> bool:
    return abs(x - frame.x) < frame.width / 2 and abs(y - frame.y) < frame.height / 2


def around(x: float, y: float, width: float, height: float, away: float) -> list[Frame]:
    """Return frames below, above, beside and at the corners of a point."""
    wide, high = width / 2 + away, height / 2 + away
    steps: Sequence[tuple[float, float]] = (
        (0, high), (0, -high), (wide, 0), (-wide, 0),
        (wide * 0.86, high * 0.62), (-wide * 0.86, high * 0.62),
        (wide * 0.86, -high * 0.62), (-wide * 0.86, -high * 0.62),
        (wide * 0.5, high), (-wide * 0.5, high), (wide * 0.5, -high), (-wide * 0.5, -high),
        (wide, high * 0.3), (-wide, high * 0.3), (wide, -high * 0.3), (-wide, -high * 0.3),
        (wide * 0.7, high * 0.9), (-wide * 0.7, high * 0.9), (wide * 0.7, -high * 0.9), (-wide * 0.7, -high * 0.9),
    )  # fmt: skip
    return [Frame(x + dx * far, y + dy * far, width, height) for far in (1.0, 1.18) for dx, dy in steps]


def along(a: Point, b: Point, width: float, height: float) -> list[Frame]:
    """Return frames on a line, the middle one first."""
    shares = (0.5, 0.45, 0.55, 0.4, 0.6, 0.36, 0.64, 0.32, 0.68)
    return [Frame(a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, width, height) for t in shares]
