"""What pictures of words and numbers share: headings, chips, paragraphs, cards; and plain lines as a picture."""

from collections.abc import Sequence

from engine.view import Card, Note
from render import fonts
from render.fonts import clean_text
from render.hexes.station import Liveries
from render.scene import Box, Chip, Item, Label, Scene

TITLE = 46
NOTE, NOTE_STEP = 32, 44
EMBLEM = 0.72
"""Room for an emblem before the letters of a chip, of its height."""
CARD, CARD_WIDE = 118, 176
DEED, DEED_WIDE, GAP = 168, 370, 16
NOTE_PIXELS = 1200
NOTE_EDGE = 28
MAX_LINES = 60


def draw_heading(title: str, width: float, edge: float) -> tuple[list[Item], float]:
    """Return a picture's heading, and how far down it reaches."""
    if not title:
        return [], edge
    text = fonts.cut_to_fit(title, TITLE, width - 2 * edge, "bold")
    return [Label(edge, edge + 24, text, TITLE, "ink", "bold", "l")], edge + 66


def make_chip(code: str, at: tuple[float, float], most: tuple[float, float], size: float, liveries: Liveries) -> Chip:
    """Return an oblong chip of at most a width and a height; its letters shrink to fit."""
    livery = liveries.find(code)
    wide, high = most
    side = high * (0.42 if livery.pattern in ("ring", "flanks") else 0.3)
    text = clean_text(code)
    fit = min(size, high * 0.86, size * (wide - side) / (fonts.measure_text(text, size) or 1.0))
    if fit < size * 0.5:
        text, fit = fonts.cut_to_fit(text, size * 0.5, wide - side), size * 0.5
    if livery.pattern != "plain":
        fit = min(fit, high * 0.72)
    before = livery.emblem and wide - side - fonts.measure_text(text, fit) > high * EMBLEM
    aside = round(high * EMBLEM / 2, 2) if before else 0.0
    return Chip(*at, wide, high, (text,), round(fit, 2), livery, aside=aside, about=f"company:{code}")


def measure_chip(code: str, size: float, high: float, *, emblem: bool = False) -> float:
    """Return how wide a chip should be for its letters, and for an emblem before them."""
    return max(high * 1.5, fonts.measure_text(clean_text(code)[:8], size) + high * 0.4) + high * EMBLEM * 1.15 * emblem


def draw_paragraph(text: str, width: float, x: float, y: float) -> tuple[list[Item], float]:
    """Return a text in lines of a width, and how far down it reaches."""
    items: list[Item] = []
    for line in fonts.wrap(text, NOTE, width, "semi"):
        items.append(Label(x, y + NOTE_STEP / 2, line, NOTE, "ink", "semi", "l"))
        y += NOTE_STEP
    return items, y


def draw_train_card(card: Card, at: tuple[float, float]) -> list[Item]:
    """Return a train as a card: its name, a line below, wheels on a rail."""
    x, y = at
    ink, ground = ("dim", "paper_2") if card.dim else ("ink", "cell")
    items: list[Item] = [
        Box(x + 4, y + 5, CARD_WIDE, CARD, 12, "rule"),
        Box(x, y, CARD_WIDE, CARD, 12, ground, ink, 3),
        Box(x + 14, y + CARD - 20, CARD_WIDE - 28, 4, 0, ink),
    ]
    room = CARD_WIDE - 24
    size = min(54.0, 54 * room / max(1.0, fonts.measure_text(card.name, 54)))
    items.append(Label(x + CARD_WIDE / 2, y + (42 if card.words else 50), card.name, size, ink))
    items.append(Label(x + CARD_WIDE / 2, y + 80, fonts.cut_to_fit(card.words, 26, room, "semi"), 26, ink, "semi"))
    return items


def draw_deeds(cards: Sequence[Card], at: tuple[float, float], width: float) -> tuple[list[Item], float]:
    """Return private companies as cards side by side in a width, and how far down they reach."""
    x, y = at
    per_row = max(1, int((width + GAP) // (DEED_WIDE + GAP)))
    items: list[Item] = []
    for k, card in enumerate(cards):
        items += _draw_deed(card, (x + k % per_row * (DEED_WIDE + GAP), y + k // per_row * (DEED + GAP)))
    return items, y + -(-len(cards) // per_row) * (DEED + GAP)


def _draw_deed(card: Card, at: tuple[float, float]) -> list[Item]:
    """Return a private company as a card: its letters in a head, its name, what it is worth and pays."""
    x, y = at
    room = DEED_WIDE - 28
    items: list[Item] = [
        Box(x + 4, y + 5, DEED_WIDE, DEED, 12, "rule"),
        Box(x, y, DEED_WIDE, DEED, 12, "cell", "ink", 3),
        Box(x + 3, y + 3, DEED_WIDE - 6, 46, 10, "head"),
        Label(x + 14, y + 26, fonts.cut_to_fit(card.name, 34, room), 34, "head_ink", "bold", "l"),
    ]
    for k, line in enumerate(fonts.wrap(card.title, 28, room, "semi")[:2]):
        items.append(Label(x + 14, y + 72 + k * 33, line, 28, "ink", "semi", "l"))
    words = fonts.cut_to_fit(card.words, 28, room, "bold")
    items.append(Label(x + 14, y + DEED - 24, words, 28, "dim" if card.dim else "ink", "bold", "l"))
    return items


def build_note_scene(view: Note, palette: str) -> Scene:
    """Return the scene of lines of text; long lines are broken, very many cut short."""
    del palette
    items: list[Item] = []
    items, y = draw_heading(view.title, NOTE_PIXELS, NOTE_EDGE)
    for k, line in enumerate(view.lines):
        if y > MAX_LINES * NOTE_STEP:
            drawn, y = draw_paragraph(
                f"… and {len(view.lines) - k} more lines", NOTE_PIXELS - 2 * NOTE_EDGE, NOTE_EDGE, y
            )
            items += drawn
            break
        drawn, y = draw_paragraph(line, NOTE_PIXELS - 2 * NOTE_EDGE, NOTE_EDGE, y)
        items += drawn
        y += 6
    return Scene(NOTE_PIXELS, y + NOTE_EDGE, NOTE_PIXELS, "paper", tuple(items))
