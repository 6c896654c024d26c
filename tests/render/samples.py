"""Small views of our own, one of each kind."""

from collections.abc import Callable

from engine.hex_view import HexView, Leg, Line, Stop, Token, Track
from engine.view import (
    Brand,
    Cell,
    Chart,
    Entry,
    MapView,
    MarketView,
    Network,
    NetworkLink,
    Note,
    Panel,
    Panels,
    Place,
    Series,
    Sheet,
    TableView,
    View,
)

BRANDS = (
    Brand("AB", "Alpha & Beta", "#00bfff", "#000000", 0),
    Brand("GDL", "Gamma & Delta Light", "#ff0000", "#ffffff", 1),
    Brand("EpsZ", "Epsilon Zeta", "#ffff00", "#0492c2", 2),
    Brand("BHI&R", "Brading Harbour", "#8b008b", "#ffffff", 3),
)


def small_board() -> MapView:
    """Return three hexes: a city with a token, a halt on a curve, a hill with a village."""
    return MapView(
        "Three hexes",
        "A small map",
        (
            HexView(
                "A2", 0, 1, "Alton", "yellow", tile="57", mark="new",
                stops=(Stop("city", 20, slots=1, tokens=(Token("AB"),)),), track=(Track(0, 10), Track(10, 3)),
            ),
            HexView(
                "B1", 1, 0, "Bray", "green", tile="748", barriers=(4,),
                stops=(Stop("town", 10),), track=(Track(1, 10), Track(10, 5)),
            ),
            HexView("B3", 1, 2, "Cold Hill", cost=60, terrain="hill", stops=(Stop("town"),), mark="can", choice="1"),
        ),
        BRANDS,
        (Line("2+1", 1, (Leg("A2", 10, 3),), "A2 = 20"),),
    )  # fmt: skip


def small_market() -> MarketView:
    """Return a market of two tiers and five cells, folded after two columns."""
    return MarketView(
        "Market",
        "Five prices",
        (
            Cell(0, 0, 40, "red", "R"),
            Cell(0.5, 1, 50),
            Cell(1, 0, 62, "par", "P", ("AB", "BHI&R"), ("AB",)),
            Cell(1.5, 1, 70),
            Cell(2, 0, 82),
        ),
        BRANDS,
        (("red", "R", "first share is free"), ("par", "P", "par")),
        2,
    )


def small_sheet() -> Sheet:
    """Return a table of two players."""
    head = (Entry("Player"), Entry("Cash"), Entry(chip="AB"), Entry(chip="GDL"))
    return Sheet(
        "Holdings",
        "Two players",
        (
            TableView(
                "Players",
                head,
                (
                    (Entry("Alice"), Entry("£120"), Entry("40%", tone="strong"), Entry("–", tone="dim")),
                    (Entry("Bob"), Entry("£7"), Entry("20%"), Entry("60%", tone="good")),
                ),
                1,
            ),
        ),
        BRANDS,
        ("Alice is first.",),
    )


def small_panels() -> Panels:
    """Return one lettered panel and one of a tile sold out."""
    tile = HexView("", 0, 1, ink="yellow", tile="9", track=(Track(0, 3),))
    beside = HexView("A3", 0, 3, "Elsewhere", faded=True)
    return Panels(
        "Which tile?", "Two tiles", (Panel("A", "9 ↻0 · 2 left", (tile, beside)), Panel("", "9 ×0", (tile,), dim=True))
    )


def small_chart() -> Chart:
    """Return two lines of three values."""
    return Chart(
        "Worth",
        "Two players",
        ("1", "2", "3"),
        (Series("Alice", (100, 140, 200)), Series("AB", (None, 150, 198), "AB")),
        BRANDS,
        "£",
    )


def small_network() -> Network:
    """Return three places and three links."""
    places = (
        Place("x", "Exeter", 10, 10, "hexagon", 30, "red", "R", cube=True, starts=("AB",)),
        Place("y", "York", 80, 20, "circle", 20, "black", "K"),
        Place("z", "Zennor", 40, 60, "circle", 50, "white", "W", cube=True, choice="A"),
    )
    links = (NetworkLink("x", "y", 3, "AB"), NetworkLink("y", "z", 4), NetworkLink("x", "z", 2, choice="1", mark="can"))
    return Network("Net", "Three places", 100, 70, places, links, (((0, 0), (100, 0), (100, 70), (0, 70)),), BRANDS)


def small_note() -> Note:
    """Return two lines."""
    return Note("Log", "Two lines", ("Alice passes.", "Bob buys 10% of AB for £62 · 62→62."))


SMALL: dict[str, Callable[[], View]] = {
    "board": small_board,
    "market": small_market,
    "sheet": small_sheet,
    "panels": small_panels,
    "chart": small_chart,
    "network": small_network,
    "note": small_note,
}
