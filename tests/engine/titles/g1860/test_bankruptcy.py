"""Bankrupt Companies: bankruptcy, and floating again."""

import pytest

from engine import Event
from engine.finance.events import CompanyFloated, PriorityGiven
from engine.finance.rounds import Pass
from engine.finance.state import IPO
from engine.titles.g1860 import TITLE, companies
from engine.titles.g1860.actions import BuyShare, BuyTrain, Dividend, Exchange, Run, Sell, Start
from engine.titles.g1860.catalogue import MARKET
from engine.titles.g1860.events import InsolvencyBegan, WentBankrupt
from engine.titles.g1860.state import CLOSED, State, Stock
from engine.titles.g1860.steps import building, running
from tests.engine.titles.g1860.positions import (
    ROUTE,
    begin_operating,
    catch_refusal,
    legal,
    of_kind,
    operating,
    play,
    settle,
    table,
)

FALLING = (
    "cash 400 400 400\nprivates RPSC 1\nIOW 3* 4 1 | pool 1 | at 14 | 77cc | 2+1 3+2 | bases J4\n"
    "C&N 2* 1 1 | at 82 | 50cc | 2+1\nFYN . 2* 2 | at 74 | 50cc | 2+1"
)


def sell_to_bankruptcy() -> tuple[State, list[Event]]:
    s = table(FALLING, turn=1, tiles=ROUTE)
    return s, play(s, Sell("IOW", 4))


def test_the_shares_go_back_unpaid() -> None:
    """Bankruptcy: all shares to the IPO; treasury, trains and unused bases stay with the charter."""
    s, told = sell_to_bankruptcy()
    iow = s.companies["IOW"]
    assert of_kind(told, WentBankrupt) == [WentBankrupt("IOW")]
    assert (iow.shares, iow.ipo, iow.pool, iow.director, iow.par) == ([0, 0, 0], 10, 0, IPO, None)
    assert (iow.cash, iow.trains, iow.unplaced, iow.price) == (77, ["2+1", "3+2"], 2, 0)
    assert s.cash == [400, 456, 400], "only the sale before it was paid"


def test_the_reserved_certificate_is_reserved_again() -> None:
    """Bankruptcy: while its private is open."""
    s, _ = sell_to_bankruptcy()
    assert s.companies["IOW"].reserved
    s = table(FALLING.replace("RPSC 1", "RPSC closed"), turn=1, tiles=ROUTE)
    play(s, Sell("IOW", 4))
    assert not s.companies["IOW"].reserved


def test_its_bases_are_flipped() -> None:
    """Bankruptcy: they block track and bases of others, but not their runs."""
    s, _ = sell_to_bankruptcy()
    flipped = [token for tokens in building.find_bases(s).values() for token in tokens if token.company == "IOW"]
    assert flipped
    assert all(token.flipped for token in flipped)
    s.companies["C&N"].bases.append(("I9", 0))
    standing = running.make_problem(s, s.companies["C&N"], ["2+1"]).bases
    assert not any("IOW" in companies for companies in standing.values())


def test_no_one_buys_its_trains() -> None:
    """Bankruptcy: the trains lie with the charter."""
    s = operating("cash 0 0\nC&N 5* | at 82 | 500cc | 2+1\nIOW | bankrupt | 2+1 3+2", "C&N", "train", tiles="F2 787/0")
    refusal = catch_refusal(s, BuyTrain("3+2", "IOW", 50))
    assert refusal.sentence == "IOW is bankrupt; its trains stay with its charter until it has floated again."
    assert refusal.rule.section == "Bankrupt Companies"


@pytest.mark.parametrize(("priority", "holder"), [(0, 0), (1, 2), (2, 2)])
def test_the_deal_goes_to_the_fewest_shares(priority: int, holder: int) -> None:
    """The deal after a bankruptcy.

    Shares, not certificates, without those of the bankrupt company; ties from the holder of the card.
    """
    s = table(
        "cash 400 400 400\nIOW 3* 4 . | at 14 | 2+1\nC&N 2* 1 . | at 82 | 2+1\nFYN . 2* 2 | at 74 | 2+1",
        turn=priority, tiles=ROUTE,
    )  # fmt: skip
    s.stock.turn = 1
    told = play(s, Sell("IOW", 4))
    assert of_kind(told, PriorityGiven) == [PriorityGiven(holder)]
    assert TITLE.actors(s) == (holder,)


def test_privates_do_not_count_for_the_deal() -> None:
    """The deal after a bankruptcy: shares only."""
    s = table(
        "cash 400 400\nprivates BHC 0 YHC 0 CMH 0 RPSC 0\nIOW 2* 4 | at 14 | 2+1\nC&N 2* 3 | at 82 | 2+1",
        turn=1, tiles=ROUTE,
    )  # fmt: skip
    play(s, Sell("IOW", 4))
    assert s.priority == 0


def test_a_new_stock_round_begins_at_once() -> None:
    """The round after a bankruptcy; Bankrupt Companies.

    In an SR: that ends, a new one starts; what was sold may be bought again, but not what is sold in the new one.
    """
    s, _ = sell_to_bankruptcy()
    assert isinstance(s.round, Stock)
    assert s.name == "SR 2"
    assert s.stock.sold == [[], [], []]
    seat = s.priority
    assert any(start.company == "IOW" for start in legal(s, Start, seat))
    play(s, Sell("C&N", 2))
    assert catch_refusal(s, BuyShare("C&N", "ipo")).rule.section == "Buying and Selling Shares"


def test_in_an_operating_round_the_set_continues() -> None:
    """The round after a bankruptcy: the company is skipped, no buy step any more; the others operate."""
    s = operating(
        "cash 100 0\nIOW 5* | at 14 | 900cc | 2+1\nC&N . 5* | at 7 | 200cc | 2+1", "IOW", "dividend",
        revenue=50, rounds=(1, 2), tiles="J4 5/1, F2 787/0",
    )  # fmt: skip
    play(s, Dividend("keep"))
    assert s.companies["IOW"].bankrupt
    assert (s.operating.code, s.operating.step) == ("C&N", "track")
    while s.operating.number == 1:
        step = s.operating.step
        play(s, {"run": Run("best"), "dividend": Dividend("pay")}.get(step, Pass()))
    assert s.operating.order == ["C&N"], "the second round of the set, without it"


def test_after_nationalisation_it_is_out_for_good() -> None:
    """The round after a bankruptcy: shares worth nothing, and it counts no more for “Closing”."""
    s = operating(
        "cash 0 0\nIOW 5* | at 14 | 2+1\nC&N 5* | at 90 | 9+5\nFYN 5* | at 74 | 9+5", "IOW", "dividend",
        revenue=0, nationalised=True, stopped=True, formed=True, phase="9",
    )  # fmt: skip
    settle(s)
    assert s.companies["IOW"].bankrupt
    assert s.companies["IOW"].closed, "there is no stock round in which it could start again"
    assert not s.companies["IOW"].running


def test_new_par() -> None:
    """Starting again: from the next SR, director first, any market price from 40 to the company's maximum."""
    s, _ = sell_to_bankruptcy()
    s.stock.turn = seat = 0
    pars = [start.par for start in legal(s, Start, seat) if start.company == "IOW"]
    assert pars == [40, 44, 47, 50, 52, 54, 56, 58, 60, 62, 65, 68, 71, 74, 78, 82, 86, 90, 95, 100]
    assert catch_refusal(s, BuyShare("IOW", "ipo"), seat).rule.section == "Buying and Selling Shares"
    assert catch_refusal(s, Start("IOW", 36), seat).rule.section == "Bankrupt Companies"
    s = table("cash 400 400\nS&C | bankrupt", tiles="F12 6/2")
    assert [start.par for start in legal(s, Start) if start.company == "S&C"][-1] == 62


def test_it_floats_again_at_half() -> None:
    """Floating again; Share Price Movement: with what was kept and ten times the new par; its bases flip back."""
    s = table("cash 400 400\nIOW 4* | par 44 | bankrupt | 77cc | 3+2 | bases J4", tiles=ROUTE)
    told = play(s, BuyShare("IOW", "ipo"))
    iow = s.companies["IOW"]
    assert of_kind(told, CompanyFloated) == [CompanyFloated("IOW", 440)]
    assert (iow.cash, iow.trains, iow.price, iow.bases) == (517, ["3+2"], 44, [("I3", 0), ("J4", 0)])
    assert not iow.bankrupt
    assert not any(token.flipped for tokens in building.find_bases(s).values() for token in tokens)
    begin_operating(s)
    assert s.operating.code == "IOW"


@pytest.mark.parametrize(("profile", "leases"), [("rulebook", False), ("18xx.games", True)])
def test_a_refloated_company_without_train(profile: str, leases: bool) -> None:
    """Refloated without a train: insolvent after its first turn; 18xx.games keeps the marker through bankruptcy."""
    s = table(
        "cash 300 400\nIOW 5* | at 7 | 0cc | insolvent\nC&N . 5* | at 90 | 0cc | 2+1", tiles=ROUTE,
        options={"profile": profile},
    )  # fmt: skip
    play(s, Sell("IOW", 2))
    iow = s.companies["IOW"]
    assert iow.bankrupt
    assert iow.insolvent is leases


def test_a_refloated_company_may_be_too_poor_for_a_train() -> None:
    """Bankrupt Companies; Refloated without a train: insolvent at the end of its first turn."""
    s = table("cash 400 400\nIOW 4* | par 40 | bankrupt | 0cc", tiles=ROUTE, phase="5", depot={"6+3": 2, "9+5": -1})
    play(s, BuyShare("IOW", "ipo"))
    iow = s.companies["IOW"]
    assert (iow.cash, iow.trains) == (400, [])
    begin_operating(s)
    assert (s.operating.code, s.operating.step, iow.insolvent) == ("IOW", "track", False)
    assert of_kind(play(s, Pass(), Pass()), InsolvencyBegan) == [InsolvencyBegan("IOW")]


def test_exchange_needs_a_new_flotation() -> None:
    """“Starting again” with “Exchange and bankruptcy”.

    The private waits for the new director, and until the company floats again.
    """
    s, _ = sell_to_bankruptcy()
    s.stock.turn = 1
    assert catch_refusal(s, Exchange("RPSC"), 1).rule.section == "Exchanging Private Companies"
    play(s, Start("IOW", 40))
    for seat in (2, 0):
        s.stock.turn = 1
        assert catch_refusal(s, Exchange("RPSC"), 1).rule.section == "Exchanging Private Companies"
        s.stock.turn = seat
        play(s, BuyShare("IOW", "ipo"))
    play(s, BuyShare("IOW", "ipo"), Exchange("RPSC"), seat=1)
    assert s.companies["IOW"].shares == [1, 4, 1]
    assert s.privates["RPSC"] == CLOSED


def test_a_bankrupt_company_does_not_hold_up_nationalisation() -> None:
    """“Bankruptcy” with “The test for nationalisation”: no one directs it."""
    s = table("cash 0 0\nIOW | bankrupt\nC&N 5* | at 90 | 9+5", formed=True, phase="9")
    companies.nationalise_if_due(s, lambda _: None)
    assert s.nationalised


def test_83_a_price_of_0_before_it_floats_again_is_no_second_bankruptcy_on_18xx_games() -> None:
    """Differences 83: the marker lies on the market from its par on; floated, it goes one space up from 0."""
    s = table("cash 100 0\nIOW 4* 2 | par 40 | bankrupt | 2+1", turn=1, options={"profile": "18xx.games"})
    iow = s.companies["IOW"]
    iow.cell = MARKET.prices.index(7)
    assert of_kind(play(s, Sell("IOW", 2), Pass()), WentBankrupt) == []
    assert (iow.price, iow.shares, s.stock.turn) == (0, [4, 0], 0)
    assert of_kind(play(s, BuyShare("IOW", "pool")), CompanyFloated)
    assert (iow.price, iow.bankrupt) == (7, False)
    assert of_kind(play(s, Pass(), Sell("IOW", 2)), WentBankrupt), "sold down once more it is"
