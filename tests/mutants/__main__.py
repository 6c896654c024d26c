"""Try small changes of the code, and tell which of them no near test notices.

``python -m tests.mutants engine/rails engine/finance --most 25 --seed 1``

Of each room a sample of changes is drawn by the seed. One run of the near tests
tells which tests come by each place; then each change is tried in a process of
its own against those tests alone, the quickest first. A survivor may be a change
that means the same; look at each. ``--only FILE:LINE`` tries the changes of a line.
"""

import argparse
import ast
import builtins
import importlib
import importlib.abc
import importlib.machinery
import json
import os
import random
import resource
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate, groupby, islice
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import pytest

from tests.mutants.changes import Change, Probed, changed, changes

G1860, G1862 = "tests/engine/titles/g1860", "tests/engine/titles/g1862"
CORE = "codec game log options pictures rng title units words"
DESK = "fast_auctions desk commands admin places posts best_found short_turns toy_table"
KEPT = "tests/playthroughs/test_playthroughs.py::test_a_game_replays_to_the_same_states"
RUNS = [f"tests/playthroughs/test_{name}.py" for name in ("small_boards", "best_runs", "run_choices", "words")]


def _games(title: str) -> list[str]:
    """Return the tests that replay the kept games of a title."""
    found = Path("tests/playthroughs/games").glob(f"{title}-*.json.gz")
    return [f"{KEPT}[{path.name.removesuffix('.json.gz')}]" for path in sorted(found)]


NEAR: dict[str, list[str]] = {
    "engine/rails": [
        "tests/engine/rails", f"{G1860}/test_06c_running.py", f"{G1860}/test_06c_run_text.py",
        f"{G1860}/test_06c_best_plan.py", f"{G1860}/test_06a_track_laying.py", f"{G1862}/test_15_proof.py",
        f"{G1860}/test_runs_18xx.py", f"{G1860}/test_words_of_choices.py", f"{G1862}/test_pictures.py",
        "tests/bot/test_own_files.py", *RUNS,
    ],
    "engine/finance": [
        "tests/engine/finance", f"{G1860}/test_04_stock_rounds.py", f"{G1860}/test_04_directors.py",
        f"{G1860}/test_06d_dividends.py", f"{G1860}/test_10_end.py", f"{G1862}/test_05_stock_rounds.py",
        f"{G1860}/test_06_operating.py", f"{G1860}/test_words_of_choices.py", f"{G1860}/test_tips.py",
        f"{G1862}/test_16_earning.py", f"{G1862}/test_pictures.py", f"{G1862}/test_tips.py", "tests/bot/test_orders.py",
    ],
    "engine/titles/g1860": [G1860, *_games("1860"), *RUNS],
    "engine/titles/g1862": [G1862, *_games("1862"), *RUNS],
    "engine/titles/steel_driver": ["tests/engine/titles/steel_driver"],
    "engine/interop": [
        "tests/engine/interop", "tests/playthroughs/test_travel.py", f"{G1862}/test_differences_steps.py",
        f"{G1862}/test_logs.py", f"{G1862}/test_recorded_game.py", f"{G1862}/test_20_receivership_and_end.py",
        f"{G1860}/test_options_of_18xx_games.py", f"{G1860}/test_differences.py",
    ],
    "engine": [*(f"tests/engine/test_{name}.py" for name in CORE.split()), "tests/contract/test_contract.py",
        f"{G1860}/test_words_of_choices.py", f"{G1862}/test_pictures.py", "tests/render/test_film.py",
        "tests/render/test_banner.py", "tests/bot/test_tiny18.py", "tests/bot/test_table_lobby.py",
        "tests/bot/test_own_files.py", "tests/bot/test_reading.py", "tests/render/test_legibility.py",
    ],
    "bot/service/orders": [
        "tests/bot/test_orders.py", "tests/bot/test_order_decisions.py", "tests/bot/test_passed_by_itself.py",
        "tests/bot/test_chains.py", "tests/bot/test_edges.py", "tests/discord/test_fast_auctions.py",
    ],
    "bot/service": [
        "tests/bot", *(f"tests/mail/test_{name}.py" for name in ("who", "play", "hosting", "letters")),
        *(f"tests/discord/test_{name}.py" for name in DESK.split()),
    ],
}  # fmt: skip
"""Tests that are asked for each room. A file's room is the longest name that fits: ``engine`` has what lies in none."""
QUIET = [
    "-q",
    "-p",
    "no:randomly",
    "-p",
    "no:cacheprovider",
    "--hypothesis-profile=ci",
    "--no-header",
    "--tb=no",
    "-W",
    "ignore::pytest.PytestAssertRewriteWarning",
]
OURS = ("bot", "engine", "render", "tests", "conftest", "__main__", "pytest", "_pytest")
SECONDS = 30
"""Of the processor; after so long a change counts as noticed: something goes on for ever."""
MOST_TESTS = 40
"""Tried before anything is changed."""
MOST_SECONDS = 20.0
PORTIONS = 3
"""Tests are asked for one change in so many portions at most, the quickest first, each of so many seconds."""
TASTE = "player.py"
"""How a program plays is no rule: a change of taste is no fault."""
Place = tuple[Path, Change]


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads one module from a changed tree."""

    def __init__(self, name: str, path: str, tree: ast.Module) -> None:
        super().__init__(name, path)
        self.tree = tree

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.tree, self.path, "exec")


class _Finder(importlib.abc.MetaPathFinder):
    """Finds modules that are changed before all others."""

    def __init__(self, trees: Mapping[Path, ast.Module]) -> None:
        self.trees = {".".join(path.with_suffix("").parts).removesuffix(".__init__"): path for path in trees}
        self.changed = trees

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        file = self.trees.get(fullname)
        if file is None:
            return None
        loader = _Loader(fullname, str(file.absolute()), self.changed[file])
        return importlib.machinery.ModuleSpec(
            fullname, loader, origin=str(file.absolute()), is_package=file.name == "__init__.py"
        )


class _Watch:
    """Notes which tests come by which places, and how long each test takes."""

    def __init__(self) -> None:
        self.test = ""
        self.came: dict[int, set[str]] = {}
        self.took: dict[str, float] = {}
        self.failed: set[str] = set()

    def comes_by(self, number: int) -> bool:
        self.came.setdefault(number, set()).add(self.test)
        return True

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.test = nodeid

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.took[report.nodeid] = self.took.get(report.nodeid, 0.0) + report.duration
        if report.failed:
            self.failed.add(report.nodeid)


def apart(work: Callable[[], int], busy: int) -> int:
    """Do something in a process of its own, for so many seconds of the processor at most; return what it ends with."""
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_CPU, (busy, busy))
        told, silent = os.dup(2), os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        try:
            os._exit(work())
        except BaseException:  # noqa: BLE001  # the copy of this process must not go on as if it were this one
            os.write(told, traceback.format_exc().encode())
            os._exit(99)
    signal.signal(signal.SIGALRM, lambda *_: os.killpg(child, signal.SIGKILL))
    signal.alarm(20 * busy)  # a busy machine is no reason to call a change noticed
    status = os.waitpid(child, 0)[1]
    signal.alarm(0)
    return os.waitstatus_to_exitcode(status)


def watched(places: Sequence[Place], tests: list[str]) -> tuple[dict[int, set[str]], dict[str, float]]:
    """Run tests once; return which of them come by each place, and how long each takes."""
    trees: dict[Path, ast.Module] = {}
    for path in {path for path, _ in places}:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        numbers = {change.node: number for number, (of, change) in enumerate(places) if of == path}
        probed = Probed(numbers, tree).visit(tree)
        assert isinstance(probed, ast.Module)
        trees[path] = ast.fix_missing_locations(probed)
    with tempfile.NamedTemporaryFile(suffix=".json") as told:

        def run() -> int:
            watch = _Watch()
            setattr(builtins, "__comes_by__", watch.comes_by)  # noqa: B010  # no name of Python's
            sys.meta_path.insert(0, _Finder(trees))
            end = pytest.main([*QUIET, *tests], plugins=[watch])
            came = {str(k): sorted(tests - watch.failed) for k, tests in watch.came.items()}
            took = {test: each for test, each in watch.took.items() if test not in watch.failed}
            found: Any = {"came": came, "took": took, "failed": sorted(watch.failed)}
            found["needs"] = [name for name in sys.modules if name.partition(".")[0] not in OURS]
            Path(told.name).write_text(json.dumps(found), encoding="utf-8")
            return 0 if end in (0, 1) else int(end)

        if apart(run, 3600) != 0:
            sys.exit(f"The near tests cannot be run: {' '.join(tests)}")
        found = json.loads(Path(told.name).read_text(encoding="utf-8"))
    if found["failed"]:
        sys.stdout.write(f"left out, for they fail before anything is changed: {' '.join(found['failed'])}\n")
    for name in found["needs"]:  # every try is a copy of this process: what is loaded here need not be loaded there
        with suppress(Exception):
            importlib.import_module(name)
    return {int(k): set(tests) for k, tests in found["came"].items()}, found["took"]


def noticed(trees: Mapping[Path, ast.Module], tests: Sequence[str]) -> bool:
    """Tell whether a test fails with changed modules."""

    def run() -> int:
        sys.meta_path.insert(0, _Finder(trees))
        return int(pytest.main([*QUIET, "-x", *tests]))

    return apart(run, SECONDS) != 0


def belongs(path: Path) -> str:
    """Return the room of a file or folder, a key of ``NEAR``."""
    return max((room for room in NEAR if path.is_relative_to(room)), key=len)


def portions(tests: Iterable[str], took: Mapping[str, float]) -> Iterator[list[str]]:
    """Yield the quickest of some tests in so many portions, each as many as can be asked at a time."""
    ordered = sorted(tests, key=lambda test: took.get(test, 0.0))
    until = accumulate(took.get(test, 0.0) for test in ordered)
    parts = groupby(zip(ordered, until, strict=True), key=lambda one: one[1] // MOST_SECONDS)
    for _, part in islice(parts, PORTIONS):
        yield [test for test, _ in part]


def asked(came: set[str], sound: Sequence[str], took: Mapping[str, float]) -> Iterator[list[str]]:
    """Yield tests to be asked for a change: those that come by, then their neighbours.

    What is kept once it is reckoned out, or while modules are loaded, many tests read that never come by.
    """
    yield from portions(came - {""}, took)
    files = {test.partition("::")[0] for test in came}
    neighbours = [test for test in sound if test not in came and ("" in came or test.partition("::")[0] in files)]
    yield from islice(portions(neighbours, took), 1)


def tried(places: Sequence[Place], near: list[str]) -> list[str]:
    """Try changes; return the survivors, each in a line, which is shown at once."""
    came, took = watched(places, near)
    sound = sorted(took, key=lambda test: took[test])
    if noticed({}, sound[:MOST_TESTS]):
        sys.exit("Near tests fail though nothing is changed.")
    survivors = []
    for number, (path, change) in enumerate(places):
        tree, words = changed(path.read_text(encoding="utf-8"), change)
        by = came.get(number, set())
        alive = not any(noticed({path: tree}, tests) for tests in asked(by, sound, took))
        if alive:
            survivors.append(f"{path}:{change.line}  {words}  ({len(by - {''})} tests come by)")
        sys.stdout.write(f"\n  {survivors[-1]}\n" if alive else ".")
        sys.stdout.flush()
    return survivors


def main(words: list[str]) -> None:
    """Try a sample of each room."""
    wanted = argparse.ArgumentParser(prog="python -m tests.mutants")
    wanted.add_argument("rooms", nargs="+", help="folders or files, as engine/rails")
    wanted.add_argument("--most", type=int, default=25, help="changes a room")
    wanted.add_argument("--seed", type=int, default=1)
    wanted.add_argument("--only", action="append", default=[], help="FILE:LINE")
    wanted.add_argument("--tests", nargs="+", help="test files to ask in the place of the near ones")
    given = wanted.parse_args(words)
    for room in given.rooms:
        root = Path(room)
        inside = [path for path in sorted(root.rglob("*.py")) if path.name != TASTE and belongs(path) == belongs(root)]
        files = inside if root.is_dir() else [root]
        every = [(path, each) for path in files for each in changes(ast.parse(path.read_text(encoding="utf-8")))]
        if given.only:
            every = [(path, each) for path, each in every if f"{path}:{each.line}" in given.only]
        sample = random.Random(given.seed).sample(every, min(given.most, len(every)))  # noqa: S311  # no secret
        survivors = tried(sample, given.tests or NEAR[belongs(root)])
        share = 100 * len(survivors) / max(1, len(sample))
        sys.stdout.write(f"\n{room}: {len(survivors)} of {len(sample)} survive ({share:.0f} %), {len(every)} in all\n")


if __name__ == "__main__":
    main(sys.argv[1:])
