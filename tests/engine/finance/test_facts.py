"""Facts of shares and rounds as every title tells them, what they mean for the story, and trains by name."""

import pytest

from engine.brief import Bit
from engine.errors import RuleError
from engine.finance import trading
from engine.finance.advice import find_run, list_share_payments, make_pieces
from engine.finance.events import (
    BankBroke,
    BidMade,
    CompanyFloated,
    CompanyStarted,
    Declined,
    DirectorChanged,
    DividendPaid,
    GameEnded,
    Passed,
    PhaseBegun,
    PriceHeld,
    PriceMoved,
    PriceStayed,
    PriorityGiven,
    ReceivershipBegan,
    RevenueKept,
    RoundBegun,
    ShareBought,
    SharesSold,
    TopReached,
    TrainBought,
    TrainsRan,
    TurnBegan,
    describe_overdraft,
    make_sentences,
    name_round,
)
from engine.finance.rounds import describe_next_steps, next_company
from engine.finance.state import OperatingRound
from engine.finance.trains import (
    PrintedTrain,
    explain_too_many_runs,
    find_on_sale,
    take_from_pile,
    take_named,
    take_run,
    write_count_left,
)
from engine.printed import Units
from engine.record import Event, Rule
from engine.title import Flow, Ran
from tests.engine.finance.records import Company

DOLLARS = Units("$", 20)
NAMES, REASONS = ("Ann", "Bob"), {"bank": "no money is left"}


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (RoundBegun("AR 1"), "Initial auction (AR 1) begins."),
        (RoundBegun("SR 2"), "Stock round 2 (SR 2) begins."),
        (RoundBegun("OR 2.1"), "Operating round 2.1 (OR 2.1) begins."),
        (RoundBegun("The second PR 1"), "Parliament 1 (PR 1) begins again."),
        (RoundBegun("The end"), "The end begins."),
        (TurnBegan("AB"), "AB operates."),
        (Passed(1), "Bob passes."),
        (Declined("AB", "lays", "track"), "AB lays no track."),
        (Declined("AB", "lays", "track", more=True), "AB lays no more track."),
        (BidMade(0, 5), "Ann bids $5."),
        (BidMade(0, 5, "AB"), "Ann bids $5 for AB."),
        (PriorityGiven(0), "Ann has the priority deal."),
        (CompanyFloated("AB", 300), "AB floats with $300."),
        (CompanyFloated("AB", 0), "AB floats."),
        (ShareBought(0, "AB", "pool", 60), "Ann buys 20% AB from the pool for $60."),
        (ShareBought(0, "AB", "treasury", 60), "Ann buys 20% AB from its treasury for $60."),
        (SharesSold(0, "AB", 1, 60), "Ann sells 20% AB for $60."),
        (SharesSold(0, "AB", 2, 60), "Ann sells 40% AB for $120 ($60 a share)."),
        (PriceMoved("AB", 50, 60), "AB rises from $50 to $60."),
        (PriceMoved("AB", 60, 50), "AB falls from $60 to $50."),
        (DirectorChanged("AB", 1), "Bob becomes director of AB."),
        (ReceivershipBegan("AB"), "AB is in receivership."),
        (PriceStayed("AB", 60, 50), "AB stays at $60: the dividend was only $50."),
        (CompanyStarted(1, "AB", 60, 120), "Bob starts AB at par $60 for $120."),
        (TrainsRan("AB", "", 50, 0), "AB runs for $50."),
        (TrainsRan("AB", "", 70, 0, (("2", "A–B", 50), ("2", "", 20))), "AB runs for $70: 2 A–B $50; 2 $20."),
        (DividendPaid("AB", 50, (30, 0)), "AB pays $50: Ann $30."),
        (DividendPaid("AB", 50, (0, 0)), "AB pays $50; no one holds shares."),
        (RevenueKept("AB", 50), "AB keeps $50."),
        (RevenueKept("AB", 0), "AB earns nothing."),
        (PriceHeld("AB", 60, "fresh"), "AB stays at $60: it hasn't begun to operate."),
        (PhaseBegun("3"), "Phase 3 begins."),
        (PhaseBegun("4", "2"), "Phase 4 begins; all 2 trains rust."),
        (TopReached("AB"), "AB has reached the top of the market."),
        (BankBroke(), "The bank has run out of money."),
        (GameEnded("bank"), "The game is over: no money is left."),
    ],
)
def test_events_that_all_titles_describe_alike(event: Event, sentence: str) -> None:
    assert make_sentences(DOLLARS, REASONS)[type(event)](event, NAMES) == sentence


def test_events_in_few_words() -> None:
    """A train's seller is named if it is a company; a viewer without a seat gets no dividend."""
    pieces = make_pieces(DOLLARS, DOLLARS.money)
    for event, seat, words in [
        (TrainBought("AB", "2", "bank", 100), 0, "buys a 2 for $100"),
        (TrainBought("AB", "2", "CD", 100), 0, "buys a 2 from CD for $100"),
        (PhaseBegun("4", "2"), 0, "Phase 4: all 2 rust"),
        (PhaseBegun("3"), 0, "Phase 3"),
        (DividendPaid("AB", 50, (30, 20)), 0, "pays $50 (you $30)"),
        (DividendPaid("AB", 50, (30, 20)), -1, "pays $50"),
        (RevenueKept("AB", 0), 0, "earns $0"),
    ]:
        piece = pieces[type(event)](event, NAMES, seat)
        assert isinstance(piece, Bit)
        assert piece.words == words


@pytest.mark.parametrize(
    ("sign", "called"),
    [("AR 1", "Initial auction"), ("SR 4", "Stock round 4"), ("OR 4.2", "Operating round 4.2"), ("end", "end")],
)
def test_names_of_rounds_whose_label_is_only_a_sign(sign: str, called: str) -> None:
    assert name_round(sign) == called


@pytest.mark.parametrize(
    ("event", "amounts"),
    [
        (ShareBought(1, "AB", "ipo", 60), [Flow(1, "AB", -60)]),
        (SharesSold(1, "AB", 3, 60), [Flow(1, "AB", 180)]),
        (CompanyStarted(1, "AB", 60, 120), [Flow(1, "AB", -120)]),
        (DividendPaid("AB", 60, (40, 0, 20)), [Flow(0, "AB", 40), Flow(2, "AB", 20)]),
        (Passed(1), []),
    ],
)
def test_trades_are_summarised_for_the_story(event: Event, amounts: list[Flow]) -> None:
    assert list_share_payments(event) == amounts


def test_defaults_of_events_are_empty() -> None:
    """In 1860 no one buys warranties, and no dividend goes to or comes from a treasury."""
    bought, paid = TrainBought("AB", "2", "bank", 100), DividendPaid("AB", 60, (40, 20))
    assert (bought.warranties, paid.treasury, paid.added) == (0, 0, 0)


def test_the_earnings_of_a_company_are_reported_by_the_run_only() -> None:
    assert find_run(TrainsRan("AB", "2 A1-B2", 50, 10)) == Ran("AB", 50, 10)
    assert find_run(RevenueKept("AB", 50)) is None


RULE = Rule("Toy", "trains")


def test_trains_that_run_are_taken_by_name_one_after_the_other() -> None:
    two, three, other = PrintedTrain("2"), PrintedTrain("3"), PrintedTrain("2")
    left = [three, two, other]
    owned = tuple(left)
    assert take_named(left, "2", "AB", owned, ("2", "3", "4"), RULE) is two
    assert left == [three, other]
    take_named(left, "2", "AB", owned, ("2", "3", "4"), RULE)
    for name, sentence in (("2", "no 2 left"), ("4", "no 4 to run"), ("9", "There is no train called 9")):
        with pytest.raises(RuleError, match=sentence):
            take_named(left, name, "AB", owned, ("2", "3", "4"), RULE)
    assert take_run(left, "3", "AB", RULE) is three
    assert left == []
    with pytest.raises(RuleError, match="The plan runs more 2 trains than AB has"):
        take_run(left, "2", "AB", RULE)
    assert explain_too_many_runs("AB", 1, 2) == "AB has 1 train to run; the plan has 2 runs."
    assert explain_too_many_runs("AB", 2, 3) == "AB has 2 trains to run; the plan has 3 runs."


def test_remaining_trains_of_a_kind_and_of_an_empty_bank() -> None:
    assert [write_count_left(left, rusted=False) for left in (3, 0, -1)] == ["3", "0", "unlimited"]
    assert write_count_left(-1, rusted=True) == "rusted"
    assert describe_overdraft(DOLLARS, -40) == "The bank has paid $40 more than it had."


def test_the_pile_is_sold_from_the_top_and_its_last_kind_never_ends() -> None:
    pile, sold = {"2": 2, "3": 1, "5": -1}, []
    for _ in range(5):
        sold.append(find_on_sale(pile))
        take_from_pile(pile, sold[-1])
    assert sold == ["2", "2", "3", "5", "5"]
    assert pile == {"2": 0, "3": 0, "5": -1}


class Round(OperatingRound):
    steps = ("track", "settled", "run", "pay")


def test_companies_have_their_turns_in_order_but_those_that_cannot_operate() -> None:
    r, turns = Round(1, 1, ["AB", "CD", "EF", "GH", "IJ"]), []
    while next_company(r, lambda code: code not in ("AB", "EF", "GH")):
        turns.append(r.order[r.index])
    assert turns == ["CD", "IJ"]
    assert not next_company(Round(1, 1, []), lambda _: True)


@pytest.mark.parametrize(
    ("step", "left_out", "line"),
    [
        ("track", (), ["Then: run trains → pay or keep."]),
        ("track", ("run",), ["Then: pay or keep."]),
        ("run", (), ["Then: pay or keep."]),
        ("pay", (), []),
    ],
)
def test_the_steps_that_follow_are_reported(step: str, left_out: tuple[str, ...], line: list[str]) -> None:
    """One without words is none that a player sees."""
    kinds = {"track": "lay track", "run": "run trains", "pay": "pay or keep"}
    assert describe_next_steps(Round(1, 1, [], step=step), kinds, left_out) == line


@pytest.mark.parametrize(
    ("par", "cell", "source", "costs", "good"),
    [(80, 5, "ipo", 80, 125), (80, 5, "pool", 100, 100), (100, 2, "ipo", 100, 50), (None, None, "ipo", 0, 0)],
)
def test_a_purchase_promises_the_market_price_in_percent_of_its_cost(
    par: int | None, cell: int | None, source: str, costs: int, good: int
) -> None:
    """Par from the IPO, else the market price."""
    company = Company("AB", [], par=par, cell=cell)
    assert trading.find_share_price(company, source) == costs
    assert trading.rate_purchase(company, source) == good
