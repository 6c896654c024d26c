"""Sheets: tables one below the other, columns as wide as their entries, numbers set right."""

import re
from collections.abc import Sequence

from engine.record import Record
from engine.view import Entry, Sheet, Table
from render import fonts
from render.scene import Box, Face, Item, Label, Point, Scene
from render.station import Liveries
from render.tables import chip, chip_width, heading, paragraph, plate
from render.theme import load

PIXELS, NARROWEST = 1200, 700
EDGE = 24
SIZES = ((32.0, 13.0), (30.0, 9.0), (28.0, 6.0))
"""Sizes of letters and of the blank beside them, tried before a table is split."""

ROW, CHIP_HIGH = 50, 40
HEAD_ROW = 54
GAP = 26
MOST_COLUMN, LEAST_COLUMN = 620.0, 230.0
_NUMBER = re.compile(r"[-–−+]?[£$€]?[\d.,]+(?:[%–/+×x]\d*)*(?: ?%|cc)?\*?|[-–—]|£?\d+→£?\d+")


class _Column(Record, frozen=True):
    """A column of a table: its index, width, and whether it holds numbers."""

    index: int
    width: float
    right: bool


class _Print(Record, frozen=True):
    """How a table is set: size of letters, blank beside them, columns in parts that fit the sheet."""

    size: float
    pad: float
    parts: tuple[tuple[_Column, ...], ...]


def scene(view: Sheet, palette: str) -> Scene:
    """Return the scene of a sheet; its unit is a pixel of the natural width."""
    liveries = Liveries(view.brands, load(palette))
    items, y = heading(view.title, PIXELS, EDGE)
    for table in view.tables:
        drawn, y = _table(table, y, liveries)
        items += drawn
        y += GAP
    for note in view.notes:
        lines, y = paragraph(note, PIXELS - 2 * EDGE, EDGE, y)
        items += lines
    width = min(PIXELS, max(NARROWEST, round(max((_right(item) for item in items), default=0.0)) + EDGE))
    return Scene(width, round(y + EDGE / 2), width, "paper", tuple(items))


def _right(item: Item) -> float:
    """Return how far right an item reaches."""
    if isinstance(item, Box):
        return item.x + item.width
    if isinstance(item, Label) and item.side == "l":
        return item.x + fonts.width(item.text, item.size, item.face)
    return 0.0


def _table(table: Table, y: float, liveries: Liveries) -> tuple[list[Item], float]:
    """Return a table, in several parts if its columns are too many for the width."""
    items: list[Item] = []
    if table.title:
        title = fonts.fitted(table.title, 36, PIXELS - 2 * EDGE, "bold")
        items.append(Label(EDGE, y + 22, title, 36, "ink", "bold", "l"))
        y += 50
    printed = _print(table)
    for columns in printed.parts:
        drawn, y = _part(table, columns, y, printed, liveries)
        items += drawn
        y += 10
    return items, y - 10


def _print(table: Table) -> _Print:
    """Return the largest setting in which a table fits the sheet whole; else one in balanced parts."""
    room = float(PIXELS - 2 * EDGE)
    for size, pad in SIZES:
        columns = _columns(table, size, pad)
        if _total(columns) <= room:
            return _Print(size, pad, (_spread(columns, room),))
    narrow = _narrowed(columns, _total(columns) - room)
    if _total(narrow) <= room + 0.5:
        return _Print(size, pad, (_spread(narrow, room),))
    size, pad = SIZES[1]
    return _Print(size, pad, tuple(_spread(part, room) for part in _parts(_columns(table, size, pad), room)))


def _total(columns: Sequence[_Column]) -> float:
    return sum(column.width for column in columns)


def _columns(table: Table, size: float, pad: float) -> list[_Column]:
    count = max([1, len(table.heads), *(len(row) for row in table.rows)])
    columns: list[_Column] = []
    for k in range(count):
        entries = [row[k] for row in table.rows if k < len(row)]
        head = table.heads[k] if k < len(table.heads) else Entry()
        width = max(_entry_width(entry, size) for entry in [*entries, head])
        texts = [entry.text for entry in entries if entry.text]
        right = bool(texts) and all(_NUMBER.fullmatch(text) for text in texts) and not any(e.chip for e in entries)
        columns.append(_Column(k, min(width, MOST_COLUMN) + 2 * pad, right))
    return columns


def _entry_width(entry: Entry, size: float) -> float:
    wide = chip_width(entry.chip, size, CHIP_HIGH) + (8 if entry.text else 0) if entry.chip else 0.0
    return wide + fonts.width(fonts.clean(entry.text), size, "bold") + 2


def _narrowed(columns: Sequence[_Column], excess: float) -> list[_Column]:
    """Return columns with the widest columns of words made narrower; their words will be cut."""
    widths = [column.width for column in columns]
    wordy = [k for k, column in enumerate(columns) if not column.right]
    while excess > 0 and wordy:
        widest = max(wordy, key=lambda k: widths[k])
        cut = min(excess, 10.0)
        if widths[widest] - cut < LEAST_COLUMN:
            break
        widths[widest] -= cut
        excess -= cut
    return [_Column(c.index, width, c.right) for c, width in zip(columns, widths, strict=True)]


def _parts(columns: Sequence[_Column], room: float) -> list[list[_Column]]:
    """Return the columns in as few groups as fit, of about equal width; the first column heads each group."""
    rest = sum(column.width for column in columns[1:])
    count = max(1, -(-int(rest) // max(1, int(room - columns[0].width))))
    fair = rest / count
    parts: list[list[_Column]] = [[columns[0]]]
    for column in columns[1:]:
        total = sum(c.width for c in parts[-1][1:])
        full = total + columns[0].width + column.width > room
        if len(parts[-1]) > 1 and (full or (total + column.width / 2 > fair and len(parts) < count)):
            parts.append([columns[0]])
        parts[-1].append(column)
    return parts


def _spread(part: Sequence[_Column], room: float) -> tuple[_Column, ...]:
    """Return columns widened towards the sheet's width, not so far that rows are hard to follow."""
    share = min(max(0.0, room - sum(column.width for column in part)) / len(part), 66)
    return tuple(_Column(c.index, c.width + share, c.right) for c in part)


def _part(
    table: Table, columns: Sequence[_Column], y: float, printed: _Print, liveries: Liveries
) -> tuple[list[Item], float]:
    width = sum(column.width for column in columns)
    items: list[Item] = []
    if table.heads:
        items.append(Box(EDGE, y, width, HEAD_ROW, 8, "head"))
        items += _row(table.heads, columns, y + HEAD_ROW / 2, _Pen(printed, liveries, head=True))
        y += HEAD_ROW
    for k, row in enumerate(table.rows):
        if k == table.mine:
            items.append(plate(EDGE, y, width, ROW, "mine"))
        elif k % 2:
            items.append(plate(EDGE, y, width, ROW, "paper_2"))
        items += _row(row, columns, y + ROW / 2, _Pen(printed, liveries))
        y += ROW
    items.append(plate(EDGE, y, width, 2, "rule"))
    return items, y + 2


class _Pen:
    """What entries are written with."""

    def __init__(self, printed: _Print, liveries: Liveries, *, head: bool = False) -> None:
        self.size, self.pad, self.liveries, self.head = printed.size, printed.pad, liveries, head

    def face(self, entry: Entry) -> Face:
        """Return the weight of an entry's letters."""
        return "bold" if self.head or entry.tone in ("strong", "good", "bad") else "semi"

    def colour(self, entry: Entry) -> str:
        """Return the colour of an entry's letters."""
        return "head_ink" if self.head else entry.tone if entry.tone in ("good", "bad", "dim") else "ink"


def _row(row: Sequence[Entry], columns: Sequence[_Column], y: float, pen: _Pen) -> list[Item]:
    items: list[Item] = []
    x = float(EDGE)
    for column in columns:
        if column.index < len(row):
            items += _entry(row[column.index], (x, y), column, pen)
        x += column.width
    return items


def _entry(entry: Entry, at: Point, column: _Column, pen: _Pen) -> list[Item]:
    """Return one entry: a chip at the left of its words, or words set by the column's side."""
    left, right = at[0] + pen.pad, at[0] + column.width - pen.pad
    items: list[Item] = []
    if entry.chip:
        wide = min(chip_width(entry.chip, pen.size, CHIP_HIGH), right - left)
        middle = right - wide / 2 if column.right else left + wide / 2
        items.append(chip(entry.chip, (middle, at[1]), (wide, CHIP_HIGH), pen.size, pen.liveries))
        left += wide + 8
    if entry.text:
        face = pen.face(entry)
        text = fonts.fitted(entry.text, pen.size, right - left + 2, face)
        if column.right:
            right += fonts.width("*", pen.size, face) if text.endswith("*") else 0.0
            items.append(Label(right, at[1], text, pen.size, pen.colour(entry), face, "r"))
        else:
            items.append(Label(left, at[1], text, pen.size, pen.colour(entry), face, "l"))
    return items
