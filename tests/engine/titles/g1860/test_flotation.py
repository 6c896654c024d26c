"""Flotation & Capitalisation."""

import pytest

from engine.finance.events import CompanyFloated
from engine.finance.rounds import Pass
from engine.rails.laying import LayTile, TileLaid
from engine.titles.g1860 import TITLE, worth
from engine.titles.g1860.actions import BuyShare, Exchange, Sell
from engine.titles.g1860.catalogue import CHARTERS
from engine.titles.g1860.events import BasePlaced, HomeNotPlaced
from tests.engine.titles.g1860.positions import begin_operating, catch_refusal, legal, of_kind, play, table
from tests.support.sure import as_a


@pytest.mark.parametrize(("line", "floats"), [("4* . | par 82", True), ("3* . | par 82", False)])
def test_a_company_floats_at_half(line: str, floats: bool) -> None:
    """Flotation: players hold half of it or more."""
    s = table(f"cash 500 500\nIOW {line} | new")
    told = play(s, BuyShare("IOW", "ipo"))
    assert bool(of_kind(told, CompanyFloated)) is floats


def test_shares_in_the_pool_do_not_count() -> None:
    """Flotation: half has left the IPO, but the pool does not count; a purchase from it may float."""
    s = table("cash 500 500\nIOW 3* 1 | pool 2 | par 82 | new")
    assert of_kind(play(s, BuyShare("IOW", "pool")), CompanyFloated)
    s = table("cash 500 500\nIOW 2* 1 | pool 2 | par 82 | new")
    assert not of_kind(play(s, BuyShare("IOW", "ipo")), CompanyFloated), "60% have left the IPO, players hold 40%"


def test_an_exchange_may_float() -> None:
    """Flotation: an exchange can trigger it."""
    s = table("cash 500 500\nprivates RPSC 0\nIOW 3* 1 | par 82 | new")
    assert of_kind(play(s, Exchange("RPSC")), CompanyFloated)


def test_once_floated_it_stays_so() -> None:
    """Flotation: sales do not undo it."""
    s = table("cash 500 500\nIOW 3* 2 | at 82 | 2+1\nC&N 2* 2 | at 74 | 2+1")
    play(s, Sell("IOW", 3))
    assert s.companies["IOW"].floated
    assert "IOW" in (begin_operating(s), s.operating.order)[1]


def test_payments_to_a_company_are_described() -> None:
    """Capital; Share Price Movement; Flotation & Capitalisation; Building Bases.

    Ten times par, the marker at par under others by order of flotation, the home base free.
    """
    s = table("cash 500 500\nC&N 5* | at 82 | 2+1\nFYN 2* . | par 82 | new\nIOW 4* | par 82 | new")
    told = play(s, BuyShare("IOW", "ipo"))
    iow = s.companies["IOW"]
    assert of_kind(told, CompanyFloated) == [CompanyFloated("IOW", 820)]
    assert (iow.cash, iow.price, iow.bases, iow.unplaced) == (820, 82, [("I3", 0)], 3)
    assert of_kind(told, BasePlaced) == [BasePlaced("IOW", "I3", 0)]
    s.companies["FYN"].shares[1] = 2
    s.companies["FYN"].ipo -= 2
    play(s, BuyShare("FYN", "ipo"))
    play(s, legal(s, LayTile)[0])
    begin_operating(s)
    assert s.operating.order == ["C&N", "IOW", "FYN"], "order of flotation, not of parring"


@pytest.mark.parametrize("code", ["C&N", "FYN", "NGStL", "BHI&R", "S&C", "VYSC"])
def test_the_director_lays_the_home_tile(code: str) -> None:
    """Home tile: the director, not the buyer, at once, any yellow tile that fits, at no cost."""
    charter = CHARTERS[code]
    s = table(f"cash 500 500\n{code} 3* 1 | par {charter.pars[0]} | new", turn=1)
    play(s, BuyShare(code, "ipo"))
    assert TITLE.actors(s) == (0,)
    lays = legal(s)
    assert lays
    assert {as_a(LayTile, lay).hex for lay in lays} == {charter.home[0]}


def test_the_home_tile() -> None:
    """Home tile: only a tile that fits its hex, nothing else; it does not count for the first OR."""
    s = table("cash 500 500\nFYN 3* 1 | par 62 | new", turn=1)
    play(s, BuyShare("FYN", "ipo"))
    assert TITLE.actors(s) == (0,), "the director, not the buyer"
    assert {as_a(LayTile, action).hex for action in legal(s)} == {"B4"}
    assert catch_refusal(s, Pass()).sentence
    assert catch_refusal(s, LayTile("C5", "742", 1)).sentence
    assert catch_refusal(s, BuyShare("FYN", "ipo")).sentence
    told = play(s, legal(s)[0])
    laid = of_kind(told, TileLaid)
    assert (laid[0].cost, laid[0].home, s.companies["FYN"].cash) == (0, True, 620)
    assert s.stock.turn == 0, "the buyer's turn has ended"
    begin_operating(s)
    assert s.operating.laid == []


@pytest.mark.parametrize("code", ["IOW", "IWNJ"])
def test_two_homes_have_track_already(code: str) -> None:
    """Home tile: IOW and IWNJ have track printed on their home hex."""
    s = table(f"cash 500 500\n{code} 4* | par {CHARTERS[code].pars[0]} | new")
    play(s, BuyShare(code, "ipo"))
    assert s.stock.homes == []
    assert s.companies[code].bases == [CHARTERS[code].home]


def test_a_tile_laid_by_another_is_enough() -> None:
    """Home tile: no home tile where one lies already."""
    s = table("cash 500 500\nFYN 4* | par 62 | new", tiles="B4 115/5")
    play(s, BuyShare("FYN", "ipo"))
    assert s.stock.homes == []


@pytest.mark.parametrize("profile", ["rulebook", "18xx.games"])
def test_without_a_fitting_home_tile_play_continues(profile: str) -> None:
    """Home tile: 60-44: no legal yellow tile left: skipped; the base stands on the printed circle."""
    s = table("cash 500 500\nFYN 4* | par 62 | new", options={"profile": profile})
    hexes = iter(["A7", "B6", "F12", "I9", "J4", "J8", "L6"])
    for tile in ("5", "6", "57", "115"):
        while s.board.count_left(tile):
            s.board = s.board.with_tile(next(hexes, f"x{tile}{s.board.count_left(tile)}"), tile, 0)
    play(s, BuyShare("FYN", "ipo"))
    if profile == "18xx.games":
        assert legal(s) == [Pass()]
        play(s, Pass())
    assert s.companies["FYN"].bases == [("B4", 0)]
    assert TITLE.actors(s) == (1,)


@pytest.mark.parametrize("profile", ["rulebook", "18xx.games"])
@pytest.mark.parametrize("stopped", [False, True])
def test_a_home_tile_that_fitted_nowhere_is_asked_for_again_on_18xx_games(profile: str, *, stopped: bool) -> None:
    """Floating again.

    A bankrupt company floats again with all it kept; 18xx.games then asks for the home tile it never got.
    """
    s = table(
        "cash 500 500\nFYN 4* | par 62 | bankrupt",
        options={"profile": profile}, formed=stopped, stopped=stopped,
    )  # fmt: skip
    assert of_kind(play(s, BuyShare("FYN", "ipo")), CompanyFloated)
    assert s.companies["FYN"].bases == [("B4", 0)]
    assert bool(legal(s, LayTile)) is (profile == "18xx.games" and not stopped)
    if legal(s, LayTile):
        play(s, legal(s, LayTile)[0])
    assert TITLE.actors(s) == (1,)


def test_no_home_after_building_has_stopped() -> None:
    """Floating too late.

    Neither tile nor base after the Southern's stop; the company cannot run and is never insolvent.
    """
    s = table("cash 900 900\nIOW 4* . | par 82 | new", formed=True, stopped=True, phase="9")
    told = play(s, BuyShare("IOW", "ipo"))
    assert of_kind(told, HomeNotPlaced) == [HomeNotPlaced("IOW")]
    assert s.companies["IOW"].bases == []
    s.companies["IOW"].cash = 100
    begin_operating(s)
    assert not s.companies["IOW"].insolvent
    assert s.companies["IOW"].price == 74


def test_the_price_of_an_unfloated_company_is_its_par() -> None:
    """Price before floating: par, half of it without a train, at scoring too."""
    s = table("cash 0 0\nIOW 2* 1 | par 82 | new")
    assert s.companies["IOW"].price == 82
    assert dict(worth.list_parts(s, 1))["shares"] == 41
    s = table("cash 0 0\nIOW 2* 1 | par 44 | bankrupt | 3+2")
    assert dict(worth.list_parts(s, 1))["shares"] == 44
