"""Exact best runs of chosen positions, by trying all; ``python -m tests.playthroughs.best_runs`` writes them anew.

Of some kept games the first positions are taken in which a company runs and few
enough sets of runs are possible to try each. What is tried here knows nothing of
the search in the titles: the enumerators of the titles' tests, on the real map.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from engine import TITLES
from engine.game import play_entry
from engine.hex_view import Token
from engine.titles.g1860 import actions as actions_1860
from engine.titles.g1860.running.search import find_best_plan as best_of_1860
from engine.titles.g1860.steps import running as running_1860
from engine.titles.g1862 import actions as actions_1862
from engine.titles.g1862.running.runs import Problem as Problem1862
from engine.titles.g1862.running.search import find_best_plan as best_of_1862
from engine.titles.g1862.steps import running as running_1862
from tests.engine.titles.g1860.test_brute_force import sets_of, small
from tests.engine.titles.g1862.brute import Brute
from tests.playthroughs.record import read

GAMES = ("1860-3", "1860-3-site", "1862-3", "1862-3-site")
MAX_POSITIONS, MAX_SETS = 8, 4000
KEPT = Path(__file__).with_name("best_runs.json")
Earned = tuple[int, int]
"""Revenue and subsidy."""


def positions(name: str, most: int) -> Iterator[tuple[int, Any]]:
    """Yield what companies of a kept game had to run, each with the number of entries before it."""
    kept = read(name)
    title, state = TITLES[kept.setup.title], TITLES[kept.setup.title].deal(kept.setup)
    for count, entry in enumerate(kept.read_log()):
        if count > most:
            return
        if isinstance(entry.action, actions_1860.Run):
            yield count, running_1860.make_current_problem(state, state.companies[state.operating.code])
        elif isinstance(entry.action, actions_1862.Run):
            yield count, running_1862.make_problem_now(state)
        play_entry(title, state, entry, lambda _: None)


def find_best(name: str, problem: Any) -> Earned:  # noqa: ANN401  # each title has its own
    """Return what the search of the title finds."""
    plan = best_of_1860(problem) if name.startswith("1860") else best_of_1862(problem).plan
    return plan.revenue, plan.subsidy


def try_all(name: str, problem: Any) -> Earned | None:  # noqa: ANN401  # each title has its own
    """Return the best of all sets of runs, ``None`` where there are too many."""
    return _try_all_1860(problem) if name.startswith("1860") else _try_all_1862(problem)


def _try_all_1860(problem: Any) -> Earned | None:  # noqa: ANN401  # as above
    if problem is None or problem.rules.lease:  # what is tried knows no leased trains
        return None
    cities = [(node.coord, node.index) for node in problem.graph.nodes if node.kind == "city"]
    problem = replace(problem, bases={place: problem.bases.get(place, ()) for place in cities})
    offers = small(problem)
    if not offers:
        return None
    sums: list[Earned] = [
        (sum(one.revenue for one in picks), sum(one.subsidy for one in picks)) for picks in sets_of(problem, offers)
    ]
    return max(sums)


def _try_all_1862(problem: Problem1862) -> Earned | None:
    own: Callable[[Token], Token] = lambda token: Token("X") if token.company == problem.company else token  # noqa: E731
    bases = {place: tuple(own(token) for token in tokens) for place, tokens in problem.bases.items()}
    brute = Brute(replace(problem, company="X", bases=bases))
    if brute.sets > MAX_SETS:
        return None
    revenue, subsidy = brute.best()[:2]
    return revenue, subsidy


def main() -> None:
    """Write the best runs of all positions that are small enough."""
    kept = {}
    for name in GAMES:
        rows: list[list[int]] = []
        for count, problem in positions(name, 10**6):
            best = try_all(name, problem)
            if best is not None and best[0]:
                rows.append([count, *best])
            if len(rows) == MAX_POSITIONS:
                break
        kept[name] = rows
    KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
