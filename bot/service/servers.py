"""The rules of a server, what its managers can do beyond what players can, and how much anyone can ask for.

Each deed of a manager is on the record. Tables are counted in the database; what
is asked for in a minute is counted in memory, by a clock that never jumps.
Moves are never limited.
"""

import math
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Literal

import msgspec
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model import posts
from bot.model.errors import BotError
from bot.model.plain import thread_mark, tidy_person
from bot.model.posts import Owed
from bot.model.records import Home, Outcome, Person, Proposal, ServerRules, Table
from bot.model.seating import make_outcome
from bot.model.terms import ActFor, StandIn, format_moves
from bot.service import game_clock
from bot.service.consent.asking import Consent, note_nothing
from bot.service.consent.taking_back import TakingBack
from bot.service.moving import Moving
from bot.service.seats import get_running_seat
from bot.service.table import GameTable
from bot.store import games, outbox, posted, servers
from bot.store.servers import Deed
from engine import Record
from engine.words import pluralise

Kind = Literal["imports", "pictures", "searches"]
WINDOW_SECONDS = 60.0
MAX_COUNTED = 10_000
_KIND_WORDS: dict[Kind, str] = {
    "imports": "imports",
    "pictures": "pictures",
    "searches": "menus and searches",
}


class Limit(Record, frozen=True):
    """The most for one person, and for all of one server; 0 is no limit."""

    person: int = 0
    server: int = 0


class Limits(Record, frozen=True):
    """All limits: tables that are open or running, and what is asked for within a minute."""

    tables: Limit = Limit()
    imports: Limit = Limit()
    pictures: Limit = Limit()
    searches: Limit = Limit()


class Quota:
    """Counts what is asked for.

    Args:
        limits: none, unless the host sets some. clock: seconds, never going back.
    """

    def __init__(self, limits: Limits | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits or Limits()
        self._clock = clock
        self._asked: dict[tuple[Kind, str, str], deque[float]] = {}

    def spend(self, kind: Kind, person: str, guild: str) -> None:
        """Count one more that a player asks for.

        Raises:
            BotError: it would be too many within a minute; nothing is counted.
        """
        limit: Limit = getattr(self.limits, kind)
        own = self._get_recent((kind, "person", person), limit.person)
        all_here = self._get_recent((kind, "server", guild), limit.server if guild else 0)
        now = self._clock()
        if own is not None and len(own) >= limit.person:
            raise BotError(
                f"The limit for {_KIND_WORDS[kind]} is {limit.person} a minute per person. {_word_retry(own, now)}"
            )
        if all_here is not None and len(all_here) >= limit.server:
            raise BotError(
                f"The limit for {_KIND_WORDS[kind]} is {limit.server} a minute per server. {_word_retry(all_here, now)}"
            )
        for asked in (own, all_here):
            if asked is not None:
                asked.append(now)

    async def refuse_too_many(self, session: AsyncSession, host: str, guild: str) -> None:
        """Refuse a table that was stored just now, in the same transaction, which is undone then.

        Raises:
            BotError: the host, or the server, has more with it than may be open or running.
        """
        limit = self.limits.tables
        if limit.person and await games.count_active(session, host=host) > limit.person:
            raise BotError(
                f"You already host {pluralise(limit.person, 'open or running table')}, which is the limit for one "
                "person. "
                "Close one with /game close, or finish it."
            )
        if limit.server and guild and await games.count_active(session, guild=guild) > limit.server:
            raise BotError(
                f"This server already has {pluralise(limit.server, 'open or running table')}, which is its limit. "
                "One must be closed or finished first."
            )

    def _get_recent(self, key: tuple[Kind, str, str], most: int) -> deque[float] | None:
        """Return the moments of the last minute at which something was asked for; ``None`` without a limit."""
        if not most:
            return None
        if len(self._asked) > MAX_COUNTED:  # drop people who asked for nothing in the last minute
            since = self._clock() - WINDOW_SECONDS
            self._asked = {key: asked for key, asked in self._asked.items() if asked and asked[-1] > since}
        asked = self._asked.setdefault(key, deque())
        while asked and asked[0] <= self._clock() - WINDOW_SECONDS:
            asked.popleft()
        return asked


def _word_retry(asked: deque[float], now: float) -> str:
    seconds = max(1, math.ceil(asked[0] + WINDOW_SECONDS - now))
    return f"Try again in {seconds} second{'s' * (seconds > 1)}."


MAX_DEEDS_SHOWN = 20
MAX_LIMIT = 1000
MAX_ANNOUNCEMENT_CHARACTERS = 1000
FRESH_SECONDS = 15
"""Seconds for which the rules of a server are known without asking the database: another process may change them."""
MAX_SERVERS_KNOWN = 1000
PAUSED_REFUSAL = (
    "The server managers have paused the games on this server. You can still look at them; nothing is lost, and no "
    "clock runs."
)


class Servers:
    """The rules of servers, what they refuse, and the hand of those who run one on its tables.

    A table without a server has no rules.
    """

    def __init__(self, table: GameTable, consent: Consent, back: TakingBack, moving: Moving) -> None:
        self.table = table
        self.database = table.database
        self.clock = table.clock
        self.consent = consent
        self.back = back
        self.moving = moving
        self._known: dict[str, tuple[int, ServerRules]] = {}

    async def get_rules(self, guild: str) -> ServerRules:
        """Return the rules of a server."""
        known = self._known.get(guild)
        if not guild or (known is not None and self.clock() - known[0] < FRESH_SECONDS):
            return known[1] if known else ServerRules()
        async with self.database.reading() as session:
            rules = await servers.fetch_rules(session, guild)
        if len(self._known) >= MAX_SERVERS_KNOWN:
            self._known.clear()
        self._known[guild] = (self.clock(), rules)
        return rules

    async def refuse_paused(self, guild: str) -> None:
        """Refuse to play on a server that is paused.

        Raises:
            BotError: it is.
        """
        if (await self.get_rules(guild)).paused:
            raise BotError(PAUSED_REFUSAL)

    async def refuse_place(self, guild: str, channels: Sequence[str]) -> None:
        """Refuse to open a table where none may be; ``channels`` are the channel and the one it belongs to.

        Raises:
            BotError: names the channels in which tables may be opened.
        """
        allowed = (await self.get_rules(guild)).channels
        if allowed and not set(channels) & set(allowed):
            raise BotError(f"On this server, tables can be opened only in {' '.join(map(thread_mark, allowed))}.")

    async def refuse_role(self, guild: str, roles: Sequence[str]) -> None:
        """Refuse a person who may not play on a server.

        Raises:
            BotError: they have none of the roles it takes.
        """
        allowed = (await self.get_rules(guild)).roles
        if allowed and not set(roles) & set(allowed):
            raise BotError(
                f"On this server, you need one of these roles to open or join tables: {', '.join(allowed.values())}."
            )

    async def refuse_too_many(self, session: AsyncSession, user: str, guild: str) -> None:
        """Refuse a table or a seat that was stored just now, in the same transaction, which is undone then.

        Raises:
            BotError: the user has more than one person may have on this server.
        """
        rules = await self.get_rules(guild)
        if rules.tables and await servers.count_hosted(session, guild, user) > rules.tables:
            raise BotError(
                f"You already host {pluralise(rules.tables, 'open or running table')}, which is the limit on "
                "this server."
            )
        if rules.seats and await servers.count_seated(session, guild, user) > rules.seats:
            raise BotError(
                f"You already have seats at {pluralise(rules.seats, 'open or running table')}, which is the limit "
                "on this server."
            )

    async def refuse_import(self, session: AsyncSession, guild: str) -> None:
        """Refuse a table that was brought in just now, in the same transaction.

        Raises:
            BotError: there were as many today as there may be.
        """
        rules = await self.get_rules(guild)
        if rules.imports and await servers.count_imports(session, guild, self.clock()) > rules.imports:
            raise BotError(f"The limit of imports on this server is {rules.imports} a day; try again tomorrow.")

    # --- those who run a server ---------------------------------------------------------

    async def set_rules(self, guild: str, person: Person, rules: ServerRules, words: str) -> None:
        """Change the rules of a server; ``words`` say how.

        Raises:
            BotError: a limit makes no sense.
        """
        if not all(0 <= limit <= MAX_LIMIT for limit in (rules.tables, rules.seats, rules.imports)):
            raise BotError(f"A limit must be 0 (no limit) to {MAX_LIMIT}.")
        async with self.database.writing() as session:
            await servers.set_rules(session, guild, rules)
            await servers.add_deed(session, guild, person, words, self.clock())
        self._known.pop(guild, None)

    async def note_deed(self, guild: str, person: Person, words: str) -> None:
        """Put a deed on the record."""
        async with self.database.writing(wakes=False) as session:
            await servers.add_deed(session, guild, person, words, self.clock())

    async def list_deeds(self, guild: str) -> list[Deed]:
        """Return what was done on a server last, newest first."""
        async with self.database.reading() as session:
            return await servers.list_deeds(session, guild, MAX_DEEDS_SHOWN)

    async def count_tables(self, guild: str) -> dict[str, int]:
        """Return how many tables of a server there are in each state."""
        async with self.database.reading() as session:
            return await servers.count_by_state(session, guild)

    async def set_paused(self, guild: str, person: Person, *, on: bool) -> None:
        """Pause all games of a server, or let them go on: nothing is played, no one is called, no clock runs.

        Raises:
            BotError: it is so already.
        """
        rules = await self.get_rules(guild)
        if rules.paused == on:
            raise BotError(f"The games on this server are already {'paused' if on else 'running'}.")
        words = "paused the games" if on else "resumed the games"
        if on:
            await self._notify_all(guild, "The server managers have paused the games on this server. No clock runs.")
            await self._set_clocks(guild, on=on)
        await self.set_rules(guild, person, msgspec.structs.replace(rules, paused=on), words)
        if not on:
            await self._set_clocks(guild, on=on)
            await self._notify_all(guild, "The games on this server continue.")

    async def _set_clocks(self, guild: str, *, on: bool) -> None:
        """Stop all clocks and calls of a server, or let them go on for those who must decide."""
        now = self.clock()
        for number, _ in await self.moving.list_homes(guild):
            async with self.database.writing(number) as session:
                await (posted.hold_calls if on else posted.release_calls)(session, [number])
                table = await games.fetch(session, number)
            if table.state != "running":
                continue
            async with self.table.live.get_lock(number):
                here = await self.table.load_position(number)
                async with self.database.writing(number) as session:
                    await (game_clock.stop_clock if on else game_clock.restart_clock)(session, here, now)

    async def announce(self, guild: str, person: Person, text: str) -> int:
        """Tell all open and running tables of a server something; return how many there are.

        Raises:
            BotError: nothing is said, or too much.
        """
        text = " ".join(text.split())
        if not text or len(text) > MAX_ANNOUNCEMENT_CHARACTERS:
            raise BotError(f"An announcement must have 1 to {MAX_ANNOUNCEMENT_CHARACTERS} characters.")
        count = await self._notify_all(guild, f"From the server managers: {text}")
        await self.note_deed(guild, person, f"announced: {text}")
        return count

    async def _notify_all(self, guild: str, text: str) -> int:
        now, homes = self.clock(), await self.moving.list_homes(guild)
        for number, _ in homes:
            async with self.database.writing(number) as session:
                await outbox.owe(session, [Owed(f"{number}:all:{now}", posts.Notice(number, text), now)], now)
        return len(homes)

    async def set_deputy(self, game: int, admin: Person, number: int, deputy: Person | None, *, once: bool) -> Outcome:
        """Let a person, or the program, act for a seat without a vote, for this turn or from now on.

        Raises:
            BotError: there is no such seat in a running game.
        """
        async with self.table.live.get_lock(game):
            here = await self.table.load_position(game)
            seat = get_running_seat(here.table, number)
            if deputy is None:
                terms: ActFor | StandIn = StandIn(number, seat.name, once)
            else:
                terms = ActFor(number, seat.name, deputy.id, tidy_person(deputy.name), once)
            asked = Proposal(0, game, admin.id, terms, here.version, (), "accepted", 0)
            done = await self.consent.effects[type(terms)](here, asked, note_nothing)
        await self.note_deed(here.table.home.guild, admin, f"game {game}: {' '.join(done.sentences)}")
        return done

    async def move_table(self, game: int, admin: Person, home: Home) -> Table:
        """Move a table of a server to another channel of it.

        Raises:
            BotError: see ``Moving.move_table``.
        """
        moved = await self.moving.move_table(game, admin.id, home, tidy_person(admin.name))
        await self.note_deed(moved.home.guild, admin, f"game {game}: moved the table to {thread_mark(home.channel)}")
        return moved

    async def roll_back(self, game: int, admin: Person, to: int, *, sure: bool) -> Outcome:
        """Take moves back without a vote; without ``sure`` say only what would be lost.

        Raises:
            BotError: the table was closed. RuleError: there is no such move.
        """
        async with self.table.live.get_lock(game):
            here = await self.table.load_position(game)
            if here.table.state == "closed":
                raise BotError(f"“{here.table.name}” is closed; a player must reopen it first.")
            if not sure:
                return make_outcome(here, ("This would be taken back:", *await self.back.describe_loss(here, to)))
            done = await self.back.roll_back(here, admin, to)
        lost = len(here.game.line) - to
        await self.note_deed(here.table.home.guild, admin, f"game {game}: took back {format_moves(lost)}")
        return done
