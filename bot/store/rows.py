"""Rows as records, and statements that write them."""

from collections.abc import Callable, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from sqlalchemy import ColumnElement, Table, inspect, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import SQLModel
from sqlmodel.ext.asyncio.session import AsyncSession

from engine import Record

R = TypeVar("R", bound=Record)


def make_columns(record: Record, row: type[SQLModel]) -> dict[str, Any]:
    """Return the columns of a row that a record has fields for, but the number that the database gives it."""
    documents = _find_documents(type(record))
    found = {name: getattr(record, name) for name in record.__struct_fields__ if name in row.model_fields}
    found.pop("id", None)
    return {name: _encode(value) if name in documents else value for name, value in found.items()}


def make_record(kind: type[R], row: Mapping[str, Any], **others: object) -> R:
    """Return a record of the columns of a row.

    Args:
        kind: its type.
        row: may have other columns too.
        others: the fields that the row has no column for, and those that are made of several.
    """
    documents = _find_documents(kind)
    found = {name: row[name] for name in kind.__struct_fields__ if name not in others and name in row}
    for name in documents.keys() & found.keys():
        found[name] = documents[name].decode(found[name]) if found[name] else None
    return msgspec.convert({**found, **others}, kind)


def _encode(value: object) -> str:
    return "" if value is None else msgspec.json.encode(value).decode()


@cache
def _find_documents(kind: type[Record]) -> dict[str, msgspec.json.Decoder[Any]]:
    """Return the fields of a record that are kept as JSON, each with what reads it."""
    hints = {name: hint for name, hint in get_type_hints(kind).items() if name in kind.__struct_fields__}
    return {name: msgspec.json.Decoder(hint) for name, hint in hints.items() if not _is_plain(hint)}


def _is_plain(hint: Any) -> bool:  # noqa: ANN401  # whatever stands as a type
    """Return whether a column holds values of a type as they are."""
    parts = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    return all(part in (str, int, bool, NoneType) or get_origin(part) is Literal for part in parts)


async def update_rows(
    session: AsyncSession, row: type[SQLModel], *which: ColumnElement[bool] | bool, **values: object
) -> None:
    """Set columns of the rows that fulfil conditions; what the session holds of them stays as it was read."""
    statement = update(row).where(*which).values(**values)  # type: ignore[arg-type]  # SQLModel's conditions are bool
    await session.exec(statement.execution_options(synchronize_session=False))


Insert = postgresql.Insert | sqlite.Insert


def make_insert(session: AsyncSession, row: type[SQLModel] | Table) -> Insert:
    """Return the statement that inserts rows, and can say what is done where one is there already."""
    return _make_insert(session.get_bind().dialect.name, row)


def _make_insert(dialect: str, row: type[SQLModel] | Table) -> Insert:
    return (postgresql.insert if dialect == "postgresql" else sqlite.insert)(row)


class PreparedInsert:
    """A statement that inserts rows of a table, built once for each kind of database because it's used all the time.

    Args:
        table: the table. finish: adds what is done where a row is there already.
    """

    def __init__(self, table: Table, finish: Callable[[Insert], Any]) -> None:
        self._table, self._finish = table, finish
        self._made: dict[str, Any] = {}

    def get(self, session: AsyncSession) -> Any:  # noqa: ANN401  # with what it returns, or without
        """Return the statement for the database of a session."""
        dialect = session.get_bind().dialect.name
        if dialect not in self._made:
            self._made[dialect] = self._finish(_make_insert(dialect, self._table))
        return self._made[dialect]


async def upsert(session: AsyncSession, row: SQLModel, *, keep: bool = False) -> None:
    """Insert a row, or overwrite the one with its primary key; with ``keep`` that one stays as it is.

    Two who write it at once do not collide.
    """
    table = inspect(type(row))
    keys = [column.name for column in table.primary_key]
    values = row.model_dump()
    others = {name: value for name, value in values.items() if name not in keys}
    statement = make_insert(session, type(row)).values(**values)
    if keep:
        statement = statement.on_conflict_do_nothing(index_elements=keys)
    else:
        statement = statement.on_conflict_do_update(index_elements=keys, set_=others)
    await session.exec(statement)
