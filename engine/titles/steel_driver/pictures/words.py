"""The words of pictures: headings, and the text that tells a picture without seeing it."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from engine.titles.steel_driver.board import GOODS
from engine.titles.steel_driver.state import TURNS, State
from engine.view import Entry, TableView

SIGNS = {"black": "K ■", "white": "W ○", "silver": "S ◆", "orange": "O ●", "red": "R ▲"}
_OWN: Mapping[str, str] = MappingProxyType({})
MOST = 900  # players' names, put in later, may be longer than their place-holders; the limit is 1024


def heading(state: State, what: str = "") -> str:
    """Return "Map · turn 2 of 5, building", or the turn alone."""
    doing = {"auction": "auctions", "build": "building", "goods": "claiming goods", "over": "the end"}[state.phase]
    return f"{f'{what} · t' if what else 'T'}urn {state.turn} of {TURNS}, {doing}"


def telling(title: str, parts: Iterable[str]) -> str:
    """Return a title and as many parts as fit, saying when some are left out."""
    text = f"{title}."
    for part in parts:
        if len(text) + len(part) + 1 > MOST:
            return f"{text} …"
        text = f"{text} {part}"
    return text


def rows_told(table: TableView, names: Mapping[str, str] = _OWN) -> Iterable[str]:
    """Yield each row of a table as a sentence, its first entry as the subject; what is nothing is left out.

    Args:
        table: with headings, which are said in lower case.
        names: what signs and codes among the headings are called.
    """
    heads = [names.get(head.chip or head.text, (head.chip or head.text).lower()) for head in table.heads]
    for row in table.rows:
        told = [
            f"{head} {entry.text}"
            for head, entry in zip(heads[1:], row[1:], strict=True)
            if entry.text not in ("", "–", "$0")
        ]
        yield f"{row[0].text}: {'; '.join(told) or 'nothing yet'}."


def strong(text: str) -> Entry:
    """Return an entry that stands out."""
    return Entry(text, tone="strong")


def cubes(count: int) -> str:
    """Return "1 cube", "4 cubes"."""
    return f"{count} cube" if count == 1 else f"{count} cubes"


def holding(counts: Sequence[int]) -> str:
    """Return "2 black, 1 red" for cubes by colour."""
    held = [f"{count} {colour}" for colour, count in zip(GOODS, counts, strict=True) if count]
    return ", ".join(held) or "no cubes"
