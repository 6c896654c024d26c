"""What a picture is made of: frozen shapes in units of the picture's own.

A board is measured in hex sides, other pictures in pixels of their natural
width; x runs to the right, y down. Colours are roles of a theme ("sea") or
``#rrggbb``; a role after ``pale:`` is washed out. Builders make scenes, only
``paint`` turns them into pixels and ``svg`` into text for browsers, which also
reads what a shape is about ("hex:G5", "company:C&N", "place:LON") and its layer.
"""

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from engine.record import Record

Point = tuple[float, float]
Face = Literal["bold", "semi", "text", "fatface", "slab", "woodtype"]
Side = Literal["l", "m", "r"]
Pattern = Literal["plain", "ring", "caps", "flanks", "dash", "dots"]

CAP = 0.698
"""Height of a capital letter, of the size of its font."""


class Polygon(Record, frozen=True):
    """A filled shape; ``line`` is the colour of its border, ``width`` its width."""

    points: tuple[Point, ...]
    fill: str = ""
    line: str = ""
    width: float = 0.0


class Curve(Record, frozen=True):
    """A stroke along a line (2 points) or a Bézier curve (3 or 4), or joined lines if ``joined``.

    ``dash`` is lengths drawn and left out by turns; ``round`` makes its ends round.
    """

    points: tuple[Point, ...]
    colour: str
    width: float
    dash: tuple[float, ...] = ()
    round: bool = False
    joined: bool = False


class Disc(Record, frozen=True):
    """A circle filled and bordered; the border lies inside the radius."""

    x: float
    y: float
    r: float
    fill: str = ""
    line: str = ""
    width: float = 0.0


class Box(Record, frozen=True):
    """A rectangle with rounded corners; x, y is its upper left corner."""

    x: float
    y: float
    width: float
    height: float
    round: float = 0.0
    fill: str = ""
    line: str = ""
    border: float = 0.0


class Label(Record, frozen=True):
    """A line of text; y is the middle of its capitals, ``side`` says what x is.

    Args:
        size: of the font; a capital is ``CAP`` times as high.
        halo: colour of a rim around the letters, empty for none.
        kind: what it says on a hex: "name", "coord", "number"; empty elsewhere.
    """

    x: float
    y: float
    text: str
    size: float
    colour: str = "ink"
    face: Face = "bold"
    side: Side = "m"
    halo: str = ""
    kind: str = ""


class Livery(Record, frozen=True):
    """The look of a company: its ground, letters, a second colour and where that one is shown, what it bears."""

    fill: str
    ink: str
    accent: str
    pattern: Pattern = "plain"
    emblem: str = ""


class Chip(Record, frozen=True):
    """A company's token: letters on its livery, round or oblong; x, y is its middle.

    Args:
        lines: the letters, in one or two lines.
        flipped: crossed out, of a bankrupt company.
        ghost: only kept free for the company: its outline and letters.
        aside: how far the letters stand to the right of the middle; the emblem stands before them.
    """

    x: float
    y: float
    width: float
    height: float
    lines: tuple[str, ...]
    size: float
    livery: Livery
    disc: bool = False
    flipped: bool = False
    ghost: bool = False
    aside: float = 0.0
    about: str = ""


class Stamp(Record, frozen=True):
    """Items drawn around their own origin, which lies at x, y.

    ``about`` is what they show. One with a ``layer`` only groups: "runs", "acting", "new", "can", "plates", "places".
    """

    x: float
    y: float
    items: "tuple[Item, ...]"
    about: str = ""
    layer: str = ""


class Inset(Record, frozen=True):
    """A scene of its own, cut off at the edges of its frame; x, y is the upper left corner."""

    x: float
    y: float
    width: float
    scene: "Scene"


Item = Polygon | Curve | Disc | Box | Label | Chip | Stamp | Inset


class Scene(Record, frozen=True):
    """A picture: its size in its own units, and its width in pixels unless a style says otherwise.

    ``near`` is what is too small for a picture that can't be zoomed.
    """

    width: float
    height: float
    pixels: int
    ground: str
    items: tuple[Item, ...]
    near: tuple[Item, ...] = ()


def flatten_items(items: Iterable[Item], origin: Point = (0.0, 0.0)) -> Iterator[tuple[Item, Point]]:
    """Yield items with the origin they are placed around; those of a stamp in its stead, around its place."""
    for item in items:
        if isinstance(item, Stamp):
            yield from flatten_items(item.items, (origin[0] + item.x, origin[1] + item.y))
        else:
            yield item, origin


_UNSEEN = ("about", "kind")


def write_scene(scene: Scene) -> str:
    """Return a scene as text, one item a line: what golden files hold."""
    head = f"Scene {_write_number(scene.width)} x {_write_number(scene.height)}, {scene.pixels} px, {scene.ground}"
    return "\n".join([head, *_write_lines(scene.items, "  ")])


def _write_lines(items: tuple[Item, ...], indent: str) -> list[str]:
    lines: list[str] = []
    for item in items:
        if isinstance(item, Stamp) and item.layer:
            lines += _write_lines(item.items, indent)
        elif isinstance(item, Stamp):
            lines += [
                f"{indent}Stamp {_write_number(item.x)} {_write_number(item.y)}",
                *_write_lines(item.items, indent + "  "),
            ]
        elif isinstance(item, Inset):
            lines.append(f"{indent}Inset {_write_number(item.x)} {_write_number(item.y)} {_write_number(item.width)}")
            lines += [indent + "  " + line for line in write_scene(item.scene).split("\n")]
        else:
            lines.append(indent + _write_item(item))
    return lines


def _write_item(item: Record) -> str:
    """Return one item: its name, then those of its fields that are not as usual and can be seen."""
    words = [type(item).__name__]
    for field in msgspec.structs.fields(type(item)):
        value = getattr(item, field.name)
        if field.name not in _UNSEEN and (field.default is msgspec.NODEFAULT or value != field.default):
            words.append(f"{field.name}={_write_value(value)}")
    return " ".join(words)


def _write_value(value: object) -> str:
    if isinstance(value, Livery):
        return f"{value.fill}/{value.ink}/{value.accent}/{value.pattern}"
    if isinstance(value, tuple):
        return "(" + " ".join(_write_value(part) for part in value) + ")"
    return _write_number(value) if isinstance(value, float) else str(value)


def _write_number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".").replace("-0.000", "0") or "0"
