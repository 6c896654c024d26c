"""Tables and markets: chips alike, nothing that says nothing, emblems where there is room for them."""

from itertools import pairwise

import pytest

from engine.view import Banner, Brand, Cell, Chart, Entry, MarketView, Poster, Series, Sheet, TableView
from render.cache import build_scene
from render.scene import Box, Chip, Curve, Label, flatten_items
from tests.render.positions import picture
from tests.support.sure import as_a

BRANDS = (Brand("AB", "Alpha & Beta", "#00bfff", "#000000", 0, "anchor"), Brand("BHI&R", "B", "#8b008b", "#ffffff", 1))
OTHERS = tuple(Brand(f"C{k}L{k}", "C", "#ff0000", "#ffffff", 2 + k) for k in range(12))


def test_chips_of_a_column_are_alike() -> None:
    """All as wide as the widest, with room for an emblem, so that what stands below one another is in line."""
    rows = tuple((Entry(chip=brand.code), Entry("40")) for brand in BRANDS)
    drawn = build_scene(Sheet("", "", (TableView("", (Entry(), Entry("Price")), rows),), BRANDS))
    chips = [item for item, _ in flatten_items(drawn.items) if isinstance(item, Chip)]
    assert len({(chip.width, chip.x) for chip in chips}) == 1
    assert chips[0].aside > 0


def test_empty_lines_are_left_out() -> None:
    """A column that has only a head; in a table of several parts the rows that are empty in one of them."""
    heads = (Entry("Player"), Entry("Status"), *(Entry(chip=brand.code) for brand in OTHERS), Entry("Worth"))
    alice = (Entry("Alice of the Isle of Wight"), Entry(), *(Entry("100*") for _ in OTHERS), Entry("£1,000"))
    bank = (Entry("Bank"), Entry(), Entry("50"), *(Entry() for _ in OTHERS))
    drawn = build_scene(Sheet("", "", (TableView("", heads, (alice, bank)),), OTHERS))
    texts = [item.text for item, _ in flatten_items(drawn.items) if isinstance(item, Label)]
    assert "Status" not in texts
    assert texts.count("Alice of the Isle of Wight") > 1
    assert texts.count("Bank") == 1


@pytest.mark.parametrize("title", ["1860", "1862"])
def test_the_market_shows_the_companies_tokens(title: str) -> None:
    """Below the cells, whose chips are too narrow: every company with a price once more, the highest price first."""
    view = picture(title, "late", "market")
    assert isinstance(view, MarketView)
    chips = [item for item, _ in flatten_items(build_scene(view).items) if isinstance(item, Chip) and item.aside]
    listed = ["".join(chip.lines) for chip in chips if chip.livery.emblem]
    acting = [view.banner.company] if view.banner and view.banner.company else []
    ranked = [code for cell in sorted(view.cells, key=lambda cell: -cell.price) for code in cell.tokens]
    assert [code for code in listed if code in ranked] == ranked or listed == [*acting, *ranked]


def test_a_price_shows_where_it_came_from_and_by_how_much_it_moved() -> None:
    """The company's letters in the cell that it left, with an arrow; whoever acts has a rim around each chip."""
    cells = (Cell(0, 0, 50), Cell(1, 0, 60, tokens=("AB",)), Cell(2, 0, 70, tokens=("BHI&R",)), Cell(3, 0, 80))
    moves = (("AB", 0, True), ("BHI&R", 3, False))
    view = MarketView("", "", cells, BRANDS, moves=moves, banner=Banner("1860", company="AB"))
    items = [item for item, _ in flatten_items(build_scene(view).items)]
    texts = [item.text for item in items if isinstance(item, Label)]
    assert {"AB ▸", "◂ BHI&R", "▲10", "▼10"} <= set(texts)
    rims = [item for item in items if isinstance(item, Box) and item.fill == "acting"]
    assert len(rims) == len([item for item in items if isinstance(item, Chip) and item.lines == ("AB",)])


def test_a_table_without_rows_is_no_bar_with_heads() -> None:
    """A player who owns nothing has a note, and nothing above it."""
    texts = [
        item.text
        for item in build_scene(Sheet("", "", (TableView("Shares", (Entry("Each"),), ()),), notes=("£600",))).items
        if isinstance(item, Label)
    ]
    assert texts == ["£600"]


@pytest.mark.parametrize("values", [(), (0,)])
def test_a_chart_without_values_says_when_they_come(values: tuple[int, ...]) -> None:
    """No axes from nothing to nothing."""
    drawn = build_scene(Chart("", "", ("start",)[: len(values)], (Series("Alice", values), Series("Bob", values))))
    texts = [item.text for item in drawn.items if isinstance(item, Label)]
    assert texts == ["Values appear after the first round.", "Alice", "Bob"]


def test_a_private_company_that_closed_is_no_lot_any_more() -> None:
    """Its row is dim and says so; it seemed to be for sale still."""
    view = picture("1860", "end", "lots")
    assert isinstance(view, Sheet)
    told = {row[0].text: (row[0].tone, row[-1].text) for row in view.tables[0].rows}
    assert told["BHC"] == ("dim", "closed")
    assert all(tone == "dim" for tone, _ in told.values())


def test_lines_of_a_chart_that_lie_on_one_another_are_both_seen() -> None:
    """In the gaps of a dashed line that runs on another nothing is drawn: no rim hides who was level, or ahead."""
    drawn = build_scene(Chart("", "", ("SR 1", "SR 2"), (Series("Alice", (300, 900)), Series("Bob", (300, 900)))))
    lines = [item for item in drawn.items if isinstance(item, Curve) and item.joined]
    assert [bool(line.dash) for line in lines] == [False] * 3 + [True] * 3
    drawn_each = {round(line.dash[0] * line.width) for line in lines[3:]}
    assert len(drawn_each) == 1, "rim, edge and colour have the same dashes"


def draw_cell(count: int) -> tuple[list[Chip], list[str], float]:
    """Return the chips and labels of a market's fullest cell, without those of the list below, and how high it is."""
    cell = Cell(0.0, 0.0, 82, tokens=tuple(brand.code for brand in OTHERS[:count]))
    cells = (cell, *(Cell(float(k), 0.0, 100 + k) for k in range(1, 14)))
    items = [item for item, _ in flatten_items(build_scene(MarketView("", "", cells, (*BRANDS, *OTHERS))).items)]
    ground = next(item for item in items if isinstance(item, Box))
    low = ground.y + ground.height
    inside = [item for item in items if isinstance(item, Label | Chip) and item.x < ground.width and item.y < low]
    chips = [item for item in inside if isinstance(item, Chip) and item.y + item.height / 2 < low]
    return chips, [item.text for item in inside if isinstance(item, Label)], ground.height


def test_a_full_cell_of_the_market_does_not_stretch_its_row() -> None:
    """Two chips have usual height, four are lower; of ten three stay, the list has all, and the row is as high."""
    (few, _, _), (full, _, high), (fuller, words, higher) = (draw_cell(count) for count in (2, 4, 10))
    assert {chip.height for chip in few} == {46}
    assert [len(full), len(fuller), "+7" in words] == [4, 3, True]
    assert higher == high
    assert all(b.y - a.y >= a.height for a, b in pairwise(full))
    assert min(chip.size for chip in full) / 4 >= 6.4, "on a phone"


def test_a_company_at_its_par_has_one_chip() -> None:
    """With the sign of a par around it; one whose token has moved leaves its code."""
    cell = Cell(0.0, 0.0, 82, tokens=("AB",), pars=("AB", "BHI&R"))
    items = [item for item, _ in flatten_items(build_scene(MarketView("", "", (cell,), BRANDS)).items)]
    assert [item.text for item in items if isinstance(item, Label) and item.colour == "par"] == [
        "BHI&R",
        "par 82",
        "par 82",
        "CODE",
    ]
    (chip,) = [item for item in items if isinstance(item, Chip)][:1]
    rims = [item for item in items if isinstance(item, Box) and item.line == "par" and item.height == chip.height]
    assert [rim.y + rim.height / 2 for rim in rims] == [chip.y]


@pytest.mark.parametrize("title", ["1860", "1862"])
@pytest.mark.parametrize("moment", ["third", "late", "end"])
def test_pictures_of_one_moment_agree(title: str, moment: str) -> None:
    """Worth in the chart, on the card and in the table; prices in their chart and on the market."""
    chart, card = as_a(Chart, picture(title, moment, "chart")), as_a(Poster, picture(title, moment, "card"))
    table = as_a(Sheet, picture(title, moment, "table")).tables[-2]
    column = next(k for k, head in enumerate(table.heads) if head.text == "Worth")
    shown = {row[0].text.removesuffix(" (deal)"): row[column].text for row in table.rows if row[column].text}
    last = chart.now or tuple(line.values[-1] for line in chart.series)
    assert {line.name: f"£{value:,}" for line, value in zip(chart.series, last, strict=True)} == shown
    assert {rank.name: rank.words for rank in card.ranks} == shown


def test_prices_in_the_chart_are_those_of_the_market() -> None:
    """Also of the round under way."""
    chart, market = as_a(Chart, picture("1860", "late", "prices")), as_a(MarketView, picture("1860", "late", "market"))
    prices = {code: cell.price for cell in market.cells for code in cell.tokens}
    assert chart.now
    assert {line.name: value for line, value in zip(chart.series, chart.now, strict=True) if value} == prices
