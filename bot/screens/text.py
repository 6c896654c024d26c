"""Commands as typed, and views as text."""

import shlex
from collections.abc import Sequence

from bot.service.errors import BotError
from engine.view import Chart, MapView, MarketView, Network, Note, Panels, Sheet, TableView, View

MOST_TYPED = 4000


def words_of(line: str) -> tuple[str, dict[str, str]]:
    """Read ``bid amount:20 on:"C&N"`` as the first word and its named parameters.

    Raises:
        BotError: a quotation mark is missing, or a word is no ``name:value``.
    """
    if len(line) > MOST_TYPED:
        raise BotError(f"That is too long; {MOST_TYPED} characters are enough for any command.")
    reader = shlex.shlex(line, posix=True, punctuation_chars=False)
    reader.whitespace_split, reader.commenters, reader.quotes, reader.escape = True, "", '"', ""
    try:
        words = list(reader)
    except ValueError:
        raise BotError("A quotation mark is missing.") from None
    named: dict[str, str] = {}
    for word in words[1:]:
        name, colon, value = word.partition(":")
        if not colon or not name:
            raise BotError(f"Write parameters as name:value, not “{word[:40]}”; quote values with blanks.")
        named[name.lower()] = value
    return (words[0].lower() if words else ""), named


def text_of(view: View) -> list[str]:
    """Return a view as lines of text, the twin of its picture."""
    lines = [view.title]
    if isinstance(view, Note):
        return [*lines, *view.lines]
    if isinstance(view, Sheet):
        for table in view.tables:
            lines += ["", *_columns(table)]
    elif view.alt:
        lines.append(view.alt)
    if isinstance(view, MapView):
        lines += [line.words for line in view.lines if line.words]
    if isinstance(view, Chart):
        lines += [f"{series.name}: {_values(series.values)}" for series in view.series]
    if isinstance(view, Panels):
        lines += [f"{panel.letter} {panel.caption}".strip() for panel in view.panels]
    if isinstance(view, MapView | MarketView | Sheet | Panels | Network):
        lines += getattr(view, "notes", ())
    return lines


def _columns(table: TableView) -> list[str]:
    """Return a table in columns of equal width."""
    rows = [[_entry(entry.chip, entry.text) for entry in row] for row in (table.heads, *table.rows)]
    count = max((len(row) for row in rows), default=0)
    widths = [max((len(row[at]) for row in rows if at < len(row)), default=0) for at in range(count)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip() for row in rows]
    return [table.title, *lines] if table.title else lines


def _entry(chip: str, text: str) -> str:
    return f"{chip} {text}" if chip and text and chip != text else chip or text


def _values(values: Sequence[int | None]) -> str:
    return " ".join("–" if value is None else str(value) for value in values[-12:])
