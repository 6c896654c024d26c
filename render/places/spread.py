"""Labels on an open map: each takes the place where it covers least."""

import math
from collections.abc import Sequence

from engine.record import Record
from render.scene import Point


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


def hull(frames: Sequence[Frame]) -> Frame:
    """Return the frame around all of some frames."""
    left, right = min(f.x - f.width / 2 for f in frames), max(f.x + f.width / 2 for f in frames)
    top, low = min(f.y - f.height / 2 for f in frames), max(f.y + f.height / 2 for f in frames)
    return Frame((left + right) / 2, (top + low) / 2, right - left, low - top)


class Spread:
    """What is on the map already: frames that must not be covered."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.frames: list[Frame] = []

    def take(self, frame: Frame) -> None:
        """Add a frame."""
        self.frames.append(frame)

    def best(self, frames: Sequence[Frame]) -> Frame:
        """Take the frame that covers least; of equal ones the first."""
        whole = hull(frames)
        near = [other for other in self.frames if whole.meets(other)]
        chosen = min(frames, key=lambda frame: self._harm(frame, near))
        self.take(chosen)
        return chosen

    def _harm(self, frame: Frame, near: Sequence[Frame]) -> float:
        """Return how bad a frame would be: what it covers of frames near by, and how far it leaves the map."""
        left, top = frame.x - frame.width / 2, frame.y - frame.height / 2
        over = max(-left, 0) + max(-top, 0)
        over += max(left + frame.width - self.width, 0) + max(top + frame.height - self.height, 0)
        return round(40 * sum(frame.meets(other) for other in near) + 10000 * over, 3)


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
