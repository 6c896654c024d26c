"""How the program plays: levels, tempers, slips, and the same move for the same log."""

import pytest

from engine import TITLES, Rng, Setup
from engine.finance.rounds import Pass
from engine.game import LogEntry
from engine.player import LEVELS, STRONGEST, TEMPERS, Level, Manner, list_usual_moves, read_manner, settle, think
from engine.record import Action
from engine.thinking import Alternative, Thought
from engine.titles.g1860 import actions as a
from tests.support.toy import toy

TOY = toy()


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("temper", TEMPERS)
def test_a_manner_is_read_as_it_is_written(level: str, temper: str) -> None:
    manner = Manner(level, temper)
    assert read_manner(manner.words) == manner
    assert read_manner(f"{temper}-{level}") == manner


def test_the_strongest_has_no_words_and_unknown_ones_change_nothing() -> None:
    assert STRONGEST.words == ""
    assert read_manner("brilliant, reckless") == STRONGEST


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("level", ["beginner", "club"])
def test_a_level_plays_the_same_for_the_same_chance(title: str, level: str) -> None:
    state = TITLES[title].deal(Setup(title, 3, seed=4))
    seat = TITLES[title].actors(state)[0]
    for number in range(12):
        first, again = (think(TITLES[title], state, seat, Rng(number), 8, Manner(level)) for _ in range(2))
        assert first == again
        TITLES[title].check(state, seat, TITLES[title].spell_out(state, seat, first.action))


def test_a_slip_is_one_of_the_moves_that_come_to_mind_first(monkeypatch: pytest.MonkeyPatch) -> None:
    state = TOY.deal(Setup("toy", 3, seed=4))
    usual = list_usual_moves(TOY, state, TOY.actors(state)[0], 3)
    monkeypatch.setitem(LEVELS, "beginner", Level(slips=100, breadth=3))
    found = {think(TOY, state, TOY.actors(state)[0], Rng(number), 8, Manner("beginner")).action for number in range(40)}
    assert found == set(usual)
    assert len(usual) == 3


def test_the_strongest_draws_no_lots_for_slips() -> None:
    state = TOY.deal(Setup("toy", 3, seed=4))
    seat = TOY.actors(state)[0]
    assert think(TOY, state, seat, Rng(7), 8).action == TOY.advice.choose(state, seat, Rng(7))


def test_only_1860_hides_something_and_its_player_puts_that_aside() -> None:
    """In 1862 and Steel Driver all lies open; what 1860 hides is changed in its own tests, and no thought with it."""
    hides = {name for name, title in TITLES.items() if any(option.hides for option in title.options)}
    assert hides == {"1860"}


@pytest.mark.parametrize("title", TITLES)
def test_no_thought_knows_the_seed_of_the_game(title: str) -> None:
    """What the seed still decides is hidden from all: a player is given the position alone."""
    states = [TITLES[title].deal(Setup(title, 3, seed=seed)) for seed in (4, 4)]
    seat = TITLES[title].actors(states[0])[0]
    assert len({think(TITLES[title], state, seat, Rng(1), 8) for state in states}) == 1
    assert not {"seed", "setup"} & set(type(states[0]).__struct_fields__)


BUY, SELL, RUN = a.BuyShare("IOW", "pool"), a.Sell("IOW", 2), a.Run("best")


@pytest.mark.parametrize(
    ("played", "action"),
    [
        ([(0, BUY)], Pass()),
        ([(0, BUY), (1, Pass()), (2, Pass())], Pass()),
        ([(0, BUY), (1, RUN)], SELL),
        ([(1, BUY)], SELL),
        ([(0, a.BuyShare("FYN", "pool"))], SELL),
    ],
    ids=["just bought", "bought a turn ago", "bought a round ago", "bought by another", "another company"],
)
def test_what_was_just_bought_is_not_sold(played: list[tuple[int, Action]], action: Action) -> None:
    """The best of the other moves is made, without the reason of the sale."""
    thought = Thought(SELL, "it has no train", tuple(Alternative(each, 50, 4) for each in (SELL, Pass(), BUY)))
    found = settle(None, [LogEntry(*each) for each in played], 0, thought)
    assert found is not None
    assert (found.action, found.reason) == (action, "it has no train" if action == SELL else "")


def test_a_player_who_can_only_sell_what_it_just_bought_plays_at_once() -> None:
    assert settle(None, [LogEntry(0, BUY)], 0, Thought(SELL)) is None
