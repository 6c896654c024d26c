"""The choices of the desk: what to do, and one value after the other.

It knows no game: the legal actions, their words and their pictures come from the title. It knows no Discord either: it
makes screens.
"""

import re
from collections.abc import Iterator, Sequence

import msgspec

from bot.model.seating import join_names
from bot.screens.desk import Desk, Draft
from bot.screens.screen import (
    MAX_ALT_LENGTH,
    MAX_LABEL_LENGTH,
    MAX_MENU_OPTIONS,
    MAX_OPTION_LENGTH,
    Button,
    Menu,
    MenuOption,
    Screen,
    Tone,
    clip,
    make_mark,
    make_rows,
)
from bot.service.workers.next_up import find_follow_up, shorten_label
from engine import Action, Tip
from engine.title import Ask, insert_names
from engine.view import MapView, Network, Panels, View
from engine.words import find_pass, list_parameters, write_parameters

MAX_MENUS = 12
MAX_VALUE_BUTTONS = 5
MAX_NUMBER_BUTTONS = 10
MAX_AMOUNTS = 4
MAX_FORM_LENGTH = 80
"""Characters of what a form is to ask: a button holds no more."""
CLOSE = "Close"
"""The button that shuts the desk."""
_LEFT = re.compile(r"(?<=[↻\d]), \d+ left$")


def make_quick_buttons(desk: Desk, most: int, *, private: bool = False) -> list[Button]:
    """Return buttons that play at once: the tips, then what needs no further words.

    Where others do not see it (``private``), what may end the turn is offered too: it tells what can be paid after it.
    """
    buttons: list[Button] = []
    done, no = set(), find_pass(desk.game.title.actions)
    for number, tip in enumerate(desk.advised.tips):
        tone: Tone = "main" if not buttons else "plain"
        label = clip(insert_names(tip.label, desk.names), MAX_LABEL_LENGTH)
        buttons.append(Button(label, desk.make_control("tip", f"{number}.{make_mark(tip.action)}"), tone))
        done.add(tip.action)
        is_run = tip.action.verb in desk.game.title.open_verbs
        if (number == 0 and (private or is_run)) or (private and tip.action == no):
            buttons += _make_combined_button(desk, number, tip)
    if desk.again is not None and desk.again not in done:
        words = desk.game.title.words.say(desk.game.play(desk.seat, desk.again).events[0], desk.names)
        label = f"Repeat: {words if len(words) < MAX_LABEL_LENGTH // 2 else words.partition(': ')[0]}"
        if label.partition(": ")[2] not in [button.label for button in buttons]:
            buttons.append(Button(clip(label, MAX_LABEL_LENGTH), desk.make_control("again", make_mark(desk.again))))
    short = find_short_verbs(desk.legal)
    for action in desk.legal:
        if action.verb in short and action not in done:
            label = desk.label(action, "") or action.verb.capitalize()
            buttons.append(
                Button(clip(label, MAX_LABEL_LENGTH), desk.make_control("do", f"{action.verb}~{make_mark(action)}"))
            )
    return buttons[:most]


def _make_combined_button(desk: Desk, number: int, tip: Tip) -> list[Button]:
    """Return the button for a move and what most would do right after it."""
    follow = find_follow_up(desk.game, desk.seat, tip.action)
    if follow is None:
        return []
    first, dot, rest = shorten_label(tip.label).partition(" · ")
    is_run = tip.action.verb in desk.game.title.open_verbs
    label = insert_names(f"Run, {follow.words}" if is_run else f"{first}, {follow.words}{dot}{rest}", desk.names)
    if len(label) > MAX_LABEL_LENGTH:
        return []
    sign = f"{number}.{make_mark(tip.action)}+{len(follow.actions)}{make_mark(follow.actions[0])}"
    return [Button(label, desk.make_control("tip", sign))]


def find_short_verbs(legal: Sequence[Action]) -> set[str]:
    """Return the verbs that say all by themselves, as "pass" does; looks at each action once, for there may be many."""
    kinds = {type(action) for action in legal}
    return {kind.verb for kind in kinds if kind.verb} - {kind.verb for kind in kinds if list_parameters(kind)}


def show_first_choice(desk: Desk) -> Screen:
    """Return the choice of what to do."""
    ask = desk.ask()
    lines = [_format_headline(desk, ask), *ask.lines, *ask.readings]
    at_once = {tip.action for tip in desk.advised.tips}
    left = {action.verb for action in desk.legal if action not in at_once}
    further = [button for button in make_openers(desk, least=1, private=True) if _read_verb(button) in left]
    buttons = [
        *further,
        *make_quick_buttons(desk, 10, private=True),
        *_make_plans_button(desk),
        *_make_undo_buttons(desk),
        _make_close_button(desk),
    ]
    return Screen("\n".join(lines), rows=make_rows(buttons))


def _format_headline(desk: Desk, ask: Ask) -> str:
    """Return the head of the first screen: what is to be done, and by whom if it is not this seat."""
    if desk.seat in ask.seats:
        return f"**{ask.headline}: {f'{ask.kind}?' if can_pass(desk) else f'you must {ask.kind}.'}**"
    return f"**{ask.headline}** — {join_names([desk.names[seat] for seat in ask.seats])} to {ask.kind}"


def can_pass(desk: Desk) -> bool:
    """Return whether the seat may pass, or end the step without doing anything."""
    return any(action.verb == "pass" for action in desk.legal)


def make_openers(desk: Desk, least: int = 2, *, private: bool = False) -> list[Button]:
    """Return a button for each verb that needs further words, if there are so many.

    Where others do not see it (``private``), a verb with one move only is named as that: it tells what one can pay.
    """
    found = [_make_opener(desk, could, private=private) for could in _group_long_moves(desk).values()]
    return found if len(found) >= least else []


def name_opener(kind: type[Action]) -> str:
    """Return the words of the button that asks further: what one does by an action, "Buy a train…"."""
    doing = kind.brief
    return f"{doing[:1].upper()}{doing[1:]}…"


def _read_verb(button: Button) -> str:
    return button.control.arg.partition("~")[0]


def _make_opener(desk: Desk, could: Sequence[Action], *, private: bool) -> Button:
    """Return the button for a verb: "Sell…", or the whole move where there is one only.

    That is played at once where its words say all: where no picture shows what comes of it, and nothing is put aside.
    """
    action, verb = could[0], could[0].verb
    is_one = private and len(could) == 1 and verb not in desk.game.title.open_verbs
    whole = desk.label(action, "") if is_one else ""
    if not whole or len(whole) > MAX_LABEL_LENGTH:
        return Button(clip(whole, MAX_LABEL_LENGTH) or name_opener(type(action)), desk.make_control("at", verb))
    at_once = not desk.basket and desk.game.illustrate(desk.request, (action,)) is None
    return Button(
        whole, desk.make_control("do", f"{verb}~{make_mark(action)}") if at_once else desk.make_control("at", verb)
    )


def list_long_verbs(desk: Desk) -> list[str]:
    """Return the verbs that need further words, the most usual first: in the order in which a title has its actions."""
    return [*_group_long_moves(desk)]


def _group_long_moves(desk: Desk) -> dict[str, list[Action]]:
    """Return the verbs that need further words, the most usual first, each with a move or two."""
    some: dict[str, list[Action]] = {}
    for action in desk.legal:
        moves = some.setdefault(action.verb, [])
        if len(moves) < 2:  # whether there is one only
            moves.append(action)
    short = find_short_verbs(desk.legal)
    order = dict.fromkeys(kind.verb for kind in desk.game.title.actions)
    return {verb: some[verb] for verb in order if verb and verb in some and verb not in short}


def show_value_choice(desk: Desk, draft: Draft) -> Screen:
    """Return the choice of one value: buttons for a few, menus for many, a form for free numbers and text."""
    asked = draft.asked
    assert asked is not None
    shorts = make_quick_buttons(desk, MAX_NUMBER_BUTTONS, private=True) if _is_home(desk, draft) else []
    choices = [desk.advised.resolve(action) for action in draft.values]
    picture = desk.game.illustrate(desk.request, choices)
    signs = find_marks(picture, [write_parameters(action)[asked.name] for action in draft.values])
    labels = [
        " · ".join(part for part in (sign, desk.label(action, asked.name)) if part)
        for sign, action in zip(signs, draft.values, strict=True)
    ]
    labels = [label or write_parameters(action)[asked.name] for label, action in zip(labels, draft.values, strict=True)]
    if isinstance(picture, Panels):
        labels = _add_gains(desk, draft, labels)
    if picture and any(signs):
        head = f"{picture.title}." if isinstance(picture, Panels) else asked.question
        picture = msgspec.structs.replace(picture, alt=clip(f"{head} {'; '.join(labels)}.", MAX_ALT_LENGTH))
    is_open = draft.verb in desk.game.title.open_verbs
    text = _format_progress(desk, draft, f"**{asked.question}**")
    if is_open:
        text = "\n".join([text, *_describe_tips(desk, draft.verb)])
    at_once = {tip.action for tip in desk.advised.tips} if shorts else set()
    other = [
        number
        for number, action in enumerate(choices)
        if action not in at_once or _has_more_to_ask(desk, draft, action)
    ]
    after = ""
    buttons: list[Button] = []
    menus: tuple[Menu, ...] = ()
    if asked.whole and (is_open or len(labels) > MAX_NUMBER_BUTTONS):
        amounts = [int(write_parameters(action)[asked.name]) for action in draft.values]
        room = MAX_AMOUNTS - len(labels) + len(other)  # those among them that are played at once stand there already
        for number in [number for number in find_common_amounts(amounts) if number in other][: max(room, 0)]:
            buttons.append(
                Button(clip(labels[number], MAX_LABEL_LENGTH), desk.make_control("at", f"{draft.path}.{number}"))
            )
        least, most = amounts.index(min(amounts)), amounts.index(max(amounts))
        after = f"-# From {labels[least]} to {labels[most]}."
        span = f"{_take_head(labels[least])} to {_take_head(labels[most])}"
        buttons.append(
            Button("Other…", desk.make_control("ask", clip(f"{draft.path}/{asked.question}/{span}", MAX_FORM_LENGTH)))
        )
    elif (
        len(labels) <= (MAX_NUMBER_BUTTONS if asked.whole else MAX_VALUE_BUTTONS)
        and max(map(len, labels)) <= MAX_LABEL_LENGTH
    ):
        for number in other:
            buttons.append(Button(labels[number], desk.make_control("at", f"{draft.path}.{number}")))
    else:
        menus = _make_menus(desk, draft, labels)
    if menus and (beyond := len(labels) - MAX_MENU_OPTIONS * MAX_MENUS) > 0:
        after = f"-# The menus leave out {beyond}; to type one of these, press **Other…**"
    if (is_open and not asked.whole) or len(menus) == MAX_MENUS:
        buttons.append(
            Button("Other…", desk.make_control("ask", clip(f"{draft.path}/{asked.question}", MAX_FORM_LENGTH)))
        )
    buttons = [*shorts, *buttons, *_make_exits(desk, draft)]
    return Screen(text, (picture,) if picture else (), after, menus, make_rows(buttons))


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


def find_common_amounts(amounts: Sequence[int]) -> list[int]:
    """Return the places of four amounts most people want: the least, 5, 10 and 20 more, as far as legal.

    Where a title has put the amounts in an order of its own, the first four are what most people want.
    """
    if [*amounts] != sorted(amounts):
        return [*range(MAX_AMOUNTS)]
    low = min(amounts, default=0)
    near = [low, low + 5, low + 10, low + 20]
    chosen = [amounts.index(amount) for amount in near if amount in amounts]
    return sorted(list(dict.fromkeys([*chosen, *range(len(amounts))]))[:MAX_AMOUNTS])


def _make_menus(desk: Desk, draft: Draft, labels: list[str]) -> tuple[Menu, ...]:
    """Return as many menus as the values need, side by side instead of pages to turn; what is beyond must be typed."""
    assert draft.asked is not None
    found = []
    for start in range(0, min(len(labels), MAX_MENU_OPTIONS * MAX_MENUS), MAX_MENU_OPTIONS):
        part = labels[start : start + MAX_MENU_OPTIONS]
        options = tuple(
            MenuOption(clip(label, MAX_OPTION_LENGTH), str(start + place)) for place, label in enumerate(part)
        )
        several = len(labels) > MAX_MENU_OPTIONS
        title = (
            f"{_take_head(part[0])} to {_take_head(part[-1])}, of {len(labels)}" if several else draft.asked.question
        )
        arg = f"{draft.path}/{start // MAX_MENU_OPTIONS}" if several else draft.path
        found.append(Menu(clip(title, 150), desk.make_control("pick", arg), options))
    return tuple(found)


def _take_head(label: str) -> str:
    return label.split(" · ", maxsplit=1)[0]


def _format_progress(desk: Desk, draft: Draft, headline: str) -> str:
    """Return the headline with what is words so far, and what the table waits for."""
    ask = desk.ask()
    words = "; ".join(desk.label(draft.values[0], name) for name in draft.given) if draft.values else ""
    facts = (*ask.lines, *ask.readings) if "." not in draft.path else ()
    duty = "" if can_pass(desk) or desk.seat not in ask.seats else f": you must {ask.kind}"
    lines = [headline, *([f"So far: {words}"] if words else []), f"-# {ask.headline}{duty}"]
    return "\n".join([*lines, *(f"-# {line}" for line in facts)])


def _is_home(desk: Desk, draft: Draft) -> bool:
    """Return whether this is the first screen of the desk, which asks for a value of the most usual verb."""
    return draft.path == list_long_verbs(desk)[0]


def _make_exits(desk: Desk, draft: Draft) -> list[Button]:
    if _is_home(desk, draft) and not desk.basket:
        others = [button for button in make_openers(desk, private=True) if _read_verb(button) != draft.verb]
        return [*others, *_make_plans_button(desk), *_make_undo_buttons(desk), _make_close_button(desk)]
    return [Button("Back", desk.make_control("at", draft.back)), _make_close_button(desk)]


def _make_plans_button(desk: Desk) -> list[Button]:
    """Return the button of all ways to run, where a company runs."""
    runs = any(tip.short is not None for tip in desk.advised.tips)
    return [Button("Other plans…", desk.make_control("plans"))] if runs else []


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


def _make_close_button(desk: Desk) -> Button:
    return Button(CLOSE, desk.make_control("shut"))


def find_marks(picture: View | None, words: Sequence[str]) -> list[str]:
    """Return the sign of each choice on the picture, empty where it has none.

    Args:
        picture: hexes or places with ``choice``, or lettered panels in the order of the choices.
        words: the choices as typed; a hex is meant by its coordinate at the beginning.
    """
    if isinstance(picture, Panels):
        letters = [panel.letter for panel in picture.panels if panel.letter]
        return letters if len(letters) == len(words) else [""] * len(words)
    signs = dict(_list_signs(picture))
    return [signs.get(word) or signs.get(word.split(" ")[0]) or "" for word in words]


def _list_signs(picture: View | None) -> Iterator[tuple[str, str]]:
    if isinstance(picture, MapView):
        yield from ((part.coord, part.choice) for part in picture.hexes if part.choice)
    if isinstance(picture, Network):
        for link in picture.links:
            if link.choice:
                yield from ((f"{link.a} {link.b}", link.choice), (f"{link.b} {link.a}", link.choice))
        yield from ((place.id, place.choice) for place in picture.places if place.choice)
