"""Insolvency; Companies In Receivership."""

from typing import Unpack

import pytest

from engine import Event
from engine.finance.events import PriceMoved, RevenueKept, TrainBought, TrainsRan
from engine.finance.rounds import Pass
from engine.titles.g1860 import TITLE
from engine.titles.g1860.actions import Answer, BuyShare, BuyTrain, Dividend, PlaceBase, Run, Sell
from engine.titles.g1860.events import InsolvencyBegan, InsolvencyEnded, TrainDiscarded
from engine.titles.g1860.state import State
from tests.engine.titles.g1860.positions import (
    ROUTE,
    Fields,
    begin_operating,
    catch_refusal,
    legal,
    of_kind,
    operating,
    play,
    table,
)

POOR = "cash 90 0\nIOW 5* | at 90 | 100cc"
OTHER = "\nC&N . 5* | at 50 | 100cc | 2+1 3+2"


def turn(text: str, *, tiles: str = ROUTE, **fields: Unpack[Fields]) -> tuple[State, list[Event]]:
    """Begin an OR and let IOW come to its run; return the state and what was told."""
    s = table(text, tiles=tiles, **fields)
    told = begin_operating(s)
    while s.name.startswith("OR") and s.operating.code == "IOW" and s.operating.step in ("track", "base"):
        told += play(s, Pass())
    return s, told


def test_insolvent_at_the_end_of_its_turn() -> None:
    """Insolvency begins; Operating Public Companies; Bankrupt Companies.

    No train, none to be bought, but a valid run: insolvent, not before the end of its turn.
    """
    s, told = turn(POOR + OTHER)
    assert not of_kind(told, InsolvencyBegan)
    told += play(s, Pass())
    assert of_kind(told, InsolvencyBegan) == [InsolvencyBegan("IOW")]
    assert not of_kind(told, TrainsRan), "it leases from its next turn on"
    assert s.companies["IOW"].price == 82


@pytest.mark.parametrize("tiles", ["", "J4 6/5"])
def test_without_a_valid_run_never_insolvent(tiles: str) -> None:
    """Insolvency begins: the home base city must be joined to a second city, town or pier."""
    s, told = turn(POOR + OTHER, tiles=tiles)
    told += play(s, Pass())
    assert s.operating.code == "C&N"
    assert not of_kind(told, InsolvencyBegan)


def test_a_tokened_out_city_is_a_valid_end() -> None:
    """Insolvency begins: another company's base fills Ryde: it ends the run all the same."""
    s, told = turn(POOR + OTHER + " | bases J4")
    told += play(s, Pass())
    assert of_kind(told, InsolvencyBegan)


def test_an_insolvent_company_keeps_its_revenue() -> None:
    """Insolvent companies: no dividend, the price falls two spaces each OR; no bases."""
    s, _ = turn(POOR + " | insolvent" + OTHER)
    assert s.operating.step == "run"
    told = play(s, Run("best"))
    assert of_kind(told, RevenueKept) == [RevenueKept("IOW", 80)]
    assert of_kind(told, PriceMoved) == [PriceMoved("IOW", 90, 82)]
    assert s.companies["IOW"].cash == 180
    assert s.companies["IOW"].insolvent
    assert s.cash == [90, 0]


def test_no_base_while_insolvent() -> None:
    """Insolvent companies: the base step is passed over."""
    s = table(POOR + " | insolvent", tiles=ROUTE)
    begin_operating(s)
    play(s, Pass())
    assert s.operating.step == "run"
    assert catch_refusal(s, PlaceBase("J4", 0)).sentence


def test_insolvency_ends_with_a_train() -> None:
    """Insolvent companies: at once, whoever sells it."""
    s = operating(POOR + " | insolvent" + OTHER, "IOW", "train")
    play(s, BuyTrain("2+1", "C&N", 50))
    told = play(s, Answer("accept"), seat=1)
    assert of_kind(told, InsolvencyEnded) == [InsolvencyEnded("IOW")]
    assert not s.companies["IOW"].insolvent


def test_the_lease_pays_40_and_20_a_stop() -> None:
    """Leasing: the smallest train in pool or pile; 40 + 20 for each counted stop."""
    s, _ = turn(POOR + " | insolvent")
    told = play(s, Run("best"))
    (ran,) = of_kind(told, TrainsRan)
    assert (ran.leased, ran.revenue, ran.subsidy) == ("2+1", 80, 0)
    s, _ = turn(POOR + " | insolvent", phase="5", depot={"5+3": 1, "6+3": 2, "9+5": -1}, returned=["4+2"])
    (ran,) = of_kind(play(s, Run("best")), TrainsRan)
    assert ran.leased == "4+2", "returned trains lie in the pool"


def test_a_lease_counts_the_first_number_only() -> None:
    """Leasing: cities, towns and halts together; halts earn 20 and no subsidy."""
    text = POOR + " | insolvent"
    s, _ = turn(text, phase="3", depot={"3+2": 3, "9+5": -1}, tiles="F2 787/0, J4 5/1, I5 742/2")
    (ran,) = of_kind(play(s, Run("best")), TrainsRan)
    assert ran.revenue <= 40 + 20 * 3
    assert ran.revenue in (80, 100)
    assert ran.subsidy == 0


def test_cash_for_a_train_means_no_lease() -> None:
    """Money for a train: at the run step it owns enough for the cheapest: no lease, no run; it must buy."""
    s, told = turn("cash 90 0\nIOW 5* | at 90 | 250cc | insolvent")
    assert not of_kind(told, TrainsRan)
    assert s.operating.step == "train"
    assert catch_refusal(s, Pass()).rule.section == "Insolvency"
    told = play(s, BuyTrain("2+1", "bank", 250))
    assert of_kind(told, InsolvencyEnded)
    assert s.companies["IOW"].price == 82


def test_it_buys_as_soon_as_it_can() -> None:
    """Buying out of insolvency: after the lease income, in the same turn."""
    s, _ = turn("cash 90 0\nIOW 5* | at 90 | 170cc | insolvent")
    play(s, Run("best"))
    assert s.companies["IOW"].cash == 250
    assert catch_refusal(s, Pass()).rule.section == "Insolvency"


def test_any_bank_train_it_can_pay_for() -> None:
    """Buying out of insolvency.

    Not necessarily the cheapest; or another company's by consent, with too little for the bank.
    """
    s = operating(
        "cash 90 0\nIOW 5* | at 90 | 400cc | insolvent" + OTHER, "IOW", "train", phase="5",
        depot={"5+3": 1, "9+5": -1}, returned=["4+2"],
    )  # fmt: skip
    assert catch_refusal(s, Pass()).rule.section == "Insolvency"
    bank = [buy.train for buy in legal(s, BuyTrain) if buy.seller == "bank"]
    assert bank == ["4+2", "5+3"]
    s = operating(POOR + " | insolvent" + OTHER, "IOW", "train")
    assert Pass() in legal(s)
    assert BuyTrain("3+2", "C&N", 100) in legal(s)


def test_shares_sell_at_half_and_are_bought_in_full() -> None:
    """Shares of insolvent companies: insolvent stock."""
    s = table("cash 500 0\nIOW 5* 2 | pool 1 | at 90 | insolvent\nC&N 2* 2 | at 74 | 2+1")
    play(s, BuyShare("IOW", "pool"))
    assert s.cash[0] == 410
    play(s, Sell("IOW", 1))
    assert s.cash[1] == 45
    assert s.companies["IOW"].price == 86, "the price falls as ever"


NOBODYS = "cash 90 0\nIOW 1 . | pool 2* | at 90"


def test_receivership_runs_for_the_most_and_keeps() -> None:
    """Receivership: no track, no bases, the best run, revenue kept, the price falls; no one is asked."""
    s = table(NOBODYS + " | 500cc | 2+1" + OTHER, tiles=ROUTE)
    told = begin_operating(s)
    (ran,) = of_kind(told, TrainsRan)
    assert (ran.company, ran.revenue) == ("IOW", 50)
    assert of_kind(told, RevenueKept)[0] == RevenueKept("IOW", 50)
    assert (s.companies["IOW"].price, s.companies["IOW"].cash) == (82, 550)
    assert s.cash == [90, 0]
    assert s.operating.code == "C&N"


def test_receivership_without_a_train_leases_at_once() -> None:
    """Receivership: 60-34: insolvent at the start of its turn, leasing at once, if it has a run and cannot buy."""
    s = table(NOBODYS + " | 100cc" + OTHER, tiles=ROUTE)
    told = begin_operating(s)
    assert of_kind(told, InsolvencyBegan) == [InsolvencyBegan("IOW")]
    (ran,) = of_kind(told, TrainsRan)
    assert (ran.leased, ran.revenue) == ("2+1", 80)
    assert s.companies["IOW"].cash == 180


def test_receivership_buys_the_next_train_as_soon_as_it_can() -> None:
    """Receivership: also from the lease income; it owns one then, and buys none while it has one."""
    s = table(NOBODYS + " | 170cc" + OTHER, tiles=ROUTE)
    told = begin_operating(s)
    assert of_kind(told, TrainBought) == [TrainBought("IOW", "2+1", "bank", 250)]
    assert not s.companies["IOW"].insolvent
    s = table(NOBODYS + " | 900cc | 2+1" + OTHER, tiles=ROUTE)
    assert not of_kind(begin_operating(s), TrainBought)


def test_receivership_with_money_for_a_train_runs_nothing() -> None:
    """“Receivership” with “Money for a train”: it can afford a train, so it leases none; it buys."""
    s = table(NOBODYS + " | 250cc" + OTHER, tiles=ROUTE)
    told = begin_operating(s)
    assert not of_kind(told, TrainsRan)
    assert of_kind(told, TrainBought)


def test_receivership_without_a_run_does_nothing() -> None:
    """Receivership: without train and route it only falls, maybe to bankruptcy."""
    s = table(NOBODYS + " | 100cc" + OTHER, tiles="")
    told = begin_operating(s)
    assert not of_kind(told, InsolvencyBegan)
    assert s.companies["IOW"].price == 82


@pytest.mark.parametrize("profile", ["rulebook", "18xx.games"])
def test_receivership_trades_with_no_one(profile: str) -> None:
    """Receivership: no one can consent for it, as buyer or as seller."""
    s = operating(
        "cash 90 0\nIOW 1 . | pool 2* | at 50 | 0cc | 2+1 3+2\nC&N . 5* | at 90 | 500cc | 2+1", "C&N", "train",
        options={"profile": profile},
    )  # fmt: skip
    assert catch_refusal(s, BuyTrain("3+2", "IOW", 50)).sentence
    s = operating(
        "cash 90 0\nIOW 1 . | pool 2* | at 90 | 200cc\nC&N . 5* | at 50 | 500cc | 2+1 3+2", "IOW", "train",
        options={"profile": "18xx.games"},
    )  # fmt: skip
    assert not legal(s, BuyTrain)
    assert catch_refusal(s, BuyTrain("3+2", "C&N", 50)).sentence


def test_receivership_returns_its_smallest_trains() -> None:
    """Receivership: excess trains: the smallest go back first."""
    s = table(NOBODYS + " | 0cc | 5+3 4+2 9+5 4+2" + OTHER, tiles=ROUTE, phase="6")
    told = begin_operating(s)
    assert [event.train for event in of_kind(told, TrainDiscarded) if event.company == "IOW"] == ["4+2", "4+2"]


def test_receivership_ends_with_a_director() -> None:
    """Out of receivership: the first player with two shares directs; the company operates normally again."""
    s = table("cash 500 0\nIOW 1 1 | pool 2* | at 90 | 100cc | 2+1" + OTHER, tiles=ROUTE)
    play(s, BuyShare("IOW", "ipo"))
    assert not s.companies["IOW"].receivership
    begin_operating(s)
    assert TITLE.actors(s) == (0,)


def test_a_company_that_pays_is_asked_no_more_when_insolvent() -> None:
    """Insolvent companies: the dividend step leaves no choice."""
    s, _ = turn(POOR + " | insolvent")
    play(s, Run("best"))
    assert catch_refusal(s, Dividend("pay")).sentence
