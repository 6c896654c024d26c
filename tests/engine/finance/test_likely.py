"""What most people would do with shares and trains stands first on menus."""

from engine.finance.advice import find_best_purchase, list_bid_tips, rank_par_price, rank_sale, rank_seller
from engine.finance.rounds import Pass
from engine.finance.trading import BuyOfShare
from engine.printed import Units
from tests.engine.finance.records import Company


def line(director: int, *trains: str, operated: bool = True, price: int = 60) -> Company:
    """Return a company as a holder sees it."""
    return Company("", [], director=director, trains=[*trains], operated=operated, par=price)


def test_shares_that_earn_nothing_are_sold_first_and_those_one_directs_last() -> None:
    own, lame, earning, young = line(0), line(1), line(1, "2+1"), line(1, operated=False, price=80)
    assert sorted([own, earning, young, lame], key=lambda each: rank_sale(each, 0)) == [lame, young, earning, own]


def test_a_company_is_started_at_the_most_that_one_can_float_alone() -> None:
    """With £400 and five shares to buy that is £80; what takes others comes last, the dearest at the end."""
    assert sorted([54, 74, 80, 82, 100], key=lambda par: rank_par_price(par, 5, 400)) == [80, 74, 54, 82, 100]


class Buy(BuyOfShare, frozen=True):
    """Buy a share."""

    source: str = "ipo"


def test_the_share_that_earns_most_for_its_price_is_bought() -> None:
    """Of companies that run, or have not had their turn yet; of equal ones the last by name."""
    companies = {
        "lame": line(0, price=99),
        "young": line(0, operated=False),
        "fast": line(0, "2", "2"),
        "same": line(0, "2", "2"),
    }
    buys = [Buy(code) for code in companies]
    assert find_best_purchase(companies, buys) == Buy("same")
    assert find_best_purchase(companies, buys[:2]) == Buy("young")
    assert find_best_purchase(companies, buys[:1]) is None


def test_bids_for_buttons_are_a_little_above_the_last() -> None:
    pounds = Units("£", 10)
    for most, bids in ((60, ["£45", "£50", "£60"]), (59, ["£45", "£50"]), (44, [])):
        tips = list_bid_tips(40, most, pounds, lambda amount: Buy(str(amount)))
        assert [tip.label for tip in tips] == [*(f"Bid {bid}" for bid in bids), "Pass"]
        assert [tip.action for tip in tips] == [*(Buy(bid[1:]) for bid in bids), Pass()]


def test_a_train_of_the_bank_is_listed_before_one_that_needs_consent() -> None:
    companies = {"own": line(0), "other": line(1)}
    assert [rank_seller(companies, seller, 0) for seller in ("bank", "own", "other")] == [0, 1, 2]
