"""How people play: at how many tables of a server, how often, how soon; and how their finished games ended."""

from collections.abc import Mapping, Sequence
from statistics import median_low

from bot.store import people
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


class Tally(Record, frozen=True):
    """How often somebody, or a title, was played: games with a result, those won, the best total."""

    name: str
    games: int
    won: int
    best: int


class Statistics:
    """Counts results; games that one person played alone are left out."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def of_player(self, guild: str, user: str) -> Sequence[Tally]:
        """Return how a person did at each title."""
        async with self.database.reading() as session:
            return [Tally(*row) for row in await people.tally_titles(session, guild, user)]

    async def of_title(self, guild: str, title: str) -> tuple[int, Sequence[Tally]]:
        """Return how many games of a title ended, and how each person did, most wins first."""
        async with self.database.reading() as session:
            found = [Tally(*row) for row in await people.tally_people(session, guild, title)]
            return await people.count_finished(session, guild, title), found

    async def of_pair(self, guild: str, one: str, other: str) -> Sequence[tuple[str, int, int]]:
        """Return the title and both places of each game that two people played together."""
        async with self.database.reading() as session:
            return await people.list_shared(session, guild, one, other)

    async def profile(self, user: str, guild: str) -> Profile:
        """Return the profile of a person at the tables of a server; "" is that of tables without one."""
        async with self.database.reading() as session:
            tables = await people.count_tables(session, user, guild)
            moves = await people.count_moves(session, user, guild)
            waits = await people.list_waits(session, user, guild, MOST_MOVES)
        return Profile(tables, moves, median_low(waits) if waits else None)
