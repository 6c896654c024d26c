"""Ways a running game stops before its end: all agree, never one word; and a closed one goes on again."""

from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model import posts
from bot.model.errors import BotError
from bot.model.posts import Owed, recalled
from bot.model.records import Outcome, Position, Proposal, Table
from bot.model.seating import outcome, refuse_guest, refuse_unseated
from bot.model.terms import Close, EndEarly
from bot.service import game_clock
from bot.service.consent.asking import TYPED, Consent, Wanted
from bot.service.entries import Change
from bot.service.table import Also, Delivery, GameTable
from bot.service.workers.tasks import PLAY, Wish
from bot.store import games, outbox, proposals
from engine import Action, Title
from engine.codec import decode_said, encode_action

_ENDING = "end"
"""The action by which a table ends its game, where a title has it; no verb says it."""

OPEN_POSTS = (posts.Notice, posts.Expire)
"""What a table that has not begun is yet to be told."""


class Closing:
    """Early ends, closing and reopening."""

    def __init__(self, table: GameTable, consent: Consent) -> None:
        self.table = table
        self.consent = consent
        consent.effects[EndEarly] = self._ended
        consent.effects[Close] = self._closed

    async def end(self, game: int, user: str, delivery: Delivery = TYPED) -> Outcome:
        """Ask all others to end the game with the scores as they stand.

        Raises:
            BotError: the user does not play there, or the title scores finished games only.
        """

        async def asking() -> Outcome:
            here = await self._running(game, user)
            if ending_of(here.game.title) is None:
                raise BotError(f"{here.game.title.name} has no score before its end; /game close closes the table.")
            others = tuple(each for each in here.table.people if each != user)
            return await self.consent.propose(here, user, Wanted(EndEarly(), others), delivery)

        return await self.consent.once(game, user, delivery, asking)

    async def close(self, game: int, user: str, delivery: Delivery = TYPED) -> Outcome:
        """Ask the others to close a running table; it is closed at once where the host is alone.

        Raises:
            BotError: not the host, or the game does not run.
        """

        async def asking() -> Outcome:
            here = await self._running(game, user)
            refuse_guest(here.table, user, "close the table")
            others = tuple(each for each in here.table.people if each != user)
            return await self.consent.propose(here, user, Wanted(Close(), others), delivery)

        return await self.consent.once(game, user, delivery, asking)

    async def reopen(self, game: int, user: str) -> Outcome:
        """Let a closed game go on, with whoever was to decide.

        Raises:
            BotError: the user does not play there, or the game was not closed.
        """
        async with self.table.live.lock(game):
            here = await self.table.position(game)
            if not here.table.held_by(user):
                raise BotError(f"Only players of “{here.table.name}” may reopen it.")
            if here.table.state != "closed":
                raise BotError(f"“{here.table.name}” is {here.table.state}, not closed.")
            now, told = self.table.clock(), f"“{here.table.name}” goes on: {here.table.called(user)} reopened it."
            async with self.table.database.writing(game) as session:
                await games.change(session, game, state="running", reason="", ended=None)
                after = Position(await games.fetch(session, game), here.game, here.version)
                notice = Owed(f"{game}:reopened:{now}", posts.Notice(game, told), now)
                await outbox.recall(session, game, now)
                await outbox.owe(session, [notice, *recalled(after, now)], now)
                await game_clock.restarted(session, after, now)
            return outcome(after, (told,))

    async def _running(self, game: int, user: str) -> Position:
        """Return a running game of a player.

        Raises:
            BotError: it does not run, or the user holds no seat there.
        """
        here = await self.table.position(game)
        if here.table.state != "running":
            raise BotError(f"“{here.table.name}” is {here.table.state} already.")
        refuse_unseated(here, user)
        if not here.table.held_by(user):
            raise BotError("Only those who hold a seat may ask that, not who acts for them.")
        return here

    async def _ended(self, here: Position, asked: Proposal, also: Also) -> Outcome:
        """End the game by an entry of its log, said by the seat that is to act."""
        kind = ending_of(here.game.title)
        assert kind is not None  # it was asked for
        wish = Wish(here.game.actors[:1], here.table.names, action=encode_action(kind()))
        made = await self.table.workers.do(PLAY, wish, here.course)
        said = decode_said(here.table.title, made.seat, made.said)
        told = ("All agree to end the game here; the scores stand as they are.", *made.told)
        after = here.game.after(said, made.facts)
        return await self.table.store(here, Change(said, asked.proposer, after, told, None), also)

    async def _closed(self, here: Position, asked: Proposal, also: Also) -> Outcome:
        """Close the table."""
        del asked
        game, now = here.table.id, self.table.clock()
        reason = "all agreed" if len(here.table.people) > 1 else "the host closed it"
        async with self.table.database.writing(game) as session:
            await also(session)
            await close_table(session, await games.fetch(session, game), reason, now)
            gone = await proposals.lapse_all(session, game)
            await outbox.owe(session, [posts.ballot(each, now) for each in gone], now)
        told = f"“{here.table.name}” is closed: {reason}. /game reopen lets it go on."
        return outcome(await self.table.position(game), (told,))


async def close_table(session: AsyncSession, table: Table, reason: str, now: int) -> None:
    """Close a table and say why; nobody is called to it any more."""
    await outbox.drop(session, table.id, (*OPEN_POSTS, posts.Turn, posts.Ping, posts.Reminder, posts.Pictures))
    if table.state in ("open", "running"):
        await games.change(session, table.id, state="closed", reason=reason, ended=now)
        notice = posts.Notice(table.id, f"“{table.name}” is closed: {reason}.")
        message = posts.Lobby(table.id) if table.started is None else posts.Card(table.id)
        kind = "lobby" if table.started is None else "card"
        told = [Owed(f"{table.id}:{kind}", message, now), Owed(f"{table.id}:closed", notice, now)]
        await outbox.owe(session, told, now)


def ending_of(title: Title[object]) -> type[Action] | None:
    """Return the type of the action that ends a game by agreement, if a title has one."""
    return next((kind for kind in title.actions if kind.__struct_config__.tag == _ENDING), None)
