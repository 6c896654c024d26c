"""Phase 2: Auction Control Markers, with vectors A1 to A6."""

import pytest

from engine.errors import RuleError
from engine.finance.rounds import Pass
from engine.titles.steel_driver import TITLE, events
from engine.titles.steel_driver.actions import Build, Claim, Open, Raise
from engine.titles.steel_driver.rounds import turn
from engine.titles.steel_driver.state import State
from tests.engine.titles.steel_driver.positions import box, deal, everybody_passes, legal, play

DON, SIMON, RICHARD, ANDY = range(4)


def sell(state: State, name: str, price: int = 1) -> None:
    """Let the marker holder open, and everyone else drop out."""
    play(state, state.marker, Open(name, price))
    while state.sale:
        play(state, TITLE.actors(state)[0], Pass())


def test_all_six_companies_are_available() -> None:
    """Six auctions: each of the six can be put up."""
    assert {action.company for action in legal(deal()) if isinstance(action, Open)} == set(deal().board.ids)


def test_the_holder_opens_with_one_to_all_of_his_cubes() -> None:
    """Opening an auction: the opening bid goes from 1 to the cubes the holder has (AMB 9)."""
    state = deal(4)
    assert sorted(a.amount for a in legal(state) if a == Open("red", getattr(a, "amount", 0))) == list(range(1, 9))
    for amount in (0, -3, 9):
        with pytest.raises(RuleError, match="the minimum is 1, and you have 8 cubes"):
            TITLE.check(state, 0, Open("red", amount))
    state.cubes[0] = 1
    with pytest.raises(RuleError, match="and you have 1 cube\\."):
        TITLE.check(state, 0, Open("red", 2))


def test_only_the_holder_opens() -> None:
    """Opening an auction: no one else is asked."""
    with pytest.raises(RuleError, match="your turn"):
        TITLE.check(deal(), 1, Open("red", 1))


def test_no_such_company() -> None:
    """Opening an auction: a company must be one of the six."""
    with pytest.raises(RuleError, match="no company “pink”"):
        TITLE.check(deal(), 0, Open("pink", 1))


def test_A5_without_cubes_only_passing() -> None:
    """Opening an auction: a holder with 0 cubes can only pass the marker."""
    state = deal()
    state.cubes[0] = 0
    assert legal(state) == [Pass()]


def test_A5_a_forced_pass_of_the_marker_happens_automatically() -> None:
    """Opening an auction: the marker goes past a player without cubes, and the log tells it."""
    state = deal()
    state.cubes[1] = 0
    told = play(state, 0, Pass())
    assert told == [events.MarkerPassed(0, 1, forced=False), events.MarkerPassed(1, 2, forced=True)]
    assert TITLE.actors(state) == (2,)


def test_bidding_goes_clockwise() -> None:
    """Bidding: from the opener to the next players, and round to him again."""
    state = deal()
    play(state, DON, Open("green", 2))
    for seat, bid in ((SIMON, 3), (RICHARD, 4), (ANDY, 5), (DON, 6)):
        assert TITLE.actors(state) == (seat,)
        play(state, seat, Raise(bid))


def test_a_raise_is_above_the_high_bid() -> None:
    """Bidding: equal bids are not allowed."""
    state = deal()
    play(state, DON, Open("green", 4))
    for amount in (4, 3, 0):
        with pytest.raises(RuleError, match="the high bid is 4"):
            TITLE.check(state, SIMON, Raise(amount))
    assert legal(state) == [Raise(5), Raise(6), Raise(7), Raise(8), Pass()]


def test_jump_bids_are_allowed() -> None:
    """Bidding: a raise may go up to all cubes at once (AMB 9)."""
    state = deal()
    play(state, DON, Open("green", 1))
    told = play(state, SIMON, Raise(8))
    assert events.BidRaised(SIMON, "Green", 8) in told
    with pytest.raises(RuleError, match="you have only 8 cubes"):
        TITLE.check(deal_with_bid(), SIMON, Raise(9))


def deal_with_bid() -> State:
    state = deal()
    play(state, DON, Open("green", 1))
    return state


def test_a_player_who_dropped_out_is_not_asked_again() -> None:
    """Bidding: a player who dropped is out of this auction only."""
    state = deal_with_bid()
    play(state, SIMON, Pass())
    play(state, RICHARD, Raise(2))
    play(state, ANDY, Raise(3))
    play(state, DON, Raise(4))
    assert TITLE.actors(state) == (RICHARD,)
    play(state, RICHARD, Pass())
    play(state, ANDY, Pass())
    assert TITLE.actors(state) == (SIMON,)
    assert Open("red", 1) in legal(state)


def test_A6_player_who_cannot_raise_must_drop_out() -> None:
    """Bidding: the opener bids 3, the next player has 3 cubes and is out by himself."""
    state = deal(3)
    state.cubes[1] = 3
    told = play(state, 0, Open("red", 3))
    assert told[1:] == [events.DroppedOut(1, "Red", 3, forced=True)]
    assert TITLE.actors(state) == (2,)


def test_a_bid_that_no_one_can_raise_ends_the_auction_at_once() -> None:
    """Bidding: with all cubes bid and no one richer, the auction is over without a question."""
    state = deal(3)
    told = play(state, 0, Open("red", 10))
    assert events.CompanyWon(0, "Red", 10, 10, 1) in told
    assert state.sale is None


def test_A1_the_winner_pays_into_the_treasury() -> None:
    """Winning a company; The Board: Don opens green, Simon wins at 6; the marker goes to Simon, next to Don."""
    state = deal()
    box(state, "green").treasury = 2
    play(state, DON, Open("green", 1))
    play(state, SIMON, Raise(6))
    for seat in (RICHARD, ANDY, DON):
        play(state, seat, Pass())
    green = box(state, "green")
    assert state.cubes == [8, 2, 8, 8]
    assert green.shares == [0, 1, 0, 0]
    assert (green.controller, green.last, green.treasury) == (SIMON, SIMON, 8)
    assert state.marker == SIMON


def test_a_company_is_auctioned_once_a_turn() -> None:
    """Winning a company: after its auction a company is not available again in the turn."""
    state = deal()
    sell(state, "green")
    assert not [action for action in legal(state) if action == Open("green", 1)]
    with pytest.raises(RuleError, match="has already been auctioned this turn; it will be available again next turn"):
        TITLE.check(state, 1, Open("green", 1))


def test_the_opener_may_win_with_no_other_bid() -> None:
    """Winning a company: at his own opening bid (AMB 10)."""
    state = deal()
    sell(state, "green", 1)
    assert box(state, "green").controller == 0
    assert state.cubes[0] == 7


def test_the_marker_goes_to_the_player_next_to_its_holder() -> None:
    """The marker after an auction: who won does not matter."""
    state = deal()
    play(state, DON, Open("green", 1))
    play(state, SIMON, Pass())
    play(state, RICHARD, Raise(2))
    play(state, ANDY, Pass())
    play(state, DON, Pass())
    assert box(state, "green").controller == RICHARD
    assert state.marker == SIMON


def test_a_player_who_passed_the_marker_may_open_later() -> None:
    """Passing the marker: the marker may go round several times."""
    state = deal(3)
    play(state, 0, Pass())
    play(state, 1, Pass())
    sell(state, "red")
    play(state, 0, Pass())
    play(state, 1, Pass())
    play(state, 2, Open("blue", 1))
    assert (state.turn, state.sale is not None) == (1, True), "after an auction passes are counted anew"


def test_A2_passes_in_succession_end_the_phase() -> None:
    """The end of the auctions; Game Play.

    P0 opens red, P2 wins; P1, P2 and P0 pass: the marker is with P1, next to the last opener.
    """
    state = deal(3)
    play(state, 0, Open("red", 1))
    play(state, 1, Pass())
    play(state, 2, Raise(2))
    play(state, 0, Pass())
    play(state, 1, Pass())
    play(state, 2, Pass())
    assert state.turn == 1
    told = play(state, 0, Pass())
    assert events.AuctionsEnded(("Yellow", "Green", "Blue", "Purple", "Black"), 1) in told
    assert state.marker == 1
    assert (state.phase, TITLE.actors(state)) == ("build", (2,)), "Red builds before anything else"


def test_passes_before_an_auction_do_not_count() -> None:
    """The end of the auctions: an auction interrupts the succession of passes."""
    state = deal(3)
    play(state, 0, Pass())
    play(state, 1, Pass())
    sell(state, "red")
    play(state, 0, Pass())
    play(state, 1, Pass())
    assert state.phase == "auction"
    assert TITLE.actors(state) == (2,)


def test_A3_nothing_auctioned_the_marker_is_where_it_began() -> None:
    """The marker after the auctions: it began with P2 of 3 and all pass at once (AMB 3)."""
    state = deal(3)
    state.marker = 2
    told = everybody_passes(state)
    assert [event.marker for event in told if isinstance(event, events.AuctionsEnded)] == [2]
    assert state.marker == 2


def test_A4_after_six_auctions_next_to_the_last_opener() -> None:
    """The marker after the auctions: the sixth was opened by P1 of 3, the marker is with P2."""
    state = deal(3)
    state.marker = 2
    state.cubes = [20, 20, 20]
    for name in ("red", "yellow", "green", "blue", "purple"):
        sell(state, name)
    assert state.marker == 1
    sell(state, "black")
    assert state.marker == 2


def test_one_player_may_control_several_companies() -> None:
    """Several companies: their treasuries stay separate."""
    state = deal(3)
    for name, price in (("red", 2), ("blue", 3)):
        state.marker = 1
        sell(state, name, price)
    assert (box(state, "red").controller, box(state, "blue").controller) == (1, 1)
    assert (box(state, "red").treasury, box(state, "blue").treasury) == (2, 3)


def test_a_company_that_no_one_bought_has_no_controller_and_gives_no_share() -> None:
    """Several companies: all six stay in their boxes when all pass."""
    state = deal(3)
    everybody_passes(state)
    assert all(company.controller == -1 and sum(company.shares) == 0 for company in state.companies)


def test_a_company_sold_this_turn_is_refused_as_sold_though_another_is_being_auctioned() -> None:
    """Winning a company: the auction under way ends, that the company is sold stays until the next turn."""
    state = deal()
    sell(state, "red")
    play(state, state.marker, Open("green", 2))
    with pytest.raises(RuleError, match="Red has already been auctioned this turn"):
        TITLE.check(state, turn.find_actor(state), Open("red", 2))


def test_the_last_turn_promises_no_later_auction() -> None:
    state = deal()
    sell(state, "red")
    state.turn = 5
    with pytest.raises(RuleError, match=r"Red has already been auctioned this turn\. "):
        TITLE.check(state, state.marker, Open("red", 1))


def test_a_second_company_is_not_put_up_during_an_auction() -> None:
    with pytest.raises(RuleError, match="Green is being auctioned"):
        TITLE.check(deal_with_bid(), SIMON, Open("red", 2))


def test_a_raise_without_an_auction_is_explained() -> None:
    with pytest.raises(RuleError, match="name the one you want to put up"):
        TITLE.check(deal(), 0, Raise(2))


def test_names_are_spelled_out_and_words_that_mean_nothing_are_left() -> None:
    state = deal()
    for number, brand in enumerate(state.board.companies):
        assert TITLE.spell_out(state, 0, Open(brand.name, 1)) == Open(state.board.ids[number], 1)
    for place in state.board.places:
        assert TITLE.spell_out(state, 0, Claim(place.name)) == Claim(place.id)
    for action in (Open("Pink", 1), Claim("Atlantis")):
        assert TITLE.spell_out(state, 0, action) == action


def test_a_bid_that_names_the_company_on_sale_is_a_raise() -> None:
    assert TITLE.spell_out(deal_with_bid(), SIMON, Open("Green", 4)) == Raise(4)


def test_nothing_is_built_during_the_auctions() -> None:
    with pytest.raises(RuleError, match="you can bid or pass"):
        TITLE.check(deal(), 0, Build("boston", "new_york"))


def test_the_marker_text_states_the_effect_of_a_pass_now() -> None:
    """The end of the auctions.

    Who has no cubes passes without being asked, so it is not counted among those who must pass too.
    """
    state = deal()
    end = "If you pass, the auctions end unless {1}, {2} or {3} puts up a company."
    assert TITLE.words.ask(state).lines[-1] == end
    state.cubes[1] = state.cubes[2] = 0
    assert TITLE.words.ask(state).lines[-1] == "If you pass, the auctions end unless {3} puts up a company."
    state.cubes[3] = 0
    assert TITLE.words.ask(state).lines[-1] == "Passing now ends the auctions."


def test_a_bidder_who_cannot_raise_is_not_shown_as_still_in() -> None:
    """Bidding: a bidder without enough cubes for a higher bid can only drop out."""
    state = deal()
    play(state, 0, Open("red", 3))
    assert "still in: {2} has 8, {3} has 8" in TITLE.words.ask(state).lines[0]
    state.cubes[2] = 3
    assert "still in: {3} has 8." in TITLE.words.ask(state).lines[0]
    state.cubes[3] = 1
    assert TITLE.words.ask(state).lines[0] == "{0} leads with 3 of 8 cubes. You have 8 cubes; no one else is still in."
