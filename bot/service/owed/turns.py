"""The message of the current turn of each running table: what is missing is owed again."""

from bot.model.clock import Clock
from bot.model.posts import recalled, turn_key
from bot.model.records import Position
from bot.store import outbox, rehousing, turns
from bot.store.database import Database
from bot.store.turns import TurnPost


class Turns:
    """Looks whether the turns of running tables are posted, and owes again those that are not."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self.database = database
        self.clock = clock

    async def running(self) -> list[TurnPost]:
        """Return the turns of all running tables that live in a channel."""
        async with self.database.reading() as session:
            return await turns.of_running(session)

    async def owe_again(self, seen: TurnPost, *, is_gone: bool) -> bool:
        """Owe the message of a turn again, with its pictures; return whether nothing has changed since it was seen.

        Args:
            seen: the turn, whose post is not owed.
            is_gone: its message was deleted: it is sent again, and rings nobody. Otherwise it is edited where it
                stands, and sent if it stands nowhere.
        """
        key = turn_key(seen.game, seen.turn_from)
        async with self.database.writing(seen.game) as session:
            if await turns.of_running(session, seen.game) != [seen]:
                return False
            keys = [key, *await rehousing.pictures_of(session, seen.game, key)]
            await rehousing.owe_anew(session, keys, self.clock(), "" if is_gone else seen.channel or "nowhere")
        return True

    async def owe_first(self, seen: TurnPost, here: Position) -> None:
        """Owe the message of a turn for which nothing was ever owed."""
        now = self.clock()
        async with self.database.writing(seen.game) as session:
            if here.table.turn_from == seen.turn_from and await turns.of_running(session, seen.game) == [seen]:
                await outbox.owe(session, recalled(here, now), now)

    async def owe_given_up(self) -> None:
        """Owe again the results that were given up while the buttons of their turn are live, and table messages."""
        async with self.database.reading() as session:
            missed = await turns.given_up(session)
        for key, channel in missed:
            async with self.database.writing() as session:
                await rehousing.owe_anew(session, [key], self.clock(), channel)
