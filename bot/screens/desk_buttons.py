"""The buttons of the desk: what plays at once, and what opens a choice."""

from collections.abc import Sequence

import msgspec

from bot.screens.desk import Desk
from bot.screens.desk_menus import MAX_SHORT_LABEL, find_amount, find_sum, fit_label, fit_run_label, label_move
from bot.screens.screen import Button, make_mark
from bot.service.workers.next_up import find_follow_up, list_usual_follow_ups, shorten_label
from engine import Action, Tip
from engine.hints import write_tip
from engine.setup import may_advise
from engine.title import insert_names
from engine.words import find_pass, list_parameters

_END_TURN = ", end turn"


def make_quick_buttons(desk: Desk, most: int, *, private: bool = False) -> list[Button]:
    """Return buttons that play at once: the tips, then what needs no further words.

    Where others do not see it (``private``), what may end the turn is offered too: it tells what can be paid after it.
    """
    whole: list[Button] = []
    buttons: list[Button] = []
    done, no = set(), find_pass(desk.game.title.actions)
    advises = may_advise(desk.game.setup.options, private=private)
    tips = [(number, tip) for number, tip in enumerate(desk.advised.tips) if advises or not tip.judged]
    if not advises and any(tip.reason for _, tip in tips):
        tips.sort(key=lambda each: each[1].action == no)  # what comes first would tell what is thought best
    for number, tip in tips:
        label = _mark(desk, tip.action, fit_label(insert_names(write_tip(tip, advises=advises), desk.names)))
        buttons.append(Button(label, desk.make_control("tip", f"{number}.{make_mark(tip.action)}")))
        done.add(tip.action)
        is_run = tip.action.verb in desk.game.title.open_verbs
        if is_run:
            whole += _make_combined_buttons(desk, number, tip, private=private)
        elif private and (number < 2 or tip.action == no):
            buttons += _make_combined_buttons(desk, number, tip)
    buttons = [*whole, *buttons]
    again = desk.again
    if again is not None and again not in done and not any(_earn_alike(desk, tip.action, again) for _, tip in tips[:1]):
        words = desk.game.title.words.say(desk.game.play(desk.seat, again).events[0], desk.names).rstrip(".")
        label = fit_label(f"Repeat: {words}")
        label = label if ": " in label else f"Repeat the run for {find_sum(words.partition(': ')[0])}"
        buttons.insert(1, Button(label, desk.make_control("again", make_mark(again))))
    short = find_short_verbs(desk.legal)
    for action in desk.legal:
        if action.verb in short and action not in done:
            label = _mark(desk, action, label_move(desk, action) or action.verb.capitalize())
            buttons.append(Button(label, desk.make_control("do", f"{action.verb}~{make_mark(action)}")))
    return [msgspec.structs.replace(one, tone="main") if not at else one for at, one in enumerate(buttons[:most])]


def _earn_alike(desk: Desk, one: Action, other: Action) -> bool:
    """Return whether two runs bring the same: then the later button has nothing to offer."""
    story = desk.game.title.story
    ran = [story and story.ran(desk.game.play(desk.seat, each).events[0]) for each in (one, other)]
    return ran[0] is not None and ran[0] == ran[1]


def _mark(desk: Desk, action: Action, label: str) -> str:
    """Return the label of a button, marked if a beginner would regret what it does."""
    return f"⚠ {label}" if desk.list_regrets(action) else label


def _make_combined_buttons(desk: Desk, number: int, tip: Tip, *, private: bool = True) -> list[Button]:
    """Return the buttons for a move and what most would do right after it; of the best run also for keeping it.

    Where others see it, it does not end the turn: whether that is a matter of course tells what the treasury holds.
    """
    is_run = tip.action.verb in desk.game.title.open_verbs
    if is_run and private and not number:
        found = list_usual_follow_ups(desk.game, desk.seat, tip.action)
    else:
        follow = find_follow_up(desk.game, desk.seat, tip.action)
        found = [follow] if follow is not None else []
    first, _, aside = shorten_label(insert_names(tip.label, desk.names)).partition(" · ")
    first = f"Run {find_amount(first)}" if is_run else fit_label(first, MAX_SHORT_LABEL - len(_END_TURN))
    buttons = []
    for follow in found:
        count, ends = (len(follow.actions), follow.ends) if private else (1, False)
        words = ", ".join(filter(None, (first, follow.words))) + _END_TURN * ends
        sign = f"{number}.{make_mark(tip.action)}+{count}{make_mark(follow.actions[0])}"
        buttons.append(Button(fit_run_label(words, aside or follow.aside), desk.make_control("tip", sign)))
    return buttons


def find_short_verbs(legal: Sequence[Action]) -> set[str]:
    """Return the verbs that say all by themselves, as "pass" does; looks at each action once, for there may be many."""
    kinds = {type(action) for action in legal}
    return {kind.verb for kind in kinds if kind.verb} - {kind.verb for kind in kinds if list_parameters(kind)}


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


def read_opener(button: Button) -> str:
    """Return the verb that a button asks further about."""
    return button.control.arg.partition("~")[0]


def _make_opener(desk: Desk, could: Sequence[Action], *, private: bool) -> Button:
    """Return the button for a verb: "Sell…", or the whole move where there is one only.

    That is played at once where its words say all: where no picture shows what comes of it, and nothing is put aside.
    """
    action, verb = could[0], could[0].verb
    is_one = private and len(could) == 1 and verb not in desk.game.title.open_verbs
    whole = label_move(desk, action) if is_one else ""
    at_once = whole and not desk.basket and desk.game.illustrate(desk.request, (action,)) is None
    control = desk.make_control("do", f"{verb}~{make_mark(action)}") if at_once else desk.make_control("at", verb)
    return Button(whole or name_opener(type(action)), control)


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
