"""The recorded game of 18xx.games, equal in every state and in its result."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from engine.interop.exchange import Imported, Traced, TraceWish, import_log, trace_game
from engine.titles.g1862 import worth
from engine.titles.g1862.events import RunCorrected
from tests.support.beside import beside, lines
from tests.support.sure import as_a

pytestmark = pytest.mark.recorded


@cache
def import_recorded() -> Imported:
    return import_log(beside("oracle/1862/game-46925.json").read_bytes())


@cache
def trace_recorded() -> tuple[Traced, ...]:
    return tuple(trace_game(import_recorded(), TraceWish(options=True)))


def oracle(name: str) -> Iterator[dict[str, Any]]:
    return lines(f"oracle/1862/{name}-46925.jsonl.gz")


def test_every_state_has_the_money_the_shares_and_the_tracks_of_the_site() -> None:
    ours = trace_recorded()
    theirs = [line for line in oracle("states") if line["kind"] == "action"]
    assert len(theirs) == len(ours)
    for want, got in zip(theirs, ours, strict=True):
        assert got.after is not None
        assert got.index == want["index"]
        assert got.after["round"] == want["round"]
        assert got.after["phase"] == want["phase"]
        assert got.after["bank"] == want["bank_cash"]
        assert got.after["order"] == want["operating_order"]
        for player, held in want["players"].items():
            ours = as_a(dict, got.after["players"])[player]
            assert ours["cash"] == held["cash"]
            assert ours["shares"] == {code: share["percent"] for code, share in held["shares"].items()}
        for code, company in want["corporations"].items():
            if company["ipoed"]:
                ours = as_a(dict, got.after["companies"])[code]
                assert ours["cash"] == company["cash"]
                assert ours["price"] == company["share_price"]
                assert ours["par"] == company["par_price"] or company["par_price"] == company["share_price"]
                for place, theirs_at in (("ipo", "ipo"), ("pool", "market"), ("treasury", "treasury")):
                    assert ours[place] == company[theirs_at]["percent"]
                assert (ours["floated"], ours["receivership"]) == (company["floated"], bool(company["receivership"]))
                assert ours["trains"] == sorted(company["trains"])
                assert ours["tokens"] == sorted([[t["hex"], t["city"]] for t in company["tokens"]], key=str)
                assert ours["director"] == (company["director"] if company["director"] != "market" else None)


def test_the_result_is_the_recorded_one() -> None:
    state = trace_recorded()[-1].state
    result = worth.find_result(state)
    assert result is not None
    assert result.reason == "lner"
    assert {import_recorded().ids[score.seat]: score.total for score in result.scores} == import_recorded().recorded


def test_differences_3_recorded_revenue_is_kept_and_eleven_runs_are_distinguished() -> None:
    corrections = [event for line in trace_recorded() for event in line.events if isinstance(event, RunCorrected)]
    assert len(corrections) == 11
    assert {event.our_revenue - event.revenue for event in corrections} <= {20, 30}
