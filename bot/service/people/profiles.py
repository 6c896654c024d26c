"""How somebody plays: at how many tables of a server, how often, how soon."""

from collections.abc import Mapping
from statistics import median_low

from bot.store import profiles
from bot.store.database import Database
from engine import Record

MOST_MOVES = 200
"""Moves of somebody that are looked at to tell their pace."""


class Profile(Record, frozen=True):
    """What can be told of a player.

    Args:
        tables: how many in each state. moves: all that they made there.
        pace: seconds within which half of their latest turns began; ``None`` if there was none.
    """

    tables: Mapping[str, int]
    moves: int
    pace: int | None


class Profiles:
    """Tells how people play."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def of(self, user: str, guild: str) -> Profile:
        """Return the profile of a person at the tables of a server; "" is that of tables without one."""
        async with self.database.reading() as session:
            tables = await profiles.tables(session, user, guild)
            moves = await profiles.moves(session, user, guild)
            waits = await profiles.waits(session, user, guild, MOST_MOVES)
        return Profile(tables, moves, median_low(waits) if waits else None)
