"""A map made roomier where places crowd, as printed railway maps do."""

import math
from collections.abc import Sequence

from render.scene import Point

WEIGHT, BREADTH = 0.66, 0.11
"""Share of the crowding that is evened out; reach of a place, of the map's width."""

ROUNDS = 80


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

    def at(self, value: float) -> float:
        """Return the pixel of a value."""
        return self.pixels[0] + (self._raw(value) - self.base) * self.gain


def apart(spots: dict[str, Point], least: float, frame: tuple[float, float, float, float]) -> dict[str, Point]:
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
                moved = _push(where[a], where[b], least) or moved
        for name in names:
            x, y = where[name]
            where[name] = [min(max(x, frame[0]), frame[2]), min(max(y, frame[1]), frame[3])]
        if not moved:
            break
    return {name: (round(x, 1), round(y, 1)) for name, (x, y) in where.items()}


def _push(a: list[float], b: list[float], least: float) -> bool:
    """Move two points apart if they are too near; tell whether they were."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    gap = math.hypot(dx, dy)
    if gap >= least:
        return False
    ux, uy = (dx / gap, dy / gap) if gap else (1.0, 0.0)
    by = (least - gap) / 2 + 0.1
    a[0], a[1], b[0], b[1] = a[0] - ux * by, a[1] - uy * by, b[0] + ux * by, b[1] + uy * by
    return True
