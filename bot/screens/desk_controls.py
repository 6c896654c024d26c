"""Buttons, menus and forms of the desk and of the messages of a turn."""

from bot.model.errors import BotError, StaleError
from bot.model.records import Position
from bot.screens.answer import Answer
from bot.screens.desk_screens import COMBINED, REPEATED, Combined, Repeated, unquoted
from bot.screens.open_desk import (
    confirmed,
    desk_screen,
    said,
    seated_or_shown,
    seated_to_play,
    show_desk,
    show_outcome,
    show_present,
)
from bot.screens.screen import LABEL, OUT_OF_DATE, Button, Control, Form, Screen, clip, mark, number_of, rows_of
from bot.service.drafts import START, DeskPlace
from bot.service.table import Delivery, Drafted, Moves, OtherMoveError
from engine import Action
from engine.codec import decode_action, encode_action
from engine.forgiving import unsigned
from engine.words import decline

MOST_TYPED = 500
MOST_ASIDE = 12
MOST_DECLINES = 8
HINT = "As shown on a button or in a menu"


async def act(answer: Answer, control: Control) -> None:
    """Open the desk as the game stands now, whatever the button's version."""
    await show_desk(answer, control.game, goes_on=True)


async def at(answer: Answer, control: Control) -> None:
    """Go to a screen of the desk."""
    await _go(answer, control, control.arg, unquoted(answer.clicked_text))


async def pick(answer: Answer, control: Control) -> None:
    """Take what was chosen in a menu."""
    if (chosen := number_of("".join(answer.values[:1]))) is None:
        raise BotError(OUT_OF_DATE)
    await _go(answer, control, f"{control.arg.partition('/')[0]}.{chosen}")


async def ask(answer: Answer, control: Control) -> None:
    """Open a form for a number or text; nothing is read before, for a form must be the first answer."""
    path, question, span = (*control.arg.split("/", 2), "", "")[:3]
    if not path:
        raise BotError(OUT_OF_DATE)
    typed = Control(control.game, control.version, "say", path)
    await answer.ask(Form(clip(question or path.capitalize(), 45), typed, clip(span or HINT, 45), span))


async def say(answer: Answer, control: Control) -> None:
    """Take what was typed into the form."""
    typed = " ".join("".join(answer.values).split())[:MOST_TYPED]
    if not typed:
        raise BotError("The form was empty. Type a value.")
    typed = unsigned(typed) if unsigned(typed).isdecimal() else typed
    number = number_of(typed)
    path = f"{control.arg}.*" if number is None else f"{control.arg}.={number}"
    await _go(answer, control, path, typed if number is None else "")


async def do(answer: Answer, control: Control) -> None:
    """Play the move that was checked, or one that needs no words."""
    here, seat = await seated_to_play(answer, control)
    if here is None:
        return
    await _confirm(answer, control, here, seat, ())


async def do_after(answer: Answer, control: Control) -> None:
    """Play the moves that were put aside, and the one that was checked after them."""
    here, seat = await seated_to_play(answer, control)
    if here is None:
        return
    await _confirm(answer, control, here, seat, await basket_of(answer, here))


async def _confirm(answer: Answer, control: Control, here: Position, seat: int, basket: tuple[str, ...]) -> None:
    """Play the move of a check, with those put aside before it and those that decline steps after it.

    Raises:
        BotError: there is no such move.
    """
    path, _, rest = control.arg.partition("~")
    sign, _, declines = rest.partition("~")
    count = min(number_of(declines) or 0, MOST_DECLINES)
    draft = DeskPlace(path, unquoted(answer.clicked_text), basket)
    try:
        await _play(answer, control, confirmed(answer.services, here, seat, draft, sign, count))
    except OtherMoveError:  # its button was drawn for a tip, be it of another search
        action, no = await _of_sign(answer, here, seat, sign), decline(here.game.title.actions)
        before = tuple(decode_action(here.table.title, each) for each in basket)
        await _play(answer, control, (*before, action, *((no,) * count if no is not None else ())))


async def basket_of(answer: Answer, here: Position) -> tuple[str, ...]:
    """Return the moves that the person has put aside in this position; companies take theirs one by one."""
    if here.ask().company:
        return ()
    return (await answer.services.drafts.find(here.table.id, answer.user, here.version)).basket


async def basket(answer: Answer, control: Control) -> None:
    """Put a move aside, to be made in one go with those after it."""
    here, seat = await seated_or_shown(answer, control)
    if here is None:
        return
    aside = await basket_of(answer, here)
    path, _, sign = control.arg.partition("~")
    action = await said(answer.services, here, seat, DeskPlace(path, unquoted(answer.clicked_text), aside))
    action = await _of_sign(answer, here, seat, sign.partition("~")[0], action)
    await _keep_basket(answer, here, seat, (*(decode_action(here.table.title, each) for each in aside), action))


async def empty_basket(answer: Answer, control: Control) -> None:
    """Forget the moves that were put aside."""
    here, seat = await seated_or_shown(answer, control)
    if here is not None:
        await _keep_basket(answer, here, seat, ())


async def _keep_basket(answer: Answer, here: Position, seat: int, moves: tuple[Action, ...]) -> None:
    draft = DeskPlace(basket=tuple(encode_action(each).decode() for each in moves[:MOST_ASIDE]))
    shown = await desk_screen(answer.services, here, seat, draft)
    await answer.services.drafts.keep(here.table.id, answer.user, here.version, draft)
    await answer.show(shown)


async def do_all(answer: Answer, control: Control) -> None:
    """Play all moves that were put aside."""
    here, _ = await seated_to_play(answer, control)
    if here is None:
        return
    moves = [decode_action(here.table.title, each) for each in await basket_of(answer, here)]
    if not moves:
        raise BotError(OUT_OF_DATE)
    await _play(answer, control, tuple(moves))


async def tip(answer: Answer, control: Control) -> None:
    """Play a move that has a button of its own."""
    here, seat = await seated_to_play(answer, control)
    if here is None:
        return
    sign, _, then = control.arg.rpartition(".")[2].partition("+")
    action = await _of_sign(answer, here, seat, sign)
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
    await show_outcome(answer, await answer.services.back.restart(control.game, answer.user, delivery))


async def again(answer: Answer, control: Control) -> None:
    """Do what the company did the last time in this step."""
    here, seat = await seated_to_play(answer, control)
    if here is None:
        return
    await _play(answer, control, lambda wish: (REPEATED, Repeated(seat, control.arg, wish)))


async def shut(answer: Answer, control: Control) -> None:
    """Clear the desk, and what was in the making."""
    await answer.services.drafts.keep(control.game, answer.user, control.version, START)
    await answer.show(Screen("Closed; nothing more was played. To reopen your desk, press **Act**."))


async def snooze(answer: Answer, control: Control) -> None:
    """Put off the calls to this turn."""
    await answer.show(Screen(await answer.services.calling.snooze(control.game, answer.user, control.arg)))


async def _go(answer: Answer, control: Control, path: str, typed: str = "") -> None:
    """Show the desk at a path; what the rules refuse is told above the step before."""
    here, seat = await seated_or_shown(answer, control)
    if here is not None:
        draft = DeskPlace(path, typed, await basket_of(answer, here))
        shown = await desk_screen(answer.services, here, seat, draft)
        await answer.services.drafts.keep(control.game, answer.user, here.version, draft)
        await answer.show(shown)


async def _of_sign(answer: Answer, here: Position, seat: int, sign: str, *words: Action) -> Action:
    """Return the move a button was drawn for: what is said, or a tip, be it of another search.

    A button that tells more than we know was drawn before a restart; the search that found it is made again.

    Raises:
        BotError: there is no such move.
    """
    advice = answer.services.table.advice
    for look in (advice.of, advice.planned, advice.proven):
        known = {mark(action): action for action in (*words, *advice.known(here, seat).actions)}
        if sign not in known:
            known = {mark(action): action for action in (await look(here, seat)).actions}
        if sign in known:
            return known[sign]
    raise BotError(OUT_OF_DATE)


async def _play(answer: Answer, control: Control, moves: Moves | Drafted) -> None:
    """Play a move, or several in one go: all of them, or none."""
    delivery = Delivery(answer.key, control.version)
    try:
        outcome = await answer.services.table.submit(control.game, answer.user, moves, delivery)
    except StaleError as stale:
        await show_present(answer, control, stale)
    else:
        await show_outcome(answer, outcome)


async def plans(answer: Answer, control: Control) -> None:
    """Show the ways to run, the best first."""
    here, seat = await seated_or_shown(answer, control)
    if here is None:
        return
    known = await answer.services.table.advice.planned(here, seat)
    found = known.plans or known.tips
    lines = [f"**{here.ask().headline}**", *(f"{number}. {tip.label}." for number, tip in enumerate(found, 1))]
    if len(found) < 2:  # the best, and one beside it
        lines.append(
            "No other plan gives the treasury more or spares a train. To type your own, press **Back**, then **Other…**"
        )
    buttons = []
    for number, tip in enumerate(found, 1):
        played = Control(control.game, here.version, "tip", f"{number}.{mark(tip.action)}")
        label = f"{number} · Run {tip.label.partition(':')[0]}" if known.plans else tip.label
        buttons.append(Button(clip(label, LABEL), played, "main" if number == 1 else "plain"))
    back = Button("Back", Control(control.game, here.version, "at"))
    await answer.show(Screen("\n".join(lines), rows=rows_of([*buttons, back])))
