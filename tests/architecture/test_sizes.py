"""Files and functions stay small enough to read; names say what is inside."""

import ast
from pathlib import Path

from tests.architecture.sources import files, functions, name, nodes, tree

MOST_LINES, MOST_FUNCTION_LINES, MOST_ARGUMENTS = 400, 60, 6
BANNED = {"utils", "util", "helpers", "helper", "common", "manager", "managers", "misc"}


def everything() -> list[Path]:
    return files("bot", "engine", "render", "tests")


def test_no_file_is_too_long() -> None:
    lengths = {name(path): len(path.read_text(encoding="utf-8").splitlines()) for path in everything()}
    assert {path: length for path, length in lengths.items() if length > MOST_LINES} == {}


def test_no_function_is_too_long() -> None:
    lengths = {
        f"{name(path)}:{node.name}": (node.end_lineno or 0) - node.lineno + 1
        for path in files()
        for node in functions(path)
    }
    assert {where: length for where, length in lengths.items() if length > MOST_FUNCTION_LINES} == {}
    assert sorted(lengths.values())[len(lengths) // 2] <= 10, "half of all functions have ten lines or fewer"


def _arguments(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count the arguments a caller gives; a command line's options are typed by people, not by callers."""
    if any("command" in ast.unparse(decorator) for decorator in node.decorator_list):
        return 0
    arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    return len([argument for argument in arguments if argument.arg not in ("self", "cls")])


def test_no_function_takes_too_much() -> None:
    counts = {f"{name(path)}:{node.name}": _arguments(node) for path in files() for node in functions(path)}
    assert {where: count for where, count in counts.items() if count > MOST_ARGUMENTS} == {}


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
