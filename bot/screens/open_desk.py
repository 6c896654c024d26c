"""Seating a person at the desk of a game, which stands with a worker."""

import msgspec

from bot.model.errors import BotError
from bot.model.records import Position
from bot.model.seating import acting_seats, why_not
from bot.screens.desk_tasks import BUTTONS, CONFIRMED, SAID, SCREEN, AtDesk, Confirmed, TurnButtons
from bot.screens.screen import Screen
from bot.screens.written import UNDERSTOOD, WRITTEN, Understood, Written
from bot.service.drafts import START, DeskPlace
from bot.service.services import Services
from bot.service.table import Drafted
from bot.service.workers.tips import Advised, tip_rows
from engine import Action
from engine.codec import decode_action


async def seated(services: Services, user: str, game: int, version: int | None = None) -> tuple[Position, int]:
    """Return the position of a game and the seat a person is to act for.

    Raises:
        StaleError: the control was drawn for an earlier position.
        BotError: it is not this person's turn, or not their table.
    """
    here = await services.table.position(game, version)
    seats = acting_seats(here, user)
    if not seats:
        raise BotError(why_not(here, user))
    return here, seats[0]


async def desk_screen(services: Services, here: Position, seat: int, draft: DeskPlace = START) -> Screen:
    """Return the screen of the desk that a draft has come to; may search routes, so acknowledge first.

    Raises:
        BotError, WordingError, RuleError: the path leads to nothing that can be done.
    """
    sitting = _sitting(here, seat, await services.table.advice.of(here, seat), draft)
    shown = await services.workers.do(SCREEN, sitting, here.course)
    return msgspec.structs.replace(shown.screen, pictures=shown.pictures)


async def turn_buttons(services: Services, here: Position) -> TurnButtons | None:
    """Return the buttons of the turn message for the one who must act; may search routes."""
    seats = here.ask().seats
    if len(seats) != 1:
        return None
    sitting = _sitting(here, seats[0], await services.table.advice.of(here, seats[0]))
    return await services.workers.do(BUTTONS, sitting, here.course)


async def said(services: Services, here: Position, seat: int, draft: DeskPlace) -> Action:
    """Return the action that a draft says.

    Raises:
        BotError, WordingError: the path leads nowhere, or its words cannot be read.
    """
    sitting = _sitting(here, seat, services.table.advice.known(here, seat), draft)
    action = await services.workers.do(SAID, sitting, here.course)
    return decode_action(here.table.title, action)


def confirmed(services: Services, here: Position, seat: int, draft: DeskPlace, sign: str, declines: int) -> Drafted:
    """Return the move of a draft, to be made by the worker that reads it, if its button was drawn for it."""
    sitting = _sitting(here, seat, services.table.advice.known(here, seat), draft)
    return lambda wish: (CONFIRMED, Confirmed(sitting, sign, declines, wish))


async def written_desk(services: Services, here: Position, seat: int) -> Written:
    """Return the choices of a seat to be numbered, all ways to run among them, and examples; may search routes."""
    known = await services.table.advice.planned(here, seat)
    if known.plans:
        best, *others = known.plans
        first = msgspec.structs.replace(known.tips[0], label=f"Best run {best.label}")
        ways = [msgspec.structs.replace(each, label=f"Run {each.label}") for each in others]
        known = msgspec.structs.replace(known, tips=(first, *ways))
    sitting = _sitting(here, seat, known)
    return await services.workers.do(WRITTEN, sitting, here.course)


async def understood(services: Services, here: Position, seat: int, text: str) -> Understood:
    """Return what an order says that somebody wrote; may search routes."""
    sitting = _sitting(here, seat, await services.table.advice.of(here, seat), DeskPlace(typed=text))
    return await services.workers.do(UNDERSTOOD, sitting, here.course)


def _sitting(here: Position, seat: int, advised: Advised, draft: DeskPlace = START) -> AtDesk:
    tips = tip_rows(advised.tips)
    return AtDesk(here.table.id, here.table.names, seat, tips, draft.path, draft.typed, draft.basket)
