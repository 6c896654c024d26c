"""The choices of the desk: what to do, then one value after the other.

It knows no game: the legal actions, their words and their pictures come from the title. It knows no Discord either: it
makes screens.
"""

import re
from collections.abc import Sequence

import msgspec

from bot.model.seating import join_names
from bot.screens.desk import Desk, Draft
from bot.screens.desk_buttons import (
    find_short_verbs,
    list_long_verbs,
    make_openers,
    make_quick_buttons,
    read_opener,
)
from bot.screens.desk_menus import (
    MAX_FORM_LENGTH,
    MAX_MENUS,
    MAX_SHORT_LABEL,
    explain,
    fit_label,
    make_amount_choice,
    make_value_menus,
    make_whole_menus,
)
from bot.screens.run_editor import EDITOR, find_best_plan, make_amount_menus
from bot.screens.screen import (
    MAX_ALT_LENGTH,
    MAX_BUTTONS,
    MAX_LABEL_LENGTH,
    MAX_MENU_OPTIONS,
    MAX_PHONE_LINES,
    Button,
    Menu,
    Screen,
    clip,
    count_lines,
    make_mark,
)
from bot.service.workers.choices import find_marks
from engine import Action
from engine.setup import may_advise
from engine.view import Panels, View
from engine.words import Parameter, write_parameters

MAX_QUICK_BUTTONS = 10
MIN_VALUE_BUTTONS, MAX_VALUE_BUTTONS = 2, 4
"""Values that have buttons beside whatever else can be done, and at most; more stand in a menu."""
MAX_SO_FAR = 35
"""Characters of what is said so far, where the lines are needed for what follows."""
MAX_RUNS = 4
"""Ways to run that stand before *Edit…* and *Other plans…*."""
CLOSE, COUNSEL = "Close", "What would you do?"
"""The buttons that shut the desk, and ask the program."""
_LEFT = re.compile(r"(?<=[↻\d]), \d+ left$")


def show_first_choice(desk: Desk, *, whole: bool = False) -> Screen:
    """Return the choice of what to do; with ``whole`` all buttons, not the usual ones alone."""
    ask = desk.ask()
    if desk.seat in ask.seats:
        headline = f"**{ask.headline}: {f'{ask.kind}?' if can_pass(desk) else f'you must {ask.kind}.'}**"
    else:
        headline = f"**{ask.headline}** — {join_names([desk.names[seat] for seat in ask.seats])} to {ask.kind}"
    lines = [headline, *explain(desk, find_short_verbs(desk.legal)), *ask.lines, *ask.readings]
    at_once = {tip.action for tip in desk.advised.tips}
    left = {action.verb for action in desk.legal if action not in at_once}
    further = [button for button in make_openers(desk, least=1, private=True) if read_opener(button) in left]
    quick = make_quick_buttons(desk, 10, private=True)
    usual = [*quick, *further] if desk.advised.tips else [*further, *quick]
    text, rows = desk.fit("", lines, [*usual, *_make_others(desk)], whole=whole)
    return Screen(text, rows=rows)


def can_pass(desk: Desk) -> bool:
    """Return whether the seat may pass, or end the step without doing anything."""
    return any(action.verb == "pass" for action in desk.legal)


def show_value_choice(desk: Desk, draft: Draft, *, whole: bool = False) -> Screen:
    """Return the choice of one value: buttons for a few, menus for many, a form for free numbers and text."""
    asked, home = draft.asked, _is_home(desk, draft)
    assert asked is not None
    is_open = draft.verb in desk.game.title.open_verbs
    choices = [desk.advised.resolve(action) for action in draft.values]
    labels, picture = _label_values(desk, draft, asked, choices)
    shorts = make_quick_buttons(desk, MAX_QUICK_BUTTONS, private=True) if home else []
    later = _list_other_moves(shorts, choices) if asked.whole else []  # "Bid £5", "Bid £10", "Pass", "Other…"
    shorts = [button for button in shorts if button not in later]
    at_once = {tip.action for tip in desk.advised.tips} if shorts or later else set()
    other = [at for at, each in enumerate(choices) if each not in at_once or _has_more_to_ask(desk, draft, each)]
    buttons, menus, after = _offer_values(desk, draft, labels, other, len(shorts), later)
    if is_open and home and (best := find_best_plan(desk)):
        menus = make_amount_menus(desk, best)
    plans, first = (_make_plans_button(desk), MAX_RUNS) if is_open else ([], len(shorts))
    rest = [button for button in (*shorts[first:], *buttons, *_make_exits(desk, draft)) if button not in plans]
    tips = _describe_tips(desk, draft.verb) if is_open else []
    lines = _format_progress(desk, draft, tips, MAX_PHONE_LINES - desk.above - count_lines(after))
    path = "" if home else draft.path
    text, rows = desk.fit(path, lines, [*shorts[:first], *plans, *rest], whole=whole, below=after)
    return Screen(text, (picture,) if picture else (), after, menus, rows)


def _label_values(
    desk: Desk, draft: Draft, asked: Parameter, choices: Sequence[Action]
) -> tuple[list[str], View | None]:
    """Return the words of each value, with its sign on the picture and what it brings, and the picture, if any."""
    values = [write_parameters(action)[asked.name] for action in draft.values]
    picture = desk.game.illustrate(desk.request, choices)
    signs = find_marks(picture, values)
    words = [desk.label(action, asked.name) for action in draft.values]
    labels = [
        " · ".join(filter(None, (sign, word))) or value for sign, word, value in zip(signs, words, values, strict=True)
    ]
    if isinstance(picture, Panels):
        labels = _add_gains(desk, draft, labels)
    if picture and any(signs):
        head = f"{picture.title}." if isinstance(picture, Panels) else asked.question
        picture = msgspec.structs.replace(picture, alt=clip(f"{head} {'; '.join(labels)}.", MAX_ALT_LENGTH))
    return labels, picture


def _offer_values(
    desk: Desk, draft: Draft, labels: Sequence[str], other: Sequence[int], quick: int, later: Sequence[Button]
) -> tuple[list[Button], tuple[Menu, ...], str]:
    """Return the buttons, the menus and the words below by which one says a value.

    ``other`` are the values that none of the ``quick`` buttons plays; ``later`` are buttons that play another move.
    """
    asked = draft.asked
    assert asked is not None
    is_open = draft.verb in desk.game.title.open_verbs
    others = _list_openers(desk, draft) if _is_home(desk, draft) and not desk.basket else []
    room = max(min(MAX_VALUE_BUTTONS, MAX_BUTTONS - quick - len(others)), MIN_VALUE_BUTTONS)
    few, buttons, menus, after = len(labels) <= room, list[Button](), tuple[Menu, ...](), ""
    if asked.whole and (is_open or not few):
        amounts, menus, after = make_amount_choice(desk, draft, labels, other, quick)
        typing = [button for button in amounts if button.control.verb == "ask"]
        buttons = [*amounts[: len(amounts) - len(typing)], *later, *typing]
    elif few and (asked.whole or max(map(len, labels)) <= MAX_SHORT_LABEL):
        buttons = [Button(fit_label(labels[at]), desk.make_control("at", f"{draft.path}.{at}")) for at in other]
        buttons += later
    elif other:
        menus = make_value_menus(desk, draft, labels)
    if menus and (beyond := len(labels) - MAX_MENU_OPTIONS * MAX_MENUS) > 0:
        after = f"-# The menus leave out {beyond}; to type one of these, press **Other…**"
    if (is_open and not asked.whole) or len(menus) == MAX_MENUS:
        form = desk.make_control("ask", clip(f"{draft.path}/{asked.question}", MAX_FORM_LENGTH))
        buttons.append(Button("Type it…" if is_open else "Other…", form))
    return buttons, menus, after


def _list_other_moves(shorts: Sequence[Button], choices: Sequence[Action]) -> list[Button]:
    """Return the buttons that play at once something else than one of the choices."""
    marks = {make_mark(action) for action in choices}
    return [button for button in shorts if button.control.arg.partition(".")[2] not in marks]


def show_whole_choice(desk: Desk, draft: Draft, moves: Sequence[Action], *, whole: bool = False) -> Screen:
    """Return the choice of a whole move: buttons for a few, menus for many, those first that bring most."""
    asked = draft.asked
    assert asked is not None
    home = _is_home(desk, draft)
    shorts = make_quick_buttons(desk, MAX_QUICK_BUTTONS, private=True) if home else []
    menus = make_whole_menus(desk, asked.question, moves)
    picture = desk.game.illustrate(desk.request, moves)
    if picture:
        words = "; ".join(option.label for menu in menus for option in menu.options)
        picture = msgspec.structs.replace(picture, alt=clip(f"{asked.question} {words}.", MAX_ALT_LENGTH))
    lines = _format_progress(desk, draft, (), MAX_PHONE_LINES - desk.above)
    path = "" if home else draft.path
    text, rows = desk.fit(path, lines, [*shorts, *_make_exits(desk, draft)], whole=whole)
    return Screen(text, (picture,) if picture else (), menus=tuple(menus), rows=rows)


def _describe_tips(desk: Desk, verb: str) -> list[str]:
    """Return what the moves with buttons do, a line a part: each train's way by name.

    Of a later move only the parts are listed in which it differs from the first.
    """
    lines: list[str] = []
    first: list[str] = []
    for tip in (tip for tip in desk.advised.tips if tip.action.verb == verb):
        parts = describe_way(desk, tip.action).rstrip(".").split("; ")
        own = [part for part in parts if part not in first]
        lines.append(f"-# **{tip.label}**{', otherwise the same' * (0 < len(own) < len(parts))}")
        lines += [f"-# • {part}" for part in own]
        first = first or parts
    return lines


def describe_way(desk: Desk, action: Action) -> str:
    """Return what a move does in the words that will tell it: of runs each train's way by name."""
    told = desk.game.title.words.say(desk.game.play(desk.seat, action).events[0], desk.names)
    return told.partition(": ")[2] or told


def _add_gains(desk: Desk, draft: Draft, labels: list[str]) -> list[str]:
    """Return the words of tiles with what each brings the best run, as far as that is known."""
    found = desk.find_gains().describe(desk.seat, draft.values)
    told = [_add_gain(label, gain) for label, gain in zip(labels, found, strict=True)]
    buttons = len(labels) <= MAX_VALUE_BUTTONS and max(map(len, labels)) <= MAX_LABEL_LENGTH
    if buttons and max(map(len, told)) > MAX_LABEL_LENGTH:  # how many are left stands on the picture
        told = [_add_gain(_LEFT.sub("", label), gain) for label, gain in zip(labels, found, strict=True)]
    return told if not buttons or max(map(len, told)) <= MAX_LABEL_LENGTH else labels


def _add_gain(label: str, gain: str) -> str:
    """Return the words of a choice with what becomes of the best run, as much as a button holds."""
    if not gain:
        return label
    whole, (_, arrow, after) = f"{label} · {gain}", gain.rpartition("→")
    return f"{label} · best run {after}" if arrow and len(whole) > MAX_LABEL_LENGTH else whole


def _has_more_to_ask(desk: Desk, draft: Draft, action: Action) -> bool:
    """Return whether several actions share this value, so that another one is asked after it."""
    asked = draft.asked
    assert asked is not None
    said = write_parameters(action)
    others = (each for each in desk.legal if each.verb == draft.verb and each != action)
    return any(write_parameters(each).get(asked.name) == said[asked.name] for each in others)


def _format_progress(desk: Desk, draft: Draft, tips: Sequence[str], room: int) -> list[str]:
    """Return the question with what is said so far, and what the table waits for, a line each.

    What is said so far is shortened where so many lines of a phone don't hold it and the first fact.
    """
    ask, asked = desk.ask(), draft.asked
    assert asked is not None
    words = "; ".join(desk.label(draft.values[0], name) for name in draft.given) if draft.values else ""
    facts = (*ask.lines, *ask.readings) if "." not in draft.path else ()
    duty = "" if can_pass(desk) or desk.seat not in ask.seats else f": you must {ask.kind}"
    why = explain(desk, find_short_verbs(desk.legal)) if _is_home(desk, draft) and not desk.basket else ()
    head = [f"**{asked.question}**", *why]
    rest = [f"-# {ask.headline}{duty}", *tips, *(f"-# {line}" for line in facts)]
    if not words:
        return [*head, *rest]
    is_long = count_lines("\n".join([*head, f"So far: {words}", *rest[:2]])) > room
    return [*head, f"So far: {fit_label(words, MAX_SO_FAR) if is_long else words}", *rest]


def _is_home(desk: Desk, draft: Draft) -> bool:
    """Return whether this is the first screen of the desk, which asks for a value of the most usual verb."""
    return draft.path == list_long_verbs(desk)[0]


def _make_exits(desk: Desk, draft: Draft) -> list[Button]:
    if _is_home(desk, draft) and not desk.basket:
        return [*_list_openers(desk, draft), *_make_others(desk)]
    return [Button("Back", desk.make_control("at", draft.back))]


def _list_openers(desk: Desk, draft: Draft) -> list[Button]:
    """Return the buttons of the other verbs that need further words."""
    return [button for button in make_openers(desk, private=True) if read_opener(button) != draft.verb]


def _make_others(desk: Desk) -> list[Button]:
    """Return the buttons that are at hand whatever is asked."""
    can_ask = desk.seat in desk.ask().seats and may_advise(desk.game.setup.options, private=True)
    counsel = [Button(COUNSEL, desk.make_control("counsel"))] if can_ask and desk.game.title.advice.think else []
    close = Button(CLOSE, desk.make_control("shut"))
    return [*_make_plans_button(desk), *_make_undo_buttons(desk), *counsel, close]


def _make_plans_button(desk: Desk) -> list[Button]:
    """Return the buttons of all ways to run, and to compose one, where a company runs."""
    if all(tip.short is None for tip in desk.advised.tips):
        return []
    return [Button("Edit…", desk.make_control("at", f"{EDITOR}0")), Button("Other plans…", desk.make_control("plans"))]


def _make_undo_buttons(desk: Desk) -> list[Button]:
    """Return the button that takes back the last move, if it was this seat's, and the one of standing orders."""
    game = desk.game
    is_own = bool(game.line) and game.log[game.line[-1]].seat == desk.seat
    back = [Button("Take it back", desk.make_control("undo"))] if is_own else []
    if is_own and len(game.line) > 1 and game.log[game.line[-2]].seat == desk.seat:
        back.append(Button("Restart turn", desk.make_control("restart")))
    known = game.title.orders
    waits = known is not None and bool(known.moment(game.state).step)
    return [*back, Button("Auto…", desk.make_control("auto"))] if waits else back
