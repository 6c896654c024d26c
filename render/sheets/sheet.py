"""Sheets: tables one below the other, columns as wide as their entries, numbers set right."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from engine.hex_view import INKS
from engine.record import Record
from engine.view import Entry, Sheet, TableView
from render import fonts
from render.fonts import clean_text
from render.geometry import list_corners
from render.hexes.station import Liveries
from render.scene import Box, Face, Item, Label, Point, Polygon, Scene
from render.sheets.tables import draw_deeds, draw_heading, draw_paragraph, make_chip, measure_chip
from render.theme import load_theme

PIXELS, MIN_PIXELS = 1200, 700
EDGE = 24
SIZES = ((32.0, 13.0), (30.0, 9.0), (28.0, 6.0), (26.0, 5.0))
"""Sizes of letters and of the blank beside them, tried before a table is split."""

ROW, CHIP_HIGH = 50, 40
SWATCH = 40
HEAD_ROW = 54
GAP = 26
MAX_COLUMN, MIN_COLUMN = 620.0, 230.0
MAX_WORD_WIDTH = 320.0
"""Width beyond which a word, or a name without blanks, is rather cut than that a table comes in parts."""

MAX_LINES, LINE = 3, 1.22
"""Lines that the words of one entry may take, and their distance, of the size of the letters."""

_MONEY = "".join(chr(code) for code in range(0x24, 0x20D0) if unicodedata.category(chr(code)) == "Sc")
"""The signs of all currencies."""

NUMBER = re.compile(rf"[-–−+]?[{_MONEY}]?[\d.,]+(?:[%–/+×x]\d*)*(?: ?%|cc)?\*?|[-–—]|[{_MONEY}]?\d+→[{_MONEY}]?\d+")


class _Column(Record, frozen=True):
    """A column of a table: its index, width, and whether it holds numbers.

    ``star`` is what hangs out behind numbers; ``chip`` is the width of its chips, all alike.
    """

    index: int
    width: float
    right: bool
    star: float = 0.0
    chip: float = 0.0


class _Print(Record, frozen=True):
    """How a table is set: size of letters, blank beside them, columns in parts that fit the sheet."""

    size: float
    pad: float
    parts: tuple[tuple[_Column, ...], ...]


def build_scene(view: Sheet, palette: str) -> Scene:
    """Return the scene of a sheet; its unit is a pixel of the natural width."""
    liveries = Liveries(view.brands, load_theme(palette))
    items, y = draw_heading(view.title, PIXELS, EDGE)
    for table in (table for table in view.tables if table.rows):
        drawn, y = _draw_table(_mark_acting_rows(table, view), y, liveries)
        items += drawn
        y += GAP
    if view.cards:
        drawn, y = draw_deeds(view.cards, (EDGE, y), PIXELS - 2 * EDGE)
        items += drawn
    for note in view.notes:
        lines, y = draw_paragraph(note, PIXELS - 2 * EDGE, EDGE, y)
        items += lines
    width = min(PIXELS, max(MIN_PIXELS, round(max((_find_right_edge(item) for item in items), default=0.0)) + EDGE))
    return Scene(width, round(y + EDGE / 2), width, "paper", tuple(items))


def _mark_acting_rows(table: TableView, view: Sheet) -> TableView:
    """Return a table with the rows of the company and the player who act."""
    acting = {view.banner.company, *view.banner.who.split(", ")} - {""} if view.banner else set[str]()
    rows = tuple(
        k
        for k, row in enumerate(table.rows)
        if row and {row[0].text.split(" (")[0], *(entry.chip for entry in row[:2])} & acting
    )
    return msgspec.structs.replace(table, acting=rows) if rows else table


def _find_right_edge(item: Item) -> float:
    """Return how far right an item reaches."""
    if isinstance(item, Box):
        return item.x + item.width
    if isinstance(item, Label) and item.side == "l":
        return item.x + fonts.measure_text(item.text, item.size, item.face)
    return 0.0


def _draw_table(table: TableView, y: float, liveries: Liveries) -> tuple[list[Item], float]:
    """Return a table, in several parts if its columns are too many for the width."""
    items: list[Item] = []
    if table.title:
        title = fonts.cut_to_fit(table.title, 36, PIXELS - 2 * EDGE, "bold")
        items.append(Label(EDGE, y + 22, title, 36, "ink", "bold", "l"))
        y += 50
    printed = _choose_setting(table)
    for columns in printed.parts:
        drawn, y = _draw_part(table, columns, y, printed, liveries)
        items += drawn
        y += 10
    return items, y - 10


def _choose_setting(table: TableView) -> _Print:
    """Return the largest setting in which a table fits the sheet whole.

    Words are broken into lines only if it fits in no size otherwise; a table too wide even so comes in balanced parts.
    """
    room = float(PIXELS - 2 * EDGE)
    for size, pad in SIZES:
        columns = _measure_columns(table, size, pad)
        if _sum_widths(columns) <= room and all(column.width < MAX_COLUMN + 2 * pad for column in columns):
            return _Print(size, pad, (_widen_columns(columns, room),))
    broken = [
        _Print(size, pad, (_widen_columns(narrow, room),))
        for size, pad in SIZES[:-1]
        if _sum_widths(
            narrow := _narrow_columns(
                _measure_columns(table, size, pad), room, _measure_longest_words(table, size, pad)
            )
        )
        <= room + 0.5
    ]
    whole = [printed for printed in broken if not _loses_words(table, printed)]
    if whole:
        return min(whole, key=lambda printed: _measure_rows(table, printed))
    size, pad = SIZES[1]
    return _Print(
        size,
        pad,
        tuple(_widen_columns(part, room) for part in _divide_columns(_measure_columns(table, size, pad), room)),
    )


def _loses_words(table: TableView, printed: _Print) -> bool:
    """Return whether the words of an entry need more lines than one may have."""
    pen = _Pen(printed, Liveries((), load_theme("standard")))
    return any(
        len(fonts.wrap(row[c.index].text, pen.size, pen.words_width(row[c.index], c), pen.choose_face(row[c.index])))
        > MAX_LINES
        for row in table.rows
        for c in printed.parts[0]
        if c.index < len(row) and not c.right
    )


def _sum_widths(columns: Sequence[_Column]) -> float:
    return sum(column.width for column in columns)


def _measure_columns(table: TableView, size: float, pad: float) -> list[_Column]:
    """Return the columns as wide as their entries; one that only has a head is left out."""
    columns: list[_Column] = []
    for k, entries in _list_entries(table):
        if k and not entries[0].chip and len(entries) > 1 and not any(map(_is_filled, entries[1:])):
            continue
        texts = [entry.text for entry in entries[1:] if entry.text]
        right = all(NUMBER.fullmatch(text) for text in texts) and not any(e.chip or e.swatch for e in entries[1:])
        star = fonts.measure_text("*", size, "bold") if right and any(text.endswith("*") for text in texts) else 0.0
        chips = _measure_chips(entries[1:], size)
        width = max(
            _measure_entry(entry, size, chips if place else 0.0)
            + (0.0 if entry.chip or entry.text.endswith("*") else star)
            for place, entry in enumerate(entries)
        )
        columns.append(_Column(k, min(width, MAX_COLUMN) + 2 * pad, right, star, chips))
    return columns


def _list_entries(table: TableView) -> Iterator[tuple[int, list[Entry]]]:
    """Yield each column's index and entries, its head first."""
    for k in range(max([1, len(table.heads), *(len(row) for row in table.rows)])):
        head = table.heads[k] if k < len(table.heads) else Entry()
        yield k, [head, *(row[k] for row in table.rows if k < len(row))]


def _measure_chips(entries: Sequence[Entry], size: float) -> float:
    """Return how wide chips that stand below one another are, each with room for an emblem."""
    return max((measure_chip(entry.chip, size, CHIP_HIGH, emblem=True) for entry in entries if entry.chip), default=0.0)


def _measure_entry(entry: Entry, size: float, chips: float) -> float:
    """Return how wide an entry is; ``chips`` is the width of those in its column, 0 for a head's own."""
    wide = (chips or measure_chip(entry.chip, size, CHIP_HIGH)) + (8 if entry.text else 0) if entry.chip else 0.0
    wide += len(entry.swatch) * SWATCH
    return wide + fonts.measure_text(clean_text(entry.text), size, "bold") + 2


def _measure_longest_words(table: TableView, size: float, pad: float) -> Mapping[int, float]:
    """Return the least width of each column by its index, in which no word of a usual length is cut."""
    return {
        k: 2 * pad
        + max(
            (fonts.measure_text(word, size, "bold") for e in entries for word in clean_text(e.text).split()), default=0
        )
        for k, entries in _list_entries(table)
    }


def _narrow_columns(columns: Sequence[_Column], room: float, least: Mapping[int, float]) -> list[_Column]:
    """Return columns with the widest ones of words made narrower, as far as a table too wide needs it."""
    widths = [column.width for column in columns]
    excess = sum(widths) - room
    wordy = [k for k, column in enumerate(columns) if not column.right]
    while excess > 0 and wordy:
        widest = max(wordy, key=lambda k: widths[k])
        cut = min(excess, 10.0)
        if widths[widest] - cut < max(MIN_COLUMN, min(least[columns[widest].index], MAX_WORD_WIDTH)):
            wordy.remove(widest)
            continue
        widths[widest] -= cut
        excess -= cut
    return [_Column(c.index, width, c.right, c.star, c.chip) for c, width in zip(columns, widths, strict=True)]


def _divide_columns(columns: Sequence[_Column], room: float) -> list[list[_Column]]:
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


def _widen_columns(part: Sequence[_Column], room: float) -> tuple[_Column, ...]:
    """Return columns widened towards the sheet's width, not so far that rows are hard to follow."""
    share = min(max(0.0, room - sum(column.width for column in part)) / len(part), 66)
    return tuple(_Column(c.index, c.width + share, c.right, c.star, c.chip) for c in part)


def _draw_part(
    table: TableView, columns: Sequence[_Column], y: float, printed: _Print, liveries: Liveries
) -> tuple[list[Item], float]:
    width = sum(column.width for column in columns)
    items: list[Item] = []
    if any(head.text or head.chip for head in table.heads):
        items.append(Box(EDGE, y, width, HEAD_ROW, 8, "head"))
        items += _draw_row(table.heads, columns, y + HEAD_ROW / 2, _Pen(printed, liveries, head=True))
        y += HEAD_ROW
    pen, drawn = _Pen(printed, liveries), 0
    for k, row in enumerate(table.rows):
        if len(row) > 1 and not _has_words(row, columns):
            continue
        drawn += 1
        high = _measure_row(row, columns, pen)
        if k == table.mine:
            items.append(Box(EDGE, y, width, high, 0, "mine"))
        elif drawn % 2 == 0:
            items.append(Box(EDGE, y, width, high, 0, "paper_2"))
        if k in table.acting:
            items.append(Box(EDGE - 16, y + 3, 12, high - 6, 4, "acting", "ink", 2))
        items += _draw_row(row, columns, y + high / 2, pen)
        y += high
    items.append(Box(EDGE, y, width, 2, 0, "rule"))
    return items, y + 2


def _has_words(row: Sequence[Entry], columns: Sequence[_Column]) -> bool:
    """Return whether a row has anything to say in some columns, but for the first one, which is in all parts."""
    entries = [row[c.index] for c in columns if 0 < c.index < len(row)]
    return any(map(_is_filled, entries))


def _is_filled(entry: Entry) -> bool:
    return bool(entry.text or entry.chip or entry.swatch)


def _measure_rows(table: TableView, printed: _Print) -> float:
    """Return how high the rows of a table in one part are together."""
    pen = _Pen(printed, Liveries((), load_theme("standard")))
    return sum(_measure_row(row, printed.parts[0], pen) for row in table.rows)


def _measure_row(row: Sequence[Entry], columns: Sequence[_Column], pen: "_Pen") -> float:
    """Return how high a row is for the entry of most lines."""
    most = max((len(pen.break_lines(row[c.index], c)) for c in columns if c.index < len(row)), default=1)
    return ROW + (most - 1) * LINE * pen.size


class _Pen:
    """What entries are written with."""

    def __init__(self, printed: _Print, liveries: Liveries, *, head: bool = False) -> None:
        self.size, self.pad, self.liveries, self.head = printed.size, printed.pad, liveries, head

    def choose_face(self, entry: Entry) -> Face:
        """Return the weight of an entry's letters."""
        return "bold" if self.head or entry.tone in ("strong", "good", "bad") else "semi"

    def break_lines(self, entry: Entry, column: _Column) -> Sequence[str]:
        """Return the lines of an entry's words; numbers and heads stay on one."""
        room, face = self.words_width(entry, column), self.choose_face(entry)
        if column.right or self.head or fonts.measure_text(clean_text(entry.text), self.size, face) <= room:
            return [fonts.cut_to_fit(entry.text, self.size, room, face)]
        lines = fonts.wrap(entry.text, self.size, room, face)
        rest = " ".join(lines[MAX_LINES - 1 :])
        return (
            lines
            if len(lines) <= MAX_LINES
            else [*lines[: MAX_LINES - 1], fonts.cut_to_fit(rest, self.size, room, face)]
        )

    def words_width(self, entry: Entry, column: _Column) -> float:
        """Return how much of a column's width the words of an entry have."""
        return column.width - 2 * self.pad - self.chip_share(entry, column) + 2

    def chip_share(self, entry: Entry, column: _Column) -> float:
        """Return how much of an entry's width its chip takes."""
        return self.chip_width(entry, column) + (8 if entry.text else 0) if entry.chip else 0.0

    def chip_width(self, entry: Entry, column: _Column) -> float:
        """Return how wide an entry's chip is: in a head no wider than its letters, elsewhere as all of the column."""
        return measure_chip(entry.chip, self.size, CHIP_HIGH) if self.head else column.chip

    def choose_colour(self, entry: Entry) -> str:
        """Return the colour of an entry's letters."""
        return "head_ink" if self.head else entry.tone if entry.tone in ("good", "bad", "dim") else "ink"


def _draw_row(row: Sequence[Entry], columns: Sequence[_Column], y: float, pen: _Pen) -> list[Item]:
    items: list[Item] = []
    x = float(EDGE)
    for column in columns:
        if column.index < len(row):
            items += _draw_entry(row[column.index], (x, y), column, pen)
        x += column.width
    return items


def _draw_entry(entry: Entry, at: Point, column: _Column, pen: _Pen) -> list[Item]:
    """Return one entry: a chip at the left of its words, or words set by the column's side."""
    left, right = at[0] + pen.pad, at[0] + column.width - pen.pad
    face, lines = pen.choose_face(entry), pen.break_lines(entry, column)
    items: list[Item] = []
    if entry.chip:
        wide = min(pen.chip_width(entry, column), right - left)
        if column.right:
            left = right - wide - (8 + fonts.measure_text(lines[0], pen.size, face) if entry.text else 0.0)
        items.append(make_chip(entry.chip, (left + wide / 2, at[1]), (wide, CHIP_HIGH), pen.size, pen.liveries))
        left += wide + 8
    for k, colour in enumerate(entry.swatch):
        items.append(
            Polygon(
                _list_hex_points(left + (k + 0.5) * SWATCH, at[1]), colour if colour in INKS else "grey", "ink", 2.5
            )
        )
    if entry.text and column.right:
        edge = right if entry.chip or entry.text.endswith("*") else right - column.star
        items.append(Label(edge, at[1], lines[0], pen.size, pen.choose_colour(entry), face, "r"))
    elif entry.text:
        top = at[1] - (len(lines) - 1) * LINE * pen.size / 2
        step = LINE * pen.size
        items += [
            Label(left, top + k * step, line, pen.size, pen.choose_colour(entry), face, "l")
            for k, line in enumerate(lines)
        ]
    return items


def _list_hex_points(x: float, y: float) -> tuple[Point, ...]:
    """Return a small hex, by which a colour of tiles is told."""
    return tuple(
        (round(x + SWATCH * 0.46 * px, 2), round(y + SWATCH * 0.46 * py, 2)) for px, py in list_corners("flat")
    )
