"""The bundled fonts: how wide a text is, and the fonts to paint it with.

IBM Plex Sans Condensed has figures of one width and a serifed I; signs that
it lacks come from the first of the others that has them: DejaVu (squares,
stars, Greek), Noto for the scripts of Asia and Africa, a CJK face, one of
emoji in one colour. A sign that none has becomes a dot. Layout is Pillow's
own, so that text falls alike on every machine; so Arabic letters are given here
the forms they have beside one another, and what is written from right to left
is turned round. Scripts of India and its neighbours, whose vowels may stand before
the letter that they follow, are laid out by Raqm, which comes with Pillow.
Joiners, marks of direction and tones of skin draw nothing.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import cast, get_args

import arabic_reshaper
from bidi import get_display
from PIL import Image, ImageDraw, ImageFont

from render.scene import Face

HARD_BLANK = "\u00a0"
"""A blank at which no line is broken."""

UNKNOWN = "·"
"""Drawn for a sign that no font has."""

MAX_MARKS = 2
"""Accents that one letter may bear; more would tower over the line."""

_TONES = range(0x1F3FB, 0x1F400)
_SELECTORS = range(0xFE00, 0xFE10)
_ARABIC = range(0x600, 0x780)
_FANCY = range(0x1D400, 0x1D800)
_SHAPED = (range(0x900, 0xE00), range(0xF00, 0x10A0), range(0x1780, 0x1800))
FALLBACKS = ("signs", "world", "cjk", "emoji")
"""Asked in this order for a sign that a face lacks."""
PICTOGRAPHS = 0x1F000
"""Signs from here on are asked of the emoji first, so that all are of one hand."""
MEASURE = 100
"""Pixels at which texts are measured; what is painted differs by a hair."""
_JOINT = re.compile(r"(?<=[–/])")
"""Where a word too long for a line is broken: behind the dashes of a run, or a stroke."""
Font = ImageFont.FreeTypeFont


def clean_text(text: str) -> str:
    """Return text that fits on one line: control characters and long blanks become single blanks."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text
    kept: list[str] = []
    marks = 0
    for sign in unicodedata.normalize("NFC", "".join(map(_replace_fancy_letter, text))):
        kind = unicodedata.category(sign)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if kind == "Cf" or ord(sign) in _TONES or ord(sign) in _SELECTORS or marks > MAX_MARKS:
            continue
        unknown = kind in ("Cn", "Co", "Cs")
        kept.append(UNKNOWN if unknown else sign if sign.isprintable() or sign == HARD_BLANK else " ")
    return " ".join(filter(None, "".join(kept).split(" ")))


def _replace_fancy_letter(sign: str) -> str:
    """Return a sign, a mathematical letter by which names are adorned as the letter it is."""
    return unicodedata.normalize("NFKC", sign) if ord(sign) in _FANCY else sign


@lru_cache(maxsize=4096)
def put_in_drawing_order(text: str) -> str:
    """Return a clean text in the order in which it is drawn, its Arabic letters joined.

    What is written from right to left is turned round on its own: figures behind a name stay behind it.
    """
    drawn: list[str] = []
    turned: list[str] = []
    waiting: list[str] = []
    for sign in text:
        way = unicodedata.bidirectional(sign)
        if way in ("R", "AL"):
            turned += [*waiting, sign]
            waiting = []
        elif turned and way == "NSM" and not waiting:
            turned.append(sign)
        elif turned and way != "L":
            waiting.append(sign)
        else:
            drawn += [_reverse_right_to_left("".join(turned)), *waiting, sign]
            turned, waiting = [], []
    return "".join([*drawn, _reverse_right_to_left("".join(turned)), *waiting])


def _reverse_right_to_left(text: str) -> str:
    """Return words written from right to left as they are drawn."""
    if any(ord(sign) in _ARABIC for sign in text):
        text = arabic_reshaper.reshape(text)
    turned: str = get_display(text, base_dir="R") if text else ""
    return turned


FOLDER = Path(__file__).parent / "fonts"
FILES: dict[str, str] = {
    "bold": "IBMPlexSansCondensed-Bold.ttf",
    "semi": "IBMPlexSansCondensed-SemiBold.ttf",
    "text": "IBMPlexSansCondensed-Medium.ttf",
    "signs": "DejaVuSansCondensed-Bold.ttf",
    "world": "NotoSans-world.ttf",
    "shaped": "NotoSans-world.ttf",
    "cjk": "NotoSansCJK-names.otf",
    "emoji": "NotoEmoji-Bold.ttf",
    "fatface": "AbrilFatface-Regular.ttf",
    "slab": "Bevan-latin.ttf",
    "woodtype": "Sancreek-Regular.ttf",
}


def choose_face(name: str) -> Face:
    """Return the face a title suggests for its names; the usual one for none or one that is not known."""
    return cast("Face", name) if name in get_args(Face) else "bold"


@lru_cache(maxsize=128)  # each takes 0.15 MiB
def load_font(face: str, pixels: float) -> Font:
    """Return a face at a size in pixels."""
    layout = ImageFont.Layout.RAQM if face == "shaped" else ImageFont.Layout.BASIC
    return ImageFont.truetype(str(FOLDER / FILES[face]), pixels, layout_engine=layout)


def draw_letters(
    face: str, pixels: float, text: str, colour: tuple[int, int, int]
) -> tuple[Image.Image, int, int] | None:
    """Return letters as a picture that is clear around them, and its place beside the pen; ``None`` without ink."""
    font = load_font(face, pixels)
    left, top, right, low = (round(edge) for edge in font.getbbox(text, anchor="ls"))
    if left >= right or top >= low:
        return None
    picture = Image.new("RGBA", (right - left, low - top), (*colour, 0))
    ImageDraw.Draw(picture).text((-left, -top), text, (*colour, 255), font, "ls")
    return picture, left, top


@lru_cache(maxsize=len(FILES))
def _draw_missing_glyph(face: str) -> bytes:
    """Return how a font draws a sign that it does not have."""
    return bytes(load_font(face, 24).getmask("\U000fffff"))


@lru_cache(maxsize=8192)
def has_glyph(face: str, sign: str) -> bool:
    """Return whether a font has a sign."""
    return sign in " \u00a0" or bytes(load_font(face, 24).getmask(sign)) != _draw_missing_glyph(face)


@lru_cache(maxsize=8192)
def _choose_font(face: str, sign: str) -> str:
    """Return the font that draws a sign: the face itself, or the first that has it; none of them: nothing."""
    if has_glyph(face, sign):
        return face
    others = FALLBACKS if ord(sign) < PICTOGRAPHS else FALLBACKS[::-1]
    found = next((name for name in others if has_glyph(name, sign)), "")
    return "shaped" if found == "world" and any(ord(sign) in each for each in _SHAPED) else found


@lru_cache(maxsize=8192)
def split_by_font(text: str, face: Face) -> tuple[tuple[str, str], ...]:
    """Return a text in pieces of one font each from left to right, as (font, piece)."""
    text = clean_text(text)
    if text.isascii():
        return ((face, text),)
    pieces: list[tuple[str, str]] = []
    for sign in put_in_drawing_order(text):
        same = pieces and unicodedata.category(sign) in ("Mn", "Mc") and has_glyph(pieces[-1][0], sign)
        name = pieces[-1][0] if same else _choose_font(face, sign)
        shown = sign if name else UNKNOWN
        if pieces and pieces[-1][0] == (name or face):
            pieces[-1] = (pieces[-1][0], pieces[-1][1] + shown)
        else:
            pieces.append((name or face, shown))
    return tuple(pieces)


@lru_cache(maxsize=16384)
def _measure(text: str, face: Face) -> float:
    return sum(load_font(name, MEASURE).getlength(piece) for name, piece in split_by_font(text, face)) / MEASURE


def measure_text(text: str, size: float, face: Face = "bold") -> float:
    """Return the width of a text in the units of its size."""
    return _measure(text, face) * size


def cut_to_fit(text: str, size: float, room: float, face: Face = "bold") -> str:
    """Return the text, or as much of it as fits into ``room`` with "…" behind it."""
    text = clean_text(text)
    if measure_text(text, size, face) <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        half = (low + high + 1) // 2
        if measure_text(text[:half].rstrip() + "…", size, face) <= room:
            low = half
        else:
            high = half - 1
    return text[:low].rstrip() + "…"


def wrap(text: str, size: float, room: float, face: Face = "text") -> Sequence[str]:
    """Return the text in lines no wider than ``room``.

    A word too long for a line is broken behind its dashes, as is a run at the end of a line; a piece that is still too
    long is cut.
    """
    lines: list[str] = []
    for word in clean_text(text).split(" "):
        whole = measure_text(f"{lines[-1]} {word}" if lines and word.count("–") > 1 else word, size, face) <= room
        pieces = [word] if whole else _JOINT.split(word)
        for k, piece in enumerate(pieces):
            joint = "" if k else " "
            if lines and measure_text(f"{lines[-1]}{joint}{piece}", size, face) <= room:
                lines[-1] += joint + piece
            else:
                lines.append(cut_to_fit(piece, size, room, face))
    return lines
