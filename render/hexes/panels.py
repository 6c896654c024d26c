"""Lettered choices side by side, each a hex in place, and the manifest of tiles."""

from collections.abc import Sequence

from engine.view import Brand, MapView, Panel, Panels
from render import fonts, geometry
from render.geometry import find_centre
from render.hexes.board import draw_hexes_alone, wash_out
from render.scene import Box, Inset, Item, Label, Scene
from render.sheets.tables import draw_heading, draw_paragraph

PIXELS = 1320
EDGE, GAP = 20, 16
CAPTION, MIN_CAPTION, LETTER, LETTER_HIGH = 36, 22.0, 46, 48
MANY = 40
"""Number of tiles in a manifest above which they are drawn smaller."""

Look = tuple[tuple[Brand, ...], str]
"""Companies and palette."""

REACH = 1.42
"""How far a panel with neighbours shows around the middle of its hex, in hex sides."""


def build_scene(view: Panels, palette: str) -> Scene:
    """Return the scene of panels; its unit is a pixel of the natural width."""
    lettered = any(panel.letter for panel in view.panels)
    per_row = _choose_row_length(len(view.panels), lettered=lettered)
    wide = (PIXELS - 2 * EDGE - (per_row - 1) * GAP) / per_row
    size = _choose_caption_size(view.panels, wide)
    items, y = draw_heading(view.title, PIXELS, EDGE)
    for start in range(0, len(view.panels), per_row):
        row = view.panels[start : start + per_row]
        high = 0.0
        for k, panel in enumerate(row):
            left = EDGE + (k + (per_row - len(row)) / 2 * lettered) * (wide + GAP)
            drawn, tall = _draw_panel(panel, (left, y, wide), size, (view.brands, palette))
            items += drawn
            high = max(high, tall)
        y += high + GAP
    for note in view.notes:
        lines, y = draw_paragraph(note, PIXELS - 2 * EDGE, EDGE, y)
        items += lines
    return Scene(PIXELS, y + EDGE, PIXELS, "paper", tuple(items))


def _choose_row_length(count: int, *, lettered: bool) -> int:
    """Return how many panels stand side by side, in rows of about one length: four can still be read on a phone."""
    if lettered:
        return max(2, -(-count // -(-count // 4)))
    return 8 if count > MANY else min(6, max(4, count))


def _choose_caption_size(panels: Sequence[Panel], wide: float) -> float:
    """Return the size of letters in which each caption fits its panel, so far as they can be read."""
    sizes = [
        CAPTION * (wide - _measure_letter(panel) - 12) / max(1.0, fonts.measure_text(panel.caption, CAPTION, "semi"))
        for panel in panels
    ]
    return max(MIN_CAPTION, min([CAPTION, *sizes]))


def _draw_panel(panel: Panel, frame: tuple[float, float, float], size: float, look: Look) -> tuple[list[Item], float]:
    """Return a panel and its height; ``size`` is that of the caption."""
    x, y, wide = frame
    reach = REACH if len(panel.hexes) > 1 else 1.08
    high = 2 * (reach if len(panel.hexes) > 1 else _measure_half_height(panel) + 0.08) / (2 * reach) * wide
    items: list[Item] = []
    if panel.hexes:
        items.append(Inset(x, y, wide, _draw_hexes(panel, reach, high / wide, look)))
    if len(panel.hexes) > 1:
        items.append(Box(x, y, wide, high, 0, "", "rule", 3))
    y += high + 8
    left = x
    if panel.letter:
        box = _measure_letter(panel)
        items.append(Box(x, y, box, LETTER_HIGH, 10, "choice"))
        items.append(Label(x + box / 2, y + LETTER_HIGH / 2, panel.letter, LETTER, "choice_ink"))
        left += box
    caption = fonts.cut_to_fit(panel.caption, size, x + wide - left - 4, "semi")
    colour = "dim" if panel.dim else "ink"
    items.append(Label((left + x + wide) / 2, y + LETTER_HIGH / 2, caption, size, colour, "semi"))
    return items, high + 8 + LETTER_HIGH


def _measure_half_height(panel: Panel) -> float:
    """Return how far the hexes of a panel reach above and below their centres."""
    return max(geometry.measure_half(h.layout)[1] for h in panel.hexes) if panel.hexes else geometry.HALF


def _measure_letter(panel: Panel) -> float:
    """Return how much of a panel's width its letter takes."""
    return max(LETTER_HIGH + 4, fonts.measure_text(panel.letter, LETTER) + 26) if panel.letter else 0.0


def _draw_hexes(panel: Panel, reach: float, shape: float, look: Look) -> Scene:
    """Return the hexes of a panel as a scene around the first of them."""
    brands, palette = look
    first = panel.hexes[0]
    cx, cy = find_centre(first.x, first.y, first.layout)
    board = MapView("", "", panel.hexes, brands)
    items: list[Item] = draw_hexes_alone(board, palette, (reach - cx, reach * shape - cy))
    if panel.dim:
        items = [wash_out(item) for item in items]
    return Scene(2 * reach, 2 * reach * shape, 300, "sea" if len(panel.hexes) > 1 else "paper", tuple(items))
