"""Moves worth a button: bids, the pass where a step may be declined, and how players stand in an auction."""

from engine.finance.actions import Pass
from engine.title import Request
from engine.titles.g1862 import TITLE
from engine.titles.g1862.actions import Bid
from engine.titles.g1862.rounds.records import TurnStep
from engine.titles.g1862.state import State
from engine.view import Sheet
from tests.engine.titles.g1862.positions import operating, parliament, play, stock, table
from tests.support.sure import as_a

LINE = "N&E 90 5*,0,0,0 cash=500 unplaced=2 trains=2F at=B13"


def test_a_pass_is_a_tip_at_steps_that_may_be_declined_and_nowhere_else() -> None:
    s = table(LINE, tiles="B13:57:0 B11:57:0")
    free: tuple[TurnStep, ...] = ("track", "token")
    bound: tuple[TurnStep, ...] = ("run", "dividend")
    for step in free:
        assert TITLE.tips(operating(s, "N&E", step), 0)[-1].action == Pass(), step
    for step in bound:
        assert Pass() not in [tip.action for tip in TITLE.tips(operating(s, "N&E", step), 0)], step


def test_3_2_tips_of_an_auction_stay_within_what_a_player_can_pay() -> None:
    s = parliament(table(cash=[1000, 1000, 175, 1000]))
    assert Pass() in [tip.action for tip in TITLE.tips(s, 0)]
    play(s, Bid("N&E", 5))
    bids = [tip.action for tip in TITLE.tips(s, 1)]
    assert bids[-1] == Pass()
    amounts = [bid.amount for bid in bids if isinstance(bid, Bid)]
    assert amounts
    assert amounts == sorted(amounts)
    assert min(amounts) > 5
    play(s, Pass())
    assert all(isinstance(tip.action, Pass) or as_a(Bid, tip.action).amount <= 175 for tip in TITLE.tips(s, 2))


def standing(s: State) -> list[str]:
    """Return how players stand, as the sheet of Parliament has it."""
    sheet = as_a(Sheet, TITLE.look(s, Request("parliament", 0)))
    lot = next(part for part in sheet.tables if part.title.startswith("The charter of N&E"))
    return [row[-1].text for row in lot.rows]


def test_3_2_a_sheet_tells_who_bids_who_has_passed_and_who_is_to_bid() -> None:
    s = parliament(table())
    play(s, Bid("N&E", 5), Pass())
    assert standing(s) == ["bids £5", "passed", "to bid", ""]
    play(s, Pass(), Pass())
    assert standing(s) == ["won for £5", "", "", ""]


def test_4_who_may_pass_in_a_stock_round_has_the_pass_as_a_tip() -> None:
    assert [tip.action for tip in TITLE.tips(stock(table()), 0)] == [Pass()]
