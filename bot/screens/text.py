"""Commands as typed, and views as text."""

import re
from collections.abc import Sequence

from bot.model.errors import BotError
from engine.view import Chart, MapView, MarketView, Network, Note, Panels, Sheet, TableView, View

MOST_TYPED = 4000


def words_of(line: str) -> tuple[str, dict[str, str]]:
    """Read ``bid amount:20 on:"C&N"`` as the first word and its named parameters.

    Raises:
        BotError: a quotation mark is missing, or a word is no ``name:value``.
    """
    if len(line) > MOST_TYPED:
        raise BotError(f"That is too long; {MOST_TYPED} characters are enough for any command.")
    verb, _, rest = line.strip().partition(" ")
    named: dict[str, str] = {}
    last = ""
    while rest := rest.lstrip():
        found = _NAMED.match(rest)
        name = found[1].lower() if found else last
        if not name:
            raise BotError(f"“{rest.split()[0][:40]}” has no name before it: write name:value, as in game:7.")
        rest = rest[found.end() :] if found else rest
        if name == "move" and _MOVE.match(rest):  # a move as one would type it goes on to the end
            named[name] = rest.strip()
            break
        value, rest = _value(rest)
        named[name] = value if found else f"{named[name]} {value}"
        last = name
    return verb.lower(), named


_NAMED = re.compile(r"([^\s:\"“„‘]+):")
_MOVE = re.compile(r"(?:/act )?[a-z]+ \S")
_QUOTES = {'"': '"', "“": "”", "„": "“”", "‘": "’", "'": "'", "«": "»"}


def _value(text: str) -> tuple[str, str]:
    """Return a value and what follows it: all between quotation marks, else one word.

    Raises:
        BotError: a quotation mark is missing.
    """
    ends = _QUOTES.get(text[:1], "")
    for at, sign in enumerate(text[1:], 1):
        if ends and sign in ends and (at + 1 == len(text) or text[at + 1].isspace()):
            return text[1:at], text[at + 1 :]
    if ends and ends != "'":
        raise BotError("A quotation mark is missing.")
    word, blank, rest = text.partition(" ")
    return word, blank + rest


def text_of(view: View) -> list[str]:
    """Return a view as lines of text, the twin of its picture."""
    lines = [view.title]
    if isinstance(view, Note):
        return [*lines, *view.lines]
    if isinstance(view, Sheet):
        for table in view.tables:
            lines += ["", *_columns(table)]
        lines += [f"{card.name} {card.title}: {card.words}" for card in view.cards]
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
