"""Ways to run at positions of kept games: all legal, none beaten by another, the best first, each said in words."""

import pytest

from engine import Game
from tests.playthroughs.record import read

POSITIONS = (
    ("1860-3", 126, ("£110 + 20cc for halts", "£100 + 30cc for halts", "£80 + 10cc for halts")),
    ("1860-3", 511, ("£180", "£170 + 10cc for halts", "£160 + 20cc for halts", "£120 + 30cc for halts")),
    ("1862-3", 765, ("£630",)),
    ("1862-3", 195, ("£80 + £20 subsidy",)),
)


@pytest.mark.parametrize(("name", "moves", "heads"), POSITIONS)
def test_ways_to_run_are_legal_and_reported(name: str, moves: int, heads: tuple[str, ...]) -> None:
    """More halts, or a train spared that could not run beside the others; where nothing else matters, only the best."""
    kept = read(name)
    game = Game.replay(kept.setup, kept.read_log()[:moves])
    seat = game.actors[0]
    tips = game.tips(seat)
    plans = game.title.advice.plans(game.state, seat, tips)
    assert tuple(plan.label.partition(":")[0] for plan in plans) == heads
    assert plans[0].action == tips[0].action
    told = {game.title.words.say(game.play(seat, plan.action).events[0], ()) for plan in plans}
    assert len(told) == len(plans), "each runs, and no two for the same"


def test_a_train_that_cannot_run_beside_the_others_may_be_spared() -> None:
    """The rules want every train to run that can; the words tell which stays idle, and what that costs."""
    kept = read("1860-3")
    game = Game.replay(kept.setup, kept.read_log()[:126])
    plans = game.title.advice.plans(game.state, game.actors[0], game.tips(game.actors[0]))
    assert plans[-1].label == (
        "£80 + 10cc for halts: pays £8 a share, price £74→£82, leaves the 2+1 idle; £30 less than the best run, "
        "10cc less for halts"
    )


def test_where_nothing_runs_there_is_nothing_to_choose() -> None:
    kept = read("1860-3")
    game = Game.replay(kept.setup, kept.read_log()[:125])
    assert game.title.advice.plans(game.state, game.actors[0], ()) == ()
