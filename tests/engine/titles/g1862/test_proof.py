"""Section 15: best runs that a first search could not prove, and the search that goes on from them."""

from collections.abc import Iterator

import pytest

from engine import Game, Rng, Setup
from engine.hints import Tip
from engine.titles.g1862 import TITLE
from engine.titles.g1862.actions import Run
from engine.titles.g1862.running.check import check_plan
from engine.titles.g1862.running.plan import read_plan
from engine.titles.g1862.running.runs import Plan
from engine.titles.g1862.state import Operating, State
from engine.titles.g1862.steps import running
from tests.engine.titles.g1862.positions import operating, table
from tests.engine.titles.g1862.running import read_board

PLENTY = 4_000_000
MAX_MOVES = 180
LAND = ("D3", "D5", "D7", "D9", "E4", "E6", "E8", "F3", "F5", "F7", "F9", "G4", "G6", "G8")


def make_crowded() -> State:
    """Return a company with three trains among fourteen cities, each joined with all beside it."""
    s = table("ENR 100 5*,0,0,0 cash=0 trains=6F,7F,4/5E at=F3,E6 permits=freight,local,express")
    s.board = read_board(
        "; ".join(f"{coord} city {20 + 10 * (n % 4)} 2: {around(coord)}" for n, coord in enumerate(LAND))
    )
    return operating(s, "ENR", "run")


def around(coord: str) -> str:
    column, row = ord(coord[0]), int(coord[1:])
    near = [(0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1)]
    return " ".join(there for c, r in near if (there := f"{chr(column + c)}{row + r}") in LAND)


def plan_of(s: State, tip: Tip) -> Plan:
    """Return the plan of a tip, which must be legal."""
    assert isinstance(tip.action, Run)
    now = running.make_problem_now(s)
    return check_plan(now, read_plan(now, tip.action.plan))


def first(s: State, budget: int) -> tuple[Tip, ...]:
    """Return what a first search of so many tries finds."""
    return tuple(TITLE.advice.prove(s, TITLE.actors(s)[0], (), budget))


def turns(seed: int) -> Iterator[State]:
    """Yield the positions of a game in which a company is to run its trains."""
    game, rng = Game.new(Setup("1862", 3, seed=seed)), Rng(seed)
    while game.actors and len(game.line) < MAX_MOVES:
        if isinstance(game.state.round, Operating) and game.ask().kind == "run trains":
            yield game.state
        game = game.play(game.actors[0], TITLE.advice.choose(game.state, game.actors[0], rng)).game


def test_a_crowded_company_is_shown_the_best_plan_so_far_with_its_bound_then_the_proven_one() -> None:
    s = make_crowded()
    searches = (first(s, 1000 * 2**more)[0] for more in range(10))
    found = next(tip for tip in searches if tip.action != Run("best") and "at most" in tip.label)
    so_far = plan_of(s, found).revenue
    assert found.label.startswith(f"Best found £{so_far} (at most ")
    most = int(found.label.split("at most £")[1].rstrip(")"))
    best = TITLE.advice.prove(s, 0, (found,), PLENTY)[0]
    assert best.proven
    assert best.label == f"Best run £{plan_of(s, best).revenue}"
    assert so_far < plan_of(s, best).revenue <= most
    assert best.label == first(s, PLENTY)[0].label, "as without a break"


@pytest.mark.parametrize(("seed", "budget"), [(1, 0), (3, 200), (1, 1000)])
def test_a_search_in_two_parts_finds_what_one_finds(seed: int, budget: int) -> None:
    """The money is the same, everything is proven, every plan on the way is legal, and none gets worse."""
    cut_short = 0
    for s in turns(seed):
        seat = TITLE.actors(s)[0]
        short = first(s, budget)
        cut_short += not all(tip.proven for tip in short)
        whole = tuple(TITLE.advice.prove(s, seat, short, PLENTY))
        assert all(tip.proven for tip in whole)
        assert [tip.label for tip in whole] == [tip.label for tip in first(s, PLENTY)]
        known = [plan_of(s, tip).revenue for tip in short if tip.action != Run("best")]
        assert plan_of(s, whole[0]).revenue >= max(known, default=0)
        assert [tip.short for tip in whole] == [Run("best"), *[None] * (len(whole) - 1)]
    assert cut_short


def test_a_proven_tip_stays() -> None:
    s = make_crowded()
    best = first(s, PLENTY)
    assert TITLE.advice.prove(s, 0, best, 0) == best


def test_elsewhere_there_is_nothing_to_prove() -> None:
    """In any other step the tips are what they were, whoever asks."""
    s = operating(make_crowded(), "ENR", "dividend")
    tips = TITLE.advice.tips(s, 0)
    assert all(tip.proven for tip in tips)
    assert TITLE.advice.prove(s, 0, tips, PLENTY) == tips
    assert TITLE.advice.prove(make_crowded(), 2, tips, PLENTY) == tips
