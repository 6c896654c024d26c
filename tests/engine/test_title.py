"""What a title's small records tell: who must do what, why a game ended, which pictures belong to a moment."""

import pytest
from msgspec.structs import replace

from engine import TITLES, Game, Setup
from engine.errors import RuleError
from engine.finance.rounds import Pass
from engine.hints import Tip
from engine.orders import Moment, Orders
from engine.record import Rule
from engine.setup import RULES
from engine.title import Ask, Picture, Request, Result, explain_not_now, insert_names, insert_names_in_refusals
from engine.titles.g1860.actions import Bid, Sell, Start
from tests.support.changed_title import change

ASK = Ask((0,), "C&N has floated", "lay the home tile")


@pytest.mark.parametrize(
    ("words", "told"),
    [("{0} and {1}", "Ann and Bob"), ("{2} bids", "{2} bids"), ("{x} {-1} {}", "{x} {-1} {}"), ("Ann", "Ann")],
)
def test_seats_are_called_by_the_names_there_are(words: str, told: str) -> None:
    assert insert_names(words, ("Ann", "Bob")) == told


def test_defaults_of_games_pictures_and_tips() -> None:
    assert Setup("1860", 3) == Setup("1860", 3, {}, 0, RULES)
    assert not Picture("map", "Map").every_turn
    assert Tip(Pass(), "Pass").proven
    assert TITLES["1860"].short_name == "1860"
    assert [Request(names=("Ann",)).find_name(seat) for seat in range(3)] == ["Ann", "Player 2", "Player 3"]
    orders: Orders[object] = Orders(lambda _: Moment("OR 1"), {}, lambda _: ())
    assert (orders.revenue(None), orders.has_stock_rounds) == (0, False)
    assert replace(orders, purchase=lambda _s, _company, _source: None).has_stock_rounds
    assert not orders.moment(None).bought


def test_a_question_and_a_refusal_call_players_by_their_names() -> None:
    asked = Ask((0,), "{0} bids", "outbid {1}", ("{1} leads.",)).insert_names(("Ann", "Bob"))
    assert (asked.headline, asked.kind, asked.lines) == ("Ann bids", "outbid Bob", ("Bob leads.",))
    with pytest.raises(RuleError, match="Ann must first sell"), insert_names_in_refusals(("Ann",)):
        raise RuleError("{0} must first sell.", Rule("Toy", "sales"))


def test_what_has_no_turn_now_is_refused_with_what_can_or_must_be_done() -> None:
    """What can't be done isn't among what the player is told to do."""
    asked = Ask((0,), "C&N has floated", "lay the home tile")
    assert (
        explain_not_now(Bid, asked, (Sell, Start, Pass)) == "You can't bid now; you can sell, start a company, or pass."
    )
    assert explain_not_now(Bid, asked, (Pass,)) == "You can't bid now; you can pass."
    told = "You can't bid now. C&N has floated: you must first lay the home tile."
    assert explain_not_now(Bid, asked, (Sell,)) == told


def test_the_reason_for_the_end_is_given_where_known() -> None:
    assert Result("bank", (), ()).reason_in_words == "bank"
    assert Result("bank", (), (), "the bank broke").reason_in_words == "the bank broke"


def test_the_pictures_of_a_moment_are_those_a_question_names_else_those_of_every_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = Game.new(Setup("1860", 3))
    assert game.pictures() == ("lots",)
    monkeypatch.setitem(TITLES, "1860", change(game.title, ask=lambda _: ASK))
    assert game.pictures() == ("map", "market", "table")
