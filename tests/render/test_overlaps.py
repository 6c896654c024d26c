"""Real positions of all titles: no text lies on another text, nor on a chip."""

import pytest

from render.cache import build_scene
from render.scene import Chip, Item, Label, flatten_items
from tests.render.collisions import rect
from tests.render.positions import BIG, HEX_MAPS

Frame = tuple[float, float, float, float]


def frames(items: tuple[Item, ...]) -> tuple[list[Frame], list[Frame]]:
    """Return the frames of all texts, and those of all oblong chips."""
    texts: list[Frame] = []
    chips: list[Frame] = []
    for item, (x, y) in flatten_items(items):
        if isinstance(item, Label):
            left, top, right, low = rect(item)
            texts.append((left + x, top + y, right + x, low + y))
        elif isinstance(item, Chip) and not item.disc:
            wide, high = item.width / 2, item.height / 2
            chips.append((x + item.x - wide, y + item.y - high, x + item.x + wide, y + item.y + high))
    return texts, chips


def meet(a: Frame, b: Frame, slack: float) -> bool:
    """Return whether two frames cover one another by more than a rim."""
    return min(a[2], b[2]) - max(a[0], b[0]) > slack and min(a[3], b[3]) - max(a[1], b[1]) > slack


@pytest.mark.parametrize("name", [name for name in BIG if name in HEX_MAPS or "-late-" in name or "-end-" in name])
def test_no_text_lies_on_a_text_or_a_chip(name: str) -> None:
    """Maps, charters, tables, markets, cards and their banners; tokens on hexes are looked at hex by hex elsewhere."""
    drawn = build_scene(BIG[name]())
    texts, chips = frames(drawn.items)
    slack = drawn.width * 0.002
    assert texts
    assert not [(a, b) for k, a in enumerate(texts) for b in texts[k + 1 :] if meet(a, b, slack)]
    assert not [(a, chip) for a in texts for chip in chips if meet(a, chip, slack)]
