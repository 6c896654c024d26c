"""Which tests are near a module: those whose imports lead to it in the fewest steps. Nothing is kept by hand."""

import ast
from collections.abc import Iterable
from functools import cache
from pathlib import Path

PACKAGES = ("bot", "engine", "render")
APART = {
    "tests/chaos",
    "tests/oracle",
    "tests/mutants",
    "tests/architecture",
    "tests/load",
    "tests/test_installation.py",
    *(f"tests/bot/test_{name}.py" for name in ("killed_migrations", "processes", "store_crash", "watchdog")),
    "tests/discord/test_kill.py",
}
"""Tests of whole processes or of the text of the code: what they run is not in the process that watches."""


@cache
def rooms() -> tuple[str, ...]:
    """Return the rooms of the project: what lies under ``bot/``, ``engine/`` and ``engine/titles/``, and ``render``."""
    folders = [*Path("bot").iterdir(), *Path("engine").iterdir(), *Path("engine/titles").iterdir()]
    inner = [str(path) for path in folders if (path / "__init__.py").exists() and path.name != "titles"]
    return tuple(sorted(["engine", "render", *inner]))


@cache
def room_of(path: Path) -> str:
    """Return the room of a file or folder: the longest that holds it; ``engine`` has what lies in none below it."""
    return max((room for room in rooms() if path.is_relative_to(room)), key=len)


def test_files() -> list[Path]:
    """Return all test files that can be watched."""
    found = sorted(Path("tests").rglob("test_*.py"))
    return [path for path in found if not any(path.is_relative_to(apart) for apart in APART)]


@cache
def _modules() -> dict[str, Path]:
    """Return the file of each module of ours."""
    files = (path for name in (*PACKAGES, "tests") for path in Path(name).rglob("*.py"))
    return {".".join(path.with_suffix("").parts).removesuffix(".__init__"): path for path in files}


@cache
def _list_imports(path: Path) -> frozenset[Path]:
    """Return the files of ours that a file imports; a test file has those of its ``conftest`` too.

    What a ``conftest`` imports within a function is for the few tests that call it.
    """
    found: set[str] = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in tree.body if path.name == "conftest.py" else ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    files = {_modules()[name] for name in found if name in _modules()}
    if path.name.startswith("test_"):
        files |= {conftest for conftest in (folder / "conftest.py" for folder in path.parents) if conftest.exists()}
    return frozenset(files - {path})


def nearest_first(wanted: Iterable[Path]) -> list[Path]:
    """Return test files, the nearest to some files of the product first.

    In fewest steps, then those of the folder that mirrors theirs, then those that come to most of the files.
    """
    goal = set(wanted)
    mirrors = {_find_mirror(room_of(path)) for path in goal}
    found = []
    for test in test_files():
        steps, directly = _way(test, goal)
        if steps is not None:
            found.append((steps, test.parent not in mirrors, -directly, test))
    return [test for *_, test in sorted(found)]


def _find_mirror(room: str) -> Path:
    """Return the folder of tests that mirrors a room: of its own name, or of what the room is in."""
    whole = Path(room)
    could = (Path("tests", whole), Path("tests", whole.name), Path("tests", whole.parts[0]))
    return next(folder for folder in could if folder.is_dir())


def _way(test: Path, goal: set[Path]) -> tuple[int | None, int]:
    """Return in how many imports one comes from a test to a wanted file, and to how many of them at once."""
    for steps, ring in enumerate(_rings(test)):
        if found := len(ring & goal):
            return steps, found
    return None, 0


@cache
def _rings(test: Path) -> tuple[frozenset[Path], ...]:
    """Return the files that one comes to from a test by its imports: in no step, in one, in two, and so on."""
    known: set[Path] = set()
    ring, rings = {test}, list[frozenset[Path]]()
    while ring:
        ring = _with_help(ring) - known
        known |= ring
        ring = {each for path in ring for each in _list_imports(path)} - known
        rings.append(frozenset(ring))
    return tuple(rings)


def _with_help(ring: set[Path]) -> set[Path]:
    """Add what tests take from other files of tests, which costs no step."""
    found, todo = set(ring), [path for path in ring if path.parts[0] == "tests"]
    while todo:
        new = {each for each in _list_imports(todo.pop()) if each.parts[0] == "tests"} - found
        found |= new
        todo += new
    return found
