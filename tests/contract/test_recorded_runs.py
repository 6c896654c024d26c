"""Runs that companies make by themselves stand in the log, so that no search gives a stored game another meaning."""

import msgspec
import pytest

from engine import Game, LogEntry, LogError, Setup
from engine.codec import decode_entry, decode_file, encode_entry, encode_file
from tests.playthroughs import record

KEPT = {"1862": "1862-home_first-off", "1860": "1860-insolvency-simplified"}
SETUPS = [record.read(name).setup for name in KEPT.values()]
SEARCHES = ["engine.titles.g1860.steps.running.run_search", "engine.titles.g1862.steps.running.run_search"]


def read_log(setup: Setup) -> list[LogEntry]:
    """Return the log of a game that is kept, in which companies ran by themselves."""
    return list(record.read(KEPT[setup.title]).read_log())


@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: setup.title)
def test_a_replay_searches_for_nothing(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    """7.7, 20.1: a log replayed with a search that is starved, or finds other runs, leads to the same state."""
    log = read_log(setup)
    assert any(entry.runs for entry in log), "some company ran by itself"
    state = Game.replay(setup, log).state
    for search in SEARCHES:
        monkeypatch.setattr(f"{search}.find_best_plan", None)
    assert Game.replay(setup, log).state == state
    again = [decode_entry(setup.title, entry.seat, encode_entry(entry)) for entry in log]
    assert Game.replay(setup, again).state == state
    assert Game.replay(*decode_file(encode_file(setup, log))).state == state


@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: setup.title)
def test_a_log_without_runs_means_what_it_meant(setup: Setup) -> None:
    """Logs written before runs were kept lead to the same money, by runs worth the same; the game holds the runs."""
    log = read_log(setup)
    bare = [LogEntry(entry.seat, entry.action) for entry in log]
    game, kept = Game.replay(setup, bare), Game.replay(setup, log)
    assert game.result() == kept.result()
    for state in (game.state, kept.state):
        state.round.plan = ""  # the last runs, which others may equal
    assert game.state == kept.state
    assert [len(entry.runs) for entry in game.log] == [len(entry.runs) for entry in log]


@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: setup.title)
@pytest.mark.parametrize("runs", [("nonsense",), ("",), ("2E A1-B2", "2E A1-B2")])
def test_a_run_that_is_not_legal_is_refused(setup: Setup, runs: tuple[str, ...]) -> None:
    log = read_log(setup)
    place = next(number for number, entry in enumerate(log) if entry.runs)
    log = [*log[:place], msgspec.structs.replace(log[place], runs=runs)]
    with pytest.raises(LogError) as refusal:
        Game.replay(setup, log)
    assert refusal.value.index == place


def test_runs_outside_a_running_step_are_refused() -> None:
    log = [msgspec.structs.replace(read_log(SETUPS[1])[0], runs=("2+1 F2-F4",))]
    with pytest.raises(LogError, match="don't run automatically"):
        Game.replay(SETUPS[1], log)
