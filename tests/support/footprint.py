"""What a press costs: the files of the project that are entered, and the statements the store is asked."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from sqlalchemy import Engine, event

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("bot", "engine", "render")


class Footprint:
    """What was entered and asked while it was watched; files only of the thread that watches, as the event loop's."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.statements: list[str] = []

    def of(self, room: str) -> set[str]:
        """Return the files of a room that were entered."""
        return {file for file in self.files if file.startswith(f"{room}/")}

    def reads_of(self, table: str) -> int:
        """Return how many statements read rows of a table."""
        return sum(f"from {table} " in f"{' '.join(each.lower().split())} " for each in self.statements)


@contextmanager
def footprint() -> Iterator[Footprint]:
    """Watch what is entered and asked until the block ends."""
    found, seen = Footprint(), dict[str, str | None]()

    def enter(frame: FrameType, what: str, _: object) -> None:
        if what == "call":
            name = frame.f_code.co_filename
            if name not in seen:
                seen[name] = _file_of(name)
            if (file := seen[name]) is not None:
                found.files.add(file)

    def ask(*args: Any) -> None:  # noqa: ANN401  # as the library gives them
        found.statements.append(args[2])

    event.listen(Engine, "before_cursor_execute", ask)
    before = sys.getprofile()
    sys.setprofile(enter)
    try:
        yield found
    finally:
        sys.setprofile(before)
        event.remove(Engine, "before_cursor_execute", ask)


def _file_of(name: str) -> str | None:
    """Return a file of the project as its path below the root."""
    try:
        below = Path(name).resolve().relative_to(ROOT)
    except ValueError:
        return None
    return str(below) if below.parts[0] in ROOMS else None
