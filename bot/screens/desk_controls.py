"""Buttons, menus and forms of the desk and of the messages of a table."""

from typing import get_args

import msgspec

from bot.model.errors import BotError, StaleError
from bot.model.records import Outcome, Position
from bot.model.seating import listed
from bot.screens.answer import Answer
from bot.screens.check import unquoted
from bot.screens.desk_tasks import AGAIN
from bot.screens.draft import mark
from bot.screens.open_desk import confirmed, desk_screen, said, seated
from bot.screens.screen import Button, Form, Screen, clip
from bot.screens.wire import Control, number_of
from bot.service.drafts import START, DeskPlace
from bot.service.orders.setting import title
from bot.service.seats.calling import Snooze
from bot.service.table import Delivery, Drafted, Moves, OtherMoveError
from bot.service.workers.next_up import FOLLOW_UP, AfterThat
from engine import Action, RuleError
from engine.codec import decode_action, encode_action
from engine.forgiving import unsigned
from engine.words import WordingError, decline

OUT_OF_DATE = "That menu is out of date."
MOST_TYPED = 500
MOST_ASIDE = 12
MOST_DECLINES = 8
HINT = "As on the buttons or in the list"


async def act(answer: Answer, control: Control) -> None:
    """Open the desk as the game stands now, whatever the button's version."""
    await answer.acknowledge()
    await show_desk(answer, control.game, goes_on=True)


async def at(answer: Answer, control: Control) -> None:
    """Go to a screen of the desk."""
    await answer.acknowledge()
    await _go(answer, control, control.arg, unquoted(answer.clicked_text))


async def pick(answer: Answer, control: Control) -> None:
    """Take what was chosen in a menu."""
    await answer.acknowledge()
    if (chosen := number_of("".join(answer.values[:1]))) is None:
        raise BotError(OUT_OF_DATE)
    await _go(answer, control, f"{control.arg.partition('/')[0]}.{chosen}")


async def ask(answer: Answer, control: Control) -> None:
    """Open a form for a number or text; nothing is read before, for a form must be the first answer."""
    path, question, span = (*control.arg.split("/", 2), "", "")[:3]
    typed = Control(control.game, control.version, "say", path)
    await answer.ask(Form(clip(question or path.capitalize(), 45), typed, clip(span or HINT, 45), span))


async def say(answer: Answer, control: Control) -> None:
    """Take what was typed into the form."""
    await answer.acknowledge()
    typed = " ".join("".join(answer.values).split())[:MOST_TYPED]
    if not typed:
        raise BotError("Nothing was typed.")
    typed = unsigned(typed) if unsigned(typed).isdecimal() else typed
    number = number_of(typed)
    path = f"{control.arg}.*" if number is None else f"{control.arg}.={number}"
    await _go(answer, control, path, typed if number is None else "")


async def do(answer: Answer, control: Control) -> None:
    """Play the move that was checked, or one that needs no words."""
    await answer.acknowledge()
    here, seat = await seated_or_shown(answer, control)
    if here is None:
        return
    await _confirm(answer, control, here, seat, ())


async def do_after(answer: Answer, control: Control) -> None:
    """Play the moves that were put aside, and the one that was checked after them."""
    await answer.acknowledge()
    here, seat = await seated_or_shown(answer, control)
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
    await answer.acknowledge()
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
    await answer.acknowledge()
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
    await answer.acknowledge()
    here, _ = await seated_or_shown(answer, control)
    if here is None:
        return
    moves = [decode_action(here.table.title, each) for each in await basket_of(answer, here)]
    if not moves:
        raise BotError(OUT_OF_DATE)
    await _play(answer, control, tuple(moves))


async def tip(answer: Answer, control: Control) -> None:
    """Play a move that has a button of its own."""
    await answer.acknowledge()
    here, seat = await seated_or_shown(answer, control)
    if here is None:
        return
    sign, _, then = control.arg.rpartition(".")[2].partition("+")
    action = await _of_sign(answer, here, seat, sign)
    second = await _following(answer, here, seat, action, then) if then else ()
    await _play(answer, control, (action, *second))


async def _following(answer: Answer, here: Position, seat: int, action: Action, sign: str) -> tuple[Action, ...]:
    """Return what the button of a move plays right after it; ``sign`` says how many moves, and the first of them.

    Raises:
        BotError: that is something else now.
    """
    asked = AfterThat(seat, encode_action(action).decode())
    found = await answer.services.workers.do(FOLLOW_UP, asked, here.course)
    moves = tuple(decode_action(here.table.title, each) for each in found)
    if not moves or f"{len(moves)}{mark(moves[0])}" != sign:
        raise BotError(OUT_OF_DATE)
    return moves


async def undo(answer: Answer, control: Control) -> None:
    """Take back the person's last move."""
    await answer.acknowledge()
    delivery = Delivery(answer.key, control.version)
    outcome = await answer.services.back.undo(control.game, answer.user, delivery=delivery)
    await show_outcome(answer, outcome)


async def restart(answer: Answer, control: Control) -> None:
    """Take back all that the person did in this turn."""
    await answer.acknowledge()
    delivery = Delivery(answer.key, control.version)
    await show_outcome(answer, await answer.services.back.restart(control.game, answer.user, delivery))


async def again(answer: Answer, control: Control) -> None:
    """Do what the company did the last time in this step."""
    await answer.acknowledge()
    here, seat = await seated_or_shown(answer, control)
    if here is None:
        return
    found = await answer.services.workers.do(AGAIN, seat, here.course)
    action = decode_action(here.table.title, found) if found else None
    if action is None or mark(action) != control.arg:
        raise BotError(OUT_OF_DATE)
    await _play(answer, control, (action,))


async def shut(answer: Answer, control: Control) -> None:
    """Clear the desk, and what was in the making."""
    await answer.acknowledge()
    await answer.services.drafts.keep(control.game, answer.user, control.version, START)
    await answer.show(Screen("Closed. Nothing more was played; **Act** opens the desk again."))


async def vote(answer: Answer, control: Control) -> None:
    """Say yes or no to a proposal."""
    await answer.acknowledge()
    text, _, word = control.arg.partition(".")
    if (number := number_of(text)) is None or word not in ("yes", "no", "no.w"):
        raise BotError(OUT_OF_DATE)
    if word == "no.w":
        asked = await answer.services.consent.proposal(number)
        if asked is None or asked.proposer != answer.user:
            raise BotError("Only who asked may withdraw it.")
    outcome = await answer.services.consent.vote(control.game, answer.user, number, yes=word == "yes")
    await answer.show(Screen(" ".join(outcome.sentences)))


async def snooze(answer: Answer, control: Control) -> None:
    """Put off the calls to this turn."""
    await answer.acknowledge()
    wishes: tuple[Snooze, ...] = get_args(Snooze)
    until = next((wish for wish in wishes if wish == control.arg), None)
    if until is None:
        raise BotError(OUT_OF_DATE)
    await answer.show(Screen(await answer.services.calling.snooze(control.game, answer.user, until)))


async def show_desk(answer: Answer, game: int, before: str = "", *, goes_on: bool = False) -> None:
    """Show the first screen of the desk, with words above it; or, to go on, the one where the person was last."""
    here, seat = await seated(answer.services, answer.user, game)
    draft = await answer.services.drafts.find(game, answer.user, here.version) if goes_on else START
    shown = await _drafted(answer, here, seat, draft) or await desk_screen(answer.services, here, seat)
    for gone in await answer.services.orders.news(game, answer.user):
        before = f"{before}\n-# Your order stopped ({title(gone)}): {gone.reason}".strip()
    if before:
        shown = msgspec.structs.replace(shown, text=f"{before}\n\n{shown.text}")
    await answer.show(shown)


async def _drafted(answer: Answer, here: Position, seat: int, draft: DeskPlace) -> Screen | None:
    """Return the screen where the person was last in this position; ``None`` if that was the first."""
    if draft == START:
        return None
    try:
        shown = await desk_screen(answer.services, here, seat, draft)
    except (BotError, RuleError, WordingError):
        return None  # it leads nowhere, or not any more
    return msgspec.structs.replace(shown, text=f"-# You go on where you were.\n{shown.text}")


async def show_outcome(answer: Answer, outcome: Outcome) -> None:
    """Show what came of a move: and the desk again while the turn goes on."""
    told = clip(" ".join(outcome.sentences), 1500)
    if silenced := answer.missing_permissions():
        told = f"{told}\n-# {silenced} The table hears of it as far as I can say it."
    game = outcome.table.id
    if any(answer.user in (seat.user, seat.proxy) for seat in outcome.actors) and outcome.proposal is None:
        await _show_desk_after(answer, game, f"✓ {told}")
        return
    waits = listed([seat.name for seat in outcome.actors])
    ending = f"\n-# The turn is with {waits}." if waits else ""
    take_back = Button("Take it back", Control(game, outcome.version, "undo"))
    moved = outcome.handed_over or outcome.repeated  # a seat given up, or a deputy, is no move
    rows = ((take_back,),) if moved and outcome.proposal is None and outcome.result is None else ()
    await answer.show(Screen(f"✓ {told}{ending}", rows=rows))


async def _show_desk_after(answer: Answer, game: int, told: str) -> None:
    """Show the desk after a move; where that fails at least the move is told: it is stored."""
    try:
        await show_desk(answer, game, told)
    except BotError:
        await answer.show(Screen(f"{told}\n-# **Act** opens the desk again."))


async def _go(answer: Answer, control: Control, path: str, typed: str = "") -> None:
    """Show the desk at a path; what the rules refuse is told above the step before."""
    here, seat = await seated_or_shown(answer, control)
    if here is not None:
        draft = DeskPlace(path, typed, await basket_of(answer, here))
        shown = await desk_screen(answer.services, here, seat, draft)
        await answer.services.drafts.keep(control.game, answer.user, here.version, draft)
        await answer.show(shown)


async def seated_or_shown(answer: Answer, control: Control) -> tuple[Position | None, int]:
    """Return the position a control belongs to and who acts; for a stale one show the present desk, and no position.

    What made it stale may be this very press, delivered a second time: then its answer is shown again.
    """
    try:
        return await seated(answer.services, answer.user, control.game, control.version)
    except StaleError as stale:
        known = await answer.services.table.answered(answer.key, control.game, answer.user)
        if known is not None:
            await show_outcome(answer, known)
            return None, -1
        try:
            await show_desk(answer, control.game, stale.sentence)
        except BotError:
            raise stale from None
        return None, -1


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
    outcome = await answer.services.table.submit(control.game, answer.user, moves, delivery)
    await show_outcome(answer, outcome)
