"""What a title's small records tell: who must do what, why a game ended, which pictures belong to a moment."""

import msgspec
import pytest

from engine import TITLES, Game, Setup
from engine.errors import RuleError
from engine.record import Rule
from engine.title import Ask, Result, duty, named, naming

ASK = Ask((0,), "C&N has floated", "lay the home tile")


@pytest.mark.parametrize(
    ("words", "told"),
    [("{0} and {1}", "Ann and Bob"), ("{2} bids", "{2} bids"), ("{x} {-1} {}", "{x} {-1} {}"), ("Ann", "Ann")],
)
def test_seats_are_called_by_the_names_there_are(words: str, told: str) -> None:
    assert named(words, ("Ann", "Bob")) == told


def test_a_question_and_a_refusal_call_players_by_their_names() -> None:
    asked = Ask((0,), "{0} bids", "outbid {1}", ("{1} leads.",)).named(("Ann", "Bob"))
    assert (asked.headline, asked.kind, asked.lines) == ("Ann bids", "outbid Bob", ("Bob leads.",))
    with pytest.raises(RuleError, match="Ann must first sell"), naming(("Ann",)):
        raise RuleError("{0} must first sell.", Rule("Toy", "1", "sales"))


@pytest.mark.parametrize(
    ("kind", "may_pass", "told"),
    [
        ("lay the home tile", False, "Ann must first lay the home tile"),
        ("buy or sell", True, "Ann may buy or sell or pass"),
        ("buy, sell or pass", True, "Ann may buy, sell or pass"),
    ],
)
def test_a_duty_says_who_must_or_may_do_what(kind: str, told: str, *, may_pass: bool) -> None:
    asked = Ask((0,), "C&N has floated", kind)
    assert duty(asked, "Ann", may_pass=may_pass) == f"C&N has floated: {told}"


def test_why_a_game_ended_is_told_in_words_where_there_are_some() -> None:
    assert Result("bank", (), ()).told == "bank"
    assert Result("bank", (), (), "the bank broke").told == "the bank broke"


def test_the_pictures_of_a_moment_are_those_a_question_names_else_those_of_every_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = Game.new(Setup("1860", 3))
    assert game.pictures() == ("lots",)
    monkeypatch.setitem(TITLES, "1860", msgspec.structs.replace(game.title, ask=lambda _: ASK))
    assert game.pictures() == ("map", "market", "table")
