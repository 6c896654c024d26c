"""Writing: what a text is as it is drawn, sign by sign from left to right.

Arabic letters take the forms they have beside one another, and what is
written from right to left is turned round, so that the plainest of layouts
draws it. Joiners, marks of direction and tones of skin draw nothing.
"""

import unicodedata
from functools import lru_cache

import arabic_reshaper
from bidi import get_display

HARD_BLANK = "\u00a0"
"""A blank at which no line is broken."""

UNKNOWN = "·"
"""Drawn for a sign that no font has."""

MOST_MARKS = 2
"""Accents that one letter may bear; more would tower over the line."""

_TONES = range(0x1F3FB, 0x1F400)
_SELECTORS = range(0xFE00, 0xFE10)
_ARABIC = range(0x600, 0x780)
_FANCY = range(0x1D400, 0x1D800)


def clean(text: str) -> str:
    """Return text that fits on one line: control characters and long blanks become single blanks."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text
    kept: list[str] = []
    marks = 0
    for sign in unicodedata.normalize("NFC", "".join(map(_plain, text))):
        kind = unicodedata.category(sign)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if kind == "Cf" or ord(sign) in _TONES or ord(sign) in _SELECTORS or marks > MOST_MARKS:
            continue
        unknown = kind in ("Cn", "Co", "Cs")
        kept.append(UNKNOWN if unknown else sign if sign.isprintable() or sign == HARD_BLANK else " ")
    return " ".join(filter(None, "".join(kept).split(" ")))


def _plain(sign: str) -> str:
    """Return a sign, a mathematical letter by which names are adorned as the letter it is."""
    return unicodedata.normalize("NFKC", sign) if ord(sign) in _FANCY else sign


@lru_cache(maxsize=4096)
def as_drawn(text: str) -> str:
    """Return a clean text in the order in which it is drawn, its Arabic letters joined.

    What is written from right to left is turned round by itself: figures behind a name stay behind it.
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
            drawn += [_turned("".join(turned)), *waiting, sign]
            turned, waiting = [], []
    return "".join([*drawn, _turned("".join(turned)), *waiting])


def _turned(text: str) -> str:
    """Return words written from right to left as they are drawn."""
    if any(ord(sign) in _ARABIC for sign in text):
        text = arabic_reshaper.reshape(text)
    turned: str = get_display(text, base_dir="R") if text else ""
    return turned
