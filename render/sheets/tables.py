"""What pictures of words and numbers share: headings, chips, paragraphs."""

from render import fonts
from render.hexes.station import Liveries
from render.scene import Box, Chip, Face, Item, Label
from render.script import clean

TITLE = 46
NOTE, NOTE_STEP = 32, 44


def heading(title: str, width: float, edge: float) -> tuple[list[Item], float]:
    """Return a picture's heading, and how far down it reaches."""
    if not title:
        return [], edge
    text = fonts.fitted(title, TITLE, width - 2 * edge, "bold")
    return [Label(edge, edge + 24, text, TITLE, "ink", "bold", "l")], edge + 66


def chip(code: str, at: tuple[float, float], most: tuple[float, float], size: float, liveries: Liveries) -> Chip:
    """Return an oblong chip of at most a width and a height; its letters shrink to fit."""
    livery = liveries.of(code)
    wide, high = most
    side = high * (0.42 if livery.pattern in ("ring", "flanks") else 0.3)
    text = clean(code)
    fit = min(size, high * 0.86, size * (wide - side) / (fonts.width(text, size) or 1.0))
    if fit < size * 0.5:
        text, fit = fonts.fitted(text, size * 0.5, wide - side), size * 0.5
    if livery.pattern != "plain":
        fit = min(fit, high * 0.72)
    before = livery.emblem and wide - side - fonts.width(text, fit) > high * EMBLEM
    return Chip(*at, wide, high, (text,), round(fit, 2), livery, aside=round(high * EMBLEM / 2, 2) if before else 0.0)


EMBLEM = 0.72
"""Room for an emblem before the letters of a chip, of its height."""


def chip_width(code: str, size: float, high: float, *, emblem: bool = False) -> float:
    """Return how wide a chip should be for its letters, and for an emblem before them."""
    return max(high * 1.5, fonts.width(clean(code)[:8], size) + high * 0.4) + high * EMBLEM * 1.15 * emblem


def paragraph(text: str, width: float, x: float, y: float, face: Face = "semi") -> tuple[list[Item], float]:
    """Return a text in lines of a width, and how far down it reaches."""
    items: list[Item] = []
    for line in fonts.wrapped(text, NOTE, width, face):
        items.append(Label(x, y + NOTE_STEP / 2, line, NOTE, "ink", face, "l"))
        y += NOTE_STEP
    return items, y


def plate(x: float, y: float, width: float, height: float, role: str) -> Box:
    """Return a plain ground."""
    return Box(x, y, width, height, 0, role)
