"""§7.1 to §7.7, §5.2, sentence by sentence: what the tests by topic leave out about turns, building and mergers."""

from typing import Literal

import pytest

from engine import Event
from engine.finance.rounds import Pass
from engine.finance.state import POOL
from engine.rails.laying import LayTile
from engine.titles.g1862 import catalogue, share_merge, track
from engine.titles.g1862.actions import (
    AddStation,
    Answer,
    Dividend,
    Merge,
    Option,
    PlaceMarker,
    Run,
    Start,
)
from engine.titles.g1862.events import CertificatesExchanged, CertificateSwapped, SharesCashed, SharesSwapped
from engine.titles.g1862.rounds import turn
from engine.titles.g1862.state import COMPANY, Fine, Marker, Merging, Operating, State
from tests.engine.titles.g1862.positions import (
    catch_refusal,
    decide,
    go_on,
    legal,
    of_kind,
    operating,
    play,
    settle,
    stock,
    table,
)
from tests.support.sure import sure

LINE = "B13:57:0 C12:8852:4 B11:8852:0 B9:790:0 B5:57:0 C6:6:1"
BOARD = "B13:57:0 B11:8852:0 B9:790:0"


def test_7_1_merge_track_marker_run_dividend_trains_redeem_acquire() -> None:
    """§7.1, §3.0, §7.13: a company that can do all of it is asked in this order."""
    s = table(
        "N&E 90 5*,0,0,0 unplaced=2 cash=900 trains=2E at=B13 permits=express\nWStI 54 5*,0,0,0 trains=2F at=B13,B5",
        tiles=BOARD,
    )
    operating(s, "N&E", "merge", order=["WStI", "N&E"])
    steps = [
        ("merge", Pass()),
        ("track", Pass()),
        ("token", Pass()),
        ("run", Run("best")),
        ("dividend", Dividend("keep")),
        ("train", Pass()),
        ("redeem", Pass()),
        ("acquire", Pass()),
    ]
    for step, action in steps:
        assert s.operating.step == step
        play(s, action)
    assert s.name.startswith("PR")


def test_7_2_a_marker_beside_a_full_home_joins_all_its_track() -> None:
    """§7.2, §7.5.2.

    N&E waits beside Bishop's Stortford, which is full, and may merge with the ENR at the end of its track.
    """
    text = "N&E 90 5*,0,0,0 new unplaced=3\nWStI 54 5*,0,0,0 at=B13\nENR 54 5*,0,0,0 at=B9,F3"
    s = table(text, tiles=BOARD, phase="B")
    s.round = Operating(0, 1, [])
    settle(s)
    assert s.companies["N&E"].waiting == ["B13"]
    assert s.operating.step == "merge"
    assert {action.company for action in legal(s, Merge)} == {"ENR", "WStI"}


@pytest.mark.parametrize(("options", "most"), [({}, 7), ({"eight_markers": "on"}, 8)])
def test_2_1_seven_markers_with_those_not_yet_placed(options: dict[str, str], most: int) -> None:
    """§2.1, §7.5.6, §11.4.

    Two companies with four unused and three on the map each: what is above the limit is lost.
    """
    s = table(
        "N&E 90 6*,0,0,0 unplaced=4 trains=2F at=B13,E2,F3\nWStI 90 6*,0,0,0 unplaced=4 trains=2F at=B5,B13,C6",
        tiles=LINE,
        options=options,
    )
    operating(s, "N&E", "merge")
    play(s, Merge("WStI", "N&E"))
    company = s.companies["N&E"]
    assert company.marker_count == 5, "of two in B13 one is lost"
    assert company.marker_count + company.unplaced == most


def three() -> State:
    """N&E may merge with WStI and with the ENR; all of seat 0."""
    text = "N&E 90 6*,0,0,0 trains=2F at=B13\nWStI 90 6*,0,0,0 trains=2F at=B5,B13\nENR 90 6*,0,0,0 trains=2F at=B9,F3"
    return table(text, tiles=LINE)


@pytest.mark.parametrize("order", [["N&E", "WStI", "ENR"], ["ENR", "N&E", "WStI"]])
def test_7_14_one_merger_and_one_acquisition_in_a_turn(order: list[str]) -> None:
    """§7.14, §5.1.2: after a merger there is none at the start any more, but an acquisition at the end.

    Whether the ENR has had its turn does not matter for that.
    """
    s = operating(three(), "N&E", "merge", order=order)
    play(s, Merge("WStI", "N&E"))
    assert (s.operating.code, s.operating.step) == ("N&E", "track")
    while s.operating.step != "acquire":
        go_on(s)
    play(s, Merge("ENR", "N&E"))
    assert not s.companies["WStI"].started
    assert not s.companies["ENR"].started
    assert s.name.startswith("PR")


@pytest.mark.parametrize("survivor", ["N&E", "WStI"])
def test_7_5_1_the_active_director_names_the_survivor(survivor: str) -> None:
    """§7.5.1, §5.2.1: one of the two, and no third."""
    s = operating(three(), "N&E", "merge")
    assert "survivor must be N&E or WStI" in catch_refusal(s, Merge("WStI", "ENR")).sentence
    play(s, Merge("WStI", survivor))
    assert s.companies[survivor].started
    assert not s.companies["WStI" if survivor == "N&E" else "N&E"].started


def test_7_5_7_the_charter_may_be_taken_in_the_next_stock_round() -> None:
    """§7.5.7: who wants it starts it anew, as its home has a slot."""
    s = operating(three(), "N&E", "merge")
    play(s, Merge("WStI", "N&E"))
    s.companies["N&E"].markers = [Marker("B13", 1)]
    assert Start("WStI", 54) in legal(stock(s))


def test_5_2_2_the_ipo_goes_to_the_pool_before_the_first_holder() -> None:
    """§5.2.2, §5.2.3.

    The four shares of the WStI's IPO lie in the pool, and the price is the new one, when seat 0 decides.
    """
    s = table(
        "N&E 90 5*,0,0,0 treasury=5 trains=2F at=B13\nWStI 90 6*,0,0,0 ipo=4 chartered trains=2F at=B5,B13", tiles=LINE
    )
    operating(s, "N&E", "merge")
    play(s, Merge("WStI", "N&E"))
    m = sure(s.operating.merging)
    assert (m.holder, m.price, s.companies["N&E"].price) == (0, 134, 134)
    assert (s.companies["WStI"].ipo, s.companies["WStI"].pool) == (0, 9), "and five of six came back"


def test_5_2_4_a_director_of_less_than_six_gets_three_shares_for_his_certificate() -> None:
    """§5.2.4: seat 1 holds the certificate of the N&E and one share; the pool has three, so he swaps, and keeps two."""
    s = table("N&E 134 0,4*,0,0 treasury=2 cash=500 at=B13 par=54", tiles=LINE)
    operating(s, "N&E", "train")
    events: list[Event] = []
    share_merge.begin(s, Merging("N&E", "", "refinance", 1, 134, []))
    share_merge.advance(s, events.append)
    company = s.companies["N&E"]
    assert of_kind(events, CertificateSwapped)[0].seat == 1
    assert (company.shares[1], company.director, company.ordinary_in_pool) == (2, POOL, 3)


@pytest.mark.parametrize("options", [{}, {"profile": "18xx.games"}])
def test_5_2_4_the_certificate_of_the_company_that_ends_is_swapped_for_the_survivors(options: dict[str, str]) -> None:
    """§5.2.4, differences 15: seat 0 has 50% with it; seat 1, whose turn is to come, gives him the survivor's.

    The rulebook does not say; what 18xx.games does is done in both profiles.
    """
    s = table(
        "N&E 134 2,3*,3,2 trains=2F at=B13\nWStI 134 3*,3,2,2 trains=2F at=B5,B13",
        tiles=LINE,
        options=options,
        cash=[1000] * 4,
    )
    operating(s, "WStI", "merge")
    s.operating.merging = Merging("N&E", "WStI", "merge", 0, 134, [0, 1, 2, 3, COMPANY])
    events: list[Event] = []
    share_merge.advance(s, events.append)
    m, company, other = s.operating.merging, s.companies["N&E"], s.companies["WStI"]
    assert of_kind(events, CertificatesExchanged)
    assert (m.redeem, m.sell, m.parts) == (67, 335, 3)
    assert (company.director, company.shares[:2]) == (0, [3, 0])
    assert (other.director, other.shares[:2]) == (1, [0, 6])


@pytest.mark.parametrize(("held", "paid"), [(2, 335), (1, 268), (0, 201)])
def test_5_2_4_without_a_certificate_to_swap_it_is_cashed(held: int, paid: int) -> None:
    """§5.2.4, differences 15: seat 1 has had his turn, so seat 0 is paid 2.5, 2 or 1.5 times the price."""
    s = table(f"N&E 134 {held},3*,{5 - held},2 trains=2F at=B13\nWStI 134 3*,3,2,2 trains=2F at=B5,B13", tiles=LINE)
    operating(s, "WStI", "merge")
    s.operating.merging = Merging("N&E", "WStI", "merge", 1, 134, [0, 2, 3, COMPANY])
    events: list[Event] = []
    share_merge.advance(s, events.append)
    assert [event.amount for event in of_kind(events, SharesCashed)] == [paid]
    assert s.cash[0] == 1000 + paid
    assert s.companies["WStI"].director == POOL
    assert sure(s.operating.merging).redeem == 0


def test_5_2_4_the_holders_are_done_with_one_by_one() -> None:
    """§5.2.4: seat 1 decides about his option before seat 2 returns anything."""
    s = table(
        "N&E 90 0,7*,3,0 trains=2F at=B13\nWStI 90 0,6*,2,2 trains=2F at=B5,B13",
        tiles=LINE,
    )
    operating(s, "N&E", "merge")
    play(s, Merge("WStI", "N&E"))
    assert sure(s.operating.merging).holder == 1
    assert [s.companies[code].shares[2] for code in ("N&E", "WStI")] == [3, 2]
    events = play(s, Option("sell"), seat=1)
    assert {event.seat for event in of_kind(events, SharesSwapped)} <= {2, 3}
    assert sum(s.companies[code].shares[2] for code in ("N&E", "WStI")) <= 3


@pytest.mark.parametrize("choice", ["redeem", "sell"])
@pytest.mark.parametrize("shares", ["3*,3,2,1", "4*,2,2,2", "5*,5,0,0", "0,3*,3,2"])
@pytest.mark.parametrize("more", ["treasury=0", "ipo=0"])
def test_7_5_7_all_shares_are_there_in_the_end(shares: str, choice: Literal["redeem", "sell"], more: str) -> None:
    """§7.5.7: the survivor's sum to ten, and all ten of the other are back in its IPO."""
    s = table(
        f"N&E 90 {shares} {more} cash=300 trains=2F at=B13\nWStI 90 2,2,2,4* trains=2F at=B5,B13",
        tiles=LINE,
        options={"profile": "18xx.games"},
    )
    operating(s, "N&E", "merge")
    play(s, Merge("WStI", "N&E"))
    decide(s, choice)
    company, other = s.companies["N&E"], s.companies["WStI"]
    assert sum(company.shares) + company.pool + company.treasury + company.ipo == 10
    assert (other.shares, other.pool, other.treasury, other.ipo) == ([0] * 4, 0, 0, 10)


def test_7_7_one_marker_a_turn() -> None:
    """§7.7: a second free slot is reached, and has to wait."""
    s = operating(table("N&E 90 5*,0,0,0 unplaced=3 at=B13", tiles=f"{BOARD} B7:57:0"), "N&E", "token")
    assert PlaceMarker("B9") in legal(s)
    play(s, PlaceMarker("B9"))
    assert s.operating.step != "token"
    assert "You can't place a marker now" in catch_refusal(s, PlaceMarker("B7")).sentence


def test_7_2_the_duty_to_build_waits_for_the_survivors_next_turn() -> None:
    """§7.2, 62-58: the merger ended this turn, as the ENR had operated; in the next round the home hex comes first."""
    s = table(
        "N&E 90 5*,0,0,0 trains=2F at=B13\nENR 90 5*,0,0,0 trains=2F at=B9",
        tiles=BOARD,
    )
    company = s.companies["N&E"]
    company.markers.append(Marker("B5", 99))
    company.due = ["B5"]
    operating(s, "N&E", "merge", order=["ENR", "N&E"], rounds=2)
    play(s, Merge("ENR", "ENR"))
    decide(s, "redeem")
    assert (s.name, s.operating.code, s.operating.step) == ("OR 1.2", "ENR", "track")
    assert {action.hex for action in legal(s, LayTile)} == {"B5"}
    assert "home marker" in catch_refusal(s, Pass()).sentence


def test_7_6_the_second_yellow_tile_is_none_with_an_n() -> None:
    """§7.6, §7.6.2: neither of two may be N; nor is an upgrade or a small station possible after the first."""
    s = table("N&E 90 5*,0,0,0 at=B13", tiles="B13:5:3 B11:8852:0 G6:20:0", phase="B")
    operating(s, "N&E", "track")
    assert LayTile("B9", "790", 0) in legal(s), "it could have been the first, and the last"
    play(s, LayTile("C12", "8852", 1))
    assert "without N" in catch_refusal(s, LayTile("B9", "790", 0)).sentence
    assert "second yellow tile" in catch_refusal(s, LayTile("B13", "14", 0)).sentence
    assert "instead of laying tiles" in catch_refusal(s, AddStation("G6", 0, 3)).sentence


def test_7_6_5_a_second_london_marker_from_a_merger_is_lost() -> None:
    """§7.6.5, §7.5.6, §7.7: one per company; the other space is free again, and the lost marker does not come back."""
    s = table(
        "N&E 90 6*,0,0,0 trains=2F at=B13 london=B15\nWStI 90 6*,0,0,0 trains=2F at=B5,B13 london=D15", tiles=LINE
    )
    operating(s, "N&E", "merge")
    play(s, Merge("WStI", "N&E"))
    company = s.companies["N&E"]
    assert (company.london, company.unplaced) == ("B15", 0)
    assert [other.code for other in s.companies.values() if other.london] == ["N&E"]


def test_7_5_6_markers_of_both_in_one_place_count_once() -> None:
    """§7.5.6: of two in B13 and two in London one each is lost, so seven are left, and none must go."""
    s = table(
        "N&E 90 6*,0,0,0 trains=2F at=B13,E2,F3,E4 london=B15\nWStI 90 6*,0,0,0 trains=2F at=B5,B13,C6 london=D15",
        tiles=LINE,
    )
    operating(s, "N&E", "merge")
    play(s, Merge("WStI", "N&E"))
    assert s.operating.removing == ""
    assert s.companies["N&E"].marker_count == 7


@pytest.mark.parametrize(("hexagon", "turned", "green", "own"), [("F11", 1, "791", "795"), ("F13", 5, "793", "797")])
def test_7_6_1_ipswich_and_harwich_have_russet_tiles_of_their_own(
    hexagon: str, turned: int, green: str, own: str
) -> None:
    """By the rules, and where 18xx.games looks at the sides alone (differences 25)."""
    board = table(tiles=f"{hexagon}:{green}:{turned}").board
    assert (
        {fit.tile for fit in track.list_fits(board, hexagon)}
        == set(track.list_tiles_with_fitting_sides(board, hexagon))
        == {own}
    )


def test_7_6_2_small_stations_stay_through_two_upgrades() -> None:
    """§7.6.2, §7.6.3.

    Yellow 8852 with its station, green 20 and russet 798: one small station on the same line, no more.
    """
    s = table("N&E 90 5*,0,0,0 at=B13,D13", tiles="B13:57:0 B11:8852:0 D13:57:2 C12:8852:2", phase="D")
    operating(s, "N&E", "track")
    play(s, LayTile("B11", "20", 5))
    fit = track.check_fit(s.board, "B11", "798", 0)
    assert len(catalogue.list_lines(fit.tile, fit.rotation)) == 3
    assert catalogue.list_stations(fit.tile, fit.rotation) == ((0, 3),)


def test_6_5_4_2_and_4_3_have_no_pass() -> None:
    """§6.5.4.2, §4.3: markers are chosen, and a fine is paid, before anything else; a run is due (§7.8)."""
    s = stock(table("N&E 90 5*,0,0,0 cash=500 at=B13 trains=2E"))
    s.stock.choosing = "N&E"
    assert catch_refusal(s, Pass()).rule.section == "§6.5.4.2"
    s.stock.choosing, s.stock.fines = "", [Fine(0, "ENR", 200)]
    assert "You owe £200" in catch_refusal(s, Pass()).sentence
    assert "must be decided now" in str(turn.find_pass_refusal(operating(s, "N&E", "run"), 0))


def test_7_3_without_a_director_neither_track_nor_markers() -> None:
    """§7.3, §8.0: with one, the company would be asked for both."""
    for shares, stops in (("2,2,2,0", []), ("6*,0,0,0", ["track", "token"])):
        s = table(f"N&E 90 {shares} unplaced=2 cash=0 trains=2F at=B13\nWStI 54 0,5*,0,0 trains=2F at=B5", tiles=BOARD)
        board, found = s.board.laid, []
        operating(s, "N&E", "track")
        settle(s)
        while s.operating.code == "N&E":
            found.append(s.operating.step)
            play(s, *legal(s, Pass)[:1] or legal(s)[:1])
        assert [step for step in found if step in ("track", "token")] == stops
        assert (s.board.laid, s.companies["N&E"].places) == (board, ["B13"])


def test_7_5_6_the_director_after_the_merger_removes_markers() -> None:
    """§7.5.6: seat 1 has most shares then."""
    s = table("N&E 90 5*,2,0,0 trains=2F at=B13,E2,F3,E4,D5\nWStI 90 0,8*,0,0 trains=2F at=B5,B13,C6,E8,G8", tiles=LINE)
    operating(s, "N&E", "merge")
    play(s, Merge("WStI", "N&E"), Answer("accept"))
    decide(s, "redeem")
    assert s.operating.removing == "N&E"
    assert turn.find_actors(s) == (1,)
