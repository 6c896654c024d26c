"""Buttons about seats: who acts for one whose clock has run out, and who takes one that is given away."""

from bot.model.errors import BotError
from bot.screens.answer import Answer
from bot.screens.screen import Menu, Screen
from bot.screens.wire import Control, number_of
from bot.service.table import Delivery

OUT_OF_DATE = "That menu is out of date."


async def sit_in(answer: Answer, control: Control) -> None:
    """Ask the others that the stand-in plays a seat."""
    await answer.acknowledge()
    seat, once = _seat_of(control)
    delivery = Delivery(answer.key)
    outcome = await answer.services.stand_ins.ask(control.game, answer.user, seat, delivery, once=once)
    await answer.show(Screen(" ".join(outcome.sentences)))


async def deputy(answer: Answer, control: Control) -> None:
    """Ask who is to act for a seat."""
    await answer.acknowledge()
    menu = Menu("Who?", Control(control.game, 0, "deputed", control.arg), ())
    await answer.show(Screen("**Who acts for the seat?**\nThey are asked, and so are the others.", menus=(menu,)))


async def deputed(answer: Answer, control: Control) -> None:
    """Ask the others that a person acts for a seat."""
    await answer.acknowledge()
    seat, once = _seat_of(control)
    if not answer.people:
        raise BotError("Choose a person.")
    outcome = await answer.services.seats.act_for(
        control.game, answer.user, seat, answer.people[0], once=once, delivery=Delivery(answer.key)
    )
    await answer.show(Screen(" ".join(outcome.sentences)))


async def give(answer: Answer, control: Control) -> None:
    """Let friends take the seats of the person."""
    await answer.acknowledge()
    await answer.services.seats.give_away(control.game, answer.user)
    await answer.show(Screen("Your friends can tap their seats now. /game replace gives a seat to one person only."))


async def take(answer: Answer, control: Control) -> None:
    """Take a seat that is given away."""
    await answer.acknowledge()
    outcome = await answer.services.seats.take(control.game, answer.person, _seat_of(control)[0])
    await answer.show(Screen(" ".join(outcome.sentences)))


def _seat_of(control: Control) -> tuple[int, bool]:
    """Return the seat that a control is about, and whether it is about one turn only.

    Raises:
        BotError: it is about none.
    """
    number, _, once = control.arg.partition(".")
    if (seat := number_of(number)) is None or once not in ("", "once"):
        raise BotError(OUT_OF_DATE)
    return seat, once == "once"
