"""A company's charter: its colour and emblem, trains as cards, tokens in a row, shares by owner."""

import pytest

from engine import TITLES
from engine.view import Brand, Card, CharterView, Holding, Sheet
from render import fonts
from render.cache import build_scene
from render.hexes.station import Liveries
from render.scene import Box, Chip, Label
from render.sheets.charter import PIXELS
from render.sheets.tables import draw_train_card, make_chip
from render.theme import PALETTES, draw_emblem, load_emblem_shapes, load_theme
from tests.render.collisions import rect
from tests.render.positions import brands_of
from tests.render.test_banner import list_items

NAMES = ("Wisbech, St Ives & Cambridge Junction Railway", "张伟")


def full(trains: int, tokens: int) -> CharterView:
    """Return a charter with as much on it as there can be."""
    return CharterView(
        "AB", "", "AB", (("Status", "receivership, insolvent"), ("Colours reached", "2 black, 3 white, 1 orange")),
        tuple(Card("2/3L*", "last run", dim=k == 0) for k in range(trains)),
        tuple((f"H{k}", k < 3) for k in range(tokens)),
        tuple(Holding(name * 2, 10 + k, "director" * (k == 0)) for k, name in enumerate(NAMES * 4)),
        brands=(Brand("AB", NAMES[0], "#a3c939", "#000000", 0, "anchor"),),
    )  # fmt: skip


@pytest.mark.parametrize(("trains", "tokens"), [(0, 0), (1, 3), (4, 8), (9, 12)])
def test_nothing_on_a_charter_covers_anything_else(trains: int, tokens: int) -> None:
    """However many trains, tokens and shareholders there are."""
    labels = [item for item in list_items(build_scene(full(trains, tokens)).items) if isinstance(item, Label)]
    frames = [rect(label) for label in labels]
    for k, a in enumerate(frames):
        assert a[0] >= 0, labels[k]
        assert a[2] <= PIXELS, labels[k]
        for j, b in enumerate(frames[k + 1 :], k + 1):
            apart = min(a[2], b[2]) <= max(a[0], b[0]) + 1 or min(a[3], b[3]) <= max(a[1], b[1]) + 1
            assert apart, (labels[k].text, labels[j].text)


def test_trains_are_cards_and_tokens_a_row() -> None:
    """Three of eight tokens are placed, the others only kept."""
    items = list_items(build_scene(full(4, 8)).items)
    chips = [item for item in items if isinstance(item, Chip)]
    assert [chip.ghost for chip in chips] == [False] * 3 + [True] * 5
    assert sum(isinstance(item, Label) and item.text == "2/3L*" for item in items) == 4
    assert any(isinstance(item, Box) for item in draw_train_card(Card("2+1"), (0, 0)))


@pytest.mark.parametrize("title", TITLES)
def test_every_company_has_an_emblem_of_its_own_hand(title: str) -> None:
    """Made of shapes, known by its name; no more than two companies of a title share one."""
    emblems = [brand.emblem for brand in brands_of(title)]
    assert all(name in load_emblem_shapes() for name in emblems)
    assert max(emblems.count(name) for name in emblems) <= 2


def test_emblems_stay_in_their_square() -> None:
    """Whatever is drawn lies within it but for the breadth of strokes."""
    for name in load_emblem_shapes():
        for item in draw_emblem(name, (0, 0), 1.0, "ink", "paper"):
            for x, y in getattr(item, "points", ()):
                assert max(abs(x), abs(y)) <= 1.0, name
    assert not draw_emblem("unheard of", (0, 0), 1.0, "ink", "paper")


@pytest.mark.parametrize("palette", PALETTES)
def test_a_charter_is_drawn_in_every_palette(palette: str) -> None:
    """Its band has the company's ground there."""
    band = next(
        item for item in list_items(build_scene(full(2, 2), palette).items) if isinstance(item, Box) and item.fill
    )
    assert band.fill.startswith("#")


def test_private_companies_are_cards_with_their_full_names() -> None:
    """A player's sheet shows them side by side below the shares; nothing on one covers anything else."""
    cards = tuple(Card(f"P{k}", f"worth £{k}, pays £1", title="Yarmouth Port & Shipping Company") for k in range(4))
    labels = [label for label in build_scene(Sheet("Ann", "", (), cards=cards)).items if isinstance(label, Label)]
    assert {label.text for label in labels} >= {"P0", "worth £3, pays £1"}
    frames = [rect(label) for label in labels]
    for k, a in enumerate(frames):
        for b in frames[k + 1 :]:
            assert min(a[2], b[2]) <= max(a[0], b[0]) or min(a[3], b[3]) <= max(a[1], b[1])


def test_an_emblem_stands_before_the_letters_of_a_chip_that_has_room() -> None:
    """Letters and emblem share the chip; a chip of the letters' own width has none."""
    brand = Brand("FYN", "", "#1b7a2f", "#ffffff", 0, "sail")
    liveries = Liveries((brand,), load_theme("standard"))
    broad, narrow = (make_chip("FYN", (0, 0), (wide, 48), 40, liveries) for wide in (140.0, 80.0))
    assert broad.aside > 0
    assert broad.aside + fonts.measure_text("FYN", broad.size) / 2 < 70
    assert narrow.aside == 0
