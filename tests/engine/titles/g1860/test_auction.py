"""Private Companies and the Initial Auction."""

import pytest

from engine.finance.rounds import Pass
from engine.interop.g1860.profile import TITLE
from engine.setup import Setup
from engine.titles.g1860.actions import Bid, BuyPrivate, Start
from engine.titles.g1860.events import AuctionWon
from engine.titles.g1860.rounds import turn
from engine.titles.g1860.state import Auction, State, Stock
from tests.engine.titles.g1860.positions import catch_refusal, legal, of_kind, play, settle


def auction(seats: int = 3, lots: str = "BHC YHC CMH RPSC C&N IOW", first: int = 0, **options: str) -> State:
    """Return an auction with these lots left; the others are no one's."""
    s = TITLE.deal(Setup("1860", seats, options))
    s.round = Auction(lots.split(), turn=first)
    return s


def take_all(s: State, *, cash: list[int], privates: dict[str, int]) -> State:
    """End the auction with this cash and these owners."""
    s.cash = cash
    s.privates |= privates
    s.round = Auction([])
    settle(s)
    return s


def test_six_lots() -> None:
    """Six auctions; Setting up the Game.

    Four privates and two director's certificates; each auction sells a choice among those left.
    """
    s = auction()
    assert set(TITLE.deal(Setup("1860", 3)).auction.lots) == {"BHC", "YHC", "CMH", "RPSC", "C&N", "IOW"}
    play(s, Bid(5), Pass(), Pass())
    chosen = {getattr(action, "private", "") or getattr(action, "company", "") for action in legal(s)}
    assert chosen == {"BHC", "YHC", "CMH", "RPSC", "C&N", "IOW"}
    play(s, BuyPrivate("CMH"))
    assert "CMH" not in s.auction.lots
    play(s, Pass(), Pass(), Pass())
    assert "CMH" in catch_refusal(s, BuyPrivate("CMH")).sentence


def test_bids_rise_by_five_at_least() -> None:
    """Bidding: seat 0, left of the banker, starts; at least 5 more, any whole amount; a pass is for this auction."""
    s = auction()
    assert TITLE.actors(s) == (0,)
    assert catch_refusal(s, Bid(4)).rule.section == "Private Companies and the Initial Auction"
    play(s, Bid(5))
    assert TITLE.actors(s) == (1,)
    assert catch_refusal(s, Bid(9)).rule.section == "Private Companies and the Initial Auction"
    play(s, Bid(27), Pass())
    assert TITLE.actors(s) == (0,), "clockwise"
    play(s, Bid(32), Pass(), BuyPrivate("BHC"))
    assert s.auction.passed == [], "everybody is back in the next auction"


def test_no_one_bids_out_of_turn() -> None:
    """Bidding: clockwise, one after the other."""
    s = auction()
    assert catch_refusal(s, Bid(5), seat=1).sentence == "It's not your turn."


@pytest.mark.parametrize(("lots", "ceiling"), [("BHC IOW", 640), ("CMH RPSC", 580), ("C&N IOW", 522)])
def test_a_bid_leaves_money_for_the_cheapest_lot(lots: str, ceiling: int) -> None:
    """The highest bid allowed.

    At most the cash less the price of the cheapest lot; a director's certificate counts 2 × 74.
    """
    s = auction(lots=lots)
    assert legal(s, Bid)[-1] == Bid(ceiling)
    assert catch_refusal(s, Bid(ceiling + 1)).rule.section == "Private Companies and the Initial Auction"


def test_a_player_who_cannot_bid_passes() -> None:
    """The highest bid allowed.

    Who has not the £130 and the £10 of the least raise is passed over; in the site's profile he says so.
    """
    for cash, actor in ((139, 2), (140, 1)):
        s = auction(lots="RPSC")
        s.cash = [670, cash, 670]
        play(s, Bid(5))
        assert TITLE.actors(s) == (actor,)
    s = auction(lots="RPSC", profile="18xx.games")
    s.cash = [670, 134, 670]
    play(s, Bid(5))
    assert TITLE.actors(s) == (1,)
    assert legal(s) == [Pass()]


def test_the_last_one_left_wins() -> None:
    """Winning: who has bid wins when all others have passed."""
    s = auction()
    told = play(s, Bid(20), Pass(), Pass())
    assert of_kind(told, AuctionWon) == [AuctionWon(0, 20)]
    assert s.cash[0] == 650


def test_the_last_one_is_still_asked() -> None:
    """Winning: 60-38: with all but one passed and no bid, the last may bid and wins at once, or pass."""
    s = auction()
    play(s, Pass(), Pass())
    assert TITLE.actors(s) == (2,)
    told = play(s, Bid(11))
    assert of_kind(told, AuctionWon) == [AuctionWon(2, 11)]


def test_the_winner_pays_bid_and_value() -> None:
    """Choosing a lot: the bid, then the value of any lot he can pay for; a par at once for a director's certificate."""
    s = auction()
    play(s, Bid(480), Pass(), Pass())
    assert s.cash[0] == 190
    found = legal(s)
    assert BuyPrivate("RPSC") in found
    assert [start.par for start in found if isinstance(start, Start) and start.company == "IOW"] == [74, 82, 90]
    assert catch_refusal(s, Start("IOW", 100)).rule.section == "Private Companies and the Initial Auction"
    assert catch_refusal(s, Start("IOW", 78)).rule.section == "Private Companies and the Initial Auction"
    assert catch_refusal(s, BuyPrivate("IOW")).rule.section == "Private Companies and the Initial Auction", (
        "a railway is started"
    )
    assert catch_refusal(s, Start("RPSC", 74)).rule.section == "Private Companies and the Initial Auction", (
        "a private is bought"
    )
    play(s, Start("IOW", 90))
    iow = s.companies["IOW"]
    assert (s.cash[0], iow.par, iow.shares, iow.director, iow.ipo) == (10, 90, [2, 0, 0], 0, 8)


def test_without_a_bid_the_first_to_pass_takes_a_lot() -> None:
    """No bids: he wins for nothing and pays the value only; he must take a lot."""
    s = auction()
    told = play(s, Pass(), Pass(), Pass())
    assert of_kind(told, AuctionWon) == [AuctionWon(0, 0)]
    assert catch_refusal(s, Pass()).rule.section
    play(s, BuyPrivate("BHC"))
    assert s.cash[0] == 640


def test_a_player_who_can_pay_for_no_lot_gives_all_cash() -> None:
    """No bids: 60-39: the cheapest lot for all his cash; a director's certificate then at par 74."""
    s = auction(lots="C&N RPSC")
    s.cash = [100, 100, 100]
    settle(s)
    assert legal(s) == [BuyPrivate("RPSC")]
    s = auction(lots="C&N")
    s.cash = [100, 90, 80]
    settle(s)
    assert legal(s) == [Start("C&N", 74)]
    assert catch_refusal(s, Start("C&N", 82)).rule.section == "Private Companies and the Initial Auction"
    play(s, Start("C&N", 74))
    assert s.cash[0] == 0
    assert s.companies["C&N"].par == 74


def test_a_player_with_just_enough_for_a_lot_may_not_take_another_for_less() -> None:
    """No bids: only who can pay for none takes the cheapest for all he has."""
    s = auction(lots="C&N BHC")
    s.cash = [30, 100, 100]
    play(s, Pass(), Pass(), Pass())
    assert legal(s) == [BuyPrivate("BHC")]
    assert catch_refusal(s, Start("C&N", 74)).rule.section == "Private Companies and the Initial Auction"
    s.cash[0] = 29
    assert catch_refusal(s, Start("C&N", 74)).rule.section == "Private Companies and the Initial Auction"


def test_the_next_auction_starts_left_of_the_winner() -> None:
    """The next auction: left of the previous winner."""
    s = auction()
    play(s, Bid(5), Bid(10), Pass(), Pass(), BuyPrivate("BHC"))
    assert s.privates["BHC"] == 1
    assert TITLE.actors(s) == (2,)


def test_the_first_deal_goes_to_the_most_cash() -> None:
    """The first deal: the priority deal to the most cash, and the first stock round begins."""
    s = take_all(auction(), cash=[100, 300, 200], privates={})
    assert isinstance(s.round, Stock)
    assert (s.name, s.priority, TITLE.actors(s)) == ("SR 1", 1, (1,))


def test_a_tie_for_the_first_deal() -> None:
    """The first deal: equal cash: the lowest face value of privates among all who own one, tied or not."""
    owners = {"BHC": 0, "CMH": 2, "RPSC": 1}
    assert take_all(auction(), cash=[100, 300, 300], privates=owners).priority == 0
    tied = take_all(auction(priority_tie="tied"), cash=[100, 300, 300], privates=owners)
    assert tied.priority == 2
    nobody = take_all(auction(priority_tie="tied"), cash=[100, 300, 300], privates={"BHC": 0})
    assert nobody.priority == 1, "the first in seat order where none of the tied owns a private"


def test_a_whole_auction_leads_to_the_stock_round() -> None:
    """The first deal: after all six the stock round begins."""
    s = TITLE.deal(Setup("1860", 2))
    for _ in range(6):
        play(s, Pass(), Pass())
        play(s, next(iter(turn.list_legal(s, TITLE.actors(s)[0]))))
    assert s.name == "SR 1"
    assert all(s.privates[code] >= 0 for code in ("BHC", "YHC", "CMH", "RPSC"))
    assert sum(s.companies["IOW"].shares) == 2


@pytest.mark.parametrize(("cash", "pars"), [(169, [74, 82]), (168, [74]), (205, [74, 82, 90, 100])])
def test_a_certificate_that_takes_all_the_money_left_can_be_chosen(cash: int, pars: list[int]) -> None:
    """Choosing a lot: after the bid, each par of which twice can be paid."""
    s = auction(2, "IOW")
    s.cash = [cash, 500]
    play(s, Bid(5), Pass())
    assert [action.par for action in legal(s, Start)] == pars
    play(s, Start("IOW", pars[-1]))
    assert s.cash[0] == cash - 5 - 2 * pars[-1]


@pytest.mark.parametrize("winner", [0, 2])
def test_the_winner_must_choose_before_anything_else(winner: int) -> None:
    s = auction(first=winner)
    s.auction.chooser = winner
    error = catch_refusal(s, Bid(5), seat=winner)
    assert error.sentence.endswith("now; you won the auction and must first choose a lot.")
    assert error.rule.section == "Private Companies and the Initial Auction"
    assert (
        catch_refusal(auction(first=winner), Start("IOW", 74), seat=winner).rule.section
        == "Private Companies and the Initial Auction"
    )


def test_a_player_who_can_only_pass_is_told_why() -> None:
    """The highest bid allowed: no bid leaves enough for the cheapest lot, whatever is bid."""
    s = auction(lots="CMH RPSC")
    s.cash = [93, 500, 500]
    told = "a bid must be at least £5, and you have £93, of which you must keep £90 for the cheapest lot, CMH."
    for amount in (0, 3, 5, 80):
        assert catch_refusal(s, Bid(amount), seat=0).sentence == f"You can only pass: {told}"


def test_a_winner_has_no_pass() -> None:
    s = auction()
    s.auction.chooser = 0
    assert "so you must choose a lot." in str(turn.find_pass_refusal(s, 0))
