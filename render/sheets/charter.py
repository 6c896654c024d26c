"""A company's charter: a band in its colour with its emblem, facts, train cards, tokens, shares by owner."""

from collections.abc import Sequence

from engine.view import Brand, Card, CharterView
from render import fonts
from render.hexes.station import Liveries, draw_token
from render.scene import Box, Item, Label, Livery, Polygon, Scene
from render.sheets.tables import CARD, CARD_WIDE, draw_paragraph, draw_train_card
from render.theme import draw_emblem, load_theme

PIXELS, EDGE = 1200, 28
BAND, SHIELD = 132, 44
NAME, HEAD, TEXT = 50, 30, 34
ROW = 50
TOKEN = 54
"""Radius of a token where few stand side by side."""
BAR = 54
LEFT = 560
"""Where the right half begins."""


def build_scene(view: CharterView, palette: str) -> Scene:
    """Return the scene of a charter; its unit is a pixel of the natural width."""
    liveries = Liveries(view.brands, load_theme(palette))
    look = liveries.find(view.company)
    brand = next((brand for brand in view.brands if brand.code == view.company), Brand(view.company, "", "", "", 0))
    items = _draw_band(brand, look)
    top = BAND + 34.0
    if view.cards or view.tokens:
        left = _write_facts(view.facts, (EDGE, top), items)
        right = _draw_tokens(view, look, _draw_trains(view.cards, top, items), items)
    else:
        half = (len(view.facts) + 1) // 2
        left = _write_facts(view.facts[:half], (EDGE, top), items)
        right = _write_facts(view.facts[half:], (LEFT + 16, top), items)
    low = _draw_shares(view, look, max(left, right) + 12, items)
    for note in view.notes:
        lines, low = draw_paragraph(note, PIXELS - 2 * EDGE, EDGE, low + 6)
        items += lines
    frame = Box(6, 6, PIXELS - 12, low + EDGE - 12, 14, "", look.fill, 6)
    return Scene(PIXELS, low + EDGE, PIXELS, "paper", (frame, *items))


def _draw_band(brand: Brand, look: Livery) -> list[Item]:
    """Return the band: the company's emblem on a shield, its code and name."""
    x, y = EDGE + 62.0, BAND / 2 + 4
    shield = ((-1, -1), (1, -1), (1, 0.2), (0.6, 0.8), (0, 1.15), (-0.6, 0.8), (-1, 0.2))
    points = tuple((x + px * SHIELD, y - 3 + py * SHIELD) for px, py in shield)
    items: list[Item] = [Box(6, 6, PIXELS - 12, BAND, 14, look.fill), Polygon(points, look.ink, look.ink, 3)]
    items += draw_emblem(brand.emblem, (x, y - 2), SHIELD * 0.72, look.fill, look.ink)
    if not brand.emblem:
        items.append(Label(x, y, brand.code[:3], 34, look.fill))
    room = PIXELS - EDGE - x - 80
    items.append(Label(x + 66, y - 26, fonts.cut_to_fit(brand.name, NAME, room), NAME, look.ink, "bold", "l"))
    items.append(Label(x + 66, y + 28, brand.code, 36, look.ink, "semi", "l"))
    return items


def _write_facts(facts: Sequence[tuple[str, str]], at: tuple[float, float], items: list[Item]) -> float:
    """Write facts below one another, and return how far down they reach."""
    x, y = at
    wide = LEFT - EDGE - 20
    begin = max([170.0, *(fonts.measure_text(name, HEAD, "semi") + 30 for name, _ in facts)])
    for name, value in facts:
        items.append(Label(x + 6, y + ROW / 2, name, HEAD, "ink_soft", "semi", "l"))
        lines = fonts.wrap(value, TEXT, wide - begin, "bold")[:3]
        for k, line in enumerate(lines):
            items.append(Label(x + begin, y + ROW / 2 + k * 40, line, TEXT, "ink", "bold", "l"))
        y += ROW + (len(lines) - 1) * 40
        items.append(Box(x, y - 2, wide, 2, 0, "rule"))
    return y


def _write_head(text: str, x: float, y: float, items: list[Item]) -> float:
    items.append(Label(x, y + 18, text, HEAD, "ink_soft", "semi", "l"))
    return y + 44


def _draw_trains(cards: Sequence[Card], y: float, items: list[Item]) -> float:
    """Draw the trains as cards side by side; a place without a train is told."""
    y = _write_head("Trains", LEFT, y, items)
    if not cards:
        items.append(Label(LEFT, y + 24, "none", TEXT, "dim", "semi", "l"))
        return y + 62
    per_row = max(1, (PIXELS - EDGE - LEFT) // (CARD_WIDE + 14))
    for k, card in enumerate(cards[:9]):
        x, top = LEFT + k % per_row * (CARD_WIDE + 14), y + k // per_row * (CARD + 14)
        items += draw_train_card(card, (x, top))
    return y + -(-min(len(cards), 9) // per_row) * (CARD + 14) + 10


def _draw_tokens(view: CharterView, look: Livery, y: float, items: list[Item]) -> float:
    """Draw the tokens in a row: those placed with where they stand, the others pale with their price."""
    if not view.tokens:
        return y
    y = _write_head("Tokens", LEFT, y, items)
    step = min(2 * TOKEN + 24, (PIXELS - EDGE - LEFT) / min(len(view.tokens), 12))
    r = min(TOKEN, step / 2 - 3)
    for k, (words, placed) in enumerate(view.tokens[:12]):
        x = LEFT + r + k * step
        items.append(draw_token(view.company, (x, y + r), r, look, ghost=not placed))
        fit = fonts.cut_to_fit(words, 26, step + 4, "semi")
        items.append(Label(x, y + 2 * r + 20, fit, 26, "ink" if placed else "ink_soft", "semi"))
    return y + 2 * r + 48


def _draw_shares(view: CharterView, look: Livery, y: float, items: list[Item]) -> float:
    """Draw the shares as one bar of the whole company, and who has them."""
    whole = sum(holding.count for holding in view.holdings)
    if not whole:
        return y
    y = _write_head("Shares", EDGE + 6, y, items)
    wide = PIXELS - 2 * EDGE
    x = float(EDGE)
    for k, holding in enumerate(view.holdings):
        part = wide * holding.count / whole
        held = holding.who not in ("IPO", "Pool", "Treasury", "Bank")
        fill = look.fill if held and k % 2 == 0 else f"pale:{look.fill}" if held else "paper_2"
        items.append(Box(x, y, part, BAR, 0, fill, "ink", 3))
        ink = look.ink if fill == look.fill else "ink"
        figure = f"{holding.count}"
        if fonts.measure_text(figure, 34) < part - 8:
            items.append(Label(x + part / 2, y + BAR / 2, figure, 34, ink))
        x += part
    y += BAR + 10
    x = EDGE + 6.0
    for holding in view.holdings:
        told = f"{holding.who} {holding.count}{view.unit}{f' · {holding.role}' if holding.role else ''}"
        text = fonts.cut_to_fit(told, TEXT, wide, "bold")
        room = fonts.measure_text(text, TEXT, "bold") + 44
        if x > EDGE + 6 and x + room > PIXELS - EDGE:
            x, y = EDGE + 6.0, y + 46
        items.append(Label(x, y + 24, text, TEXT, "ink", "bold" if holding.role else "semi", "l"))
        x += room
    return y + 54
