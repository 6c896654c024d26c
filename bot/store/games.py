"""Games in the database: tables, seats, invitations.

Functions over a session; a caller that changes a table and owes posts does both in
one ``Database.writing`` block.
"""

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from typing import Any, get_args

import msgspec
from sqlalchemy import ColumnElement, and_, bindparam, case, exists, or_, update
from sqlalchemy import select as core_select
from sqlmodel import SQLModel, col, func, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.clock import GameClock
from bot.model.errors import BotError
from bot.model.orders import Order
from bot.model.records import Home, Person, Seat, Table, TableState, Tenure
from bot.store.boards import PAGE_OFF
from bot.store.database import DamageError
from bot.store.groups import FollowRow
from bot.store.rows import make_columns, make_record, update_rows, upsert
from bot.store.tables import BoardRow, GameRow, InviteRow, LogRow, OrderRow, ProposalRow, SeatRow
from engine import Setup

STATES: tuple[str, ...] = get_args(TableState)
MAX_LISTED_TABLES = 100


async def insert(session: AsyncSession, table: Table, interaction: str | None) -> int:
    """Store a new table with its seats; return its number."""
    columns = make_columns(table, GameRow) | make_columns(table.home, GameRow)
    row = GameRow(**columns, seating=table.order, interaction=interaction)
    session.add(row)
    await session.flush()
    assert row.id is not None  # the flush has numbered it
    for seat in table.seats:
        sits = SeatRow(game=row.id, number=seat.number, user=seat.user, name=seat.name, joined=table.created)
        sits.stand_in, sits.manner = seat.stand_in, seat.manner
        session.add(sits)
    await session.flush()
    return row.id


def make_unknown_error(number: int) -> BotError:
    """Return the refusal of a number that names no table, or none that may be named here."""
    return BotError(f"There is no table {str(number)[:20]} here. /game list shows the tables.")


def _make_damage_error(number: int) -> DamageError:
    return DamageError(
        f"Table {number} is damaged: what is stored about it can't be read. Nothing was changed. "
        "The operator can restore it with “stationmaster check --repair”."
    )


async def fetch(session: AsyncSession, number: int) -> Table:
    """Return a table.

    Raises:
        BotError: there is no table of this number.
    """
    return (await fetch_with_version(session, number))[0]


async def fetch_setup(session: AsyncSession, number: int) -> tuple[Setup, bool]:
    """Return what the engine starts a game from, and whether it has started; of any version.

    Raises:
        BotError: there is no table of this number.
    """
    held = core_select(func.count()).where(_SEAT.c.game == number, _SEAT.c.gone.is_(None)).scalar_subquery()
    names = ("title", "state", "places", "options", "seed", "rules", "started")
    query = core_select(*(_GAME.c[name] for name in names), held.label("held")).where(_GAME.c.id == number)
    row = (await (await session.connection()).execute(query)).mappings().first()
    if row is None:
        raise make_unknown_error(number)
    seats = row["places"] if row["state"] == "open" else row["held"]
    options = msgspec.json.decode(row["options"], type=dict[str, str])
    return Setup(row["title"], seats, options, row["seed"], row["rules"]), row["started"] is not None


async def fetch_with_version(session: AsyncSession, number: int) -> tuple[Table, int]:
    """Return a table and the number of entries in its log, as one moment has them.

    Raises:
        BotError: there is no table of this number.
        DamageError: there is, or seats are there that belong to it, but it can't be read.
    """
    if not 0 < number < 1 << 31:
        raise make_unknown_error(number)
    rows = (await session.exec(_WITH_VERSION, params={"number": number})).mappings().all()
    if not rows:
        left = (await session.exec(select(SeatRow.id).where(SeatRow.game == number).limit(1))).first()
        raise make_unknown_error(number) if left is None else _make_damage_error(number)
    first = rows[0]
    seats = tuple(Seat(*(row[f"seat_{name}"] for name in _OF_SEAT)) for row in rows if row["seat_number"] is not None)
    invited: Sequence[str] = ()
    if first["state"] == "open":
        invited = (await session.exec(select(InviteRow.user).where(InviteRow.game == number))).all()
    try:
        if first["started"] and [seat.number for seat in seats] != [*range(max(1, len(seats)))]:
            raise msgspec.DecodeError("the row of a seat is lost")
        home = make_record(Home, first)
        table = make_record(Table, first, order=first["seating"], home=home, seats=seats, invited=tuple(invited))
    except msgspec.DecodeError as error:
        raise _make_damage_error(number) from error
    return table, 0 if first["last"] is None else first["last"] + 1


def _select_with_version() -> Any:  # noqa: ANN401  # the library types four columns at most
    """Return the question how a table stands, one row a seat; made once, for it is asked all the time."""
    number: ColumnElement[int] = bindparam("number")
    game, seat = _GAME.c, _SEAT.c
    held = and_(seat.game == game.id, seat.gone.is_(None))
    last = core_select(func.max(_LOG.c.seq)).where(_LOG.c.game == number).scalar_subquery().label("last")
    seats = tuple(seat[name].label(f"seat_{name}") for name in _OF_SEAT)
    token = case((_BOARD.c.until == PAGE_OFF, ""), else_=_BOARD.c.token)
    page = core_select(token).where(_BOARD.c.game == number, _BOARD.c.user == "").scalar_subquery().label("page")
    asked = exists().where(_PROPOSAL.c.game == number, _PROPOSAL.c.state.in_(("open", "accepted"))).label("asked")
    followed = exists().where(_FOLLOW.c.game == number).label("followed")
    stopped = exists().where(_ORDER.c.game == number, _ORDER.c.state == "stopped").label("stopped")
    return (
        core_select(*_GAME.c, *seats, last, page, asked, followed, stopped)
        .select_from(_GAME.outerjoin(_SEAT, held))
        .where(game.id == number)
        .order_by(seat.number, seat.id)
    )


_OF_SEAT = ("number", "user", "name", "proxy", "proxy_name", "stand_in", "once", "manner")
_GAME, _SEAT, _LOG, _BOARD, _PROPOSAL, _FOLLOW, _ORDER = (
    SQLModel.metadata.tables[each.__tablename__]
    for each in (GameRow, SeatRow, LogRow, BoardRow, ProposalRow, FollowRow, OrderRow)
)
_WITH_VERSION = _select_with_version()


async def list_newest(session: AsyncSession, states: Sequence[str], user: str = "", guild: str = "") -> list[Table]:
    """Return the newest tables in these states; of one user or one server if given."""
    query = select(GameRow.id).where(col(GameRow.state).in_(states))
    if user:
        mine = select(SeatRow.game).where(SeatRow.user == user, col(SeatRow.gone).is_(None))
        query = query.where(col(GameRow.id).in_(mine))
    if guild:
        query = query.where(GameRow.guild == guild)
    numbers = (await session.exec(query.order_by(col(GameRow.id).desc()).limit(MAX_LISTED_TABLES))).all()
    return await _fetch_readable(session, numbers)


async def _fetch_readable(session: AsyncSession, numbers: Iterable[int | None]) -> list[Table]:
    """Return tables but for those that are damaged, which must not hide the others."""
    found = []
    for number in numbers:
        with suppress(DamageError):
            found += [await fetch(session, number)] if number is not None else []
    return found


async def count_active(session: AsyncSession, *, host: str = "", guild: str = "") -> int:
    """Return how many tables of a host, or of a server, are open or running."""
    query = select(func.count()).select_from(GameRow).where(col(GameRow.state).in_(("open", "running")))
    query = query.where(GameRow.host == host) if host else query.where(GameRow.guild == guild)
    return (await session.exec(query)).one()


async def find(session: AsyncSession, *, thread: str = "", interaction: str = "") -> int | None:
    """Return the number of the newest table that lives in a thread, or was opened by an interaction."""
    query = select(GameRow.id).where(GameRow.thread == thread if thread else GameRow.interaction == interaction)
    return (await session.exec(query.order_by(col(GameRow.id).desc()).limit(1))).first()


async def change(session: AsyncSession, number: int, **values: str | int | None) -> None:
    """Set columns of a table's row."""
    await update_rows(session, GameRow, col(GameRow.id) == number, **values)


async def set_home(session: AsyncSession, number: int, home: Home) -> None:
    """Note where a table lives; empty text leaves what is known."""
    known = {key: value for key, value in msgspec.structs.asdict(home).items() if value}
    if known:
        await change(session, number, **known)


async def add_seat(session: AsyncSession, table: Table, person: Person, now: int) -> None:
    """Give a person the next seat of an open table."""
    number = max((seat.number for seat in table.seats), default=-1) + 1
    session.add(SeatRow(game=table.id, number=number, user=person.id, name=person.name, joined=now))


async def vacate_seats(session: AsyncSession, table: Table, user: str, now: int) -> None:
    """End the tenure of all seats of a person at an open table."""
    await session.exec(
        update(SeatRow)
        .where(col(SeatRow.game) == table.id, col(SeatRow.user) == user, col(SeatRow.gone).is_(None))
        .values(gone=now)
    )


async def hand_over_seat(session: AsyncSession, game: int, number: int, person: Person, now: int) -> None:
    """End the time of the holder of a seat of a running game, and give it to a person; no one if their id is empty."""
    await _set_seat(session, game, number, gone=now, replaced_by=person.id)
    session.add(SeatRow(game=game, number=number, user=person.id, name=person.name, joined=now))
    await session.flush()


async def set_stand_in(
    session: AsyncSession, game: int, number: int, *, on: bool, once: bool = False, manner: str = ""
) -> None:
    """Let the program's player sit in for a seat, be it for one turn only, or not any more."""
    await _set_seat(session, game, number, stand_in=on, once=once, manner=manner)


async def set_seat_proxy(session: AsyncSession, game: int, number: int, proxy: Person, *, once: bool = False) -> None:
    """Let a person act for one seat, be it for one turn only; no one if their id is empty."""
    await _set_seat(session, game, number, proxy=proxy.id, proxy_name=proxy.name, once=once)


async def remove_helper(session: AsyncSession, game: int, number: int) -> None:
    """Let the holder of a seat play again, for whom others acted for a turn."""
    await _set_seat(session, game, number, proxy="", proxy_name="", stand_in=False, once=False)


async def _set_seat(session: AsyncSession, game: int, number: int, **values: str | int) -> None:
    held = (col(SeatRow.game) == game, col(SeatRow.number) == number, col(SeatRow.gone).is_(None))
    await update_rows(session, SeatRow, *held, **values)


async def set_clock(session: AsyncSession, number: int, clock: GameClock | None) -> None:
    """Note how the clock of a table stands; ``None`` is no clock."""
    await change(session, number, clock=encode_clock(clock))


async def list_with_clocks(session: AsyncSession, user: str) -> list[Table]:
    """Return the running tables with a clock at which a person sits, or acts for another."""
    mine = select(SeatRow.game).where(
        or_(col(SeatRow.user) == user, col(SeatRow.proxy) == user), col(SeatRow.gone).is_(None)
    )
    query = select(GameRow.id).where(GameRow.state == "running", GameRow.clock != "", col(GameRow.id).in_(mine))
    return await _fetch_readable(session, (await session.exec(query)).all())


def encode_clock(clock: GameClock | None) -> str:
    """Return a clock as the database keeps it; empty for none."""
    return "" if clock is None else msgspec.json.encode(clock).decode()


async def set_proxy(session: AsyncSession, game: int, user: str, proxy: Person) -> None:
    """Let a person act for all seats of a person; no one if their id is empty."""
    held = (col(SeatRow.game) == game, col(SeatRow.user) == user, col(SeatRow.gone).is_(None))
    await update_rows(session, SeatRow, *held, proxy=proxy.id, proxy_name=proxy.name, once=False)


async def list_tenures(session: AsyncSession, game: int) -> list[Tenure]:
    """Return who held which seat from when until when, seat by seat, oldest first."""
    columns: tuple[Any, ...] = (SeatRow.number, SeatRow.user, SeatRow.name, SeatRow.joined, SeatRow.gone)
    rows = await session.exec(
        select(*columns).where(SeatRow.game == game).order_by(col(SeatRow.number), col(SeatRow.id))
    )
    return [Tenure(*row) for row in rows]


async def reorder_seats(session: AsyncSession, number: int, seats: Sequence[Seat]) -> None:
    """Renumber the seats; ``seats`` lists them as they sit, each with the number it had."""
    rows = await session.exec(select(SeatRow).where(SeatRow.game == number, col(SeatRow.gone).is_(None)))
    places = {seat.number: place for place, seat in enumerate(seats)}
    held = [(row, places[row.number]) for row in rows.all()]
    for row, place in held:  # out of the way first: no two may hold one number even in between
        row.number = -1 - place
        session.add(row)
    await session.flush()
    for row, place in held:
        row.number = place
        session.add(row)
    await session.flush()


async def invite(session: AsyncSession, number: int, users: Sequence[str], now: int) -> None:
    """Note who may join a table that is open to invited people only."""
    for user in users:
        await upsert(session, InviteRow(game=number, user=user, at=now))


async def list_shared(session: AsyncSession, user: str, other: str) -> list[int]:
    """Return the tables at which two people sit, or sat until the end."""
    theirs = select(SeatRow.game).where(SeatRow.user == other)
    return list(await session.exec(select(SeatRow.game).where(SeatRow.user == user, col(SeatRow.game).in_(theirs))))


async def list_in_channel(session: AsyncSession, place: str) -> list[int]:
    """Return the open and running tables that live in a channel or thread."""
    here = or_(col(GameRow.channel) == place, col(GameRow.thread) == place)
    rows = await session.exec(select(GameRow.id).where(col(GameRow.state).in_(("open", "running")), here))
    return [number for number in rows if number is not None]


async def list_in_guild(session: AsyncSession, guild: str) -> list[int]:
    """Return the tables of a server."""
    rows = await session.exec(select(GameRow.id).where(GameRow.guild == guild))
    return [number for number in rows if number is not None]


async def list_homes(session: AsyncSession, guild: str) -> list[tuple[int, Home]]:
    """Return the open and running tables of a server with where they live."""
    columns = select(GameRow.id, GameRow.channel, GameRow.thread, GameRow.message)
    rows = await session.exec(columns.where(GameRow.guild == guild, col(GameRow.state).in_(("open", "running"))))
    return [(number, Home(guild, *place)) for number, *place in rows if number is not None]


_decode = msgspec.json.Decoder(Order).decode
_OF_GAME = col(OrderRow.game) == bindparam("of_game")
_ACTIVE = select(OrderRow.payload).where(_OF_GAME, OrderRow.state == "active").order_by(col(OrderRow.id))
_IN_STATES = (
    select(OrderRow.user, OrderRow.payload)
    .where(_OF_GAME, col(OrderRow.state).in_(bindparam("states", expanding=True)))
    .order_by(col(OrderRow.id))
)


async def insert_order(session: AsyncSession, game: int, user: str, order: Order) -> Order:
    """Store a new order; return it with its number."""
    row = OrderRow(game=game, user=user, state=order.state, payload="")
    session.add(row)
    await session.flush()
    assert row.id is not None  # the flush has numbered it
    order = msgspec.structs.replace(order, id=row.id)
    await change_orders(session, [order])
    return order


async def change_orders(session: AsyncSession, orders: Iterable[Order]) -> list[tuple[str, Order]]:
    """Store orders as they are now; return those that have stopped, each with who set it."""
    stopped = dict[int, Order]()
    for order in orders:
        payload = msgspec.json.encode(order).decode()
        await update_rows(session, OrderRow, col(OrderRow.id) == order.id, state=order.state, payload=payload)
        if order.state == "stopped":
            stopped[order.id] = order
    if not stopped:
        return []
    rows = await session.exec(select(OrderRow.user, OrderRow.id).where(col(OrderRow.id).in_(stopped)))
    return [(user, stopped[number]) for user, number in rows if number is not None]


async def list_active_orders(session: AsyncSession, game: int) -> tuple[Order, ...]:
    """Return the orders of a game that hold, oldest first."""
    return tuple(_decode(payload) for payload in await session.exec(_ACTIVE, params={"of_game": game}))


async def list_orders(session: AsyncSession, table: Table, user: str, states: tuple[str, ...]) -> list[Order]:
    """Return the orders in some states that a person set at a table, or others for the person's seats, oldest first."""
    held = table.list_held(user)
    rows = await session.exec(_IN_STATES, params={"of_game": table.id, "states": list(states)})
    found = [(setter, _decode(payload)) for setter, payload in rows]
    return [
        msgspec.structs.replace(order, by_proxy=setter != user)
        for setter, order in found
        if setter == user or order.seat in held
    ]


async def rewind_orders(session: AsyncSession, game: int, to: int) -> list[tuple[str, Order]]:
    """Stop the orders that were set or acted in moves that are taken back, and let the others forget what was there.

    Return those that have stopped, each with who set it.
    """
    changed = []
    for order in await list_active_orders(session, game):
        if max(order.since, order.last) > to:
            changed.append(msgspec.structs.replace(order, state="stopped", reason="Moves made before it were undone."))
        else:
            heard = tuple(each for each in order.heard if each.at <= to)
            changed.append(msgspec.structs.replace(order, heard=heard))
    return await change_orders(session, changed)


async def stop_orders(session: AsyncSession, game: int, seats: Collection[int], reason: str) -> list[tuple[str, Order]]:
    """Stop all orders of seats that have another holder; return them, each with who set it."""
    mine = [order for order in await list_active_orders(session, game) if order.seat in seats]
    changed = [msgspec.structs.replace(order, state="stopped", reason=reason) for order in mine]
    return await change_orders(session, changed)
