"""Cards made to be shared: the board at the left, who stands where at the right, worth by round, facts."""

import msgspec

from engine.view import MapView, Poster, Rank
from render import fonts
from render.banner import measure_banner
from render.hexes import board
from render.places import network
from render.scene import Box, Disc, Face, Inset, Item, Label, Scene
from render.sheets import chart

PIXELS, WHOLE = 1600, 900
EDGE, GAP = 28, 34
MAX_BOARD_WIDTH = 960
"""Most of the width that the board takes."""

RANK, NAME, FACT = 56, 38, 30
BULLET = 24
"""How far a fact is set in, with a dot before its first line."""

MAX_RANK_HEIGHT = 88.0
"""Height of a line where there is no chart: who sits there is all there is to tell."""

MAX_RANKS_IN_COLUMN, MIN_COLUMN = 5, 380
"""Players above whom there are two columns of them, and how wide each is at least."""

MIN_NAME_SIZE = 22.0
SAMPLE = 40
"""Length of the piece of a player's line of the chart that stands beside the name."""

BESIDE = 22
"""Blank between that line and what a player is worth."""

MIN_CHART_HEIGHT = 150
MEDALS = ("medal_1", "medal_2", "medal_3")


def build_scene(view: Poster, palette: str) -> Scene:
    """Return the scene of a card, which with its banner has 1600 by 900 pixels."""
    high = WHOLE - (measure_banner(view) if view.banner else 0.0)
    plain = msgspec.structs.replace(view.board, title="", banner=None, identity=view.identity)
    whole = board.build_scene(plain, palette) if isinstance(plain, MapView) else network.build_scene(plain, palette)
    shown = view.ranks[:8]
    two_columns = len(shown) > MAX_RANKS_IN_COLUMN and bool(shown[0].words)
    most = PIXELS - 2 * (EDGE + GAP + MIN_COLUMN) if two_columns else MAX_BOARD_WIDTH
    wide = min(most, (high - 2 * EDGE) * whole.width / whole.height)
    tall = wide * whole.height / whole.width
    top = (high - tall) / 2
    items: list[Item] = [
        Box(EDGE + 5, top + 6, wide, tall, 6, "rule"),
        Inset(EDGE, top, wide, whole),
        Box(EDGE, top, wide, tall, 2, "", "ink", 4),
    ]
    left = EDGE + wide + GAP
    wrapped = [fonts.wrap(fact, FACT, PIXELS - EDGE - left - BULLET, "semi") for fact in view.facts]
    facts = [(line, k == 0) for lines in wrapped for k, line in enumerate(lines)]
    low = high - EDGE - len(facts) * 40
    y = float(EDGE)
    columns = 2 if two_columns else 1
    rows = -(-len(shown) // columns)
    top = y + rows * RANK + 14
    charted = view.chart is not None and len(view.chart.steps) > 1 and low - 14 - top >= MIN_CHART_HEIGHT
    room = (PIXELS - EDGE - left - (columns - 1) * GAP) / columns
    tall_row = RANK if charted else max(RANK, min(MAX_RANK_HEIGHT, (low - 14 - y) / max(1, rows)))
    worth = max((fonts.measure_text(rank.words, NAME) for rank in shown), default=0.0)
    for k, rank in enumerate(shown):
        at = (left + k // rows * (room + GAP), y + k % rows * tall_row, room, tall_row)
        items += _draw_rank(rank if charted else msgspec.structs.replace(rank, line=-1), at, worth, palette)
    items += _draw_chart(view, palette, (left, top, low - 14)) if charted else []
    for k, (line, first) in enumerate(facts):
        items.append(Label(left + BULLET, low + 20 + k * 40, line, FACT, "ink", "semi", "l"))
        items += [Disc(left + 8, low + 20 + k * 40, 5, "ink")] if first else []
    return Scene(PIXELS, high, PIXELS, "paper", tuple(items))


def _draw_rank(rank: Rank, at: tuple[float, float, float, float], worth: float, palette: str) -> list[Item]:
    """Return one line: a medal with the place, the name, its line in the chart, what it is worth.

    ``at`` is where it begins, to the right and down, its width and its height; ``worth`` is the room for what the
    richest one is worth.
    """
    x, y, wide, high = at
    right, name, more = x + wide, NAME * high / RANK, high / RANK
    middle = y + high / 2
    items: list[Item] = [Box(x, y + 3, right - x, high - 6, 10, "mine")] if rank.first else []
    medal = MEDALS[int(rank.place) - 1] if rank.words and rank.place in ("1", "2", "3") else "paper_2"
    items.append(Disc(x + 30 * more, middle, 22 * more, medal, "ink", 3))
    items.append(Label(x + 30 * more, middle, rank.place[:2], 30 * more, "ink"))
    words = fonts.measure_text(rank.words, name) if rank.words else 0.0
    if rank.line >= 0:
        words = worth + BESIDE + SAMPLE
        items += chart.draw_line_sample(rank.line, palette, (right - words, middle), SAMPLE)
    face: Face = "bold" if rank.first else "semi"
    room = right - x - 66 * more - 18 - words
    size = max(MIN_NAME_SIZE, min(name, 0.98 * name * room / max(1.0, fonts.measure_text(rank.name, name, face))))
    items.append(Label(x + 66 * more, middle, fonts.cut_to_fit(rank.name, size, room, face), size, "ink", face, "l"))
    if rank.words:
        items.append(Label(right - 12, middle, rank.words, name, "ink", "bold", "r"))
    return items


def _draw_chart(view: Poster, palette: str, frame: tuple[float, float, float]) -> list[Item]:
    """Return the chart; ``frame`` is its left, its top and how far down it may reach."""
    left, top, low = frame
    if view.chart is None:
        return []
    wide = PIXELS - EDGE - left
    return [Inset(left, top, wide, chart.build_small_scene(view.chart, palette, (wide, low - top)))]
