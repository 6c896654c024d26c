"""The desk as workers make it: its screens, the buttons of the turn message, the action that a path says."""

from typing import cast

import msgspec

from bot.screens.at_desk import Desk
from bot.screens.basket import basketed
from bot.screens.desk import openers, quick, screen
from bot.screens.draft import action_of, mark
from bot.screens.screen import Button, Screen
from bot.service.workers.held import Held, Task
from bot.service.workers.next_up import same_as_last
from bot.service.workers.tasks import Made, Wish, make
from bot.service.workers.tips import Advised, TipRow, tips_of
from engine import Action, Record
from engine.codec import encode_action
from engine.title import naming
from engine.view import AnyView
from engine.words import decline

MOST_QUICK = 4
MOST_OPENERS = 5


class AtDesk(Record, frozen=True):
    """Who sits at the desk of a table, what they are advised, and where they are: see ``draft``."""

    number: int
    names: tuple[str, ...]
    seat: int
    tips: tuple[TipRow, ...] = ()
    path: str = ""
    typed: str = ""
    basket: tuple[str, ...] = ()


class Confirmed(Record, frozen=True):
    """A move that was checked at the desk, made if it is the one its button was drawn for.

    Args:
        sitting: where it was checked; what was put aside is made before it. sign: the mark of its button.
        declines: how many steps are declined right after it. wish: who makes it, and what is known there.
    """

    sitting: AtDesk
    sign: str
    declines: int
    wish: Wish


class Shown(Record, frozen=True):
    """A screen on its way; its pictures travel beside it."""

    screen: Screen
    pictures: tuple[AnyView, ...]


class TurnButtons(Record, frozen=True):
    """Buttons for the turn message: what plays at once, and what needs further words."""

    quick: tuple[Button, ...]
    openers: tuple[Button, ...]


def desk_of(held: Held, sitting: AtDesk) -> Desk:
    """Return the desk of who sits there."""
    game, seat = held.game, sitting.seat
    if sitting.basket:
        return basketed(sitting.number, sitting.names, game, seat, sitting.basket)
    advised = Advised(len(game.log), seat, tips_of(game.setup.title, sitting.tips))
    return Desk(sitting.number, sitting.names, game, seat, held.legal(seat), advised, gains=held.gains)


def _with_again(held: Held, desk: Desk) -> Desk:
    """Return a desk that offers what was done the last time; it takes looking back, so the turn message does not."""
    if desk.basket:
        return desk
    if desk.seat not in held.again:
        held.again[desk.seat] = same_as_last(held, desk.seat)
    return msgspec.structs.replace(desk, again=held.again[desk.seat])


def _screen(held: Held, sitting: AtDesk) -> Shown:
    with naming(sitting.names):
        made = screen(_with_again(held, desk_of(held, sitting)), sitting.path, sitting.typed)
    return Shown(msgspec.structs.replace(made, pictures=()), cast("tuple[AnyView, ...]", made.pictures))


def _buttons(held: Held, sitting: AtDesk) -> TurnButtons:
    desk = desk_of(held, sitting)
    return TurnButtons(tuple(quick(desk, MOST_QUICK)), tuple(openers(desk)[:MOST_OPENERS]))


def _said(held: Held, sitting: AtDesk) -> bytes:
    return encode_action(_action(held, sitting))


def _action(held: Held, sitting: AtDesk) -> Action:
    desk = desk_of(held, sitting)
    return action_of(desk.game, desk.legal, desk.follow(sitting.path, sitting.typed))


def _confirmed(held: Held, asked: Confirmed) -> Made | None:
    """Make the move that a path says, with those before and after it; ``None`` if its button means another."""
    action, no = _action(held, asked.sitting), decline(held.game.title.actions)
    if mark(action) != asked.sign:
        return None
    after = (no,) * asked.declines if no is not None else ()
    moves = [*(each.encode() for each in asked.sitting.basket), *map(encode_action, (action, *after))]
    return make(held, msgspec.structs.replace(asked.wish, action=moves[0], rest=tuple(moves[1:])))


def _again(held: Held, seat: int) -> bytes:
    action = same_as_last(held, seat)
    return b"" if action is None else encode_action(action)


AGAIN = Task("again", _again, int, bytes)
SCREEN = Task("screen", _screen, AtDesk, Shown)
BUTTONS = Task("buttons", _buttons, AtDesk, TurnButtons)
CONFIRMED = Task("confirmed", _confirmed, Confirmed, Made | None, lane="moves")
SAID = Task("said", _said, AtDesk, bytes, lane="moves")
