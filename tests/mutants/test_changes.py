"""What counts as a small change, where tests come by it, and which test files are near."""

import ast
import builtins
import signal
import subprocess
from pathlib import Path

import pytest

from tests.mutants import watching
from tests.mutants.__main__ import Row, copy_tree, format_table
from tests.mutants.blocks import SEEN, Blocks, mark
from tests.mutants.changes import change_module, changes
from tests.mutants.near import PACKAGES, nearest_first, room_of, rooms
from tests.mutants.trying import are_noticed, codes_to_replace, places_in
from tests.mutants.watching import KEPT, Kept, Run, Watcher, apart, pack

SOURCE = '''
"""Words are no rule."""
from typing import Literal

MAX: Literal[3] = 3
TRIES = 400_000


def least(values: list[int], most: int | None = None, *, far: bool = False) -> int:
    """Words are none here either."""
    assert len(values) <= MAX
    for value, _ in zip(values, values, strict=True):
        if value < 2 and not most:
            continue
        return value + 1
    raise ValueError(f"{values} has 1 fault")
'''
PATH = Path("least.py")


def test_figures_signs_and_conditions_change_and_nothing_else() -> None:
    """No word, type, default of nothing, assertion or sentence of an error."""
    found = sorted(change_module(SOURCE, change)[1] for change in changes(ast.parse(SOURCE)))
    assert found == [
        "1  ->  2",
        "2  ->  3",
        "3  ->  4",
        "False  ->  True",
        "continue  ->  break",
        "not most  ->  most",
        "value + 1  ->  value - 1",
        "value < 2  ->  value <= 2",
        "value < 2 and (not most)  ->  value < 2 or not most",
    ]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("MAX_SECONDS, SEATS = 2 * 300, 40", ["2  ->  3", "2 * 300  ->  2 // 300", "40  ->  41"]),
        ("RETRY_SECONDS = 19", ["19  ->  20"]),
        ("TOKEN_COST = 40", ["40  ->  41"]),
        ("log.info('sent', count=1 + len(found))", []),
        ("structlog.get_logger(__name__).error('lost', left=not found)", []),
        ("game.log.count(1)", ["1  ->  2"]),
    ],
)
def test_large_limits_of_a_module_and_what_is_said_to_the_log_stay(source: str, found: list[str]) -> None:
    """No rule is left out: neither what a token costs nor how a limit is reckoned."""
    assert sorted(change_module(source, change)[1] for change in changes(ast.parse(source))) == found


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("EDGE, SIDES = 24, 6", ["6  ->  7"]),
        ("top = Label(x + 14, y - 9, 28)", ["x + 14  ->  x - 14", "y - 9  ->  y + 9"]),
        ("near = wide < 210", ["210  ->  211", "wide < 210  ->  wide <= 210"]),
        ("name = words[:12]", ["12  ->  13"]),
        ("lines = pick(20)", ["20  ->  21"]),
    ],
)  # fmt: skip
def test_lengths_of_a_picture_grow_by_no_pixel_but_what_is_compared_or_counted_changes(
    source: str, found: list[str]
) -> None:
    tree = ast.parse(source)
    assert sorted(change_module(source, change)[1] for change in changes(tree, draws=True)) == found
    assert len(changes(tree)) >= len(found), "elsewhere every figure counts"


def test_every_change_is_another_program() -> None:
    tree = ast.parse(SOURCE)
    texts = {ast.unparse(change_module(SOURCE, change)[0]) for change in changes(tree)}
    assert len(texts | {ast.unparse(tree)}) == len(changes(tree)) + 1


def test_a_change_is_reached_through_its_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """A constant and a default through the function that reads them, a branch only when it is entered."""
    numbers: dict[str, int] = {}
    seen = bytearray(10)
    monkeypatch.setattr(builtins, SEEN, seen, raising=False)
    names: dict[str, object] = {}
    exec(compile(mark(ast.parse(SOURCE), PATH, numbers), "marked", "exec"), names)  # noqa: S102
    assert list(numbers) == [f"least.py:least:{number}" for number in range(3)], "the function, its loop, its branch"
    least = names["least"]
    assert callable(least)
    assert least.__doc__ == "Words are none here either."
    assert not any(seen), "loading enters no block"
    tree = ast.parse(SOURCE)
    nodes, blocks = list(ast.walk(tree)), Blocks(PATH, tree)
    through = {change_module(SOURCE, each)[1]: blocks.reaching(nodes[each.node]) for each in changes(tree)}
    assert through["3  ->  4"] == through["False  ->  True"] == ["least.py:least:0"]
    assert through["value + 1  ->  value - 1"] == through["value < 2  ->  value <= 2"] == ["least.py:least:1"]
    assert through["continue  ->  break"] == ["least.py:least:2"]
    assert least([5]) == 6
    assert list(seen[:3]) == [1, 1, 0]
    least([1, 5])
    assert list(seen[:3]) == [1, 1, 1]


def test_tests_that_enter_a_block_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    watcher, test = Watcher(), Path("tests/test_a.py")
    runs = {"tests/test_a.py::one": Run(0.5, pack([0, 70])), "tests/test_a.py::two": Run(1.5, pack([1]))}
    watcher.kept = Kept({"x": 0, "y": 1, "z": 70}, {}, {str(test): runs})
    assert watcher.entering(["z"], [test]) == {"tests/test_a.py::one": 0.5}
    assert watcher.entering(["x", "y", "gone"], [test]).keys() == runs.keys()
    assert watcher.entering(["x"], []) == {}


def test_every_file_has_a_room() -> None:
    files = [path for name in PACKAGES for path in Path(name).rglob("*.py")]
    homeless = [path for path in files if path.parts[:2] != ("bot", path.name) and not _has_room(path)]
    assert homeless == []
    assert room_of(Path("engine/game.py")) == "engine"
    assert room_of(Path("engine/rails/walk.py")) == "engine/rails"
    assert {"bot/discord", "bot/mail", "bot/operations", "bot/screens", "bot/store", "render"} <= set(rooms())


def _has_room(path: Path) -> bool:
    return any(path.is_relative_to(room) for room in rooms())


@pytest.mark.slow
def test_every_room_has_tests_near_it() -> None:
    """Found by imports: those that take a module themselves stand before those that come to it on the way."""
    for room in rooms():
        files = [path for path in Path(room).rglob("*.py") if room_of(path) == room]
        assert nearest_first(files), room
    nearest = nearest_first([Path("bot/store/sqlite.py"), Path("bot/store/copies.py")])
    assert all(path.is_relative_to("tests/bot") for path in nearest[:2])
    finance = nearest_first(sorted(Path("engine/finance").glob("*.py")))
    assert {path.parent for path in finance[:8]} == {Path("tests/engine/finance")}, "they mirror it"
    ordered = nearest_first([Path("engine/rails/walk.py")])
    assert ordered.index(Path("tests/engine/rails/test_walk.py")) < ordered.index(Path("tests/bot/test_store.py"))


def test_run_works_on_a_copy_of_the_files_that_git_lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    subprocess.run(["git", "init", "--quiet"], check=True)
    Path(".gitignore").write_text("left_out\n")
    for name in ("kept", "left_out"):
        Path(name).write_text("first")
    tree = copy_tree(tmp_path / "copy")
    Path("kept").write_text("second")
    assert (tree / "kept").read_text() == "first"
    assert not (tree / "left_out").exists()
    (tree / KEPT).write_bytes(b"known")
    assert Path(KEPT).read_bytes() == b"known", "what is known of the tests outlives the copy"


def test_table_of_rooms_ends_with_their_sum() -> None:
    table = format_table([Row("engine", 40, 3, 900, 120), Row("render", 20, 0, 300, 60)])
    assert table.splitlines()[2:] == [
        "| engine | 40 | 3 | 8% | 900 | 2.0 |",
        "| render | 20 | 0 | 0% | 300 | 1.0 |",
        "| all | 60 | 3 | 5% | 1200 | 3.0 |",
    ]


def test_only_a_change_within_functions_is_put_into_loaded_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A constant or the default of a parameter needs the module to be loaded again."""
    monkeypatch.chdir(tmp_path)
    PATH.write_text(SOURCE)
    replaced = {place.describe(): codes_to_replace(place) for place in places_in(PATH)}
    assert replaced.pop("3  ->  4") is None
    assert replaced.pop("False  ->  True") is None
    names = {words: [code.co_name for code in codes or ()] for words, codes in replaced.items()}
    assert set(map(tuple, names.values())) == {("least",)}, names


NEAR = """
import least

def test_least_of_one():
    assert least.least([5]) == 6

def test_last_is_none():
    assert least.LAST == 7
    assert least.MADE() == 35
"""


def test_changes_are_tried_in_loaded_code_or_with_all_loaded_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was reckoned while the module was loaded is reckoned again with the change."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    reckon = "def reckon() -> int:\n    return 3 + 4\n\n\nLAST = reckon()\n"
    make = "def make():\n    def inner() -> int:\n        return LAST * 5\n    return inner\n\n\nMADE = make()\n"
    PATH.write_text(f"{SOURCE}\n\n{reckon}\n\n{make}")
    Path("test_least.py").write_text(NEAR)
    Path("pytest.ini").write_text("[pytest]\nmarkers =\n    slow\n    recorded\n")
    tests = {"test_least.py::test_last_is_none": 0.1, "test_least.py::test_least_of_one": 0.1}
    expected = {"value + 1  ->  value - 1": True, "3 + 4  ->  3 - 4": True, "LAST * 5  ->  LAST // 5": True,
                "continue  ->  break": False, "False  ->  True": False}  # fmt: skip
    places = [place for place in places_in(PATH) if place.describe() in expected]
    noticed = are_noticed([(place, tests) for place in places])
    assert {place.describe(): found for place, found in zip(places, noticed, strict=True)} == expected


def test_change_of_a_module_that_is_loaded_late_is_tried_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As most commands are: what a test loads while it runs is not among the functions that are loaded before."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    late = Path("least_late.py")
    late.write_text("def reckon() -> int:\n    return 3 + 4\n")
    Path("test_late.py").write_text("def test_late():\n    import least_late\n    assert least_late.reckon() == 7\n")
    Path("pytest.ini").write_text("[pytest]\nmarkers =\n    slow\n    recorded\n")
    places = places_in(late)
    assert are_noticed([(place, {"test_late.py::test_late": 0.1}) for place in places]) == [True] * len(places)


def test_a_try_that_hangs_or_never_ends_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """By what it uses of the processor, so that a busy machine ends no other."""
    monkeypatch.setattr(watching, "IDLE_SECONDS", 1)
    assert apart(lambda: 0, 60) == 0
    assert apart(lambda: signal.sigwait([signal.SIGUSR1]), 60) == -signal.SIGKILL
    assert apart(lambda: max(iter(int, 1)), 1) == -signal.SIGKILL
