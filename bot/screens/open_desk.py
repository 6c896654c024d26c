"""Seating a person at the desk of a game."""

from bot.screens.desk import Desk
from bot.service.errors import BotError
from bot.service.records import Position
from bot.service.seating import acting_seats, why_not
from bot.service.services import Services


async def open_desk(services: Services, user: str, game: int, version: int | None = None) -> Desk:
    """Seat a person at the desk of a game; may search routes, so acknowledge first.

    Raises:
        StaleError: the control was drawn for an earlier position.
        BotError: it is not this person's turn, or not their table.
    """
    here = await services.table.position(game, version)
    seats = acting_seats(here, user)
    if not seats:
        raise BotError(why_not(here, user))
    return await desk_of(services, here, seats[0])


async def desk_of(services: Services, here: Position, seat: int) -> Desk:
    """Return the desk of a seat that is to act; may search routes."""
    table = services.table
    return Desk(here, seat, await table.live.legal_of(here, seat), await table.advice.of(here, seat))
