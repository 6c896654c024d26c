"""The market as a view: markers in their order, pars where companies may start, and where prices moved."""

from dataclasses import dataclass

import pytest

from engine.finance import chain
from engine.finance.show import MOST_CONTROL, RoundEnd, Space, control, holders, market_view, moved
from engine.units import Units

POUNDS = Units("£", 10)
SPACES = (Space(0, 0, 50), Space(1, 0, 60, "gold"), Space(2, 0, 60, par=False), Space(3, 0, 70))
ZONES = {"": ("", ""), "gold": ("★", "two dividends")}


@dataclass
class Company:
    code: str
    cell: int | None
    stamp: int
    price: int
    par: int | None


AB, CD = Company("AB", 3, 9, 70, 60), Company("CD", 1, 2, 60, None)
LATER, NEW = Company("EF", 1, 5, 60, 60), Company("GH", None, 0, 0, 50)
SHOWN = market_view("OR 1", SPACES, (AB, LATER, CD, NEW), chain.rank, ZONES, ((), Units("£", 10)))


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
    assert moved(SHOWN, (AB, CD, LATER, NEW), before).moves == (("AB", 0, True),)
    fell = moved(SHOWN, (CD,), {"CD": 70})
    assert fell.moves == (("CD", 3, False),)


def test_a_chain_shows_from_where_prices_came_since_the_last_of_the_rounds() -> None:
    ends = [RoundEnd("SR 1", (), (("AB", 60),)), RoundEnd("OR 1", (), (("AB", 50),))]
    views = [chain.market_view("SR 2", SPACES, (AB,), ZONES, ((), POUNDS), ends[:count]) for count in range(3)]
    assert [view.moves for view in views] == [(), (("AB", 1, True),), (("AB", 0, True),)]


def test_a_market_without_markers() -> None:
    assert market_view("SR 1", SPACES, (NEW,), chain.rank, ZONES, ((), Units("£", 10))).alt == "Share prices: none yet."


@dataclass
class Owned:
    code: str
    shares: tuple[int, ...]
    director: int


def test_who_controls_what_a_player_holds_those_they_direct_first() -> None:
    companies = (
        Owned("AB", (2, 5, 0), 1),
        Owned("CD", (4, 1, 3), 0),
        Owned("EF", (0, 5, 0), 1),
        Owned("GH", (2, 0, 0), 0),
        Owned("IJ", (1, 1, 0), -1),
    )
    assert control(POUNDS, companies, 0) == (
        "CD 40 % (you direct, next {2} 30 %); GH 20 % (you direct); AB 20 % ({1} directs with 50 %); "
        "IJ 10 % (nobody directs)"
    )
    assert control(POUNDS, companies[2:3], 0) == ""


def test_of_equal_rivals_the_first_seat_is_told() -> None:
    assert control(POUNDS, (Owned("AB", (4, 2, 2), 0),), 0) == "AB 40 % (you direct, next {1} 20 %)"


def test_a_line_of_control_ends_with_how_many_more_there_are() -> None:
    line = control(POUNDS, [Owned(f"C{number:02}", (1, 3), 1) for number in range(40)], 0)
    told, more = line.rsplit("; and ", 1)
    assert len(line) <= MOST_CONTROL
    assert int(more.removesuffix(" more")) + told.count("; ") + 1 == 40
    full = control(POUNDS, [Owned("A", (1, 3), 1), Owned("B", (1, 3), 1)], 0)
    for over in (0, 1):
        long = Owned("A" * (1 + 260 + over - len(full)), (1, 3), 1)
        assert control(POUNDS, [long, Owned("B", (1, 3), 1)], 0) == (
            "and 2 more" if over else full.replace("A", long.code)
        )


@pytest.mark.parametrize(
    ("director", "words"),
    [(0, "you £128, {2} £32"), (2, "you £32, {0} £128"), (1, "{0} £128, {2} £32"), (-1, "{0} £128, {2} £32")],
)
def test_who_gets_what_of_a_dividend_the_director_who_reads_it_first(director: int, words: str) -> None:
    assert holders(POUNDS, (128, 0, 32), director) == words
    assert holders(POUNDS, (0, 0, 0), director) == "nobody holds shares"
