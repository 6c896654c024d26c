"""What a table wishes of its game clock, by consent, and the moment at which one runs out."""

import msgspec

from bot.model import posts
from bot.model.errors import BotError
from bot.model.posts import Owed, TimeUp
from bot.model.records import GameClock, Outcome, Position, Proposal, Table
from bot.model.seating import outcome, refuse_unseated
from bot.model.terms import SetClock
from bot.service import game_clock
from bot.service.consent.asking import TYPED, Consent, Wanted
from bot.service.game_clock import ClockWish, span, told, wished
from bot.service.table import Also, Delivery, GameTable
from bot.store import games, outbox


class TimeControl:
    """Sets clocks, and tells how they stand."""

    def __init__(self, table: GameTable, consent: Consent) -> None:
        self.table = table
        self.consent = consent
        consent.effects[SetClock] = self._agreed

    async def ask(self, game: int, user: str, wish: ClockWish, delivery: Delivery = TYPED) -> Outcome:
        """Ask all others for another clock at a running table.

        Raises:
            BotError: no such clock, or the user does not play there.
        """

        async def asking() -> Outcome:
            here = await self.table.position(game, delivery.version)
            refuse_unseated(here, user)
            if here.table.state != "running" or not here.table.held_by(user):
                raise BotError("Only those who hold a seat in a running game may ask for another clock.")
            clock = wished(here.table, wish)
            paused = clock is not None and clock.paused
            words = "paused" if paused else "going on" if wish.to == "resume" else told(clock)
            terms = SetClock(clock.budget if clock else 0, clock.increment if clock else 0, paused, words)
            others = tuple(each for each in here.table.people if each != user)
            return await self.consent.propose(here, user, Wanted(terms, others), delivery)

        return await self.consent.once(game, user, delivery, asking)

    async def _agreed(self, here: Position, asked: Proposal, also: Also) -> Outcome:
        """Set the clock that all agreed on; other numbers give everybody the whole budget."""
        terms, now = asked.terms, self.table.clock()
        assert isinstance(terms, SetClock)
        game, before = here.table.id, here.table.clock
        words = f"The clock is set: {terms.told}."
        async with self.table.database.writing(game) as session:
            await also(session)
            wishes = await game_clock.wishes_of(session, here.table)
            clock = GameClock(terms.budget, terms.increment) if terms.budget else None
            if (
                clock
                and before
                and before.left
                and (clock.budget, clock.increment) == (before.budget, before.increment)
            ):
                clock = game_clock.charged(here.table, wishes, now)
            elif clock:
                clock = msgspec.structs.replace(clock, left=(clock.budget,) * len(here.table.seats))
            if clock:
                clock = msgspec.structs.replace(clock, paused=terms.paused)
            table = msgspec.structs.replace(here.table, clock=clock)
            await outbox.drop(session, game, (TimeUp,))
            await games.set_clock(session, game, clock)
            await game_clock.restarted(session, msgspec.structs.replace(here, table=table), now)
            await outbox.owe(session, [Owed(f"{game}:clock:{now}", posts.Notice(game, words), now)], now)
        return outcome(await self.table.position(game), (words,))

    async def standing(self, table: Table) -> list[str]:
        """Return how the clock of a table stands, a line each; none where it has no clock."""
        clock = table.clock
        if clock is None:
            return []
        lines = [f"Clock: {told(clock)}{', paused' * clock.paused}; it stops in quiet hours and while away."]
        if not clock.left:
            return lines
        async with self.table.database.reading() as session:
            wishes = await game_clock.wishes_of(session, table)
        now = game_clock.charged(table, wishes, self.table.clock())
        left = [f"{seat.name} {span(now.left[seat.number])}" for seat in table.seats]
        return [*lines, f"Left: {', '.join(left)}."]

    async def has_run_out(self, post: TimeUp) -> bool:
        """Tell whether the clock of a seat has run out; if it has time left, let it be told at its end."""
        async with self.table.live.lock(post.game):
            here = await self.table.position(post.game)
            clock = here.table.clock
            if here.table.state != "running" or here.table.turn_from != post.turn_from:
                return False
            if clock is None or clock.paused or post.seat not in clock.running:
                return False
            async with self.table.database.reading() as session:
                if await game_clock.is_up(session, here.table, post.seat, self.table.clock()):
                    return True
            async with self.table.database.writing(post.game) as session:
                await game_clock.others_decide(session, here, self.table.clock())
            return False
