"""Try changes in copies of one process that has loaded the code and the tests, so that a try costs what its tests cost.

A change within functions is put into the functions that are loaded. Where a
block is entered while the code or the tests are loaded, what it made then would
stay as it was; such a change, one of a constant, and one of a module that a
test loads only while it runs, is tried by loading everything again.
"""

import ast
import gc
import inspect
import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from pathlib import Path
from types import CodeType, FunctionType
from typing import NamedTuple

import msgspec
import pytest

from tests.mutants.blocks import Blocks, mark
from tests.mutants.changes import Change, change_module, changes
from tests.mutants.watching import QUIET, Finder, apart, watch_blocks

BUSY_SECONDS, BUSY_TIMES = 5, 3
"""Of the processor, and so many times what a test takes; after that a change is noticed: something never ends."""
MAX_SECONDS = 300
"""Of the processor, for all tests of a change."""

MAX_FIRST_FILES = 3
"""Test files that are loaded with a changed module before all others are."""


class Place(NamedTuple):
    """A change, the blocks by which tests come to it, and all blocks of its file, in case those have changed."""

    path: Path
    change: Change
    blocks: Sequence[str]
    file: Sequence[str]

    def compile(self) -> CodeType:
        """Return the changed module."""
        return _compile(change_module(self.path.read_text(encoding="utf-8"), self.change)[0], self.path)

    def describe(self) -> str:
        """Return the statement before and after the change."""
        return change_module(self.path.read_text(encoding="utf-8"), self.change)[1]


Tests = Mapping[str, float]
"""Tests in the order in which they are asked, with the seconds of the processor that each takes."""


class _Asker:
    """Asks tests in the place of pytest's own loop, and ends its process with 1 at the first that fails."""

    def __init__(self, tests: Tests) -> None:
        self.tests = tests

    @pytest.hookimpl
    def pytest_runtestloop(self, session: pytest.Session) -> None:
        os._exit(1 if session.testsfailed else _ask(session, self.tests))


class _Trier:
    """Tries changes in the place of pytest's own loop, each in a copy of the process.

    Args:
        seen: the marks of the blocks that are entered. numbers: the place of each block in them.
        told: where to write whether each change was noticed; ``None`` if it can't be tried here.
    """

    def __init__(
        self, asked: Sequence[tuple[Place, Tests]], seen: bytearray, numbers: Mapping[str, int], told: Path
    ) -> None:
        self.asked, self.seen, self.numbers, self.told = asked, seen, numbers, told

    @pytest.hookimpl
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        gc.unfreeze()  # what is frozen isn't found
        loaded: dict[tuple[str, str, int], list[FunctionType]] = {}
        for each in gc.get_objects():
            if isinstance(each, FunctionType):
                loaded.setdefault(_name_of(each.__code__), []).append(each)
        gc.freeze()
        at_load, results = bytes(self.seen), list[bool | None]()
        for place, tests in self.asked:
            codes = codes_to_replace(place)
            if codes is None or not _is_loaded(codes, loaded) or any(at_load[self.numbers[b]] for b in place.blocks):
                results.append(None)
                continue

            def try_one(codes: Sequence[CodeType] = codes, tests: Tests = tests) -> int:
                for code in chain.from_iterable(map(_list_all, codes)):
                    for function in loaded.get(_name_of(code), []):
                        function.__code__ = code
                return _ask(session, tests)

            results.append(apart(try_one, MAX_SECONDS) != 0)
        self.told.write_bytes(msgspec.json.encode(results))
        return True


def _is_loaded(codes: Sequence[CodeType], loaded: Mapping[tuple[str, str, int], object]) -> bool:
    """Return whether changed functions are there by now: a module may be loaded only where a command needs it."""
    return all(_name_of(code) in loaded for code in codes)


def _ask(session: pytest.Session, tests: Tests) -> int:
    """Run some of the tests that are loaded, and return 1 at the first that fails or doesn't end."""
    known = {item.nodeid: item for item in session.items}
    items = [known[test] for test in tests if test in known]
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    for item, following in zip_longest(items, items[1:]):
        end = time.process_time() + BUSY_SECONDS + BUSY_TIMES * tests[item.nodeid]
        resource.setrlimit(resource.RLIMIT_CPU, (round(end), hard))
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            return 1
    return 0


def are_noticed(asked: Sequence[tuple[Place, Tests]]) -> list[bool]:
    """Return of each change whether one of its tests fails."""
    numbers: dict[str, int] = {}
    marked = {
        path: _compile(mark(ast.parse(path.read_text(encoding="utf-8")), path, numbers), path)
        for path in {place.path for place, _ in asked}
    }

    def try_all(told: Path) -> int:
        sys.meta_path.insert(0, Finder(marked))
        trier = _Trier(asked, watch_blocks(len(numbers)), numbers, told)
        return int(pytest.main([*QUIET, *_files(test for _, tests in asked for test in tests)], plugins=[trier]))

    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        apart(lambda: try_all(Path(file.name)))
        found = msgspec.json.decode(Path(file.name).read_bytes() or b"[]", type=list[bool | None])
    return [
        any(is_noticed({place.path: place.compile()}, part) for part in _split(tests)) if noticed is None else noticed
        for (place, tests), noticed in zip_longest(asked, found)
    ]


def _split(tests: Tests) -> Iterator[Tests]:
    """Yield the tests of the files with the quickest ones, then the others: few files suffice for most changes."""
    first = _files(tests)[:MAX_FIRST_FILES]
    for is_first in (True, False):
        yield {test: took for test, took in tests.items() if (test.partition("::")[0] in first) == is_first}


def is_noticed(codes: Mapping[Path, CodeType], tests: Tests) -> bool:
    """Return whether a test fails with changed modules, with everything loaded again."""

    def run() -> int:
        sys.meta_path.insert(0, Finder(codes))
        return int(pytest.main([*QUIET, *_files(tests)], plugins=[_Asker(tests)]))

    return bool(tests) and apart(run, MAX_SECONDS) != 0


def codes_to_replace(place: Place) -> list[CodeType] | None:
    """Return the changed code of the outermost functions in which a change lies; ``None`` if it lies in none."""
    old = _compile(ast.parse(place.path.read_text(encoding="utf-8")), place.path)
    return _differing(old, place.compile())


def _differing(old: CodeType, new: CodeType) -> list[CodeType] | None:
    if _text_of(old) != _text_of(new):
        return None
    found: list[CodeType] = []
    for before, after in zip(_inner(old), _inner(new), strict=True):
        if after.co_flags & inspect.CO_OPTIMIZED:  # of a function, not of a class
            found += [after] if _whole_text_of(before) != _whole_text_of(after) else []
            continue
        inner = _differing(before, after)
        if inner is None:
            return None
        found += inner
    return found


def _inner(code: CodeType) -> Iterator[CodeType]:
    return (each for each in code.co_consts if isinstance(each, CodeType))


def _list_all(code: CodeType) -> Iterator[CodeType]:
    """Yield a block of code and all in it: functions made while the modules were loaded keep theirs."""
    yield code
    for each in _inner(code):
        yield from _list_all(each)


def _text_of(code: CodeType) -> str:
    """Return what a block of code does by itself, to compare."""
    constants = [each for each in code.co_consts if not isinstance(each, CodeType)]
    return repr((code.co_code, constants, code.co_names))


def _whole_text_of(code: CodeType) -> str:
    return _text_of(code) + "".join(map(_whole_text_of, _inner(code)))


def _name_of(code: CodeType) -> tuple[str, str, int]:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def _compile(tree: ast.Module, path: Path) -> CodeType:
    return compile(tree, str(path.absolute()), "exec", dont_inherit=True)


def _files(tests: Iterator[str] | Tests) -> list[str]:
    return list(dict.fromkeys(test.partition("::")[0] for test in tests))


def places_in(path: Path) -> list[Place]:
    """Return all places of a file that can be changed."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes, blocks = list(ast.walk(tree)), Blocks(path, tree)
    file = list(blocks.bodies)
    return [
        Place(path, each, blocks.reaching(nodes[each.node]), file)
        for each in changes(tree, draws=path.is_relative_to("render"))
    ]
