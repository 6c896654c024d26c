"""Private companies: income, sales, exchanges."""

import pytest

from engine import Rng
from engine.finance.events import CompanyFloated, DirectorChanged
from engine.finance.rounds import Pass
from engine.titles.g1860 import TITLE, worth
from engine.titles.g1860.actions import BuyPrivate, BuyShare, ClosePrivate, Exchange, Sell, SellPrivate, Start
from engine.titles.g1860.events import PrivateClosed, PrivatesPaid
from engine.titles.g1860.state import BANK, CLOSED
from tests.engine.titles.g1860.positions import begin_operating, catch_refusal, legal, of_kind, play, table

LINKS = {"BHC": "BHI&R", "RPSC": "IOW", "CMH": "C&N", "YHC": "FYN"}


def test_privates_pay_their_owner_at_the_start_of_each_operating_round() -> None:
    """Private income: each OR, also after nationalisation; nothing from the bank's or from closed ones."""
    s = table("cash 10 20\nprivates BHC 0 CMH 0 RPSC 1 YHC bank FFC closed\nIOW 2* 3 | at 90 | 9+5")
    assert of_kind(begin_operating(s), PrivatesPaid) == [PrivatesPaid(0, 25), PrivatesPaid(1, 30)]
    assert s.cash == [35, 50]
    s.nationalised = s.stopped = True
    assert of_kind(begin_operating(s), PrivatesPaid)


@pytest.mark.parametrize(("code", "price"), [("BHC", 0), ("YHC", 20), ("CMH", 60), ("RPSC", 100), ("FFC", 170)])
def test_privates_are_sold_to_the_bank(code: str, price: int) -> None:
    """Selling a private: from the second SR on, for face less 30; they stay on sale at face value."""
    s = table(f"cash 0 500\nprivates {code} 0\nC&N 2* . | par 74", number=1)
    assert catch_refusal(s, SellPrivate(code)).rule.section == "Selling Private Companies"
    s.turn = 2
    play(s, SellPrivate(code))
    assert s.cash[0] == price
    assert s.privates[code] == BANK
    s.stock.turn = 1
    s.stock.acted = False
    assert BuyPrivate(code) in legal(s)


def test_a_company_where_a_private_could_stand_is_refused_as_its_share_would_be() -> None:
    """Selling a private; Buying: "buy FYN", "sell FYN" mean its shares, wherever both might be said."""
    s = table("cash 100 100\nprivates BHC bank\nC&N 2* . | par 74")
    assert catch_refusal(s, BuyPrivate("FYN")).sentence == catch_refusal(s, BuyShare("FYN", "ipo")).sentence
    assert catch_refusal(s, SellPrivate("FYN")).sentence == catch_refusal(s, Sell("FYN", 1)).sentence
    assert "no company or private company “XYZ”" in catch_refusal(s, BuyPrivate("XYZ")).sentence


def test_players_do_not_close_or_sell_others_privates() -> None:
    """Selling a private: no other way to get rid of one; no one sells what is not his."""
    s = table("cash 100 100\nprivates BHC 1\nC&N 2* . | par 74")
    assert catch_refusal(s, SellPrivate("BHC")).rule.section == "Selling Private Companies"
    assert catch_refusal(s, ClosePrivate("BHC"), seat=0).rule.section == "Selling Private Companies"


def test_buying_a_private_is_the_purchase_of_the_turn() -> None:
    """Privates and the turn.

    60-40: Selling one belongs to the selling half; buying one is the one purchase; neither is a pass.
    """
    s = table("cash 500 500\nprivates BHC 0 YHC bank\nC&N 2* . | par 74")
    play(s, SellPrivate("BHC"))
    assert s.stock.turn == 0, "he may still buy"
    play(s, BuyPrivate("YHC"))
    assert s.stock.turn == 1, "the purchase ends the turn"
    play(s, Pass(), Pass())
    assert s.priority == 1, "left of the last who traded"


def test_a_private_needs_certificate_room() -> None:
    """Privates and the turn: a private bought from the bank needs room under the limit."""
    s = table("cash 500 500 500 500\nprivates YHC bank\nC&N 10* | par 74\nIOW 8* | par 74")
    assert s.count_certificates(0) == 16
    assert catch_refusal(s, BuyPrivate("YHC")).rule.section == "Certificate Limit"


def test_the_seller_may_buy_the_private_back() -> None:
    """Privates and the turn: the rulebook lets him in the same SR; 18xx.games does not."""
    text = "cash 500 500\nprivates YHC 0\nC&N 2* . | par 74"
    s = table(text)
    play(s, SellPrivate("YHC"))
    assert BuyPrivate("YHC") in legal(s)
    s = table(text, options={"profile": "18xx.games"})
    play(s, SellPrivate("YHC"))
    assert (
        "You sold the Yarmouth Port & Shipping Company in this stock round"
        in catch_refusal(s, BuyPrivate("YHC")).sentence
    )


@pytest.mark.parametrize(("private", "railway"), LINKS.items())
def test_exchange_takes_the_top_certificate(private: str, railway: str) -> None:
    """Exchange: once the company is started, free, in any SR; the private is out, its certificate ordinary."""
    s = table(f"cash 500 500\nprivates {private} 0", number=1, layer=4)
    assert catch_refusal(s, Exchange(private)).rule.section == "Exchanging Private Companies"
    s = table(f"cash 500 500\nprivates {private} 0\n{railway} . 2* | par 68", number=1)
    play(s, Exchange(private))
    company = s.companies[railway]
    assert (company.shares, company.ipo, company.reserved, s.privates[private]) == ([1, 2], 7, False, CLOSED)
    assert s.stock.turn == 0, "no action: the turn goes on"
    assert BuyShare(railway, "ipo") in legal(s)


def test_exchange_floats_and_changes_the_director() -> None:
    """Exchange: 60-41: it may cause flotation or a change of director, and is allowed in a company sold this SR."""
    s = table("cash 500 500\nprivates RPSC 0\nIOW 2 2* | par 82 | new")
    told = play(s, Exchange("RPSC"))
    assert of_kind(told, DirectorChanged) == [DirectorChanged("IOW", 0)]
    assert of_kind(told, CompanyFloated)
    s = table("cash 500 500\nprivates RPSC 0\nIOW 2 3* | at 82")
    play(s, Sell("IOW", 1))
    can = "a private company can be exchanged in a round in which its owner sold shares of the railway"
    assert TITLE.words.ask(s).readings == (f"This table reads: {can} (Exchanging Private Companies, 60-41).",)
    play(s, Exchange("RPSC"))
    assert s.companies["IOW"].shares == [2, 3]


def test_exchange_only_on_the_owners_turn() -> None:
    """Exchange: on the owner's turn, before or after a purchase that made it possible; not after the turn."""
    s = table("cash 500 500\nprivates RPSC 1 BHC 0", layer=4)
    assert catch_refusal(s, Exchange("RPSC"), seat=1).sentence == "It's not your turn."
    assert catch_refusal(s, Exchange("RPSC"), seat=0).rule.section == "Exchanging Private Companies"
    play(s, Start("BHI&R", 58))
    assert s.stock.turn == 0, "the start made an exchange possible"
    play(s, Exchange("BHC"))
    assert s.companies["BHI&R"].shares == [3, 0]
    assert s.stock.turn == 1


@pytest.mark.parametrize("edition", ["second", "first"])
def test_no_exchange_until_a_bankrupt_company_has_floated_again(edition: str) -> None:
    """Exchange and bankruptcy.

    A new par is not enough, in either edition; the share that floats it makes the exchange possible.
    """
    s = table("cash 500 500\nprivates RPSC 0\nIOW | bankrupt", options={"edition": edition})
    assert catch_refusal(s, Exchange("RPSC")).rule.section == "Exchanging Private Companies"
    play(s, Start("IOW", 40))
    assert s.stock.turn == 1, "the start made no exchange possible"
    s = table("cash 500 500\nprivates RPSC 0\nIOW 2* 2 | par 40 | bankrupt", options={"edition": edition})
    refusal = catch_refusal(s, Exchange("RPSC"))
    assert (refusal.rule.section, refusal.sentence) == (
        "Exchanging Private Companies",
        "IOW is bankrupt; the Ryde Pier & Ferry Company can be exchanged once it has floated again.",
    )  # fmt: skip
    play(s, BuyShare("IOW", "ipo"))
    assert s.stock.turn == 0, "the purchase made the exchange possible"
    play(s, Exchange("RPSC"))
    assert (s.companies["IOW"].shares, s.stock.turn) == ([4, 2], 1)


@pytest.mark.parametrize("edition", ["second", "first"])
@pytest.mark.parametrize("company", ["IOW | bankrupt", "IOW 2* 2 | par 40 | bankrupt"])
def test_no_list_offers_the_exchange_before_the_company_has_floated_again(edition: str, company: str) -> None:
    """Exchange and bankruptcy: not what is legal, not the buttons, not the stand-in; after the flotation all may."""
    s = table(f"cash 500 500\nprivates RPSC 0\n{company}", options={"edition": edition})
    exchange = Exchange("RPSC")
    assert exchange not in legal(s)
    assert exchange not in [tip.action for tip in TITLE.advice.tips(s, 0)]
    assert exchange not in {TITLE.advice.choose(s, 0, Rng(seed)) for seed in range(60)}
    s = table("cash 500 500\nprivates RPSC 0\nIOW 3* 2 | at 40", options={"edition": edition})
    assert exchange in legal(s)
    assert exchange in {TITLE.advice.choose(s, 0, Rng(seed)) for seed in range(60)}


def test_buying_the_private_of_a_bankrupt_company_ends_the_turn() -> None:
    """Exchange and bankruptcy: until the company floats again there is nothing to go on for."""
    s = table("cash 500 500\nprivates RPSC bank BHC 0\nIOW . 4* | par 40 | bankrupt\nBHI&R . 5* | at 58", number=2)
    play(s, BuyPrivate("RPSC"))
    assert s.stock.turn == 1


@pytest.mark.parametrize(("version", "options"), [(3, {}), (4, {"profile": "18xx.games"})])
def test_by_older_rules_and_on_18xx_games_a_new_par_is_enough_for_the_exchange(
    version: int, options: dict[str, str]
) -> None:
    """Differences 84: the company is still bankrupt; tables of 0.2 go on as they began."""
    s = table("cash 500 500\nprivates RPSC 0\nIOW | bankrupt", version=version, options=options, phase="6")
    play(s, Start("IOW", 40))
    assert s.companies["IOW"].bankrupt
    play(s, Exchange("RPSC"))
    assert (s.companies["IOW"].shares, s.stock.turn) == ([3, 0], 1)


def test_the_reserved_certificate() -> None:
    """The reserved certificate.

    Not to be bought before its private is closed, also while the bank holds the private.
    """
    s = table("cash 500 500\nprivates RPSC bank\nIOW 4* 5 | at 82")
    assert catch_refusal(s, BuyShare("IOW", "ipo")).rule.section == "Exchanging Private Companies"
    s = table("cash 500 500\nprivates RPSC closed\nIOW 4* 5 | at 82")
    play(s, BuyShare("IOW", "ipo"))
    assert s.companies["IOW"].ipo == 0
    s = table("cash 500 500\nprivates RPSC 0\nIOW 4* 4 | at 82")
    play(s, Exchange("RPSC"))
    assert not s.companies["IOW"].reserved
    s = table("cash 500 500\nprivates RPSC 1\nIOW 4* 5 | at 82", phase="6")
    play(s, BuyPrivate("FFC"), BuyShare("IOW", "ipo"))
    assert s.companies["IOW"].ipo == 0


def test_the_fishbourne_ferry() -> None:
    """Fishbourne Ferry; Phases: from the first 6+3 on, for 200; it closes all others, which are worthless and gone."""
    text = "cash 500 500\nprivates RPSC 1 BHC bank YHC 0\nIOW 4* 5 | at 82\nC&N 2* . | par 74"
    s = table(text, phase="5")
    assert catch_refusal(s, BuyPrivate("FFC")).rule.section == "The Fishbourne Ferry Company"
    s = table(text, phase="6")
    told = play(s, BuyPrivate("FFC"))
    assert {event.private for event in of_kind(told, PrivateClosed)} == {"RPSC", "BHC", "YHC", "CMH"}
    assert s.cash[0] == 300
    assert dict(worth.list_parts(s, 1))["privates"] == 0
    assert catch_refusal(s, BuyPrivate("BHC")).rule.section == "Selling Private Companies"
    play(s, BuyShare("IOW", "ipo"))  # seat 1: reserved no longer
    assert of_kind(begin_operating(s), PrivatesPaid) == [PrivatesPaid(0, 25)]


def test_privates_count_as_certificates_and_at_face_value() -> None:
    """Worth of privates: one certificate each; face value in the score, Fishbourne too, which sells back for 170."""
    s = table("cash 5 5\nprivates RPSC 0 BHC 0 FFC 0\nIOW 4* 5 | at 82 | 2+1", phase="6")
    assert s.count_certificates(0) == 6
    assert dict(worth.list_parts(s, 0))["privates"] == 360
    play(s, SellPrivate("FFC"))
    assert s.cash[0] == 175


def test_exchange_at_the_certificate_limit() -> None:
    """Exchange at the limit: one in, one out."""
    s = table("cash 500 500 500 500\nprivates YHC 0\nC&N 10* | par 74\nIOW 7* | par 74\nFYN . 2* | par 68")
    assert s.count_certificates(0) == 16
    play(s, Exchange("YHC"))
    assert s.count_certificates(0) == 16


@pytest.mark.parametrize(
    ("code", "told", "section"),
    [
        ("CMH", "You already own the Cowes Marina & Ferry Company.", "Selling Private Companies"),
        ("YHC", "{1} owns the Yarmouth Port & Shipping Company, and", "Miscellaneous"),
        ("BHC", "The Brading Harbour Company has closed and is out of the game.", "Selling Private Companies"),
        ("FFC", "The Fishbourne Ferry Company can't be bought until the first 6+3", "The Fishbourne Ferry Company"),
    ],
)
def test_a_private_that_the_bank_does_not_sell_is_refused_by_who_has_it(code: str, told: str, section: str) -> None:
    """Selling a private; Fishbourne Ferry: one's own, another player's, a closed one, one that comes later."""
    s = table("cash 500 500\nprivates CMH 0 YHC 1 BHC closed\nC&N 2* . | par 74")
    refusal = catch_refusal(s, BuyPrivate(code))
    assert refusal.sentence.startswith(told)
    assert refusal.rule.section == section


def test_fishbourne_is_exchanged_for_nothing() -> None:
    s = table("cash 500 500\nprivates FFC 0\nC&N 2* . | par 74", phase="6")
    assert "isn't linked to a railway" in catch_refusal(s, Exchange("FFC")).sentence
