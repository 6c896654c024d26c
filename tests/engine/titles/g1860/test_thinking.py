"""The player of 1860 tries moves out, and sees only what its seat may see."""

from itertools import pairwise
from typing import Literal

import pytest

from engine import Action, Rng, Setup
from engine.finance.rounds import Pass
from engine.game import LogEntry, play_entry
from engine.player import read_manner, think
from engine.rails.laying import LayTile
from engine.title import ignore_event
from engine.titles.g1860 import TITLE
from engine.titles.g1860 import actions as a
from engine.titles.g1860.forecast import Forecast
from engine.titles.g1860.state import State, Stock
from engine.titles.g1860.thinking import find_reason, mask
from tests.engine.titles.g1860 import positions
from tests.engine.titles.g1860.test_trains import buyer

TRIES = 12


def play(options: dict[str, str], moves: int) -> State:
    """Return a position of a game, played at once."""
    s = TITLE.deal(Setup("1860", 3, options, 5))
    rng = Rng(5)
    for _ in range(moves):
        seat = TITLE.actors(s)[0]
        action = TITLE.spell_out(s, seat, TITLE.advice.choose(s, seat, rng))
        play_entry(TITLE, s, LogEntry(seat, action), ignore_event)
    return s


@pytest.mark.parametrize("moves", [150, 330])
def test_what_is_hidden_changes_no_thought(moves: int) -> None:
    """Treasuries of companies of which a seat has no share are hidden from it."""
    s = play({"treasuries": "hidden"}, moves)
    seat = TITLE.actors(s)[0]
    thought = think(TITLE, s, seat, Rng(1), TRIES)
    hidden = [company for company in s.companies.values() if not company.shares[seat]]
    assert hidden
    for company in hidden:
        company.cash += 490
    assert think(TITLE, s, seat, Rng(1), TRIES) == thought
    assert mask(s, seat).companies.keys() == s.companies.keys()


def test_open_treasuries_are_seen() -> None:
    s = play({}, 150)
    assert mask(s, 0) is s


def test_a_forecast_goes_on_for_some_rounds_and_leaves_the_position() -> None:
    s = play({}, 150)
    before = s.clone()
    forecast = Forecast(s)
    after = forecast.copy(s)
    worth = forecast.play_on(after, Rng(1))
    assert s == before
    assert len(after.marks) > len(s.marks)
    assert min(worth) > 0
    assert after.board == s.board, "nobody builds"


def test_the_reason_names_what_a_share_brings() -> None:
    s = play({}, 150)
    while not isinstance(s.round, Stock):
        seat = TITLE.actors(s)[0]
        action = TITLE.spell_out(s, seat, TITLE.advice.choose(s, seat, Rng(1)))
        play_entry(TITLE, s, LogEntry(seat, action), ignore_event)
    thoughts = [think(TITLE, s, TITLE.actors(s)[0], Rng(number), TRIES) for number in range(3)]
    for thought in thoughts:
        if isinstance(thought.action, a.BuyShare):
            assert ("a round for £" in thought.reason) == bool(s.companies[thought.action.company].trains)
        assert all(one.tries >= other.tries for one, other in pairwise(thought.alternatives))


MANNERS = ("", "bold", "steady", "club", "beginner")


@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize(("price", "reply"), [(10, "decline"), (500, "accept")])
def test_a_good_price_for_a_train_is_accepted_and_a_bad_one_declined(
    manner: str, price: int, reply: Literal["accept", "decline"]
) -> None:
    """At every level and in every temper: whoever makes an offer can rely on a fair answer."""
    s = buyer()
    positions.play(s, a.BuyTrain("3+2", "C&N", price))
    assert think(TITLE, s, 1, Rng(1), TRIES, read_manner(manner)).action == a.Answer(reply)


@pytest.mark.parametrize("manner", MANNERS[:3])
def test_a_director_who_is_last_pays_though_the_leader_gets_most(manner: str) -> None:
    """No company is harmed out of spite."""
    text = "cash 0 900\nIOW 3* 6 | at 90 | 600cc | 2+1\nC&N . 5* | at 82 | 100cc | 2+1 3+2"
    s = positions.operating(text, "IOW", "dividend", tiles=positions.ROUTE)
    s.operating.revenue = 60
    assert think(TITLE, s, 0, Rng(1), TRIES, read_manner(manner)).action == a.Dividend("pay")


TEXT = "cash 800 900\nIOW 3* 2 | at 90 | 600cc | 2+1\nC&N . 5* | at 82 | 0cc"


def test_track_is_built_where_it_adds_most_to_the_run() -> None:
    """In phase 3 a green tile on Ryde Esplanade adds £20, others £10 or nothing; in phase 2 no tile adds any."""
    s = positions.operating(TEXT, "IOW", "track", tiles=positions.ROUTE)
    assert think(TITLE, s, 0, Rng(1), TRIES).reason == "it costs nothing"
    s.phase = "3"
    thought = think(TITLE, s, 0, Rng(1), TRIES)
    assert (thought.action, thought.reason) == (LayTile("I3", "758", 0), "best run £50→£70")


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (a.BuyShare("IOW", "pool"), "about £5 a round for £90"),
        (a.Sell("C&N", 1), "it has no train"),
        (a.Start("FYN", 100), "£500 floats it"),
        (Pass(), "no share on offer seems worth its price"),
    ],
)
def test_a_deal_is_explained_by_what_decides_it(action: Action, reason: str) -> None:
    s = positions.table(TEXT, tiles=positions.ROUTE)
    s.round = Stock(0, sold=[[], []])
    assert find_reason(s, 0, action, Forecast(s)) == reason


@pytest.mark.parametrize(("price", "reason"), [(200, "a share of IOW brings more for its price"),
                                               (20, "games played on end better with it")])  # fmt: skip
def test_a_sale_is_explained_by_a_share_that_brings_more(price: int, reason: str) -> None:
    text = f"cash 800 900\nIOW . 5* | at 90 | 600cc | 2+1\nC&N 2 5* | at {price} | 0cc | 2+1"
    s = positions.table(text, tiles=positions.ROUTE)
    s.round = Stock(0, sold=[[], []])
    assert find_reason(s, 0, a.Sell("C&N", 1), Forecast(s)) == reason


def test_no_share_is_bought_for_about_nothing_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    s = positions.table(TEXT, tiles=positions.ROUTE)
    s.round = Stock(0, sold=[[], []])
    monkeypatch.setattr(Forecast, "estimate_run", lambda *_: (0, 0))
    assert find_reason(s, 0, a.BuyShare("IOW", "pool"), Forecast(s)) == "games played on end better with it"


def test_a_pass_without_a_choice_has_no_reason() -> None:
    s = positions.table(TEXT.replace("800", "0"), tiles=positions.ROUTE)
    s.round = Stock(0, sold=[[], []])
    assert find_reason(s, 0, Pass(), Forecast(s)) == ""


@pytest.mark.parametrize(
    ("step", "action", "reason"),
    [
        ("dividend", a.Dividend("pay"), "£6 a share"),
        ("dividend", a.Dividend("keep"), "it buys a 2+1"),
        ("train", Pass(), "a 2+1 would earn no more"),
        ("track", Pass(), ""),
    ],
)
def test_a_turn_is_explained_by_what_decides_it(
    step: Literal["dividend", "train", "track"], action: Action, reason: str
) -> None:
    s = positions.operating(TEXT, "IOW", step, tiles=positions.ROUTE)
    s.operating.revenue = 60
    assert find_reason(s, 0, action, Forecast(s)) == reason
