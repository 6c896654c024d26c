"""Companies about to run, in two lines of text, and what the rules say about their plans."""

from typing import Literal, TypedDict, Unpack

import pytest

from engine.errors import RuleError
from engine.titles.g1860.catalogue import TRAINS
from engine.titles.g1860.running.plan import check_plan, read_plan, write_plan
from engine.titles.g1860.running.runs import Plan, Problem, RunRules
from engine.titles.g1860.running.search import find_best_plan
from tests.engine.titles.g1860.ground import lay_out

ISLAND = (
    "B4 759/5, C5 743/2, D6 742/2, E5 748/5, F12 5/3, F2 788, F4 742/3, F6 751/5, G3 747/5, G5 763, G7 761, "
    "G9 746, H10 742/3, H4 754/5, H8 742, I3 758, I5 751/5, J4 776/5, J6 757/2, J8 57/1, K5 743/2, K7 9/1, L6 756/1"
)
"""The island in green: Cowes F2 to Newport G5, Ryde I3 and J4 in the north-east, Freshwater B4 in the west."""


LATE = (
    "B4 777/5, C5 743/2, D6 766/2, E5 766/5, F10 747/5, F12 771/2, F2 789, F4 742/3, F6 767/2, G11 750/2, G3 764/5, "
    "G5 773, G7 775, G9 770/3, H10 769/1, H4 783/5, H6 7/2, H8 769/4, I3 786, I5 751/5, I7 784/1, J4 776/5, J6 770/5, "
    "J8 776/1, K5 743/2, K7 9/1, L6 756/1"
)
"""The same in russet: two cities and a way round at Newport, Merstone G7 in the middle, Ventnor I11."""


class Switches(TypedDict, total=False):
    """What may differ from the usual ``RunRules``."""

    skip_towns: bool
    re_enter: bool
    halts: bool
    total: bool
    lease: Literal["", "stops", "half", "card"]
    half_up: bool
    ends_counted: bool
    join_counted: bool
    all_run: bool


def company(
    bases: str, trains: str = "", *, tiles: str = ISLAND, colour: str = "green", **rules: Unpack[Switches]
) -> Problem:
    """Read "C&N F2, C&N G5, IOW J4.0, S&C J8*" and "4+2 3+2": who stands where, what the first one runs.

    Its first base is its home; a star is a base of a bankrupt company.
    """
    standing: dict[tuple[str, int], tuple[str, ...]] = {}
    first: list[tuple[str, int]] = []
    words = [word.split() for word in bases.split(", ")]
    for code, place in words:
        coord, _, index = place.rstrip("*").partition(".")
        base = (coord, int(index or 0))
        standing.setdefault(base, ())
        if not place.endswith("*"):
            standing[base] += (code,)
        if code == words[0][0]:
            first.append(base)
    return Problem(
        lay_out(tiles).graph,
        words[0][0],
        standing,
        first[0],
        tuple(TRAINS[name] for name in trains.split()),
        colour,
        RunRules(**rules),
    )


def earns(problem: Problem, text: str) -> tuple[int, int]:
    """Return revenue and subsidy of a typed plan."""
    plan = check_plan(problem, read_plan(problem, text))
    return plan.revenue, plan.subsidy


def refusal(problem: Problem, text: str) -> str:
    """Return the sentence and the rule by which a typed plan is refused."""
    with pytest.raises(RuleError) as caught:
        check_plan(problem, read_plan(problem, text))
    return str(caught.value)


def best(problem: Problem) -> tuple[int, int, str]:
    """Return revenue, subsidy and text of the best plan, which must be legal."""
    plan = find_best_plan(problem)
    legal(problem, plan)
    return plan.revenue, plan.subsidy, write_plan(problem, plan)


def legal(problem: Problem, plan: Plan) -> None:
    """Check that a plan passes its own rules, also after having been written and read."""
    assert check_plan(problem, plan.runs) == plan
    assert check_plan(problem, read_plan(problem, write_plan(problem, plan))) == plan
