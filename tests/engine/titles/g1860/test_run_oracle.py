"""The 75 runs of the recorded game: the best plan is the proven one, and what people ran is legal."""

from functools import cache
from typing import Any

import pytest

from engine.interop.g1860.reader import write_plan
from engine.rails.board import Board
from engine.titles.g1860.catalogue import TRAINS, load_map
from engine.titles.g1860.running.plan import check_plan, read_plan
from engine.titles.g1860.running.runs import Problem, RunRules
from engine.titles.g1860.running.search import find_best_plan
from tests.engine.titles.g1860.record import oracle
from tests.engine.titles.g1860.run_ground import legal

pytestmark = pytest.mark.recorded

STRICT, SITE = (
    {"ends_counted": True, "join_counted": True},
    {"ends_counted": False, "join_counted": False, "half_up": False},
)


@cache
def runs() -> tuple[dict[str, Any], ...]:
    return tuple(oracle("best"))


def position(row: dict[str, Any], **profile: bool) -> Problem:
    """Return the problem that a line of the record tells."""
    board = Board(load_map("extended"))
    standing: dict[tuple[str, int], tuple[str, ...]] = {}
    for coord, hex_ in row["board"].items():
        if not hex_["preprinted"]:
            board = board.with_tile(coord, hex_["tile"], hex_["rotation"])
        for node in hex_["nodes"]:
            here = tuple(token[0] for token in node["tokens"] if token and token[1] != "flipped")
            if here:
                standing[coord, node["index"]] = here
    flags, company = row["flags"], row["corporation"]
    return Problem(
        board.graph,
        company,
        standing,
        next(base for base, here in standing.items() if base[0] == row["home"] and company in here),
        tuple(TRAINS[train["name"].removesuffix("L")] for train in row["trains"]),
        {"2": "yellow", "3": "green", "4": "green"}.get(row["phase"], "russet"),
        RunRules(
            halts=not flags["ignore_halts"],
            total=flags["nationalization"],
            lease="stops" if flags["insolvent"] else "",
            **profile,
        ),
    )


@pytest.mark.parametrize("profile", [STRICT, SITE], ids=["strict", "site"])
def test_the_best_plan_is_the_proven_best(profile: dict[str, bool]) -> None:
    """In this game strict rules forbid none of the best runs."""
    for row in runs():
        problem = position(row, **profile)
        plan = find_best_plan(problem)
        assert row["best"]["exact"]
        assert (plan.revenue, plan.subsidy) == (row["best"]["revenue"], row["best"]["subsidy"]), row["index"]
        legal(problem, plan)


@pytest.mark.parametrize("which", ["human", "best"])
def test_recorded_routes_are_legal_and_earn_the_recorded_amount(which: str) -> None:
    for row in runs():
        problem = position(row, **SITE)
        text = write_plan(problem, row[which]["routes"])
        plan = check_plan(problem, read_plan(problem, text))
        assert (plan.revenue, plan.subsidy) == (row[which]["revenue"], row[which]["subsidy"]), row["index"]


def test_old_logs_without_halts_and_hexes_are_read_too() -> None:
    """Only train and connections: the halts that fit after the towns are counted, and connections may be turned."""
    for row in runs()[:40]:
        problem = position(row, **SITE)
        bare = [
            {"train": route["train"], "connections": [link[::-1] for link in route["connections"]]}
            for route in row["human"]["routes"]
        ]
        plan = check_plan(problem, read_plan(problem, write_plan(problem, bare)))
        assert plan.revenue >= row["human"]["revenue"]
