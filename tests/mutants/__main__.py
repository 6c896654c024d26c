"""Try small changes of the code, and report which of them no test notices.

``python -m tests.mutants render bot/commands --most 25 --seed 1``

Of each room a sample of changes is drawn by the seed. The test files nearest to
them by imports are run once, with marks, to see which tests come by each
change; then each change is tried in a process of its own against those tests,
the quickest first. For a survivor test files further away are run and asked,
until one notices it or the time is up. A survivor may mean the same; look at
each. ``--only FILE:LINE`` tries the changes of a line. Without rooms: all.
"""

import argparse
import ast
import random
import sys
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
from tests.mutants.watching import BATCH, QUIET, Finder, Watcher, apart

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


class Trial:
    """Tries one change after the other."""

    def __init__(self, watcher: Watcher, given: Sequence[Path] | None) -> None:
        self.watcher, self.given = watcher, given

    def survivors(self, places: Sequence[Place]) -> list[str]:
        """Return the changes that no test notices, each in a line, which is shown at once."""
        near = self._watch_near(places)
        quick = {test: took for place in places for test, took in self._coming_by(place, near).items()}
        if is_noticed({}, sorted(quick, key=lambda test: quick[test])[:MAX_CHECKED]):
            sys.exit("Near tests fail though nothing is changed, or there are none.")
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
    given = wanted.parse_args(words)
    trial, table = Trial(Watcher(), given.tests), []
    for room in given.rooms:
        sample, count = sample_of(room, given.most, given.seed, given.only)
        alive = trial.survivors(sample)
        share = 100 * len(alive) / max(1, len(sample))
        table.append(f"{room}: {len(alive)} of {len(sample)} survive ({share:.0f}%), {count} in all")
        sys.stdout.write(f"\n{table[-1]}\n")
    if len(table) > 1:
        sys.stdout.write("\n" + "\n".join(table) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
