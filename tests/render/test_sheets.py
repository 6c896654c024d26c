"""Tables and markets: chips alike, nothing that says nothing, emblems where there is room for them."""

import pytest

from engine.view import Brand, Entry, MarketView, Sheet, TableView
from render.cache import scene
from render.scene import Chip, Label, one_by_one
from tests.render.positions import picture

BRANDS = (Brand("AB", "Alpha & Beta", "#00bfff", "#000000", 0, "anchor"), Brand("BHI&R", "B", "#8b008b", "#ffffff", 1))
OTHERS = tuple(Brand(f"C{k}L{k}", "C", "#ff0000", "#ffffff", 2 + k) for k in range(12))


def test_chips_of_a_column_are_alike() -> None:
    """All as wide as the widest, with room for an emblem, so that what stands below one another is in line."""
    rows = tuple((Entry(chip=brand.code), Entry("40")) for brand in BRANDS)
    drawn = scene(Sheet("", "", (TableView("", (Entry(), Entry("Price")), rows),), BRANDS))
    chips = [item for item, _ in one_by_one(drawn.items) if isinstance(item, Chip)]
    assert len({(chip.width, chip.x) for chip in chips}) == 1
    assert chips[0].aside > 0


def test_what_says_nothing_is_left_out() -> None:
    """A column that has only a head; in a table of several parts the rows that are empty in one of them."""
    heads = (Entry("Player"), Entry("Status"), *(Entry(chip=brand.code) for brand in OTHERS), Entry("Worth"))
    alice = (Entry("Alice of the Isle of Wight"), Entry(), *(Entry("100*") for _ in OTHERS), Entry("£1000"))
    bank = (Entry("Bank"), Entry(), Entry("50"), *(Entry() for _ in OTHERS))
    drawn = scene(Sheet("", "", (TableView("", heads, (alice, bank)),), OTHERS))
    texts = [item.text for item, _ in one_by_one(drawn.items) if isinstance(item, Label)]
    assert "Status" not in texts
    assert texts.count("Alice of the Isle of Wight") > 1
    assert texts.count("Bank") == 1


@pytest.mark.parametrize("title", ["1860", "1862"])
def test_the_market_shows_what_companies_bear(title: str) -> None:
    """Below the cells, whose chips are too narrow: every company with a price once more, the highest price first."""
    view = picture(title, "late", "market")
    assert isinstance(view, MarketView)
    chips = [item for item, _ in one_by_one(scene(view).items) if isinstance(item, Chip) and item.aside]
    listed = ["".join(chip.lines) for chip in chips if chip.livery.emblem]
    acting = [view.banner.company] if view.banner and view.banner.company else []
    ranked = [code for cell in sorted(view.cells, key=lambda cell: -cell.price) for code in cell.tokens]
    assert [code for code in listed if code in ranked] == ranked or listed == [*acting, *ranked]
