"""What 18xx titles do alike with shares: prices, purchases, sales, certificates, worth."""

from typing import Any

import pytest

from engine.errors import RuleError
from engine.finance import holdings, rounds, trading
from engine.finance.events import BankBroke, DirectorChanged, PriceHeld, PriceMoved, ShareBought, SharesSold
from engine.finance.state import POOL, RoundEnd
from engine.printed import Units
from engine.record import Event, Rule
from engine.title import Score
from tests.engine.finance.records import Company, state

POUNDS, RULE = Units("£", 10), Rule("Two Valleys", "the whole game")


def company(code: str = "AB", **fields: Any) -> Company:  # noqa: ANN401  # of a company
    """Return a company at 50 whose director has four of its ten shares."""
    start = {"ipo": 3, "pool": 2, "director": 0, "par": 40, "cell": 2, "stamp": 1, "trains": ["2"]}
    return Company(code, [4, 1], **{**start, **fields})


@pytest.mark.parametrize(("source", "price", "appeal"), [("ipo", 40, 135), ("pool", 50, 110), ("treasury", 50, 110)])
def test_a_share_of_the_ipo_costs_par_and_any_other_the_market_price(source: str, price: int, appeal: int) -> None:
    assert (trading.find_share_price(company(), source), trading.rate_purchase(company(), source)) == (price, appeal)


@pytest.mark.parametrize(("source", "ipo", "pool"), [("ipo", 2, 2), ("pool", 3, 1), ("treasury", 3, 2)])
def test_a_share_is_taken_from_where_it_lies(source: str, ipo: int, pool: int) -> None:
    of, told = company(), list[Event]()
    trading.take_share(of, 1, source, 50, told.append)
    assert (of.ipo, of.pool, of.shares) == (ipo, pool, [4, 2])
    assert told == [ShareBought(1, "AB", source, 50)]


def test_a_refused_purchase_names_the_missing_amount_and_the_highest_allowed_price_passes() -> None:
    trading.check_room(10, 11, RULE)
    trading.check_cash(50, 50, "A share of AB", POUNDS, RULE)
    trading.check_not_sold("AB", RULE, sold=False)
    trading.check_started(company(), "AB", RULE)
    with pytest.raises(RuleError, match="You hold 11 certificates; the limit is 11, so you must sell"):
        trading.check_room(11, 11, RULE)
    with pytest.raises(RuleError, match="A share of AB costs £51; you have £50"):
        trading.check_cash(51, 50, "A share of AB", POUNDS, RULE)
    with pytest.raises(RuleError, match="You sold AB in this stock round"):
        trading.check_not_sold("AB", RULE, sold=True)
    trading.check_available("AB", "pool", RULE, {"pool": 1}, certificate=True)
    with pytest.raises(RuleError, match=r"no shares of AB in its treasury\. "):
        trading.check_available("AB", "treasury", RULE, {"ipo": 0, "treasury": 0}, certificate=False)
    with pytest.raises(RuleError, match="in its treasury; buy from the IPO or the bank pool"):
        trading.check_available("AB", "treasury", RULE, {"ipo": 2, "pool": 1, "treasury": 0}, certificate=False)
    with pytest.raises(RuleError, match="You hold no shares of AB"):
        trading.check_block("AB", 0, 1, RULE)
    with pytest.raises(RuleError, match="You hold 20% of AB, so you can sell 10% to 20%, not 30%"):
        trading.check_block("AB", 2, 3, RULE)
    with pytest.raises(
        RuleError, match="in the bank pool other than the director's certificate, which can't be bought"
    ):
        trading.check_available("AB", "pool", RULE, {"pool": 0}, certificate=True)
    with pytest.raises(RuleError, match="AB hasn't been started"):
        trading.check_started(company(par=None), "AB", RULE)


def test_sold_shares_go_to_the_pool_and_the_price_falls_or_the_reason_is_given() -> None:
    of, told = company(), list[Event]()
    trading.sell_to_pool(of, 0, 2, 50, told.append)
    assert (of.shares, of.pool, told.pop()) == ([2, 1], 4, SharesSold(0, "AB", 2, 50))
    trading.lower_price(state(), of, 0, "zone", told.append)
    assert (of.cell, told.pop()) == (2, PriceHeld("AB", 50, "zone"))
    trading.lower_price(state(), of, 1, "zone", told.append)
    assert (of.cell, told.pop()) == (1, PriceMoved("AB", 50, 40))
    trading.lower_price(state(), company(cell=None), 0, "fresh", told.append)
    assert not told, "without a marker on the market there is no price to tell"


def test_a_directors_certificate_counts_as_one_and_is_not_ordinary() -> None:
    companies = (company(), company("CD", director=POOL, pool=5))
    assert [trading.count_certificates(companies, seat) for seat in (0, 1)] == [6, 2]
    assert [each.ordinary_in_pool for each in companies] == [2, 2]
    told: list[Event] = []
    trading.change_director(companies[0], 1, told.append)
    assert (companies[0].director, told) == (1, [DirectorChanged("AB", 1)])


def test_the_bank_breaks_once_and_below_nothing() -> None:
    s, told = state(), list[Event]()
    rounds.note_bank_broken(s, 0, told.append)
    assert not s.broken
    rounds.note_bank_broken(s, -1, told.append)
    rounds.note_bank_broken(s, -1, told.append)
    assert told == [BankBroke()]


def test_scores_stand_from_first_to_last_and_a_tie_has_two_winners() -> None:
    scores = [Score(0, 300), Score(1, 500), Score(2, 500)]
    found = holdings.make_result(state(over="bank"), scores, {"bank": "the bank has run out"}, POUNDS)
    assert found is not None
    assert [score.seat for score in found.scores] == [1, 2, 0]
    assert (found.winners, found.words, found.currency) == ((1, 2), "the bank has run out", "£")
    assert holdings.make_result(state(), scores, {}, POUNDS) is None


def test_the_end_of_a_round_is_noted_with_worth_and_prices() -> None:
    s = state()
    holdings.note_round(s, (100, 200), [company()])
    assert s.marks == [RoundEnd("SR 1", (100, 200), (("AB", 50),))]


def test_choices_with_shares_in_words() -> None:
    block = trading.describe_block(POUNDS, 2, 25, (50, 40), None)
    assert block == "20% · £50 · price £50→£40"
    assert trading.describe_block(POUNDS, 1, 50, (50, 50), "late").endswith("stays £50, sales no longer move prices")
    assert trading.describe_sale("AB", block) == "Sell 20% AB for £50 · price £50→£40"
    assert trading.describe_share(POUNDS, company(), "pool", 2) == "10% AB · bank pool · £50 (20% there)"
    assert trading.describe_buying(POUNDS, company(), "ipo") == "Buy 10% AB from the IPO for £40"
    whole = "AB · £50 a share · selling one: £50→£40"
    half = "AB · £25 a share, half price without a train · selling one: £50→£40"
    assert [trading.describe_sellable(POUNDS, company(), each, 40) for each in (50, 25)] == [whole, half]
    assert [trading.describe_dropouts(out) for out in ([], [2], [2, 0])] == [
        "",
        " Passed: {2}.",
        " Passed: {2} and {0}.",
    ]
    assert (trading.describe_passes(0, 4), trading.describe_passes(1, 4)) == (
        [],
        ["1 pass so far; 4 in a row end the round."],
    )
