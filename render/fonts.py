"""The bundled fonts: how wide a text is, and the fonts to paint it with.

IBM Plex Sans Condensed has figures of one width and a serifed I; signs that
it lacks (squares, diamonds, stars) come from DejaVu. Layout is Pillow's own,
so that text falls alike on every machine.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from PIL import ImageFont

from render.scene import Face

FOLDER = Path(__file__).parent / "fonts"
FILES: dict[str, str] = {
    "bold": "IBMPlexSansCondensed-Bold.ttf",
    "semi": "IBMPlexSansCondensed-SemiBold.ttf",
    "text": "IBMPlexSansCondensed-Medium.ttf",
    "signs": "DejaVuSansCondensed-Bold.ttf",
}
MEASURE = 100
"""Pixels at which texts are measured; what is painted differs by a hair."""

HARD_BLANK = "\u00a0"
"""A blank at which no line is broken."""

_JOINT = re.compile(r"(?<=[–/])")
"""Where a word too long for a line is broken: behind the dashes of a run, or a stroke."""

Font = ImageFont.FreeTypeFont


@lru_cache(maxsize=256)
def font(face: str, pixels: float) -> Font:
    """Return a face at a size in pixels."""
    return ImageFont.truetype(str(FOLDER / FILES[face]), pixels, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=1)
def _missing() -> bytes:
    """Return how Plex draws a sign that it does not have."""
    return bytes(font("bold", 24).getmask("\U000fffff"))


@lru_cache(maxsize=4096)
def _has(sign: str) -> bool:
    """Tell whether Plex has a sign."""
    return sign == " " or bytes(font("bold", 24).getmask(sign)) != _missing()


def clean(text: str) -> str:
    """Return text that fits on one line: control characters and long blanks become single blanks."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text
    plain = "".join(sign if sign.isprintable() or sign == HARD_BLANK else " " for sign in text)
    return " ".join(filter(None, plain.split(" ")))


@lru_cache(maxsize=8192)
def runs(text: str, face: Face) -> tuple[tuple[str, str], ...]:
    """Return a text in pieces of one font each, as (font, piece)."""
    text = clean(text)
    if text.isascii():
        return ((face, text),)
    pieces: list[tuple[str, str]] = []
    for sign in text:
        name = face if sign.isascii() or _has(sign) else "signs"
        if pieces and pieces[-1][0] == name:
            pieces[-1] = (name, pieces[-1][1] + sign)
        else:
            pieces.append((name, sign))
    return tuple(pieces)


@lru_cache(maxsize=16384)
def _measured(text: str, face: Face) -> float:
    return sum(font(name, MEASURE).getlength(piece) for name, piece in runs(text, face)) / MEASURE


def width(text: str, size: float, face: Face = "bold") -> float:
    """Return the width of a text in the units of its size."""
    return _measured(text, face) * size


def fitted(text: str, size: float, room: float, face: Face = "bold") -> str:
    """Return the text, or as much of it as fits into ``room`` with "…" behind it."""
    text = clean(text)
    if width(text, size, face) <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        half = (low + high + 1) // 2
        if width(text[:half].rstrip() + "…", size, face) <= room:
            low = half
        else:
            high = half - 1
    return text[:low].rstrip() + "…"


def wrapped(text: str, size: float, room: float, face: Face = "text") -> Sequence[str]:
    """Return the text in lines no wider than ``room``.

    A word too long for a line is broken behind its dashes; a piece that is still too long is cut.
    """
    lines: list[str] = []
    for word in clean(text).split(" "):
        pieces = [word] if width(word, size, face) <= room else _JOINT.split(word)
        for k, piece in enumerate(pieces):
            joint = "" if k else " "
            if lines and width(f"{lines[-1]}{joint}{piece}", size, face) <= room:
                lines[-1] += joint + piece
            else:
                lines.append(fitted(piece, size, room, face))
    return lines
