"""The words of choices, and what the sheet of the table and the market show."""

import pytest

from engine.rails.laying import LayTile
from engine.record import Action
from engine.title import Request
from engine.titles.g1860 import TITLE
from engine.titles.g1860.actions import (
    Answer,
    Bid,
    BuyPrivate,
    BuyShare,
    BuyTrain,
    ClosePrivate,
    Counter,
    Discard,
    Exchange,
    PlaceBase,
    Run,
    SellPrivate,
    Start,
    Withdraw,
)
from engine.view import MarketView, Sheet
from tests.engine.titles.g1860.positions import operating, table
from tests.support.sure import as_a

ISLE = "cash 500 300 500\nIOW 5* 2 | pool 1 | par 82 at 90 | 700cc | 2+1\nC&N 1 5* | par 74 at 82 | 2+1 2+1"


@pytest.mark.parametrize(
    ("action", "parameter", "words"),
    [
        (BuyTrain("3+2", "bank", 300), "", "Buy 3+2 for 300cc, leaves 400cc"),
        (BuyTrain("4+2", "bank", 350), "", "Buy 4+2 for 350cc, leaves 350cc; all 2+1 then rust: C&N and IOW"),
        (BuyTrain("4+2", "bank", 350), "train", "4+2 · bank · 350cc, leaves 350cc; all 2+1 then rust: C&N and IOW"),
        (BuyTrain("2+1", "C&N", 100), "", "Offer C&N 100cc for its 2+1"),
        (BuyTrain("2+1", "C&N", 100), "train", "2+1 · from C&N · {1} is asked; its printed price is 250cc"),
        (BuyTrain("2+1", "C&N", 100), "price", "100cc · leaves 600cc"),
        (Discard("2+1"), "", "Return a 2+1 to the bank"),
        (Discard("2+1"), "train", "return a 2+1"),
        (Answer("decline"), "", "Decline"),
        (Answer("accept"), "reply", "Accept"),
        (Counter(70), "", "Ask for 70cc instead"),
        (Counter(70), "price", "70cc"),
        (Withdraw(), "", "Take the offer back"),
        (Run("best"), "", "Run the best routes"),
        (Run("2+1 I3-J4"), "", "Run these routes"),
        (Run("best"), "plan", "the best run"),
        (Run("2+1 I3-J4"), "plan", "2+1 I3-J4"),
        (PlaceBase("J4", 0), "", "Build a base at Ryde (J4) for 40cc · worth £20 · blocks no one"),
        (PlaceBase("J4", 0), "city", "J4 Ryde · base for 40cc · worth £20 · blocks no one"),
    ],
)
def test_6_choices_of_a_companys_turn(action: Action, parameter: str, words: str) -> None:
    assert TITLE.words.label(operating(ISLE, "IOW", "train"), action, parameter) == words


@pytest.mark.parametrize(
    ("place", "words"),
    [("I3", "I3 Ryde Esplanade · upgrade"), ("J4", "J4 Ryde · upgrade"), ("F2", "F2 Cowes · new")],
)
def test_printed_yellow_and_laid_tiles_are_upgraded(place: str, words: str) -> None:
    s = operating(ISLE, "IOW", "track", tiles="J4 5/1")
    assert TITLE.words.label(s, LayTile(place, "57", 0), "hex") == words


@pytest.mark.parametrize(("phase", "told"), [("3", True), ("4", False), ("5", False)])
def test_a_train_whose_phase_has_begun_rusts_nothing_more(phase: str, told: bool) -> None:
    s = operating(ISLE, "IOW", "train", phase=phase)
    assert ("rust" in TITLE.words.label(s, BuyTrain("4+2", "bank", 350), "")) is told
    for company in s.companies.values():
        company.trains.clear()
    assert TITLE.words.label(s, BuyTrain("4+2", "bank", 350), "").endswith("all 2+1 then rust") is told


@pytest.mark.parametrize(
    ("action", "parameter", "words"),
    [
        (Bid(20), "", "Bid £20"),
        (Bid(20), "amount", "£20"),
        (Start("S&C", 62), "", "Start S&C at par £62 for £124"),
        (Start("S&C", 62), "company", "S&C · Shanklin & Chale, home Chale"),
        (Start("S&C", 62), "price", "par £62 · £124 for the director's certificate"),
        (BuyShare("IOW", "pool"), "", "Buy 10% IOW from the pool for £90"),
        (BuyShare("IOW", "ipo"), "share", "10% IOW · IPO · £82 (20% there)"),
        (BuyShare("IOW", "pool"), "share", "10% IOW · bank pool · £90 (10% there)"),
        (BuyPrivate("RPSC"), "", "Buy the Ryde Pier & Ferry Company for £130"),
        (BuyPrivate("RPSC"), "share", "Ryde Pier & Ferry Company · £130, pays £30"),
        (SellPrivate("RPSC"), "", "Sell the Ryde Pier & Ferry Company for £100"),
        (SellPrivate("RPSC"), "company", "Ryde Pier & Ferry Company · £100"),
        (Exchange("RPSC"), "", "Swap the Ryde Pier & Ferry Company for 10% IOW"),
        (Exchange("RPSC"), "private", "Ryde Pier & Ferry Company → 10% IOW"),
        (ClosePrivate("FFC"), "", "Close the Fishbourne Ferry Company"),
    ],
)
def test_4_choices_of_a_stock_round(action: Action, parameter: str, words: str) -> None:
    assert TITLE.words.label(table(ISLE), action, parameter) == words


def test_the_zones_of_the_market_have_signs() -> None:
    """When the game ends.

    Bankrupt at the bottom, the end at the top; red where the first share is free; a P where one may start.
    """
    cells = as_a(MarketView, TITLE.views.look(table(ISLE), Request("market"))).cells
    of = {sign: [cell.price for cell in cells if cell.sign == sign] for sign in "BRPT"}
    assert of["B"] == [0]
    assert of["T"] == [340]
    assert of["P"] == [54, 58, 62, 68, 74, 82, 90, 100]
    assert of["R"] == [each.price for each in cells if 0 < each.price < 40 or 150 < each.price < 340]


def test_the_sheet_of_the_table_shows_holdings_and_companies() -> None:
    s = table(f"{ISLE}\nprivates RPSC 1 FFC closed YHC closed", layer=2)
    shown = as_a(Sheet, TITLE.views.look(s, Request("table", 0, "", ("Ann", "Bob", "Cid"))))
    owned, companies = ([[entry.text or entry.chip for entry in row] for row in each.rows] for each in shown.tables)
    assert owned == [
        ["Ann (deal)", "£500", "10", "50*", "", "5/21", "£1,032"],
        ["Bob", "£300", "50*", "20", "RPSC", "7/21", "£1,020"],
        ["Cid", "£500", "", "", "", "0/21", "£500"],
        ["IPO", "", "40", "20", "", "", ""],
        ["Pool", "", "", "10", "", "", ""],
        ["Bank", "£8,700", "", "", "BHC CMH", "", ""],
    ]
    assert companies[:2] == [
        ["C&N", "82", "74", "0cc", "2+1 2+1", "1/4", "Bob", ""], ["IOW", "90", "82", "700cc", "2+1", "1/4", "Ann", ""],
    ]  # fmt: skip
    assert companies[2] == ["IWNJ", "", "", "", "", "0/3", "", "may start"]
    assert companies[-1][-1] == "layer 4"


@pytest.mark.parametrize(
    ("over", "note"),
    [(0, ()), (1, ("The bank has paid £1 more than it had.",)), (500, ("The bank has paid £500 more than it had.",))],
)
def test_overpayment_by_the_bank_is_noted(over: int, note: tuple[str, ...]) -> None:
    s = table(ISLE)
    s.cash[0] += s.bank + over
    shown = as_a(Sheet, TITLE.views.look(s, Request("table")))
    assert shown.notes == (*note, "Certificate limit 21.")
    assert shown.tables[0].rows[-1][1].text == "£0"
    trains = as_a(Sheet, TITLE.views.look(s, Request("trains")))
    assert trains.alt.endswith(note[0] if note else "Bank £0.")
