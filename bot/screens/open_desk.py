"""Seating a person at the desk of a game, which stands with a worker."""

from typing import cast

import msgspec

from bot.screens.desk import Desk, openers, quick, screen
from bot.screens.draft import action_of
from bot.screens.screen import Button, Screen
from bot.service.advice import Advised
from bot.service.errors import BotError
from bot.service.records import Position
from bot.service.seating import acting_seats, why_not
from bot.service.services import Services
from bot.service.workers.held import Held, Task
from bot.service.workers.proof import TipRow, tip_rows, tips_of
from engine import Action, Record
from engine.codec import decode_action, encode_action
from engine.view import AnyView

MOST_QUICK = 4
MOST_OPENERS = 5


class Sitting(Record, frozen=True):
    """Who sits at the desk of a table, what they are advised, and where they are: see ``draft``."""

    number: int
    names: tuple[str, ...]
    seat: int
    tips: tuple[TipRow, ...] = ()
    path: str = ""
    typed: str = ""


class Shown(Record, frozen=True):
    """A screen on its way; its pictures travel beside it."""

    screen: Screen
    pictures: tuple[AnyView, ...]


class TurnButtons(Record, frozen=True):
    """Buttons for the turn message: what plays at once, and what needs further words."""

    quick: tuple[Button, ...]
    openers: tuple[Button, ...]


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


async def desk_screen(services: Services, here: Position, seat: int, path: str = "", typed: str = "") -> Screen:
    """Return the screen at a path of the desk; may search routes, so acknowledge first.

    Raises:
        BotError, WordingError, RuleError: the path leads to nothing that can be done.
    """
    sitting = _sitting(here, seat, await services.table.advice.of(here, seat), path, typed)
    shown = await services.workers.do(SCREEN, sitting, here.course)
    return msgspec.structs.replace(shown.screen, pictures=shown.pictures)


async def turn_buttons(services: Services, here: Position) -> TurnButtons | None:
    """Return the buttons of the turn message for the one who must act; may search routes."""
    seats = here.ask().seats
    if len(seats) != 1:
        return None
    sitting = _sitting(here, seats[0], await services.table.advice.of(here, seats[0]))
    return await services.workers.do(BUTTONS, sitting, here.course)


async def said(services: Services, here: Position, seat: int, path: str, typed: str) -> Action:
    """Return the action that a path of the desk says.

    Raises:
        BotError, WordingError: the path leads nowhere, or its words cannot be read.
    """
    sitting = _sitting(here, seat, services.table.advice.known(here, seat), path, typed)
    action = await services.workers.do(SAID, sitting, here.course)
    return decode_action(here.table.title, action)


def _sitting(here: Position, seat: int, advised: Advised, path: str = "", typed: str = "") -> Sitting:
    return Sitting(here.table.id, here.table.names, seat, tip_rows(advised.tips), path, typed)


def _desk(held: Held, sitting: Sitting) -> Desk:
    game, seat = held.game, sitting.seat
    advised = Advised(len(game.log), seat, tips_of(game.setup.title, sitting.tips))
    return Desk(sitting.number, sitting.names, game, seat, held.legal(seat), advised)


def _screen(held: Held, sitting: Sitting) -> Shown:
    made = screen(_desk(held, sitting), sitting.path, sitting.typed)
    return Shown(msgspec.structs.replace(made, pictures=()), cast("tuple[AnyView, ...]", made.pictures))


def _buttons(held: Held, sitting: Sitting) -> TurnButtons:
    desk = _desk(held, sitting)
    return TurnButtons(tuple(quick(desk, MOST_QUICK)), tuple(openers(desk)[:MOST_OPENERS]))


def _said(held: Held, sitting: Sitting) -> bytes:
    desk = _desk(held, sitting)
    return encode_action(action_of(desk.game, desk.legal, desk.follow(sitting.path, sitting.typed)))


SCREEN = Task("screen", _screen, Sitting, Shown)
BUTTONS = Task("buttons", _buttons, Sitting, TurnButtons)
SAID = Task("said", _said, Sitting, bytes, lane="moves")
