"""Of positions of kept games the search finds what trying all runs has found once for all."""

import json

import pytest

from tests.playthroughs.best_runs import GAMES, KEPT, MAX_POSITIONS, find_best, positions

ROWS: dict[str, list[list[int]]] = json.loads(KEPT.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", GAMES)
def test_the_search_finds_the_best_of_all_runs(name: str) -> None:
    """1860, Running Trains; 1862 §7.8: on the real map, with its bases and trains."""
    exact = {count: (revenue, subsidy) for count, revenue, subsidy in ROWS[name]}
    assert len(exact) == MAX_POSITIONS
    got = {count: find_best(name, problem) for count, problem in positions(name, max(exact)) if count in exact}
    assert got == exact
