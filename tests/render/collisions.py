"""What lies over what on a drawn hex, by true geometry and not by the raster that placed it."""

import math

from render import fonts
from render.geometry import flatten_curve
from render.scene import CAP, Box, Chip, Curve, Disc, Item, Label, flatten_items

Rect = tuple[float, float, float, float]
SLACK = 0.035
"""Overlaps up to this share of a hex side are rims touching."""


def rect(label: Label) -> Rect:
    """Return the rectangle of a label's capitals: left, top, right, low."""
    wide = fonts.measure_text(label.text, label.size, label.face)
    left = label.x - {"l": 0, "m": wide / 2, "r": wide}[label.side]
    return left, label.y - CAP * label.size / 2, left + wide, label.y + CAP * label.size / 2


def _disc_rect(x: float, y: float, r: float, frame: Rect) -> float:
    """Return how deep a rectangle reaches into a circle."""
    dx = max(frame[0] - x, 0, x - frame[2])
    dy = max(frame[1] - y, 0, y - frame[3])
    return r - math.hypot(dx, dy)


def _rects(a: Rect, b: Rect) -> float:
    return min(min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1]))


class Drawn:
    """The things on a hex: solid ones, free texts, and the middle lines of track."""

    def __init__(self, items: tuple[Item, ...]) -> None:
        flat = [item for item, _ in flatten_items(items)]
        self.discs = [(d.x, d.y, d.r, d.fill) for d in flat if isinstance(d, Disc) and d.fill != "casing"]
        self.discs += [(c.x, c.y, c.width / 2, "chip") for c in flat if isinstance(c, Chip) and c.disc]
        self.boxes = [(b.x, b.y, b.x + b.width, b.y + b.height) for b in flat if isinstance(b, Box) and b.fill]
        self.bars = [c for c in flat if isinstance(c, Curve) and c.colour == "town"]
        self.track = [point for c in flat if isinstance(c, Curve) and c.colour == "track" for point in _points(c)]
        self.texts = [label for label in flat if isinstance(label, Label) and not self._inside(label)]
        self.values = [d for d in self.discs if d[3] == "disc"]

    def _inside(self, label: Label) -> bool:
        """Return whether a label is the figure of a disc or box, or one of the lines on a plate."""
        if any(math.dist((label.x, label.y), (x, y)) < 0.03 for x, y, _, _ in self.discs):
            return True
        left, top, right, low = rect(label)
        return any(
            (b[0] - 0.02 <= label.x <= b[2] + 0.02 and abs((b[1] + b[3]) / 2 - label.y) < 0.05)
            or (b[0] <= left and right <= b[2] and b[1] <= top and low <= b[3])
            for b in self.boxes
        )

    def faults(self, reach: float = 0.065) -> list[tuple[str, str]]:
        """Return what covers what; ``reach`` is half the width of the rails."""
        faults = []
        for k, text in enumerate(self.texts):
            frame = rect(text)
            faults += [(text.text, o.text) for o in self.texts[k + 1 :] if _rects(frame, rect(o)) > SLACK]
            faults += [(text.text, role) for x, y, r, role in self.discs if _disc_rect(x, y, r, frame) > SLACK]
            faults += [(text.text, "box") for box in self.boxes if _rects(frame, box) > SLACK]
            faults += [(text.text, "track")] * any(_disc_rect(x, y, reach, frame) > SLACK for x, y in self.track)
        for x, y, r, _ in self.values:
            on_stop = any(math.dist((x, y), _middle(bar)) < 0.02 for bar in self.bars)
            others = [d for d in self.discs if d[:2] != (x, y)]
            faults += [("value", o[3]) for o in others if r + o[2] - math.dist((x, y), o[:2]) > SLACK]
            faults += [("value", "track")] * (
                not on_stop and any(r + reach - math.dist((x, y), point) > SLACK for point in self.track)
            )
        return faults


def _middle(bar: Curve) -> tuple[float, float]:
    (ax, ay), (bx, by) = bar.points
    return (ax + bx) / 2, (ay + by) / 2


def _points(curve: Curve) -> list[tuple[float, float]]:
    line = flatten_curve(curve.points, 16)
    if len(line) > 2:
        return line
    (ax, ay), (bx, by) = line
    return [(ax + (bx - ax) * k / 16, ay + (by - ay) * k / 16) for k in range(17)]
