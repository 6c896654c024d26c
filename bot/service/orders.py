"""Standing orders: set, listed, cleared. They are private until they act; their moves are ordinary moves."""

import msgspec
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.service.entries import Change, followed
from bot.service.errors import BotError
from bot.service.programs import Kind, Order, OrderWish
from bot.service.records import Outcome, Position
from bot.service.seating import outcome, refuse_unseated
from bot.service.table import Delivery, GameTable
from bot.service.workers.tasks import SET, Set
from bot.store import orders as stored
from engine.codec import decode_said

MOST_ORDERS = 20
TYPED = Delivery()


class StandingOrders:
    """The orders of all tables."""

    def __init__(self, table: GameTable) -> None:
        self.table = table

    async def set(self, game: int, user: str, wish: OrderWish, delivery: Delivery = TYPED) -> Outcome:
        """Set an order; it acts at once if its moment is there.

        An order of the same kind about the same company takes the place of the one before.

        Raises:
            BotError: the user holds no seat, or has too many orders. RuleError: the title knows no such order.
        """
        async with self.table.live.lock(game):
            again = await self.table.answered(delivery.interaction, game, user)
            if again is not None:
                return again
            here = await self.table.position(game)
            refuse_unseated(here, user)
            if here.table.state != "running":
                raise BotError(f"“{here.table.name}” is {here.table.state}; nothing moves there any more.")
            return await self._set(here, user, order_of(here, user, wish), delivery)

    async def _set(self, here: Position, user: str, new: Order, delivery: Delivery) -> Outcome:
        """Store an order, with the moves that follow from it."""
        game = here.table.id
        async with self.table.database.reading() as session:
            standing = await stored.active(session, game)
        mine = [order for order in standing if order.seat == new.seat]
        twins = [
            order for order in mine if (order.kind, order.company, order.steps) == (new.kind, new.company, new.steps)
        ]
        if len(mine) - len(twins) >= MOST_ORDERS:
            raise BotError(f"You have {MOST_ORDERS} orders here already; /auto clear takes some away.")
        others = tuple(order for order in standing if order not in twins)
        done = await self.table.workers.do(SET, Set(here.table.names, new, others), here.course)
        as_set = done.new
        assert as_set is not None  # a new one was set
        after = {order.id: order for order in done.orders}
        gone = [msgspec.structs.replace(order, state="cancelled") for order in twins]

        async def also(session: AsyncSession) -> None:
            mark = await stored.insert(session, game, user, as_set)
            kept = msgspec.structs.replace(after.get(0, as_set), id=mark.id)
            await stored.change(session, [kept, *gone, *(order for order in done.orders if order.id)])

        if not done.further:
            async with self.table.database.writing(game, wakes=False) as session:
                await also(session)
            now = after.get(0, as_set)
            return outcome(here, (told(as_set), *([now.reason] if now.reason else [])))
        first, *rest = done.further
        said = decode_said(here.table.title, first.seat, first.said)
        standing_after = followed(here.game.after(said, done.facts), rest, done.facts)
        change = Change(said, user, standing_after, first.told, delivery.interaction, tuple(rest), first.made_by)
        made = await self.table.store(here, change, also)
        return msgspec.structs.replace(made, sentences=(told(as_set), *made.sentences))

    async def of(self, game: int, user: str) -> list[Order]:
        """Return the orders of a person that hold at a table."""
        async with self.table.database.reading() as session:
            return await stored.of_user(session, game, user, ("active",))

    async def news(self, game: int, user: str) -> list[Order]:
        """Return the orders of a person that have stopped since they last asked; each is told once."""
        async with self.table.database.reading() as session:
            found = await stored.of_user(session, game, user, ("stopped",))
        if found:
            async with self.table.database.writing(game, wakes=False) as session:
                await stored.change(session, [msgspec.structs.replace(order, state="done") for order in found])
        return found

    async def clear(self, game: int, user: str, number: int | None = None) -> list[Order]:
        """Take away one order of a person, or all; return those that are gone.

        Raises:
            BotError: there is none.
        """
        async with self.table.live.lock(game):
            gone = [order for order in await self.of(game, user) if number in (None, order.id)]
            if not gone:
                raise BotError("You have no such order here. /auto list shows those you have.")
            async with self.table.database.writing(game, wakes=False) as session:
                await stored.change(session, [msgspec.structs.replace(order, state="cancelled") for order in gone])
            return gone


def order_of(here: Position, user: str, wish: OrderWish) -> Order:
    """Return an order for the seat of a user that is to act, or their first.

    Raises:
        BotError: the wish says too little.
    """
    held = here.table.played_by(user)
    acting = [seat for seat in here.game.actors if seat in held]
    if wish.kind in ("buy", "run", "build", "bid") and not wish.company:
        raise BotError("Say which company.")
    if wish.kind == "steps" and not wish.steps:
        raise BotError("Say which steps are to be passed.")
    if wish.kind == "build" and not wish.links:
        raise BotError("Say which links, as Denver-Omaha, Omaha-Chicago.")
    return Order(
        0, next(iter((*acting, *held))), wish.kind, wish.company, wish.amount, wish.source, wish.steps, wish.links,
        "" if wish.keep else "this",
    )  # fmt: skip


def title(order: Order) -> str:
    """Return an order in a few words."""
    until = f"until you hold {order.amount} shares" if order.amount else "until it floats"
    words = {
        "pass": "pass in this stock round",
        "buy": f"buy {order.company} {until}",
        "bid": f"bid for {'whatever is sold' if order.company == 'any' else order.company} up to {order.amount}",
        "run": f"run {order.company} for the best and pay",
        "steps": f"pass {', '.join(order.steps)}" + (f" of {order.company}" if order.company else ""),
        "build": f"build with {order.company}: {', '.join(order.links)}",
    }
    return words[order.kind] + (f" ({order.round})" if order.round and order.round != "this" else "")


STOPS: dict[Kind, str] = {
    "pass": "somebody sells shares, comes within one share of a company you direct, or starts a company, and you could "
    "answer it",
    "buy": "its price changes, you cannot buy it, or somebody does what you could answer",
    "bid": "never before the lot is gone; beyond your limit it drops out",
    "run": "the best run is less than the last one, or cannot be paid",
    "steps": "you may not pass",
    "build": "the next link cannot be built",
}


def told(order: Order) -> str:
    """Return what an order does and when it stops."""
    ends = f"at the end of {order.round}" if order.round else "when you clear it"
    return (
        f"Standing order: {title(order)}. It stops when {STOPS[order.kind]}; at a bankruptcy; when moves are taken "
        f"back across it; and {ends}. Nobody sees it before it acts; its moves are marked ⚙. /auto clear takes it away."
    )
