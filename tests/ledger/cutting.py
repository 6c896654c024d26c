"""Cut the text of a printed rulebook into sentences, each with its section and its number there.

A book is a text file with the line ends, columns and page furniture of its print. We drop the furniture, find the
headings, join lines that belong together (with their hyphens), and cut at full stops, colons before a list, bullets and
empty lines. A sentence that goes on after an empty line or a page is joined, if it stops without a full stop and goes
on with a small letter. Tables and words from pictures are cut the same way and have rows of their own kinds.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Sentence(NamedTuple):
    """A sentence of a book, known by its section, its number there and the hash of its words."""

    section: str
    number: int
    hash: str
    text: str


class Book(NamedTuple):
    """How a book marks its headings."""

    name: str
    """Its name in ``tests.architecture.paragraphs.BOOKS``, and of its file of rows."""
    file: str
    """The start of its file's name in ``../shared/rulebooks``."""
    headings: frozenset[str] | None
    """The lines that are headings; None where sections have numbers."""
    flavour: frozenset[str]
    """Sections of history and thanks, which need no rows."""


FURNITURE = re.compile(r"<\|.*?\|>|^\s*\d+ 1862\s*$|^© .*$|[\x00-\x08\x0b-\x1f\ue000-\uf8ff\ufffd]", re.MULTILINE)
NUMBERED = re.compile(r"^(\d{1,2}\.\d{1,2}(?:\.\d)*)\s+[A-Za-z].*$")
BULLET = re.compile(r"^\s*(?:[•·◊�*-]|\d[.)]|\(?[a-z]\))\s+")
END = re.compile(r"(?<=[.!?…])([\"”’')\]]*)\s+(?=[A-Z0-9“\"'‘£(\[])")
SHORT = re.compile(r"(?:\b(?:E\.g|e\.g|i\.e|c\.f|St|No|vs|etc)\.|^\W*\d+\.)$")


def hash_words(text: str) -> str:
    """Return a hash of the letters and digits of a text, whatever its spaces, quotes and hyphens."""
    letters = "".join(letter for letter in text.lower() if letter.isalnum())
    return hashlib.sha256(letters.encode()).hexdigest()[:10]


def cut(book: Book, folder: Path) -> list[Sentence]:
    """Return the sentences of a book, in its order."""
    path = next(folder.glob(f"{book.file}_*.txt"))
    return cut_text(book, path.read_text(encoding="utf-8"))


def cut_text(book: Book, text: str) -> list[Sentence]:
    """Return the sentences of a text that is set like a book; what stands before the first heading is left out."""
    section, found = "", []
    numbers: Counter[str] = Counter()
    for heading, words in _find_units(book, text):
        if heading:
            section = words
        elif section and section not in book.flavour:
            for sentence in _cut_sentences(words):
                numbers[section] += 1
                found.append(Sentence(section, numbers[section], hash_words(sentence), sentence))
    return found


def _cut_sentences(text: str) -> Iterator[str]:
    parts = END.sub("\\1\n", text).split("\n")
    sentence = ""
    for part in parts:
        sentence = f"{sentence} {part}".strip()
        if not SHORT.search(sentence) and hash_words(sentence) != hash_words(""):
            yield sentence
            sentence = ""
    if hash_words(sentence) != hash_words(""):
        yield sentence


def _find_units(book: Book, text: str) -> Iterator[tuple[bool, str]]:
    """Yield headings, and stretches of text between empty lines, bullets and headings."""
    unit = ""
    broken = False
    for line in FURNITURE.sub("", text.replace("\u00ad", "")).splitlines():
        words = " ".join(line.split())
        heading = _read_heading(book, words)
        goes_on = unit and not re.search(r"[.!?:]\W*$", unit) and words[:1].islower()
        if heading or BULLET.match(line) or (words and broken and not goes_on):
            if unit:
                yield False, unit
            unit = ""
        broken = not words if not words or heading else False
        if heading:
            yield True, heading
            words = words.removeprefix(heading).partition(":")[2].strip() if book.headings is None else ""
        if words:
            unit = _join(unit, BULLET.sub("", words) if BULLET.match(line) else words)
    if unit:
        yield False, unit


def _read_heading(book: Book, words: str) -> str:
    if book.headings is None:
        found = NUMBERED.match(words)
        return found[1] if found else ""
    return next((heading for heading in book.headings if hash_words(heading) == hash_words(words)), "")


def _join(unit: str, words: str) -> str:
    """Join two lines; a hyphen before a small letter was made by the line's end."""
    if unit.endswith("-") and words[:1].islower():
        return unit[:-1] + words
    return f"{unit} {words}".strip()
