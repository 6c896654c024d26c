"""Games travel both ways: what the public engine plays we read, what we play it accepts.

One game a case, unless ORACLE_SEEDS says which: "1-50". Without the engine
these tests skip; CONTRIBUTING tells how to have it.
"""

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from engine import TITLES, Game, Setup
from engine.finance.rounds import EndGame, Pass
from engine.game import LogEntry
from engine.interop.exchange import Imported, import_log, trace_game, write_site_game
from engine.setup import Rng
from tests.oracle import public_engine
from tests.oracle.conftest import ASIDE
from tests.oracle.states import differences, expect_state

FIRST, _, LAST = os.environ.get("ORACLE_SEEDS", "1").partition("-")
SEEDS = range(int(FIRST), int(LAST or FIRST) + 1)
PLAYERS = {"1860": (2, 3, 4), "1862": (2, 3, 4, 5, 6, 7, 8)}
"""Numbers of players, by title."""
VARIANTS = {
    "1860": {
        "two_player_map": {"map": "original"},
        "original_insolvency": {"insolvency": "original"},
        "simplified_insolvency": {"insolvency": "simplified"},
        "no_skip_towns": {"no_skip_towns": "on"},
        "original_game": {"original_game": "on", "insolvency": "original"},
        "re_enter_hexes": {"re_enter": "on"},
        "non_operated_full_value": {"full_price": "on"},
    },
    "1862": {
        "short_length": {"length": "short"},
        "long_length": {"length": "long"},
        "eight_tokens": {"eight_markers": "on"},
    },
}
"""The optional rules of the site with what a host chooses here, by title."""

LOOSE, IDLE = 10, 30
"""One action in so many is any legal one; so many passes in a row end such a game."""

Note = Callable[[str, object], None]
"""Keeps something with the report of a test, as pytest's ``record_property`` does."""

TABLES = [(title, players, "") for title, counts in PLAYERS.items() for players in counts]
TABLES += [(title, PLAYERS[title][1], rule) for title, rules in VARIANTS.items() for rule in rules]
GAMES = [(*table, seed) for seed in SEEDS for table in TABLES]


pytestmark = pytest.mark.timeout(public_engine.TIMEOUT_SECONDS)
"""On a busy machine a game takes minutes."""


@pytest.fixture(autouse=True)
def engine() -> None:
    public_engine.require()


def setup_of(title: str, players: int, rule: str, seed: int) -> Setup:
    """Return a game by the rules of the site, with one of its optional rules or none."""
    return Setup(title, players, {"profile": "18xx.games", **VARIANTS[title].get(rule, {})}, seed)


def self_played(title: str, players: int, rule: str, seed: int) -> Game:
    """Play a game by the rules of the site to its end."""
    of = TITLES[title]
    setup = setup_of(title, players, rule, seed)
    s, rng, log = of.deal(setup), Rng(seed), []
    while of.actors(s):
        seat = of.actors(s)[0]
        action = of.spell_out(s, seat, of.advice.choose(s, seat, rng))
        of.apply(s, of.check(s, seat, action), lambda _: None)
        log.append(LogEntry(seat, action))
    return Game.replay(setup, log)


def loosely_played(title: str, players: int, rule: str, seed: int) -> Game:
    """Play a game in which one action of ten is any legal one: corners that sense does not come to.

    It stops where no one does anything any more. Offers are accepted, as the site knows no others.
    """
    of = TITLES[title]
    setup = setup_of(title, players, rule, seed)
    s, rng, log = of.deal(setup), Rng(seed), list[LogEntry]()
    while of.actors(s) and any(not isinstance(entry.action, Pass) for entry in log[-IDLE:] or [LogEntry(0, EndGame())]):
        seat = of.actors(s)[0]
        legal = [action for action in of.legal(s, seat) if action.verb not in ("withdraw", "counter")]
        accepting = [action for action in legal if getattr(action, "reply", "") == "accept"]
        loose = rng.choose(legal) if rng.below(LOOSE) == 0 else of.advice.choose(s, seat, rng)
        action = of.spell_out(s, seat, accepting[0] if accepting else loose)
        of.apply(s, of.check(s, seat, action), lambda _: None)
        log.append(LogEntry(seat, action))
    return Game.replay(setup, log)


def names(game: Game) -> list[str]:
    return [f"Player {seat + 1}" for seat in range(game.setup.seats)]


def judge_game(game: Game, file: Path, note: Note) -> dict[str, Any]:
    """Write a game as the site does and return the verdict of its engine: accepted, but for what we say it stops at."""
    written = write_site_game(game, names(game))
    file.write_bytes(written.data)
    verdict = public_engine.judge_file(file)
    if written.stop:
        assert f"beyond action {verdict['rejected_index']}," in written.stop
        pytest.skip(written.stop)
    assert verdict["accepted"], (verdict["rejected_action"], verdict["error"])
    if verdict["aside"]:
        note(ASIDE, file.name)
    return verdict


def unequal(file: Path, imported: Imported) -> list[str]:
    """Return the first differences between our states and the engine's."""
    theirs = {state["index"]: expect_state(state) for state in public_engine.states(file)}
    assert [*imported.places] == [*theirs], "every action in force, no other"
    for step in trace_game(imported):
        want = theirs[step.index]
        assert step.after is not None
        wrong = differences({key: step.after[key] for key in want}, want)
        if wrong:
            return [f"action {step.index}", *wrong[:5]]
    return []


@pytest.mark.parametrize("title", PLAYERS)
def test_the_games_that_come_with_the_engine_are_read(title: str, tmp_path: Path) -> None:
    """Games of people: every state is equal, and the result."""
    for kept in public_engine.games(title):
        file = tmp_path / kept.name
        file.write_bytes(kept.read_bytes())
        imported = import_log(file.read_bytes())
        assert not unequal(file, imported), kept.name
        result = Game.replay(imported.setup, imported.log).result()
        assert result is not None
        assert {imported.ids[score.seat]: score.total for score in result.scores} == imported.recorded


@pytest.mark.parametrize(("title", "players", "rule", "seed"), GAMES)
def test_a_random_game_of_the_engine_is_read_to_its_end(
    title: str, players: int, rule: str, seed: int, tmp_path: Path
) -> None:
    """Every state is equal, and the result."""
    file = tmp_path / "game.json"
    file.write_bytes(public_engine.random_game(title, players, seed, [rule] if rule else []))
    imported = import_log(file.read_bytes())
    assert not unequal(file, imported)
    game = Game.replay(imported.setup, imported.log)
    result = game.result()
    there = json.loads(file.read_bytes())
    if result is not None and result.reason == "standstill":  # there a dead game goes on to turn 100, which is left out
        return
    assert (result is not None) is (there["status"] == "finished")
    if imported.state is None and imported.report.results:  # ended by hand at a question that the site alone asks
        return
    if result is not None:
        assert {imported.ids[score.seat]: score.total for score in result.scores} == there["result"]


@pytest.mark.parametrize(("title", "players", "rule", "seed"), GAMES)
def test_a_game_of_ours_is_accepted_with_the_same_result(
    title: str, players: int, rule: str, seed: int, tmp_path: Path, record_property: Note
) -> None:
    """Every check of the engine on, those of its pages too."""
    verdict = judge_game(self_played(title, players, rule, seed), tmp_path / "game.json", record_property)
    assert verdict["finished"]
    assert verdict["result_matches_file"]


@pytest.mark.parametrize(("title", "players", "rule", "seed"), GAMES)
def test_a_game_of_any_legal_moves_is_accepted_and_comes_back(
    title: str, players: int, rule: str, seed: int, tmp_path: Path, record_property: Note
) -> None:
    """What we call legal is legal there, also where no one in his senses would do it."""
    game, file = loosely_played(title, players, rule, seed), tmp_path / "game.json"
    verdict = judge_game(game, file, record_property)
    assert verdict["finished"] is (game.result() is not None)
    again = import_log(file.read_bytes())
    assert Game.replay(again.setup, again.log).state == game.state


@pytest.mark.parametrize(("title", "players", "rule", "seed"), GAMES)
def test_a_game_exported_in_mid_play_continues_there_and_comes_back(
    title: str, players: int, rule: str, seed: int, tmp_path: Path, record_property: Note
) -> None:
    """At moments drawn by the seed the same log and state come back; then what the engine has played since is read."""
    whole, rng = self_played(title, players, rule, seed).list_in_force(), Rng(seed)
    for part in (1, 2, 3):
        game = Game.replay(setup_of(title, players, rule, seed), whole[: 1 + rng.below(len(whole) - 1)])
        file = tmp_path / f"part-{part}.json"
        judge_game(game, file, record_property)
        again = import_log(file.read_bytes())
        assert strip_entries(again.log) == strip_entries(game.list_in_force())
        assert Game.replay(again.setup, again.log).state == game.state
    more = tmp_path / "more.json"
    more.write_bytes(public_engine.goes_on(file, seed, 150))
    brought = import_log(more.read_bytes())
    assert not unequal(more, brought)
    assert brought.report.is_clean, brought.report


def first_merge(actions: list[dict[str, Any]]) -> dict[str, Any]:
    return next(action for action in actions if action["type"] == "merge")


def not_to_be_merged(actions: list[dict[str, Any]]) -> None:
    """Have a company merge with itself."""
    merge = first_merge(actions)
    merge["corporation"] = merge["entity"]


def too_much_earned(actions: list[dict[str, Any]]) -> None:
    """Raise what a route earns, after the first merge."""
    later = actions[actions.index(first_merge(actions)) :]
    run = next(action for action in later if action["type"] == "run_routes" and action["routes"])
    run["routes"][0]["revenue"] += 10


@pytest.mark.parametrize(
    ("change", "error"),
    [(None, None), (not_to_be_merged, "is not mergeable"), (too_much_earned, "revenue in file")],
)
def test_looking_aside_before_a_merge_refuses_a_wrong_choice(
    change: Callable[[list[dict[str, Any]]], None] | None, error: str | None, tmp_path: Path
) -> None:
    """Differences 60: the check asks a game of its own what may be merged, and checks all that it checked before."""
    game = json.loads(public_engine.games("1862")[0].read_bytes())
    end = game["actions"].index(first_merge(game["actions"])) + 40
    game["actions"] = game["actions"][:end]
    if change:
        change(game["actions"])
    file = tmp_path / "game.json"
    file.write_text(json.dumps(game))
    for verdict in (public_engine.judge_copy(file), public_engine.judge_file(file)):
        assert verdict["accepted"] is (error is None)
        assert error is None or error in verdict["error"]
    assert verdict["aside"] is (error is not None), "refused with a merge before it, it is judged once more"


def strip_entries(log: Sequence[LogEntry]) -> list[LogEntry]:
    return [LogEntry(entry.seat, entry.action) for entry in log]
