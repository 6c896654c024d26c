"""Tables that change their place: moved by the host, healed after a deletion, paused while the bot is not there."""

from collections.abc import Callable

from bot.model import posts
from bot.model.errors import BotError
from bot.model.posts import Owed, build_turn_key
from bot.model.records import Home, Table
from bot.service.live import LiveGames
from bot.store import games, outbox, posted, proposals
from bot.store.database import Database
from engine import TITLES


class Moving:
    """Where tables live."""

    def __init__(self, database: Database, live: LiveGames, clock: Callable[[], int]) -> None:
        self.database = database
        self.live = live
        self.clock = clock

    async def move_table(self, game: int, user: str, home: Home) -> Table:
        """Move a table to another channel of its server, as its host wishes; all its messages are posted there again.

        Raises:
            BotError: not the host, another server, a table that is over, or another table lives there.
        """
        async with self.database.reading() as session:
            table = await games.fetch(session, game)
            there = await games.find(session, thread=home.channel)
        if table.host != user:
            host = next((seat.name for seat in table.seats if seat.user == table.host), "the host")
            raise BotError(f"Only {host}, the host, can move the table.")
        if table.state not in ("open", "running"):
            raise BotError(f"“{table.name}” is {table.state}; only open and running tables can be moved.")
        if table.home.guild and home.guild != table.home.guild:
            raise BotError(f"“{table.name}” belongs to another server; it can be moved only within that server.")
        if there == game:
            raise BotError(f"“{table.name}” is already here.")
        if there is not None:
            raise BotError("Another table is already here; choose a different channel or thread.")
        return await self.rehouse(table, home, f"“{table.name}” continues here.", again=True)

    async def rehouse(self, table: Table, home: Home, words: str, *, again: bool = False) -> Table:
        """Let a table live elsewhere, tell its players there, and owe its messages again.

        Args:
            table: as it was seen; if it has moved meanwhile nothing is done.
            home: the new place.
            words: what the players are told.
            again: the lobby message is posted there too.
        """
        now = self.clock()
        async with self.live.get_lock(table.id), self.database.writing(table.id) as session:
            if (await games.fetch(session, table.id)).home != table.home:
                return await games.fetch(session, table.id)
            place = {"guild": home.guild, "channel": home.channel, "thread": "", "message": "", "barred": ""}
            await games.change(session, table.id, **place)
            turn = build_turn_key(table.id, table.turn_from)
            keys = [f"{table.id}:card", turn, *await posted.list_pictures(session, table.id, turn)]
            keys.append(f"{table.id}:lobby")  # it says where the table lives
            asked = await proposals.fetch_open(session, table.id)
            keys += [f"{table.id}:ballot:{each.id}" for each in asked]
            above = home.channel if not again and home.channel == table.home.channel else ""
            left = await posted.list_leftovers(session, keys, table.home, now) if again else []
            await posted.mark_lost(session, table.id)
            await posted.owe_again(session, keys, now, above)
            await posted.retry_now(session, [table.id], now)  # a result that failed here stands above the next there
            mention = table.people
            notice = posts.Notice(table.id, words, mention)
            await outbox.owe(session, [Owed(f"{table.id}:moved:{now}", notice, now), *left], now)
            moved = await games.fetch(session, table.id)
        self.live.forget(table.id)  # the sender of its posts reads again where it lives
        return moved

    async def note_lost(self, table: Table) -> None:
        """Note that a table has no place any more, and tell each of its players in private."""
        now = self.clock()
        title = TITLES[table.title].name if table.title in TITLES else table.title
        words = (
            f"The channel of “{table.name}” ({title}, game {table.id}) was deleted. Nothing is lost: the host can move "
            f"the table by using /game move game:{table.id} in another channel of the server."
        )
        async with self.live.get_lock(table.id), self.database.writing(table.id) as session:
            if (await games.fetch(session, table.id)).home != table.home:
                return
            await games.change(session, table.id, channel="", thread="", message="", barred="")
            told = [
                Owed(f"{table.id}:nowhere:{now}:{user}", posts.Whisper(table.id, user, words), now)
                for user in table.people
            ]
            await outbox.owe(session, told, now)

    async def list_tables_in(self, place: str) -> list[int]:
        """Return the tables that are open or running in a channel or thread."""
        async with self.database.reading() as session:
            return await games.list_in_channel(session, place)

    async def list_homes(self, guild: str) -> list[tuple[int, Home]]:
        """Return the open and running tables of a server with where they live."""
        async with self.database.reading() as session:
            return await games.list_homes(session, guild)

    async def pause_posts(self, guild: str) -> None:
        """Let nothing be sent to a server that the bot is not in any more."""
        async with self.database.reading() as session:
            tables = await games.list_in_guild(session, guild)
        for game in tables:
            async with self.database.writing(game, wakes=False) as session:
                await posted.pause_posts(session, [game])

    async def resume_posts(self, guild: str) -> None:
        """Send what a server is still owed, as the bot is there again."""
        async with self.database.reading() as session:
            tables = await games.list_in_guild(session, guild)
            paused = await posted.list_paused(session, tables)
        for game in paused:
            async with self.database.writing(game) as session:
                await posted.resume_posts(session, [game])
