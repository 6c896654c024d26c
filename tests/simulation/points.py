"""Points where the bot awaits something outside of it, and what goes wrong at one of them."""

import ast
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

BOT = str(Path(__file__).parents[2] / "bot")
DRIVERS = tuple(str(Path(BOT, "store", name)) for name in ("sqlite.py", "database.py"))

WAITS = (ast.Await, ast.AsyncFor, ast.AsyncWith)


@dataclass(frozen=True)
class Point:
    """A place in the bot that awaits something: a "request", "statement", "commit", "work", "thread" or "sleep".

    An "event" is what Discord tells it; its place is what is told.
    """

    kind: str
    place: str

    def __str__(self) -> str:
        return f"{self.kind} {self.place}"


@dataclass(frozen=True)
class Fault:
    """What goes wrong at a point.

    Args:
        name: "status 404", "reset before", "late", "killed after", "ended", "busy", …
        seconds: for which it goes on at this point; 0 for once. late: seconds by which an answer is late.
    """

    name: str
    seconds: float = 0.0
    late: float = 0.0

    @property
    def status(self) -> int:
        """The status with which a request is answered, 0 for none."""
        return int(self.name.removeprefix("status ")) if self.name.startswith("status ") else 0


CLASSES: Mapping[str, tuple[int, ...]] = {
    "token": (401,),
    "forbidden": (403,),
    "limit": (429,),
    "line": (408, *(status for status in range(500, 600) if status not in (500, 502, 504, 524))),
    "unsure": (500, 502, 504, 524),
    "form": tuple(status for status in range(400, 500) if status not in (401, 403, 408, 429)),
}
"""Every status from 400 to 599 by how the bot, and Discord's library below it, handles it."""
SPELL_SECONDS = 12.0
EXAMPLES = {"token": 401, "forbidden": 403, "limit": 429, "line": 503, "unsure": 502, "form": 400}
DEATHS = (Fault("killed before"), Fault("killed after"), Fault("ended"))
FAULTS: Mapping[str, tuple[Fault, ...]] = {
    "request": (
        *DEATHS, Fault("reset before"), Fault("reset after"), Fault("late", late=70.0), Fault("timed out", late=310.0),
        Fault("done"), Fault("twice"),
        *(Fault(f"status {status}", SPELL_SECONDS) for status in EXAMPLES.values()), Fault("status 404", SPELL_SECONDS),
    ),
    "statement": (*DEATHS, Fault("busy"), Fault("full"), Fault("broken"), Fault("late", late=5.0)),
    "commit": (
        *DEATHS, Fault("busy"), Fault("full"), Fault("broken"), Fault("read-only", SPELL_SECONDS),
        Fault("late", late=5.0),
    ),
    "work": (*DEATHS, Fault("dies"), Fault("dies", SPELL_SECONDS), Fault("late", late=25.0)),
    "connect": (*DEATHS, Fault("broken")),
    "thread": (*DEATHS, Fault("late", late=5.0)),
    "sleep": (Fault("killed before"), Fault("ended")),
    "lock": (Fault("killed before"), Fault("ended")),
    "event": (Fault("twice"), Fault("late", late=5.0), Fault("line cut"), Fault("session lost")),
}  # fmt: skip
"""What goes wrong with each kind of point, one after the other."""


class Points:
    """All points met in a run, how often, and the one where a fault is to come.

    Args:
        aim: the point and the number of the time it is met at which ``fault`` comes; ``None`` for none.
        clock: gives simulated seconds.
    """

    def __init__(self, aim: Point | None = None, fault: Fault | None = None, nth: int = 1) -> None:
        self.aim = aim
        self.fault = fault
        self.nth = nth
        self.clock: Callable[[], float] = float
        self.count_callbacks: Callable[[], int] = int
        self.met: Counter[Point] = Counter()
        self.moments: dict[Point, list[int]] = {}
        """In which callback of the loop each point was met."""
        self.waited: set[str] = set()
        self.struck: float | None = None
        self.is_over = False

    @property
    def spells(self) -> list[tuple[float, float]]:
        """The span in which the fault kept the bot from its work."""
        if self.struck is None or self.fault is None:
            return []
        return [(self.struck, self.struck + max(self.fault.seconds, self.fault.late))]

    def meet(self, kind: str, place: str = "") -> Fault | None:
        """Note that the code that calls awaits something; return what goes wrong with it. A judge meets nothing."""
        if self.is_over:
            return None
        if not place:
            waiting = list_waiting(sys._getframe(1))
            self.waited.update(waiting)
            place = waiting[0] if waiting else ""
        if not place:
            return None
        point = Point(kind, place)
        self.met[point] += 1
        self.moments.setdefault(point, []).append(self.count_callbacks())
        if point != self.aim or self.fault is None:
            return None
        if self.struck is None and self.met[point] >= self.nth:
            self.struck = self.clock()
            return self.fault
        is_on = self.struck is not None and self.clock() < self.struck + self.fault.seconds
        return self.fault if is_on else None


def list_waiting(frame: FrameType | None) -> list[str]:
    """Return the places in the bot that wait, as file:function:line, the innermost first."""
    found = []
    while frame is not None:
        name = frame.f_code.co_filename
        if name.startswith(BOT) and name not in DRIVERS:
            found.append(f"{name[len(BOT) - 3 :]}:{frame.f_code.co_name}:{frame.f_lineno}")
        frame = frame.f_back
    return found


def list_awaiting_functions(*folders: str) -> Iterator[str]:
    """Yield all functions in folders of the bot that await anything, as file:function."""
    for path in sorted(file for folder in folders for file in Path(BOT, folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.AsyncFunctionDef) and any(isinstance(each, WAITS) for each in ast.walk(node)):
                yield f"{path.relative_to(Path(BOT).parent)}:{node.name}"
