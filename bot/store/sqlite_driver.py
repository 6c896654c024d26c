"""A connection to SQLite whose statements go to its thread and back once.

The driver beneath makes four journeys for one statement: for a cursor, its
execution, its rows, its end. Each wakes a thread and then the event loop, and
on a busy bot waits for both; here all that belongs to a statement goes
together, and what begins a transaction goes with its first statement.
"""

import sqlite3
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Self

import aiosqlite

ROWS = 1000
"""Rows that come back with their statement; a longer answer is fetched in parts of that size."""
Row = tuple[Any, ...]  # of whatever the columns hold


class ThreadConnection(aiosqlite.Connection):
    """A connection with a thread of its own; await it to connect."""

    def __init__(self, path: Path) -> None:
        super().__init__(lambda: sqlite3.connect(path, isolation_level=None), iter_chunk_size=ROWS)
        self._thread.daemon = True
        self._first: list[str] = []
        self._is_used = False

    def run_first(self, statement: str) -> None:
        """Have a statement done on the way of the next one; its answer is not looked at."""
        self._first.append(statement)

    def cursor(self) -> "ThreadCursor":  # type: ignore[override]  # asynchronous there, and costs a journey
        """Return a cursor."""
        return ThreadCursor(self)

    async def run(self, ask: Callable[[sqlite3.Connection], "StatementResult"]) -> "StatementResult":
        """Have something asked in the thread, after the statements that wait for it."""
        first, self._first = self._first, []
        self._is_used = True
        answer: StatementResult = await self._execute(_run_in_order, self._conn, first, ask)  # type: ignore[no-untyped-call]
        return answer

    async def fetch_more(self, cursor: sqlite3.Cursor) -> list[Row]:
        """Return the next rows of a long answer."""
        rows: list[Row] = await self._execute(cursor.fetchmany, ROWS)  # type: ignore[no-untyped-call]
        return rows

    async def commit(self) -> None:
        """Commit what was done, if anything was."""
        await self._end(super().commit)

    async def rollback(self) -> None:
        """Undo what was done, if anything was."""
        await self._end(super().rollback)

    async def _end(self, end: Callable[[], Any]) -> None:
        self._first.clear()
        if self._is_used:  # also by what was given up while the thread was at it: this comes after it
            await end()
            self._is_used = False


class StatementResult:
    """What a statement gives.

    Args:
        cursor: of the thread. rows: the first of them.
    """

    def __init__(self, cursor: sqlite3.Cursor, rows: Iterable[Row] = ()) -> None:
        self.cursor = cursor
        self.rows = deque(rows)
        self.is_whole = len(self.rows) < ROWS


class ThreadCursor:
    """A cursor as SQLAlchemy uses it."""

    def __init__(self, connection: ThreadConnection) -> None:
        self.arraysize = 1
        self._connection = connection
        self._answer: StatementResult | None = None

    async def __aenter__(self) -> Self:
        return self

    async def execute(self, statement: str, parameters: Any = ()) -> Self:  # noqa: ANN401  # one or many, by name or place
        """Have a statement done; its first rows come back with it."""
        self._answer = await self._connection.run(partial(_execute, statement=statement, parameters=parameters))
        return self

    async def executemany(self, statement: str, parameters: Iterable[Any]) -> Self:
        """Have a statement done for each of many parameters."""
        self._answer = await self._connection.run(partial(_execute_many, statement=statement, parameters=parameters))
        return self

    @property
    def description(self) -> Any:  # noqa: ANN401  # as the driver has it
        """The columns, ``None`` if there are none."""
        return self._answer.cursor.description if self._answer else None

    @property
    def rowcount(self) -> int:
        """How many rows were changed."""
        return self._answer.cursor.rowcount if self._answer else -1

    @property
    def lastrowid(self) -> int | None:
        """The number of the row that was added last."""
        return self._answer.cursor.lastrowid if self._answer else None

    async def fetchall(self) -> list[Row]:
        """Return all rows that are left."""
        found: list[Row] = []
        while some := await self.fetchmany(ROWS):
            found += some
        return found

    async def fetchmany(self, size: int = ROWS) -> Sequence[Row]:
        """Return the next rows."""
        answer = self._answer
        if answer is None:
            return ()
        if not answer.rows and not answer.is_whole:
            answer.rows.extend(await self._connection.fetch_more(answer.cursor))
            answer.is_whole = len(answer.rows) < ROWS
        return [answer.rows.popleft() for _ in range(min(size, len(answer.rows)))]

    async def fetchone(self) -> Row | None:
        """Return the next row, ``None`` if there is none."""
        return next(iter(await self.fetchmany(1)), None)

    async def close(self) -> None:
        """Be done with a statement; a long answer that was not read to its end is given up."""
        if self._answer is not None and not self._answer.is_whole:
            await self._connection.run(partial(_close_cursor, self._answer))
            self._answer.is_whole = True


def _run_in_order(
    connection: sqlite3.Connection, first: Sequence[str], ask: Callable[[sqlite3.Connection], StatementResult]
) -> StatementResult:
    for statement in first:
        connection.execute(statement).close()
    return ask(connection)


def _execute(connection: sqlite3.Connection, statement: str, parameters: Any) -> StatementResult:  # noqa: ANN401  # as above
    cursor = connection.execute(statement, parameters)
    return StatementResult(cursor, cursor.fetchmany(ROWS) if cursor.description else ())


def _execute_many(connection: sqlite3.Connection, statement: str, parameters: Iterable[Any]) -> StatementResult:
    return StatementResult(connection.executemany(statement, parameters))


def _close_cursor(answer: StatementResult, connection: sqlite3.Connection) -> StatementResult:
    del connection
    answer.cursor.close()
    return answer
