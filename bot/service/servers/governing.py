"""What those who run a server may do there beyond what players may, each deed on the record."""

import msgspec

from bot.model import posts
from bot.model.errors import BotError
from bot.model.plain import tidied
from bot.model.posts import Owed
from bot.model.records import Deed, Outcome, Person, Proposal, ServerRules
from bot.model.seating import outcome
from bot.model.terms import ActFor, StandIn, moves
from bot.service import game_clock
from bot.service.consent.asking import Consent
from bot.service.consent.taking_back import TakingBack
from bot.service.seats.holders import running_seat
from bot.service.servers.house_rules import Servers
from bot.service.servers.moving import Moving
from bot.service.table import GameTable
from bot.store import games, outbox, rehousing, servers

MOST_DEEDS = 20
MOST_LIMIT = 1000
MOST_WORDS = 1000


class Governing:
    """Rules of a server, and the hand of those who run it on its tables."""

    def __init__(self, table: GameTable, consent: Consent, back: TakingBack, moving: Moving, known: Servers) -> None:
        self.table = table
        self.consent = consent
        self.back = back
        self.moving = moving
        self.servers = known

    async def set_rules(self, guild: str, person: Person, rules: ServerRules, words: str) -> None:
        """Change the rules of a server; ``words`` say how.

        Raises:
            BotError: a limit makes no sense.
        """
        if not all(0 <= limit <= MOST_LIMIT for limit in (rules.tables, rules.seats, rules.imports)):
            raise BotError(f"A limit is 0 (none) to {MOST_LIMIT}.")
        async with self.table.database.writing() as session:
            await servers.set_rules(session, guild, rules)
            await servers.note(session, guild, person, words, self.table.clock())
        self.servers.forget(guild)

    async def note(self, guild: str, person: Person, words: str) -> None:
        """Put a deed on the record."""
        async with self.table.database.writing(wakes=False) as session:
            await servers.note(session, guild, person, words, self.table.clock())

    async def audit(self, guild: str) -> list[Deed]:
        """Return what was done on a server last, newest first."""
        async with self.table.database.reading() as session:
            return await servers.audit(session, guild, MOST_DEEDS)

    async def counts(self, guild: str) -> dict[str, int]:
        """Return how many tables of a server there are in each state."""
        async with self.table.database.reading() as session:
            return await servers.counts(session, guild)

    async def pause(self, guild: str, person: Person, *, on: bool) -> None:
        """Pause all games of a server, or let them go on: nothing is played, nobody is called, no clock runs.

        Raises:
            BotError: it is so already.
        """
        rules = await self.servers.rules(guild)
        if rules.paused == on:
            raise BotError(f"The games of this server are {'paused' if on else 'going on'} already.")
        words = "paused the games" if on else "let the games go on"
        if on:
            await self._tell_all(guild, "The games of this server are paused by those who run it. No clock runs.")
            await self._clocks(guild, on=on)
        await self.set_rules(guild, person, msgspec.structs.replace(rules, paused=on), words)
        if not on:
            await self._clocks(guild, on=on)
            await self._tell_all(guild, "The games of this server go on.")

    async def _clocks(self, guild: str, *, on: bool) -> None:
        """Stop all clocks and calls of a server, or let them go on for those who must decide."""
        now = self.table.clock()
        for number, _ in await self.moving.homes(guild):
            async with self.table.database.writing(number) as session:
                await (rehousing.hold_calls if on else rehousing.let_go)(session, [number])
                table = await games.fetch(session, number)
            if table.state != "running":
                continue
            async with self.table.live.lock(number):
                here = await self.table.position(number)
                async with self.table.database.writing(number) as session:
                    await (game_clock.stopped if on else game_clock.restarted)(session, here, now)

    async def announce(self, guild: str, person: Person, text: str) -> int:
        """Tell all open and running tables of a server something; return how many there are.

        Raises:
            BotError: nothing is said, or too much.
        """
        text = " ".join(text.split())
        if not text or len(text) > MOST_WORDS:
            raise BotError(f"Say it in 1 to {MOST_WORDS} characters.")
        count = await self._tell_all(guild, f"From those who run this server: {text}")
        await self.note(guild, person, f"announced: {text}")
        return count

    async def _tell_all(self, guild: str, text: str) -> int:
        now, homes = self.table.clock(), await self.moving.homes(guild)
        for number, _ in homes:
            async with self.table.database.writing(number) as session:
                await outbox.owe(session, [Owed(f"{number}:all:{now}", posts.Notice(number, text), now)], now)
        return len(homes)

    async def act_for(self, game: int, admin: Person, number: int, deputy: Person | None, *, once: bool) -> Outcome:
        """Let a person, or the program, act for a seat without a vote, for this turn or from now on.

        Raises:
            BotError: there is no such seat in a running game.
        """
        async with self.table.live.lock(game):
            here = await self.table.position(game)
            seat = running_seat(here.table, number)
            if deputy is None:
                terms: ActFor | StandIn = StandIn(number, seat.name, once)
            else:
                terms = ActFor(number, seat.name, deputy.id, tidied(deputy.name, "Someone"), once)
            asked = Proposal(0, game, admin.id, terms, here.version, (), "accepted", 0)
            done = await self.consent.effects[type(terms)](here, asked, _nothing)
        await self.note(here.table.home.guild, admin, f"game {game}: {' '.join(done.sentences)}")
        return done

    async def rollback(self, game: int, admin: Person, to: int, *, sure: bool) -> Outcome:
        """Take moves back without a vote; without ``sure`` say only what would be lost.

        Raises:
            BotError: the table was closed. RuleError: there is no such move.
        """
        async with self.table.live.lock(game):
            here = await self.table.position(game)
            if here.table.state == "closed":
                raise BotError(f"“{here.table.name}” is closed.")
            if not sure:
                return outcome(here, ("This would be taken back:", *await self.back.loss(here, to)))
            done = await self.back.roll_back(here, admin, to)
        lost = len(here.game.line) - to
        await self.note(here.table.home.guild, admin, f"game {game}: took back {moves(lost)}")
        return done


async def _nothing(session: object) -> None:
    """Note nothing: nobody was asked."""
    del session
