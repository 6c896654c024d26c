"""Groups of people: who follows which table, the seasons of a league, and who plays in them."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Text, bindparam, delete
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.records import Pace, Person
from bot.store.rows import make_columns, make_record, update_rows, upsert
from bot.store.tables import GameRow, SeatRow
from engine import Record


class FollowRow(SQLModel, table=True):
    """A person who is told of the turning points of a table, from the entry ``since`` of its log on."""

    __tablename__ = "follow"

    game: int = Field(foreign_key="game.id", primary_key=True)
    user: str = Field(primary_key=True, index=True)
    since: int


class SeasonRow(SQLModel, table=True):
    """A season of a league: tables of one title with the same options; ``options`` is JSON."""

    __tablename__ = "season"

    id: int | None = Field(default=None, primary_key=True)
    guild: str = Field(index=True)
    host: str
    name: str
    title: str
    options: str = Field(sa_type=Text)
    seats: int
    pace: str
    open: bool = True


class MemberRow(SQLModel, table=True):
    """A person who plays in a season."""

    __tablename__ = "member"

    season: int = Field(foreign_key="season.id", primary_key=True)
    user: str = Field(primary_key=True, index=True)
    guild: str
    name: str


class Season(Record, frozen=True):
    """A season of a league.

    Args:
        id: its number. guild: the server. host: who opened it. name: unique among the open ones of a server.
        title, options, pace: of its tables. seats: players at a table, if the number of people allows.
        open: people can join it, and tables begin.
    """

    id: int
    guild: str
    host: str
    name: str
    title: str
    options: dict[str, str]
    seats: int
    pace: Pace
    open: bool = True


# --- followers ------------------------------------------------------------------------------

_FOLLOWERS = (
    select(FollowRow.user, FollowRow.since)
    .where(col(FollowRow.game) == bindparam("of_game"))
    .order_by(col(FollowRow.user))
)


async def follow(session: AsyncSession, game: int, user: str, since: int) -> None:
    """Note that a person follows a table; following twice changes nothing."""
    await upsert(session, FollowRow(game=game, user=user, since=since), keep=True)


async def unfollow(session: AsyncSession, game: int, user: str) -> None:
    """Note that a person doesn't follow a table."""
    await session.exec(delete(FollowRow).where(col(FollowRow.game) == game, col(FollowRow.user) == user))


async def fetch_followers(session: AsyncSession, game: int) -> dict[str, int]:
    """Return who follows a table, each with the entry of its log from which they haven't been told."""
    return dict((await session.exec(_FOLLOWERS, params={"of_game": game})).all())


async def note_told(session: AsyncSession, game: int, since: int) -> None:
    """Note that the followers of a table know of the first entries of its log."""
    await update_rows(session, FollowRow, col(FollowRow.game) == game, col(FollowRow.since) < since, since=since)


async def list_followed(session: AsyncSession, user: str) -> list[int]:
    """Return the tables that a person follows, of those that are not over."""
    query = select(FollowRow.game).where(FollowRow.user == user, FollowRow.game == GameRow.id)
    query = query.where(col(GameRow.state).in_(("open", "running"))).order_by(col(FollowRow.game))
    return list(await session.exec(query))


async def rename(session: AsyncSession, before: str, after: str) -> None:
    """Let a person follow and play under another id, who turned out to be the same."""
    keys: tuple[tuple[Any, Any], ...] = ((FollowRow, FollowRow.game), (MemberRow, MemberRow.season))
    for row, key in keys:
        known = select(key).where(row.user == after)
        await session.exec(delete(row).where(row.user == before, key.in_(known)))
        await update_rows(session, row, row.user == before, user=after)
    await update_rows(session, SeasonRow, col(SeasonRow.host) == before, host=after)


# --- seasons --------------------------------------------------------------------------------


async def add_season(session: AsyncSession, season: Season) -> Season:
    """Store a new season; return it with its number."""
    row = SeasonRow(**make_columns(season, SeasonRow))
    session.add(row)
    await session.flush()
    return make_record(Season, row.model_dump())


async def list_seasons(session: AsyncSession, guild: str, *, all_of_them: bool = False) -> list[Season]:
    """Return the open seasons of a server, or all, newest first."""
    query = select(SeasonRow).where(SeasonRow.guild == guild)
    query = query if all_of_them else query.where(col(SeasonRow.open).is_(True))
    rows = await session.exec(query.order_by(col(SeasonRow.id).desc()).limit(100))
    return [make_record(Season, row.model_dump()) for row in rows]


async def close_season(session: AsyncSession, number: int) -> None:
    """Let no one join a season any more, and no table begin."""
    await update_rows(session, SeasonRow, col(SeasonRow.id) == number, open=False)


async def hold_season(session: AsyncSession, number: int) -> None:
    """Keep others from pairing in a season until the transaction is over, also other processes on a server."""
    await update_rows(session, SeasonRow, col(SeasonRow.id) == number, id=number)


async def set_member(session: AsyncSession, season: Season, person: Person, *, on: bool) -> None:
    """Note that a person plays in a season, or no longer does."""
    if on:
        await upsert(session, MemberRow(season=season.id, user=person.id, guild=season.guild, name=person.name))
    else:
        mine = (col(MemberRow.season) == season.id, col(MemberRow.user) == person.id)
        await session.exec(delete(MemberRow).where(*mine))


async def list_members(session: AsyncSession, season: int) -> list[Person]:
    """Return who plays in a season, by name."""
    rows = await session.exec(select(MemberRow).where(MemberRow.season == season).order_by(MemberRow.name))
    return [Person(row.user, row.name) for row in rows]


async def list_meetings(session: AsyncSession, season: int) -> Sequence[tuple[int, str, str]]:
    """Return who sits at the tables of a season: (game, state, user), oldest table first; closed ones don't count."""
    held: tuple[Any, ...] = (GameRow.season == season, SeatRow.game == GameRow.id, col(SeatRow.gone).is_(None))
    query: Any = select(GameRow.id, GameRow.state, SeatRow.user).where(*held, GameRow.state != "closed")
    return [tuple(row) for row in await session.exec(query.order_by(col(GameRow.id), col(SeatRow.number)))]
