"""The database and the services on it, opened and closed together."""

from pathlib import Path

from bot.model.clock import Clock, Intervals, SteadyClock
from bot.model.posts import AnyAlarm, Errand, Turn
from bot.model.records import Position
from bot.service.boards import Boards
from bot.service.consent.agreements import Agreements
from bot.service.consent.asking import Consent
from bot.service.consent.taking_back import TakingBack
from bot.service.contacts import Contacts
from bot.service.duties import Duties
from bot.service.hosting import Hosting
from bot.service.lobby import Lobby
from bot.service.moving import Moving
from bot.service.obligations import Obligations
from bot.service.outbox import Outbox, Posted
from bot.service.people import People
from bot.service.press import Press
from bot.service.seasons import Seasons
from bot.service.seats import Seats
from bot.service.servers import Quota, Servers
from bot.service.stand_ins import StandIns
from bot.service.standing_orders import StandingOrders
from bot.service.table import GameTable, read_wall_clock
from bot.service.transfer import Transfer
from bot.service.workers.pool import Workers
from bot.store.address import find_folder
from bot.store.database import Database
from bot.store.leases import ServerClock
from bot.store.outbox import Place, StoredPost
from bot.store.upgrading import open_database


class Services:
    """All services; make it with ``Services.open`` and ``close`` it.

    Args:
        lobby: open, join, start, list, close. table: act and look. hosting: what a host does besides, by letter too.
        consent: ask each other, vote. back: undo, redo. seats: who sits there, and acts for whom.
        agreements: early ends, closing, reopening, clocks, fast auctions. orders: standing orders.
        stand_ins: seats that the program plays for a while. boards: addresses of the pages of tables.
        transfer: export, import, tables to think at. moving: where tables live.
        workers: work out what the rules say, and pictures.
        outbox: the posts and letters owed. posted: where they stand.
        people: what they wish for themselves, how they play. seasons: of leagues.
        press: what players say to each other.
        contacts: addresses of people's own. obligations: what waits for whom at all tables, and its pings.
        servers: their rules, and what those who run them do.
        quota: how much anybody may ask for.
        duties: what one process does for all, which shards it hears, backups on demand.
        measures: what this process counts about itself.
        folder: for what lies beside the database. intervals: how often is looked at what no one reports.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock | None = None,
        most_live: int = 64,
        folder: Path = Path("data"),
        workers: Workers | None = None,
    ) -> None:
        clock = clock or SteadyClock(read_wall_clock)
        self.database = database
        self.clock = clock
        self.folder = folder
        self.intervals = Intervals()
        self.quota = Quota()
        self.workers = workers or Workers.in_threads()
        self.table = GameTable(database, clock, self.workers, most_live)
        self.measures = self.table.live.measures
        self.consent = Consent(self.table)
        self.back = TakingBack(self.table, self.consent)
        self.moving = Moving(self.table, self.consent)
        self.servers = Servers(self.table, self.consent, self.back, self.moving)
        self.lobby = Lobby(self.table, self.servers, self.quota, folder)
        self.seats = Seats(self.table, self.consent)
        self.orders = StandingOrders(self.table)
        self.stand_ins = StandIns(self.table, self.consent, self.seats)
        self.transfer = Transfer(self.table, self.quota, self.servers)
        self.outbox = Outbox(database, clock)
        self.posted = Posted(self.outbox)
        self.people = People(database, clock)
        self.seasons = Seasons(self.lobby, self.people)
        self.agreements = Agreements(self.table, self.consent)
        self.contacts = Contacts(database, clock)
        self.press = Press(self.table)
        self.hosting = Hosting(self.lobby, self.contacts, self.consent)
        self.obligations = Obligations(self.table, self.consent, self.agreements, self.people)
        self.duties = Duties(database, clock, folder)
        self.boards = Boards(self.table, self.servers)

    @classmethod
    async def open(
        cls,
        address: Path | str,
        clock: Clock | None = None,
        most_live: int = 64,
        *,
        folder: Path | None = None,
        alone: bool = False,
        workers: Workers | None = None,
    ) -> "Services":
        """Open the database at an address, migrated, with the services on it.

        Args:
            address: a path, or postgresql://…
            clock: gives the moment; if left out that of the database server, or the time of day where there is none.
            most_live: how many games are kept in memory.
            folder: for what lies beside the database, such as boards; that of the file if left out.
            alone: keep other processes out of a database that is a file, as every command that changes it does.
            workers: work out what the rules say; threads of this process if left out.

        Raises:
            BotError: see ``open_database``.
        """
        database = await open_database(address, folder, alone=alone)
        if clock is None and database.shared:
            clock = ServerClock()
            try:
                async with database.reading() as session:
                    await clock.refresh(session)
            except BaseException:
                await database.close()
                raise
        return cls(database, clock, most_live, folder or find_folder(address), workers)

    async def tidy(self) -> None:
        """Do what time has brought: close tables no one started, decline what no one answered."""
        await self.lobby.close_expired()
        await self.consent.close_expired()
        await self.obligations.owe_digests()

    async def settle(self, stored: StoredPost) -> Place:
        """Do what a post is there for at a table that lives in no chat; its words go out as letters."""
        if isinstance(stored.post, Turn):
            here = await self.table.load_position(stored.game)
            if here.table.turn_from == stored.post.turn_from and not here.damage:
                await self.follow_turn(stored.post, here)
        if isinstance(stored.post, Errand):
            await self.stand_ins.play_turn(stored.game)
        if isinstance(stored.post, AnyAlarm):
            await self.obligations.carry_out(stored.post, stored.key)
        return "", "mail"

    async def follow_turn(self, post: Turn, here: Position) -> None:
        """Owe what follows from a turn that was posted: the question for maximum bids, the word to who is next."""
        await self.agreements.ask_bidders(here)
        if post.others and not post.after and set(post.mention) - set(post.told):
            await self.obligations.call_on_deck(here, post.others)

    async def close(self) -> None:
        """End what is searched for and worked out, and close the database."""
        await self.table.advice.close()
        await self.workers.close()
        await self.database.close()
