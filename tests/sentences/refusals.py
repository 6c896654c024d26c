"""The refusals that tests meet, as a list that a reader can review; ``make refusals`` writes it.

A pytest plugin: ``python -m pytest -p tests.sentences.refusals tests/engine tests/bot``. A room's refusals stand below
its name, one example of each; "~" marks those that are worded from parts. A run of some tests adds to the list, and
drops what the code no longer says.
"""

import ast
import re
import sys
import tempfile
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any
from urllib.parse import quote

import pytest

from bot.model.errors import BotError
from engine import RuleError

ROOT = Path(__file__).parents[2]
LIST = Path(__file__).with_name("refusals.txt")
MAX_EXAMPLES = 8
"""Examples listed of one function that words a refusal from parts."""
MIN_WORDS = 12
"""Letters that a refusal has where it is raised if it is worded there."""
FROM_PARTS = "~ "
_VARIABLE = re.compile(r"“[^”]*”|[A-Z][\w&'-]*(?: [A-Z][\w&'-]*)*(?: \(\w+\))?|[\d+*/]+|\b(?:north|south)[-a-z]*")

_UNSEEN = re.compile(r"[\x00-\x1f]")
_TEMPORARY = re.compile(rf"{re.escape(tempfile.gettempdir())}/(?:[\w.-]+/)*")
_PASSING = re.compile(r"(?<=\(ref )[0-9A-F]{6}|(?<=127\.0\.0\.1:)\d{5}|(?<=bounce-)\d+\.\w+|(?<=base/)\d+/\d+")
"""Numbers of defects, ports, bounces and pages that differ in each run."""
_IN_ADDRESS = re.compile(rf"{re.escape(quote(tempfile.gettempdir(), safe=''))}(?:%2F[\w.-]*\w)*")

Found = dict[tuple[str, str], dict[str, str]]
"""By room and function (or line, if the words stand there): examples by their words without names and numbers."""


def pytest_configure(config: pytest.Config) -> None:
    """Note every refusal from now on."""
    found: Found = {}
    config.stash[_FOUND] = found
    for kind in (RuleError, BotError):
        _watch(kind, found)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the list."""
    rooms = {room: set(texts) for room, texts in read_list().items()}
    for (room, where), examples in session.config.stash[_FOUND].items():
        mark = FROM_PARTS if where.startswith(FROM_PARTS) else ""
        chosen = sorted(examples.values(), key=_shortest_first)[:MAX_EXAMPLES]
        rooms.setdefault(room, set()).update(mark + text for text in chosen)
    write_list(rooms)


_FOUND = pytest.StashKey[Found]()


def _watch(kind: type[Exception], found: Found) -> None:
    create: Any = kind.__init__

    def note(self: Exception, *args: object, **more: object) -> None:
        create(self, *args, **more)
        frame: FrameType | None = sys._getframe(1)
        while frame and frame.f_code.co_name == "__init__":
            frame = frame.f_back
        path = Path(frame.f_code.co_filename) if frame else ROOT
        if frame and path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in ("engine", "bot"):
            text, line = _UNSEEN.sub("", " ".join(str(self).split())), frame.f_lineno
            text = _PASSING.sub("0", _IN_ADDRESS.sub("%2Ffolder", _TEMPORARY.sub("/folder/", text)))
            words = next((words for first, last, words in find_templates(path) if first <= line <= last), None)
            if words and not re.match(words, text):
                return  # an empty name leaves two blanks, which are one in the list
            where = f"{path.name}:{line}" if words else f"{FROM_PARTS}{path.name} {frame.f_code.co_name}"
            shape = "" if words else _VARIABLE.sub("…", text)
            examples = found.setdefault((path.parent.relative_to(ROOT).as_posix(), where), {})
            examples[shape] = min(examples.get(shape, text), text, key=_shortest_first)

    kind.__init__ = note  # type: ignore[method-assign,assignment]


def _shortest_first(text: str) -> tuple[int, str]:
    return len(text), text


def read_list() -> dict[str, list[str]]:
    """Return the listed refusals by room."""
    found: dict[str, list[str]] = {}
    room = ""
    for line in LIST.read_text(encoding="utf-8").splitlines() if LIST.exists() else ():
        if line.startswith("  "):
            found[room].append(line.strip())
        else:
            room = line
            found[room] = []
    return found


def write_list(rooms: Mapping[str, Collection[str]]) -> None:
    """Write the list: of each room the refusals that the code has, the shortest example of each."""
    lines = []
    for room in sorted(rooms):
        patterns = [
            re.compile(pattern) for path in sorted((ROOT / room).glob("*.py")) for *_, pattern in find_templates(path)
        ]
        texts = [text for text in rooms[room] if text.startswith(FROM_PARTS)]
        for pattern in patterns:
            texts += sorted((text for text in rooms[room] if pattern.match(text)), key=_shortest_first)[:1]
        lines += [room, *(f"  {text}" for text in sorted(set(texts)))] if texts else []
    LIST.write_text("\n".join(lines) + "\n", encoding="utf-8")


RAISED = ("RuleError", "BotError")


@cache
def find_templates(path: Path) -> tuple[tuple[int, int, str], ...]:
    """Return the refusals whose words stand where they are raised: first and last line, and the words as a pattern."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RAISED and node.args:
            words = node.args[0]
            if isinstance(words, ast.Constant | ast.JoinedStr):
                parts = words.values if isinstance(words, ast.JoinedStr) else [words]
                pattern = "".join(re.escape(str(e.value)) if isinstance(e, ast.Constant) else ".*" for e in parts)
                if len(pattern) > pattern.count(".*") * 2 + MIN_WORDS:
                    found.append((node.lineno, node.end_lineno or node.lineno, pattern))
    return tuple(found)
