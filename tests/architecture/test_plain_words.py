"""What people and games say is plain text: each front turns its marks into a form of its own."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.sources import files, name, nodes

ROOMS = ("bot/service", "bot/store", "bot/commands")
SCREENS = "bot/commands/command.py"  # makes screens of what commands say
FORMATTED = re.compile(r"\*\*|<[@#]|<t:|```|~~|^#{1,3} |^-# ")


def find_texts(path: Path) -> Iterator[tuple[int, str]]:
    """Yield each text of a file that is no docstring, with its line."""
    unsaid = {id(node.value) for node in nodes(path) if isinstance(node, ast.Expr)}
    for node in nodes(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in unsaid:
            yield node.lineno, node.value


def test_words_of_service_store_and_commands_hold_no_formatting_of_a_front() -> None:
    """No bold, mention, thread link, moment or small print of Discord stands in their sentences."""
    walked = [path for path in files(*ROOMS) if name(path) != SCREENS]
    assert len(walked) > 30
    found = [
        f"{name(path)}:{line} {text[:60]}"
        for path in walked
        for line, text in find_texts(path)
        if FORMATTED.search(text)
    ]
    assert found == []


SHARED = {
    *("Answer", "Claim", "GameEnded"),  # actions and facts of a title, in the words of its rulebook
    *("Card", "Lobby", "Story"),  # posts, called as what they post
    *("Reader", "Writer"),  # each title's, and what is asked of it
    "Stop",  # as printed, and as seen
}
"""Class names that stand in two rooms; those of the titles, which stand in each by their role, are counted once."""


def test_a_class_name_stands_for_one_idea() -> None:
    rooms: dict[str, set[str]] = {}
    for path in files():
        at = name(path)
        room = "a title" if at.startswith(("engine/titles/", "engine/interop/g18")) else at
        for node in nodes(path):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                rooms.setdefault(node.name, set()).add(room)
    assert {each for each, there in rooms.items() if len(there) > 1} == SHARED, rooms
