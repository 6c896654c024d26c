"""The public engine of 18xx.games as a player and a judge: run where it is, never copied.

It takes a checkout named by the environment variable T18XX, ruby, and the
drivers that lie beside the repository.
"""

import gzip
import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

DRIVERS = Path(__file__).resolve().parents[3] / "shared" / "oracle" / "ruby"
TIMEOUT_SECONDS = 1_800

GO_ON = """
file = JSON.parse(File.read(ARGV[0]))
game = RandomGame.new(file['title'], file['players'].size, ARGV[1].to_i, file['settings']['optional_rules'])
game.instance_variable_set(:@actions, file['actions'])
game.instance_variable_set(:@data, game.instance_variable_get(:@data).merge(file.slice('players', 'settings')))
game.rebuild
game.play(file['actions'].size + ARGV[2].to_i)
puts JSON.generate(game.file)
"""
"""Makes a game of ours go on there: a file, a seed, how many actions more."""


LOOK_ASIDE = """
module LookAside
  def lax(game, action)
    return super unless action['type'] == 'merge'

    reader, writer = IO.pipe
    fork do
      writer.write(JSON.generate([super(game, action)]))
      writer.close
      exit!(true)
    end
    writer.close
    JSON.parse(reader.read).first
  end
end
Object.prepend(LookAside)
load ARGV.shift
"""
"""Has the check of a file ask what may be merged of a copy of the game, in a child process.

The driver, its file and its options follow.

Asked, the engine looks for track and remembers that it did; it then waits for runs that it would not wait for
(differences 60), which no page of that site makes it do.
"""


def require() -> None:
    """Skip the test where the engine cannot be run."""
    if not os.environ.get("T18XX"):
        pytest.skip("T18XX names no checkout of the public engine")
    if shutil.which("ruby") is None or not DRIVERS.exists():
        pytest.skip("ruby or ../shared/oracle/ruby is not here")


def _ruby(arguments: Sequence[str], *, refusal: bool = False) -> bytes:
    """Run ruby and return what it wrote; a refusal is an answer too."""
    done = subprocess.run(["ruby", *arguments], capture_output=True, timeout=TIMEOUT_SECONDS, check=False)
    assert done.returncode == 0 or (refusal and done.stdout), done.stderr.decode()[-2000:]
    return done.stdout


def games(title: str) -> list[Path]:
    """Return the files of games of people that come with the engine."""
    return sorted((Path(os.environ["T18XX"]) / "public" / "fixtures" / title).glob("*.json"))


def random_game(title: str, players: int, seed: int, rules: Sequence[str]) -> bytes:
    """Return the file of a game that the engine plays by itself."""
    return _ruby([str(DRIVERS / "random_game.rb"), title, str(players), str(seed), *rules])


def goes_on(file: Path, seed: int, actions: int) -> bytes:
    """Return the file of a game that the engine has gone on with for so many actions."""
    return _ruby(["-r", str(DRIVERS / "random_game.rb"), "-e", GO_ON, str(file), str(seed), str(actions)])


def judge_file(file: Path) -> dict[str, Any]:
    """Return what the engine says to a file, every check on.

    A file that is refused after the check has looked before a merge is judged once more, with that look and
    every other check, but the look at a copy of the game; ``aside`` tells so (differences 60).
    """
    verdict = _run_judge([str(DRIVERS / "check_import.rb"), str(file), "--strict"])
    aside = not verdict["accepted"] and _has_looked(file, verdict)
    return (judge_copy(file) if aside else verdict) | {"aside": aside}


def judge_copy(file: Path) -> dict[str, Any]:
    """Return what the engine says to a file, every check on, asked of a copy of the game what may be merged."""
    return _run_judge(["-e", LOOK_ASIDE, str(DRIVERS / "check_import.rb"), str(file), "--strict"])


def _run_judge(arguments: Sequence[str]) -> dict[str, Any]:
    return dict(json.loads(_ruby(arguments, refusal=True)))


def _has_looked(file: Path, verdict: dict[str, Any]) -> bool:
    """Return whether the check has asked what may be merged by the time it refused a file."""
    refused = verdict["rejected_index"]
    if refused is None:
        return False
    return any(action["type"] == "merge" for action in json.loads(file.read_bytes())["actions"][: refused + 1])


def states(file: Path) -> list[dict[str, Any]]:
    """Return the engine's state after each action of a file."""
    out = file.with_suffix(".states.gz")
    _ruby([str(DRIVERS / "trace.rb"), str(file), str(out)])
    with gzip.open(out, "rt") as lines:
        return [line for line in map(json.loads, lines) if line["kind"] == "action"]
