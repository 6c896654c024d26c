"""The tables of the database; rows stay inside ``bot.store``.

Ids of Discord are text; moments are whole seconds since 1970, UTC.
"""

from collections.abc import Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from sqlalchemy import BigInteger, ColumnElement, Index, Integer, Table, Text, UniqueConstraint, inspect, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Field, SQLModel
from sqlmodel.ext.asyncio.session import AsyncSession

from engine import Record

LARGE = BigInteger().with_variant(Integer(), "sqlite")
"""64 bits: seeds and moments. SQLite's integers have them anyway."""


class GameRow(SQLModel, table=True):
    """A game from the lobby to the end, without its moves."""

    __tablename__ = "game"

    id: int | None = Field(default=None, primary_key=True)
    name: str
    title: str
    options: str = Field(sa_type=Text)
    seed: int = Field(sa_type=LARGE)
    rules: int
    places: int
    host: str
    state: str = Field(index=True)
    pace: str
    privacy: str
    seating: str
    guild: str = ""
    channel: str = ""
    thread: str = Field(default="", index=True)
    message: str = ""
    barred: str = ""
    created: int = Field(sa_type=LARGE)
    expires: int = Field(sa_type=LARGE)
    started: int | None = Field(default=None, sa_type=LARGE)
    ended: int | None = Field(default=None, sa_type=LARGE)
    turn_from: int = 0
    fingerprint: str = ""
    reason: str = ""
    clock: str = Field(default="", sa_type=Text)
    imported: bool = False
    interaction: str | None = Field(default=None, unique=True)


class SeatRow(SQLModel, table=True):
    """The time one person holds one seat; ``number`` is settled at the start. A seat has one holder at a time."""

    __tablename__ = "seat"
    __table_args__ = (
        Index(
            "uq_seat_held",
            "game",
            "number",
            unique=True,
            sqlite_where=text("gone IS NULL"),
            postgresql_where=text("gone IS NULL"),
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    game: int = Field(foreign_key="game.id", index=True)
    number: int
    user: str = Field(index=True)
    name: str
    joined: int = Field(sa_type=LARGE)
    gone: int | None = Field(default=None, sa_type=LARGE)
    replaced_by: str | None = None
    proxy: str = ""
    proxy_name: str = ""
    stand_in: bool = False
    once: bool = False


class InviteRow(SQLModel, table=True):
    """A person whom the host invited."""

    __tablename__ = "invite"

    game: int = Field(foreign_key="game.id", primary_key=True)
    user: str = Field(primary_key=True)
    at: int = Field(sa_type=LARGE)


class LogRow(SQLModel, table=True):
    """One entry of the log: only ever added, never changed.

    ``payload`` is the action as JSON; ``told`` the sentences it was told in, a
    JSON list, for reading only; ``made_by`` is "order", "stand-in" or "alone", empty for a person.
    """

    __tablename__ = "log"
    __table_args__ = (UniqueConstraint("game", "seq", name="uq_log_game_seq"),)

    id: int | None = Field(default=None, primary_key=True)
    game: int = Field(foreign_key="game.id")
    seq: int
    seat: int
    user: str
    payload: str = Field(sa_type=Text)
    told: str = Field(sa_type=Text)
    interaction: str | None = Field(default=None, unique=True)
    at: int = Field(sa_type=LARGE)
    made_by: str = ""


class OwnNoteRow(SQLModel, table=True):
    """A note that one person keeps at a table."""

    __tablename__ = "own_note"

    game: int = Field(foreign_key="game.id", primary_key=True)
    user: str = Field(primary_key=True)
    words: str = Field(sa_type=Text)


class DraftRow(SQLModel, table=True):
    """The move that a person has in the making at a table, as their desk had it."""

    __tablename__ = "draft"

    game: int = Field(foreign_key="game.id", primary_key=True)
    user: str = Field(primary_key=True)
    version: int
    path: str
    typed: str = Field(sa_type=Text)
    basket: str = Field(default="[]", sa_type=Text)


class OrderRow(SQLModel, table=True):
    """A standing order; ``payload`` is all of it as JSON."""

    __tablename__ = "standing_order"

    id: int | None = Field(default=None, primary_key=True)
    game: int = Field(foreign_key="game.id", index=True)
    user: str
    state: str
    payload: str = Field(sa_type=Text)


class OutboxRow(SQLModel, table=True):
    """A post owed to a channel, or a letter owed to a person; ``batch`` names what is sent together, in order.

    ``revision`` counts how often the post was replaced, so that a sender that
    was slower than the next move does not call the newer post sent. ``handed``
    counts how often it was handed out to a sender without a word of what became
    of it: it may have been posted. A letter may be about no game; ``user`` is
    to whom it goes, ``offers`` what its choices mean, and ``number`` what it is
    called where it arrives, if that is not its id, as in those of version 0.2.
    """

    __tablename__ = "outbox"
    __table_args__ = (
        Index("ix_outbox_state_due", "state", "due"),
        Index("ix_outbox_batch_sent", "batch", "sent"),
    )

    id: int | None = Field(default=None, primary_key=True)
    batch: str
    game: int | None = Field(default=None, foreign_key="game.id", index=True)
    user: str = Field(default="", index=True)
    key: str = Field(unique=True)
    kind: str
    payload: str = Field(sa_type=Text)
    offers: str = Field(default="", sa_type=Text)
    state: str
    due: int = Field(sa_type=LARGE)
    revision: int = 0
    attempts: int = 0
    handed: int = 0
    error: str = ""
    channel: str = ""
    message: str = ""
    created: int = Field(sa_type=LARGE)
    sent: int | None = Field(default=None, sa_type=LARGE)
    number: int | None = Field(default=None, index=True)


class ProposalRow(SQLModel, table=True):
    """Something that one person asks of others; ``terms`` is JSON, ``subject`` what it is about."""

    __tablename__ = "proposal"

    id: int | None = Field(default=None, primary_key=True)
    game: int = Field(foreign_key="game.id", index=True)
    proposer: str
    subject: str
    terms: str = Field(sa_type=Text)
    version: int
    needed: str = Field(sa_type=Text)
    voters: str = Field(default="[]", sa_type=Text)
    enough: int = 0
    absent: str = ""
    state: str
    created: int = Field(sa_type=LARGE)
    expires: int = Field(sa_type=LARGE)
    interaction: str | None = Field(default=None, unique=True)


class VoteRow(SQLModel, table=True):
    """What one person said to a proposal, last word."""

    __tablename__ = "vote"

    proposal: int = Field(foreign_key="proposal.id", primary_key=True)
    user: str = Field(primary_key=True)
    yes: bool
    at: int = Field(sa_type=LARGE)


class CallsRow(SQLModel, table=True):
    """When one person may be called; hours are of their zone."""

    __tablename__ = "calls"

    user: str = Field(primary_key=True)
    reminders: bool = True
    quiet_from: int = 0
    quiet_to: int = 0
    zone: str = "UTC"
    place: str = "table"
    delay: int = 0
    every: int = 0
    most: int = 5
    digest: int = -1
    digested: str = ""
    away_from: int = Field(default=0, sa_type=LARGE)
    away_to: int = Field(default=0, sa_type=LARGE)
    away_note: str = ""
    on_deck: bool = False


class StyleRow(SQLModel, table=True):
    """How one person wants to see things."""

    __tablename__ = "style"

    user: str = Field(primary_key=True)
    palette: str = "standard"
    text_first: bool = False


class ServerRow(SQLModel, table=True):
    """What those who run a server decided for it; ``rules`` is JSON."""

    __tablename__ = "server"

    guild: str = Field(primary_key=True)
    rules: str = Field(sa_type=Text)


class AuditRow(SQLModel, table=True):
    """What a person who runs a server did there with the bot: only ever added."""

    __tablename__ = "audit"

    id: int | None = Field(default=None, primary_key=True)
    guild: str = Field(index=True)
    at: int = Field(sa_type=LARGE)
    user: str
    name: str
    words: str = Field(sa_type=Text)


class ScoreRow(SQLModel, table=True):
    """What a seat had at the end of a finished game, and its place."""

    __tablename__ = "score"

    game: int = Field(foreign_key="game.id", primary_key=True)
    seat: int = Field(primary_key=True)
    user: str = Field(index=True)
    name: str
    total: int
    place: int


class LeaseRow(SQLModel, table=True):
    """Who does something alone, until when: the posts of a table, a chore. ``holder`` is a process, "" no one."""

    __tablename__ = "lease"

    name: str = Field(primary_key=True)
    holder: str
    until: int = Field(sa_type=LARGE)


class NoteRow(SQLModel, table=True):
    """A word the program keeps for itself: what was declared to Discord, when the last backup was made."""

    __tablename__ = "note"

    name: str = Field(primary_key=True)
    words: str = Field(sa_type=Text)


class ContactRow(SQLModel, table=True):
    """An address of a person's own, at which they are written to; ``address`` is folded."""

    __tablename__ = "contact"

    id: int | None = Field(default=None, primary_key=True)
    address: str = Field(unique=True)
    user: str = Field(index=True)
    name: str
    state: str
    epoch: int = 1
    code: str = ""
    tries: int = 0
    until: int = Field(default=0, sa_type=LARGE)
    asked: int = Field(default=0, sa_type=LARGE)


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


def make_insert(session: AsyncSession, row: type[SQLModel] | Table) -> postgresql.Insert | sqlite.Insert:
    """Return the statement that inserts rows, and can say what is done where one is there already."""
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    return insert(row)


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
