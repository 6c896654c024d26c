"""What a choice of 1860 says, and what is explained where it is asked."""

from engine.rails.laying import find_printed_value
from engine.titles.g1860 import TITLE
from engine.titles.g1860.actions import BuyShare, BuyTrain, Discard, Dividend, PlaceBase, Sell
from engine.titles.g1860.state import State
from tests.engine.titles.g1860.positions import catch_refusal, operating, play, table

NAMES = ("Ann", "Bob", "Cid")


def label(s: State, action: Sell, parameter: str) -> str:
    return TITLE.words.label(s, action, parameter)


def lines(s: State) -> str:
    return "\n".join(TITLE.words.ask(s).insert_names(NAMES).lines)


def test_a_sale_shows_its_proceeds_and_why_the_price_stays() -> None:
    """Selling price; How sales move the price.

    Half without a train; above 150 the first share is free, before operating all are.
    """
    s = table("cash 500 500 500\nIOW 4* 1 | pool 1 | par 82 at 158 | 2+1\nC&N 3* . 2 | pool 1 | par 74 at 82")
    assert label(s, Sell("IOW", 1), "company") == "IOW · £158 a share · selling one: stays £158"
    assert label(s, Sell("IOW", 1), "count").endswith("stays £158, its zone ignores the first share sold")
    assert label(s, Sell("IOW", 2), "count") == "20% · £316 · price £158→£150"
    assert label(s, Sell("C&N", 1), "company") == "C&N · £41 a share, half price without a train · selling one: £82→£78"
    s.companies["C&N"].operated = False
    assert label(s, Sell("C&N", 1), "count").endswith("price stays £82, it hasn't begun to operate")
    told = [TITLE.words.say(event, NAMES) for event in play(s, Sell("IOW", 1))]
    assert "IOW stays at £158: its zone ignores the first share sold." in told


def test_a_stock_turn_shows_the_players_holdings_and_the_directors() -> None:
    s = table("cash 500 500 500\nIOW 4* 2 | par 82 at 90 | 2+1\nC&N 1 3* 2 | par 74 at 74 | 2+1")
    assert "You hold IOW 40% (director, next Bob 20%); C&N 10% (Bob directs with 30%)." in lines(s)


def test_a_refusal_of_order_names_the_duty() -> None:
    s = operating("cash 500 500 500\nIOW 4* 2 | par 82 at 90 | 2+1 | 500cc", "IOW", "track")
    assert catch_refusal(s, BuyShare("IOW", "ipo")).sentence == "You can't buy now; IOW can lay a tile or pass."


def test_insolvency_is_explained_where_it_is_asked() -> None:
    """Leasing: the lease pays 40cc and 20cc a stop, and all of it is kept."""
    s = operating("cash 500 500 500\nIOW 4* 2 | par 82 at 90 | 0cc | insolvent", "IOW", "track")
    assert "leases a 2+1 for 40cc and 20cc for each stop, including halts; it keeps all of it" in lines(s)


def test_menus_list_trains_of_the_bank_first_then_those_that_need_no_consent() -> None:
    s = operating(
        "cash 9 9 9\nIOW 4* 2 | par 82 at 90\nC&N 3* 2 | par 74 at 82 | 2+1\nFYN . 3* | par 68 at 74 | 2+1",
        "IOW",
        "train",
    )
    wanted = [BuyTrain("2+1", "bank", 250), BuyTrain("2+1", "C&N", 1), BuyTrain("2+1", "FYN", 1)]
    assert TITLE.advice.usual(s, 0, wanted[::-1]) == wanted


def test_menus_list_shares_that_float_an_own_company_first() -> None:
    s = table("cash 500 500 500\nIOW 2* . | par 82\nC&N . 2* | par 54\nFYN . 4* | pool 2 | par 54 at 82")
    wanted = [BuyShare("IOW", "ipo"), BuyShare("C&N", "ipo")]
    assert TITLE.advice.usual(s, 0, wanted[::-1]) == wanted
    assert TITLE.advice.usual(s, 1, wanted) == wanted[::-1]
    wanted = [BuyShare("FYN", "ipo"), BuyShare("FYN", "pool"), BuyShare("C&N", "ipo")]
    assert TITLE.advice.usual(s, 2, wanted[::-1]) == [wanted[0], wanted[2], wanted[1]], (
        "what costs less than it is worth first"
    )


def test_menus_list_the_least_train_first_to_be_discarded_and_the_dearest_place_first_for_a_base() -> None:
    s = operating("cash 9 9 9\nIOW 4* 2 | par 82 at 90 | 3+2 2+1", "IOW", "base", tiles="J4 5/1")
    assert TITLE.advice.usual(s, 0, [Discard("3+2"), Discard("2+1")]) == [Discard("2+1"), Discard("3+2")]
    poor, rich = PlaceBase("J4", 0), PlaceBase("I3", 0)
    assert find_printed_value(s.board, poor.hex) < find_printed_value(s.board, rich.hex)
    assert TITLE.advice.usual(s, 0, [poor, rich]) == [rich, poor]


def test_a_dividend_choice_shows_the_payment_and_the_price_change() -> None:
    """Insolvent companies: the run is told where it is asked what becomes of it, and nowhere else."""
    s = operating("cash 0 0 0\nIOW 5* 2 | at 90 | 20cc | 2+1", "IOW", "dividend", revenue=100, subsidy=10)
    assert "It ran for £100 and 10cc for halts." in lines(s)
    assert TITLE.words.label(s, Dividend("keep"), "choice") == "Keep 100cc · price £90→£82"
    assert TITLE.words.label(s, Dividend("pay"), "choice") == "Pay £10 a share · price £90→£100 · you £50, {1} £20"
    s.operating.step = "train"
    assert "It ran" not in lines(s)
