"""How far long work is: seen on a terminal, silent in a pipe."""

import io
from pathlib import Path

import pytest

from bot.operations import cli, selfplay
from bot.operations.replay import Wishes, replay
from bot.service.workers.files import encode_export
from engine import Game
from tests.playthroughs.record import read


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_how_far_work_is_and_a_pipe_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was done, how much, of how much; the line is gone in the end."""
    monkeypatch.setenv("TERM", "xterm")
    terminal, pipe = Terminal(), io.StringIO()
    for file in (terminal, pipe):
        with cli.show_progress(file) as watch:
            watch("actions", 3, 12)
        assert list(cli.show_waiting(["one", "two"], "measuring", file)) == ["one", "two"]
    said = terminal.getvalue()
    assert "actions" in said
    assert "3/12" in said
    assert "measuring" in said
    assert said.endswith("\x1b[2K") or said.rstrip("\n").endswith(("\x1b[2K", "\x1b[?25h"))
    assert not pipe.getvalue()


def test_a_replay_and_self_play_tell_how_far_they_are(tmp_path: Path) -> None:
    kept = read("steel_driver-4")
    game = Game.replay(kept.setup, kept.read_log()[:40])
    told: list[tuple[str, int, int]] = []
    replay(encode_export(game, ("A", "B", "C", "D"), "native"), Wishes(until=30), lambda *far: told.append(far))
    assert told[0] == ("reading the file", 0, 0)
    assert told[-1] == ("actions", 30, 30)
    moves: list[int] = []
    selfplay.play(kept.setup, lambda _name, done, _of: moves.append(done))
    assert moves == [*range(1, len(moves) + 1)]
