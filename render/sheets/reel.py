"""A frame of a film: the board as large as it fits, a caption, and worth so far on a chart whose axes stay."""

from engine.view import MapView, Reel
from render import fonts
from render.hexes import board
from render.places import network
from render.scene import Box, Inset, Item, Label, Scene
from render.sheets import chart

WIDE, HIGH = 1080, 1350
"""Four to five, as large as a phone shows a film."""
EDGE = 24
CAPTION, NAME, MIN_NAME = 48.0, 32.0, 22.0
CAPTION_HIGH, CHART_HIGH, ROW = 140, 300, 46
IN_ROW = (4, 3, 2)
"""Players side by side: as many as have room for their names."""
SAMPLE = 34


def build_scene(view: Reel, palette: str) -> Scene:
    """Return the scene of a frame; its unit is a pixel of the natural width."""
    plain = view.board
    whole = board.build_scene(plain, palette) if isinstance(plain, MapView) else network.build_scene(plain, palette)
    in_row, left = _choose_columns(view)
    rows = -(-len(view.chart.series) // in_row)
    room = HIGH - CAPTION_HIGH - CHART_HIGH - rows * ROW - EDGE
    wide = min(float(WIDE), room * whole.width / whole.height)
    tall = wide * whole.height / whole.width
    items: list[Item] = [Inset((WIDE - wide) / 2, CAPTION_HIGH + (room - tall) / 2, wide, whole)]
    items += _draw_caption(view.caption)
    top = HIGH - CHART_HIGH - rows * ROW
    items.append(Box(0, top - 8, WIDE, HIGH - top + 8, 0, "paper"))
    step = (WIDE - 2 * EDGE) / in_row
    for number, line in enumerate(view.chart.series):
        x, y = EDGE + number % in_row * step, top + (number // in_row + 0.5) * ROW
        now = next((value for value in reversed(line.values) if value is not None), None)
        worth = view.chart.write_value(now) if now is not None else ""
        size = max(MIN_NAME, min(NAME, NAME * left / fonts.measure_text(line.name, NAME)))
        items += chart.draw_line_sample(number, palette, (x, y), SAMPLE)
        items.append(Label(x + SAMPLE + 10, y, fonts.cut_to_fit(line.name, size, left), size, "ink", "bold", "l"))
        items.append(Label(x + step - 14, y, worth, NAME, "ink", "semi", "r"))
    if len(view.chart.steps) > 1:
        small = chart.build_small_scene(view.chart, palette, (WIDE - 2 * EDGE, CHART_HIGH - EDGE))
        items.append(Inset(EDGE, HIGH - CHART_HIGH, WIDE - 2 * EDGE, small))
    return Scene(WIDE, HIGH, WIDE, "sea", tuple(items))


def _choose_columns(view: Reel) -> tuple[int, float]:
    """Return how many players stand side by side, the same in all frames of a film, and the room of a name."""
    chart = view.chart
    worth = fonts.measure_text(chart.write_value(chart.most), NAME, "semi")
    widest = max((fonts.measure_text(line.name, MIN_NAME) for line in chart.series), default=0.0)
    for count in IN_ROW:
        players = max(1, len(chart.series))
        columns = -(-players // -(-players // count))  # as many in each row
        room = (WIDE - 2 * EDGE) / columns - SAMPLE - 32 - worth
        if room >= widest:
            break
    return columns, room


def _draw_caption(caption: str) -> list[Item]:
    """Return the caption in one line, or two of about one length; what is still too long is cut."""
    rooms = [(WIDE - 2 * EDGE) * share / 20 for share in range(10, 21)]
    broken = [fonts.wrap(caption, CAPTION, room, "bold") for room in rooms]
    lines = list(next((lines for lines in broken if len(lines) == len(broken[-1])), broken[-1]))
    if len(lines) > 2:
        lines = [lines[0], fonts.cut_to_fit(" ".join(lines[1:]), CAPTION, WIDE - 2 * EDGE)]
    items: list[Item] = [Box(0, 0, WIDE, CAPTION_HIGH, 0, "head")]
    for number, line in enumerate(lines):
        y = CAPTION_HIGH / 2 + (number - (len(lines) - 1) / 2) * 58
        items.append(Label(WIDE / 2, y, line, CAPTION, "head_ink"))
    return items
