"""Fast auctions, where all agree: each says at once the most they would pay, and bids are made for them in turn."""

from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model import posts
from bot.model.errors import BotError
from bot.model.orders import ANY
from bot.model.posts import Notice, Owed
from bot.model.records import Outcome, Position, Proposal, Table
from bot.model.seating import outcome, refuse_unseated
from bot.model.terms import FastAuctions
from bot.service.consent.asking import TYPED, Consent, Wanted
from bot.service.people.preferences import Preferences
from bot.service.table import Also, Delivery, GameTable
from bot.service.workers.chosen import LOT
from bot.store import orders, outbox, proposals

ON = "Auctions are fast now: when something comes up, everybody says at once the most they would pay."
OFF = "Auctions go from one to the next again."


class Auctions:
    """Agrees on fast auctions, and asks everybody when a lot comes up.

    The agreement is the last one of all who sit there: somebody new at the table must agree too.
    """

    def __init__(self, table: GameTable, consent: Consent, preferences: Preferences) -> None:
        self.table = table
        self.consent = consent
        self.preferences = preferences
        consent.effects[FastAuctions] = self._agreed

    async def ask(self, game: int, user: str, delivery: Delivery = TYPED, *, on: bool) -> Outcome:
        """Ask all others for fast auctions; whoever does not want them any more ends them by a word.

        Raises:
            BotError: the user holds no seat, all seats are theirs, or it is so already.
        """

        async def asking() -> Outcome:
            here = await self.table.position(game, delivery.version)
            refuse_unseated(here, user)
            title, others = here.game.title, tuple(each for each in here.table.people if each != user)
            if title.orders is None or not others or here.table.state != "running":
                raise BotError("There is nobody to agree with, or nothing is auctioned here.")
            async with self.table.database.reading() as session:
                is_on = await _holds(session, here.table)
            if is_on == on:
                raise BotError(ON if on else "Auctions are not fast here: everybody bids when it is their turn.")
            if on:
                return await self.consent.propose(here, user, Wanted(FastAuctions(on=True), others), delivery)
            ended = Proposal(0, game, user, FastAuctions(on=False), here.version, (), "accepted", self.table.clock())
            return await self._agreed(here, ended, lambda session: self._stored(session, ended, delivery))

        return await self.consent.once(game, user, delivery, asking)

    async def _stored(self, session: AsyncSession, ended: Proposal, delivery: Delivery) -> None:
        await proposals.insert(session, ended, self.table.clock(), delivery.interaction)

    async def _agreed(self, here: Position, asked: Proposal, also: Also) -> Outcome:
        """Tell the table what holds from now on."""
        assert isinstance(asked.terms, FastAuctions)
        words, now, game = ON if asked.terms.on else OFF, self.table.clock(), here.table.id
        async with self.table.database.writing(game) as session:
            await also(session)
            await outbox.owe(session, [Owed(f"{game}:fast:{now}", Notice(game, words), now)], now)
        return outcome(here, (words,))

    async def opened(self, here: Position) -> None:
        """Owe the question to all who may bid for a lot that has come up, once, and to none who has said it already."""
        async with self.table.database.reading() as session:
            if not await _holds(session, here.table):
                return
            standing = await orders.active(session, here.table.id)
        lot = await self.table.workers.do(LOT, None, here.course)
        if lot is None:
            return
        key = f"{here.table.id}:lot:{lot.round}:{lot.company}"
        said = {order.seat for order in standing if order.kind == "bid" and order.company in (lot.company, ANY)}
        acting = {seat.number for seat in here.actors}
        wanted = [seat for seat in here.table.seats if seat.number in set(lot.seats) - said - acting]
        asleep = await self.preferences.asleep(posts.called(wanted))
        mention = tuple(user for user in posts.called(wanted) if user not in asleep)
        words = f"{here.ask().headline}: say the most you would pay, and bids are made for you, never more than needed."
        async with self.table.database.writing(here.table.id) as session:
            if mention and await outbox.find(session, key) is None:
                now = self.table.clock()
                await outbox.owe(session, [Owed(key, Notice(here.table.id, words, mention, lot.company), now)], now)


async def _holds(session: AsyncSession, table: Table) -> bool:
    """Tell whether all who sit at a table have agreed on fast auctions, and nobody has ended them."""
    last = await proposals.fetch_accepted(session, table.id, FastAuctions(on=True))
    if last is None or not isinstance(last.terms, FastAuctions) or not last.terms.on:
        return False
    return set(table.people) <= {last.proposer, *last.needed}
