"""Before the start, and after the end: open a table as its host wishes, join, leave, invite, start, close, list."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy.exc import IntegrityError
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model import posts, records
from bot.model.clock import DAY
from bot.model.errors import BotError
from bot.model.plain import tidy_name, tidy_person
from bot.model.posts import Owed
from bot.model.records import Home, NewTable, Outcome, Person, Position, Seat, SeatOrder, Table
from bot.model.seating import arrange_seats, join_names, make_outcome, number_seats, refuse_guest
from bot.model.standing import Standing
from bot.model.turns import LogStep, list_posts
from bot.service import game_clock
from bot.service import options as lobby_options
from bot.service.consent.agreements import OPEN_TABLE_POSTS, close_table
from bot.service.options import check_options
from bot.service.servers import Quota, Servers
from bot.service.table import GameTable
from bot.service.workers.tasks import DEAL
from bot.store import games, obligations, outbox
from engine import TITLES, Setup, Title
from engine.codec import fingerprint
from engine.fuzzy import fold
from engine.words import join_words

OPEN_DAYS, NUDGE_DAYS = 14, 10
_CHOOSING = "variants can be chosen"
SEED_LIMIT = 1 << 53
MAX_START_TRIES = 5


def find_title(text: str) -> Title[Any]:
    """Return the title that a player means: "1860", "steel driver", in any case, by its name, short name or id.

    Raises:
        BotError: there is none.
    """
    wanted = fold(text)
    for title in TITLES.values():
        if wanted in (fold(title.id), fold(title.name), fold(title.short_name)):
            return title
    names = join_words([title.short_name for title in TITLES.values()])
    raise BotError(f"There is no game “{text[:40]}”; the games are {names}.")


def build_table(host: Person, wish: NewTable, home: Home, now: int) -> Table:
    """Return the table a host wishes, every word of it checked."""
    title = find_title(wish.title)
    if not title.seats[0] <= wish.seats <= title.seats[1]:
        raise BotError(f"{title.name} is for {title.seats[0]} to {title.seats[1]} players, not {str(wish.seats)[:20]}.")
    if wish.pace not in records.PACES:
        raise BotError(f"The pace must be one of: {', '.join(records.PACES)}.")
    if wish.experience not in records.EXPERIENCES:
        raise BotError(f"The experience must be one of: {', '.join(records.EXPERIENCES)}.")
    if wish.privacy not in records.PRIVACIES:
        raise BotError(f"The privacy must be one of: {', '.join(records.PRIVACIES[:2])}.")
    if wish.seed is not None and not 0 <= wish.seed < SEED_LIMIT:
        raise BotError(f"The seed must be a whole number from 0 to {SEED_LIMIT - 1}.")
    if not 0 <= wish.stand_ins < wish.seats:
        raise BotError(f"A table for {wish.seats} can have 0 to {wish.seats - 1} stand-ins.")
    own = range(1, wish.stand_ins + 1)
    programs = [Seat(number, "", f"Stand-in {number}", stand_in=True, manner=wish.manner) for number in own]
    seed = secrets.randbelow(SEED_LIMIT) if wish.seed is None else wish.seed
    name = tidy_name(wish.name, title.name)
    return Table(
        0, name, title.id, check_options(title.id, wish.options), seed, Setup(title.id, wish.seats).rules, wish.seats,
        host.id, "open", wish.pace, wish.privacy, "random", home, now, now + OPEN_DAYS * DAY,
        fingerprint=fingerprint(seed), clock=game_clock.make_clock(wish.pace) if wish.clock else None,
        seats=(Seat(0, host.id, tidy_person(host.name)), *programs), experience=wish.experience,
    )  # fmt: skip


class Lobby:
    """Tables before the start, and what can be done to them from outside the game.

    ``folder`` is where a group puts files of its own.
    """

    def __init__(self, table: GameTable, servers: Servers, quota: Quota, folder: Path) -> None:
        self.database = table.database
        self.live = table.live
        self.workers = table.workers
        self.clock = table.clock
        self.servers = servers
        self.quota = quota
        self.folder = folder

    async def create(
        self, host: Person, wish: NewTable, home: Home | None = None, interaction: str | None = None,
        also: Callable[[AsyncSession, int], Awaitable[None]] | None = None,
    ) -> Table:  # fmt: skip
        """Open a table with its host in the first seat, ``also`` in the same transaction; owes the lobby message.

        Raises:
            BotError: an unknown title, option, value or pace, a seed out of range, no such file, or one on
                which games do not come to an end.
            RuleError: the title refuses the number of seats or the options together.
        """
        now = self.clock()
        options = await asyncio.to_thread(lobby_options.read_own_files, self.folder, wish.title, wish.options)
        table = build_table(host, msgspec.structs.replace(wish, options=options), home or Home(), now)
        await self._try_own_file(table, host.id)
        await self.workers.do(DEAL, table.setup)
        try:
            async with self.database.writing() as session:
                number = await games.insert(session, table, interaction)
                await self.quota.refuse_too_many(session, host.id, table.home.guild)
                await self.servers.refuse_too_many(session, host.id, table.home.guild)
                await outbox.owe(session, _build_opening_posts(msgspec.structs.replace(table, id=number), now), now)
                if also is not None:
                    await also(session, number)
        except IntegrityError:  # the same delivery again
            async with self.database.reading() as session:
                known = await games.find(session, interaction=interaction or "")
            if known is None:
                raise
            number = known
        return await self.get_table(number)

    async def _try_own_file(self, table: Table, user: str) -> None:
        """Try a board of the group's own, if one is chosen; one at a time.

        Raises:
            BotError: games on it do not come to an end, or the user had many tried in this minute.
            RuleError: the file is refused.
        """
        if lobby_options.has_own_file(table.setup):
            self.quota.spend("imports", user, table.home.guild)
            await lobby_options.try_file(self.workers, table.setup)

    async def get_table(self, game: int) -> Table:
        """Return a table.

        Raises:
            BotError: there is none of this number.
        """
        async with self.database.reading() as session:
            return await games.fetch(session, game)

    async def find_game(self, thread: str) -> int | None:
        """Return the game that lives in a thread (or forum post)."""
        async with self.database.reading() as session:
            return await games.find(session, thread=thread) if thread else None

    async def refuse_foreign(self, game: int, user: str, guild: str) -> None:
        """Let a player in a server name a table by its number.

        A number means nothing in another server; in a direct message (no server)
        it names only the tables one sits at. There is no telling such a table
        from one that does not exist.

        Raises:
            BotError: there is no such table here.
        """
        table = None if self.live.is_in_server(game, guild) else await self.get_table(game)
        is_own = not guild or (table is not None and table.privacy == "private")
        if table and ((table.home.guild != guild and bool(guild)) or (is_own and not table.list_playable(user))):
            raise games.make_unknown_error(game)

    async def list_tables(
        self, show: str = "all", user: str = "", guild: str = "", *, own: bool = False
    ) -> list[Table]:
        """Return tables, newest first, at most 100.

        Args:
            show: "mine" (open and running ones of ``user``), "open", "running", "finished" or "all".
            user: whose, for "mine".
            guild: only those of one server.
            own: only those at which ``user`` sits, whatever is shown.
        """
        states = {"mine": ("open", "running"), "all": games.STATES}.get(show, (show,))
        async with self.database.reading() as session:
            found = await games.list_newest(session, states, user if own or show == "mine" else "", guild)
        return [table for table in found if table.privacy != "private" or table.list_held(user)]

    async def set_home(self, game: int, home: Home) -> None:
        """Note where a table lives in Discord; empty text leaves what is known."""
        async with self.database.writing(game) as session:
            await games.set_home(session, game, home)

    async def set_barred(self, table: Table, why: str) -> Table:
        """Note why nothing can be written into the thread of a table, or with no reason that it can be again."""
        if table.barred != why:
            async with self.database.writing(table.id, wakes=False) as session:
                await games.change(session, table.id, barred=why)
        return msgspec.structs.replace(table, barred=why)

    async def join(self, game: int, person: Person, *, hot_seat: bool = False) -> Table:
        """Take the next free seat; a second one only at a hot seat. Joining twice changes nothing.

        Raises:
            BotError: the table is full, closed to others, or has started.
        """
        async with self._lock_open_table(game, "you can join it") as (session, table):
            if table.list_held(person.id) and not hot_seat:
                return table
            if len(table.seats) >= table.places:
                raise BotError(f"“{table.name}” is full: its seats belong to {join_names(table.names)}.")
            if table.privacy == "invite" and person.id not in (*table.invited, table.host):
                raise BotError(f"“{table.name}” is by invitation only; ask the host to invite you.")
            await games.add_seat(session, table, Person(person.id, tidy_person(person.name)), self.clock())
            await self.servers.refuse_too_many(session, person.id, table.home.guild)
            await obligations.close(session, game, self.clock(), person.id)  # the invitation
            await outbox.owe(session, [_build_lobby_post(table, self.clock())], self.clock())
        return await self.get_table(game)

    async def leave(self, game: int, user: str) -> Table:
        """Give up the seat at an open table; when the host leaves, the next one is host, the last one closes it.

        Raises:
            BotError: the user does not sit there, or play has begun.
        """
        async with self._lock_open_table(game, "you can leave it", "use /game resign") as (session, table):
            if not table.list_held(user):
                raise BotError(f"You don't have a seat at “{table.name}”.")
            left = [seat for seat in table.seats if seat.user != user]
            await games.vacate_seats(session, table, user, self.clock())
            await games.reorder_seats(session, game, left)
            if not any(seat.user for seat in left):
                await games.change(session, game, state="closed", reason="all players left", ended=self.clock())
                await outbox.drop(session, game, OPEN_TABLE_POSTS)
                await obligations.close(session, game, self.clock())
            elif user == table.host:
                await games.change(session, game, host=next(seat.user for seat in left if seat.user))
            await outbox.owe(session, [_build_lobby_post(table, self.clock())], self.clock())
        return await self.get_table(game)

    async def invite(self, game: int, user: str, guests: Sequence[str]) -> Table:
        """Let people join a table that is by invitation, and tell them.

        Raises:
            BotError: the user is not the host, or play has begun.
        """
        async with self._lock_open_table(game, "players can be invited") as (session, table):
            refuse_guest(table, user, "invite players")
            now = self.clock()
            await games.invite(session, game, guests, now)
            text = f"You're invited to “{table.name}” ({table.title}). To take a seat, use /game join game:{game}."
            asked = Owed(f"{game}:invite:{','.join(guests)[:200]}", posts.Prompt(game, text, tuple(guests)), now)
            await outbox.owe(session, [asked], now)
        return await self.get_table(game)

    async def set_options(self, game: int, user: str, options: Mapping[str, str]) -> Table:
        """Set options of an open table, and tell those who joined; options that are not named stay.

        Raises:
            BotError: the user is not the host, play has begun, or there is no such option or value.
            RuleError: the title refuses the options together.
        """
        table = await self.get_table(game)
        _refuse_started(table, _CHOOSING)
        refuse_guest(table, user, "choose variants")
        options = await asyncio.to_thread(lobby_options.read_own_files, self.folder, table.title, options)
        after = msgspec.structs.replace(table, options=check_options(table.title, {**table.options, **options}))
        await self._try_own_file(after, user)
        await self.workers.do(DEAL, after.setup)
        now = self.clock()
        named = [each for each in TITLES[table.title].options if each.name in options]
        said = ", ".join(f"{each.label}: {each.describe_value(options[each.name])}" for each in named)
        notice = posts.Notice(
            game,
            f"The host changed the variants of “{table.name}”: {said}. If you don't want to play them, you can leave.",
        )
        async with self._lock_open_table(game, _CHOOSING) as (session, there):
            if there.options != table.options:
                raise BotError("The variants were just changed. Check them and choose again.")
            await games.change(session, game, options=msgspec.json.encode(after.options).decode())
            told = [Owed(f"{game}:options", notice, now)] if len(there.seats) > 1 else []
            await outbox.owe(session, [_build_lobby_post(table, now), *told], now)
        return await self.get_table(game)

    async def start(self, game: int, user: str, order: SeatOrder = "random", seating: Sequence[str] = ()) -> Outcome:
        """Deal the game and ask the first player.

        Args:
            game: number of the table.
            user: must be the host.
            order: "random" shuffles by the seed, "as joined", or "host sets".
            seating: for "host sets": ids of the users as they are to sit.

        Raises:
            BotError: not the host, too few players, or a seating that leaves someone out.
            RuleError: the title refuses the number of players with these options.
        """
        async with self.live.get_lock(game):
            for _ in range(MAX_START_TRIES):
                table = await self.get_table(game)
                here, seats = await self._deal(table, user, order, seating)
                told = (f"“{table.name}” begins. Seating order: {', '.join(here.table.names)}.",)
                if await self._store_start(table, here, seats, told):
                    self.live.keep(here)
                    return make_outcome(here, told, handed_over=True)
        raise BotError("Players are joining or leaving right now. Try again in a moment.")

    async def _deal(
        self, table: Table, user: str, order: SeatOrder, seating: Sequence[str]
    ) -> tuple[Position, Sequence[Seat]]:
        """Return a table as it would begin, and its seats as they sit, each with the number it has so far."""
        _refuse_started(table, "the host can start it")
        refuse_guest(table, user, "start the game")
        title = TITLES[table.title]
        least, _ = title.seats
        if len(table.seats) < least:
            raise BotError(
                f"{title.name} needs at least {least} players; so far there "
                f"{'is' if len(table.seats) == 1 else 'are'} {len(table.seats)}."
            )
        seats = arrange_seats(table, order, seating)
        now = self.clock()
        dealt = msgspec.structs.replace(table, state="running", order=order, started=now, seats=number_seats(seats))
        facts = await self.workers.do(DEAL, dealt.setup)
        return Position(dealt, Standing(dealt.setup, (), (), facts), 0), seats

    async def _store_start(self, table: Table, here: Position, seats: Sequence[Seat], told: tuple[str, ...]) -> bool:
        """Store the start; ``False`` if the table is not any more as it was when it was dealt."""
        now, game = self.clock(), table.id
        async with self.database.writing(game) as session:
            if await games.fetch(session, game) != table:
                return False
            await games.reorder_seats(session, game, seats)
            await games.change(session, game, state="running", seating=here.table.order, started=here.table.started)
            await outbox.drop(session, game, OPEN_TABLE_POSTS)
            await obligations.close(session, game, now)  # invitations
            step = LogStep(None, here, "", told, now, live=False)
            await outbox.owe(session, [_build_lobby_post(table, now), *list_posts(step)], now)
            await game_clock.start_clock(session, here, now)
        return True

    async def close(self, game: int, user: str) -> Table:
        """Close a table that has not begun, or at which the host is alone; what was played stays readable.

        Raises:
            BotError: not the host, closed already, or others play there (see ``Agreements.propose_close``).
        """
        async with self._lock_table(game) as (session, table):
            if table.state in ("closed", "finished"):
                raise BotError(f"“{table.name}” is already {table.state}.")
            refuse_guest(table, user, "close the table")
            if any(each != user for each in table.people if table.started is not None):
                raise BotError(f"“{table.name}” is running; the other players must agree to close it.")
            await close_table(session, table, "the host closed it", self.clock())
        return await self.get_table(game)

    async def close_expired(self) -> None:
        """Close the open tables whose time is up."""
        async with self.database.reading() as session:
            expired = await outbox.list_expired_tables(session, self.clock())
        for game in expired:
            async with self._lock_table(game) as (session, table):
                await close_table(session, table, f"it wasn't started within {OPEN_DAYS} days", self.clock())

    @asynccontextmanager
    async def _lock_table(self, game: int) -> AsyncIterator[tuple[AsyncSession, Table]]:
        """Yield a table, locked against other changes until this one is stored."""
        async with self.live.get_lock(game), self.database.writing(game) as session:
            yield session, await games.fetch(session, game)

    @asynccontextmanager
    async def _lock_open_table(
        self, game: int, what: str, instead: str = ""
    ) -> AsyncIterator[tuple[AsyncSession, Table]]:
        """Give a table that has not started, to change it.

        Raises:
            BotError: it has.
        """
        async with self._lock_table(game) as (session, table):
            _refuse_started(table, what, instead)
            yield session, table


def _refuse_started(table: Table, what: str, instead: str = "") -> None:
    """Refuse what is possible only before the start; ``instead`` works while the game runs."""
    if table.state != "open":
        works = f"; to give up your seat now, {instead}" * (bool(instead) and table.state == "running")
        raise BotError(f"“{table.name}” is {table.state}: {what} only before the start{works}.")


def _build_lobby_post(table: Table, now: int) -> Owed:
    return Owed(f"{table.id}:lobby", posts.Lobby(table.id), now)


def _build_opening_posts(table: Table, now: int) -> list[Owed]:
    """Return the posts of a new table: its message now, a nudge on day 10, its closing on day 14."""
    return [
        _build_lobby_post(table, now),
        Owed(f"{table.id}:nudge", posts.Nudge(table.id), now + NUDGE_DAYS * DAY),
        Owed(f"{table.id}:expire", posts.Expire(table.id), table.expires),
    ]
