"""A store on a real SQLite file whose driver runs in the simulated loop instead of a thread."""

import asyncio
import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.store.sqlite import ThreadConnection

if TYPE_CHECKING:
    from tests.simulation.loop import Process
    from tests.simulation.points import Fault
    from tests.simulation.simulation import Simulation

STATEMENT_SECONDS = (0.0001, 0.002)
COMMIT_SECONDS = (0.001, 0.01)
BUSY_SECONDS = 0.01
ERRORS = {
    "busy": ("database is locked", "SQLITE_BUSY"),
    "full": ("database or disk is full", "SQLITE_FULL"),
    "broken": ("disk I/O error", "SQLITE_IOERR"),
    "read-only": ("attempt to write a readonly database", "SQLITE_READONLY"),
}


class RawConnection(sqlite3.Connection):
    """A connection that never keeps the loop waiting for a lock, and can vanish as with its process."""

    patience = 2.0
    process: "Process"
    opened: set["RawConnection"]

    def execute(self, statement: str, parameters: Any = ()) -> sqlite3.Cursor:  # noqa: ANN401
        """Execute a statement; how long to wait for a lock is noted, not obeyed."""
        if statement.startswith("PRAGMA busy_timeout"):
            self.patience = float(statement.rpartition("=")[2]) / 1000
            statement = "PRAGMA busy_timeout = 0"
        return super().execute(statement, parameters)

    def close(self) -> None:
        """Close it; its process holds it no longer."""
        self.process.resources.pop(self, None)
        self.opened.discard(self)
        super().close()

    def vanish(self) -> None:
        """Leave nothing but what was committed."""
        try:
            self.rollback()
            self.close()
        except sqlite3.ProgrammingError:  # closed
            pass


class NoThread:
    """What starts instead of a connection's thread."""

    daemon = True

    def start(self) -> None:
        """Do nothing."""


class SimulatedConnection(ThreadConnection):
    """A connection whose statements are done in the loop, one after another, each a moment later."""

    simulation: "Simulation"

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._thread = NoThread()  # type: ignore[assignment]  # only started
        self._tx = Work(self.simulation)  # type: ignore[assignment]  # only filled


class Work:
    """What a connection is to do, done in order.

    Args:
        simulation: the run.
    """

    def __init__(self, simulation: "Simulation") -> None:
        self._run = simulation
        self._free = 0.0

    def put_nowait(self, item: tuple[asyncio.Future[Any] | None, Callable[[], Any]]) -> None:
        """Have something done after what was put before."""
        future, function = item
        kind, words = describe(function)
        fault = self._run.points.meet(kind)
        loop = self._run.loop
        span = COMMIT_SECONDS if kind == "commit" else STATEMENT_SECONDS
        self._free = max(self._free, loop.time()) + loop.delays.uniform(*span) + (fault.late if fault else 0)
        if kind == "commit" or words:
            self._run.note(f"{kind} {words}")
        loop.call_at(self._free, self._do, future, function, fault, loop.time())

    def _do(
        self, future: asyncio.Future[Any] | None, function: Callable[[], Any], fault: "Fault | None", since: float
    ) -> None:
        if self._run.strike(fault, "before"):
            return
        if fault is not None and fault.name in ERRORS and future is not None:
            words, name = ERRORS[fault.name]
            error = sqlite3.OperationalError(words)
            error.sqlite_errorname = name
            if not future.done():
                future.set_exception(error)
            return
        try:
            result = function()
        except sqlite3.OperationalError as error:
            connection = next((each for each in getattr(function, "args", ()) if isinstance(each, RawConnection)), None)
            is_busy = "locked" in str(error) and connection is not None and not connection.in_transaction
            if connection is not None and is_busy and self._run.loop.time() - since < connection.patience:
                self._run.loop.call_later(BUSY_SECONDS, self._do, future, function, None, since)
            elif future is not None and not future.done():
                future.set_exception(error)
            return
        except Exception as error:  # noqa: BLE001 - whoever waits gets it
            if future is not None and not future.done():
                future.set_exception(error)
            return
        if not self._run.strike(fault, "after") and future is not None and not future.done():
            future.set_result(result)


def describe(function: Callable[[], Any]) -> tuple[str, str]:
    """Return the kind of what is to be done, and its first words."""
    if not isinstance(function, partial):
        return "connect", ""
    if getattr(function.func, "__name__", "") in ("commit", "rollback", "close"):
        return ("commit" if function.func.__name__ == "commit" else "statement"), function.func.__name__
    ask = function.args[-1] if function.args else None
    return "statement", str(ask.keywords.get("statement", ""))[:60].replace("\n", " ") if isinstance(
        ask, partial
    ) else ""
