"""Giving away seats that one person holds, as after an import: whoever taps a seat takes it.

Who gives them has said so once, for all of them but one: their own.
"""

from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model import posts
from bot.model.errors import BotError
from bot.model.plain import tidied
from bot.model.posts import Giving, Owed, giving_key
from bot.model.records import Outcome, Person, Position, Proposal, Table
from bot.model.terms import Replace
from bot.service.consent.asking import Consent
from bot.service.seats.holders import running_seat
from bot.service.table import Also, GameTable
from bot.store import outbox


class GivingSeats:
    """Seats that are there for the taking."""

    def __init__(self, table: GameTable, consent: Consent) -> None:
        self.table = table
        self.consent = consent

    async def open(self, game: int, user: str) -> None:
        """Let friends take the seats of a person who holds several; one stays theirs.

        Raises:
            BotError: they hold fewer than two seats, or the game does not run.
        """
        async with self.table.live.lock(game):
            table = (await self.table.position(game)).table
            if table.state != "running" or len(table.held_by(user)) < 2:
                raise BotError("Only who holds several seats of a running game can give them away so.")
            async with self.table.database.writing(game) as session:
                await outbox.owe(session, [_message(game, user, self.table.clock())], self.table.clock())

    async def take(self, game: int, person: Person, number: int) -> Outcome:
        """Take a seat that is given away.

        Raises:
            BotError: it is not given away (any more), or the person sits there already.
        """
        async with self.table.live.lock(game):
            here = await self.table.position(game)
            table, seat = here.table, running_seat(here.table, number)
            if table.held_by(person.id):
                raise BotError(f"You sit at “{table.name}” already, as {table.called(person.id)}.")
            if not seat.user or seat.number not in free(table, await self.giver(game)):
                raise BotError("That seat is not given away (any more).")
            terms = Replace(number, seat.name, person.id, tidied(person.name, "Someone"))
            asked = Proposal(0, game, seat.user, terms, here.version, (), "accepted", 0)
            return await self.consent.effects[Replace](here, asked, self._shown(here, seat.user))

    def _shown(self, here: Position, giver: str) -> Also:
        """Return what shows in the message that a seat was taken."""

        async def also(session: AsyncSession) -> None:
            now = self.table.clock()
            await outbox.owe(session, [_message(here.table.id, giver, now)], now)

        return also

    async def giver(self, game: int) -> str:
        """Return who gives seats away at a table; empty for nobody."""
        async with self.table.database.reading() as session:
            found = await outbox.find(session, giving_key(game))
        return found.post.user if found is not None and isinstance(found.post, Giving) else ""


def free(table: Table, giver: str) -> tuple[int, ...]:
    """Return the seats that friends may take: all of the giver's, while there are two."""
    held = table.held_by(giver)
    return held if len(held) > 1 else ()


def _message(game: int, user: str, now: int) -> Owed:
    return Owed(giving_key(game), posts.Giving(game, user), now)
