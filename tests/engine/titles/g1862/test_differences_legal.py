"""Where 18xx.games allows more than the rulebook (rows 20 to 30) or less (40 to 47), side by side.

Rows 22, 23, 27 and 42 are in the tests of section 15.
"""

import pytest
from msgspec.structs import replace

from engine.errors import RuleError
from engine.finance.events import RevenueKept
from engine.finance.rounds import Pass
from engine.interop.g1862.profile import RUNS as SITE_RUNS
from engine.interop.g1862.profile import TITLE
from engine.rails.laying import LayTile
from engine.setup import Setup
from engine.titles.g1862 import ground
from engine.titles.g1862.actions import (
    AddStation,
    BuyShare,
    BuyTrain,
    Dividend,
    Markers,
    Merge,
    RaiseMoney,
    Sell,
)
from engine.titles.g1862.events import HomePlaced, WentBankrupt
from engine.titles.g1862.rounds import turn
from engine.titles.g1862.rules import read_options
from engine.titles.g1862.running.runs import RunRules
from engine.titles.g1862.running.search import find_best_plan
from engine.titles.g1862.state import Marker, Operating
from tests.engine.titles.g1862 import running
from tests.engine.titles.g1862.positions import (
    catch_refusal,
    differs,
    legal,
    of_kind,
    operating,
    play,
    settle,
    stock,
    table,
)

SITE = {"profile": "18xx.games"}
PROFILES = pytest.mark.parametrize("options", [{}, SITE], ids=["rulebook", "18xx.games"])
LINE = "B13:57:0 C12:8852:4 B11:8852:0 B9:790:0 B5:57:0 C6:6:1"
FRESH = "new unplaced=3 cash=0"


@differs("mergers_need_consent")
def test_20_a_merger_needs_the_other_director(switches: dict[str, object]) -> None:
    """Differences 20: on 18xx.games the active director decides alone."""
    s = table("N&E 90 6*,0,0,0 trains=2F at=B13\nWStI 90 0,6*,0,0 trains=2F at=B5,B13", tiles=LINE, switches=switches)
    operating(s, "N&E", "merge")
    play(s, Merge("WStI", "N&E"))
    assert (s.operating.offer is None) is bool(switches)
    assert s.companies["WStI"].started is not bool(switches)


@differs("train_sales_need_consent")
def test_21_a_train_needs_the_other_director(switches: dict[str, object]) -> None:
    """Differences 21: on 18xx.games the buyer decides alone; the price is the same, and no other can be named."""
    s = table("N&E 90 5*,0,0,0 cash=500 at=B13\nWStI 90 0,5*,0,0 trains=1F at=B5", switches=switches)
    operating(s, "N&E", "train")
    told = "Buy the 1F of WStI for £100" if switches else "Ask {1} for the 1F of WStI for £100"
    assert TITLE.words.label(s, BuyTrain("1F", "WStI"), "") == told
    assert ("{1} is asked" in TITLE.words.label(s, BuyTrain("1F", "WStI"), "train")) is not bool(switches)
    play(s, BuyTrain("1F", "WStI"))
    assert (turn.find_actors(s) == (1, 0)) is not bool(switches)
    assert s.companies["N&E"].cash == (400 if switches else 500)


def test_62_47_a_lobby_option_lets_the_buyer_of_a_train_decide_alone() -> None:
    """§7.9, 62-47: the book asks for no consent; a table that chose nothing, like all before, asks the director."""
    asked = read_options(Setup("1862", 4))
    assert asked.train_sales_need_consent
    assert read_options(Setup("1862", 4, {"train_sales": "agree"})) == asked
    alone = read_options(Setup("1862", 4, {"train_sales": "buyer"}))
    assert alone == replace(asked, train_sales_need_consent=False)


@differs("first_build_at_home")
def test_24_the_first_build_is_on_the_home_hex(switches: dict[str, object]) -> None:
    """Differences 24: after a merger 18xx.games asks for nothing on the home of the company that has gone."""
    s = table(
        "N&E 90 6*,0,0,0 trains=2F at=B13\nWStI 90 6*,0,0,0 trains=2F at=B9",
        tiles="B13:57:0 B11:8852:0 B9:790:0 G6:20:0",
        phase="B",
        switches=switches,
    )
    company = s.companies["WStI"]
    company.due = ["B5"]
    company.markers.append(Marker("B5", 99))
    operating(s, "WStI", "merge", order=["WStI", "N&E"])
    play(s, Merge("N&E", "N&E"))
    hexes = {action.hex for action in legal(s, LayTile)}
    assert (hexes == {"B5"}) is not bool(switches)
    assert "B5" in hexes
    assert bool(legal(s, AddStation)) is bool(switches)
    assert (Pass() in legal(s)) is bool(switches)


@differs("first_build_at_home")
def test_24_a_tile_at_home_is_asked_for_until_it_lies(switches: dict[str, object]) -> None:
    """Differences 24: a small station took the first turn; 18xx.games lets no later turn pass without the tile."""
    s = table("N&E 90 5*,0,0,0 trains=2F at=B13", tiles="G6:779+0:0", phase="D", switches=switches)
    operating(s, "N&E", "track")
    if switches:
        assert "home marker" in catch_refusal(s, Pass()).sentence
        play(s, next(lay for lay in legal(s, LayTile) if lay.hex == "B13"))
    play(s, Pass())
    assert s.name == "PR 2", "the turn, and with it the round, is over"


@differs("first_build_at_home")
def test_24_where_no_tile_can_lie_at_home_any_more_any_other_will_do(switches: dict[str, object]) -> None:
    """Differences 24: no tile with N follows another yellow one, so EUR's home stays empty; there it lays a second."""
    s = table("EUR 90 5*,0,0,0 trains=2F at=E12,B13", tiles="B13:57:0", switches=switches)
    operating(s, "EUR", "track")
    assert (Pass() in legal(s)) is not bool(switches)
    play(s, next(lay for lay in legal(s, LayTile) if lay.hex != "E12"))
    assert not any(lay.hex == "E12" for lay in legal(s, LayTile))
    if switches:
        assert catch_refusal(s, Pass()).sentence == "Until there is a tile at its home, EUR must build if it can."
        play(s, legal(s, LayTile)[0])
    else:
        play(s, Pass())
    assert s.name == "PR 2", "the turn, and with it the round, is over"


@differs("home_upgrade_adds_slot")
def test_25_an_upgrade_must_give_the_home_a_slot(switches: dict[str, object]) -> None:
    """Differences 25: Witham is full, all green stations are out; 18xx.games takes any green tile whose sides fit."""
    s = table("WVR 54 5*,0,0,0 at=D13", tiles="D13:57:0", phase="B", switches=switches)
    assert ground.is_startable(s, s.companies["ECR"]), "the next tile has two slots"
    manifest = s.board.map.manifest
    empty = iter(hex_ for hex_ in s.board.map.hexes if hex_ not in s.board.laid)
    for name in manifest.counts:
        for _ in range(
            manifest.counts[name] if manifest[name].colour == "green" and manifest[name].has_stop("city") else 0
        ):
            s.board = s.board.with_tile(next(empty), name, 0)
    assert ground.is_startable(s, s.companies["ECR"]) is bool(switches)


@differs("green_home_needs_n")
def test_48_a_full_green_home_without_n(switches: dict[str, object]) -> None:
    """Differences 48: green Witham is full; a russet tile without a third slot is enough there where N is not asked."""
    text = "WVR 54 5*,0,0,0 at=D13\nN&B 54 0,5*,0,0 at=D13"
    s = table(text, tiles="D13:14:0", phase="D", switches=switches)
    assert not ground.is_startable(s, s.companies["ECR"]), "no russet tile has a third slot"
    s = table(text, tiles="D13:14:0", phase="D", switches={**switches, "home_upgrade_adds_slot": False})
    assert ground.is_startable(s, s.companies["ECR"]) is not bool(switches)


@differs("own_trains_before_money")
def test_26_a_train_of_your_own_comes_before_raising_money(switches: dict[str, object]) -> None:
    """Differences 26: 18xx.games lets a company decline it and sell treasury shares."""
    s = table(
        "N&E 50 5*,0,0,0 treasury=5 cash=50 at=B13\nWStI 90 5*,0,0,0 trains=1F at=B5", phase="B", switches=switches
    )
    s.depot["A"] = 0
    operating(s, "N&E", "train")
    assert BuyTrain("1F", "WStI") in legal(s)
    assert (RaiseMoney("treasury") in legal(s)) is bool(switches)


def test_26_bankrupt_beside_a_train_of_your_own() -> None:
    """Differences 26: a company that cannot raise the money may pass by such a train on 18xx.games and is bankrupt."""
    text = "N&E 50 5*,0,0,0 cash=400 at=B13 par=10\nWStI 90 5*,0,0,0 trains=4E at=B5"
    for own_first in (True, False):
        s = table(text, phase="G", switches={"own_trains_before_money": own_first})
        s.depot = {name: 0 if name < "H" else -1 for name in s.depot}
        operating(s, "N&E", "train")
        if not own_first:
            assert of_kind(play(s, Pass()), WentBankrupt)
        else:
            assert legal(s) == [BuyTrain("4E", "WStI")]


def test_28_the_stop_that_is_left_out() -> None:
    """Differences 28: the director names it; 18xx.games takes the best whatever is named, which is what we suggest."""
    for rules, named in ((RunRules(), 60), (SITE_RUNS, 70)):
        problem = running.enr("2/3E", rules=rules)
        assert running.run(problem, "F3-F5-[G8]").revenue == named
        assert running.run(problem, "F3-F5-G8").revenue == 70
        assert find_best_plan(problem).plan.revenue >= 70


@PROFILES
def test_29_a_company_without_charter_floats_after_the_lner(options: dict[str, str]) -> None:
    """Differences 29: the rulebook is silent; it may, in both."""
    s = table("N&E 90 4*,0,0,0 treasury=6 cash=360 unfloated", lner=True, options=options)
    company = s.companies["N&E"]
    company.cell = 18
    stock(s)
    play(s, BuyShare("N&E", "treasury"))
    assert company.floated
    play(s, Markers(2))
    assert company.unplaced == 2


@PROFILES
@pytest.mark.parametrize(("left", "broken"), [(181, False), (180, False), (179, True)])
@pytest.mark.parametrize("lner", [False, True])
def test_30_the_bank_is_broken_when_it_cannot_pay_in_full(
    options: dict[str, str], left: int, broken: bool, lner: bool
) -> None:
    """§10.2.

    Differences 30: exactly nothing is not yet broken; it pays on; after the LNER it is endless. In both alike.
    """
    s = table("N&E 90 2,5*,0,0 trains=2F", options=options, lner=lner)
    s.cash[3] += s.bank - left
    stock(s)
    play(s, Sell("N&E", 2))
    assert s.cash[0] == 1180
    assert s.broken is (broken and not lner)


@differs("hudson_from")
def test_40_hudson_with_a_revenue_of_ten(switches: dict[str, object]) -> None:
    """§7.8.6: Differences 40: at least £10; on 18xx.games more than £10."""
    for revenue, possible in ((10, not switches), (20, True)):
        s = table("N&E 54 5*,0,0,0 cash=100 trains=2F at=B13", switches=switches)
        operating(s, "N&E", "dividend").operating.revenue = revenue
        assert (Dividend("hudson") in legal(s)) is possible


@pytest.mark.parametrize(("pool", "possible"), [(1, False), (2, True)])
def test_41_shares_that_the_leaving_director_keeps(pool: int, possible: bool) -> None:
    """Differences 41: four shares, two to be sold: one in the pool is enough with his own, on 18xx.games not."""
    text = f"N&E 90 4*,2,2,{2 - pool} trains=2F"
    assert Sell("N&E", 2) in legal(stock(table(text)))
    assert (Sell("N&E", 2) in legal(stock(table(text, switches={"sold_shares_give_change": False})))) is possible


@differs("home_upgrade_first")
def test_43_the_upgrade_for_the_home_marker(switches: dict[str, object]) -> None:
    """Differences 43: merging comes first; on 18xx.games the upgrade does, and merging after it."""
    s = table(f"N&E 90 5*,0,0,0 {FRESH}\nWStI 54 0,5*,0,0 at=B13", tiles="B13:6:0", phase="B", switches=switches)
    s.round = Operating(0, 1, [])
    settle(s)
    assert s.operating.step == ("home" if switches else "merge")
    if switches:
        assert {type(action) for action in legal(s)} == {LayTile}
        play(s, legal(s, LayTile)[0])
        assert s.operating.step == "merge"


@differs("eighth_marker_at_start")
@pytest.mark.parametrize("options", [{}, {"eight_markers": "on"}])
def test_44_markers_at_the_start_with_eight_in_all(switches: dict[str, object], options: dict[str, str]) -> None:
    """Differences 44: with the variant two to eight; 18xx.games keeps seven there, and eight after a merger."""
    s = table("N&E 200 4*,0,0,0 treasury=6 cash=800 unfloated", options=options, switches=switches)
    s.companies["N&E"].cell = 40
    stock(s)
    play(s, BuyShare("N&E", "treasury"))
    assert legal(s)[-1] == Markers(8 if options and not switches else 7)
    assert s.rules.markers == (8 if "eight_markers" in options else 7)


@pytest.mark.parametrize(("seats", "companies"), [(7, 17), (8, 18)])
def test_45_companies_for_seven_and_eight(seats: int, companies: int) -> None:
    """Differences 45: one or two more, unless the table does without; 18xx.games gives no choice."""
    for options in ({}, SITE):
        assert len(TITLE.deal(Setup("1862", seats, options, 1)).companies) == companies
    assert len(TITLE.deal(Setup("1862", seats, {"extra_companies": "off"}, 1)).companies) == 16
    with pytest.raises(RuleError, match="doesn't offer"):
        TITLE.deal(Setup("1862", seats, {"extra_companies": "off", **SITE}))


@PROFILES
def test_46_no_home_marker_in_receivership(options: dict[str, str]) -> None:
    """Differences 46: the rules forbid new markers and place that one unasked; it waits for a director, in both."""
    s = table(f"N&E 90 2,2,2,0 {FRESH}\nWStI 54 0,5*,0,0 trains=2F at=B5", options=options)
    s.companies["N&E"].cash = 500
    s.companies["N&E"].permits = ["express"]
    s.round = Operating(0, 1, [])
    events = settle(s)
    assert of_kind(events, HomePlaced) == []
    assert not s.companies["N&E"].home_placed
    s.companies["N&E"].director = 0
    s.companies["N&E"].shares = [4, 2, 2, 0]
    s.round = Operating(0, 1, [])
    assert [event.company for event in of_kind(settle(s), HomePlaced)] == ["N&E"]


@PROFILES
def test_47_nothing_earned_is_kept_without_asking(options: dict[str, str]) -> None:
    """Differences 47: a dividend of nothing cannot be chosen, in both; two spaces down."""
    s = table("N&E 90 5*,0,0,0 cash=500 trains=2F at=B13", options=options)
    operating(s, "N&E", "dividend")
    events = settle(s)
    assert [event.revenue for event in of_kind(events, RevenueKept)] == [0]
    assert s.companies["N&E"].price == 82
