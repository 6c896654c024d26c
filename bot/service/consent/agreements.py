"""What the players of a running game agree on: its early end, its closing and reopening, its clock, fast auctions."""

import msgspec
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model import posts, turns
from bot.model.clock import GameClock
from bot.model.errors import BotError
from bot.model.orders import ANY
from bot.model.posts import BidPrompt, ClockAlarm, Notice, Owed
from bot.model.records import Outcome, Position, Proposal, Table
from bot.model.seating import make_outcome, refuse_guest, refuse_unseated
from bot.model.terms import Close, EndEarly, FastAuctions, SetClock
from bot.model.turns import list_recall_posts
from bot.service import game_clock
from bot.service.consent.asking import TYPED, Consent, ProposalDraft
from bot.service.game_clock import ClockWish
from bot.service.live import Change
from bot.service.table import Also, Delivery, GameTable
from bot.service.workers.choices import LOT, Lot
from bot.service.workers.tasks import PLAY, Wish
from bot.store import games, obligations, outbox, posted, proposals
from engine import Action, Title
from engine.codec import decode_entry, encode_action

_END_TAG = "end"
"""The action by which a table ends its game, where a title has it; no verb says it."""

OPEN_TABLE_POSTS = (posts.Notice, posts.Prompt, posts.Nudge, posts.Expire)
"""What a table that has not begun is yet to be told."""
FAST_AUCTIONS_ON = (
    "Fast auctions are on: whenever something is auctioned, all players submit their maximum bid at the same time."
)
FAST_AUCTIONS_OFF = "Fast auctions are off: players bid in turn again."


class Agreements:
    """What all must agree on, and what is done when they have.

    Fast auctions are those in which each says at once the most they would pay,
    and bids are made for them in turn. Their agreement is the last one of all
    who sit there: a player new at the table must agree too.
    """

    def __init__(self, table: GameTable, consent: Consent) -> None:
        self.table = table
        self.consent = consent
        consent.effects[EndEarly] = self._end_game
        consent.effects[Close] = self._close_game
        consent.effects[SetClock] = self._set_clock
        consent.effects[FastAuctions] = self._announce_auctions

    # --- ends ----------------------------------------------------------------------------

    async def propose_end(self, game: int, user: str, delivery: Delivery = TYPED) -> Outcome:
        """Ask all others to end the game with the scores as they stand.

        Raises:
            BotError: the user does not play there, or the title scores finished games only.
        """

        async def propose() -> Outcome:
            here = await self._load_running_game(game, user)
            if find_end_action(here.game.title) is None:
                raise BotError(
                    f"{here.game.title.name} has no scores before its end. To stop playing, use /game close."
                )
            others = tuple(each for each in here.table.people if each != user)
            return await self.consent.propose(here, user, ProposalDraft(EndEarly(), others), delivery)

        return await self.consent.run_once(game, user, delivery, propose)

    async def propose_close(self, game: int, user: str, delivery: Delivery = TYPED) -> Outcome:
        """Ask the others to close a running table; it is closed at once where the host is alone.

        Raises:
            BotError: not the host, or the game does not run.
        """

        async def propose() -> Outcome:
            here = await self._load_running_game(game, user)
            refuse_guest(here.table, user, "close the table")
            others = tuple(each for each in here.table.people if each != user)
            return await self.consent.propose(here, user, ProposalDraft(Close(), others), delivery)

        return await self.consent.run_once(game, user, delivery, propose)

    async def reopen(self, game: int, user: str) -> Outcome:
        """Let a closed game go on, with the players who had to decide.

        Raises:
            BotError: the user does not play there, or the game was not closed.
        """
        async with self.table.live.get_lock(game):
            here = await self.table.load_position(game)
            if here.table.state != "closed":
                raise BotError(f"“{here.table.name}” is {here.table.state}, not closed.")
            if not here.table.list_held(user):
                raise BotError(f"Only players with a seat at “{here.table.name}” can reopen it.")
            now, told = (
                self.table.clock(),
                f"{here.table.find_name(user)} reopened “{here.table.name}”; the game continues.",
            )
            async with self.table.database.writing(game) as session:
                await games.change(session, game, state="running", reason="", ended=None)
                after = Position(await games.fetch(session, game), here.game, here.version)
                notice = Owed(f"{game}:reopened:{now}", posts.Notice(game, told), now)
                await outbox.drop(session, game, (posts.Errand,))
                await outbox.owe(session, [notice, *list_recall_posts(after, now)], now)
                await game_clock.restart_clock(session, after, now)
            return make_outcome(after, (told,))

    async def _load_running_game(self, game: int, user: str, version: int | None = None) -> Position:
        """Return a running game of a player.

        Raises:
            BotError: it does not run, or the user holds no seat there.
        """
        here = await self.table.load_position(game, version)
        if here.table.state != "running":
            raise BotError(f"“{here.table.name}” is already {here.table.state}.")
        refuse_unseated(here, user)
        if not here.table.list_held(user):
            raise BotError("Only the holder of a seat can ask for this, not a proxy.")
        return here

    async def _end_game(self, here: Position, asked: Proposal, also: Also) -> Outcome:
        """End the game by an entry of its log, said by the seat that is to act."""
        kind = find_end_action(here.game.title)
        assert kind is not None  # it was asked for
        wish = Wish(here.game.actors[:1], here.table.names, action=encode_action(kind()))
        made = await self.table.workers.do(PLAY, wish, here.course)
        said = decode_entry(here.table.title, made.seat, made.said)
        told = ("All players agreed to end the game here; the current scores are final.", *made.told)
        after = here.game.add_entry(said, made.facts)
        return await self.table.store_change(here, Change(said, asked.proposer, after, told, None), also)

    async def _close_game(self, here: Position, asked: Proposal, also: Also) -> Outcome:
        """Close the table."""
        del asked
        game, now = here.table.id, self.table.clock()
        reason = "all players agreed" if len(here.table.people) > 1 else "the host closed it"
        async with self.table.database.writing(game) as session:
            await also(session)
            await close_table(session, await games.fetch(session, game), reason, now)
            gone = await proposals.expire_all(session, game)
            await outbox.owe(session, [posts.make_ballot(each, now) for each in gone], now)
        told = f"“{here.table.name}” is closed: {reason}. To continue it, use /game reopen."
        return make_outcome(await self.table.load_position(game), (told,))

    # --- the clock -----------------------------------------------------------------------

    async def propose_clock(self, game: int, user: str, wish: ClockWish, delivery: Delivery = TYPED) -> Outcome:
        """Ask all others for another clock at a running table.

        Raises:
            BotError: no such clock, or the user does not play there.
        """

        async def propose() -> Outcome:
            here = await self._load_running_game(game, user, delivery.version)
            clock = game_clock.build_clock(here.table, wish)
            paused = clock is not None and clock.paused
            words = "paused" if paused else "running again" if wish.to == "resume" else game_clock.describe_clock(clock)
            numbers = (clock.budget, clock.increment) if clock else (0, 0)
            terms = SetClock(*numbers, paused, words, clock.grace if clock else 0)
            others = tuple(each for each in here.table.people if each != user)
            return await self.consent.propose(here, user, ProposalDraft(terms, others), delivery)

        return await self.consent.run_once(game, user, delivery, propose)

    async def _set_clock(self, here: Position, asked: Proposal, also: Also) -> Outcome:
        """Set the clock that all agreed on; other numbers give every player the whole budget."""
        terms, now = asked.terms, self.table.clock()
        assert isinstance(terms, SetClock)
        game, before = here.table.id, here.table.clock
        words = f"Game clock: {terms.told}."
        async with self.table.database.writing(game) as session:
            await also(session)
            wishes = await game_clock.fetch_wishes(session, here.table)
            clock = GameClock(terms.budget, terms.increment, grace=terms.grace) if terms.budget else None
            if (
                clock
                and before
                and before.left
                and (clock.budget, clock.increment) == (before.budget, before.increment)
            ):
                clock = msgspec.structs.replace(game_clock.charge_clock(here.table, wishes, now), grace=terms.grace)
            elif clock:
                clock = msgspec.structs.replace(clock, left=(clock.budget,) * len(here.table.seats))
            if clock:
                clock = msgspec.structs.replace(clock, paused=terms.paused)
            table = msgspec.structs.replace(here.table, clock=clock)
            await outbox.drop(session, game, (ClockAlarm,))
            await games.set_clock(session, game, clock)
            await game_clock.restart_clock(session, msgspec.structs.replace(here, table=table), now)
            after = Position(await games.fetch(session, game), here.game, here.version)
            notice = Owed(f"{game}:clock:{now}", posts.Notice(game, words), now)
            await outbox.owe(session, [notice, *list_recall_posts(after, now)], now)
        return make_outcome(await self.table.load_position(game), (words,))

    async def describe_clock(self, table: Table) -> list[str]:
        """Return how the clock of a table stands, a line each; none where it has no clock."""
        clock = table.clock
        if clock is None:
            return []
        paused = ", paused" if clock.paused else ""
        lines = [f"Clock: {game_clock.describe_clock(clock)}{paused}; it stops during quiet hours and absences."]
        if not clock.left:
            return lines
        async with self.table.database.reading() as session:
            wishes = await game_clock.fetch_wishes(session, table)
        now = game_clock.charge_clock(table, wishes, self.table.clock())
        left = [f"{seat.name} {game_clock.format_left(now, seat.number)}" for seat in table.seats]
        late = [f"{seat.name} {times}" for seat, times in zip(table.seats, now.late, strict=False) if times]
        return [*lines, f"Left: {', '.join(left)}.", *([f"Turns made late: {', '.join(late)}."] if late else [])]

    async def check_time_up(self, post: ClockAlarm) -> bool:
        """Return whether the time of a seat is over, with its grace period; if not, set its alarm for the next moment.

        In the grace period the table is told that it is late.
        """
        async with self.table.live.get_lock(post.game):
            here = await self.table.load_position(post.game)
            clock = here.table.clock
            if here.table.state != "running" or here.table.turn_from != post.turn_from:
                return False
            if clock is None or clock.paused or post.seat not in clock.running:
                return False
            async with self.table.database.reading() as session:
                now = self.table.clock()
                if await game_clock.is_time_up(session, here.table, post.seat, now):
                    return True
                wishes = await game_clock.fetch_wishes(session, here.table)
            seat, grace = here.table.seats[post.seat], game_clock.format_span(clock.grace)
            is_late = game_clock.compute_time_left(here.table, post.seat, wishes, now) <= 0
            words = f"{seat.name} is late. After {grace} of grace, the others can have the seat played."
            notice = Notice(post.game, words, (seat.caller,), turn_from=post.turn_from)
            async with self.table.database.writing(post.game) as session:
                owed = Owed(f"{post.game}:late:{post.turn_from}:{post.seat}", notice, now)
                await outbox.owe(session, [owed] if is_late else [], now)
                await game_clock.change_deciders(session, here, now)
            return False

    # --- fast auctions -------------------------------------------------------------------

    async def set_fast_auctions(self, game: int, user: str, delivery: Delivery = TYPED, *, on: bool) -> Outcome:
        """Ask all others for fast auctions; one player can end them.

        Raises:
            BotError: the user holds no seat, all seats are theirs, or it is so already.
        """

        async def propose() -> Outcome:
            here = await self.table.load_position(game, delivery.version)
            refuse_unseated(here, user)
            title, others = here.game.title, tuple(each for each in here.table.people if each != user)
            if title.orders is None:
                raise BotError(f"{title.name} has no fast auctions.")
            if here.table.state != "running":
                raise BotError(f"“{here.table.name}” is {here.table.state}; fast auctions need a running game.")
            if not others:
                raise BotError("All seats are yours; fast auctions need other players.")
            async with self.table.database.reading() as session:
                is_on = await _has_fast_auctions(session, here.table)
            if is_on == on:
                raise BotError(f"Fast auctions are already {'on' if on else 'off'}.")
            if on:
                return await self.consent.propose(here, user, ProposalDraft(FastAuctions(on=True), others), delivery)
            ended = Proposal(0, game, user, FastAuctions(on=False), here.version, (), "accepted", self.table.clock())
            return await self._announce_auctions(here, ended, lambda session: self._store_end(session, ended, delivery))

        return await self.consent.run_once(game, user, delivery, propose)

    async def _store_end(self, session: AsyncSession, ended: Proposal, delivery: Delivery) -> None:
        await proposals.insert(session, ended, self.table.clock(), delivery.interaction)

    async def _announce_auctions(self, here: Position, asked: Proposal, also: Also) -> Outcome:
        """Tell the table what holds from now on."""
        assert isinstance(asked.terms, FastAuctions)
        words, now, game = FAST_AUCTIONS_ON if asked.terms.on else FAST_AUCTIONS_OFF, self.table.clock(), here.table.id
        async with self.table.database.writing(game) as session:
            await also(session)
            if not asked.terms.on:
                await obligations.close_bids(session, game, now, "")
            await outbox.owe(session, [Owed(f"{game}:fast:{now}", Notice(game, words), now)], now)
        return make_outcome(here, (words,))

    async def find_lot(self, here: Position) -> Lot | None:
        """Return the lot that is bid for; ``None`` where none is."""
        return await self.table.workers.do(LOT, None, here.course)

    async def ask_bidders(self, here: Position) -> None:
        """Owe the question to all who may bid for a lot that has come up, once; it pings no one who has said it.

        Those who were asked about a lot that is sold by now need not answer any more.
        """
        if not here.table.asked:
            return
        async with self.table.database.reading() as session:
            if not await _has_fast_auctions(session, here.table):
                return
            standing = await games.list_active_orders(session, here.table.id)
        lot, game, now = await self.find_lot(here), here.table.id, self.table.clock()
        if lot is None:
            async with self.table.database.writing(game, wakes=False) as session:
                await obligations.close_bids(session, game, now, "")
            return
        key = f"{game}:lot:{lot.round}:{lot.company}"
        said = {order.seat for order in standing if order.kind == "bid" and order.company in (lot.company, ANY)}
        acting = {seat.number for seat in here.actors}
        wanted = [seat for seat in here.table.seats if seat.number in set(lot.seats) - acting]
        mention = turns.list_called(wanted)
        done = tuple(user for user in mention if all(seat.number in said for seat in wanted if seat.caller == user))
        out = {seat.caller for seat in here.table.seats if seat.number not in lot.seats}
        words = f"{here.ask().headline}: submit your maximum bid; the bot bids for you, never more than necessary."
        async with self.table.database.writing(game) as session:
            await obligations.close_bids(session, game, now, key, out)
            if mention and await posted.find(session, key) is None:
                post = BidPrompt(game, words, lot.company, mention, done=done)
                await outbox.owe(session, [Owed(key, post, now)], now)


async def close_table(session: AsyncSession, table: Table, reason: str, now: int) -> None:
    """Close a table and say why; no one is called to it any more."""
    await outbox.drop(session, table.id, (*OPEN_TABLE_POSTS, posts.Turn, posts.Pictures))
    await obligations.close(session, table.id, now)
    if table.state in ("open", "running"):
        await games.change(session, table.id, state="closed", reason=reason, ended=now)
        notice = posts.Notice(table.id, f"“{table.name}” is closed: {reason}.")
        message = posts.Lobby(table.id) if table.started is None else posts.Card(table.id)
        kind = "lobby" if table.started is None else "card"
        told = [Owed(f"{table.id}:{kind}", message, now), Owed(f"{table.id}:closed", notice, now)]
        await outbox.owe(session, told, now)


def find_end_action(title: Title[object]) -> type[Action] | None:
    """Return the type of the action that ends a game by agreement, if a title has one."""
    return next((kind for kind in title.actions if kind.__struct_config__.tag == _END_TAG), None)


async def _has_fast_auctions(session: AsyncSession, table: Table) -> bool:
    """Return whether all who sit at a table have agreed on fast auctions, and no one has ended them."""
    last = await proposals.fetch_accepted(session, table.id, FastAuctions(on=True))
    if last is None or not isinstance(last.terms, FastAuctions) or not last.terms.on:
        return False
    return set(table.people) <= {last.proposer, *last.needed}
