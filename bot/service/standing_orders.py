"""Standing orders: set, listed, cleared. They are private until they act; their moves are ordinary moves."""

import msgspec
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.errors import BotError
from bot.model.orders import ROUND, Order, OrderWish, change_order, explain_order, replaces
from bot.model.records import Outcome, Position, Table
from bot.model.seating import make_outcome, refuse_unseated
from bot.service.live import Change, play_further
from bot.service.table import Delivery, GameTable
from bot.service.workers.tasks import SET, OrderToSet
from bot.store import games, obligations
from engine.codec import decode_entry
from engine.title import insert_names

MAX_ORDERS = 20
TYPED = Delivery()


class StandingOrders:
    """The orders of all tables."""

    def __init__(self, table: GameTable) -> None:
        self.table = table

    async def set_order(self, game: int, user: str, wish: OrderWish, delivery: Delivery = TYPED) -> Outcome:
        """Set an order; it acts at once if its moment is there.

        An order of the same kind about the same company takes the place of the one before.

        Raises:
            BotError: the user holds no seat, or has too many orders. RuleError: the title knows no such order.
        """
        async with self.table.live.get_lock(game):
            again = await self.table.find_answer(delivery.interaction, game, user)
            if again is not None:
                return again
            here = await self.table.load_position(game)
            if here.table.state != "running":
                raise BotError(f"“{here.table.name}” is {here.table.state}; standing orders need a running game.")
            return await self._store_order(here, user, build_order(here, user, wish), delivery)

    async def _store_order(self, here: Position, user: str, new: Order, delivery: Delivery) -> Outcome:
        """Store an order, with the moves that follow from it."""
        game = here.table.id
        async with self.table.database.reading() as session:
            standing = await games.list_active_orders(session, game)
        done = await self.table.workers.do(SET, OrderToSet(here.table.names, new, standing), here.course)
        as_set = done.new
        assert as_set is not None  # a new one was set
        twins = [order for order in standing if replaces(as_set, order)]
        if len([order for order in standing if order.seat == new.seat]) - len(twins) >= MAX_ORDERS:
            raise BotError(f"You already have {MAX_ORDERS} orders here; use /auto clear to remove some.")
        after = {order.id: order for order in done.orders}
        gone = [change_order(order, state="cancelled") for order in twins]

        async def reorder(session: AsyncSession) -> list[tuple[str, Order]]:
            mark = await games.insert_order(session, game, user, as_set)
            kept = change_order(after.get(0, as_set), id=mark.id)
            changed = [kept, *gone, *(order for order in done.orders if order.id)]
            stopped = await games.change_orders(session, changed)
            if as_set.kind == "bid":
                await obligations.note_maximum_bid(session, game, user)
            return stopped

        if not done.further:
            async with self.table.database.writing(game, wakes=False) as session:
                await reorder(session)
            return make_outcome(here, (explain_order(as_set),))
        first, *rest = done.further
        said = decode_entry(here.table.title, first.seat, first.said)
        standing_after = play_further(here.game.add_entry(said, done.facts), rest, done.facts)
        change = Change(said, user, standing_after, first.told, delivery.interaction, tuple(rest), first.made_by)
        made = await self.table.store_change(here, change, reorder=reorder)
        return msgspec.structs.replace(made, sentences=(explain_order(as_set), *made.sentences))

    async def list_active(self, game: int, user: str) -> list[Order]:
        """Return the orders that hold at a table of a person: those they set, and those for their seats."""
        async with self.table.database.reading() as session:
            return await games.list_orders(session, await games.fetch(session, game), user, ("active",))

    async def collect_stopped(self, table: Table, user: str) -> list[Order]:
        """Return the orders of a person that have stopped since they last asked; each is told once."""
        if not table.stopped:
            return []
        async with self.table.database.reading() as session:
            found = await games.list_orders(session, table, user, ("stopped",))
        if found:
            async with self.table.database.writing(table.id, wakes=False) as session:
                await games.change_orders(session, [change_order(order, state="done") for order in found])
        return [change_order(order, reason=insert_names(order.reason, table.names)) for order in found]

    async def cancel(self, game: int, user: str, number: int | None = None) -> list[Order]:
        """Take away one order of a person, or all, also those that a proxy set for their seats; return them.

        Raises:
            BotError: there is none.
        """
        async with self.table.live.get_lock(game):
            gone = [order for order in await self.list_active(game, user) if number in (None, order.id)]
            if not gone:
                raise BotError("You don't have such an order here. To list yours, use /auto list.")
            async with self.table.database.writing(game, wakes=False) as session:
                await games.change_orders(session, [change_order(order, state="cancelled") for order in gone])
            return gone


def build_order(here: Position, user: str, wish: OrderWish) -> Order:
    """Return an order for the seat of a user that is to act, or their first.

    Raises:
        BotError: the user has no seat, or the wish says too little.
    """
    refuse_unseated(here, user)
    held = here.table.list_playable(user)
    acting = [seat for seat in here.game.actors if seat in held]
    if wish.kind in ("buy", "run", "build", "bid") and not wish.company:
        raise BotError("This order needs a company.")
    if wish.kind == "steps" and not wish.steps:
        raise BotError("This order needs the steps to pass.")
    if wish.kind == "build" and not wish.links:
        raise BotError("This order needs links, such as Denver-Omaha, Omaha-Chicago.")
    given = {field: getattr(wish, field) for field in wish.__struct_fields__}
    return Order(**given, id=0, seat=next(iter((*acting, *held))), round="" if wish.keep else ROUND)
