"""The outlines of what is new and of what may be chosen."""

from render.scene import Curve, Item, Point, Polygon

DASH = (2.4, 1.5)
"""Of what may be chosen, in widths of the line."""


def outline(mark: str, points: tuple[Point, ...], width: float) -> list[Item]:
    """Return the outline of a marked shape: a double line for what is new, which no run can be; else dashes."""
    if mark == "new":
        core = round(width * 0.62, 3)
        return [Polygon(points, line="ink", width=round(width * 1.35, 3)), Polygon(points, line="new", width=core)]
    return [Curve((*points, points[0]), "can", width, DASH, joined=True)]
