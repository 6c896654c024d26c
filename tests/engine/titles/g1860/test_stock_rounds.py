"""Stock Rounds: turns, purchases, sales, certificate limit, layers."""

import pytest

from engine.finance.events import PriceMoved, RoundBegun
from engine.finance.rounds import Pass
from engine.title import Request
from engine.titles.g1860 import TITLE
from engine.titles.g1860.actions import BuyPrivate, BuyShare, Exchange, Sell, Start
from engine.titles.g1860.events import LayerOpened, WentBankrupt
from engine.titles.g1860.rounds.stock import is_standstill
from engine.titles.g1860.state import CLOSED, Operating
from engine.view import MarketView
from tests.engine.titles.g1860.positions import begin_operating, catch_refusal, legal, of_kind, play, settle, table
from tests.support.sure import as_a, sure

TWO = "cash 500 500 500\nIOW 2* 2 | pool 1 | par 82 at 90 | 2+1\nC&N . 3* 2 | pool 1 | par 74 at 74 | 2+1"


def test_sell_then_buy_one() -> None:
    """A stock turn; Game Overview; Stock Rounds.

    Any number of sales, then one purchase, which ends the turn; a sale alone is no pass.
    """
    s = table(TWO)
    play(s, Sell("IOW", 1))
    assert s.stock.turn == 0
    play(s, BuyShare("C&N", "pool"))
    assert s.stock.turn == 1
    play(s, Sell("C&N", 1), Pass())
    assert (s.stock.turn, s.stock.passes) == (2, 0)


def test_the_round_ends_when_all_pass_in_a_row() -> None:
    """A stock turn; Stock Rounds: passing is not final; everyone in a row ends the round."""
    s = table(TWO)
    play(s, Pass(), Pass(), BuyShare("IOW", "ipo"), Pass(), Pass())
    assert s.name == "SR 2"
    told = play(s, Pass())
    assert of_kind(told, RoundBegun) == [RoundBegun("OR 2.1")]


def test_an_exchange_alone_counts_as_a_pass() -> None:
    """A stock turn: exchange and nothing else is a pass."""
    s = table("cash 500 500\nprivates RPSC 0\nIOW 2* 2 | at 90 | 2+1\nC&N 2* . | par 74")
    play(s, Exchange("RPSC"), Pass(), Pass())
    assert isinstance(s.round, Operating)


def test_nothing_is_sold_after_the_purchase() -> None:
    """A stock turn: after the purchase only an exchange that it made possible is left."""
    s = table("cash 500 500\nprivates BHC 0\nIOW 2* 2 | at 90 | 2+1")
    play(s, Start("BHI&R", 58))
    assert catch_refusal(s, Sell("IOW", 1)).rule.section == "Buying and Selling Shares"
    assert catch_refusal(s, BuyShare("IOW", "ipo")).rule.section == "Buying and Selling Shares"
    assert set(legal(s)) == {Pass(), Exchange("BHC")}


def test_priority_goes_left_of_the_last_to_trade() -> None:
    """Priority deal: left of the last who bought or sold; without a trade the card stays."""
    s = table(TWO, turn=1)
    play(s, BuyShare("IOW", "ipo"), BuyShare("C&N", "ipo"), Pass(), Pass(), Pass())
    assert s.priority == 0
    s = table(TWO, turn=1)
    play(s, Pass(), Pass(), Pass())
    assert s.priority == 1


def test_priority_counts_private_deals_but_no_exchange() -> None:
    """Priority deal: 60-36: a private bought or sold counts, an exchange does not."""
    s = table(TWO + "\nprivates YHC bank RPSC 1")
    play(s, BuyPrivate("YHC"), Exchange("RPSC"), Pass(), Pass(), Pass())
    assert s.priority == 1


def test_the_last_player_in_a_round_reads_whether_a_private_moves_the_priority_deal() -> None:
    """Priority deal: 60-36: all others have passed, and the bank has a private."""
    moves = "buying a private company from the bank or selling it moves the priority deal, an exchange doesn't"
    s = table(TWO + "\nprivates YHC bank")
    while s.stock.passes < s.seats - 1:
        assert TITLE.words.ask(s).readings == ()
        play(s, Pass())
    assert TITLE.words.ask(s).readings == (f"This table reads: {moves} (Stock Rounds, 60-36).",)
    s.privates = dict.fromkeys(s.privates, CLOSED)
    assert TITLE.words.ask(s).readings == (), "there is no private to deal in"


def test_ipo_at_par_and_pool_at_market_price() -> None:
    """Buying: one certificate a turn, at par from the IPO, at the market price from the pool; any holding."""
    s = table(TWO)
    play(s, BuyShare("IOW", "ipo"))
    assert s.cash[0] == 418
    play(s, BuyShare("IOW", "pool"))
    assert s.cash[1] == 410
    s = table("cash 500 500\nprivates RPSC closed\nIOW 9* | at 90 | 2+1")
    play(s, BuyShare("IOW", "ipo"))
    assert s.companies["IOW"].shares[0] == 10
    s = table("cash 50 500\nIOW 4* . | pool 2 | par 82 at 90 | 2+1")
    assert not [action for action in legal(s) if isinstance(action, BuyShare)]
    assert catch_refusal(s, BuyShare("IOW", "pool")).rule.section == "Buying and Selling Shares"


def test_the_directors_certificate_comes_first() -> None:
    """Starting a company; Share Price Movement: twice a par of its own range, which are top tier spaces only."""
    s = table("cash 500 500", layer=4)
    assert catch_refusal(s, BuyShare("IOW", "ipo")).rule.section == "Buying and Selling Shares"
    pars = {code: [a.par for a in legal(s, Start) if a.company == code] for code in s.companies}
    assert pars["IOW"] == pars["C&N"] == [74, 82, 90, 100]
    assert pars["IWNJ"] == pars["FYN"] == [62, 68, 74, 82]
    assert pars["NGStL"] == pars["BHI&R"] == [58, 62, 68]
    assert pars["S&C"] == pars["VYSC"] == [54, 58, 62]
    assert catch_refusal(s, Start("IOW", 78)).rule.section == "Buying and Selling Shares"
    assert catch_refusal(s, Start("S&C", 68)).rule.section == "Buying and Selling Shares"
    play(s, Start("IWNJ", 68))
    assert (s.cash[0], s.companies["IWNJ"].director) == (364, 0)


def test_no_purchase_in_a_company_sold_this_round() -> None:
    """Sold in this round; Bankrupt Companies.

    Sold, so not bought until the next SR; bought, then sold in a later turn, is fine.
    """
    s = table(TWO)
    play(s, Sell("IOW", 1))
    assert catch_refusal(s, BuyShare("IOW", "pool")).rule.section == "Buying and Selling Shares"
    play(s, Pass(), Pass(), Pass())
    assert catch_refusal(s, BuyShare("IOW", "ipo")).rule.section == "Buying and Selling Shares", "still the same round"
    s = table(TWO)
    play(s, BuyShare("IOW", "ipo"), Pass(), Pass(), Sell("IOW", 1))
    assert s.companies["IOW"].shares[0] == 2


@pytest.mark.parametrize(
    ("line", "each"),
    [("at 82 | 2+1", 82), ("at 82", 41), ("at 95", 47), ("at 95 | insolvent", 47), ("par 82 at 95 | new", 47)],
)
def test_shares_of_a_company_without_a_train_sell_at_half(line: str, each: int) -> None:
    """Selling price: market price with a train, else half, rounded down for each share."""
    s = table(f"cash 0 0\nIOW 4* 3 | {line}", turn=1)
    play(s, Sell("IOW", 3))
    assert s.cash[1] == 3 * each


def test_shares_of_an_unfloated_company_sell_at_half_par() -> None:
    """Selling price: a company that has not operated has no train; the price to buy at is never halved."""
    s = table("cash 0 0 300\nIOW 2* 1 | pool 1 | par 82 | new", turn=1)
    play(s, Sell("IOW", 1))
    assert s.cash[1] == 41
    play(s, Pass(), BuyShare("IOW", "pool"))
    assert s.cash[2] == 218


def test_all_shares_of_a_company_are_one_transaction() -> None:
    """One transaction: at the starting price, and no second sale of the company in the turn."""
    s = table("cash 0 0\nIOW 4* 3 | at 90 | 2+1\nC&N . 2* | at 74 | 2+1", turn=1)
    play(s, Sell("IOW", 2))
    assert (s.cash[1], s.companies["IOW"].price) == (180, 82)
    assert catch_refusal(s, Sell("IOW", 1)).rule.section == "Share Price Movement"


@pytest.mark.parametrize(
    ("before", "count", "after"),
    [(90, 1, 86), (90, 3, 78), (182, 3, 166), (158, 1, 158), (150, 1, 142), (40, 1, 36), (44, 2, 36), (36, 2, 31)],
)
def test_each_share_sold_moves_the_price_a_space(before: int, count: int, after: int) -> None:
    """How sales move the price: a space a share; below 40 or above 150, judged before the sale, the first is free."""
    s = table(f"cash 0 0\nIOW 4* 3 | at {before} | 2+1", turn=1)
    play(s, Sell("IOW", count))
    assert s.companies["IOW"].price == after


def test_no_fall_before_operating_nor_after_the_first_8_4() -> None:
    """How sales move the price; Phases: only a company that has operated, and not once an 8+4 is sold."""
    s = table("cash 0 0\nIOW 4* 3 | at 90 | new", turn=1)
    play(s, Sell("IOW", 3))
    assert s.companies["IOW"].price == 90
    s = table("cash 0 0\nIOW 4* 3 | at 90 | 8+4", turn=1, phase="8")
    play(s, Sell("IOW", 3))
    assert s.companies["IOW"].price == 90
    s = table("cash 0 0\nIOW 4* 3 | at 90 | 7+4", turn=1, phase="7")
    play(s, Sell("IOW", 3))
    assert s.companies["IOW"].price == 78


def test_a_refloated_company_has_operated_in_its_first_life() -> None:
    """Sales after a bankruptcy.

    60-42: Floated again its sales move the price; re-parred but not floated it has no marker to move.
    """
    s = table("cash 0 0\nIOW 3* 1 | par 40 | bankrupt | 2+1", turn=1)
    play(s, Sell("IOW", 1))
    assert (s.companies["IOW"].price, s.companies["IOW"].cell, s.cash[1]) == (40, None, 40)
    s = table("cash 100 100\nIOW 4* | par 44 | bankrupt | 2+1", turn=0)
    play(s, BuyShare("IOW", "ipo"), Pass())
    assert s.companies["IOW"].price == 44
    play(s, Sell("IOW", 1))
    assert s.companies["IOW"].price == 40


def test_a_moved_marker_goes_under() -> None:
    """Order within a space; Operating Public Companies; Dividends and the Share Price.

    Under those in its new space; the earlier arrival operates first.
    """
    s = table("cash 0 0\nC&N 2* 3 | at 86 | 2+1\nIOW 4* 1 | at 90 | 2+1\nFYN 3* 2 | at 86 | 2+1", turn=1)
    play(s, Sell("IOW", 1))
    stamps = {code: s.companies[code].stamp for code in ("C&N", "FYN", "IOW")}
    assert s.companies["IOW"].price == 86
    assert sorted(stamps, key=stamps.__getitem__) == ["C&N", "FYN", "IOW"]
    chart = as_a(MarketView, TITLE.views.look(s, Request("market")))
    assert [cell.tokens for cell in chart.cells if cell.price == 86] == [("C&N", "FYN", "IOW")]


def test_price_zero_is_bankruptcy_at_once() -> None:
    """Price 0; Bankrupt Companies: a sale to 0."""
    s = table("cash 0 0\nIOW 2* 5 | at 14 | 2+1", turn=1)
    told = play(s, Sell("IOW", 5))
    assert of_kind(told, PriceMoved) == [PriceMoved("IOW", 14, 0)]
    assert of_kind(told, WentBankrupt)
    assert s.cash[1] == 70, "he is paid the price before the sale"


def test_no_purchase_at_the_limit() -> None:
    """At and above the limit: at the limit no purchase at all, though a change of director would bring him back."""
    s = table("cash 500 500 500 500\nC&N 7* 3 | at 90\nIOW 3 3* | at 82\nFYN 6* 4 | at 68\nS&C 2* | par 54", phase="2")
    s.privates["BHC"] = 0
    assert s.count_certificates(0) == 16
    assert catch_refusal(s, BuyShare("IOW", "ipo")).rule.section == "Certificate Limit"
    assert catch_refusal(s, Start("VYSC", 54)).rule.section == "Certificate Limit"


def test_above_the_limit_he_must_sell() -> None:
    """At and above the limit; Phases.

    Shares until within the limit, before anything else; no limit from the first 8+4 on.
    """
    line = (
        "cash 500 500 500 500\nprivates BHC 0\nC&N 8* 2 | at 90 | 2+1\nIOW 5 5* | at 82 | 2+1\nFYN 6* 4 | at 68 | 2+1"
    )
    s = table(line)
    assert s.count_certificates(0) == 18
    assert {type(action) for action in legal(s)} == {Sell}
    assert "sell" in catch_refusal(s, Pass()).sentence
    play(s, Sell("IOW", 1))
    assert {type(action) for action in legal(s)} == {Sell}, "17 are still too many"
    play(s, Sell("FYN", 1))
    assert Pass() in legal(s)
    assert catch_refusal(s, Start("S&C", 54)).rule.section == "Certificate Limit"
    s = table(line)
    assert catch_refusal(s, Start("S&C", 54)).rule.section == "Certificate Limit"
    s = table(line, phase="8")
    assert Pass() in legal(s)
    assert Start("S&C", 54) in legal(s)


def test_the_next_layer_opens_by_operation() -> None:
    """Layers; Buying and Selling Shares: both companies of the next layer once a company of this one has operated."""
    s = table("cash 900 900\nIOW 3* 2 | at 82 | new", layer=1)
    assert catch_refusal(s, Start("FYN", 62)).rule.section == "Major Companies"
    s.companies["IOW"].operated = True
    told = play(s, BuyShare("IOW", "ipo"))
    assert of_kind(told, LayerOpened) == [LayerOpened(2)]
    assert {action.company for action in legal(s, Start)} == {"C&N", "IWNJ", "FYN"}


def test_the_next_layer_opens_by_sell_out_at_once() -> None:
    """Layers; Buying and Selling Shares: 60-43: as the IPO is empty, with the reserved certificate, in this SR."""
    s = table("cash 900 900\nprivates RPSC 1\nIOW 3* 5 | at 82 | new", layer=1)
    play(s, BuyShare("IOW", "ipo"))
    assert s.layer == 1, "the reserved certificate is left"
    told = play(s, Exchange("RPSC"))
    assert of_kind(told, LayerOpened) == [LayerOpened(2)]
    assert Start("IWNJ", 62) in legal(s)


def test_cash_is_open() -> None:
    """Open cash: players may look at each other's cash."""
    s = table(TWO)
    sheets = {TITLE.views.look(s, Request("table", seat)).alt for seat in (0, 1, 2, None)}
    assert len(sheets) == 1
    assert "£500" in sheets.pop()


def test_a_player_with_nothing_to_do_is_passed_over() -> None:
    """A stock turn: who can only pass is not asked."""
    s = table("cash 0 0 500\nIOW . . 5* | at 90 | 2+1\nC&N . . 2* | par 74", turn=2)
    play(s, Pass())
    assert isinstance(s.round, Operating)
    assert settle(s) == []


def test_a_standstill_ends_the_game() -> None:
    """A stock turn: where no one can ever do anything again, rounds would follow rounds without end."""
    s = table("cash 20 5\nS&C 5* . | at 14 | 0cc\nIOW | bankrupt", tiles="F12 6/2", turn=1)
    begin_operating(s)
    play(s, Pass())  # no track
    assert s.companies["S&C"].bankrupt
    assert s.over == "standstill"
    assert TITLE.actors(s) == ()
    assert [score.total for score in sure(TITLE.result(s)).scores] == [20, 5]


@pytest.mark.parametrize(
    ("lines", "last", "still"),
    [
        ("", -1, True),
        ("", 0, False),  # the first seat has traded
        ("\nprivates BHC 0", -1, False),  # it pays
        ("\nprivates BHC closed", -1, True),
        ("\nIOW 5* . | par 82 at 82", -1, False),  # it runs
        ("\nIOW 1 . | par 82", -1, False),  # its share can be sold
    ],
)
def test_a_round_with_trades_or_earnings_is_no_standstill(lines: str, last: int, still: bool) -> None:
    """A stock turn: rounds go on as long as anything can change."""
    s = table("cash 20 5" + lines)
    s.stock.last = last
    assert is_standstill(s) is still


@pytest.mark.parametrize(("cash", "enough"), [(164, True), (163, False)])
def test_a_directors_certificate_costs_twice_the_par(cash: int, enough: bool) -> None:
    s = table(f"cash {cash} 500", layer=4)
    if enough:
        play(s, Start("IWNJ", 82))
        assert s.cash[0] == 0
    else:
        assert "The director's certificate of IWNJ costs £164" in catch_refusal(s, Start("IWNJ", 82)).sentence


def test_what_is_not_there_is_told_before_the_limit_and_the_money() -> None:
    """Buying; At and above the limit: to sell first would help as little as more money."""
    s = table("cash 0 500\nIOW 2* 8 | par 82 at 90 | 2+1\nC&N 8* . | pool 2 | par 74 at 74\nFYN 8* . | par 62 at 62")
    assert catch_refusal(s, BuyShare("IOW", "ipo")).sentence == "There are no shares of IOW in the IPO."
    assert catch_refusal(s, BuyShare("C&N", "ipo")).sentence.endswith("in the IPO; buy from the bank pool.")
    assert "costs £74" in catch_refusal(s, BuyShare("C&N", "pool")).sentence
