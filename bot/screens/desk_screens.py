"""The screens of the desk as workers make them, and the moves that its buttons stand for.

Nothing is played before Confirm; until then a move is tried on a copy.
"""

from typing import cast

import msgspec

from bot.model.errors import BotError
from bot.screens.desk import AFTER_PASS, MAX_DECLINES, RAISED, Desk, DeskAsked, build_desk, count_declines, read_action
from bot.screens.desk_buttons import list_long_verbs, make_openers, make_quick_buttons
from bot.screens.desk_check import (
    format_after,
    format_basket,
    list_moves_after,
    make_raised_menu,
    show_check,
    show_raised,
)
from bot.screens.desk_choices import (
    can_pass,
    show_first_choice,
    show_value_choice,
    show_whole_choice,
)
from bot.screens.desk_menus import list_next_menus, list_whole_moves
from bot.screens.run_editor import EDITOR, show_editor
from bot.screens.screen import WHOLE_SCREEN, Button, Menu, Screen, make_mark
from bot.service.workers.jobs import Held, Task
from bot.service.workers.next_up import find_follow_up, find_repeat, list_follow_ups, list_raised
from bot.service.workers.tasks import MadeMove, Wish, try_move
from engine import Action, Game, Record, RuleError
from engine.codec import decode_action, encode_action
from engine.title import insert_names_in_refusals
from engine.view import AnyView
from engine.words import find_pass

MAX_QUICK_BUTTONS = 4
MAX_OPENERS, MAX_TURN_MENUS = 5, 3
"""Of a turn message."""
MAX_MENUS_AHEAD = 2
"""Of the step after the one that is asked."""


def make_screen(desk: Desk, path: str = "", typed: str = "") -> Screen:
    """Return the screen at a path: the choice of what to do, of one value, or the check.

    May draw and search: keep it off the event loop.

    Raises:
        BotError, WordingError, RuleError: the path leads to nothing that can be done.
    """
    whole, path = path.startswith(WHOLE_SCREEN), path.removeprefix(WHOLE_SCREEN)
    if path.startswith(EDITOR):
        return show_editor(desk, path, typed, whole=whole)
    if desk.basket and not path:
        return _show_basket(desk, whole=whole)
    if not path:
        longer = list_long_verbs(desk)
        if not longer or desk.follow(longer[0]).asked is None:
            return show_first_choice(desk, whole=whole)
        path = longer[0]
    draft = desk.follow(path, typed)
    if draft.asked is None:
        return show_check(desk, draft, typed, whole=whole)
    if path == f"{AFTER_PASS * desk.declined}{draft.verb}" and (moves := list_whole_moves(desk, draft.verb)):
        return show_whole_choice(desk, draft, moves, whole=whole)
    return show_value_choice(desk, draft, whole=whole)


def _show_basket(desk: Desk, *, whole: bool) -> Screen:
    """Return what the moves that were put aside bring, and what may follow them."""
    left = [button for button in make_quick_buttons(desk, 5, private=True) if button.control.verb == "doin"]
    buttons = [
        Button("Confirm all", desk.make_control("doall"), "good"),
        *make_openers(desk, least=1, private=True),
        *left,
        Button("Empty the basket", desk.make_control("unbasket"), "bad"),
    ]
    text, rows = desk.fit("", [*format_basket(desk), *format_after(desk.game, desk)], buttons, whole=whole)
    return Screen(text, rows=rows)


class Confirmed(Record, frozen=True):
    """A move that was checked at the desk, made if it is the one its button was drawn for.

    Args:
        sitting: where it was checked; what was put aside is made before it. sign: the mark of its button.
        after: how many steps are declined right after it: "2"; or the moves that most make then: how many, their mark.
        wish: who makes it, and what is known there.
    """

    sitting: DeskAsked
    sign: str
    after: str
    wish: Wish


class Repeated(Record, frozen=True):
    """What a company did the last time, made again if it is what its button was drawn for.

    Args:
        seat: who makes it. sign: the mark of its button. wish: what is known there.
    """

    seat: int
    sign: str
    wish: Wish


class Combined(Record, frozen=True):
    """A move, made with those that most make after it, if these are what its button was drawn for.

    Args:
        seat: who makes it. action: as JSON. sign: how many follow, and the mark of the first.
        wish: what is known there.
    """

    seat: int
    action: bytes
    sign: str
    wish: Wish


class Shown(Record, frozen=True):
    """A screen on its way; its pictures travel beside it."""

    screen: Screen
    pictures: tuple[AnyView, ...]


class TurnButtons(Record, frozen=True):
    """Buttons for the turn message.

    Args:
        quick: what plays at once. openers: what needs further words.
        may_pass: whether passing is legal; ``None`` where that could give away what the table hides.
        menus: whole moves of the step that is asked, those first that bring most, and of the one after declining it.
    """

    quick: tuple[Button, ...]
    openers: tuple[Button, ...]
    may_pass: bool | None = None
    menus: tuple[Menu, ...] = ()


def _add_repeat(held: Held, desk: Desk) -> Desk:
    """Return a desk that offers what was done the last time; it takes looking back, so the turn message does not."""
    if desk.basket:
        return desk
    if desk.seat not in held.again:
        held.again[desk.seat] = find_repeat(held, desk.seat)
    return msgspec.structs.replace(desk, again=held.again[desk.seat])


def _show_screen(held: Held, sitting: DeskAsked) -> Shown:
    with insert_names_in_refusals(sitting.names):
        desk, path = build_desk(held, sitting), sitting.path.removeprefix(WHOLE_SCREEN)
        if path.startswith(RAISED) and not sitting.basket:
            made = show_raised(desk, list_raised(held, desk.seat), path, whole=path != sitting.path)
        else:
            made = make_screen(_add_repeat(held, desk), sitting.path, sitting.typed)
        if not sitting.basket and not path:
            raised = make_raised_menu(desk, list_raised(held, desk.seat))
            made = msgspec.structs.replace(made, menus=(*made.menus, *_list_menus_ahead(held, sitting), *raised))
    return Shown(msgspec.structs.replace(made, pictures=()), cast("tuple[AnyView, ...]", made.pictures))


def _list_menus_ahead(held: Held, sitting: DeskAsked) -> list[Menu]:
    """Return the menus of the next step that has such, if a company may decline those before: a "No …" is implied."""
    company = held.game.ask().company
    for count in range(1, MAX_DECLINES + 1):
        try:
            ahead = build_desk(held, msgspec.structs.replace(sitting, path=AFTER_PASS * count))
        except (BotError, RuleError):
            return []
        if not company or ahead.game.ask().company != company or ahead.game.ask().seats[:1] != (sitting.seat,):
            return []
        if menus := list_next_menus(ahead, MAX_MENUS_AHEAD):
            return menus
    return []


def _make_turn_buttons(held: Held, sitting: DeskAsked) -> TurnButtons:
    desk = build_desk(held, sitting)
    chosen, options = desk.game.setup.options, desk.game.title.options
    hides = any(chosen.get(each.name, each.default) == value for each in options for value, _ in each.hides)
    known = None if hides else can_pass(desk)
    now, ahead = ([], []) if hides else (list_next_menus(desk, MAX_TURN_MENUS), _list_menus_ahead(held, sitting))
    menus = [*now[: MAX_TURN_MENUS - len(ahead)], *ahead]
    return TurnButtons(
        tuple(make_quick_buttons(desk, MAX_QUICK_BUTTONS)), tuple(make_openers(desk)[:MAX_OPENERS]), known,
        tuple(menus) if desk.game.ask().company else (),
    )  # fmt: skip


def _encode_action(held: Held, sitting: DeskAsked) -> bytes:
    desk = build_desk(held, sitting)
    return encode_action(read_action(desk.game, desk.legal, desk.follow(sitting.path, sitting.typed)))


def _confirm(held: Held, asked: Confirmed) -> MadeMove | None:
    """Make the move that a path says, with those before and after it; ``None`` if its button means another."""
    desk = build_desk(held, asked.sitting)
    action = read_action(desk.game, desk.legal, desk.follow(asked.sitting.path, asked.sitting.typed))
    no = find_pass(held.game.title.actions)
    after = list_moves_after(desk, action, asked.after)
    if make_mark(action) != asked.sign or after is None:
        return None
    before = (no,) * count_declines(asked.sitting.path) if no is not None else ()
    moves = [*(each.encode() for each in asked.sitting.basket), *map(encode_action, (*before, action, *after))]
    return try_move(held, msgspec.structs.replace(asked.wish, action=moves[0], rest=tuple(moves[1:])))


def _repeat(held: Held, asked: Repeated) -> MadeMove | None:
    action = find_repeat(held, asked.seat)
    if action is None or make_mark(action) != asked.sign:
        return None
    return try_move(held, msgspec.structs.replace(asked.wish, action=encode_action(action)))


def _combine(held: Held, asked: Combined) -> MadeMove | None:
    moves = list_combined_moves(held.game, asked.seat, decode_action(held.game.setup.title, asked.action), asked.sign)
    if not moves:
        return None
    rest = tuple(encode_action(each) for each in moves)
    return try_move(held, msgspec.structs.replace(asked.wish, action=asked.action, rest=rest))


def list_combined_moves(game: Game, seat: int, action: Action, sign: str) -> tuple[Action, ...]:
    """Return the moves that a button makes after a move; none if it was drawn for others.

    ``sign``: how many they are, and the mark of the first.
    """
    if action.verb in game.title.open_verbs:
        found = [*list_follow_ups(game, seat, action)]
    else:
        found = [follow] if (follow := find_follow_up(game, seat, action)) is not None else []
    count = int(sign[0]) if sign[:1].isdecimal() else 0
    fitting = (each.actions[:count] for each in found if len(each.actions) >= count > 0)
    return next((moves for moves in fitting if sign == f"{count}{make_mark(moves[0])}"), ())


SCREEN = Task("screen", _show_screen, DeskAsked, Shown)
BUTTONS = Task("buttons", _make_turn_buttons, DeskAsked, TurnButtons)
COMBINED = Task("combined", _combine, Combined, MadeMove | None, lane="moves")
REPEATED = Task("repeated", _repeat, Repeated, MadeMove | None, lane="moves")
CONFIRMED = Task("confirmed", _confirm, Confirmed, MadeMove | None, lane="moves")
SAID = Task("said", _encode_action, DeskAsked, bytes, lane="moves")
