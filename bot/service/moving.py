"""Tables that change their place: moved by people, healed after a deletion, paused while the bot is not there.

The host and the managers of the server move a table at once, the players by a majority.
"""

from bot.model import posts
from bot.model.errors import BotError
from bot.model.plain import thread_mark
from bot.model.posts import Owed, build_turn_key
from bot.model.records import Home, Outcome, Position, Proposal, Table
from bot.model.seating import make_outcome
from bot.model.terms import AnyTerms, Relocate
from bot.service.consent.asking import TYPED, Consent, ProposalDraft, note_nothing
from bot.service.table import Also, Delivery, GameTable
from bot.store import games, obligations, outbox, posted, proposals
from engine import TITLES

_NOT_A_MOVER = (
    "Only the host and server managers can move a table at once; its players can by a majority, once it runs."
)


class Moving:
    """Where tables live."""

    def __init__(self, table: GameTable, consent: Consent) -> None:
        self.database = table.database
        self.live = table.live
        self.clock = table.clock
        self.table = table
        self.consent = consent
        consent.effects[Relocate] = self._move_as_agreed

    async def move_table(self, game: int, user: str, home: Home, manager: str = "") -> Table:
        """Move a table to another channel of its server; all its messages are posted there again.

        Args:
            game: number of the table.
            user: who moves it.
            home: the new place.
            manager: what the user is called who moves it as a manager of its server; empty for its host.

        Raises:
            BotError: not the host, another server, a table that is over, or another table lives there.
        """
        table = await self._find_movable(game, home)
        if table.host != user and not manager:
            raise BotError(_NOT_A_MOVER)
        by = f"Server manager {manager} moved “{table.name}” here." if manager else f"“{table.name}” continues here."
        return await self.rehouse(table, home, by, again=True)

    async def propose_move(self, game: int, user: str, home: Home, delivery: Delivery = TYPED) -> Outcome:
        """Ask the other players to move a running table, which a majority can do.

        Raises:
            BotError: the user has no seat, or the table can't move there.
        """

        async def propose() -> Outcome:
            table = await self._find_movable(game, home)
            if table.state != "running" or not table.list_held(user):
                raise BotError(_NOT_A_MOVER)
            here = await self.table.load_position(game)
            return await self.consent.propose(
                here, user, draft_majority(here.table, user, Relocate(home.channel)), delivery
            )

        return await self.consent.run_once(game, user, delivery, propose)

    async def _move_as_agreed(self, here: Position, asked: Proposal, also: Also) -> Outcome:
        """Move a table as a majority agreed; the game's lock is held."""
        assert isinstance(asked.terms, Relocate)
        home = Home(here.table.home.guild, asked.terms.channel)
        table = await self._find_movable(here.table.id, home)
        who = here.table.find_name(asked.proposer)
        await self._rehouse(table, home, f"{who} moved “{table.name}” here, as the players agreed.", also, again=True)
        told = f"“{table.name}” has moved to {thread_mark(home.channel)}."
        return make_outcome(await self.table.load_position(table.id), (told,))

    async def _find_movable(self, game: int, home: Home) -> Table:
        """Return a table that can move to a place.

        Raises:
            BotError: another server, a table that is over, or another table lives there.
        """
        async with self.database.reading() as session:
            table = await games.fetch(session, game)
            there = await games.find(session, thread=home.channel)
        if table.state not in ("open", "running"):
            raise BotError(f"“{table.name}” is {table.state}; only open and running tables can be moved.")
        if table.home.guild and home.guild != table.home.guild:
            raise BotError(f"“{table.name}” belongs to another server; it can be moved only within that server.")
        if there == game:
            raise BotError(f"“{table.name}” is already here.")
        if there is not None:
            raise BotError("Another table is already here; choose a different channel or thread.")
        return table

    async def rehouse(self, table: Table, home: Home, words: str, *, again: bool = False) -> Table:
        """Let a table live elsewhere, tell its players there, and owe its messages again.

        Args:
            table: as it was seen; if it has moved meanwhile nothing is done.
            home: the new place.
            words: what the players are told.
            again: the lobby message is posted there too.
        """
        async with self.live.get_lock(table.id):
            return await self._rehouse(table, home, words, note_nothing, again=again)

    async def _rehouse(self, table: Table, home: Home, words: str, also: Also, *, again: bool) -> Table:
        now, old = self.clock(), table.home
        async with self.database.writing(table.id) as session:
            await also(session)
            if (await games.fetch(session, table.id)).home != old:
                return await games.fetch(session, table.id)
            place = {"guild": home.guild, "channel": home.channel, "thread": "", "message": "", "barred": ""}
            await games.change(session, table.id, **place)
            turn = build_turn_key(table.id, table.turn_from)
            keys = [f"{table.id}:card", turn, *await posted.list_pictures(session, table.id, turn)]
            keys.append(f"{table.id}:lobby")  # it says where the table lives
            asked = await proposals.fetch_open(session, table.id)
            keys += [f"{table.id}:ballot:{each.id}" for each in asked]
            waiting = {row.subject for row in await obligations.fetch_of_game(session, table.id) if row.open}
            keys += sorted(each for each in waiting - set(keys) if ":moved:" not in each)
            keys.append(posts.build_giving_key(table.id))
            above = home.channel if not again and home.channel == old.channel else ""
            left = await posted.list_leftovers(session, keys, old, now) if again and old.channel else []
            if again:
                await posted.delete_pings(session, table.id, old, now)
            await posted.mark_lost(session, table.id)
            await posted.owe_again(session, keys, now, above)
            await posted.retry_now(session, [table.id], now)  # a result that failed here stands above the next there
            told = Owed(f"{table.id}:moved:{now}", posts.Prompt(table.id, words, table.people), now)
            await outbox.owe(session, [told, *left], now)
            moved = await games.fetch(session, table.id)
        self.live.forget(table.id)  # the sender of its posts reads again where it lives
        return moved

    async def note_lost(self, table: Table) -> None:
        """Note that a table has no place any more, and tell each of its players in private."""
        now = self.clock()
        title = TITLES[table.title].name if table.title in TITLES else table.title
        words = (
            f"The channel of “{table.name}” ({title}, game {table.id}) was deleted. Nothing is lost: to move the "
            f"table, use /game move game:{table.id} in another channel of the server. It moves at once for the host or "
            "a server manager, and for other players if a majority agrees. Until then you get the turns in private."
        )
        async with self.live.get_lock(table.id), self.database.writing(table.id) as session:
            if (await games.fetch(session, table.id)).home != table.home:
                return
            await games.change(session, table.id, channel="", thread="", message="", barred="")
            told = [
                Owed(f"{table.id}:nowhere:{now}:{user}", posts.Whisper(table.id, user, words, silent=True), now)
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


def draft_majority(table: Table, user: str, terms: AnyTerms) -> ProposalDraft:
    """Return what a user asks of the other players, which more than half of all of them decide.

    Where the channel of the table is gone, a host who doesn't answer holds no one up: the others are counted.
    """
    others = tuple(each for each in table.people if each != user)
    counted = [each for each in table.people if not table.is_lost or each in (user, *set(others) - {table.host})]
    return ProposalDraft(terms, (), others, len(counted) // 2)
