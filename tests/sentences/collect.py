"""Collect the sentences people can read: from the code, the data of the titles, and the documents."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
ROOMS = ("engine", "render", "bot")
UNREAD = ("bot/store/migrations.py",)
"""Files whose strings no one reads."""
DOCUMENTS = ("*.md", "docs/*.md")

_WORDS = re.compile(r"[A-Za-z]{2,}[,;:]? [A-Za-z(“{]")
_PATTERN = re.compile(r"\(\?[:!<=iP]|\\[bdswn]|^\^|\[\^")
_SQL = re.compile(
    r"\b(SELECT|PRAGMA|INSERT|UPDATE|DELETE|CREATE|ALTER|VACUUM|ATTACH|BEGIN|LOCK|LISTEN|NOTIFY|setval|FROM)\b"
)
_FIELD = re.compile(r'^\s*(?:"?[\w.-]+"?\s*=\s*)?["\'](.*)["\'],?\s*$')
_COMMENT = re.compile(r"^\s*#\s?(.*)$")
_END = re.compile(r"(?<=[.?!:])\s+(?=[A-Z“*`_\[])")
_MARKUP = re.compile(r"^\s*(?:[-*>]|\d+\.|#+)\s+")


class Sentence(NamedTuple):
    """A sentence with the place where it stands; what is filled in stands in braces."""

    place: str
    text: str


def collect_sentences(root: Path = ROOT) -> list[Sentence]:
    """Return all sentences of the project in the order of their places."""
    found = [each for room in ROOMS for path in sorted((root / room).rglob("*.py")) for each in _read_code(root, path)]
    data = [path for room in ("data", "lessons") for path in sorted((root / "engine").rglob(f"{room}/*.toml"))]
    found += [each for path in data for each in _read_data(root, path)]
    for pattern in DOCUMENTS:
        found += [each for path in sorted(root.glob(pattern)) for each in _read_document(root, path)]
    return found


def _place(root: Path, path: Path, line: int) -> str:
    return f"{path.relative_to(root).as_posix()}:{line}"


def _read_code(root: Path, path: Path) -> Iterator[Sentence]:
    """Yield texts and templates of two words or more, and the docstrings that are help texts."""
    if path.relative_to(root).as_posix().startswith(UNREAD):
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    passed = _comments_and_parts(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) and id(node) not in passed:
            text = "".join(_template(value) for value in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in passed:
            text = node.value
        elif isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and _is_help(node):
            text = (ast.get_docstring(node) or "").partition("\n\n")[0]
        else:
            continue
        if _WORDS.search(text) and not _PATTERN.search(text) and not _SQL.search(text):
            yield Sentence(_place(root, path, node.lineno), " ".join(text.split()))


def _comments_and_parts(tree: ast.Module) -> set[int]:
    """Return the docstrings, and the constants that are parts of a template."""
    passed = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            passed.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            passed |= {id(value) for value in node.values if isinstance(value, ast.Constant)}
            specs = [value.format_spec for value in node.values if isinstance(value, ast.FormattedValue)]
            passed |= {id(each) for spec in specs if spec for each in ast.walk(spec)}
    return passed


def _template(value: ast.expr) -> str:
    if isinstance(value, ast.Constant):
        return str(value.value)
    return f"{{{ast.unparse(value.value)}}}" if isinstance(value, ast.FormattedValue) else ""


def _is_help(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a docstring is shown to people: that of an action (it has a verb) or a command."""
    if isinstance(node, ast.ClassDef):
        names: list[ast.expr] = [each.target for each in node.body if isinstance(each, ast.AnnAssign)]
        names += [target for each in node.body if isinstance(each, ast.Assign) for target in each.targets]
        return any(isinstance(name, ast.Name) and name.id == "verb" for name in names) or "verb=" in ast.unparse(node)
    return any("command" in ast.unparse(each) or "callback" in ast.unparse(each) for each in node.decorator_list)


def _read_data(root: Path, path: Path) -> Iterator[Sentence]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found = _FIELD.match(line)
        if found and _WORDS.search(found[1]):
            for text in _END.split(found[1]):
                yield Sentence(_place(root, path, number), text)


def _read_document(root: Path, path: Path) -> Iterator[Sentence]:
    """Yield the sentences of a document, each at its paragraph's first line; code blocks are left out."""
    paragraph: list[str] = []
    start, fenced = 0, False
    for number, line in enumerate([*path.read_text(encoding="utf-8").splitlines(), ""], 1):
        ends = not line.strip() or line.startswith(("```", "|")) or _MARKUP.match(line) is not None
        if ends and paragraph:
            yield from (Sentence(_place(root, path, start), text) for text in _END.split(" ".join(paragraph)))
            paragraph = []
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced and line.strip():
            start = start if paragraph else number
            paragraph.append(_MARKUP.sub("", line).strip())
