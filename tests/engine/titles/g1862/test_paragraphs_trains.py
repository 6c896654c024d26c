"""§7.9 to §13.0, sentence by sentence: what the tests by topic leave untold about trains, money and the end."""

from itertools import combinations

import pytest

from engine.finance.events import TrainsRan
from engine.finance.rounds import Pass
from engine.rails.laying import LayTile
from engine.titles.g1862 import companies
from engine.titles.g1862.actions import (
    AddStation,
    BuyTrain,
    Merge,
    RaiseMoney,
    Redeem,
)
from engine.titles.g1862.catalogue import BANDS
from engine.titles.g1862.events import Refinanced
from engine.titles.g1862.ground import are_joined, survey
from engine.titles.g1862.state import Marker, State
from engine.titles.g1862.steps import running
from tests.engine.titles.g1862.positions import (
    catch_refusal,
    decide,
    legal,
    of_kind,
    operating,
    parliament,
    play,
    settle,
    stock,
    table,
)
from tests.engine.titles.g1862.running import read_board

LINE = "B13:57:0 C12:8852:4 B11:8852:0 B9:790:0 B5:57:0 C6:6:1"
BOARD = "B13:57:0 B11:8852:0 B9:790:0"


def test_7_9_any_type_may_be_bought_and_only_the_permitted_run() -> None:
    """§7.9, §6.5.4.3, §2.1: with an Express permit alone it buys a Freight and a Local in one turn; neither runs."""
    s = operating(table("N&E 90 5*,0,0,0 cash=500 at=B13 permits=express", tiles=BOARD), "N&E", "train")
    play(s, BuyTrain("1F", "bank"), BuyTrain("2L", "bank"))
    assert [train.face for train in s.companies["N&E"].trains] == ["1F", "2L"]
    operating(s, "N&E", "run")
    assert not of_kind(settle(s), TrainsRan)
    assert s.operating.step == "train", "nothing to run, nothing to pay"


def test_7_11_a_company_without_a_route_must_own_a_train_all_the_same() -> None:
    """§7.11: it has no track at all; the step is not over before it has bought."""
    s = operating(table("N&E 90 5*,0,0,0 cash=150 at=B13"), "N&E", "train")
    assert legal(s, Pass) == []
    assert catch_refusal(s, Pass()).rule.section == "§7.11"
    play(s, BuyTrain("1F", "bank"))
    assert s.name.startswith("PR"), "its turn, the last, is over"


def test_7_11_it_may_be_the_train_of_another_company() -> None:
    """§7.11: bought from a company, no train of the bank is due any more."""
    s = operating(table("N&E 90 5*,0,0,0 cash=300 at=B13\nWStI 90 5*,0,0,0 trains=1F,1F at=B5"), "N&E", "train")
    play(s, BuyTrain("1F", "WStI"))
    assert Pass() in legal(s)


def test_7_11_2_refinancing_may_change_the_director_who_then_picks_the_train() -> None:
    """§7.11.2, §6.3, §7.1, §7.11.

    Seat 0 gives his certificate up, seat 1 has most shares now and buys; the price stays.
    """
    s = operating(table("N&E 100 4*,6,0,0 cash=0 at=B13 par=100"), "N&E", "train")
    events = play(s, RaiseMoney("refinance")) + decide(s, "sell")
    company = s.companies["N&E"]
    assert of_kind(events, Refinanced)[0].amount == 1000
    assert (company.director, company.shares, company.price) == (1, [0, 3, 0, 0], 100)
    assert legal(s, BuyTrain, seat=1)
    assert legal(s, seat=0) == []


def test_7_11_1_all_treasury_shares_go_at_the_price_at_the_start() -> None:
    """§7.11.1, 62-63: £190 lack at £90: three shares at £90 each, though the first sale would have lowered it."""
    s = operating(table("N&E 90 5*,0,0,0 treasury=4 cash=10 at=B13 par=54", phase="B"), "N&E", "train")
    s.depot["A"] = 0
    play(s, RaiseMoney("treasury"))
    company = s.companies["N&E"]
    assert (company.treasury, company.cash, company.price) == (1, 10 + 270, 78)


@pytest.mark.parametrize(("price", "trains", "each"), [(90, "trains=2F", 90), (95, "", 47)])
def test_7_12_shares_are_paid_for_and_all_else_is_gone(price: int, trains: str, each: int) -> None:
    """§7.12: the effective price to players, nothing for its treasury; cash to the bank; trains leave the game."""
    s = operating(table(f"N&E {price} 5*,2,0,0 treasury=1 cash=70 {trains} at=B13 london=B15"), "N&E", "train")
    bank, depot = s.bank, dict(s.depot)
    companies.declare_bankrupt(s, s.companies["N&E"], lambda _: None)
    assert s.cash == [1000 + 5 * each, 1000 + 2 * each, 1000, 1000]
    assert s.bank == bank + 70 - 7 * each
    assert s.depot == depot
    again = s.companies["N&E"]
    assert (again.trains, again.markers, again.london, again.ipo, again.started) == ([], [], "", 10, False)
    settle(s)
    assert s.name.startswith("PR"), "its turn is over"


@pytest.mark.parametrize(("options", "free"), [({}, False), ({"home_first": "off"}, True)])
def test_13_0_the_home_rule_may_be_dropped(options: dict[str, str], free: bool) -> None:
    """§13.0, §7.2.

    Without the rule a survivor that has inherited a bare home may build elsewhere, or a small station.
    """
    s = table(
        "N&E 90 5*,0,0,0 trains=2F at=B13\nWStI 90 5*,0,0,0 trains=2F at=B9 unplaced=2",
        tiles=f"{BOARD} G6:20:0",
        phase="B",
        options=options,
    )
    company = s.companies["WStI"]
    company.due = ["B5"]
    company.markers.append(Marker("B5", 99))
    operating(s, "WStI", "merge", order=["WStI", "N&E"])
    play(s, Merge("N&E", "N&E"))
    decide(s, "redeem")
    assert bool(legal(s, AddStation)) is free
    assert (Pass() in legal(s)) is free
    assert ({action.hex for action in legal(s, LayTile)} == {"B5"}) is not free


def test_10_3_forced_purchases_continue_after_the_lner() -> None:
    """§10.3: in the last rounds a company without a train refinances and buys of the bank, not of another company."""
    s = table("N&E 100 10*,0,0,0 cash=0 at=B13 par=100\nWStI 54 10*,0,0,0 trains=4/5E at=B5", lner=True, phase="H")
    s.depot = {name: 0 if name < "H" else -1 for name in s.depot}
    operating(s, "N&E", "train")
    assert legal(s) == [RaiseMoney("refinance")]
    play(s, RaiseMoney("refinance"))
    decide(s, "sell")
    assert {action.seller for action in legal(s, BuyTrain)} == {"bank"}


def test_10_3_redeeming_continues_after_the_lner() -> None:
    """§10.3, differences 29: in the last rounds too; the rulebook is silent on 18xx.games' leave, and it is ours."""
    for options in ({}, {"profile": "18xx.games"}):
        s = table("N&E 90 5*,0,0,0 cash=900 trains=4/5E at=B13", lner=True, phase="H", options=options)
        operating(s, "N&E", "redeem")
        assert legal(s) == [Redeem(), Pass()]


def test_7_10_a_train_that_did_not_run_loses_a_warranty_too() -> None:
    """§7.10, §7.8: there is no track at all; both trains lose one, and the price falls two spaces (§7.8.5)."""
    s = operating(table("N&E 90 5*,0,0,0 cash=0 trains=1F*,2E** at=B13 permits=express"), "N&E", "run")
    settle(s)
    company = s.companies["N&E"]
    assert [train.name for train in company.trains] == ["1F", "2E*"]
    assert company.price == 82


def test_9_0_a_new_phase_does_not_lengthen_the_set() -> None:
    """§9.0, §3.0, §7.9: the first C train in the only round of its set; the next stock round fixes the rounds anew."""
    s = operating(table("N&E 90 5*,0,0,0 cash=900 trains=2F at=B13", phase="B"), "N&E", "train", rounds=2)
    s.operating.number = 2
    s.depot["A"] = s.depot["B"] = 0
    play(s, BuyTrain("3E", "bank"))
    while not s.name.startswith("PR"):
        play(s, Pass())
    s.phase = "D"
    for _ in range(2 * s.seats):
        if s.name.startswith("OR"):
            break
        play(s, Pass())
    assert (s.name, s.operating.rounds) == ("OR 2.1", 3)


def test_7_10_warranties_go_with_a_train_that_is_sold() -> None:
    """§7.10, §7.10.1: their number does not change the price, none can be bought with it; each stays on its train."""
    s = operating(table("N&E 90 5*,0,0,0 cash=500 at=B13\nWStI 90 5*,0,0,0 trains=1F** at=B5"), "N&E", "train")
    assert "only for trains from the bank" in catch_refusal(s, BuyTrain("1F**", "WStI", 1)).sentence
    play(s, BuyTrain("1F**", "WStI"))
    assert [train.name for train in s.companies["N&E"].trains] == ["1F**"]
    assert s.companies["N&E"].cash == 400
    play(s, BuyTrain("2E", "bank", 2))
    assert [train.name for train in s.companies["N&E"].trains] == ["1F**", "2E***"]


def test_7_11_after_the_rescue_the_step_continues() -> None:
    """§7.11, 62-62: money left buys warranties on that train and a train of another company; none is raised again."""
    s = operating(table("N&E 100 10*,0,0,0 cash=0 at=B13 par=100\nWStI 54 10*,0,0,0 trains=1F at=B5"), "N&E", "train")
    s.companies["WStI"].director, s.companies["WStI"].shares = 1, [0, 10, 0, 0]
    play(s, RaiseMoney("refinance"))
    decide(s, "sell")
    assert BuyTrain("2E", "bank", 2) in legal(s)
    assert {action.seller for action in legal(s, BuyTrain)} == {"bank"}
    assert "already raised money" in catch_refusal(s, RaiseMoney("treasury")).sentence
    play(s, BuyTrain("2E", "bank", 2))
    assert BuyTrain("1F", "WStI") in legal(s)


@pytest.mark.parametrize("kind", ["stock", "parliament"])
def test_10_2_a_bank_that_breaks_between_sets_ends_the_game_with_the_next(kind: str) -> None:
    """§10.2: in a stock round or in Parliament it is the set that follows; IOUs are paid meanwhile."""
    s = table("N&E 90 2,5*,0,0 cash=0 trains=2F at=B13 permits=freight", phase="B", broken=True)
    s.round = parliament(s).round if kind == "parliament" else stock(s).round
    for _ in range(4 * s.seats):
        if s.name.startswith("OR"):
            break
        play(s, Pass())
    assert s.name == "OR 1.1"
    assert s.over == ""
    assert s.operating.rounds == 2
    for _ in range(40):
        if s.over:
            break
        play(s, *(legal(s, Pass) or legal(s))[:1])
    assert s.over == "bank"
    assert s.marks[-1].name == "OR 1.2"


CHART = (
    ("A", "1F 2E 2L", 100, "AB", "yellow", 1, "C", 3, 0),
    ("B", "2F 2/3E 2/3L", 200, "AB", "yellow green", 2, "E", 3, 0),
    ("C", "3F 3E 3L", 280, "CD", "yellow green", 2, "F", 3, 0),
    ("D", "5F 4E 4L", 360, "CD", "yellow green russet", 3, "G", 3, 0),
    ("E", "6F 4/5E 4/5L", 500, "EH", "yellow green russet", 3, "", 2, 0),
    ("F", "7F 5E 5L", 600, "EH", "yellow green russet", 3, "", 2, 0),
    ("G", "8F 5/6E 5/6L", 700, "EH", "yellow green russet", 3, "", 0, 3),
    ("H", "9F 6E 6L", 800, "EH", "yellow green russet", 3, "", 0, 3),
)


@pytest.mark.parametrize("row", CHART, ids=[row[0] for row in CHART])
def test_9_0_the_chart_of_phases(row: tuple[str, str, int, str, str, int, str, int, int]) -> None:
    """§9.0, §7.9: what is printed of each band, and what a company that buys its first train pays and sees."""
    band, faces, price, level, colours, *more = row
    printed = BANDS[band]
    assert (printed.price, printed.colours) == (price, tuple(colours.split()))
    assert [printed.rounds, printed.rusts_at, printed.limit_each, printed.limit_all] == more
    s = table("N&E 90 5*,0,0,0 cash=900 at=B13", phase=band)
    s.depot = {name: 0 if name < band else 3 for name in s.depot}
    operating(s, "N&E", "train")
    assert {action.train for action in legal(s, BuyTrain)} == set(faces.split())
    assert running.make_problem(s, s.companies["N&E"]).level == level
    play(s, next(action for action in legal(s, BuyTrain) if action.warranties == 0))
    assert s.companies["N&E"].cash == 900 - price


@pytest.mark.parametrize(("phase", "price"), [("B", 200), ("C", 100)])
def test_7_9_a_train_costs_half_once_a_later_band_is_sold(phase: str, price: int) -> None:
    """§7.9: the book's example: an F2 of another company, before and after the first train of band C."""
    s = table("N&E 90 5*,0,0,0 cash=900 at=B13\nWStI 90 5*,0,0,0 trains=2F at=B5", phase=phase)
    s.depot["A"] = s.depot["B"] = 0
    s.sold = {name: int(name <= phase) for name in s.sold}
    play(operating(s, "N&E", "train"), BuyTrain("2F", "WStI"))
    assert (s.companies["N&E"].cash, s.companies["WStI"].cash) == (900 - price, price)


def test_7_9_example_2_a_freight_of_band_g_takes_two_trains_with_it() -> None:
    """§7.9: no Express at its limit; the F8 brings phase G, and the Express 4 and the F5 rust."""
    s = table("L&E 90 5*,0,0,0 cash=900 trains=4E,4/5E,5F at=C6", phase="F")
    s.depot = {name: 0 if name < "G" else 1 for name in s.depot}
    operating(s, "L&E", "train")
    assert {action.train for action in legal(s, BuyTrain)} == {"8F", "5/6L"}
    play(s, BuyTrain("8F", "bank"))
    assert s.phase == "G"
    assert [train.name for train in s.companies["L&E"].trains] == ["4/5E", "8F"]


def test_7_9_example_3_keeps_the_local_that_the_book_forgets() -> None:
    """§7.9, 62-49: five trains after the purchase; the book counts four, without the Local-4/5."""
    s = table("SVR 90 5*,0,0,0 cash=900 trains=4E,4/5E,4/5L,7F,7F at=D11", phase="F")
    s.depot = {name: 0 if name < "G" else 1 for name in s.depot}
    operating(s, "SVR", "train")
    assert {action.train for action in legal(s, BuyTrain)} == {"5/6L"}
    play(s, BuyTrain("5/6L", "bank"))
    assert sorted(train.name for train in s.companies["SVR"].trains) == ["4/5E", "4/5L", "5/6L", "7F", "7F"]


def make_printed_position() -> State:
    """Set up what the pictures of §7.4 and §7.5.2 show: Ipswich is full, and London lies between two networks."""
    board = read_board(
        "G12 city 20: F11 H13; F11 city 60 3: G12 E12 E10; E10 line: F11 D9; D9 city 30 2: E10 D11;"
        "E12 city 40 2: F11 D13; D13 city 20: E12 C14 D11; D11 city 20 2: D13 D9; C10 city 20 2: C8 C12;"
        "C8 city 30: C10; C12 line: C10 C14"
    )
    s = table(
        "FDR 90 5*,0,0,0 trains=2F at=G12\nWVR 90 5*,0,0,0 trains=2F at=F11\nESR 90 5*,0,0,0 trains=2F at=F11\n"
        "N&B 90 5*,0,0,0 trains=2F at=F11\nEUR 90 5*,0,0,0 trains=2F at=E12\nI&B 90 5*,0,0,0 trains=2F at=D9\n"
        "SVR 90 5*,0,0,0 trains=2F at=D11 london=D15\nNGC 90 5*,0,0,0 trains=2F at=C10\nE&H 90 5*,0,0,0 trains=2F at=C8"
    )
    s.board = board
    return s


def test_7_5_2_the_printed_example() -> None:
    """§7.5.2: who may merge with whom, where Ipswich is full and London joins nothing; one city joins its companies."""
    s = make_printed_position()
    west, blocked = {"NGC", "E&H"}, {"EUR", "SVR", "I&B"}
    here = {"WVR", "ESR", "N&B"}
    for one, other in combinations((*west, *blocked, *here, "FDR"), 2):
        apart = "FDR" in (one, other) and not {one, other} & here
        joined = {one, other} <= west or (not {one, other} & west and not apart)
        assert are_joined(s, s.companies[one], s.companies[other]) is joined, (one, other)


@pytest.mark.parametrize(
    ("code", "reached"),
    [("NGC", "C8 C10"), ("SVR", "D9 D11 D13 E12 F11"), ("FDR", "F11 G12 H13")],
)
def test_7_4_the_printed_example(code: str, reached: str) -> None:
    """§7.4: NGC goes to Ely, FDR from the sea to Ipswich, SVR not past Ipswich and not out of London again."""
    s = make_printed_position()
    nodes = survey(s, s.companies[code]).reach.nodes
    found = {node.coord for node in s.board.graph.nodes if nodes >> node.id & 1}
    assert found - {"C14"} == set(reached.split())
