"""Standing orders in the store."""

from collections.abc import Iterable

import msgspec
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.orders import Order
from bot.store.rows import change_rows
from bot.store.tables import OrderRow

_decode = msgspec.json.Decoder(Order).decode


async def insert(session: AsyncSession, game: int, user: str, order: Order) -> Order:
    """Store a new order; return it with its number."""
    row = OrderRow(game=game, user=user, state=order.state, payload="")
    session.add(row)
    await session.flush()
    assert row.id is not None  # the flush has numbered it
    order = msgspec.structs.replace(order, id=row.id)
    await change(session, [order])
    return order


async def change(session: AsyncSession, orders: Iterable[Order]) -> None:
    """Store orders as they are now."""
    for order in orders:
        payload = msgspec.json.encode(order).decode()
        await change_rows(session, OrderRow, col(OrderRow.id) == order.id, state=order.state, payload=payload)


async def active(session: AsyncSession, game: int) -> tuple[Order, ...]:
    """Return the orders of a game that hold, oldest first."""
    rows = select(OrderRow.payload).where(OrderRow.game == game, OrderRow.state == "active").order_by(col(OrderRow.id))
    return tuple(_decode(payload) for payload in await session.exec(rows))


async def of_user(session: AsyncSession, game: int, user: str, states: tuple[str, ...]) -> list[Order]:
    """Return the orders of a person at a game in some states, oldest first."""
    mine = (OrderRow.game == game, OrderRow.user == user, col(OrderRow.state).in_(states))
    rows = select(OrderRow.payload).where(*mine).order_by(col(OrderRow.id))
    return [_decode(payload) for payload in await session.exec(rows)]


async def cut(session: AsyncSession, game: int, to: int) -> None:
    """Stop the orders that were set or acted in moves that are taken back, and let the others forget what was there."""
    changed = []
    for order in await active(session, game):
        if max(order.since, order.last) > to:
            changed.append(msgspec.structs.replace(order, state="stopped", reason="Moves made before it were undone."))
        else:
            heard = tuple(each for each in order.heard if each.at <= to)
            changed.append(msgspec.structs.replace(order, heard=heard))
    await change(session, changed)


async def end(session: AsyncSession, game: int, seat: int, reason: str) -> None:
    """Stop all orders of a seat, which has another holder."""
    mine = [order for order in await active(session, game) if order.seat == seat]
    await change(session, [msgspec.structs.replace(order, state="stopped", reason=reason) for order in mine])
