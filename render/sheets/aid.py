"""The cheat sheet: a game on one page, 1000 pixels wide, its sections below each other and the phases as a table."""

from engine.view import AidView, TableView
from render import fonts
from render.scene import Box, Item, Label, Scene

WIDTH, EDGE, PAD = 1000, 28, 22
TITLE, TEXT, CELL = 34.0, 27.0, 26.0
LINE, GAP = 36, 18
INDENT = 22
"""How far a line is set in that goes on from the one above."""


def build_scene(view: AidView, palette: str) -> Scene:
    """Return the scene of a cheat sheet, as high as its words; it looks alike in all palettes."""
    del palette
    items: list[Item] = []
    y = float(EDGE)
    for section in view.sections:
        lines = [
            (line, INDENT * (number > 0))
            for words in section.lines
            for number, line in enumerate(fonts.wrap(words, TEXT, WIDTH - 2 * (EDGE + PAD) - INDENT, "semi"))
        ]
        high = PAD + TITLE + 12 + len(lines) * LINE + PAD / 2
        items += [
            Box(EDGE, y, WIDTH - 2 * EDGE, high, 8, "paper_2", "rule", 2),
            Label(EDGE + PAD, y + PAD + TITLE / 2, section.title, TITLE, "ink", "bold", "l"),
        ]
        for number, (line, indent) in enumerate(lines):
            at = y + PAD + TITLE + 12 + (number + 0.5) * LINE
            items.append(Label(EDGE + PAD + indent, at, line, TEXT, "ink", "semi", "l"))
        y += high + GAP
    if view.phases is not None:
        table, high = _draw_phases(view.phases, y)
        items += table
        y += high + GAP
    return Scene(WIDTH, y - GAP + EDGE, WIDTH, "paper", tuple(items))


def _draw_phases(table: TableView, top: float) -> tuple[list[Item], float]:
    """Return the phases, the present one marked, and how high they are."""
    rows = (table.heads, *table.rows)
    widths = [
        max(fonts.measure_text(row[column].text, CELL, "bold") for row in rows) for column in range(len(table.heads))
    ]
    spare = (WIDTH - 2 * (EDGE + PAD) - sum(widths)) / max(1, len(widths) - 1)
    items: list[Item] = []
    for number, row in enumerate(rows):
        y = top + PAD / 2 + (number + 0.5) * LINE
        if number - 1 in table.acting:
            items.append(Box(EDGE, y - LINE / 2, WIDTH - 2 * EDGE, LINE, 6, "mine"))
        x = float(EDGE + PAD)
        for entry, width in zip(row, widths, strict=True):
            items.append(Label(x, y, entry.text, CELL, "ink", "bold" if number == 0 else "semi", "l"))
            x += width + spare
    return items, PAD + len(rows) * LINE
