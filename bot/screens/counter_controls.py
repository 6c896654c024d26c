"""Buttons by which somebody who is asked names other terms instead: fewer moves, another person, another clock."""

import re

from bot.model.errors import BotError
from bot.model.records import Outcome, Proposal
from bot.model.terms import ActFor, Replace, StandIn, TakeBack
from bot.screens.answer import Answer
from bot.screens.screen import Button, Form, Menu, MenuOption, Screen, clip
from bot.screens.wire import Control, number_of
from bot.service.game_clock import ClockWish
from bot.service.table import Delivery

PER_MENU = 25
SETTLED = "That question is settled."
_HOURS = re.compile(r"([0-9]{1,4})\s*(?:\+\s*([0-9]{1,4}))?")


async def counter(answer: Answer, control: Control) -> None:
    """Show the other terms there are."""
    await answer.acknowledge()
    asked = await _asked(answer, control)
    await answer.show(await _ways(answer, asked))


async def _ways(answer: Answer, asked: Proposal) -> Screen:
    """Return the choice of other terms.

    Raises:
        BotError: there are none.
    """
    terms, game, number = asked.terms, asked.game, str(asked.id)
    if isinstance(terms, TakeBack):
        lines = [line for line in await answer.services.table.log(game) if line.move and line.move - 1 != terms.to]
        options = tuple(
            MenuOption(clip(f"before {line.move}: {' '.join(line.sentences)}", 100), str(line.move - 1))
            for line in reversed(lines[-PER_MENU:])
        )
        if options:
            menu = Menu("Back to…", Control(game, 0, "counterto", number), options)
            return Screen("**How far back instead?**\nWho asked, and others whose moves go, must agree.", menus=(menu,))
    if isinstance(terms, Replace | ActFor):
        menu = Menu("Who instead?", Control(game, 0, "counterwho", number), ())
        return Screen(f"**Who instead of {terms.name}?**\nThey are asked.", menus=(menu,))
    if isinstance(terms, StandIn):
        label, once = ("From now on", "") if terms.once else ("This turn only", "once")
        button = Button(label, Control(game, 0, "sitin", f"{terms.seat}.{once}"))
        return Screen("**For how long instead?**", rows=((button,),))
    raise BotError("There are no other terms to name; say yes or no.")


async def fewer(answer: Answer, control: Control) -> None:
    """Ask to take back to another move."""
    await answer.acknowledge()
    await _asked(answer, control)
    if (to := number_of("".join(answer.values[:1]))) is None:
        raise BotError(SETTLED)
    await _show(answer, await answer.services.back.undo(control.game, answer.user, to, Delivery(answer.key)))


async def somebody_else(answer: Answer, control: Control) -> None:
    """Ask for another person."""
    await answer.acknowledge()
    terms = (await _asked(answer, control)).terms
    if not answer.people:
        raise BotError("Choose a person.")
    person, seats, delivery = answer.people[0], answer.services.seats, Delivery(answer.key)
    if isinstance(terms, ActFor):
        ask = seats.act_for(control.game, answer.user, terms.seat, person, once=terms.once, delivery=delivery)
    elif isinstance(terms, Replace):
        ask = seats.replace(control.game, answer.user, terms.seat, person, delivery)
    else:
        raise BotError(SETTLED)
    await _show(answer, await ask)


async def clock_form(answer: Answer, control: Control) -> None:
    """Ask for another clock; a form must be the first answer."""
    form = Control(control.game, control.version, "counterclock", control.arg)
    await answer.ask(Form("Another clock", form, "Hours each + hours a turn", "96+12"))


async def other_clock(answer: Answer, control: Control) -> None:
    """Ask the others for the clock that was typed."""
    await answer.acknowledge()
    await _asked(answer, control)
    typed = _HOURS.fullmatch("".join(answer.values).strip())
    if typed is None:
        raise BotError("Type the hours that each has and those that a turn gives back: 96+12.")
    wish = ClockWish(budget=int(typed[1]), increment=int(typed[2] or 0))
    await _show(
        answer, await answer.services.agreements.ask_clock(control.game, answer.user, wish, Delivery(answer.key))
    )


async def _asked(answer: Answer, control: Control) -> Proposal:
    """Return the open question that a control is about, which the person is asked.

    Raises:
        BotError: it is settled, or others are asked.
    """
    number = number_of(control.arg)
    asked = None if number is None else await answer.services.consent.proposal(number)
    if asked is None or asked.game != control.game or asked.state != "open":
        raise BotError(SETTLED)
    if answer.user not in asked.deciders:
        raise BotError("You are not asked; who is asked may name other terms.")
    return asked


async def _show(answer: Answer, outcome: Outcome) -> None:
    await answer.show(Screen(" ".join(outcome.sentences)))
