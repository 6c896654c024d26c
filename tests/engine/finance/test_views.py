"""The market as a view: markers in their order, pars where companies may start, and where prices moved."""

from engine.finance.market import PrintedMarket, Space, view_market
from engine.finance.state import RoundEnd, ShareCompany
from engine.printed import Units

POUNDS = Units("£", 10)
SPACES = (Space(0, 0, 50), Space(1, 0, 60, "gold"), Space(2, 0, 60, par=False), Space(3, 0, 70))
MARKET = PrintedMarket(SPACES, {"": ("", ""), "gold": ("★", "two dividends")}, (), POUNDS)


class Railway(ShareCompany):
    prices = tuple(space.price for space in SPACES)


def company(code: str, cell: int | None, stamp: int, par: int | None) -> Railway:
    return Railway(code, [], cell=cell, stamp=stamp, par=par)


AB, CD = company("AB", 3, 9, 60), company("CD", 1, 2, None)
LATER, NEW = company("EF", 1, 5, 60), company("GH", None, 0, 50)
SHOWN = view_market(MARKET, "OR 1", (AB, LATER, CD, NEW))


def test_markers_lie_on_their_spaces_the_one_that_operates_first_above() -> None:
    assert [cell.tokens for cell in SHOWN.cells] == [(), ("CD", "EF"), (), ("AB",)]
    assert SHOWN.alt == "Share prices: AB £70, CD £60, EF £60."


def test_a_par_is_shown_where_companies_may_start_at_that_price() -> None:
    assert [cell.pars for cell in SHOWN.cells] == [("GH",), ("AB", "EF"), (), ()]


def test_only_zones_with_a_sign_are_explained() -> None:
    assert SHOWN.zones == (("gold", "★", "two dividends"),)
    assert [cell.sign for cell in SHOWN.cells] == ["", "★", "", ""]


def test_a_price_that_is_another_than_before_shows_from_where_it_came() -> None:
    """Not that of a company which stays, is new, has no marker, or came from a price that is nowhere printed."""
    before = {"AB": 50, "CD": 60, "GH": 50, "EF": 55}
    end = RoundEnd("OR 1", (), tuple(before.items()))
    assert view_market(MARKET, "SR 2", (AB, CD, LATER, NEW), [end]).moves == (("AB", 0, True),)
    assert view_market(MARKET, "SR 2", (CD,), [RoundEnd("OR 1", (), (("CD", 70),))]).moves == (("CD", 3, False),)


def test_a_line_of_spaces_shows_from_where_prices_came_since_the_last_of_the_rounds() -> None:
    ends = [RoundEnd("SR 1", (), (("AB", 60),)), RoundEnd("OR 1", (), (("AB", 50),))]
    views = [view_market(MARKET, "SR 2", (AB,), ends[:count]) for count in range(3)]
    assert [view.moves for view in views] == [(), (("AB", 1, True),), (("AB", 0, True),)]


def test_a_market_without_markers() -> None:
    assert view_market(MARKET, "SR 1", (NEW,)).alt == "Share prices: none yet."
