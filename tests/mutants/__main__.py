"""Try small changes of the code, and report which of them no test notices.

``python -m tests.mutants render bot/commands --most 25 --seed 1``

Of each room a sample of changes is drawn by the seed. The test files nearest to
them by imports are run once, with marks, to see which tests come by each
change; then each change is tried in a process of its own against those tests,
the quickest first. For a survivor test files further away are run and asked,
until one notices it or the time is up. A survivor may mean the same; look at
each. ``--only FILE:LINE`` tries the changes of a line. Without rooms: all.

The run works on a copy of the files as they are at its start, so they can be
edited meanwhile. Its last lines are a table of the rooms.
"""

import argparse
import ast
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, groupby, islice
from pathlib import Path
from types import CodeType
from typing import NamedTuple

import pytest

from tests.mutants.blocks import Blocks
from tests.mutants.changes import Change, changed, changes
from tests.mutants.near import nearest_first, room_of, rooms
from tests.mutants.watching import BATCH, KEPT, QUIET, Finder, Watcher, apart

BUSY_SECONDS = 30
"""Of the processor; after so long a change counts as noticed: something goes on for ever."""
ENOUGH_TESTS = 5
"""When so many tests come by every change of a sample, no more are watched before the first try."""
PORTION_SECONDS, PORTIONS = 20.0, 3
"""Tests are asked for one change in so many portions at most, the quickest first, each of so many seconds."""
WATCH_SECONDS = 120.0
"""For so long test files are watched for a sample, and further ones for a survivor; what is known is always asked."""
MAX_CHECKED = 40
"""Tests that are run before anything is changed."""
TASTE = "player.py"
"""How a program plays is no rule: a change of taste is no fault."""


IN_COPY = "--in-copy"
"""How the program is started again in a copy of the project."""


class Row(NamedTuple):
    """What came of a room: how many changes were tried and survived, how many places it has, seconds it took."""

    room: str
    tried: int
    survive: int
    places: int
    seconds: int


class Place(NamedTuple):
    """A change, the blocks by which tests come to it, and all blocks of its file, in case those have changed."""

    path: Path
    change: Change
    blocks: Sequence[str]
    file: Sequence[str]


def places_in(path: Path) -> list[Place]:
    """Return all places of a file that can be changed."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes, blocks = list(ast.walk(tree)), Blocks(path, tree)
    file = list(blocks.bodies)
    return [Place(path, each, blocks.reaching(nodes[each.node]), file) for each in changes(tree)]


def sample_of(room: str, most: int, seed: int, only: Sequence[str]) -> tuple[list[Place], int]:
    """Draw changes of a room or file, and count all there are."""
    root = Path(room)
    inside = [path for path in sorted(root.rglob("*.py")) if path.name != TASTE and room_of(path) == room_of(root)]
    every = [place for path in (inside if root.is_dir() else [root]) for place in places_in(path)]
    if only:
        every = [place for place in every if f"{place.path}:{place.change.line}" in only]
    return random.Random(seed).sample(every, min(most, len(every))), len(every)  # noqa: S311  # no secret


def portions(tests: Mapping[str, float]) -> Iterator[list[str]]:
    """Yield the quickest of some tests in so many portions, each as many as can be asked at a time."""
    ordered = sorted(tests, key=lambda test: tests[test])
    until = accumulate(tests[test] for test in ordered)
    parts = groupby(zip(ordered, until, strict=True), key=lambda one: one[1] // PORTION_SECONDS)
    for _, part in islice(parts, PORTIONS):
        yield [test for test, _ in part]


def is_noticed(codes: Mapping[Path, CodeType], tests: Sequence[str]) -> bool:
    """Return whether a test fails with changed modules."""

    def run() -> int:
        sys.meta_path.insert(0, Finder(codes))
        return int(pytest.main([*QUIET, "-x", *tests]))

    return apart(run, BUSY_SECONDS) != 0


class NearTestsError(Exception):
    """Near tests fail though nothing is changed, or there are none."""


class Trial:
    """Tries one change after the other."""

    def __init__(self, watcher: Watcher, given: Sequence[Path] | None) -> None:
        self.watcher, self.given = watcher, given

    def survivors(self, places: Sequence[Place]) -> list[str]:
        """Return the changes that no test notices, each in a line, which is shown at once."""
        near = self._watch_near(places)
        quick = {test: took for place in places for test, took in self._coming_by(place, near).items()}
        if is_noticed({}, sorted(quick, key=lambda test: quick[test])[:MAX_CHECKED]):
            raise NearTestsError
        found = []
        for place in places:
            tree, words = changed(place.path.read_text(encoding="utf-8"), place.change)
            code = {place.path: compile(tree, str(place.path.absolute()), "exec", dont_inherit=True)}
            asked = self._coming_by(place, near)
            killed = any(is_noticed(code, tests) for tests in portions(asked))
            if not killed and not self._is_noticed_further(place, code, asked):
                found.append(f"{place.path}:{place.change.line}  {words}  ({len(asked)} tests come by)")
                sys.stdout.write(f"\n  {found[-1]}\n")
            else:
                sys.stdout.write(".")
            sys.stdout.flush()
        return found

    def _watch_near(self, places: Sequence[Place]) -> list[Path]:
        """Watch the nearest test files until enough tests come by each place; return those that are known."""
        files = list(self.given or nearest_first({place.path for place in places}))
        end = time.monotonic() + WATCH_SECONDS
        for start in range(0, len(files), BATCH):
            fewest = min(len(self._coming_by(place, files[:start])) for place in places)
            if self.given is None and (fewest >= ENOUGH_TESTS or time.monotonic() > end):
                return files[:start]
            self.watcher.watch(files[start : start + BATCH])
        return files

    def _coming_by(self, place: Place, files: Iterable[Path]) -> dict[str, float]:
        known = self.watcher.kept.numbers
        return self.watcher.entering(place.blocks if any(name in known for name in place.blocks) else place.file, files)

    def _is_noticed_further(self, place: Place, code: Mapping[Path, CodeType], asked: dict[str, float]) -> bool:
        """Ask test files further away, the nearest to the changed file first; ``asked`` grows by their tests."""
        end = time.monotonic() + WATCH_SECONDS
        files = [] if self.given else nearest_first([place.path])
        for start in range(0, len(files), BATCH):
            batch = files[start : start + BATCH]
            if time.monotonic() > end:
                batch = [test for test in batch if self.watcher.is_known(test)]
            self.watcher.watch(batch)
            more = {test: took for test, took in self._coming_by(place, batch).items() if test not in asked}
            asked |= more
            if more and any(is_noticed(code, tests) for tests in portions(more)):
                return True
        return False


def copy_tree(folder: Path) -> Path:
    """Copy the project's files as they are now; what is known of the tests stays in one file for all runs."""
    tree, listed = folder / "tree", ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    for name in subprocess.run(listed, capture_output=True, text=True, check=True).stdout.split("\0"):
        if name and Path(name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(name, tree / name)
    (tree / KEPT).symlink_to(KEPT.absolute())
    return tree


def run_in_copy(words: list[str]) -> int:
    """Start this program again in a copy of the project, and return what it ends with."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        tree = copy_tree(Path(folder))
        again = [sys.executable, "-m", "tests.mutants", IN_COPY, *words]
        return subprocess.run(again, cwd=tree, check=False).returncode


def format_table(rows: Sequence[Row]) -> str:
    """Return a table of the rooms, and all of them together in its last row."""
    total = Row("all", *(sum(column) for column in zip(*(row[1:] for row in rows), strict=True)))
    lines = ["| room | tried | survive | share | places | minutes |", "|---|--:|--:|--:|--:|--:|"]
    for room, tried, survive, places, seconds in (*rows, total):
        share = 100 * survive / max(1, tried)
        lines.append(f"| {room} | {tried} | {survive} | {share:.0f}% | {places} | {seconds / 60:.1f} |")
    return "\n".join(lines)


def main(words: list[str]) -> None:
    """Try a sample of each room."""
    wanted = argparse.ArgumentParser(prog="python -m tests.mutants")
    wanted.add_argument(
        "rooms", nargs="*", default=rooms(), help="folders or files, as engine/rails; all rooms if left out"
    )
    wanted.add_argument("--most", type=int, default=25, help="changes a room")
    wanted.add_argument("--seed", type=int, default=1)
    wanted.add_argument("--only", action="append", default=[], help="FILE:LINE")
    wanted.add_argument("--tests", nargs="+", type=Path, help="test files to ask in the place of the near ones")
    wanted.add_argument(IN_COPY, action="store_true", help=argparse.SUPPRESS)
    given = wanted.parse_args(words)
    if not given.in_copy:
        sys.exit(run_in_copy(words))
    trial, rows, failed = Trial(Watcher(), given.tests), list[Row](), list[str]()
    for room in given.rooms:
        start = time.monotonic()
        sample, count = sample_of(room, given.most, given.seed, given.only)
        try:
            tried, alive = len(sample), len(trial.survivors(sample))
        except NearTestsError:
            tried, alive, failed = 0, 0, [*failed, room]
            sys.stdout.write(f"\n{room}: {NearTestsError.__doc__}\n")
        rows.append(Row(room, tried, alive, count, round(time.monotonic() - start)))
        sys.stdout.write(f"\n{room}: {alive} of {tried} survive\n")
    sys.stdout.write(f"\n{format_table(rows)}\n")
    sys.exit(f"Not tried: {' '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
