"""Files are topics, neither too long to read nor fragments; functions stay small; names say what is inside."""

import ast
from collections import Counter, defaultdict
from pathlib import Path
from statistics import median

from tests.architecture.sources import ROOT, files, functions, name, nodes, tree

MAX_LINES, MAX_FUNCTION_LINES, MAX_ARGUMENTS = 400, 60, 6
MAX_FRAGMENTS, FRAGMENT_LINES, MIN_MEDIAN_LINES = 46, 60, 190
"""Of the product: the first only falls, the last only rises. Features add files; fragments are hard to find."""
CALLED_ONCE = {
    "bot": 36,
    "bot/commands": 16,
    "bot/discord": 11.5,
    "bot/mail": 29.5,
    "bot/model": 10,
    "bot/operations": 20.5,
    "bot/screens": 17.5,
    "bot/service": 15,
    "bot/store": 11,
    "bot/web": 26,
    "engine": 12,
    "engine/finance": 6.5,
    "engine/interop": 15.5,
    "engine/rails": 17,
    "engine/titles/g1860": 16,
    "engine/titles/g1862": 20,
    "engine/titles/steel_driver": 20,
    "render": 34.5,
}
"""How many percent of a room's functions may be private and called at one place only; a share only falls.

Such a function is worth its header where its name explains what the lines would not; otherwise they stand where it is
called. One that is handed to a table or to another function counts for none here.
"""
BANNED = {"utils", "util", "helpers", "helper", "common", "manager", "managers", "misc"}


def everything() -> list[Path]:
    return files("bot", "engine", "render", "tests")


def test_no_file_is_too_long() -> None:
    lengths = {name(path): len(path.read_text(encoding="utf-8").splitlines()) for path in everything()}
    assert {path: length for path, length in lengths.items() if length > MAX_LINES} == {}


def test_no_function_is_too_long() -> None:
    lengths = {
        f"{name(path)}:{node.name}": (node.end_lineno or 0) - node.lineno + 1
        for path in files()
        for node in functions(path)
    }
    assert {where: length for where, length in lengths.items() if length > MAX_FUNCTION_LINES} == {}


def test_files_are_topics_not_fragments() -> None:
    lengths = [len(path.read_text(encoding="utf-8").splitlines()) for path in files()]
    assert sum(length < FRAGMENT_LINES for length in lengths) <= MAX_FRAGMENTS, "join what belongs together"
    assert MIN_MEDIAN_LINES <= median(lengths) <= 250


def _room(path: Path) -> str:
    """Return the folder of a file: one under ``bot/`` and ``engine/``, a title's own, or ``render``."""
    parts = path.relative_to(ROOT).parts[:-1]
    return "/".join(parts[: {"render": 1, "bot": 2}.get(parts[0], 3 if "titles" in parts else 2)])


def _find_single_callers(path: Path) -> set[str]:
    """Return the private functions of a file that are called at one place, and mentioned at no other."""
    mentioned: Counter[str] = Counter()
    called: Counter[str] = Counter()
    for node in nodes(path):
        if isinstance(node, (ast.Name, ast.Attribute)):
            mentioned[node.id if isinstance(node, ast.Name) else node.attr] += 1
        elif isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)):
            called[node.func.id if isinstance(node.func, ast.Name) else node.func.attr] += 1
    private = {each.name for each in functions(path) if each.name.startswith("_") and not each.name.endswith("__")}
    return {each for each in private if mentioned[each] == called[each] == 1}


def test_functions_called_at_one_place_are_found(tmp_path: Path) -> None:
    """One that is called twice, handed on or calls itself is none of them; neither is one that others may call."""
    module = tmp_path / "module.py"
    defined = "".join(f"def {each}(): pass\n" for each in ("_once", "_twice", "_handed_on", "_in_a_table", "shown"))
    used = "_once()\n_twice()\n_twice()\nmap(_handed_on, [])\nTABLE = {1: _in_a_table}\nshown()\n"
    module.write_text(f"{defined}def _itself():\n    _itself()\n_itself()\n{used}", encoding="utf-8")
    assert _find_single_callers(module) == {"_once"}


def test_few_functions_are_called_at_one_place_only() -> None:
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for path in files():
        once, known = len(_find_single_callers(path)), len(list(functions(path)))
        counts[_room(path)] = [each + more for each, more in zip(counts[_room(path)], (once, known), strict=True)]
    shares = {room: 100 * once / known for room, (once, known) in counts.items() if known}
    assert shares.keys() == CALLED_ONCE.keys()
    assert {room: round(share, 1) for room, share in shares.items() if share > CALLED_ONCE[room]} == {}


def _arguments(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count the arguments a caller gives; a command line's options are typed by people, not by callers."""
    if any("command" in ast.unparse(decorator) for decorator in node.decorator_list):
        return 0
    arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    return len([argument for argument in arguments if argument.arg not in ("self", "cls")])


def test_no_function_takes_too_much() -> None:
    counts = {f"{name(path)}:{node.name}": _arguments(node) for path in files() for node in functions(path)}
    assert {where: count for where, count in counts.items() if count > MAX_ARGUMENTS} == {}


def test_names_say_what_is_inside() -> None:
    assert [name(path) for path in everything() if BANNED & {path.stem, *path.parent.parts}] == []


def test_every_module_says_what_it_is() -> None:
    for path in files():
        text = ast.get_docstring(tree(path))
        assert text, name(path)
        assert text.splitlines()[0].endswith((".", ":", "``")), name(path)


def test_no_module_of_the_engine_keeps_state() -> None:
    """Nothing global is changed: no ``global``, and lists and sets at the top of a module are constants."""
    for path in files("engine"):
        for node in nodes(path):
            assert not isinstance(node, ast.Global), name(path)
        for node in tree(path).body:
            if isinstance(node, ast.Assign) and isinstance(node.value, (ast.List, ast.Set, ast.Dict)):
                for target in node.targets:
                    assert isinstance(target, ast.Name)
                    assert target.id.strip("_").isupper() or target.id == "__all__", (name(path), target.id)


def test_ignored_types_have_a_code() -> None:
    mark = "# type: " + "ignore"
    for path in everything():
        for line in path.read_text(encoding="utf-8").splitlines():
            assert mark not in line or "[" in line.partition(mark)[2], (name(path), line)
