"""Views as browsers show them: tables and words as HTML, which reflows and can be read aloud, all else as SVG.

Everything is XHTML, so that a page takes it as a document and never as markup in a text.
"""

from collections.abc import Iterable, Sequence
from html import escape

import msgspec

from engine.view import AidView, Card, Entry, Note, Sheet, TableView, View
from render.cache import PictureStyle
from render.fonts import clean_text
from render.hexes.station import Liveries
from render.sheets.sheet import NUMBER
from render.sheets.tables import make_chip, measure_chip
from render.svg import svg, write_chip
from render.theme import load_theme, name_tinted_palette

NAMESPACE = "http://www.w3.org/1999/xhtml"
CHIP, CHIP_HIGH = 34.0, 40.0


def html(view: View, style: PictureStyle, lit: Sequence[str] = ()) -> str:
    """Return a view as an article: its heading, what is to be seen, and the same in words.

    ``lit`` names what of the board it is about, as ``data-a`` does.
    """
    writer = HtmlWriter(view, style)
    body = writer.write(view)
    told = f'<details class="words"><summary>In words</summary><p>{write_text(view.alt)}</p></details>'
    words = "" if isinstance(view, Note | AidView) else told
    return wrap_article(type(view).__name__.lower(), view.headline or view.title, body + words, lit)


def wrap_article(kind: str, title: str, body: str, lit: Sequence[str] = ()) -> str:
    """Return an article of a kind under its heading."""
    network = f' data-lit="{escape(" ".join(lit))}"' if lit else ""
    return f'<article xmlns="{NAMESPACE}" class="{kind}"{network}><h2>{write_text(title)}</h2>{body}</article>'


def write_text(text: str) -> str:
    """Return a text as it stands in HTML, without control characters."""
    return escape(clean_text(text))


class HtmlWriter:
    """Writes the parts of a view with the colours of its companies."""

    def __init__(self, view: View, style: PictureStyle) -> None:
        self.style = style
        self.palette = name_tinted_palette(style.palette, view.identity.colours)
        self.liveries = Liveries(getattr(view, "brands", ()), load_theme(self.palette))

    def write(self, view: View) -> str:
        """Return what is to be seen."""
        if isinstance(view, Sheet):
            tables = "".join(self.write_table(table) for table in view.tables)
            return tables + self._write_cards(view.cards) + write_lines(view.notes)
        if isinstance(view, AidView):
            parts = [f"<h3>{write_text(part.title)}</h3>{write_lines(part.lines)}" for part in view.sections]
            return "".join(parts) + (self.write_table(view.phases) if view.phases else "")
        if isinstance(view, Note):
            return write_lines(view.lines)
        return svg(msgspec.structs.replace(view, headline=""), self.style)

    def write_chip(self, code: str) -> str:
        """Return the chip of a company, which can be tapped and is read as its letters."""
        livery = self.liveries.find(code)
        wide = measure_chip(code, CHIP, CHIP_HIGH, emblem=bool(livery.emblem))
        drawn = write_chip(make_chip(code, (0.0, 0.0), (wide, CHIP_HIGH), CHIP, self.liveries), self.palette)
        name = escape(code)
        return f'<button type="button" class="chip" data-a="company:{name}" aria-label="{name}">{drawn}</button>'

    def write_table(self, table: TableView) -> str:
        """Return a table; the row of the viewer and those of who acts are marked."""
        heads = "".join(f"<th scope='col'{_align(entry)}>{self._write_entry(entry)}</th>" for entry in table.heads)
        rows = [
            f"<tr{_mark_row(table, number)}>{''.join(self._write_cell(entry) for entry in row)}</tr>"
            for number, row in enumerate(table.rows)
        ]
        caption = f"<caption>{write_text(table.title)}</caption>" if table.title else ""
        head = f"<thead><tr>{heads}</tr></thead>" if any(entry.text or entry.chip for entry in table.heads) else ""
        return f'<div class="scroll"><table>{caption}{head}<tbody>{"".join(rows)}</tbody></table></div>'

    def _write_cell(self, entry: Entry) -> str:
        return f"<td{_align(entry)}>{self._write_entry(entry)}</td>"

    def _write_entry(self, entry: Entry) -> str:
        chip = self.write_chip(entry.chip) if entry.chip else ""
        return chip + "".join(map(self._write_swatch, entry.swatch)) + write_text(entry.text)

    def _write_swatch(self, role: str) -> str:
        colour = "#" + bytes(load_theme(self.palette).find_rgb(role)).hex()
        square = f'<path fill="{colour}" d="M0 0H1V1H0z"/>'
        return f'<svg xmlns="http://www.w3.org/2000/svg" class="swatch" viewBox="0 0 1 1">{square}</svg>'

    def _write_cards(self, cards: Sequence[Card]) -> str:
        """Return trains or private companies as a list."""
        found = [
            f"<li class='{'dim' if card.dim else ''}'><b>{write_text(card.name)}</b> "
            f"{write_text(' · '.join(filter(None, (card.title, card.words))))}</li>"
            for card in cards
        ]
        return f'<ul class="cards">{"".join(found)}</ul>' if found else ""


def write_lines(lines: Iterable[str]) -> str:
    """Return lines as a list, nothing for none."""
    found = [f"<li>{write_text(line)}</li>" for line in lines if line]
    return f'<ul class="lines">{"".join(found)}</ul>' if found else ""


def _align(entry: Entry) -> str:
    """Return the classes of an entry: numbers are set right, tones have colours."""
    kinds = [*(["n"] if NUMBER.fullmatch(entry.text) else []), *([entry.tone] if entry.tone else [])]
    return f' class="{" ".join(kinds)}"' if kinds else ""


def _mark_row(table: TableView, number: int) -> str:
    kinds = [*(["mine"] if number == table.mine else []), *(["acting"] if number in table.acting else [])]
    return f' class="{" ".join(kinds)}"' if kinds else ""
