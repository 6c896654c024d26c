"""Buttons about seats and by which players ask one another: who acts for a seat, yes or no, or other terms."""

import re

from bot.model.errors import BotError
from bot.model.records import Outcome, Proposal
from bot.model.terms import ActFor, Replace, StandIn, TakeBack
from bot.screens.answer import Answer
from bot.screens.lesson_controls import greet_newcomer
from bot.screens.screen import (
    MAX_MENU_OPTIONS,
    MAX_OPTION_LENGTH,
    OUT_OF_DATE,
    Button,
    Control,
    Form,
    Menu,
    MenuOption,
    Screen,
    clip,
    read_number,
)
from bot.service.game_clock import ClockWish
from bot.service.services import Services
from bot.service.table import Delivery
from engine.player import read_manner

SETTLED = "That question has already been settled."
_HOURS = re.compile(r"([0-9]{1,4})\s*(?:\+\s*([0-9]{1,4}))?")


async def vote(answer: Answer, control: Control) -> None:
    """Say yes or no to a proposal."""
    text, _, word = control.arg.partition(".")
    if (number := read_number(text)) is None or word not in ("yes", "no", "no.w"):
        raise BotError(OUT_OF_DATE)
    if word == "no.w":
        asked = await answer.services.consent.get_proposal(number)
        if asked is not None and asked.proposer != answer.user:
            raise BotError("Only the proposer can withdraw it.")
    outcome, sheet = await answer_question(answer.services, answer.user, control.game, number, yes=word == "yes")
    await (answer.show(sheet) if sheet is not None else _show_result(answer, outcome))


async def answer_question(
    services: Services, user: str, game: int, number: int | None, *, yes: bool
) -> tuple[Outcome, Screen | None]:
    """Say yes or no to a question; who takes a seat by it gets the cheat sheet of a game they have never played."""
    asked = [each for each in await services.consent.list_open(game) if number in (None, each.id)] if yes else []
    seated = any(isinstance(each.terms, Replace) and each.terms.user == user for each in asked)
    outcome = await services.consent.vote(game, user, number, yes=yes)
    return outcome, await _greet(services, user, outcome) if seated else None


async def propose_stand_in(answer: Answer, control: Control) -> None:
    """Ask the others that the stand-in plays a seat."""
    (seat, once), manner = _read_seat(control), read_manner(control.arg.partition("~")[2])
    delivery = Delivery(answer.key)
    ask = answer.services.stand_ins.propose(control.game, answer.user, seat, delivery, once=once, manner=manner)
    outcome = await ask
    await _show_result(answer, outcome)


async def ask_deputy(answer: Answer, control: Control) -> None:
    """Ask who is to act for a seat."""
    _read_seat(control)
    menu = Menu("Choose a person…", Control(control.game, 0, "deputed", control.arg), ())
    await answer.show(
        Screen("**Who should act for the seat?**\nThat person is asked, and so are the other players.", menus=(menu,))
    )


async def propose_deputy(answer: Answer, control: Control) -> None:
    """Ask the others that a person acts for a seat."""
    seat, once = _read_seat(control)
    if not answer.people:
        raise BotError("Choose a person.")
    outcome = await answer.services.seats.propose_deputy(
        control.game, answer.user, seat, answer.people[0], once=once, delivery=Delivery(answer.key)
    )
    await _show_result(answer, outcome)


async def give_seats(answer: Answer, control: Control) -> None:
    """Let friends take the seats of the person."""
    await answer.services.seats.offer_seats(control.game, answer.user)
    await answer.show(
        Screen("Your friends can now tap their seats. To give a seat to one particular person, use /game replace.")
    )


async def take_seat(answer: Answer, control: Control) -> None:
    """Take a seat that is given away."""
    outcome = await answer.services.seats.take_seat(control.game, answer.person, _read_seat(control)[0])
    await answer.show(await _greet(answer.services, answer.user, outcome))


async def _greet(services: Services, user: str, outcome: Outcome) -> Screen:
    """Return what came of taking a seat, with the cheat sheet of a game that the person has never played."""
    table = outcome.table
    return await greet_newcomer(services, user, table.title, table.id, " ".join(outcome.sentences))


def _read_seat(control: Control) -> tuple[int, bool]:
    """Return the seat that a control is about, and whether it is about one turn only.

    Raises:
        BotError: it is about none.
    """
    number, _, once = control.arg.partition("~")[0].partition(".")
    if (seat := read_number(number)) is None or once not in ("", "once"):
        raise BotError(OUT_OF_DATE)
    return seat, once == "once"


async def show_other_terms(answer: Answer, control: Control) -> None:
    """Show the other terms there are."""
    asked = await _find_question(answer, control)
    await answer.show(await _make_terms_screen(answer, asked))


async def _make_terms_screen(answer: Answer, asked: Proposal) -> Screen:
    """Return the choice of other terms.

    Raises:
        BotError: there are none.
    """
    terms, game, number = asked.terms, asked.game, str(asked.id)
    if isinstance(terms, TakeBack):
        lines = [line for line in await answer.services.table.read_log(game) if line.move and not line.folded]
        moves = {line.first - 1: f"before move {line.first}: {' '.join(line.sentences)}" for line in lines}
        moves.pop(terms.to, None)
        options = tuple(
            MenuOption(clip(words, MAX_OPTION_LENGTH), str(to))
            for to, words in reversed([*moves.items()][-MAX_MENU_OPTIONS:])
        )
        if options:
            menu = Menu("Choose a position…", Control(game, 0, "counterto", number), options)
            return Screen(
                "**How far back instead?**\nThe proposer and the others whose moves would be undone must agree.",
                menus=(menu,),
            )
    if isinstance(terms, Replace | ActFor):
        menu = Menu("Choose a person…", Control(game, 0, "counterwho", number), ())
        return Screen(f"**Who instead of {terms.name}?**\nThat person is asked.", menus=(menu,))
    if isinstance(terms, StandIn):
        label, once = ("Ask for all turns from now on", "") if terms.once else ("Ask for this turn only", "once")
        manner = terms.manner.replace(", ", "-")
        button = Button(label, Control(game, 0, "sitin", f"{terms.seat}.{once}~{manner}"))
        return Screen("**For how long instead?**", rows=((button,),))
    raise BotError("You can't propose other terms here; answer yes or no.")


async def propose_fewer(answer: Answer, control: Control) -> None:
    """Ask to take back to another move."""
    await _find_question(answer, control)
    if (to := read_number("".join(answer.values[:1]))) is None:
        raise BotError(SETTLED)
    await _show_result(answer, await answer.services.back.undo(control.game, answer.user, to, Delivery(answer.key)))


async def propose_other_person(answer: Answer, control: Control) -> None:
    """Ask for another person."""
    terms = (await _find_question(answer, control)).terms
    if not answer.people:
        raise BotError("Choose a person.")
    person, seats, delivery = answer.people[0], answer.services.seats, Delivery(answer.key)
    if isinstance(terms, ActFor):
        ask = seats.propose_deputy(control.game, answer.user, terms.seat, person, once=terms.once, delivery=delivery)
    elif isinstance(terms, Replace):
        ask = seats.propose_replacement(control.game, answer.user, terms.seat, person, delivery)
    else:
        raise BotError(SETTLED)
    await _show_result(answer, await ask)


async def open_clock_form(answer: Answer, control: Control) -> None:
    """Ask for another clock; a form must be the first answer."""
    if read_number(control.arg) is None:
        raise BotError(SETTLED)
    form = Control(control.game, control.version, "counterclock", control.arg)
    await answer.open_form(Form("Propose another clock", form, "Hours per player + hours per turn", "96+12"))


async def propose_clock(answer: Answer, control: Control) -> None:
    """Ask the others for the clock that was typed."""
    await _find_question(answer, control)
    typed = _HOURS.fullmatch("".join(answer.values).strip())
    if typed is None:
        raise BotError("Type the hours per player, then the hours added each turn, as in 96+12.")
    wish = ClockWish(budget=int(typed[1]), increment=int(typed[2] or 0))
    delivery = Delivery(answer.key)
    await _show_result(
        answer, await answer.services.agreements.propose_clock(control.game, answer.user, wish, delivery)
    )


async def _find_question(answer: Answer, control: Control) -> Proposal:
    """Return the open question that a control is about, which the person is asked.

    Raises:
        BotError: it is settled, or others are asked.
    """
    number = read_number(control.arg)
    asked = None if number is None else await answer.services.consent.get_proposal(number)
    if asked is None or asked.game != control.game or asked.state != "open":
        raise BotError(SETTLED)
    if answer.user not in asked.deciders:
        raise BotError("Only the players being asked can propose other terms.")
    return asked


async def _show_result(answer: Answer, outcome: Outcome) -> None:
    await answer.show(Screen(" ".join(outcome.sentences)))
