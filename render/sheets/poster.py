"""Cards made to be shared: the board at the left, who stands where at the right, worth by round, facts."""

import msgspec

from engine.view import MapView, MarketView, Poster, Rank
from render import fonts
from render.frame.banner import band_height
from render.hexes import board
from render.places import network
from render.scene import Box, Disc, Face, Inset, Item, Label, Scene
from render.sheets import chart, market

PIXELS, WHOLE = 1600, 900
EDGE, GAP = 28, 34
WIDEST = 960
"""Most of the width that the board takes."""

RANK, NAME, FACT = 56, 38, 30
LEAST_NAME = 30.0
SAMPLE = 56
"""Length of the piece of a player's line of the chart that stands beside the name."""

WORTH = 146
"""Room for what a player is worth, at the right of that line."""

LEAST_CHART = 150
MEDALS = ("medal_1", "medal_2", "medal_3")


def scene(view: Poster, palette: str) -> Scene:
    """Return the scene of a card, which with its banner has 1600 by 900 pixels."""
    high = WHOLE - (band_height(view) if view.banner else 0.0)
    plain = msgspec.structs.replace(view.board, title="", banner=None)
    whole = board.scene(plain, palette) if isinstance(plain, MapView) else network.scene(plain, palette)
    wide = min(WIDEST, (high - 2 * EDGE) * whole.width / whole.height)
    tall = wide * whole.height / whole.width
    top = (high - tall) / 2
    items: list[Item] = [
        Box(EDGE + 5, top + 6, wide, tall, 6, "rule"),
        Inset(EDGE, top, wide, whole),
        Box(EDGE, top, wide, tall, 2, "", "ink", 4),
    ]
    left = EDGE + wide + GAP
    facts = [line for fact in view.facts for line in fonts.wrapped(f"• {fact}", FACT, PIXELS - EDGE - left, "semi")]
    low = high - EDGE - len(facts) * 40
    y = float(EDGE)
    top = y + min(8, len(view.ranks)) * RANK + 14
    prices = _market(view.market, palette, (left, top, high - EDGE)) if view.market else []
    if prices:  # below the market is the chart, if there is room, and no facts
        facts, low, top = [], high - EDGE + 14, top + prices[0].width * prices[0].scene.height / prices[0].scene.width
    charted = view.chart is not None and len(view.chart.steps) > 1 and low - 14 - top >= LEAST_CHART
    for k, rank in enumerate(view.ranks[:8]):
        items += _rank(rank if charted else msgspec.structs.replace(rank, line=-1), k, (left, y), palette)
        y += RANK
    items += prices
    items += _chart(view, palette, (left, top, low - 14)) if charted else []
    for k, line in enumerate(facts):
        items.append(Label(left, low + 20 + k * 40, line, FACT, "ink", "semi", "l"))
    return Scene(PIXELS, high, PIXELS, "paper", tuple(items))


def _rank(rank: Rank, row: int, at: tuple[float, float], palette: str) -> list[Item]:
    """Return one line: a medal with the place, the name, its line in the chart, what it is worth."""
    x, y = at
    right = PIXELS - EDGE
    middle = y + RANK / 2
    items: list[Item] = [Box(x, y + 3, right - x, RANK - 6, 10, "mine")] if rank.first else []
    medal = MEDALS[min(row, 2)] if rank.words and row < 3 else "paper_2"
    items += [Disc(x + 30, middle, 22, medal, "ink", 3), Label(x + 30, middle, rank.place[:2], 30, "ink")]
    words = fonts.width(rank.words, NAME) if rank.words else 0.0
    if rank.line >= 0:
        items += chart.sample(rank.line, palette, (right - WORTH - SAMPLE, middle), SAMPLE)
        words = WORTH + SAMPLE
    face: Face = "bold" if rank.first else "semi"
    room = right - x - 84 - words
    size = max(LEAST_NAME, min(NAME, NAME * room / max(1.0, fonts.width(rank.name, NAME, face))))
    items.append(Label(x + 66, middle, fonts.fitted(rank.name, size, room, face), size, "ink", face, "l"))
    if rank.words:
        items.append(Label(right - 12, middle, rank.words, NAME, "ink", "bold", "r"))
    return items


def _market(view: MarketView, palette: str, frame: tuple[float, float, float]) -> list[Inset]:
    """Return the cells of the market as large as they fit."""
    left, top, low = frame
    whole = market.bare(view, palette)
    wide = min(PIXELS - EDGE - left, (low - top) * whole.width / whole.height)
    return [Inset(left, top, wide, whole)]


def _chart(view: Poster, palette: str, frame: tuple[float, float, float]) -> list[Item]:
    """Return the chart; ``frame`` is its left, its top and how far down it may reach."""
    left, top, low = frame
    if view.chart is None:
        return []
    wide = PIXELS - EDGE - left
    return [Inset(left, top, wide, chart.small(view.chart, palette, (wide, low - top)))]
