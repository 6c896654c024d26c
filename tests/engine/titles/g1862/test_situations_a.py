"""Situations that players of 1862 asked about: Parliament, fines, receivership, sales (62-1 to 62-6, 62-26 to 62-30).

62-2 and 62-6 are in ``test_parliament.py``; more of the others there, in ``test_stock_rounds.py``,
``test_mergers.py`` and ``test_earning.py``.
"""

import pytest

from engine.finance.rounds import Pass
from engine.finance.state import POOL
from engine.titles.g1862.actions import Bid, BuyShare, BuyTrain, Merge, RaiseMoney, Sell, Start
from engine.titles.g1862.catalogue import MARKET
from engine.titles.g1862.events import CharterFailed, DebtLapsed, FinePaid, MergerBegan, OfferMade
from engine.titles.g1862.rounds import turn
from engine.titles.g1862.state import Company
from tests.engine.titles.g1862.positions import (
    catch_refusal,
    legal,
    of_kind,
    operating,
    parliament,
    play,
    settle,
    stock,
    table,
)
from tests.support.sure import sure

LINE = "B13:57:0 C12:8852:4 B11:8852:0 B9:790:0 B5:57:0 C6:6:1"
JOINED = """
N&E 90 {} trains=2F at=B13 permits=express cash=700
WStI 90 {} trains=2F at=B5,B13 permits=local cash=30
"""


def spaces_down(company: Company, start: int) -> int:
    """Return how many spaces the price of a company has fallen."""
    return MARKET.prices.index(start) - sure(company.cell)


def test_62_1_with_162_just_a_bid_of_nothing() -> None:
    """62-1: the smallest bid of all is £0, and £162 must be left."""
    s = parliament(table(cash=[166, 1000, 1000, 1000]))
    assert {action.amount for action in legal(s, Bid)} == {0}


def test_62_1_player_who_cannot_raise_and_keep_162_is_passed_over() -> None:
    """62-1: £166 do not pay for a bid of £5, £167 do."""
    s = parliament(table(cash=[1000, 166, 167, 1000]))
    play(s, Bid("N&E", 0))
    assert turn.find_actors(s) == (2,)
    assert 1 in s.parliament.out
    assert legal(s, Bid) == [Bid("N&E", 5)]


def test_62_1_player_at_the_certificate_limit_is_passed_over_in_an_auction() -> None:
    """§4.1: 62-1: no bid at the certificate limit, be he ever so rich."""
    s = parliament(table("WStI 90 0,2,1,0 trains=2F", limit=2))
    play(s, Bid("N&E", 0))
    assert turn.find_actors(s) == (2,)
    assert s.parliament.out == [1]


def test_62_3_the_priority_deal_changes_hands_only_when_the_stock_round_ends() -> None:
    """§4.1.

    62-3, §6.1: seat 1 wins an auction; seat 0 opens the stock round all the same, and seat 1 passes first in it.
    """
    s = parliament(table(seats=3))
    play(s, Bid("N&E", 0), Bid("N&E", 5), Pass(), Pass(), Start("N&E", 54), Pass())
    assert turn.find_actors(s) == (2,)
    play(s, Pass(), Pass())
    assert (s.name, s.priority, turn.find_actors(s)) == ("SR 1", 0, (0,))
    play(s, BuyShare("N&E", "ipo"), Pass(), Pass())
    assert s.priority == 0
    play(s, Pass())
    assert s.priority == 1


def test_62_4_with_an_obligation_there_is_room_for_as_many_certificates() -> None:
    """62-4: the limit is two; a certificate and an obligation leave room for one more."""
    text = "N&E 100 3*,0,0,0 ipo=7 unfloated chartered obliged=0\nWStI 90 0,4*,0,0 trains=2F"
    assert Bid("ESR", 0) in legal(parliament(table(text, limit=2)))
    s = stock(table(text, limit=2))
    play(s, BuyShare("WStI", "pool"))
    assert s.count_certificates(0) == 2
    s.stock.turn = 0
    assert "the limit is 2" in catch_refusal(s, BuyShare("WStI", "pool")).sentence


def test_62_5_three_failed_charters_at_once() -> None:
    """62-5: clockwise from the new priority deal, a player with two of them pays one after the other."""
    s = stock(
        table(
            "N&E 54 3*,0,0,0 ipo=7 unfloated chartered obliged=0\n"
            "ESR 58 3*,0,0,0 ipo=7 unfloated chartered obliged=0\n"
            "WStI 100 0,0,3*,1 ipo=6 unfloated chartered obliged=2",
            cash=[300, 1000, 600, 1000],
        ),
        1,
    )
    events = play(s, Pass(), Pass(), Pass(), Pass())
    failures = [(event.seat, event.company, event.fine) for event in of_kind(events, CharterFailed)]
    assert failures[0] == (2, "WStI", 500)
    assert sorted(failures[1:]) == [(0, "ESR", 290), (0, "N&E", 270)]
    assert s.priority == 1, "who passed first has the deal, fined or not"
    assert s.cash[1:] == [1000, 100, 1000], "the holder of a single share gets nothing for it"
    assert all(not s.companies[code].started and s.companies[code].ipo == 10 for code in ("N&E", "ESR", "WStI"))
    assert not s.over


def test_62_5_after_cash_and_the_last_share_the_rest_lapses() -> None:
    """62-5: 30 in cash and 3 × 27 for the certificate do not make 270."""
    s = table("N&E 54 3*,0,0,0 ipo=7 unfloated chartered obliged=0", cash=[30, 1000, 1000, 1000])
    stock(s).stock.passes = 4
    events = settle(s)
    assert [(event.amount, event.owed) for event in of_kind(events, FinePaid)] == [(30, 240), (81, 159)]
    assert [event.amount for event in of_kind(events, DebtLapsed)] == [270 - 30 - 81]
    assert s.cash[0] == 0


def test_62_5_the_shares_of_one_failed_company_pay_the_fine_for_another() -> None:
    """62-5: with nothing else, the certificate of the second goes for the first fine, and the second fine lapses."""
    s = table(
        "N&E 54 3*,0,0,0 ipo=7 unfloated chartered obliged=0\nESR 100 3*,0,0,0 ipo=7 unfloated chartered obliged=0",
        cash=[0, 1000, 1000, 1000],
    )
    stock(s).stock.passes = 4
    s.companies = {"N&E": s.companies["N&E"], **s.companies}
    settle(s)
    assert legal(s) == [Sell("ESR", 3)]
    events = play(s, Sell("ESR", 3))
    assert [event.amount for event in of_kind(events, FinePaid)] == [150]
    assert [event.amount for event in of_kind(events, DebtLapsed)] == [270 - 81 - 150, 500]
    assert (s.cash[0], s.companies["ESR"].ipo) == (0, 10)


def test_62_5_winner_of_the_charter_pays_even_without_shares_of_it() -> None:
    """62-5: the company has another director by now; the fine is the winner's, the shares go without compensation."""
    s = table("N&E 54 0,3*,0,0 ipo=6 unfloated chartered obliged=0")
    stock(s).stock.passes = 4
    settle(s)
    assert s.cash == [1000 - 270, 1000, 1000, 1000]
    assert s.companies["N&E"].shares == [0, 0, 0, 0]


def test_62_26_a_company_in_receivership_is_not_acquired() -> None:
    """§8.0: 62-26: neither merged with at the start of a turn nor acquired at its end, whoever is to survive."""
    s = operating(table(JOINED.format("5*,0,0,0", "0,2,2,0"), tiles=LINE), "N&E", "acquire")
    assert legal(s, Merge) == []
    for survivor in ("N&E", "WStI"):
        assert "receivership" in catch_refusal(s, Merge("WStI", survivor)).sentence
    led = operating(table(JOINED.format("5*,0,0,0", "0,5*,0,0"), tiles=LINE), "N&E", "acquire")
    assert set(legal(led, Merge)) == {Merge("WStI", "N&E"), Merge("WStI", "WStI")}


def test_62_26_a_company_in_receivership_acquires_nothing_in_its_own_turn() -> None:
    """62-26: its turn goes by without an offer, though the other company has a director and is joined by track."""
    s = operating(table(JOINED.format("2,2,2,0", "0,5*,0,0"), tiles=LINE), "N&E", "merge")
    events = settle(s)
    assert s.operating.code == "WStI"
    assert not of_kind(events, MergerBegan)
    assert not of_kind(events, OfferMade)


def test_62_26_a_company_in_receivership_sells_no_train() -> None:
    """62-26: only the bank is among the sellers."""
    s = operating(table(JOINED.format("5*,0,0,0", "0,2,2,0"), tiles=LINE), "N&E", "train")
    assert {action.seller for action in legal(s, BuyTrain)} == {"bank"}
    s.companies["WStI"].director = 1
    assert {action.seller for action in legal(s, BuyTrain)} == {"bank", "WStI"}


def test_62_27_a_chartered_company_without_director_floats_with_the_fifth_share() -> None:
    """§4.3: 62-27: the fifth share brings all its capital and three markers; the obligation is met."""
    s = stock(table("N&E 54 0,1,0,0 ipo=6 unfloated chartered obliged=2"))
    play(s, BuyShare("N&E", "ipo"))
    company = s.companies["N&E"]
    assert company.floated
    assert company.receivership
    assert (company.cash, company.unplaced, company.obliged) == (540 - 180, 3, -1)
    assert turn.find_actors(s) == (1,), "nobody chooses markers"


def test_62_28_the_director_leaves_all_at_twenty_per_cent() -> None:
    """§6.3, §8.0: 62-28: the next to buy a third share pays for that one and has the certificate."""
    s = stock(table("N&E 90 5*,2,2,0 trains=2F"))
    play(s, Sell("N&E", 3), Pass())
    company = s.companies["N&E"]
    assert (company.shares, company.director) == ([2, 2, 2, 0], POOL)
    price = company.price
    play(s, BuyShare("N&E", "pool"))
    assert company.director == 1
    assert s.cash[1] == 1000 - price
    assert (company.shares, company.ordinary_in_pool, s.count_certificates(1)) == ([2, 3, 2, 0], 3, 1)


@pytest.mark.parametrize(
    ("price", "free"), [(36, 1), (40, 0), (90, 0), (200, 0), (210, 1), (375, 1), (400, 2), (950, 2)]
)
@pytest.mark.parametrize("count", [1, 2, 3])
def test_62_29_the_director_always_lowers_the_price_the_others_not_with_the_first_shares(
    price: int, free: int, count: int
) -> None:
    """§6.4.2: 62-29: the zone is judged before the sale."""
    text = f"N&E {price} 6*,3,0,0 trains=2F"
    by_director, by_other = stock(table(text)), stock(table(text), 1)
    for s in (by_director, by_other):
        play(s, Sell("N&E", count))
    assert spaces_down(by_director.companies["N&E"], price) == count
    assert spaces_down(by_other.companies["N&E"], price) == max(0, count - free)


def test_62_29_a_director_who_sells_out_is_the_director_of_that_sale() -> None:
    """62-29: nothing is free for him, though another has the certificate afterwards."""
    s = stock(table("N&E 400 4*,4,0,0 trains=2F"))
    play(s, Sell("N&E", 4))
    assert s.companies["N&E"].director == 1
    assert spaces_down(s.companies["N&E"], 400) == 4


def test_62_30_before_flotation_the_price_of_a_company_without_charter_stays() -> None:
    """§6.4, §6.4.2, §6.5.4: 62-30: its marker is on the market already, and does not move."""
    s = stock(table("N&E 90 3*,1,0,0 treasury=6 unfloated"), 1)
    company = s.companies["N&E"]
    company.cell = MARKET.prices.index(90)
    play(s, Sell("N&E", 1))
    assert (company.pool, company.price) == (1, 90)


def test_62_30_a_chartered_company_begins_at_par_whatever_was_sold() -> None:
    """62-30: the sale before flotation has left no trace in the price."""
    s = stock(table("N&E 100 3*,1,0,0 ipo=6 unfloated chartered"), 1)
    play(s, Sell("N&E", 1), Pass(), BuyShare("N&E", "ipo"))
    assert s.companies["N&E"].floated
    assert s.companies["N&E"].price == 100


@pytest.mark.parametrize(("formed", "down"), [(False, 2), (True, 0)])
def test_62_30_it_is_the_lner_not_the_first_h_that_stops_the_fall(formed: bool, down: int) -> None:
    """§7.11.1, §9.0.

    62-30: in the set of the first H (§6.4.2) a forced sale from the treasury still lowers the price.
    """
    s = table("N&E 430 5*,0,0,0 treasury=5 cash=10 at=B13 permits=express", phase="H", lner_due=not formed, lner=formed)
    s.depot = {name: 0 if name < "H" else -1 for name in s.depot}
    operating(s, "N&E", "train")
    play(s, RaiseMoney("treasury"))
    assert s.companies["N&E"].treasury == 3
    assert spaces_down(s.companies["N&E"], 430) == down
