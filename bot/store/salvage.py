"""What can still be read of a damaged file: copied into a new one, or into fresh pages of the same file.

A file has each row twice, on different pages: in its table and in an index of all columns, its copy. So one damaged
page costs no row.
"""

import contextlib
import json
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from bot.store.address import make_private
from engine import Record

_Row = tuple[Any, ...]  # of whatever the columns hold
_TABLES = """SELECT name FROM sqlite_master
    WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'alembic_version'"""
_COLUMNS = "SELECT name FROM pragma_table_info(?)"
_COPY = "copy_"
"""What the name of a copy begins with."""
_WITHOUT_COPY = ("outbox", "obligation", "lease")
"""Of which what is lost is owed again, or taken again."""
_NAMED = {"log": ("id", "game", "seq"), "outbox": ("id",), "game": ("id", "state"), "seat": ("id", "game")}
"""Columns that an index has of each row, with which a lost row is known."""
MIN_FREE_PAGES, FREE_PART = 1024, 4
"""Free pages of a file that are given back: so many, and at least one of so many of all."""
BUSY_SECONDS = 30
MAX_ROWS = 1 << 17
"""If not even their number can be read."""


class Renewal(Record, frozen=True):
    """What was renewed in a file.

    Args:
        tables: names of the database's tables that were renewed.
        games: numbers of the tables of players that lost rows.
    """

    tables: tuple[str, ...] = ()
    games: tuple[int, ...] = ()


def add_copies(connection: Connection) -> None:
    """Let each table of a file have a copy of its rows: an index of all columns; a server has its own ways."""
    if connection.dialect.name != "sqlite":
        return
    for (table,) in connection.exec_driver_sql(_TABLES).all():
        if table not in _WITHOUT_COPY:
            names = [name for (name,) in connection.exec_driver_sql(_COLUMNS, (table,))]
            columns = ", ".join(f'"{name}"' for name in names)
            connection.exec_driver_sql(f'CREATE INDEX "{_COPY}{table}" ON "{table}" ({columns})')


def give_back_space(path: Path) -> bool:
    """Rewrite a file if much of it is free, while no one else writes to it; return whether it was rewritten."""
    with contextlib.closing(sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)) as file:
        free, pages = (file.execute(f"PRAGMA {what}").fetchone()[0] for what in ("freelist_count", "page_count"))
        is_much: bool = free >= MIN_FREE_PAGES and FREE_PART * free >= pages
        if is_much:
            file.execute("VACUUM")
    return is_much


def salvage_rows(source: Path, target: Path) -> tuple[str, ...]:
    """Copy every row that can be read into a new store of the same schema; return the tables that lost some.

    Raises:
        sqlite3.Error: not even the list of the tables can be read, or the target can't be written.
    """
    lost = []
    with (
        contextlib.closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as there,
        contextlib.closing(sqlite3.connect(target)) as here,
    ):
        there.text_factory = _read_text
        for (table,) in here.execute(_TABLES).fetchall():
            columns = _list_columns(here, table)
            both = _read_both(there, table, columns)
            rows, is_whole = (both[0], not both[1]) if both else _read_rows(there, table, columns)
            here.execute(f'DELETE FROM "{table}"')  # noqa: S608  # the note of a new store
            added = _add_rows(here, table, rows)
            if not is_whole or (rows and added != len(rows)):
                lost.append(table)
        here.commit()
    return tuple(lost)


def find_damaged(path: Path) -> list[str]:
    """Return the tables of a file that are damaged or have a damaged index; none if not even their list can be read."""
    with contextlib.closing(sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)) as file:
        tables, damaged = list[tuple[str]](), []
        with contextlib.suppress(sqlite3.DatabaseError):
            tables = file.execute(_TABLES).fetchall()
        for (table,) in tables:
            try:
                is_whole = file.execute(f'PRAGMA integrity_check("{table}")').fetchall() == [("ok",)]
            except sqlite3.DatabaseError:
                is_whole = False
            damaged += [table] * (not is_whole)
    return damaged


def renew_tables(path: Path, damaged: Sequence[str], find_name: Callable[[], Path]) -> Renewal:
    """Copy what can be read of damaged tables to fresh pages of an open file, so that a running bot can write again.

    A lost row leaves one that can't be read, so that its table is known to be damaged. The file as it was is kept
    beside it. Nothing is changed if the log and its index are both damaged.

    Args:
        path: of the file.
        damaged: the tables.
        find_name: returns where to keep the file as it was.

    Raises:
        sqlite3.Error: the file can't be written or read at all. OSError: it can't be copied.
    """
    with (  # two, as nothing can be written by a transaction that met damage
        contextlib.closing(sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)) as file,
        contextlib.closing(sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)) as there,
    ):
        there.text_factory = _read_text
        aside = find_name()
        aside.touch(mode=0o600)
        try:
            with contextlib.closing(sqlite3.connect(aside)) as copy:
                file.backup(copy)
        except sqlite3.Error:  # the disk is full, most likely
            aside.unlink()
            raise
        make_private(aside)
        file.execute("BEGIN IMMEDIATE")
        games: set[int] = set()
        for table in damaged:
            games |= _renew_table(file, there, table)
        file.execute("COMMIT")
        with contextlib.suppress(sqlite3.Error):  # without the damaged pages, which nothing refers to any more
            file.execute("VACUUM")
    return Renewal(tuple(damaged), tuple(sorted(games)))


def _renew_table(file: sqlite3.Connection, there: sqlite3.Connection, table: str) -> set[int]:
    """Copy a table to fresh pages; return the tables of players that lost rows."""
    rows, lost = _read_known_rows(there, table)
    made = file.execute("SELECT sql FROM sqlite_master WHERE tbl_name = ? AND sql > '' ORDER BY rowid", (table,))
    statements = [statement for (statement,) in made]
    file.execute("PRAGMA writable_schema = ON")
    file.execute("DELETE FROM sqlite_master WHERE tbl_name = ?", (table,))
    file.execute("PRAGMA writable_schema = RESET")
    for statement in statements:
        file.execute(statement)
    _add_rows(file, table, rows)
    if table == "outbox":  # what was called by a lost number is not to be taken for another post
        lost = [max(lost)] if lost else []
    for each in lost:
        _add_unreadable_row(file, table, dict(zip(_NAMED[table], each, strict=True)))
    return {each[table != "game"] for each in lost} if table in ("log", "game", "seat") else set()


def _add_unreadable_row(file: sqlite3.Connection, table: str, known: dict[str, Any]) -> None:
    """Add a row of which only so much is known, so that whoever reads it learns that it is damaged."""
    number = known["id"]
    known |= {
        "log": {"told": "[]"},
        "outbox": {"key": f"lost:{number}", "kind": "lost", "state": "dropped"},
        "seat": {"number": -number},
    }.get(table, {})
    for name, kind in file.execute("SELECT name, type FROM pragma_table_info(?) WHERE [notnull]", (table,)).fetchall():
        known.setdefault(name, "" if kind.startswith(("VARCHAR", "TEXT")) else 0)
    names, marks = ", ".join(f'"{name}"' for name in known), ", ".join("?" * len(known))
    file.execute(f'INSERT OR IGNORE INTO "{table}" ({names}) VALUES ({marks})', [*known.values()])  # noqa: S608


def _read_known_rows(there: sqlite3.Connection, table: str) -> tuple[list[_Row], list[_Row]]:
    """Return the rows that can be read, and by what an index knows those that can't.

    Raises:
        sqlite3.DatabaseError: entries of the log are lost, and no one can tell whose.
    """
    columns = _list_columns(there, table)
    if (both := _read_both(there, table, columns)) is not None:
        return both[0], [tuple(row[columns.index(name)] for name in _NAMED[table]) for row in both[1]]
    known = _list_by_index(there, table)
    rows, is_whole = _read_rows(there, table, columns)
    if known is None and table == "log" and not is_whole:
        raise sqlite3.DatabaseError("the log and its index are damaged")
    if not known:
        return rows, []
    named, there_were = [columns.index(name) for name in _NAMED[table]], set(known)
    found = {tuple(row[place] for place in named): row for row in rows}
    for each in there_were - found.keys():  # a range ends early on a page whose rows are out of order
        with contextlib.suppress(sqlite3.DatabaseError):
            again = there.execute(_select(table, columns, "id = ?"), each[:1]).fetchall()
            found |= {tuple(row[place] for place in named): row for row in again}
    readable, numbers = list[_Row](), set[int]()
    for row in (found[each] for each in known if each in found):  # a damaged page may hold rows that never were
        readable.append((None, *row[1:]) if row[0] in numbers else row)  # one that shares a number gets another
        numbers.add(row[0])
    return readable, sorted(there_were - found.keys())


def _list_columns(file: sqlite3.Connection, table: str) -> list[str]:
    return [name for (name,) in file.execute(_COLUMNS, (table,))]


def _read_both(there: sqlite3.Connection, table: str, columns: list[str]) -> tuple[list[_Row], list[_Row]] | None:
    """Return the rows of a table with the help of its copy, and those of a log of which both say another move.

    ``None`` if rows are in neither, or there is no copy.
    """
    names = ", ".join(f'"{name}"' for name in ("rowid", *columns))
    try:
        copied = there.execute(f'SELECT {names} FROM "{table}" INDEXED BY "{_COPY}{table}"').fetchall()  # noqa: S608
    except sqlite3.DatabaseError:
        return None
    rows, is_whole = _read_rows(there, table, ["rowid", *columns])
    if is_whole and rows == copied:
        return [row[1:] for row in rows], []
    found, copies = ({row[0]: row for row in each} for each in (rows, copied))
    known = found.keys() & copies.keys()
    for (index,) in there.execute("SELECT name FROM pragma_index_list(?)", (table,)).fetchall():
        if not index.startswith(_COPY):  # it settles whether a row of one place only was ever there
            with contextlib.suppress(sqlite3.DatabaseError):
                known = {number for (number,) in there.execute(f'SELECT rowid FROM "{table}" INDEXED BY "{index}"')}  # noqa: S608
    if known - found.keys() - copies.keys():
        return None
    best, doubted = list[_Row](), list[_Row]()
    move = columns.index("told") + 1 if table == "log" else 0
    for number in sorted(known):
        both = [each[number] for each in (found, copies) if number in each]
        whole = [row for row in both if _looks_whole(row)]
        (doubted if len({row[:move] for row in whole}) > 1 else best).append((whole or both)[0][1:])
    return best, doubted


def _looks_whole(row: _Row) -> bool:
    """Return whether the texts of a row can be read, and what begins like JSON is JSON."""
    for value in row:
        if isinstance(value, bytes) or (isinstance(value, str) and "\ufffd" in value):
            return False
        if isinstance(value, str) and value[:1] in ("{", "["):
            try:
                json.loads(value)
            except ValueError:
                return False
    return True


def _read_text(data: bytes) -> str:
    """Read a text of which a flipped byte costs a letter, not the row."""
    return data.decode(errors="replace")


def _list_by_index(file: sqlite3.Connection, table: str) -> list[_Row] | None:
    """Return the numbers of all rows, those of a log with their game and place; ``None`` if the index is damaged."""
    names = _NAMED.get(table, ())
    wanted = [*names[1:]] or ["key"]
    for (index,) in file.execute("SELECT name FROM pragma_index_list(?)", (table,)).fetchall() if names else ():
        if [name for (name,) in file.execute("SELECT name FROM pragma_index_info(?)", (index,))] == wanted:
            try:
                return file.execute(f'SELECT {", ".join(names)} FROM "{table}" INDEXED BY "{index}"').fetchall()  # noqa: S608
            except sqlite3.DatabaseError:
                return None
    return []


def _read_rows(file: sqlite3.Connection, table: str, columns: list[str]) -> tuple[list[_Row], bool]:
    """Return all rows that can be read, and whether these are all."""
    with contextlib.suppress(sqlite3.DatabaseError):  # in their order, which may be wrong on a damaged page
        return file.execute(_select(table, columns, "true")).fetchall(), True
    last = MAX_ROWS
    for what, times, more in ("max(rowid)", 1, 0), ("count(*)", 2, 1000):  # a number that no row will exceed
        with contextlib.suppress(sqlite3.DatabaseError):
            last = (file.execute(f'SELECT {what} FROM "{table}"').fetchone()[0] or 0) * times + more  # noqa: S608
            break
    asked = _select(table, columns, "rowid BETWEEN ? AND ?")
    ranges, rows = [(1, last)], list[_Row]()
    while ranges:  # one that meets a damaged page is halved, down to single rows
        low, high = ranges.pop()
        try:
            rows += file.execute(asked, (low, high)).fetchall()
        except sqlite3.DatabaseError:
            middle = (low + high) // 2
            ranges += [(middle + 1, high), (low, middle)] if low < high else []
    return rows, False


def _select(table: str, columns: list[str], which: str) -> str:
    names = ", ".join(f'"{name}"' for name in columns)
    return f'SELECT {names} FROM "{table}" NOT INDEXED WHERE {which}'  # noqa: S608 - all of them of this file


def _add_rows(file: sqlite3.Connection, table: str, rows: list[_Row]) -> int:
    """Add rows but for those that contradict others; return how many were added."""
    if not rows:
        return 0
    marks = ", ".join("?" * len(rows[0]))
    return file.executemany(f'INSERT OR IGNORE INTO "{table}" VALUES ({marks})', rows).rowcount  # noqa: S608
