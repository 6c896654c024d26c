"""Emblems of companies: shapes in a square, read from ``emblems.toml``."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from render.scene import Curve, Disc, Item, Point, Polygon

FILE = Path(__file__).parent / "emblems.toml"


@cache
def charges() -> Mapping[str, tuple[str, ...]]:
    """Return the shapes of each emblem as they are written."""
    return {name: tuple(shapes) for name, shapes in tomllib.loads(FILE.read_text(encoding="utf-8")).items()}


def emblem(name: str, at: Point, size: float, ink: str, ground: str) -> list[Item]:
    """Return an emblem around a point; ``size`` is half its height. One that is not known draws nothing."""
    return [_shape(words, at, size, ink, ground) for words in charges().get(name, ())]


def _shape(words: str, at: Point, size: float, ink: str, ground: str) -> Item:
    kind, *figures = words.removeprefix("-").split()
    colour = ground if words.startswith("-") else ink
    numbers = [float(figure) for figure in figures]
    if kind == "poly":
        return Polygon(_points(numbers, at, size), colour)
    if kind == "line":
        return Curve(_points(numbers[1:], at, size), colour, round(numbers[0] * size, 3), round=True, joined=True)
    ((x, y),) = _points(numbers[:2], at, size)
    if kind == "ring":
        return Disc(x, y, round(numbers[2] * size, 3), "", colour, round(numbers[3] * size, 3))
    return Disc(x, y, round(numbers[2] * size, 3), colour)


def _points(numbers: list[float], at: Point, size: float) -> tuple[Point, ...]:
    pairs = zip(numbers[::2], numbers[1::2], strict=True)
    return tuple((round(at[0] + x * size, 3), round(at[1] + y * size, 3)) for x, y in pairs)
