"""What one person keeps for themselves at a table, and forgetting all that is known of a person."""

from bot.model.errors import BotError
from bot.service.seats.holders import Seats
from bot.service.table import GameTable
from bot.store import forgetting, games

MOST_NOTE = 1500


class Forgetting:
    """Notes, and the end of everything that is kept of somebody."""

    def __init__(self, table: GameTable, seats: Seats) -> None:
        self.table = table
        self.seats = seats

    async def note(self, game: int, user: str) -> str:
        """Return the note that a person keeps at a table."""
        async with self.table.database.reading() as session:
            return await forgetting.note(session, game, user)

    async def set_note(self, game: int, user: str, words: str) -> None:
        """Keep a note at a table, for its writer's eyes only; an empty one takes it away.

        Raises:
            BotError: it is too long.
        """
        if len(words) > MOST_NOTE:
            raise BotError(f"A note has {MOST_NOTE} characters at most.")
        async with self.table.database.writing(game, wakes=False) as session:
            await forgetting.set_note(session, game, user, words)

    async def forget(self, user: str) -> int:
        """Remove a person: their seats become “a former player”, logs stay playable; return at how many tables.

        Raises:
            BotError: they are alone at a running table, which nobody could play on.
        """
        async with self.table.database.reading() as session:
            known = await forgetting.games_of(session, user)
            tables = [await games.fetch(session, number) for number in known]
        held = [table for table in tables if table.state in ("open", "running") and table.held_by(user)]
        alone = next((table for table in held if len(table.people) == 1 or table.state == "open"), None)
        if alone is not None:
            how = "/game leave" if alone.state == "open" else "/game close"
            raise BotError(f"You still sit at “{alone.name}” (game {alone.id}); say {how} there first.")
        for table in held:
            await self.seats.resign(table.id, user)
        for number in known:
            async with self.table.live.lock(number), self.table.database.writing(number) as session:
                await self.seats.consent.forget(session, number, user)
                await forgetting.forget_at(session, number, user)
            self.table.unlearn(number)
        async with self.table.database.writing() as session:
            await forgetting.forget(session, user)
        return len(known)
