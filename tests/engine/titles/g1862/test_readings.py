"""How the table reads a disputed point is shown where it matters, and nowhere else."""

import pytest

from engine.interop.g1862.profile import TITLE
from engine.title import Ask
from engine.titles.g1862.actions import BuyTrain, RaiseMoney
from engine.titles.g1862.state import State
from tests.engine.titles.g1862.positions import catch_refusal, differs, legal, operating, play, settle, stock, table

OWN, OTHER = "5*,0,0,0", "0,5*,0,0"


def asks(s: State) -> Ask:
    return TITLE.words.ask(s)


def buying(cash: int, seller: str, switches: dict[str, object]) -> State:
    """N&E has no train; WStI has one, which costs £100."""
    text = f"N&E 50 5*,0,0,0 treasury=5 cash={cash} at=B13\nWStI 90 {seller} trains=1F at=B5"
    s = table(text, phase="B", switches=switches)
    s.depot["A"] = 0
    return operating(s, "N&E", "train")


@differs("train_sales_need_consent")
def test_62_47_whether_a_director_must_agree_to_the_sale_of_a_train(switches: dict[str, object]) -> None:
    """§7.9: where the train of another director can be paid for."""
    agreed = "another director must agree to sell a train"
    line = "the buyer of another company's train decides alone" if switches else agreed
    assert asks(buying(500, OTHER, switches)).readings == (f"This table reads: {line} (§7.9, 62-47).",)
    assert asks(buying(500, OWN, switches)).readings == ()


def test_62_47_the_director_who_is_asked_reads_the_offer_alone() -> None:
    """§7.9: and no reading."""
    s = buying(500, OTHER, {})
    play(s, BuyTrain("1F", "WStI"))
    assert s.operating.offer is not None
    assert asks(s).readings == ()


@differs("own_trains_before_money")
def test_62_48_whether_money_can_be_raised_beside_a_train_of_another_company(switches: dict[str, object]) -> None:
    """§7.11: where a company without a train can pay for that one, but not for the bank's."""
    whose = "another company's train" if switches else "another director's train"
    shown = f"This table reads: a company can raise money although it can pay for {whose} (§7.11, 62-48)."
    assert asks(buying(50, OTHER, switches)).readings == (shown,)
    assert asks(buying(0, OTHER, switches)).readings == ()


def test_62_48_nothing_is_said_where_the_train_must_be_bought() -> None:
    """§7.11, 62-48: where the buyer decides alone, no train of a company that it can pay for is out of its reach."""
    s = buying(50, OTHER, {"train_sales_need_consent": False})
    assert "62-47" in asks(s).readings[0]
    assert legal(s) == [BuyTrain("1F", "WStI")]
    assert "a train from another company, so it can't raise money" in catch_refusal(s, RaiseMoney("treasury")).sentence


@pytest.mark.parametrize(
    ("revenue", "shown"), [(140, False), (148, True), (150, False), (222, True), (296, True), (370, False)]
)
def test_62_46_a_dividend_of_exactly_a_multiple_of_the_price(revenue: int, *, shown: bool) -> None:
    """§7.8.5: two, three or four times £74."""
    s = operating(table("N&E 74 5*,2,0,0 trains=2F at=B13"), "N&E", "dividend")
    s.operating.revenue = revenue
    assert bool(asks(s).readings) is shown
    assert all(line.endswith("moves it as many steps (§7.8.5, 62-46).") for line in asks(s).readings)


@differs("fines_spare_new_shares")
def test_62_6_whether_shares_bought_in_this_round_pay_a_fine(switches: dict[str, object]) -> None:
    """§4.3: the debtor has bought one."""
    text = "N&E 100 4*,0,0,0 ipo=6 unfloated chartered obliged=0\nWStI 54 4,5*,0,0 trains=2F at=B5"
    for got in ({}, {"WStI": 1}):
        s = stock(table(text, switches=switches, cash=[0, 0, 0, 0]))
        s.stock.got[0].update(got)
        s.stock.passes = 4
        settle(s)
        assert s.stock.fines
        can = "can be sold" if switches else "aren't sold"
        shown = f"This table reads: shares bought in this round {can} for a fine (§4.3, 62-6)."
        assert asks(s).readings == ((shown,) if got else ())
