"""Write a row whether or not it is there, without two writers colliding."""

from sqlalchemy import inspect
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import SQLModel
from sqlmodel.ext.asyncio.session import AsyncSession


async def put(session: AsyncSession, row: SQLModel, *, keep: bool = False) -> None:
    """Insert a row, or overwrite the one with its primary key; with ``keep`` that one stays as it is."""
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    table = inspect(type(row))
    keys = [column.name for column in table.primary_key]
    values = row.model_dump()
    others = {name: value for name, value in values.items() if name not in keys}
    statement = insert(type(row)).values(**values)
    if keep:
        statement = statement.on_conflict_do_nothing(index_elements=keys)
    else:
        statement = statement.on_conflict_do_update(index_elements=keys, set_=others)
    await session.exec(statement)
