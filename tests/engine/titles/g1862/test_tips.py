"""Moves worth a button: bids, the pass where a step may be declined, and how players stand in an auction."""

import pytest

from engine.finance.events import Passed, ShareBought, TrainsRan
from engine.finance.rounds import Pass
from engine.hints import Tip
from engine.record import Event
from engine.title import Flow, Ran, Request
from engine.titles.g1862 import TITLE
from engine.titles.g1862 import events as e
from engine.titles.g1862.actions import Bid, BuyShare, BuyTrain, Merge, PlaceMarker, RemoveMarker
from engine.titles.g1862.state import State, TurnStep
from engine.titles.g1862.worth import STORY
from engine.view import Sheet
from tests.engine.titles.g1862.positions import operating, parliament, play, stock, table
from tests.support.sure import as_a

LINE = "N&E 90 5*,0,0,0 cash=500 unplaced=2 trains=2F at=B13"


def test_a_pass_is_a_tip_at_steps_that_may_be_declined_and_nowhere_else() -> None:
    s = table(LINE, tiles="B13:57:0 B11:57:0")
    free: tuple[TurnStep, ...] = ("track", "token")
    bound: tuple[TurnStep, ...] = ("run", "dividend")
    for step in free:
        assert TITLE.advice.tips(operating(s, "N&E", step), 0)[-1].action == Pass(), step
    for step in bound:
        assert Pass() not in [tip.action for tip in TITLE.advice.tips(operating(s, "N&E", step), 0)], step


def test_4_1_tips_of_an_auction_stay_within_what_a_player_can_pay() -> None:
    s = parliament(table(cash=[1000, 1000, 175, 1000]))
    assert Pass() in [tip.action for tip in TITLE.advice.tips(s, 0)]
    play(s, Bid("N&E", 5))
    bids = [tip.action for tip in TITLE.advice.tips(s, 1)]
    assert bids[-1] == Pass()
    amounts = [bid.amount for bid in bids if isinstance(bid, Bid)]
    assert amounts
    assert amounts == sorted(amounts)
    assert min(amounts) > 5
    play(s, Pass())
    assert all(isinstance(tip.action, Pass) or as_a(Bid, tip.action).amount <= 175 for tip in TITLE.advice.tips(s, 2))


@pytest.mark.parametrize(("cash", "amounts"), [(187, [10, 15, 25]), (186, [10, 15]), (176, [10]), (171, [])])
def test_4_1_bids_worth_a_button_are_five_ten_and_twenty_more(cash: int, amounts: list[int]) -> None:
    """The cheapest certificate, £162, must be left; at £171 one can bid £5, which is not enough."""
    s = parliament(table(cash=[1000, cash, 1000, 1000]))
    play(s, Bid("N&E", 5))
    s.parliament.turn = 1
    assert [tip.action for tip in TITLE.advice.tips(s, 1)] == [*(Bid("N&E", amount) for amount in amounts), Pass()]


def standing(s: State) -> list[str]:
    """Return how players stand, as the sheet of Parliament has it."""
    sheet = as_a(Sheet, TITLE.views.look(s, Request("parliament", 0)))
    lot = next(part for part in sheet.tables if part.title.startswith("The charter of N&E"))
    return [row[-1].text for row in lot.rows]


def test_4_1_sheet_shows_bidders_passed_players_and_the_next_bidder() -> None:
    s = parliament(table())
    play(s, Bid("N&E", 5), Pass())
    assert standing(s) == ["bids £5", "passed", "to bid", ""]
    play(s, Pass(), Pass())
    assert standing(s) == ["won for £5", "", "", ""]


def test_4_pass_is_a_tip_for_every_player_who_may_pass_in_a_stock_round() -> None:
    assert [tip.action for tip in TITLE.advice.tips(stock(table()), 0)] == [Pass()]


def test_menus_list_trains_that_may_run_first_then_those_that_need_no_consent() -> None:
    s = operating(
        table(f"{LINE} permits=freight\nWStI 86 5*,0,0,0 trains=2F,2E\nENR 82 0,5*,0,0 trains=2F,2E"), "N&E", "train"
    )
    wanted = [
        BuyTrain("2F", "bank"), BuyTrain("2F", "WStI"), BuyTrain("2F", "ENR"),
        BuyTrain("2E", "bank"), BuyTrain("2E", "WStI"), BuyTrain("2E", "ENR"),
    ]  # fmt: skip
    assert TITLE.advice.usual(s, 0, wanted[::-1]) == wanted


def test_menus_list_mergers_of_own_companies_first_by_falling_price() -> None:
    s = operating(
        table(f"{LINE}\nWStI 54 5*,0,0,0 at=B5\nENR 86 0,5*,0,0 at=F3\nL&E 74 5*,0,0,0 at=C6"), "N&E", "merge"
    )
    wanted = [Merge("L&E", "N&E"), Merge("WStI", "N&E"), Merge("ENR", "N&E")]
    assert TITLE.advice.usual(s, 0, [wanted[2], wanted[1], wanted[0]]) == wanted


def test_menus_list_shares_that_float_an_own_company_first_then_by_expected_value() -> None:
    s = stock(
        table("N&E 90 3*,0,0,0 ipo=7 unfloated\nWStI 90 0,3*,0,0 ipo=7 unfloated\nENR 86 0,0,5*,0 par=54 trains=2F")
    )
    own, other, poor = BuyShare("N&E", "ipo"), BuyShare("ENR", "pool"), BuyShare("WStI", "ipo")
    assert TITLE.advice.usual(s, 0, [poor, other, own]) == [own, other, poor]
    s.companies["WStI"].obliged = 0
    assert TITLE.advice.usual(s, 0, [other, poor]) == [poor, other], "a company that a fine would be paid for"


def test_menus_list_the_dearest_places_first_for_markers_and_last_where_one_is_removed() -> None:
    s = operating(table(LINE, tiles="B13:57:0 E12:790:2"), "N&E", "token")
    assert TITLE.advice.usual(s, 0, [PlaceMarker("B13"), PlaceMarker("E12")]) == [
        PlaceMarker("E12"),
        PlaceMarker("B13"),
    ]
    assert TITLE.advice.usual(s, 0, [RemoveMarker("E12"), RemoveMarker("B13")]) == [
        RemoveMarker("B13"),
        RemoveMarker("E12"),
    ]


def test_the_trains_worth_a_button_are_those_of_the_bank_that_may_run() -> None:
    s = operating(
        table("N&E 90 5*,0,0,0 cash=500 permits=express,local at=B13\nWStI 86 5*,0,0,0 trains=1F"), "N&E", "train"
    )
    tips = TITLE.advice.tips(s, 0)
    assert [tip.action for tip in tips] == [BuyTrain("2E", "bank"), BuyTrain("2L", "bank")]
    assert all(tip.label.startswith(f"Buy {name} for £100") for tip, name in zip(tips, ("2E", "2L"), strict=True))


def test_ways_to_raise_money_are_worth_a_button() -> None:
    s = operating(table("N&E 50 5*,0,0,0 treasury=5 cash=10 at=B13 par=54 permits=express"), "N&E", "train")
    assert [tip.label for tip in TITLE.advice.tips(s, 0)][:2] == [
        "Sell 20% from the treasury for £100", "Refinance for £540 · all shares two for one",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("step", "glimpsed"),
    [("merge", None), ("track", "£80"), ("token", "£80"), ("run", "£80"), ("dividend", None), ("train", None)],
)
def test_expected_earnings_are_shown_until_the_company_has_run(step: TurnStep, glimpsed: str | None) -> None:
    tiles = "B13:57:0 C12:8852:4 B11:8852:0 B9:790:0 B5:57:0 C6:6:1"
    s = operating(table(f"{LINE} permits=freight", tiles=tiles), "N&E", step)
    seen = TITLE.advice.glance(s, 1)
    assert (seen and seen.words) == glimpsed
    s.companies["N&E"].trains.clear()
    assert TITLE.advice.glance(s, 1) is None
    assert TITLE.advice.glance(stock(s), 1) is None


def test_only_a_player_who_must_run_is_shown_runs() -> None:
    """Searching on, and the ways to run, are for the director at that step and for no one else."""
    s = operating(table(LINE, tiles="B13:57:0"), "N&E", "run")
    known = [Tip(Pass(), "None")]
    assert TITLE.advice.prove(s, 1, known, 1) == known
    assert TITLE.advice.plans(s, 1, known) == ()
    for other in (operating(s, "N&E", "track"), stock(s)):
        assert TITLE.advice.prove(other, 0, known, 1) == known
        assert TITLE.advice.plans(other, 0, known) == ()


@pytest.mark.parametrize(
    ("event", "flows"),
    [
        (e.CharterWon(1, "N&E", 25), [Flow(1, "N&E", -25)]),
        (e.OptionRedeemed(1, "N&E", 67), [Flow(1, "N&E", -67)]),
        (e.OptionSold(1, "N&E", 67), [Flow(1, "N&E", 67)]),
        (e.SharesCashed(1, "N&E", 2, 134), [Flow(1, "N&E", 134)]),
        (ShareBought(1, "N&E", "pool", 90), [Flow(1, "N&E", -90)]),
        (Passed(0), []),
    ],
)
def test_payments_of_players_for_shares(event: Event, flows: list[Flow]) -> None:
    assert STORY.flows(event) == flows


def test_earnings_of_companies_and_their_best_possible_earnings() -> None:
    tiles = "B13:57:0 C12:8852:4 B11:8852:0 B9:790:0 B5:57:0 C6:6:1"
    s = operating(table(f"{LINE} permits=freight", tiles=tiles), "N&E", "run")
    assert STORY.ran(TrainsRan("N&E", "", 80, 10)) == Ran("N&E", 80, 10)
    assert STORY.ran(Passed(0)) is None
    assert STORY.best(s) == Ran("N&E", 80, 0, proven=True)
    assert STORY.worth(s, 0) == [("N&E", 450)]
    assert STORY.worth(s, 1) == []
    assert STORY.merged(e.MergerEnded("N&E", "WStI")) == ("N&E", "WStI")
    assert STORY.merged(Passed(0)) is None
