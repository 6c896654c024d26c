"""Where 18xx.games goes through a turn in another way (differences 51 to 65)."""

import pytest

from engine.finance.events import TrainsRan, TurnBegan
from engine.finance.rounds import Pass
from engine.finance.state import POOL
from engine.interop.g1862 import profile, trace
from engine.interop.g1862.profile import SiteState
from engine.interop.g1862.writer import Writer
from engine.rails.laying import LayTile
from engine.record import Event
from engine.titles.g1862 import catalogue, track
from engine.titles.g1862.actions import (
    AddStation,
    Bid,
    BuyShare,
    BuyTrain,
    Dividend,
    Markers,
    Merge,
    Option,
    RaiseMoney,
    Redeem,
    Start,
)
from engine.titles.g1862.events import RefinancingBegan, TreasurySold
from engine.titles.g1862.rounds import stock as rounds
from engine.titles.g1862.rounds import turn
from engine.titles.g1862.state import COMPANY, Merging, Parliament, State
from engine.titles.g1862.steps import building, merging
from tests.engine.titles.g1862.positions import (
    catch_refusal,
    differs,
    go_bankrupt,
    legal,
    of_kind,
    operating,
    parliament,
    play,
    settle,
    stock,
    table,
)
from tests.support.sure import as_a, sure

LINE = "B13:57:0 C12:8852:4 B11:8852:0 B9:790:0 B5:57:0 C6:6:1"
SITE = {"profile": "18xx.games"}
PROFILES = pytest.mark.parametrize("options", [{}, SITE], ids=["rulebook", "18xx.games"])


@differs("merged_receivership_runs")
def test_51_a_merger_that_ends_in_receivership(switches: dict[str, object]) -> None:
    """Differences 51: no one holds three shares after it; by the rules the company runs, there it does not."""
    s = table(
        "N&E 90 2,2,2,1 trains=2E at=B13,B9 permits=express\nWStI 90 5*,0,0,0 at=B5 permits=express",
        tiles=LINE, switches=switches,
    )  # fmt: skip
    operating(s, "N&E", "merge", order=["N&E", "WStI"])
    s.companies["N&E"].london = "B15"
    s.operating.merging = Merging("N&E", "WStI", "merge", 0, 90, [], moved=True)
    s.companies["WStI"].shares, s.companies["WStI"].pool = [0] * 4, 10
    events = settle(s)
    assert bool(of_kind(events, TrainsRan)) is not bool(switches)
    assert s.companies["N&E"].price < 90, "either way nothing is paid"


def test_52_in_mid_merger_a_trace_shows_both_treasuries_with_the_active_company() -> None:
    """Differences 52: money when the companies' turn to decide has come, their shares at once."""
    s = table(
        "N&E 90 4*,0,0,1 treasury=5 cash=100 trains=2F at=B13\nWStI 90 4*,0,0,0 treasury=2 cash=70 trains=2F at=B5,B13",
        tiles=LINE, options=SITE,
    )  # fmt: skip
    operating(s, "WStI", "merge", order=["WStI", "N&E"])
    play(s, Merge("N&E", "N&E"))
    while sure(s.operating.merging).holder != COMPANY:
        assert as_a(dict, trace.dump_state(s, "abcd")["companies"])["N&E"]["cash"] == 100
        play(s, Option("sell"))
    shown = as_a(dict, trace.dump_state(s, "abcd")["companies"])
    assert next(shown[code]["treasury"] for code in ("N&E", "WStI")) == 0
    assert [shown[code]["cash"] for code in ("N&E", "WStI")] == [0, 170]


@differs("only_way_asked")
def test_57_money_is_raised_without_a_question_where_there_is_one_way(switches: dict[str, object]) -> None:
    """Differences 57: two treasury shares do not bring £60, so refinancing is the only way; both ways are a choice."""
    s = table("N&E 54 5*,3,0,0 treasury=1 cash=40 at=B13 par=54", switches=switches)
    events = settle(operating(s, "N&E", "train"))
    assert bool(of_kind(events, RefinancingBegan)) is bool(switches)
    assert legal(s, RaiseMoney) == ([] if switches else [RaiseMoney("refinance")])
    s = table("N&E 54 5*,0,0,0 treasury=5 cash=40 at=B13 par=54", switches=switches)
    events = settle(operating(s, "N&E", "train"))
    assert of_kind(events, TreasurySold) == []
    assert len(legal(s, RaiseMoney)) == 2, "a choice is always asked"


@pytest.mark.parametrize(("cash", "asked"), [(40, False), (60, True)])
def test_57_share_that_cannot_be_redeemed_at_once_is_not_redeemed_later(cash: int, asked: bool) -> None:
    """Differences 57: while the first holder decides, the company has its old money: enough for a share, or not."""
    s = table(f"N&E 54 7*,0,0,0 cash={cash} at=B13 par=54", options=SITE, phase="B")
    s.depot["A"] = 0
    settle(operating(s, "N&E", "train"))
    assert legal(s, Option)
    play(s, Option("redeem"))
    play(s, legal(s, BuyTrain)[0], Pass())
    assert (Redeem() in legal(s)) is asked


@pytest.mark.parametrize(
    ("price", "shares", "pool", "asked"),
    [(54, "5*,1,1,0", 3, False), (54, "5*,1,0,0", 4, True), (20, "5*,1,1,0", 3, True)],
)
def test_57_a_certificate_swapped_for_the_last_shares_in_the_pool_lies_there_first(
    price: int, shares: str, pool: int, asked: bool
) -> None:
    """Differences 57: £60 pay for a share of £54; where the certificate lies first, they must pay for that."""
    s = table(f"N&E {price} {shares} cash=60 at=B13 par=54", options=SITE, phase="B")
    assert s.companies["N&E"].ordinary_in_pool == pool
    s.depot["A"] = 0
    settle(operating(s, "N&E", "train"))
    assert s.companies["N&E"].director == POOL
    while legal(s, Option):
        play(s, Option("redeem"))
    play(s, legal(s, BuyTrain)[0], Pass())
    assert (Redeem() in legal(s)) is asked


@differs("stations_on_turned_lines")
def test_59_a_small_station_on_a_line_that_the_tile_has_when_turned(switches: dict[str, object]) -> None:
    """Differences 59: the station that is there stays; the other sides of a russet tile may be joined anew there."""
    s = table("N&E 90 5*,0,0,0 trains=2F at=B13", tiles="B13:57:0 G6:779+0:0", phase="D", switches=switches)
    operating(s, "N&E", "track")
    own = set(catalogue.list_lines("779", 0))
    here = {(action.a, action.b) for action in legal(s, AddStation) if action.hex == "G6"}
    assert here >= own - set(catalogue.list_stations("779+0", 0))
    more = here - own
    assert bool(more) is bool(switches)
    if switches:
        line = min(more)
        play(s, AddStation("G6", *line))
        name, rotation = s.board.laid["G6"]
        assert set(catalogue.list_stations(name, rotation)) == {*catalogue.list_stations("779+0", 0), line}
        assert LayTile not in {type(action) for action in legal(s)}, "it is all the track of the turn"


def test_59_no_side_is_left_without_track_by_a_small_station() -> None:
    """Differences 59: a green tile with two lines, turned, would lead to other sides; no other line is built."""
    s = table("N&E 90 5*,0,0,0 trains=2F at=B13", tiles="B13:57:0 G6:16+1:1", phase="D", options=SITE)
    operating(s, "N&E", "track")
    lines = {(action.a, action.b) for action in legal(s, AddStation) if action.hex == "G6"}
    assert lines == set(catalogue.list_lines("16", 1)) - set(catalogue.list_stations("16+1", 1))


@differs("tiles_by_stations")
def test_62_each_shape_of_small_stations_has_its_own_copies_on_18xx_games(switches: dict[str, object]) -> None:
    """Differences 62: both tiles 16 lie with their other line built on; there the shape that is needed is left."""
    tiles = "B13:14:0 B11:8852:0 C12:8851:2 F7:16+1:0"
    s = operating(table("N&E 90 5*,0,0,0 trains=2F at=B13", tiles=tiles, phase="B", switches=switches), "N&E", "track")
    lay = next(lay for lay in legal(s, LayTile) if lay.tile == "16")
    assert building.check_lay(s, 0, lay).fit.tile == "16+0"
    s.board = s.board.with_tile("G6", "16+1", 0)
    assert lay not in legal(s, LayTile), "no table is offered it"
    if switches:
        play(s, lay)
        assert s.board.laid["C12"][0] == "16+0"
        assert catalogue.count_left(s.board, "16") == -1
        assert track._count_left_alike(s.board, "16+0", 0) == 1, "of the other shape one is left"
    else:
        assert catch_refusal(s, lay).sentence == "No copies of tile 16 are left."


@differs("receivership_markers_chosen")
def test_61_markers_of_a_company_that_floats_without_a_director(switches: dict[str, object]) -> None:
    """Differences 61: two by the rules; there who holds most of it says how many."""
    s = stock(table("N&E 54 0,2,2,0 treasury=3 cash=400 unfloated", switches=switches))
    s.companies["N&E"].cell, s.companies["N&E"].treasury, s.companies["N&E"].pool = 11, 6, 0
    s.companies["N&E"].pool = 10 - 4 - 6
    s.companies["N&E"].shares, s.companies["N&E"].treasury, s.companies["N&E"].pool = [0, 1, 0, 0], 6, 3
    play(s, BuyShare("N&E", "treasury"))
    if switches:
        assert turn.find_actors(s) == (0,)
        assert Markers(7) in legal(s)
        play(s, Markers(3))
    assert s.companies["N&E"].unplaced == (3 if switches else 2)


@differs("merged_charter_stays")
@pytest.mark.parametrize("other", ["", " chartered"])
def test_63_the_charter_of_a_merged_company(switches: dict[str, object], other: str) -> None:
    """§7.5.4.

    62-50, differences 63: nothing is in the IPO any more, so it is turned; there it stays if both companies had one.
    """
    s = table(f"N&E 90 5*,0,0,0 at=B13 chartered\nWStI 90 5*,0,0,0 at=B5{other}", tiles=LINE, switches=switches)
    operating(s, "N&E", "merge", order=["N&E", "WStI"])
    s.operating.merging = Merging("N&E", "WStI", "merge", 0, 90, [])
    s.companies["WStI"].shares, s.companies["WStI"].pool = [0] * 4, 10
    settle(s)
    assert s.companies["N&E"].chartered is bool(switches and other)


def test_60_a_company_that_had_track_once_is_always_asked_for_routes_on_18xx_games() -> None:
    """Differences 60: its markers are gone and no train can run; only a company that never had track is passed by."""
    s = table("N&E 90 5*,0,0,0 trains=2F at=B13 permits=freight", tiles=LINE, options=SITE)
    operating(s, "N&E", "run")
    assert not s.asks_without_choice(), "no table is asked"
    s = profile.ask_everything(s)
    assert s.asks_without_choice()
    s.companies["N&E"].markers.clear()
    assert s.asks_without_choice()


def _keep_earnings(s: State) -> tuple[Writer, list[Event]]:
    """Keep what was earned, in the last phase, while a file is written; return its writer, and what happened."""
    s.depot = {name: 2 if name == "H" else 0 for name in s.depot}
    s.operating.revenue = 10
    writer = Writer((1, 2, 3, 4))
    writer.write(s, 0, Dividend("keep"))
    events = play(s, Dividend("keep"))
    for event in events:
        writer.hear(event)
    return writer, events


@PROFILES
@pytest.mark.parametrize(("lner", "cash", "hangs"), [(True, 100, 1), (True, 40, 0), (False, 100, 0)])
def test_64_a_bankruptcy_at_which_18xx_games_hangs(
    options: dict[str, str], cash: int, hangs: int, *, lner: bool
) -> None:
    """Play goes on with the next company; a file makes that site go on too, by an action that says nothing."""
    text = f"N&E 90 5*,0,0,0 trains=6E at=B13\nWStI 54 0,5*,0,0 cash={cash} at=B5\nENR 50 0,0,5*,0 trains=6E at=F3"
    s = operating(table(text, options=options, lner=lner, phase="H"), "N&E", "dividend", rounds=3)
    writer, events = _keep_earnings(s)
    written = writer.write_afterwards()
    if lner:
        assert s.companies["WStI"].gone
        assert [event.company for event in of_kind(events, TurnBegan)][:2] == ["WStI", "ENR"]
    assert [action["type"] for action in written] == ["program_disable"] * hangs
    assert writer.write_afterwards() == []


@pytest.mark.parametrize(("director", "hangs"), [(1, 1), (POOL, 0)])
def test_64_the_site_hangs_in_the_last_turn_of_all_too(director: int, hangs: int) -> None:
    """It must go on to end the game; a company in receivership redeems nothing: the game is over and takes nothing."""
    text = "N&E 90 5*,0,0,0 trains=6E at=B13\nWStI 54 0,5*,0,0 cash=100 at=B5"
    s = operating(table(text, options=SITE, lner=True, broken=True, phase="H"), "N&E", "dividend")
    s.companies["WStI"].director = director
    writer, _ = _keep_earnings(s)
    assert s.companies["WStI"].gone
    assert s.over
    assert len(writer.write_afterwards()) == hangs


@pytest.mark.parametrize(("left", "asked"), [(73, True), (54, True), (53, False)])
def test_60_that_site_asks_for_more_while_another_share_of_the_last_company_can_be_paid(
    left: int, *, asked: bool
) -> None:
    """N&E costs £74; WStI, bought last, £54: with as much the winner of N&E is asked, and can only pass."""
    s = table("WStI 54 3*,0,0,0 ipo=7 chartered", cash=[3 * 74 + 54 + left, 0, 0, 0], options=SITE)
    s = profile.ask_everything(parliament(s))
    play(s, Bid("N&E", 0), Start("N&E", 74), BuyShare("WStI", "ipo"))
    assert (isinstance(s.round, Parliament) and s.round.winner == 0) is asked


@pytest.mark.parametrize(("kept", "obliged", "stops"), [("ENR", 1, True), ("ENR", 0, False), ("WStI", 1, False)])
def test_66_the_site_waits_for_a_share_of_a_company_that_failed_later(kept: str, obliged: int, *, stops: bool) -> None:
    """The debtor owns nothing when his turn to sell comes; the file can't go on there, and says so."""
    holdings = {"ENR": "0,3*,0,0", "WStI": "0,2,5*,0"} | {kept: {"ENR": "1,3*,0,0", "WStI": "1,2,5*,0"}[kept]}
    text = f"""N&E 54 3*,0,0,0 ipo=7 unfloated chartered obliged=0
    ENR 54 {holdings["ENR"]} ipo=6 unfloated chartered obliged={obliged}
    WStI 54 {holdings["WStI"]} trains=2F at=B5"""
    s = stock(table(text, options=SITE, cash=[0, 0, 0, 0]), 3)
    s.stock.passes = 3
    writer = Writer((1, 2, 3, 4))
    writer.shares.move(kept, [5], 0)
    writer.write(s, 3, Pass())
    for event in play(s, Pass()):
        writer.hear(event)
    assert writer.find_stop() == "it waits forever for {0} to sell shares of ENR, which failed" * stops


@PROFILES
def test_65_a_bankruptcy_opens_the_way_at_once(options: dict[str, str]) -> None:
    """The marker that filled a city on the way goes with its company, and track beyond it can be built.

    It is legal there too, but not offered to who has had a turn since the last tile or marker, and so until the next:
    that site may still go by the old ways.
    """
    text = "N&E 90 5*,0,0,0 trains=2F at=B13\nWStI 54 0,5*,0,0 at=B9"
    s = table(text, tiles="B13:57:0 B11:8852:0 B9:57:0 B7:57:0", options=options)
    operating(s, "N&E", "track")
    assert "B5" not in {lay.hex for lay in legal(s, LayTile)}
    other = s.clone()
    if isinstance(s, SiteState):
        s.note_turn("N&E")
    for now in (s, other):
        go_bankrupt(now, "WStI")
    assert "B5" in {lay.hex for lay in legal(other, LayTile)}
    assert ("B5" in {lay.hex for lay in legal(s, LayTile)}) is not bool(options)
    before, s.board = s.board, s.board.with_tile("G6", "16", 0)
    beyond = next(lay for lay in legal(s, LayTile) if lay.hex == "B5")
    s.board = before
    building.check_lay(s, 0, beyond)


@PROFILES
def test_65_a_merger_over_a_slot_freed_by_a_bankruptcy_is_legal_but_not_offered_on_18xx_games(
    options: dict[str, str],
) -> None:
    text = "N&E 90 5*,0,0,0 trains=2F at=B13\nWStI 54 0,5*,0,0 at=B9\nENR 54 5*,0,0,0 at=B5"
    s = table(text, tiles="B13:57:0 B11:8852:0 B9:57:0 B7:8852:0 B5:57:0", options=options)
    operating(s, "N&E", "merge")
    n_and_e, enr = s.companies["N&E"], s.companies["ENR"]
    assert "No track connects" in str(merging.find_merger_refusal(s, n_and_e, enr))
    if isinstance(s, SiteState):
        s.note_turn("N&E")
    go_bankrupt(s, "WStI")
    assert merging.find_merger_refusal(s, n_and_e, enr) is None
    assert bool(legal(s, Merge)) is not bool(options)


@pytest.mark.parametrize(("cash", "asked"), [(54, True), (53, False)])
def test_60_at_the_limit_18xx_games_asks_a_winner_who_could_pay_for_one_share_more(cash: int, *, asked: bool) -> None:
    """§4.2: who has won a charter and is at the certificate limit can add no share; that site looks at the money."""
    s = profile.ask_everything(parliament(table(options=SITE, cash=[162 + cash, 0, 0, 0], limit=1)))
    play(s, Bid("N&E", 0), Start("N&E", 54))
    assert (isinstance(s.round, Parliament) and s.round.winner == 0) is asked


@pytest.mark.parametrize(
    ("text", "cash", "asked"),
    [
        ("", 162, True),
        ("", 161, False),
        ("N&E 50 0,2,2,2 at=B13", 150, True),
        ("N&E 50 0,2,2,2 at=B13", 149, False),
        ("N&E 50 0,10*,0,0 at=B13", 1000, False),
    ],
    ids=["enough to start one", "not enough", "enough for the certificate", "not enough for it", "none in the pool"],
)
def test_60_in_a_stock_round_18xx_games_asks_players_who_have_the_money(text: str, cash: int, *, asked: bool) -> None:
    """Differences 60: whoever could pay for what he may not have: a company of a later phase, a certificate."""
    s = stock(table(text, options=SITE, cash=[cash, 0, 0, 0]))
    s = profile.ask_everything(s)
    for code, company in s.companies.items():
        company.group = "C"
        company.gone = code != "N&E"
        company.pool = 3 if company.receivership else company.pool
    assert rounds.settle_stock(s, lambda _: None) is not asked
    s = stock(table(text, options=SITE, cash=[cash, 0, 0, 0]))
    s.stock.sold[0] = list(s.companies)
    s = profile.ask_everything(s)
    for company in s.companies.values():
        company.group = "C"
    assert rounds.settle_stock(s, lambda _: None), "not for what he has sold in this round"


@pytest.mark.parametrize(("shares", "remembered"), [("5*,0,0,0", True), ("2,0,0,0", False)], ids=["built", "held"])
def test_60_that_site_remembers_track_only_where_it_has_looked(shares: str, *, remembered: bool) -> None:
    """Differences 60: a company that no one builds for, with trains that may not run, is not looked at."""
    s = table(f"N&E 90 {shares} trains=2E at=B13,B9 permits=local", tiles=LINE, options=SITE)
    s = profile.ask_everything(operating(s, "N&E", "run"))
    company = s.companies["N&E"]
    assert company.receivership is not remembered
    assert not s.asks_without_choice(), "its permit is for other trains"
    company.markers.clear()
    company.permits = ["express"]
    assert s.asks_without_choice() is remembered


def test_a_space_of_london_goes_to_the_company_that_takes_over_its_owner() -> None:
    """Also where the space before it is free: a file names each by its number."""
    text = "N&E 90 5*,0,0,0 trains=2E at=B13 london=B15\nWStI 90 0,5*,0,0 at=B5 london=B15\nENR 90 0,0,5*,0 at=F3"
    s = operating(table(text, options=SITE), "N&E", "dividend")
    s.operating.revenue = 10
    writer, (first, second, third) = Writer((1, 2, 3, 4)), (s.companies[code] for code in ("N&E", "WStI", "ENR"))
    for london in (("B15", "B15", ""), ("", "B15", ""), ("", "", "B15")):
        first.london, second.london, third.london = london
        writer.write(s, 0, Dividend("keep"))
    assert writer.london["B15"] == ["", "ENR"]
