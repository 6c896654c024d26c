"""Try small changes of the code, and report which of them no test notices.

``python -m tests.mutants render bot/commands --most 25 --seed 1``

Of each room a sample of changes is drawn by the seed. The test files nearest to
them by imports are run once, with marks, to see which tests come by each
change; then each change is tried in a process of its own against those tests,
the quickest first. For the survivors test files further away are watched and
asked, as far as the time goes. A survivor may mean the same; look at each.
``--only FILE:LINE`` tries the changes of a line. Without rooms: all.

The run works on a copy of the files as they are at its start, so they can be
edited meanwhile. Its last lines are a table of the rooms.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.mutants.near import nearest_first, room_of, rooms, test_files
from tests.mutants.trying import Place, Tests, are_noticed, codes_to_replace, is_noticed, places_in
from tests.mutants.watching import BATCH, KEPT, Watcher, processor_seconds

ENOUGH_TESTS = 5
"""When so many tests come by every change of a sample, no more are watched before the first try."""
ASK_SECONDS, SLOW_SECONDS = 8.0, 3.0
"""Of the processor: for so long tests are asked for one change, half of it the quickest, half of it those of the
nearest files; slow ones only if few come by."""
NEAREST = 15
"""Test files that are asked for a constant, whatever blocks their tests enter: some read it while they are loaded."""
WATCH_SECONDS = 60.0
"""Of the processor: for so long test files are watched for a sample, and further ones for a survivor; what is known is
always asked."""
MAX_CHECKED = 40
"""Tests that are run before anything is changed."""
TASTE = frozenset({"player.py", "thinking.py", "dealing.py", "outlook.py", "forecast.py"})
"""How a program plays is no rule: a change of taste is no fault, and matches measure it."""


IN_COPY = "--in-copy"
"""How the program is started again in a copy of the project."""


class Row(NamedTuple):
    """What came of a room: how many changes were tried and survived, how many places it has, seconds it took."""

    room: str
    tried: int
    survive: int
    places: int
    seconds: int


def sample_of(room: str, most: int, seed: int, only: Sequence[str]) -> tuple[list[Place], int]:
    """Draw changes of a room or file, and count all there are."""
    root = Path(room)
    inside = [path for path in sorted(root.rglob("*.py")) if path.name not in TASTE and room_of(path) == room_of(root)]
    every = [place for path in (inside if root.is_dir() else [root]) for place in places_in(path)]
    if only:
        every = [place for place in every if f"{place.path}:{place.change.line}" in only]
    return random.Random(seed).sample(every, min(most, len(every))), len(every)  # noqa: S311  # no secret


class NearTestsError(Exception):
    """Near tests fail though nothing is changed, or there are none."""


class Trial:
    """Tries samples of changes.

    Args:
        given: the test files to ask; ``None``: all that come by a change.
    """

    def __init__(self, watcher: Watcher, given: Sequence[Path] | None) -> None:
        self.watcher, self.given = watcher, given

    def survivors(self, places: Sequence[Place]) -> list[str]:
        """Return the changes that no test notices, each in a line."""
        self._watch(places)
        asked = [(place, self._tests_of(place)) for place in places]
        quick = {test: took for _, tests in asked for test, took in tests.items()}
        if not quick or is_noticed({}, dict(sorted(quick.items(), key=lambda one: one[1])[:MAX_CHECKED])):
            raise NearTestsError
        alive = _ask(asked)
        if alive and self.given is None:
            self._watch([place for place, _ in alive], fewest=None)
            tests = [(place, before, self._tests_of(place)) for place, before in alive]
            more = [
                (place, {name: after[name] for name in after if name not in before}) for place, before, after in tests
            ]
            alive = _ask([one for one in more if one[1]]) + [one for one in more if not one[1]]
        return [
            f"{place.path}:{place.change.line}  {place.describe()}  ({len(self._tests_of(place))} tests asked)"
            for place, _ in sorted(alive)
        ]

    def _watch(self, places: Sequence[Place], fewest: int | None = ENOUGH_TESTS) -> None:
        """Watch the nearest test files until enough tests come by each place, or for a while."""
        files = list(self.given or nearest_first({place.path for place in places}))
        end = processor_seconds() + WATCH_SECONDS
        unknown = [file for file in files if not self.watcher.is_known(file)]
        for start in range(0, len(unknown), BATCH):
            is_enough = fewest is not None and min(len(self._tests_of(place)) for place in places) >= fewest
            if self.given is None and (is_enough or processor_seconds() > end):
                return
            self.watcher.watch(unknown[start : start + BATCH])

    def _tests_of(self, place: Place) -> dict[str, float]:
        """Return tests that come by a place, the quickest and the nearest; for want of these, those of its file.

        A cache hides from most tests what only the first of them computes. A constant or the default of a record is
        reached without any block: the tests of the nearest files are asked too.
        """
        files = self.given or nearest_first([place.path])
        coming_by = self.watcher.entering(place.blocks, files)
        if len(coming_by) < ENOUGH_TESTS:
            coming_by |= self.watcher.entering(place.file, files)
        if not coming_by or not codes_to_replace(place):
            coming_by |= self.watcher.list_tests(files[:NEAREST])
        order = {str(file): number for number, file in enumerate(files)}
        quickest = sorted(coming_by, key=lambda test: coming_by[test])
        nearest = sorted(quickest, key=lambda test: order[test.partition("::")[0]])
        found = dict[str, float]()
        for names, seconds in ((quickest, ASK_SECONDS / 2), (nearest, ASK_SECONDS)):
            for test in (each for each in names if each not in found):
                took = coming_by[test]
                if sum(found.values()) + took > seconds or (took > SLOW_SECONDS and len(found) >= ENOUGH_TESTS):
                    break
                found[test] = took
        return dict(sorted(found.items(), key=lambda one: one[1]))


def _ask(asked: Sequence[tuple[Place, Tests]]) -> list[tuple[Place, Tests]]:
    """Return the changes that tests don't notice, with these tests."""
    return [one for one, noticed in zip(asked, are_noticed(asked), strict=True) if not noticed]


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
        apart_from_others = {**os.environ, "PYTEST_DEBUG_TEMPROOT": folder}
        return subprocess.run(again, cwd=tree, check=False, env=apart_from_others).returncode


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
    wanted.add_argument("--watch", action="store_true", help="watch all test files first, some minutes once")
    wanted.add_argument(IN_COPY, action="store_true", help=argparse.SUPPRESS)
    given = wanted.parse_args(words)
    if not given.in_copy:
        sys.exit(run_in_copy(words))
    watcher = Watcher()
    if given.watch:
        watcher.watch(test_files())
    trial, rows, failed = Trial(watcher, given.tests), list[Row](), list[str]()
    for room in given.rooms:
        start = time.monotonic()
        sample, count = sample_of(room, given.most, given.seed, given.only)
        try:
            survivors = trial.survivors(sample)
            tried, alive = len(sample), len(survivors)
            sys.stdout.write("".join(f"\n  {line}" for line in survivors))
        except NearTestsError:
            tried, alive, failed = 0, 0, [*failed, room]
            sys.stdout.write(f"\n{room}: {NearTestsError.__doc__}\n")
        rows.append(Row(room, tried, alive, count, round(time.monotonic() - start)))
        sys.stdout.write(f"\n{room}: {alive} of {tried} survive\n")
    sys.stdout.write(f"\n{format_table(rows)}\n")
    sys.exit(f"Not tried: {' '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
