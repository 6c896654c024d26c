"""Trains and private companies as cards."""

from collections.abc import Sequence

from engine.view import Card
from render import fonts
from render.scene import Box, Item, Label

CARD, CARD_WIDE = 118, 176
DEED, DEED_WIDE, GAP = 168, 370, 16


def train_card(card: Card, at: tuple[float, float]) -> list[Item]:
    """Return a train as a card: its name, a line below, wheels on a rail."""
    x, y = at
    ink, ground = ("dim", "paper_2") if card.dim else ("ink", "cell")
    items: list[Item] = [
        Box(x + 4, y + 5, CARD_WIDE, CARD, 12, "rule"),
        Box(x, y, CARD_WIDE, CARD, 12, ground, ink, 3),
        Box(x + 14, y + CARD - 20, CARD_WIDE - 28, 4, 0, ink),
    ]
    room = CARD_WIDE - 24
    size = min(54.0, 54 * room / max(1.0, fonts.width(card.name, 54)))
    items.append(Label(x + CARD_WIDE / 2, y + (42 if card.words else 50), card.name, size, ink))
    items.append(Label(x + CARD_WIDE / 2, y + 80, fonts.fitted(card.words, 26, room, "semi"), 26, ink, "semi"))
    return items


def deeds(cards: Sequence[Card], at: tuple[float, float], width: float) -> tuple[list[Item], float]:
    """Return private companies as cards side by side in a width, and how far down they reach."""
    x, y = at
    per_row = max(1, int((width + GAP) // (DEED_WIDE + GAP)))
    items: list[Item] = []
    for k, card in enumerate(cards):
        items += _deed(card, (x + k % per_row * (DEED_WIDE + GAP), y + k // per_row * (DEED + GAP)))
    return items, y + -(-len(cards) // per_row) * (DEED + GAP)


def _deed(card: Card, at: tuple[float, float]) -> list[Item]:
    """Return a private company as a card: its letters in a head, its name, what it is worth and pays."""
    x, y = at
    room = DEED_WIDE - 28
    items: list[Item] = [
        Box(x + 4, y + 5, DEED_WIDE, DEED, 12, "rule"),
        Box(x, y, DEED_WIDE, DEED, 12, "cell", "ink", 3),
        Box(x + 3, y + 3, DEED_WIDE - 6, 46, 10, "head"),
        Label(x + 14, y + 26, fonts.fitted(card.name, 34, room), 34, "head_ink", "bold", "l"),
    ]
    for k, line in enumerate(fonts.wrapped(card.title, 28, room, "semi")[:2]):
        items.append(Label(x + 14, y + 72 + k * 33, line, 28, "ink", "semi", "l"))
    words = fonts.fitted(card.words, 28, room, "bold")
    items.append(Label(x + 14, y + DEED - 24, words, 28, "dim" if card.dim else "ink", "bold", "l"))
    return items
