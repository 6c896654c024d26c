"""What 18xx titles do alike with shares: prices, purchases, sales, certificates, worth."""

from dataclasses import dataclass, field

import pytest

from engine.errors import RuleError
from engine.finance import holdings, labels, rounds, trading
from engine.finance.events import BankBroke, DirectorChanged, PriceHeld, PriceMoved, ShareBought, SharesSold
from engine.finance.market import RoundEnd
from engine.printed import Units
from engine.record import Event, Rule
from engine.title import Score

PRICES = (0, 40, 50, 60)
POUNDS, RULE = Units("£", 10), Rule("Two Valleys", "the whole game")


@dataclass
class Company:
    """A company at 50 whose director has four of its ten shares."""

    code: str = "AB"
    par: int | None = 40
    cell: int | None = 2
    stamp: int = 1
    price: int = 50
    ipo: int = 3
    pool: int = 2
    director: int = 0
    shares: list[int] = field(default_factory=lambda: [4, 1])
    trains: tuple[str, ...] = ("2",)


@dataclass
class Table:
    """What a state knows of the market and the bank."""

    clock: int = 1
    topped: bool = False
    bank: int = 0
    broken: bool = False
    name: str = "SR 1"
    marks: list[RoundEnd] = field(default_factory=list)


@pytest.mark.parametrize(("source", "price", "appeal"), [("ipo", 40, 135), ("pool", 50, 110), ("treasury", 50, 110)])
def test_a_share_of_the_ipo_costs_par_and_any_other_the_market_price(source: str, price: int, appeal: int) -> None:
    assert (trading.share_price(Company(), source), trading.appeal(Company(), source)) == (price, appeal)


@pytest.mark.parametrize(("source", "ipo", "pool"), [("ipo", 2, 2), ("pool", 3, 1), ("treasury", 3, 2)])
def test_a_share_is_taken_from_where_it_lies(source: str, ipo: int, pool: int) -> None:
    company, told = Company(), list[Event]()
    trading.take_share(company, 1, source, 50, told.append)
    assert (company.ipo, company.pool, company.shares) == (ipo, pool, [4, 2])
    assert told == [ShareBought(1, "AB", source, 50)]


def test_what_refuses_a_purchase_says_by_how_much_and_the_last_that_is_allowed_passes() -> None:
    trading.check_room(10, 11, RULE)
    trading.check_cash(50, 50, "A share of AB", POUNDS, RULE)
    trading.check_not_sold("AB", RULE, sold=False)
    trading.check_started(Company(), "AB", RULE)
    with pytest.raises(RuleError, match="You hold 11 certificates; the limit is 11"):
        trading.check_room(11, 11, RULE)
    with pytest.raises(RuleError, match="A share of AB costs £51; you have £50"):
        trading.check_cash(51, 50, "A share of AB", POUNDS, RULE)
    with pytest.raises(RuleError, match="You sold AB in this stock round"):
        trading.check_not_sold("AB", RULE, sold=True)
    trading.check_lies("AB", "pool", RULE, left=1, certificate=True)
    with pytest.raises(RuleError, match=r"no share of AB in its treasury"):
        trading.check_lies("AB", "treasury", RULE, left=0, certificate=False)
    with pytest.raises(RuleError, match="in the bank pool but the director's certificate, which cannot be bought"):
        trading.check_lies("AB", "pool", RULE, left=0, certificate=True)
    with pytest.raises(RuleError, match="AB has not been started"):
        trading.check_started(Company(par=None), "AB", RULE)


def test_what_is_sold_lies_in_the_pool_and_the_price_falls_or_it_is_told_why_not() -> None:
    company, told = Company(), list[Event]()
    trading.give_up(company, 0, 2, 50, told.append)
    assert (company.shares, company.pool, told.pop()) == ([2, 1], 4, SharesSold(0, "AB", 2, 50))
    trading.lower_price(Table(), company, PRICES, (0, "zone"), told.append)
    assert (company.cell, told.pop()) == (2, PriceHeld("AB", 50, "zone"))
    trading.lower_price(Table(), company, PRICES, (1, "zone"), told.append)
    assert (company.cell, told.pop()) == (1, PriceMoved("AB", 50, 40))
    trading.lower_price(Table(), Company(cell=None), PRICES, (0, "fresh"), told.append)
    assert not told, "without a marker on the market there is no price to tell"


def test_a_directors_certificate_counts_as_one_and_is_not_ordinary() -> None:
    companies = (Company(), Company("CD", director=trading.POOL, pool=5))
    assert [trading.count_certificates(companies, seat, 3) for seat in (0, 1)] == [6, 2]
    assert [trading.ordinary_in_pool(company, 3) for company in companies] == [2, 2]
    told: list[Event] = []
    trading.hand_over(companies[0], 1, told.append)
    assert (companies[0].director, told) == (1, [DirectorChanged("AB", 1)])


def test_the_bank_breaks_once_and_below_nothing() -> None:
    s, told = Table(bank=0), list[Event]()
    rounds.watch_bank(s, told.append)
    assert not s.broken
    s.bank = -1
    rounds.watch_bank(s, told.append)
    rounds.watch_bank(s, told.append)
    assert told == [BankBroke()]


def test_scores_stand_from_first_to_last_and_a_tie_has_two_winners() -> None:
    scores = [Score(0, 300), Score(1, 500), Score(2, 500)]
    found = holdings.final_result("bank", scores, {"bank": "the bank has run out"}, POUNDS)
    assert found is not None
    assert [score.seat for score in found.scores] == [1, 2, 0]
    assert (found.winners, found.words, found.currency) == ((1, 2), "the bank has run out", "£")
    assert holdings.final_result("", scores, {}, POUNDS) is None


def test_the_end_of_a_round_is_noted_with_worth_and_prices() -> None:
    s = Table()
    holdings.note_round(s, (100, 200), [Company()])
    assert s.marks == [RoundEnd("SR 1", (100, 200), (("AB", 50),))]


def test_choices_with_shares_in_words() -> None:
    block = labels.block(POUNDS, 2, 25, (50, 40), None)
    assert block == "20 % · £50 · price £50→£40"
    assert labels.block(POUNDS, 1, 50, (50, 50), "late").endswith("stays £50, sales move no price any more")
    assert labels.sell("AB", block) == "Sell 20 % AB for £50 · price £50→£40"
    assert labels.share(POUNDS, Company(), "pool", 2) == "10 % AB · bank pool · £50 (20 % there)"
    assert labels.buy(POUNDS, Company(), "ipo") == "Buy 10 % AB from the IPO for £40"
    whole = "AB · £50 a share · selling one: £50→£40"
    half = "AB · £25 a share, half as it has no train · selling one: £50→£40"
    assert [labels.seller(POUNDS, Company(), each, 40) for each in (50, 25)] == [whole, half]
    assert [labels.dropped(out) for out in ([], [2], [2, 0])] == ["", " Passed: {2}.", " Passed: {2} and {0}."]
    assert (labels.passed(0, 4), labels.passed(1, 4)) == ([], ["1 pass so far; 4 in a row end the round."])
