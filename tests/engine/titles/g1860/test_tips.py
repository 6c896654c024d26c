"""Moves worth a button, what is told of runs, and what the story of a game is told from."""

import pytest

from engine.finance.events import CompanyStarted, DividendPaid, Passed, ShareBought, SharesSold, TrainsRan
from engine.finance.rounds import Pass
from engine.hints import Tip
from engine.record import Event
from engine.title import Flow, Ran
from engine.titles.g1860 import TITLE
from engine.titles.g1860.actions import Answer, Bid, BuyTrain, Dividend, Run
from engine.titles.g1860.catalogue import PRIVATES
from engine.titles.g1860.events import AuctionWon, PrivateBought, PrivateExchanged, PrivateSold, PrivatesPaid
from engine.titles.g1860.state import Auction, Offer, TurnStep
from engine.titles.g1860.steps.bidding import find_lot_price
from engine.titles.g1860.worth import OWN_PRIVATES, STORY
from tests.engine.titles.g1860.positions import operating, table

ISLE = "cash 500 500 500\nIOW 5* 2 | par 82 at 90 | 300cc | 2+1"


@pytest.mark.parametrize(("more", "bids"), [(20, [30, 35, 45]), (19, [30, 35]), (10, [30, 35]), (5, [30]), (4, [])])
def test_bids_worth_a_button_are_five_ten_and_twenty_more_as_far_as_money_goes(more: int, bids: list[int]) -> None:
    s = table("cash 0 0")
    s.cash[0] = 25 + more + find_lot_price("C&N")
    s.round = Auction(["C&N", "IOW"], turn=0, high=25, leader=1)
    assert [tip.action for tip in TITLE.advice.tips(s, 0)] == [*map(Bid, bids), Pass()]


@pytest.mark.parametrize("winner", [0, 1])
def test_the_winner_of_an_auction_is_shown_no_bids(winner: int) -> None:
    s = table("cash 500 500")
    s.round = Auction(["C&N", "IOW"], turn=1, high=25, leader=winner, chooser=winner)
    assert [TITLE.advice.tips(s, seat) for seat in (0, 1)] == [[], []]
    assert TITLE.actors(s) == (winner,)


def test_in_a_stock_round_the_pass_is_a_tip_for_whom_it_is_the_turn() -> None:
    assert [tip.action for tip in TITLE.advice.tips(table(ISLE), 0)] == [Pass()]
    assert [tip.action for tip in TITLE.advice.tips(table(ISLE), 1)] == []


@pytest.mark.parametrize(
    ("step", "tips"),
    [
        ("track", [Pass()]),
        ("base", [Pass()]),
        ("run", [Run("2+1 I3-J4")]),
        ("dividend", [Dividend("pay"), Dividend("keep")]),
        ("train", [BuyTrain("2+1", "bank", 250), Pass()]),
    ],
)
def test_the_moves_of_a_companys_turn(step: TurnStep, tips: list[object]) -> None:
    s = operating(ISLE, "IOW", step, revenue=50)
    assert [tip.action for tip in TITLE.advice.tips(s, 0)] == tips


@pytest.mark.parametrize(
    ("cash", "trains", "shown"), [(250, "2+1", True), (249, "2+1", False), (900, "2+1 " * 4, False)]
)
def test_a_train_is_a_tip_where_it_can_be_paid_for_and_kept(cash: int, trains: str, shown: bool) -> None:
    s = operating(f"cash 9 9\nIOW 5* 2 | par 82 at 90 | {cash}cc | {trains.strip()}", "IOW", "train")
    assert (BuyTrain("2+1", "bank", 250) in [tip.action for tip in TITLE.advice.tips(s, 0)]) is shown


@pytest.mark.parametrize(
    ("holds", "nationalised", "words"),
    [
        ("300cc | 2+1", False, "£50: pays £5 a share, price stays £90"),
        ("300cc | 2+1", True, "£50"),
        ("40cc | insolvent", False, "£80"),
    ],
)
def test_a_way_to_run_shows_the_price_where_it_is_open(holds: str, words: str, *, nationalised: bool) -> None:
    """Insolvent companies; Nationalised rounds.

    An insolvent company keeps what it earns, and a nationalised one pays it, without a choice.
    """
    text = f"cash 500 500\nIOW 5* 2 | par 82 at 90 | {holds}"
    s = operating(text, "IOW", "run", nationalised=nationalised)
    assert [tip.label for tip in TITLE.advice.plans(s, 0, TITLE.advice.tips(s, 0))] == [words]


def test_an_offer_is_answered_by_a_button_of_whom_it_was_made_to() -> None:
    s = operating(ISLE, "IOW", "train")
    s.operating.offer = Offer("IOW", "C&N", "2+1", 50, 1, 0)
    assert [(tip.action, tip.label) for tip in TITLE.advice.tips(s, 1)] == [
        (Answer("accept"), "Accept 50cc"), (Answer("decline"), "Decline"),
    ]  # fmt: skip
    assert TITLE.advice.tips(s, 0) == []


def test_only_a_player_who_must_run_is_shown_runs() -> None:
    """Searching on, and the ways to run, are for the director at that step; what is proven is not searched again."""
    s = operating(ISLE, "IOW", "run")
    known = [Tip(Pass(), "None", proven=False)]
    assert TITLE.advice.prove(s, 0, known, 1)[0].action == Run("2+1 I3-J4")
    assert TITLE.advice.prove(s, 0, [Tip(Pass(), "None")], 1) == [Tip(Pass(), "None")]
    assert TITLE.advice.prove(s, 1, known, 1) == known
    assert TITLE.advice.plans(s, 1, known) == ()
    for other in (operating(ISLE, "IOW", "track"), table(ISLE)):
        assert TITLE.advice.prove(other, 0, known, 1) == known
        assert TITLE.advice.plans(other, 0, known) == ()


def test_menus_list_trains_of_the_bank_first_then_those_that_need_no_consent() -> None:
    s = operating(f"{ISLE}\nC&N . 5* | par 74 at 90 | 2+1\nFYN 5* | par 52 at 82 | 2+1", "IOW", "train")
    wanted = [BuyTrain("2+1", seller, 50) for seller in ("bank", "FYN", "C&N")]
    for mixed in (wanted[::-1], [wanted[1], wanted[2], wanted[0]]):
        assert TITLE.advice.usual(s, 0, mixed) == wanted


@pytest.mark.parametrize(
    ("event", "flows"),
    [
        (CompanyStarted(1, "IOW", 82, 164), [Flow(1, "IOW", -164)]),
        (AuctionWon(1, 25), [Flow(1, "", -25)]),
        (AuctionWon(1, 0), []),
        (PrivateBought(1, "RPSC", 30), [Flow(1, OWN_PRIVATES, -30)]),
        (PrivateSold(1, "RPSC", 10), [Flow(1, OWN_PRIVATES, 10)]),
        (PrivatesPaid(1, 15), [Flow(1, OWN_PRIVATES, 15)]),
        (
            PrivateExchanged(1, "RPSC", "IOW"),
            [Flow(1, OWN_PRIVATES, PRIVATES["RPSC"].price), Flow(1, "IOW", -PRIVATES["RPSC"].price)],
        ),
        (DividendPaid("IOW", 50, (25, 0, 10)), [Flow(0, "IOW", 25), Flow(2, "IOW", 10)]),
        (ShareBought(0, "IOW", "ipo", 82), [Flow(0, "IOW", -82)]),
        (SharesSold(0, "IOW", 2, 82), [Flow(0, "IOW", 164)]),
        (Passed(0), []),
    ],
)
def test_payments_of_players_for_shares_and_privates(event: Event, flows: list[Flow]) -> None:
    assert STORY.flows(event) == flows


def test_earnings_of_companies_and_their_best_possible_earnings() -> None:
    assert STORY.ran(TrainsRan("IOW", "2+1 I3-J4", 50, 10)) == Ran("IOW", 50, 10)
    assert STORY.ran(Passed(0)) is None
    assert STORY.best(operating(ISLE, "IOW", "run")) == Ran("IOW", 50, 0, proven=True)
    assert STORY.best(operating(ISLE.replace(" | 2+1", ""), "IOW", "run")) is None
    assert STORY.worth(table(ISLE), 1) == [("IOW", 180)]
    assert STORY.worth(table(ISLE), 2) == []
