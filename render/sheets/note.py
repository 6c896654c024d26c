"""Plain lines of text as a picture."""

from engine.view import Note
from render.scene import Item, Scene
from render.sheets.tables import NOTE_STEP, heading, paragraph

PIXELS = 1200
EDGE = 28
MOST_LINES = 60


def scene(view: Note, palette: str) -> Scene:
    """Return the scene of lines of text; long lines are broken, very many cut short."""
    del palette
    items: list[Item] = []
    items, y = heading(view.title, PIXELS, EDGE)
    for k, line in enumerate(view.lines):
        if y > MOST_LINES * NOTE_STEP:
            drawn, y = paragraph(f"… and {len(view.lines) - k} more lines", PIXELS - 2 * EDGE, EDGE, y)
            items += drawn
            break
        drawn, y = paragraph(line, PIXELS - 2 * EDGE, EDGE, y)
        items += drawn
        y += 6
    return Scene(PIXELS, y + EDGE, PIXELS, "paper", tuple(items))
