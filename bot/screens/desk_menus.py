"""Menus of the desk.

Whole moves stand in one menu where they can: all values of a move are said at once, and what brings most stands first.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from textwrap import shorten

import msgspec

from bot.screens.desk import AFTER_PASS, Desk, Draft, find_next_parameter
from bot.screens.screen import MAX_MENU_OPTIONS, MAX_OPTION_LENGTH, Button, Control, Menu, MenuOption, clip
from engine import Action
from engine.first_game import find_why
from engine.words import list_completions, list_parameters, write_parameters

MAX_SHORT_LABEL = 38
"""Characters of a label that a phone shows whole."""
MAX_MENUS = 12
MAX_WHOLE_MENUS = 4
MAX_GAINS, GAIN_PARTS = 8, 36
"""Moves whose gains are looked for, each in so small a part of a short search: a hundredth of a second late in 1862."""
MAX_COMMON_AMOUNTS, MAX_AMOUNTS = 4, 3
"""Amounts most people want, and buttons for them."""
MAX_FORM_LENGTH = 80
"""Characters of what a form is to ask: a button holds no more."""
MAX_NUMBERS = 5
"""Values of a number up to which each makes a move of its own; more are asked after the rest."""
IN_MENU = "menu"
"""The parameter by which a title words a whole move for a menu of many."""
_END_TURN, _END = ", end turn", ", end"
_CURRENCY = re.compile(r"[^\w\s+](?=\d)")
_AMOUNT = re.compile(r"(?:at least )?(?:[^\w\s(+/–-]\d|\d+cc).*")
"""The first sum of money in some words and what follows it; the numbers of trains are none."""
_AND, _WORDS = re.compile(r" and \D*?(?=[^\w\s]?\d)"), re.compile(r"(?<=\d|c) [a-z ]+$")
"""What stands between two amounts and behind them: "£180 and 10cc for halts"."""
_UNIT = re.compile(r"(?<=\d)(?:cc)? (?:a share|halts|subsidy)(?=$|,| ·)")
"""What an amount is of, where there is no room for it."""


def fit_label(words: str, most: int = MAX_SHORT_LABEL) -> str:
    """Return words that a phone shows whole: without their last parts where they are too many."""
    while len(words) > most and " · " in words:
        words = words.rpartition(" · ")[0]
    for sign in ("; ", ": ", ", "):
        if len(words) > most and sign in words:
            words = words.partition(sign)[0]
    return clip(words, most)


def label_move(desk: Desk, action: Action) -> str:
    """Return the words of a whole move as a phone shows them: the title's short form where they are too many."""
    whole = desk.label(action, "")
    return fit_label((len(whole) > MAX_SHORT_LABEL and desk.label(action, IN_MENU)) or whole)


def find_amount(words: str) -> str:
    """Return the money in the words of a run: "£180 + 10cc" of "Best run £180 + 10cc halts"."""
    amount = _AMOUNT.search(words)
    return _UNIT.sub(_keep_credits, amount[0]) if amount else words


def find_sum(words: str) -> str:
    """Return the money in a sentence about a run: "£180 + 10cc" of "IOW runs for £180 and 10cc for halts"."""
    return _WORDS.sub("", _AND.sub(" + ", find_amount(words)))


def explain(desk: Desk, short: Collection[str]) -> list[str]:
    """Return what a beginner wants to know on a first screen, a line each; nothing for others.

    That is why they are asked, and what they would regret of the moves that play at once; ``short`` are their verbs.
    """
    if not desk.new_here:
        return []
    tips = [tip.action for tip in desk.advised.tips]
    at_once = dict.fromkeys([*tips, *(action for action in desk.legal if action.verb in short)])
    lines = [
        f"{regret} (*{fit_label(desk.label(action, '') or action.verb.capitalize())}*)"
        for action in at_once
        for regret in desk.list_regrets(action)
    ]
    why = find_why(desk.game, desk.seat)
    return [f"*{why}*", *lines] if why else lines


def fit_run_label(words: str, aside: str) -> str:
    """Return the words of a run that is paid, with what it does to the price where there is room.

    What amounts are of goes first, then the price; what the button does stays whole.
    """
    whole = f"{words} · {aside.removeprefix('price ')}" if aside else words
    short = _UNIT.sub(_keep_credits, words)
    ways = (whole, _UNIT.sub(_keep_credits, whole), short, short.replace(_END_TURN, _END))
    fitting = next((each for each in ways if len(each) <= MAX_SHORT_LABEL), None)
    if fitting is not None:
        return fitting
    end = _END * short.endswith(_END_TURN)
    body = short.removesuffix(_END_TURN)
    while len(body) > MAX_SHORT_LABEL - len(end) and (cut := max(body.rfind(", "), body.rfind("; "))) > body.find(", "):
        body = body[:cut]
    return f"{clip(body, MAX_SHORT_LABEL - len(end))}{end}"


def _keep_credits(found: re.Match[str]) -> str:
    return "cc" if "cc" in found[0] else ""


def list_next_menus(desk: Desk, most: int = 1) -> list[Menu]:
    """Return the menus of what many do at a step: whole moves of its most usual verb that has such."""
    for verb in dict.fromkeys(action.verb for action in desk.legal):
        if moves := list_whole_moves(desk, verb, 1):
            return make_whole_menus(desk, list_parameters(type(moves[0]))[0].question, moves, most)
    return []


def make_further_menu(after: Desk, beyond: Desk | None, control: Control) -> tuple[Menu, ...]:
    """Return the menu of what may be done after a move in the same turn: whole moves, and what is asked further.

    Args:
        after: the desk as it would be then.
        beyond: as it would be after declining the step that is asked there; that "No …" is implied.
        control: of the menu.
    """
    options = [*_list_further(after)]
    if beyond is not None:
        options += [msgspec.structs.replace(one, value=f"{AFTER_PASS}{one.value}") for one in _list_further(beyond)]
    return (Menu("Then…", control, tuple(options[:MAX_MENU_OPTIONS])),) if options else ()


def _list_further(after: Desk) -> Iterator[MenuOption]:
    short = {kind.verb for kind in {type(action) for action in after.legal} if not list_parameters(kind)}
    for verb in dict.fromkeys(action.verb for action in after.legal):
        if verb in short or verb in after.game.title.open_verbs or not verb:
            continue
        moves = list_whole_moves(after, verb, 0) or _list_single_values(after, verb)
        for action in moves:
            option = _make_option(after, action)
            yield msgspec.structs.replace(option, value=f"{verb}.{option.value}".rstrip("."))
        if not moves:
            brief = next(type(action).brief for action in after.legal if action.verb == verb)
            yield MenuOption(f"{brief[:1].upper()}{brief[1:]}…", verb)


def _list_single_values(desk: Desk, verb: str) -> list[Action]:
    """Return the moves of a verb if a single value says all of each."""
    moves = [action for action in desk.legal if action.verb == verb]
    return [] if any(len(list_parameters(type(action))) > 1 for action in moves) else moves


def list_whole_moves(desk: Desk, verb: str, values: int = 2) -> list[Action]:
    """Return the moves of a verb if one choice can say all of each, those first that bring most."""
    return _order_by_gain(desk, find_whole_moves(desk, verb, values))


def find_whole_moves(desk: Desk, verb: str, values: int = 2) -> list[Action]:
    """Return the moves of a verb if one choice can say all of each.

    Empty where the moves differ in fewer ``values``, or where there are too many.
    """
    moves = [action for action in desk.legal if action.verb == verb]
    if not moves or verb in desk.game.title.open_verbs or len(moves) > MAX_WHOLE_MENUS * MAX_MENU_OPTIONS:
        return []
    known = list_parameters(type(moves[0]))
    told = [{write_parameters(action).get(each.name) for action in moves} for each in known]
    if len(known) < 2 or sum(len(each) > 1 for each in told) < values:
        return []
    if any(each.whole for each in known) and _count_numbers(moves) > MAX_NUMBERS:
        return []
    return moves


def _count_numbers(moves: Sequence[Action]) -> int:
    """Return how many moves differ in their numbers alone, at most."""
    counts: dict[tuple[str, ...], int] = {}
    for action in moves:
        whole = {each.name for each in list_parameters(type(action)) if each.whole}
        rest = tuple(value for name, value in write_parameters(action).items() if name not in whole)
        counts[rest] = counts.get(rest, 0) + 1
    return max(counts.values())


def _order_by_gain(desk: Desk, moves: Sequence[Action]) -> list[Action]:
    """Return moves, those first that bring the best run of the company most; the others keep their order.

    Few are looked at: of each place the most promising one, then the others where that one brings most.
    """
    gains = desk.find_gains()
    if not moves or gains.now is None:
        return [*moves]
    places: dict[str, list[Action]] = {}
    for action in moves:
        places.setdefault(next(iter(write_parameters(action).values())), []).append(action)
    firsts = [each[0] for each in places.values()][: MAX_GAINS * 2 // 3]
    for action in firsts:
        gains.estimate_after(desk.seat, action, GAIN_PARTS)
    best = sorted(places.values(), key=lambda each: -(gains.find_known(desk.seat, each[0]) or 0))
    rest = [action for each in best for action in each[1:]]
    for action in rest[: MAX_GAINS - len(firsts)]:
        gains.estimate_after(desk.seat, action, GAIN_PARTS)
    return sorted(moves, key=lambda action: -(gains.find_known(desk.seat, action) or 0))


def make_whole_menus(desk: Desk, question: str, moves: Sequence[Action], most: int = MAX_WHOLE_MENUS) -> list[Menu]:
    """Return the menus of whole moves, 25 in each: the first has what brings most."""
    verb = moves[0].verb
    path = f"{AFTER_PASS * desk.declined}{verb}"
    options = [_make_option(desk, action) for action in moves[: most * MAX_MENU_OPTIONS]]
    several = len(moves) > MAX_MENU_OPTIONS
    found = []
    for start in range(0, len(options), MAX_MENU_OPTIONS):
        part = options[start : start + MAX_MENU_OPTIONS]
        span = f"{start + 1} to {start + len(part)} of {len(moves)}"
        title = f"{question} ({span})" if several else question
        arg = f"{path}/{start // MAX_MENU_OPTIONS}" if several else path
        found.append(Menu(clip(title, 150), desk.make_control("pick", arg), tuple(part)))
    return found


def _make_option(desk: Desk, action: Action) -> MenuOption:
    """Return the line of a menu for a whole move: what it is and brings, and smaller below it all about it."""
    short = desk.label(action, IN_MENU)
    head, *rest = (short or desk.label(action, "")).split(" · ")
    label = " · ".join(filter(None, (head, _describe_gain(desk, action))))
    while rest and len(label) + 3 + len(rest[0]) <= MAX_SHORT_LABEL:
        label = f"{label} · {rest.pop(0)}"
    known = list_parameters(type(action))
    more = desk.label(action, known[-1].name) if short else desk.label(action, known[0].name).partition(" · ")[2]
    shown = label.split(" · ")
    detail = " · ".join(part for part in dict.fromkeys([*rest, *more.split(" · ")]) if part and part not in shown)
    return MenuOption(clip(label, MAX_SHORT_LABEL), write_steps(desk, action), clip(detail, MAX_OPTION_LENGTH))


def _describe_gain(desk: Desk, action: Action) -> str:
    """Return what a move brings the best run, "+£40"; "" where it is nothing, or not known."""
    gains = desk.find_gains()
    gain = gains.find_known(desk.seat, action)
    if not gain or (old := gains.now) is None or not old.proven:
        return ""
    sign = _CURRENCY.search(old.words)
    return f"{'+' if gain > 0 else '−'}{sign[0] if sign else ''}{abs(gain)}"


def write_steps(desk: Desk, action: Action) -> str:
    """Return the numbers that say a whole move in a path, without its verb: "3.0"."""
    said, given = write_parameters(action), dict[str, str]()
    could = [each for each in desk.legal if each.verb == action.verb]
    tokens: list[str] = []
    while (asked := find_next_parameter(could, given)) is not None:
        words = [write_parameters(each)[asked.name] for each in list_completions(could, action.verb, given, asked.name)]
        if len(words) > 1:
            tokens.append(str(words.index(said[asked.name])))
        given[asked.name] = said.get(asked.name, words[0])
        could = [each for each in could if write_parameters(each).get(asked.name) == given[asked.name]]
    return ".".join(tokens)


def find_common_amounts(amounts: Sequence[int]) -> list[int]:
    """Return the places of four amounts most people want: the least, 5, 10 and 20 more, as far as legal.

    Where a title has put the amounts in an order of its own, the first four are what most people want.
    """
    if [*amounts] != sorted(amounts):
        return [*range(MAX_COMMON_AMOUNTS)]
    low = min(amounts, default=0)
    near = [low, low + 5, low + 10, low + 20]
    chosen = [amounts.index(amount) for amount in near if amount in amounts]
    return sorted(list(dict.fromkeys([*chosen, *range(len(amounts))]))[:MAX_COMMON_AMOUNTS])


def make_amount_choice(
    desk: Desk, draft: Draft, labels: Sequence[str], other: Sequence[int], said: int
) -> tuple[list[Button], tuple[Menu, ...], str]:
    """Return the choice of one of many amounts: buttons for those most people want, a menu or a form, its bounds.

    ``other`` are the places of those that no button plays at once; ``said`` is how many have such.
    """
    assert draft.asked is not None
    amounts = [int(write_parameters(action)[draft.asked.name]) for action in draft.values]
    near = [number for number in find_common_amounts(amounts) if number in other]
    buttons = [
        Button(fit_label(labels[number]), desk.make_control("at", f"{draft.path}.{number}"))
        for number in near[: max(MAX_AMOUNTS - said, 0)]
    ]
    if not said and len(labels) <= MAX_MENU_OPTIONS and draft.verb not in desk.game.title.open_verbs:
        return buttons, make_value_menus(desk, draft, labels, near[: len(buttons)]), ""
    least, most = (take_head(labels[amounts.index(end)]) for end in (min(amounts), max(amounts)))
    form = f"{draft.path}/{draft.asked.question}/{least} to {most}"
    buttons.append(Button("Other…", desk.make_control("ask", clip(form, MAX_FORM_LENGTH))))
    is_said = all(re.search(rf"{re.escape(end)}(?!,?\d)", " ".join(desk.ask().lines)) for end in (least, most))
    if least.partition(" ")[2] == most.partition(" ")[2]:
        least = least.partition(" ")[0]
    return buttons, (), "" if is_said else f"-# From {least} to {most}."


def make_value_menus(desk: Desk, draft: Draft, labels: Sequence[str], said: Collection[int] = ()) -> tuple[Menu, ...]:
    """Return as many menus as the values need, side by side instead of pages to turn; what is beyond must be typed.

    ``said`` are the places of those that have a button.
    """
    assert draft.asked is not None
    found = []
    for start in range(0, min(len(labels), MAX_MENU_OPTIONS * MAX_MENUS), MAX_MENU_OPTIONS):
        part = labels[start : start + MAX_MENU_OPTIONS]
        numbered = ((start + place, label) for place, label in enumerate(part))
        options = tuple(make_value_option(label, str(number)) for number, label in numbered if number not in said)
        if not options:
            continue
        several = len(labels) > MAX_MENU_OPTIONS
        title = f"{take_head(part[0])} to {take_head(part[-1])}, of {len(labels)}" if several else draft.asked.question
        arg = f"{draft.path}/{start // MAX_MENU_OPTIONS}" if several else draft.path
        found.append(Menu(clip(title, 150), desk.make_control("pick", arg), options))
    return tuple(found)


def make_value_option(label: str, value: str) -> MenuOption:
    """Return the line of a menu for a value: as much as a phone shows, and smaller below it what is cut off."""
    short = fit_label(label)
    if len(short) == 1 < len(label):  # the letter of a picture alone says nothing: "A · towards Downham Market"
        whole = label[len(short) :].removeprefix(" · ")
        head = whole.split(" and ")[0].split(" · ")[0]
        head = head if len(head) <= MAX_SHORT_LABEL - 4 else head.split(", ")[0]
        return MenuOption(
            f"{short} · {shorten(head, MAX_SHORT_LABEL - 4, placeholder='…')}",
            value,
            clip(whole, MAX_OPTION_LENGTH),
        )
    detail = label.removeprefix(short).removeprefix(" · ") if label.startswith(short) else label
    return MenuOption(short, value, clip(detail.lstrip("; :,"), MAX_OPTION_LENGTH))


def take_head(label: str) -> str:
    """Return the first part of a label, which tells it from the others."""
    return label.split(" · ", maxsplit=1)[0]
