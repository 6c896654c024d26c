"""Room on an open map: places that crowd stand farther apart, each label stands where it covers least."""

import math
from collections.abc import Sequence

from engine.record import Record
from render.scene import Point

WEIGHT, BREADTH = 0.66, 0.11
"""Share of the crowding that is evened out; reach of a place, of the map's width."""
ROUNDS = 80


class Frame(Record, frozen=True):
    """A rectangle by its middle."""

    x: float
    y: float
    width: float
    height: float

    def measure_distance(self, point: Point) -> float:
        """Return how far a point lies outside the rectangle."""
        dx = max(abs(point[0] - self.x) - self.width / 2, 0.0)
        dy = max(abs(point[1] - self.y) - self.height / 2, 0.0)
        return math.hypot(dx, dy)

    def measure_shared_area(self, other: "Frame") -> float:
        """Return the area that two rectangles share."""
        wide = (self.width + other.width) / 2 - abs(self.x - other.x)
        high = (self.height + other.height) / 2 - abs(self.y - other.y)
        return wide * high if wide > 0 and high > 0 else 0.0


def make_frame_around(frames: Sequence[Frame]) -> Frame:
    """Return the frame around all of some frames."""
    left, right = min(f.x - f.width / 2 for f in frames), max(f.x + f.width / 2 for f in frames)
    top, low = min(f.y - f.height / 2 for f in frames), max(f.y + f.height / 2 for f in frames)
    return Frame((left + right) / 2, (top + low) / 2, right - left, low - top)


class Spread:
    """What is on the map already: frames that must not be covered."""

    def __init__(self, width: float, height: float, top: float = 0.0) -> None:
        self.width, self.height, self.top = width, height, top
        self.frames: list[Frame] = []

    def take(self, frame: Frame) -> None:
        """Add a frame."""
        self.frames.append(frame)

    def take_best(self, frames: Sequence[Frame], also: Sequence[Frame] = ()) -> Frame:
        """Take the frame that covers least; of equal ones the first. ``also`` is what else it should not cover."""
        whole = make_frame_around(frames)
        near = [other for other in (*self.frames, *also) if whole.measure_shared_area(other)]
        chosen = min(frames, key=lambda frame: self._measure_harm(frame, near))
        self.take(chosen)
        return chosen

    def _measure_harm(self, frame: Frame, near: Sequence[Frame]) -> float:
        """Return how bad a frame would be: what it covers of frames near by, and how far it leaves the map."""
        left, top = frame.x - frame.width / 2, frame.y - frame.height / 2
        over = max(-left, 0) + max(self.top - top, 0)
        over += max(left + frame.width - self.width, 0) + max(top + frame.height - self.height, 0)
        return round(40 * sum(frame.measure_shared_area(other) for other in near) + 10000 * over, 3)


def list_frames_around(x: float, y: float, width: float, height: float, away: float) -> list[Frame]:
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


def list_frames_along(a: Point, b: Point, width: float, height: float) -> list[Frame]:
    """Return frames on a line, the middle one first."""
    shares = (0.5, 0.45, 0.55, 0.4, 0.6, 0.36, 0.64, 0.32, 0.68)
    return [Frame(a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, width, height) for t in shares]


class Axis:
    """One direction of a map, from the canvas of the view to pixels; steady and in order."""

    def __init__(self, values: Sequence[float], span: tuple[float, float], pixels: tuple[float, float]) -> None:
        self.values, self.span, self.pixels = values, span, pixels
        low, high = self._raw(span[0]), self._raw(span[1])
        self.base, self.gain = low, (pixels[1] - pixels[0]) / ((high - low) or 1.0)

    def _raw(self, value: float) -> float:
        """Return a mix of the plain distance and of the number of places passed."""
        first, last = self.span
        breadth = BREADTH * (last - first) or 1.0
        plain = (value - first) / ((last - first) or 1.0)
        if not self.values:
            return plain
        passed = sum(min(1.0, max(0.0, (value - v + breadth) / (2 * breadth))) for v in self.values)
        return (1 - WEIGHT) * plain + WEIGHT * passed / len(self.values)

    def find_pixel(self, value: float) -> float:
        """Return the pixel of a value."""
        return self.pixels[0] + (self._raw(value) - self.base) * self.gain


def push_apart(spots: dict[str, Point], least: float, frame: tuple[float, float, float, float]) -> dict[str, Point]:
    """Return spots moved so that no two are nearer than ``least``, all inside a frame.

    The nearer half of a pair's distance is made up by each; rounds are few and
    fixed, so the same places always end at the same pixels.
    """
    names = sorted(spots)
    where = {name: list(spots[name]) for name in names}
    for _ in range(ROUNDS):
        moved = False
        for k, a in enumerate(names):
            for b in names[k + 1 :]:
                moved = _push_pair(where[a], where[b], least) or moved
        for name in names:
            x, y = where[name]
            where[name] = [min(max(x, frame[0]), frame[2]), min(max(y, frame[1]), frame[3])]
        if not moved:
            break
    return {name: (round(x, 1), round(y, 1)) for name, (x, y) in where.items()}


def _push_pair(a: list[float], b: list[float], least: float) -> bool:
    """Move two points apart if they are too near; return whether they were."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    gap = math.hypot(dx, dy)
    if gap >= least:
        return False
    ux, uy = (dx / gap, dy / gap) if gap else (1.0, 0.0)
    by = (least - gap) / 2 + 0.1
    a[0], a[1], b[0], b[1] = a[0] - ux * by, a[1] - uy * by, b[0] + ux * by, b[1] + uy * by
    return True
