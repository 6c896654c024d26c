"""Seating a person at the desk of a game, which stands with a worker, and showing it to them."""

from collections.abc import Sequence

import msgspec

from bot.model.errors import BotError, StaleError
from bot.model.orders import describe_order
from bot.model.records import Outcome, Position
from bot.model.seating import explain_blocked, join_names, list_acting_seats
from bot.screens.answer import Answer
from bot.screens.desk import DeskAsked
from bot.screens.desk_screens import BUTTONS, CONFIRMED, SAID, SCREEN, Confirmed, TurnButtons
from bot.screens.screen import (
    MAX_PHONE_LINES,
    WHOLE_SCREEN,
    Button,
    Control,
    Screen,
    clip_lines,
    count_lines,
    fit_phone,
    make_mark,
)
from bot.screens.written_desk import ALTERNATIVES, UNDERSTOOD, WRITTEN, SeveralOrders, Understood, Written
from bot.service.people import FIRST_SCREEN, DeskPlace
from bot.service.services import Services
from bot.service.table import Drafted
from bot.service.workers.choices import Advised, encode_tips
from engine import Action, RuleError
from engine.codec import decode_action
from engine.setup import may_advise
from engine.title import insert_names
from engine.words import WordingError

MAX_DONE_LINES = 2
"""Lines about what was done, above the desk that goes on; the table reads all of it."""


async def require_seat(services: Services, user: str, game: int, version: int | None = None) -> tuple[Position, int]:
    """Return the position of a game and the seat a person is to act for.

    Raises:
        StaleError: the control was drawn for an earlier position.
        BotError: it is not this person's turn, or not their table.
    """
    here = await services.table.load_position(game, version)
    seats = list_acting_seats(here, user)
    if not seats:
        raise BotError(explain_blocked(here, user))
    return here, seats[0]


async def fetch_desk_screen(
    services: Services, here: Position, seat: int, draft: DeskPlace = FIRST_SCREEN, above: str = ""
) -> Screen:
    """Return the screen of the desk of a draft, below some words; may search routes, so acknowledge first.

    Raises:
        BotError, WordingError, RuleError: the path leads to nothing that can be done.
    """
    sitting = _describe_sitting(here, seat, await services.table.advice.find_tips(here, seat), draft)
    if await services.people.is_new_here(here.table.seats[seat].user, here.table.title):
        sitting = msgspec.structs.replace(sitting, new_here=True)
    sitting = msgspec.structs.replace(sitting, above=count_lines(above)) if above else sitting
    shown = await services.workers.do(SCREEN, sitting, here.course)
    text = "\n".join(filter(None, [above, shown.screen.text]))
    return msgspec.structs.replace(shown.screen, text=text, pictures=shown.pictures)


async def fetch_turn_buttons(services: Services, here: Position) -> TurnButtons | None:
    """Return the buttons of the turn message for the one who must act; may search routes."""
    seats = here.ask().seats
    if len(seats) != 1:
        return None
    sitting = _describe_sitting(here, seats[0], await services.table.advice.find_tips(here, seats[0]))
    return await services.workers.do(BUTTONS, sitting, here.course)


async def fetch_action(services: Services, here: Position, seat: int, draft: DeskPlace) -> Action:
    """Return the action that a draft says.

    Raises:
        BotError, WordingError: the path leads nowhere, or its words cannot be read.
    """
    sitting = _describe_sitting(here, seat, services.table.advice.get_known(here, seat), draft)
    action = await services.workers.do(SAID, sitting, here.course)
    return decode_action(here.table.title, action)


def make_confirmed(services: Services, here: Position, seat: int, draft: DeskPlace, sign: str, after: str) -> Drafted:
    """Return the move of a draft, to be made by the worker that reads it, if its button was drawn for it."""
    sitting = _describe_sitting(here, seat, services.table.advice.get_known(here, seat), draft)
    return lambda wish: (CONFIRMED, Confirmed(sitting, sign, after, wish))


async def fetch_written_desk(services: Services, here: Position, seat: int) -> Written:
    """Return the choices of a seat to be numbered, all ways to run among them, and examples; may search routes."""
    known = await services.table.advice.find_plans(here, seat)
    if known.plans:
        best, *others = known.plans
        first = msgspec.structs.replace(known.tips[0], label=f"Best run {best.label}")
        ways = [msgspec.structs.replace(each, label=f"Run {each.label}") for each in others]
        known = msgspec.structs.replace(known, tips=(first, *ways))
    sitting = _describe_sitting(here, seat, known)
    return await services.workers.do(WRITTEN, sitting, here.course)


async def understand_order(services: Services, here: Position, seat: int, text: str) -> Understood:
    """Return what a written order means; may search routes."""
    sitting = _describe_sitting(here, seat, await services.table.advice.find_tips(here, seat), DeskPlace(typed=text))
    return await services.workers.do(UNDERSTOOD, sitting, here.course)


async def find_alternatives(
    services: Services, here: Position, seat: int, orders: Sequence[str], first: str = ""
) -> tuple[int, ...]:
    """Return the places of two orders of which only one can be done, () if there are none; may search routes.

    ``first`` is the action of the first order, as JSON, if a mark stands for it.
    """
    sitting = _describe_sitting(here, seat, await services.table.advice.find_tips(here, seat))
    asked = SeveralOrders(sitting, here.version, tuple(orders), first)
    return await services.workers.do(ALTERNATIVES, asked, here.course)


def _describe_sitting(here: Position, seat: int, advised: Advised, draft: DeskPlace = FIRST_SCREEN) -> DeskAsked:
    tips = encode_tips(advised.tips)
    return DeskAsked(here.table.id, here.table.names, seat, tips, draft.path, draft.typed, draft.basket)


async def show_desk(answer: Answer, game: int, before: str = "", *, goes_on: bool = False) -> None:
    """Show the first screen of the desk, with words above it; or, to go on, the one where the person was last."""
    here, seat = await require_seat(answer.services, answer.user, game)
    draft = await answer.services.people.load_draft(game, answer.user, here.version) if goes_on else FIRST_SCREEN
    for gone in await answer.services.orders.collect_stopped(here.table, answer.user):
        before = f"{before}\n-# Your order stopped ({describe_order(gone)}): {gone.reason}".strip()
    shown = await _resume_draft(answer, here, seat, draft, before)
    await answer.show(shown or await fetch_desk_screen(answer.services, here, seat, above=before))


async def _resume_draft(answer: Answer, here: Position, seat: int, draft: DeskPlace, above: str) -> Screen | None:
    """Return the screen where the person was last in this position; ``None`` if that was the first."""
    if draft == FIRST_SCREEN:
        return None
    above = "\n".join(filter(None, [above, "-# You're back where you left off."]))
    try:
        return await fetch_desk_screen(answer.services, here, seat, draft, above)
    except (BotError, RuleError, WordingError):
        return None  # it leads nowhere now


async def show_outcome(answer: Answer, outcome: Outcome) -> None:
    """Show what came of a move: and the desk again while the turn goes on."""
    words = " ".join(outcome.sentences) or "Done."
    goes_on = any(answer.user in (seat.user, seat.proxy) for seat in outcome.actors) and outcome.proposal is None
    words = clip_lines(words, MAX_DONE_LINES if goes_on else MAX_PHONE_LINES - 1)
    if silenced := answer.describe_missing_permissions():
        words = f"{words}\n-# {silenced} The other players see only what I can post."
    game = outcome.table.id
    if goes_on:
        try:
            await show_desk(answer, game, f"✓ {words}")
        except BotError:  # at least show the move: it is stored
            await answer.show(Screen(f"✓ {words}\n-# To reopen your desk, press **Act**."))
        return
    waits = join_names([seat.name for seat in outcome.actors])
    ending = f"\n-# Waiting for {waits}." if waits else ""
    take_back = Button("Take it back", Control(game, outcome.version, "undo"))
    moved = outcome.handed_over or outcome.repeated  # a seat given up, or a deputy, is no move
    rows = ((take_back,),) if moved and outcome.proposal is None and outcome.result is None else ()
    await answer.show(Screen(f"✓ {words}{ending}", rows=rows))


async def require_seat_or_show(answer: Answer, control: Control) -> tuple[Position | None, int]:
    """Return the position a control belongs to and who acts; for a stale one show the present desk, and no position."""
    try:
        return await require_seat(answer.services, answer.user, control.game, control.version)
    except StaleError as stale:
        await show_current_desk(answer, control, stale)
        return None, -1


async def require_seat_to_play(answer: Answer, control: Control) -> tuple[Position | None, int]:
    """Return what ``require_seat_or_show`` does, as remembered: playing the move reads the database."""
    kept = answer.services.table.live.get_cached(control.game)
    seats = list_acting_seats(kept, answer.user) if kept is not None and kept.version == control.version else ()
    return (kept, seats[0]) if seats else await require_seat_or_show(answer, control)


async def show_current_desk(answer: Answer, control: Control, stale: StaleError) -> None:
    """Show the present desk in answer to a control of an earlier position.

    What made it stale may be this very press, delivered a second time: then its answer is shown again.

    Raises:
        StaleError: the person is not to act.
    """
    known = await answer.services.table.find_answer(answer.key, control.game, answer.user)
    if known is not None:
        await show_outcome(answer, known)
        return
    try:
        await show_desk(answer, control.game, stale.sentence)
    except BotError:
        raise stale from None


async def show_counsel(answer: Answer, control: Control) -> None:
    """Show what the program would do, with a button that does it."""
    here, seat = await require_seat_or_show(answer, control)
    if here is None:
        return
    (first, *others), action = await fetch_counsel(answer.services, here, seat)
    played = Control(control.game, here.version, "tip", f"0.{make_mark(action)}")
    buttons = [Button("Do that", played, "main"), Button("Back", Control(control.game, here.version, "at"))]
    more = Control(control.game, here.version, "counsel", WHOLE_SCREEN)
    words, rows = fit_phone([f"**{first}**", *others], buttons, more, whole=control.arg == WHOLE_SCREEN)
    await answer.show(Screen(words, rows=rows))


async def fetch_counsel(services: Services, here: Position, seat: int) -> tuple[list[str], Action]:
    """Return what the program would do in a seat, why, and what else it thought of, a line each; and that move.

    Raises:
        BotError: the table wants no advice.
    """
    if not may_advise(here.table.options, private=True):
        raise BotError("This table plays without advice from the program.")
    found = (await services.table.advice.find_counsel(here, seat)).counsel
    first, *others = [insert_names(tip.label, here.table.names) for tip in found]
    why = insert_names(found[0].reason, here.table.names)
    lines = [f"The stand-in would choose: {first}", *([f"{why[:1].upper()}{why[1:]}."] if why else [])]
    return [*lines, *([f"It also considered: {'; '.join(others)}."] if others else [])], found[0].action
