"""Buttons, menus and forms of the desk and of the messages of a turn."""

import re

from bot.model.errors import BotError, StaleError
from bot.model.records import Position
from bot.screens.answer import Answer
from bot.screens.desk import AFTER_PASS, count_declines
from bot.screens.desk_menus import fit_label
from bot.screens.desk_screens import COMBINED, REPEATED, Combined, Repeated
from bot.screens.open_desk import (
    fetch_action,
    fetch_desk_screen,
    make_confirmed,
    require_seat_or_show,
    require_seat_to_play,
    show_current_desk,
    show_desk,
    show_outcome,
)
from bot.screens.run_editor import EDITOR
from bot.screens.screen import (
    MAX_BUTTONS,
    OUT_OF_DATE,
    WHOLE_SCREEN,
    Button,
    Control,
    Form,
    Screen,
    clip,
    fit_phone,
    is_steps,
    make_mark,
    read_number,
)
from bot.screens.text import read_typed
from bot.service.people import FIRST_SCREEN, DeskPlace
from bot.service.table import Delivery, Drafted, Moves, OtherMoveError
from engine import Action
from engine.codec import decode_action, encode_action
from engine.fuzzy import strip_currency
from engine.words import find_pass

MAX_TYPED_LENGTH = 500
MAX_BASKET_MOVES = 12
HINT = "As shown on a button or in a menu"
_FURTHER = re.compile(rf"({AFTER_PASS}{{0,8}})(?:[a-z]{{1,20}}|{EDITOR}0)(?:\.([0-9.]{{1,29}}))?")
"""What may follow a checked move: its verb or a run, and the numbers of its values; steps before it may be declined."""
_AFTER = re.compile(r"[1-8]?|\+[0-9]{1,2}[0-9a-f]{1,8}")
"""What a button makes after a checked move: declines, or so many moves with their mark."""


async def open_desk(answer: Answer, control: Control) -> None:
    """Open the desk as the game stands now, whatever the button's version."""
    await show_desk(answer, control.game, goes_on=True)


async def go_to(answer: Answer, control: Control) -> None:
    """Go to a screen of the desk."""
    await _show_draft(answer, control, control.arg, read_typed(answer.clicked_text))


async def pick_value(answer: Answer, control: Control) -> None:
    """Take what was chosen in a menu."""
    chosen = "".join(answer.values[:1])
    if not is_steps(chosen):
        raise BotError(OUT_OF_DATE)
    await _show_draft(answer, control, f"{control.arg.partition('/')[0]}.{chosen}", read_typed(answer.clicked_text))


async def choose_next(answer: Answer, control: Control) -> None:
    """Put the move of a check aside and take what was chosen after it, to be confirmed with it."""
    chosen = "".join(answer.values[:1])
    found = _FURTHER.fullmatch(chosen)
    if found is None or not is_steps(found[2] or "0"):
        raise BotError(OUT_OF_DATE)
    here, seat = await require_seat_or_show(answer, control)
    if here is not None:
        aside = await _add_checked(answer, control, here, seat)
        no = find_pass(here.game.title.actions)
        aside = (*aside, *((no,) * len(found[1]) if no is not None else ()))
        chosen = chosen.removeprefix(found[1])
        draft = DeskPlace(chosen, basket=tuple(encode_action(each).decode() for each in aside[:MAX_BASKET_MOVES]))
        shown = await fetch_desk_screen(answer.services, here, seat, draft)
        await answer.services.people.save_draft(here.table.id, answer.user, here.version, draft)
        await answer.show(shown)


async def open_value_form(answer: Answer, control: Control) -> None:
    """Open a form for a number or text; nothing is read before, for a form must be the first answer."""
    path, question, span = (*control.arg.split("/", 2), "", "")[:3]
    if not path:
        raise BotError(OUT_OF_DATE)
    typed = Control(control.game, control.version, "say", path)
    await answer.open_form(Form(clip(question or path.capitalize(), 45), typed, clip(span or HINT, 45), span))


async def take_value(answer: Answer, control: Control) -> None:
    """Take what was typed into the form."""
    typed = " ".join("".join(answer.values).split())[:MAX_TYPED_LENGTH]
    if not typed:
        raise BotError("The form was empty. Type a value.")
    typed = strip_currency(typed) if strip_currency(typed).isdecimal() else typed
    number = read_number(typed)
    path = f"{control.arg}.*" if number is None else f"{control.arg}.={number}"
    await _show_draft(answer, control, path, typed if number is None else "")


async def play_checked(answer: Answer, control: Control) -> None:
    """Play the move that was checked, or one that needs no words."""
    here, seat = await require_seat_to_play(answer, control)
    if here is None:
        return
    await _confirm(answer, control, here, seat, ())


async def play_after_basket(answer: Answer, control: Control) -> None:
    """Play the moves that were put aside, and the one that was checked after them."""
    here, seat = await require_seat_to_play(answer, control)
    if here is None:
        return
    await _confirm(answer, control, here, seat, await fetch_basket(answer, here))


async def _confirm(answer: Answer, control: Control, here: Position, seat: int, basket: tuple[str, ...]) -> None:
    """Play the move of a check, with those put aside before it, and what its button says is made after it.

    Raises:
        BotError: there is no such move.
    """
    path, _, rest = control.arg.partition("~")
    sign, _, after = rest.partition("~")
    if _AFTER.fullmatch(after) is None:
        raise BotError(OUT_OF_DATE)
    draft = DeskPlace(path, read_typed(answer.clicked_text), basket)
    try:
        await _play(answer, control, make_confirmed(answer.services, here, seat, draft, sign, after))
    except OtherMoveError:  # its button was drawn for a tip, be it of another search
        if after.startswith("+"):
            raise BotError(OUT_OF_DATE) from None
        action, no = await _find_action(answer, here, seat, sign), find_pass(here.game.title.actions)
        declined = (no,) * count_declines(path) if no is not None else ()
        before = (*declined, *(decode_action(here.table.title, each) for each in basket))
        await _play(answer, control, (*before, action, *((no,) * int(after or 0) if no is not None else ())))


async def fetch_basket(answer: Answer, here: Position) -> tuple[str, ...]:
    """Return the moves that the person has put aside in this position."""
    return (await answer.services.people.load_draft(here.table.id, answer.user, here.version)).basket


async def add_to_basket(answer: Answer, control: Control) -> None:
    """Put a move aside, to be made in one go with those after it."""
    here, seat = await require_seat_or_show(answer, control)
    if here is None:
        return
    await _keep_basket(answer, here, seat, await _add_checked(answer, control, here, seat))


async def _add_checked(answer: Answer, control: Control, here: Position, seat: int) -> Moves:
    """Return what was put aside with the move of a check behind it.

    Raises:
        BotError: there is no such move.
    """
    aside = await fetch_basket(answer, here)
    path, _, sign = control.arg.partition("~")
    action = await fetch_action(answer.services, here, seat, DeskPlace(path, read_typed(answer.clicked_text), aside))
    action = await _find_action(answer, here, seat, sign.partition("~")[0], action)
    no = find_pass(here.game.title.actions)
    if no is not None and path.startswith(AFTER_PASS):
        return (*(no,) * count_declines(path), action)
    return (*(decode_action(here.table.title, each) for each in aside), action)


async def empty_basket(answer: Answer, control: Control) -> None:
    """Forget the moves that were put aside."""
    here, seat = await require_seat_or_show(answer, control)
    if here is not None:
        await _keep_basket(answer, here, seat, ())


async def _keep_basket(answer: Answer, here: Position, seat: int, moves: tuple[Action, ...]) -> None:
    draft = DeskPlace(basket=tuple(encode_action(each).decode() for each in moves[:MAX_BASKET_MOVES]))
    shown = await fetch_desk_screen(answer.services, here, seat, draft)
    await answer.services.people.save_draft(here.table.id, answer.user, here.version, draft)
    await answer.show(shown)


async def play_basket(answer: Answer, control: Control) -> None:
    """Play all moves that were put aside."""
    here, _ = await require_seat_to_play(answer, control)
    if here is None:
        return
    moves = [decode_action(here.table.title, each) for each in await fetch_basket(answer, here)]
    if not moves:
        raise BotError(OUT_OF_DATE)
    await _play(answer, control, tuple(moves))


async def play_tip(answer: Answer, control: Control) -> None:
    """Play a move that has a button of its own."""
    here, seat = await require_seat_to_play(answer, control)
    if here is None:
        return
    sign, _, then = control.arg.rpartition(".")[2].partition("+")
    action = await _find_action(answer, here, seat, sign)
    if then:
        move = encode_action(action)
        await _play(answer, control, lambda wish: (COMBINED, Combined(seat, move, then, wish)))
    else:
        await _play(answer, control, (action,))


async def undo(answer: Answer, control: Control) -> None:
    """Take back the person's last move."""
    delivery = Delivery(answer.key, control.version)
    outcome = await answer.services.back.undo(control.game, answer.user, delivery=delivery)
    await show_outcome(answer, outcome)


async def restart(answer: Answer, control: Control) -> None:
    """Take back all that the person did in this turn."""
    delivery = Delivery(answer.key, control.version)
    await show_outcome(answer, await answer.services.back.restart_turn(control.game, answer.user, delivery))


async def repeat_last(answer: Answer, control: Control) -> None:
    """Do what the company did the last time in this step."""
    here, seat = await require_seat_to_play(answer, control)
    if here is None:
        return
    await _play(answer, control, lambda wish: (REPEATED, Repeated(seat, control.arg, wish)))


async def close_desk(answer: Answer, control: Control) -> None:
    """Clear the desk, and what was in the making."""
    await answer.services.people.save_draft(control.game, answer.user, control.version, FIRST_SCREEN)
    await answer.show(Screen("Closed; nothing more was played. To reopen your desk, press **Act**."))


async def snooze(answer: Answer, control: Control) -> None:
    """Put off the calls to the turn that the button belongs to."""
    asked = answer.services.obligations
    await answer.show(Screen(await asked.snooze(control.game, answer.user, control.arg, of_turn=control.version)))


async def _show_draft(answer: Answer, control: Control, path: str, typed: str = "") -> None:
    """Show the desk at a path; a refusal of the rules stands above the step before."""
    here, seat = await require_seat_or_show(answer, control)
    if here is not None:
        draft = DeskPlace(path, typed, await fetch_basket(answer, here))
        shown = await fetch_desk_screen(answer.services, here, seat, draft)
        await answer.services.people.save_draft(control.game, answer.user, here.version, draft)
        await answer.show(shown)


async def _find_action(answer: Answer, here: Position, seat: int, sign: str, *words: Action) -> Action:
    """Return the move a button was drawn for: what is said, or a tip, be it of another search.

    A button that tells more than we know was drawn before a restart; the search that found it is made again.

    Raises:
        BotError: there is no such move.
    """
    advice = answer.services.table.advice
    for look in (advice.find_tips, advice.find_plans, advice.find_counsel, advice.await_proof):
        known = {make_mark(action): action for action in (*words, *advice.get_known(here, seat).actions)}
        if sign not in known:
            known = {make_mark(action): action for action in (await look(here, seat)).actions}
        if sign in known:
            return known[sign]
    raise BotError(OUT_OF_DATE)


async def _play(answer: Answer, control: Control, moves: Moves | Drafted) -> None:
    """Play a move, or several in one go: all of them, or none."""
    delivery = Delivery(answer.key, control.version)
    try:
        outcome = await answer.services.table.submit(control.game, answer.user, moves, delivery)
    except StaleError as stale:
        await show_current_desk(answer, control, stale)
    else:
        await show_outcome(answer, outcome)


async def show_plans(answer: Answer, control: Control) -> None:
    """Show the ways to run, the best first."""
    here, seat = await require_seat_or_show(answer, control)
    if here is None:
        return
    known = await answer.services.table.advice.find_plans(here, seat)
    found = known.plans or known.tips
    lines = [f"**{here.ask().headline}**", *(f"{number}. {tip.label}." for number, tip in enumerate(found, 1))]
    if len(found) < 2:  # the best, and one beside it
        lines.append(
            "No other plan gives the treasury more or spares a train. To type your own, press **Back**, then **Other…**"
        )
    back, buttons = Button("Back", Control(control.game, here.version, "at")), list[Button]()
    for number, tip in enumerate(found, 1):
        played = Control(control.game, here.version, "tip", f"{number}.{make_mark(tip.action)}")
        label = f"{number} · Run {tip.label.partition(':')[0]}" if known.plans else tip.label
        buttons.append(Button(fit_label(label), played, "main" if number == 1 else "plain"))
    buttons.insert(MAX_BUTTONS - 1, back)
    more = Control(control.game, here.version, "plans", WHOLE_SCREEN)
    text, rows = fit_phone(lines, buttons, more, whole=control.arg == WHOLE_SCREEN)
    await answer.show(Screen(text, rows=rows))
