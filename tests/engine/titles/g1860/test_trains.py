"""Buying Trains."""

from typing import Unpack

import pytest

from engine.finance.events import PhaseBegun, TrainBought
from engine.finance.rounds import Pass
from engine.titles.g1860 import TITLE
from engine.titles.g1860.actions import Answer, BuyTrain, Counter, Discard, Withdraw
from engine.titles.g1860.catalogue import TRAINS
from engine.titles.g1860.events import OfferDeclined, OfferWithdrawn, TrainOffered
from engine.titles.g1860.state import State
from engine.titles.g1860.steps import trains
from tests.engine.titles.g1860.positions import (
    ROUTE,
    Fields,
    begin_operating,
    catch_refusal,
    legal,
    of_kind,
    operating,
    play,
    settle,
    table,
)

TWO = "cash 0 0\nIOW 5* 2 | at 90 | 600cc | 2+1\nC&N . 5* | at 82 | 100cc | 2+1 3+2"


def buyer(text: str = TWO, company: str = "IOW", *, tiles: str = ROUTE, **fields: Unpack[Fields]) -> State:
    return operating(text, company, "train", tiles=tiles, **fields)


def pile(phase: str) -> dict[str, int]:
    """Return the pile as the phase begins: its own first train is sold, smaller ones all."""
    return {name: kind.count - (kind.phase == phase) if kind.phase >= phase else 0 for name, kind in TRAINS.items()} | {
        "9+5": -1
    }


def test_the_pile_is_sold_in_order() -> None:
    """Buying trains: the top of the pile at its printed price, several in a turn."""
    s = buyer()
    assert catch_refusal(s, BuyTrain("3+2", "bank", 300)).rule.section == "Buying Trains"
    assert catch_refusal(s, BuyTrain("2+1", "bank", 240)).rule.section == "Buying Trains"
    play(s, BuyTrain("2+1", "bank", 250), BuyTrain("2+1", "bank", 250))
    assert (s.companies["IOW"].trains, s.companies["IOW"].cash, s.depot["2+1"]) == (["2+1"] * 3, 100, 3)
    for price in (250, 0):  # whatever price was said
        assert catch_refusal(s, BuyTrain("2+1", "bank", price)).sentence == "The 2+1 costs 250cc; IOW has 100cc."


def test_returned_trains_are_for_sale_at_face_value() -> None:
    """Buying trains: excess trains beside the top of the pile."""
    s = buyer(phase="4", depot=pile("4"), returned=["3+2"])
    assert {(buy.train, buy.price) for buy in legal(s, BuyTrain) if buy.seller == "bank"} == {
        ("3+2", 300),
        ("4+2", 350),
    }
    play(s, BuyTrain("3+2", "bank", 300))
    assert (s.returned, s.depot["4+2"], s.phase) == ([], 2, "4")


@pytest.mark.parametrize(
    ("seller", "returned", "left", "next_sold"), [("bank", [], 1, ["4+2"]), ("pile", ["4+2"], 0, ["4+2", "5+3"])]
)
def test_of_two_alike_either_is_taken(seller: str, returned: list[str], left: int, next_sold: list[str]) -> None:
    """Buying trains; Train limit.

    A returned train is sold in addition to the pile's, so the last of a kind may be left or taken.
    """
    s = buyer(phase="4", depot=pile("4") | {"4+2": 1}, returned=["4+2"])
    told = {
        buy.seller: TITLE.words.label(s, buy, "train") for buy in legal(s, BuyTrain) if buy.seller in ("bank", "pile")
    }
    assert told == {
        "bank": "4+2 · bank, returned · 350cc, leaves 250cc",
        "pile": "4+2 · bank, from the pile · 350cc, leaves 250cc; 5+3 is next",
    }
    assert [tip.label for tip in TITLE.advice.tips(s, 0)][:2] == [
        "Buy 4+2 (returned) for 350cc, leaves 250cc", "Buy 4+2 (from the pile) for 350cc, leaves 250cc; 5+3 is next",
    ]  # fmt: skip
    bought = of_kind(play(s, BuyTrain("4+2", seller, 350)), TrainBought)[0]
    assert TITLE.words.say(bought, ["Ann", "Bob"]) == f"IOW buys a 4+2 from the {seller} for 350cc."
    assert (s.returned, s.depot["4+2"], s.phase) == (returned, left, "4")
    assert trains.list_for_sale(s) == next_sold


@pytest.mark.parametrize("returned", [[], ["3+2"]])
def test_a_train_that_lies_in_one_place_is_bought_from_the_bank(returned: list[str]) -> None:
    """Buying trains: only of two alike one is chosen."""
    s = buyer(phase="4", depot=pile("4"), returned=returned)
    for name in trains.list_for_sale(s):
        refusal = catch_refusal(s, BuyTrain(name, "pile", TRAINS[name].price))
        assert (refusal.sentence, refusal.rule.section) == (
            f"No {name} has been returned to the bank, so there is no choice between two: choose “bank”.",
            "Buying Trains",
        )  # fmt: skip


def test_no_train_is_sold_to_the_bank() -> None:
    """Buying trains: trains leave a company to another, as excess or by rust only."""
    s = buyer()
    assert catch_refusal(s, Discard("2+1")).rule.section == "Operating Public Companies"


@pytest.mark.parametrize("price", [-10, 0, 5, 15, 610])
def test_prices_between_companies(price: int) -> None:
    """Buying trains: multiples of 10cc from 10cc up to the treasury."""
    assert catch_refusal(buyer(), BuyTrain("3+2", "C&N", price)).rule.section == "Buying Trains"


def test_both_directors_agree() -> None:
    """Buying trains: the other director is asked; he may accept, decline or name a price."""
    s = buyer()
    told = play(s, BuyTrain("3+2", "C&N", 50))
    assert of_kind(told, TrainOffered) == [TrainOffered("IOW", "C&N", "3+2", 50, 1)]
    assert TITLE.actors(s)[0] == 1
    assert s.companies["C&N"].trains == ["2+1", "3+2"], "nothing has moved yet"
    told = play(s, Answer("accept"), seat=1)
    assert of_kind(told, TrainBought) == [TrainBought("IOW", "3+2", "C&N", 50)]
    assert (s.companies["IOW"].trains, s.companies["C&N"].trains) == (["2+1", "3+2"], ["2+1"])
    assert (s.companies["IOW"].cash, s.companies["C&N"].cash) == (550, 150)
    assert TITLE.actors(s) == (0,)


def test_a_declined_offer_leaves_all_as_it_was() -> None:
    """Buying trains: no consent, no train."""
    s = buyer()
    before = s.clone()
    told = play(s, BuyTrain("3+2", "C&N", 50))
    told += play(s, Answer("decline"), seat=1)
    assert of_kind(told, OfferDeclined)
    assert s == before


def test_a_counter_offer_asks_the_buyer() -> None:
    """Buying trains: another price named by the seller must be agreed by the buyer, who may name one again."""
    s = buyer()
    play(s, BuyTrain("3+2", "C&N", 50))
    assert catch_refusal(s, Counter(50), seat=1).rule.section == "Buying Trains"
    assert catch_refusal(s, Counter(610), seat=1).rule.section == "Buying Trains"
    assert catch_refusal(s, Counter(55), seat=1).rule.section == "Buying Trains"
    told = play(s, Counter(200), seat=1)
    assert [TITLE.words.say(event, ("Ann", "Ben")) for event in of_kind(told, TrainOffered)] == [
        "C&N asks IOW for 200cc for its 3+2; Ann must answer."
    ]
    assert TITLE.words.ask(s).lines[0].startswith("C&N ({1}) asks IOW for 200cc for its 3+2;")
    assert TITLE.actors(s)[0] == 0
    assert catch_refusal(s, Answer("accept"), seat=1).rule.section == "Buying Trains"
    play(s, Counter(100), seat=0)
    play(s, Answer("accept"), seat=1)
    assert (s.companies["IOW"].cash, s.companies["C&N"].cash) == (500, 200)


def test_a_counter_offer_can_ask_for_all_that_the_buyer_has() -> None:
    """Buying trains: 600cc, and no more."""
    s = buyer()
    play(s, BuyTrain("3+2", "C&N", 50))
    assert "IOW has 600cc" in catch_refusal(s, Counter(610), seat=1).sentence
    play(s, Counter(600), seat=1)
    play(s, Answer("accept"))
    assert s.companies["IOW"].cash == 0


def test_an_offer_can_be_accepted_up_to_what_the_buyer_has() -> None:
    """Buying trains: the whole treasury may go, and no more."""
    s = buyer()
    play(s, BuyTrain("3+2", "C&N", 600))
    assert Answer("accept") in legal(s, Answer, 1)
    s.companies["IOW"].cash = 599
    assert "so it can't pay 600cc" in catch_refusal(s, Answer("accept"), seat=1).sentence


def test_a_hidden_treasury_bounds_no_counter_offer() -> None:
    """Buying trains; Secrets.

    A seller who holds nothing of the buyer may ask for more than it has, and is told nothing of it.
    """
    lines = "cash 0 0\nIOW 5* . | at 90 | 100cc | 2+1\nC&N . 5* | at 82 | 100cc | 2+1 3+2"
    told = []
    for treasury in ("100cc", "400cc"):
        s = buyer(lines.replace("100cc", treasury, 1), options={"treasuries": "hidden"})
        play(s, BuyTrain("3+2", "C&N", 50))
        told.append([*TITLE.legal(s, 1)])
        play(s, Counter(300), seat=1)
        if treasury == "100cc":
            assert catch_refusal(s, Answer("accept"), seat=0).rule.section == "Buying Trains"
            assert Answer("accept") not in set(TITLE.legal(s, 0))
    assert told[0] == told[1]


def test_the_offering_player_can_withdraw_the_offer() -> None:
    """Buying trains: only the proposer withdraws; only the other answers; no one else does anything."""
    s = buyer("cash 0 0 0\nIOW 5* 2 | at 90 | 600cc | 2+1\nC&N . 5* | at 82 | 100cc | 2+1 3+2")
    play(s, BuyTrain("3+2", "C&N", 50))
    assert catch_refusal(s, Answer("accept"), seat=0).rule.section == "Buying Trains"
    assert catch_refusal(s, Withdraw(), seat=1).rule.section == "Buying Trains"
    assert catch_refusal(s, Pass(), seat=0).sentence
    assert catch_refusal(s, Answer("accept"), seat=2).sentence == "It's not your turn."
    told = play(s, Withdraw(), seat=0)
    assert of_kind(told, OfferWithdrawn)
    assert TITLE.actors(s) == (0,)


def test_own_companies_need_no_consent() -> None:
    """Buying trains: one director for both."""
    s = buyer("cash 0 0\nIOW 5* 2 | at 90 | 600cc | 2+1\nC&N 5* | at 82 | 100cc | 2+1 3+2")
    play(s, BuyTrain("2+1", "C&N", 10))
    assert (s.companies["IOW"].trains, s.companies["C&N"].cash) == (["2+1", "2+1"], 110)


def test_not_the_only_train_for_a_company_that_has_one() -> None:
    """The only train: buyer has a train and seller only one: not allowed, either way; a trainless buyer may."""
    line = "cash 0 0\nIOW 5* | at 90 | 600cc | {}\nC&N 5* | at 82 | 100cc | 3+2"
    s = buyer(line.format("2+1"))
    assert catch_refusal(s, BuyTrain("3+2", "C&N", 50)).rule.section == "Buying Trains"
    s = buyer(line.replace("| {}", ""))
    play(s, BuyTrain("3+2", "C&N", 50))
    assert s.companies["C&N"].trains == []
    s = buyer("cash 0 0\nIOW 5* | at 90 | 600cc | 2+1\nC&N 5* | at 82 | 100cc | 3+2 4+2")
    play(s, BuyTrain("4+2", "C&N", 50))
    assert catch_refusal(s, BuyTrain("3+2", "C&N", 50)).rule.section == "Buying Trains", "one must stay"


@pytest.mark.parametrize(("phase", "limit"), [("2", 4), ("3", 4), ("4", 3), ("5", 3), ("6", 2), ("9", 2)])
def test_the_train_limit(phase: str, limit: int) -> None:
    """Train limit: 4 in phases 2 and 3, 3 in 4 and 5, 2 from 6 on; at the limit none is bought."""
    trains = " ".join(["9+5"] * limit)
    s = buyer(f"cash 0 0\nIOW 5* | at 90 | 900cc | {trains}\nC&N 5* | at 82 | 9cc | 9+5 9+5", phase=phase)
    assert s.train_limit == limit
    assert catch_refusal(s, BuyTrain("9+5", "C&N", 50)).rule.section == "Phases"


def test_excess_trains_go_back_at_the_start_of_the_turn() -> None:
    """Train limit: no compensation, the director's choice, for sale at face value; nothing else before."""
    s = table("cash 0 0\nIOW 5* | at 90 | 100cc | 4+2 4+2 5+3 5+3", phase="6", depot=pile("6"), tiles="J4 5/1")
    begin_operating(s)
    assert legal(s) == [Discard("4+2"), Discard("5+3")]
    assert catch_refusal(s, Pass()).sentence
    assert catch_refusal(s, Discard("9+5")).rule.section == "Buying Trains"
    play(s, Discard("5+3"), Discard("4+2"))
    assert (s.companies["IOW"].trains, s.returned, s.companies["IOW"].cash) == (["4+2", "5+3"], ["5+3", "4+2"], 100)
    assert s.operating.step == "track"


def test_an_over_limit_company_may_still_sell() -> None:
    """Train limit: until then it may sell to others, but not buy."""
    s = buyer("cash 0 0\nIOW 5* | at 90 | 600cc | 2+1\nC&N 5* | at 82 | 100cc | 5+3 5+3 5+3", phase="6")
    play(s, BuyTrain("5+3", "C&N", 10))
    assert len(s.companies["C&N"].trains) == 2


def test_a_new_phase_begins_with_the_first_train_of_a_kind() -> None:
    """Phases and rust; Buying Trains; Bankrupt Companies.

    Rusting and colours at once, the number of ORs after the next SR; second ones change nothing.
    """
    s = buyer(
        "cash 0 0\nIOW 5* | at 90 | 900cc | 2+1 3+2\nC&N . 5* | at 82 | 2+1\nS&C | bankrupt | 2+1 3+2",
        phase="3", depot={**pile("3"), "3+2": 0}, returned=["2+1"], tiles="J4 5/1",
    )  # fmt: skip
    told = play(s, BuyTrain("4+2", "bank", 350))
    assert of_kind(told, PhaseBegun) == [PhaseBegun("4", "2+1")]
    assert s.companies["IOW"].trains == ["3+2", "4+2"]
    assert s.companies["C&N"].trains == []
    assert s.companies["S&C"].trains == ["3+2"], "on the charter of a bankrupt company too"
    assert s.returned == [], "and in the bank"
    assert not of_kind(play(s, BuyTrain("4+2", "bank", 350)), PhaseBegun)


@pytest.mark.parametrize(
    ("train", "phase", "rusts", "colours"),
    [
        ("3+2", "2", "", "yellow green"), ("4+2", "3", "2+1", "yellow green"), ("5+3", "4", "", "yellow green russet"),
        ("6+3", "5", "3+2", "yellow green russet"), ("7+4", "6", "4+2", "yellow green russet"),
        ("8+4", "7", "5+3", "yellow green russet"), ("9+5", "8", "", "yellow green russet"),
    ],
)  # fmt: skip
def test_the_phase_chart(train: str, phase: str, rusts: str, colours: str) -> None:
    """Phases and rust; Upgrading Track; Buying Trains: what the first train of each kind brings."""
    s = buyer(
        "cash 0 0\nIOW 5* | at 90 | 900cc",
        phase=phase,
        depot=pile(TRAINS[train].phase) | ({train: 1} if train != "9+5" else {}),
    )
    told = play(s, BuyTrain(train, "bank", TRAINS[train].price))
    assert of_kind(told, PhaseBegun) == [PhaseBegun(TRAINS[train].phase, rusts)]
    assert " ".join(s.colours) == colours
    assert s.formed is (train == "9+5")


def test_leasing_triggers_no_phase() -> None:
    """Phases and rust: leases change nothing about the pile or the phase."""
    s = table("cash 0 0\nIOW 5* | at 90 | 0cc | insolvent", depot=pile("3"), phase="2", tiles="J4 5/1")
    begin_operating(s)
    assert s.phase == "2"
    assert s.depot == pile("3")


def test_the_9_5_never_run_out() -> None:
    """Buying trains; Phases: as many 9+5 as are asked for."""
    s = buyer("cash 0 0\nIOW 5* | at 90 | 2400cc", phase="9", depot=pile("9"), options={"no_train_limit": "on"})
    play(s, *[BuyTrain("9+5", "bank", 800)] * 3)
    assert s.companies["IOW"].trains == ["9+5"] * 3


def test_a_trainless_company_must_buy() -> None:
    """A train must be bought.

    If it can afford the cheapest bank train; any it can pay for will do; players never help.
    """
    s = buyer("cash 900 0\nIOW 5* | at 90 | 250cc\nC&N . 5* | at 82 | 100cc | 2+1 3+2")
    assert catch_refusal(s, Pass()).rule.section == "Insolvency"
    play(s, BuyTrain("2+1", "bank", 250))
    assert s.operating.code == "C&N" or s.name == "SR 3"
    s = buyer("cash 900 0\nIOW 5* | at 90 | 249cc\nC&N . 5* | at 82 | 100cc | 2+1 3+2")
    assert Pass() in legal(s)
    assert catch_refusal(s, BuyTrain("2+1", "bank", 250)).rule.section == "Buying Trains"
    assert s.cash[0] == 900


def test_instead_it_may_buy_from_another_company() -> None:
    """A train must be bought: by consent; a declined offer leaves the duty."""
    s = buyer("cash 0 0\nIOW 5* | at 90 | 250cc\nC&N . 5* | at 82 | 100cc | 2+1 3+2")
    play(s, BuyTrain("3+2", "C&N", 30))
    play(s, Answer("decline"), seat=1)
    assert catch_refusal(s, Pass()).rule.section == "Insolvency"
    play(s, BuyTrain("3+2", "C&N", 40))
    play(s, Answer("accept"), seat=1)
    assert Pass() in legal(s) or s.operating.code != "IOW"


def test_must_buy_without_a_route_too() -> None:
    """With or without a route: the duty asks for no route."""
    s = buyer("cash 0 0\nS&C 5* | at 54 | 250cc", "S&C", tiles="F12 6/2")
    assert catch_refusal(s, Pass()).rule.section == "Insolvency"


def test_nothing_to_decide_is_not_asked() -> None:
    """Buying trains: without money for any train the turn ends by itself."""
    s = buyer("cash 0 0\nIOW 5* | at 90 | 5cc | 2+1\nC&N . 5* | at 82 | 100cc | 2+1 3+2")
    settle(s)
    assert s.operating.code == "C&N"
