"""The games that are kept travel: written for 18xx.games at a moment of theirs, and read back."""

import zlib
from collections.abc import Sequence

import pytest

from engine.game import Game, LogEntry, find_title, play_entry
from engine.interop.exchange import TRANSLATORS, Imported, export_game, import_log
from engine.record import Action, Event
from tests.playthroughs.cases import cases
from tests.playthroughs.record import read

GAMES = [name for name, setup in cases() if setup.title in TRANSLATORS]
TALK = {"merge", "train", "answer", "cancel"}
"""Verbs of proposals: a file has only those that were agreed to."""


def assert_as_played(brought: Imported) -> None:
    """What a file is said to lead to is what its log leads to when it is played by a table of ours."""
    title = find_title(brought.setup)
    state = title.deal(brought.setup)
    for said, told in zip(brought.log, brought.events, strict=True):
        events: list[Event] = []
        assert play_entry(title, state, said, events.append) == said
        assert tuple(events) == told
    assert state == brought.state


def deeds(said: Sequence[LogEntry]) -> list[tuple[int, Action]]:
    return [(one.seat, one.action) for one in said if one.action.verb not in TALK]


@pytest.mark.parametrize("name", GAMES)
def test_a_game_comes_back_from_a_file_of_the_site(name: str) -> None:
    """Every title, number of players and option: the same set-up, log, facts and state, early in each."""
    kept = read(name)
    said = kept.read_log()
    game = Game.replay(kept.setup, said[: zlib.crc32(name.encode()) % (len(said) // 5) + 1])
    brought = import_log(export_game(game, [f"P{seat}" for seat in range(kept.setup.seats)]))
    assert brought.setup == kept.setup
    assert brought.report.is_clean, brought.report
    assert deeds(brought.log) == deeds(game.list_in_force())
    assert_as_played(brought)
    assert Game.replay(kept.setup, brought.log).state == game.state
