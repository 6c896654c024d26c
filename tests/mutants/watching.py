"""Which tests enter which blocks: found by running them once with marks, and kept in ``.mutants.json.gz``.

A test file is run again when it has changed. Blocks that have changed since
have other names; then all tests that come by their file are asked.
"""

import ast
import builtins
import gzip
import hashlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import resource
import signal
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import CodeType, ModuleType

import msgspec
import pytest

from tests.mutants.blocks import SEEN, mark
from tests.mutants.near import PACKAGES

KEPT = Path(".mutants.json.gz")
QUIET = [
    "-q", "--no-header", "--tb=no",
    *(f"-pno:{name}" for name in ("randomly", "cacheprovider", "xdist", "unraisableexception")),
    "-W", "ignore::pytest.PytestAssertRewriteWarning", "-m", "not slow and not recorded", "-k", "not postgresql",
]  # fmt: skip
OURS = (*PACKAGES, "tests", "conftest", "__main__", "pytest", "_pytest")
BATCH = 6
BATCH_SECONDS = 600
"""Of the processor, for a batch of test files."""
IDLE_SECONDS, IDLE_NANOSECONDS = 20, 50_000_000
"""What neither uses the processor nor waits for it longer, in so many seconds, hangs: on a busy machine it waits."""


class Run(msgspec.Struct):
    """A test as it was watched: its seconds of the processor, and the numbers of its blocks, as bits in hexadecimal."""

    seconds: float
    blocks: str


class Kept(msgspec.Struct):
    """What was watched: the numbers of blocks, the digest of each test file, its tests, the modules they need."""

    numbers: dict[str, int] = {}
    digests: dict[str, str] = {}
    tests: dict[str, dict[str, Run]] = {}
    needs: list[str] = []


class Loader(importlib.machinery.SourceFileLoader):
    """Loads one module from changed code."""

    def __init__(self, name: str, path: str, code: CodeType) -> None:
        super().__init__(name, path)
        self.code = code

    def get_code(self, fullname: str) -> CodeType:
        """Return the changed code."""
        return self.code


class Finder(importlib.abc.MetaPathFinder):
    """Finds modules that are changed before all others."""

    def __init__(self, codes: Mapping[Path, CodeType]) -> None:
        self.paths = {".".join(path.with_suffix("").parts).removesuffix(".__init__"): path for path in codes}
        self.codes = codes

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return where the changed module is loaded from, ``None`` for all others."""
        file = self.paths.get(fullname)
        if file is None:
            return None
        return importlib.util.spec_from_file_location(
            fullname, file.absolute(), loader=Loader(fullname, str(file.absolute()), self.codes[file]),
            submodule_search_locations=[str(file.absolute().parent)] if file.name == "__init__.py" else None,
        )  # fmt: skip


class _Notes:
    """Notes which blocks each test enters, and how long it takes."""

    def __init__(self, size: int) -> None:
        self.seen = watch_blocks(size)
        self.runs: dict[str, Run] = {}
        self.failed: set[str] = set()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.runs[nodeid] = Run(-processor_seconds(), "")
        self.seen[:] = bytes(len(self.seen))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed or report.skipped:
            self.failed.add(report.nodeid)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self.runs[nodeid].seconds += processor_seconds()
        self.runs[nodeid].blocks = pack(number for number, seen in enumerate(self.seen) if seen)


def watch_blocks(count: int) -> bytearray:
    """Return the marks of blocks, which loaded modules set from now on."""
    seen = bytearray(count)
    setattr(builtins, SEEN, seen)
    return seen


def processor_seconds() -> float:
    """Return how long the processor has worked for this process and those it waited for: not longer if it is shared."""
    return sum(os.times()[:4])


def pack(numbers: Iterable[int]) -> str:
    """Return numbers as the bits of a hexadecimal figure."""
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return f"{bits:x}"


def apart(work: Callable[[], int], busy: int | None = None) -> int:
    """Do something in a process of its own and return what it ends with.

    With ``busy`` it may use the processor for so many seconds, and is ended too if it no longer uses it.
    """
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        if busy is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (busy, busy))
        told, silent = os.dup(2), os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        try:
            os._exit(work())
        except BaseException:  # noqa: BLE001  # the copy of this process must not go on as if it were this one
            os.write(told, traceback.format_exc().encode())
            os._exit(99)
    if busy is not None:
        end_if_idle = _IdleEnder(child)
        signal.signal(signal.SIGALRM, end_if_idle)
        signal.setitimer(signal.ITIMER_REAL, IDLE_SECONDS, IDLE_SECONDS)
    status = os.waitpid(child, 0)[1]
    signal.setitimer(signal.ITIMER_REAL, 0)
    return os.waitstatus_to_exitcode(status)


class _IdleEnder:
    """Ends a group of processes that has hardly used the processor since the last call, nor waited for it."""

    def __init__(self, group: int) -> None:
        self.group, self.nanoseconds = group, 0

    def __call__(self, *_: object) -> None:
        before = self.nanoseconds
        self.nanoseconds, waits = _read_use(self.group)
        if not waits and self.nanoseconds - before < IDLE_NANOSECONDS:
            with suppress(ProcessLookupError):  # it has ended meanwhile
                os.killpg(self.group, signal.SIGKILL)


def _read_use(group: int) -> tuple[int, bool]:
    """Return how long the threads of a group of processes used the processor or waited for it, and if one waits now."""
    nanoseconds, runnable = 0, False
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            if int(path.read_text().rpartition(")")[2].split()[2]) == group:
                for thread in path.parent.glob("task/*"):
                    worked, waited, _ = (thread / "schedstat").read_text().split()
                    nanoseconds += int(worked) + int(waited)
                    runnable |= (thread / "stat").read_text().rpartition(")")[2].split()[0] == "R"
    return nanoseconds, runnable


class Watcher:
    """Runs test files once with marks in all modules, and knows which of their tests enter which blocks."""

    def __init__(self) -> None:
        self.kept = msgspec.json.decode(gzip.decompress(KEPT.read_bytes()), type=Kept) if KEPT.exists() else Kept()
        self._codes: dict[Path, CodeType] = {}
        self._preload()

    def is_known(self, test: Path) -> bool:
        """Return whether a test file was watched as it is now."""
        return self.kept.digests.get(str(test)) == _digest(test)

    def watch(self, tests: Sequence[Path]) -> None:
        """Run test files once, those that have not been watched."""
        fresh = [test for test in tests if not self.is_known(test)]
        for start in range(0, len(fresh), BATCH):
            batch = fresh[start : start + BATCH]
            if not self._watch_batch(batch):
                for test in batch:
                    if not self._watch_batch([test]):
                        sys.stdout.write(f"left out, for it can't be run in one process: {test}\n")
                        self._keep([test], {}, [])

    def _watch_batch(self, tests: Sequence[Path]) -> bool:
        """Run test files once in one process, and return whether they could be run."""
        self._mark_all()
        with tempfile.NamedTemporaryFile(suffix=".json") as told:
            if apart(lambda: self._run(tests, Path(told.name)), BATCH_SECONDS) != 0:
                return False
            runs, needs = msgspec.json.decode(Path(told.name).read_bytes(), type=tuple[dict[str, Run], list[str]])
        self._keep(tests, runs, needs)
        return True

    def _keep(self, tests: Sequence[Path], runs: Mapping[str, Run], needs: Sequence[str]) -> None:
        for test in tests:
            self.kept.digests[str(test)] = _digest(test)
            self.kept.tests[str(test)] = {name: run for name, run in runs.items() if name.startswith(f"{test}::")}
        self.kept.needs = list(dict.fromkeys([*self.kept.needs, *needs]))  # in the order in which they can be loaded
        self._preload()
        _write_kept(gzip.compress(msgspec.json.encode(self.kept), 1))

    def entering(self, blocks: Sequence[str], tests: Iterable[Path]) -> dict[str, float]:
        """Return the tests of some files that enter one of some blocks, with their seconds."""
        mask = sum(1 << number for number in {self.kept.numbers[name] for name in blocks if name in self.kept.numbers})
        return {
            name: run.seconds
            for test in tests
            for name, run in self.kept.tests.get(str(test), {}).items()
            if int(run.blocks, 16) & mask
        }

    def list_tests(self, files: Iterable[Path]) -> dict[str, float]:
        """Return all tests of some files, with their seconds."""
        return {name: run.seconds for file in files for name, run in self.kept.tests.get(str(file), {}).items()}

    def _mark_all(self) -> None:
        if not self._codes:
            for path in sorted(path for name in PACKAGES for path in Path(name).rglob("*.py")):
                tree = mark(ast.parse(path.read_text(encoding="utf-8")), path, self.kept.numbers)
                self._codes[path] = compile(tree, str(path.absolute()), "exec", dont_inherit=True)

    def _run(self, tests: Sequence[Path], told: Path) -> int:
        notes = _Notes(len(self.kept.numbers))
        sys.meta_path.insert(0, Finder(self._codes))
        end = pytest.main([*QUIET, *map(str, tests)], plugins=[notes])
        sound = {name: run for name, run in notes.runs.items() if name not in notes.failed}
        needs = [name for name in sys.modules if name.partition(".")[0] not in OURS]
        told.write_bytes(msgspec.json.encode((sound, needs)))
        return 0 if end in (0, 1, 5) else int(end)

    def _preload(self) -> None:
        """Load what is not ours: every try is a copy of this process, and need not load it again."""
        with warnings.catch_warnings(action="ignore"):
            for name in self.kept.needs:
                if name not in sys.modules:
                    with suppress(Exception):
                        importlib.import_module(name)


def _write_kept(content: bytes) -> None:
    """Replace the file at once: a second run that reads it meanwhile finds it whole."""
    target = KEPT.resolve()
    fresh = target.with_name(f"{target.name}.{os.getpid()}")
    fresh.write_bytes(content)
    fresh.replace(target)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
