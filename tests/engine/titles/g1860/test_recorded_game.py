"""A recorded game of 18xx.games, played again: every state, every run and the result are equal.

The record lies beside the repository; without it these tests skip.
"""

import json
from functools import cache
from typing import Any

import pytest

from engine import Game, LogError
from engine.finance.events import TrainsRan
from engine.interop.exchange import Imported, TraceWish, export_game, import_log, trace_game
from engine.titles.g1860 import worth
from engine.titles.g1860.state import State
from tests.engine.titles.g1860.record import oracle
from tests.oracle.states import differences, expect_state
from tests.support.beside import beside
from tests.support.sure import sure

pytestmark = pytest.mark.recorded


@cache
def import_recorded() -> Imported:
    return import_log(beside("oracle/1860/game-19354.json").read_bytes())


@cache
def lines() -> dict[int, dict[str, Any]]:
    """Return the record's line for each action in force."""
    return {line["index"]: line for line in oracle("states") if line["kind"] == "action"}


def test_every_state_is_equal() -> None:
    imported = import_recorded()
    places = []
    for step in trace_game(imported):
        places.append(step.index)
        theirs = expect_state(lines()[step.index])
        wrong = differences({key: sure(step.after)[key] for key in theirs}, theirs)
        assert not wrong, f"action {step.index}: {wrong[:5]}"
    assert places == sorted(lines()), "every action in force, no other"


def inside(s: State) -> dict[str, Any]:
    """Return what a trace does not tell."""
    return {
        "insolvent": {code for code, company in s.companies.items() if company.insolvent},
        "operated": {code for code, company in s.companies.items() if company.operated and company.started},
        "certs": [s.count_certificates(seat) for seat in range(s.seats)],
        "worth": [worth.find_total(s, seat) for seat in range(s.seats)],
        "tiles": {tile: left for tile in s.board.map.manifest.counts if (left := s.board.count_left(tile))},
        "pile": [name for name, left in s.depot.items() for _ in range(abs(left))],
        "returned": sorted(s.returned),
        "stacks": sorted((-(company.cell or 0), company.stamp, code) for code, company in s.companies.items()),
        "southern": (s.formed, s.stopped, s.nationalised),
    }


def inside_of(line: dict[str, Any], ids: tuple[str, ...]) -> dict[str, Any]:
    """Return the same of a recorded line."""
    companies, flags = line["corporations"], line["flags"]
    return {
        "insolvent": {code for code, company in companies.items() if company["insolvent"]},
        "operated": {code for code, company in companies.items() if company["operated"] and company["ipoed"]},
        "certs": [line["players"][key]["certs"] for key in ids],
        "worth": [line["players"][key]["value"] for key in ids],
        "tiles": line["tiles_left"],
        "pile": line["depot_upcoming"],
        "returned": sorted(line["depot_discarded"]),
        "stacks": sorted(
            (-(company["market_cell"] or 0), company["market_stack"] or 0, code) for code, company in companies.items()
        ),
        "southern": (flags["southern_formed"], flags["sr_after_southern"], flags["nationalization"]),
    }


def test_state_outside_the_trace_is_equal_too() -> None:
    """Insolvency, certificates, worth, tiles left, the pile, and who stands above whom on the market."""
    imported = import_recorded()
    for step in trace_game(imported, TraceWish(states=False)):
        ours, theirs = inside(step.state), inside_of(lines()[step.index], imported.ids)
        if not step.state.name.startswith("SR"):
            del ours["operated"], theirs["operated"]  # the site notes it before the turn, we after it
        for both in (ours, theirs):
            both["stacks"] = [(cell, code) for cell, _, code in both["stacks"] if cell]
        wrong = differences(ours, theirs)
        assert not wrong, f"action {step.index}: {wrong[:5]}"


def test_the_result_is_equal() -> None:
    imported = import_recorded()
    game = Game.replay(imported.setup, imported.log)
    result = game.result()
    assert result is not None
    assert {imported.ids[score.seat]: score.total for score in result.scores} == imported.recorded
    assert imported.recorded == {"1027": 12601, "5518": 11002}
    assert result.reason == "nationalization"


def test_every_run_earns_the_same() -> None:
    count = 0
    for step in trace_game(import_recorded(), TraceWish(states=False)):
        theirs = lines()[step.index].get("run_routes")
        ran = [event for event in step.events if isinstance(event, TrainsRan)]
        if theirs and ran:
            assert (ran[0].revenue, ran[0].subsidy) == (theirs["effective_revenue"], theirs["subsidy"]), step.index
            count += 1
    assert count > 50


def test_a_native_export_replays_to_the_same_state() -> None:
    imported = import_recorded()
    game = Game.replay(imported.setup, imported.log)
    again = import_log(export_game(game, imported.names))
    assert Game.replay(again.setup, again.log).state == game.state


def test_a_changed_record_is_refused_with_its_place() -> None:
    """An action that the rules forbid is named by its position in the file."""
    data = json.loads(beside("oracle/1860/game-19354.json").read_text())
    assert data["actions"][57]["type"] == "lay_tile"
    data["actions"][57]["rotation"] = 3
    with pytest.raises(LogError) as error:
        import_log(json.dumps(data).encode())
    assert error.value.index == 57
