"""Exact best runs on small boards made by chance, by trying all; ``python -m tests.playthroughs.small_boards`` writes.

The tests of the titles try all sets of runs on other boards each time, which takes long; of these boards it was done
once, so that a test of the searches takes milliseconds. What is tried knows nothing of the searches.
"""

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import NamedTuple, Protocol, TypeVar

from engine.titles.g1860.running import runs as runs_1860
from engine.titles.g1862.running import runs as runs_1862
from engine.titles.g1862.running.runs import Aim
from tests.engine.titles.g1860 import test_brute_force as tried_1860
from tests.engine.titles.g1862.brute import Brute, small_problem

KEPT = Path(__file__).with_name("small_boards.json")
TRAINS = (
    "2/3E", "2/3L", "2F", "2F 2F", "2F 6F", "6F 7F", "2E 2/3E", "2L 2/3E", "2/3L 2L", "2F 2/3E", "2F 2/3L",
    "1F 2F 6F", "2F 2F 2E", "1F 6F 7F", "2E 2E 2/3L",
)  # fmt: skip
AIMS: tuple[Aim, ...] = ("revenue", "both", "subsidy")
BOARDS, TRADES, MAX_SETS, SITE_SETS = 60, 20, 3000, 400
"""Boards of each title, and how many of them at least have something to be said for subsidy."""
SITE_EVERY = 3


class Trades(Protocol):
    """A board on which it may matter what is asked for."""

    @property
    def trades(self) -> bool: ...


T = TypeVar("T", bound=Trades)


class Best(NamedTuple):
    """The best of all sets of runs: what it earns, how many trains run, and how few stops they count."""

    revenue: int
    subsidy: int
    trains: int = 0
    stops: int = 0


class Board1862(NamedTuple):
    """A board of 1862 by its seed, and the best there by what is asked for."""

    seed: int
    trains: str
    site: bool
    best: dict[Aim, Best]

    @property
    def trades(self) -> bool:
        """Return whether it matters what is asked for."""
        return len({(best.revenue, best.subsidy) for best in self.best.values()}) > 1


class Board1860(NamedTuple):
    """A board of 1860: the best, those that trade revenue for subsidy, and the best that reaches a goal."""

    seed: int
    best: Best
    others: list[tuple[int, int]]
    goal: tuple[str, int]
    reaches: tuple[int, int]

    @property
    def trades(self) -> bool:
        """Return whether less revenue may bring more subsidy."""
        return bool(self.others)


def problem_1862(board: Board1862) -> runs_1862.Problem:
    """Return what is to be run on a board of 1862."""
    return small_problem(board.seed, tuple(board.trains.split()), site=board.site)


def problem_1860(seed: int) -> runs_1860.Problem:
    """Return what is to be run on a board of 1860."""
    return tried_1860.problem_of(Random(seed))  # noqa: S311


def boards_1862() -> Iterator[Board1862]:
    """Yield boards that earn something, in turn with the trains of the list and in both profiles."""
    for seed in count():
        trains, site = TRAINS[seed % len(TRAINS)], seed % SITE_EVERY == 0
        brute = Brute(small_problem(seed, tuple(trains.split()), site=site))
        if 1 < brute.sets <= (SITE_SETS if site else MAX_SETS):
            best = {aim: Best(*brute.best(aim)) for aim in AIMS}
            if best["revenue"].revenue:
                yield Board1862(seed, trains, site, best)


def boards_1860() -> Iterator[Board1860]:
    """Yield boards on which something runs."""
    for seed in count():
        problem = problem_1860(seed)
        offers = tried_1860.small(problem)
        if not offers:
            continue
        sets = list(tried_1860.sets_of(problem, offers))
        found = [
            Best(
                sum(p.revenue for p in picks),
                sum(p.subsidy for p in picks),
                len(picks),
                sum(len(p.counted) for p in picks),
            )
            for picks in sets
        ]
        best = max(found, key=lambda one: (one.revenue, one.subsidy, -one.stops))
        goal = Random(seed).choice(sorted(problem.bases))  # noqa: S311
        node = problem.graph.node_at[goal]
        there = [one for one, picks in zip(found, sets, strict=True) if any(node in pick.counted for pick in picks)]
        reaches = max(((one.revenue, one.subsidy) for one in there), default=(0, 0))
        if best.trains:
            yield Board1860(seed, best, tried_1860.frontier(found), goal, reaches)


def read_kept() -> tuple[list[Board1860], list[Board1862]]:
    """Return the boards that are kept."""
    read = json.loads(KEPT.read_text(encoding="utf-8"))
    ours = [
        Board1860(seed, Best(*best), [(a, b) for a, b in others], (goal[0], goal[1]), (reaches[0], reaches[1]))
        for seed, best, others, goal, reaches in read["1860"]
    ]
    theirs = [
        Board1862(seed, trains, site, {aim: Best(*found) for aim, found in best.items()})
        for seed, trains, site, best in read["1862"]
    ]
    return ours, theirs


def choose_boards(boards: Iterator[T]) -> list[T]:
    """Return the first boards, enough of them such that there is something to choose."""
    found: list[T] = []
    plain = 0
    while len(found) < BOARDS:
        board = next(boards)
        if board.trades or plain < BOARDS - TRADES:
            found.append(board)
            plain += not board.trades
    return found


def main() -> None:
    """Write the boards anew, a line each."""
    told = []
    for title, boards in (("1860", choose_boards(boards_1860())), ("1862", choose_boards(boards_1862()))):
        lines = map(json.dumps, boards)
        told.append(f' "{title}": [\n  ' + ",\n  ".join(lines) + "\n ]")
    KEPT.write_text("{\n" + ",\n".join(told) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
