"""Statistics of the finished games of a server: of a player, of a title, of two players."""

from collections.abc import Sequence

from bot.store import scores
from bot.store.database import Database
from engine import Record


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
            return [Tally(*row) for row in await scores.of_player(session, guild, user)]

    async def of_title(self, guild: str, title: str) -> tuple[int, Sequence[Tally]]:
        """Return how many games of a title ended, and how each person did, most wins first."""
        async with self.database.reading() as session:
            found = [Tally(*row) for row in await scores.of_title(session, guild, title)]
            return await scores.finished(session, guild, title), found

    async def of_pair(self, guild: str, one: str, other: str) -> Sequence[tuple[str, int, int]]:
        """Return the title and both places of each game that two people played together."""
        async with self.database.reading() as session:
            return await scores.of_pair(session, guild, one, other)
