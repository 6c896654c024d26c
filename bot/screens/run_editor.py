"""Runs composed by taps: another amount, an end moved, a stop passed by or counted, trains exchanged, redrawn at once.

The plan stands in the message itself, as typed text does; a path "=1.7" shows its second run after the eighth change,
"=0.1003" the fourth plan for another amount.
"""

from collections.abc import Sequence
from contextlib import suppress

import msgspec

from bot.model.errors import BotError
from bot.screens.desk import AFTER_PASS, Desk, read_action
from bot.screens.desk_menus import find_sum, fit_label, fit_run_label
from bot.screens.screen import (
    MAX_MENU_OPTIONS,
    MAX_OPTION_LENGTH,
    OUT_OF_DATE,
    Button,
    Control,
    Menu,
    MenuOption,
    Screen,
    Tone,
    clip,
    make_mark,
    read_number,
)
from bot.screens.text import quote_typed
from bot.service.workers.next_up import RunAhead, find_run_ahead, list_follow_ups
from engine import Action, RuleError
from engine.hints import RunEdit
from engine.words import WordingError, write_parameters

EDITOR = "="
"""What the path of the editor begins with; the number of the run follows."""
MAX_TRAIN_BUTTONS = 4
MAX_RUN_BUTTONS, MAX_CHANGES = 2, 2
"""Ways to run, and trains to change, that have a button before *More…*."""
FIRST_AMOUNT = 1_000
"""Steps from here on are plans for other amounts."""
MAX_FOLLOW_UPS = 4
"""Ways to go on after a run that have a button beside it: to pay, or to keep, and to end the turn then."""
MAX_CHANGE_MENUS = 3
"""Beside the menus of other amounts."""


def show_editor(desk: Desk, path: str, typed: str, *, whole: bool = False) -> Screen:
    """Return the screen on which the runs of a company are changed.

    Raises:
        BotError: there is no such run, or no such change of it.
    """
    number, _, step = path.removeprefix(EDITOR).partition(".")
    at, chosen = read_number(number), read_number(step) if step else None
    first = find_best_plan(desk)
    plan = typed or first
    if chosen is not None:
        edits = list_edits(desk, plan) if chosen < FIRST_AMOUNT else list_amounts(desk, plan)
        if chosen % FIRST_AMOUNT >= len(edits):
            raise BotError(OUT_OF_DATE)
        plan = edits[chosen % FIRST_AMOUNT].plan
    edits = list_edits(desk, plan)
    if at is None or not edits or (step and chosen is None):
        raise BotError(OUT_OF_DATE)
    runs = [run for part in plan.split(";") for run in part.split(" + ")]
    at = min(at, len(runs) - 1)
    run = _make_run(desk, plan)
    lines = ["**How do the trains run?**"]
    running: list[Button] = []
    try:
        running = _make_run_buttons(desk, run)
    except RuleError as refusal:
        lines.append(f"Not yet: {refusal.sentence}")
    lines += [quote_typed(plan), f"Change run {at + 1} of {len(runs)}: {runs[at].strip().replace('-', '–')}"]
    rest = [(place, each) for place, each in enumerate(runs[:MAX_TRAIN_BUTTONS]) if place != at]
    changes = [
        Button(
            fit_label(f"Change {each.strip().partition(' ')[0]} ({place + 1})"),
            desk.make_control("at", f"{EDITOR}{place}"),
        )
        for place, each in rest
    ]
    buttons = [*running[:MAX_RUN_BUTTONS], *changes[:MAX_CHANGES], Button("Back", desk.make_control("at"))]
    buttons += [*running[MAX_RUN_BUTTONS:], *changes[MAX_CHANGES:]]
    text, rows = desk.fit(f"{EDITOR}{at}", lines, buttons, whole=whole)
    drawn = None
    with suppress(RuleError):
        drawn = desk.game.illustrate(desk.request, (run,))
    pictures = () if drawn is None else (drawn,)
    others = make_amount_menus(desk, plan) if plan == first else ()
    menus = (*others, *_make_menus(desk, at, len(runs), edits))
    return Screen(text, pictures, menus=menus, rows=rows)


def find_best_plan(desk: Desk) -> str:
    """Return the plan of the best run that is known, or found now after moves that were put aside; "" if none is."""
    best = next((tip.action for tip in desk.advised.tips if tip.short is not None), None)
    if best is None and desk.basket and (ahead := find_run_ahead(desk.game, desk.seat)) is not None:
        best = None if ahead.declines else ahead.best
    return "" if best is None else next(iter(write_parameters(best).values()), "")


def list_edits(desk: Desk, plan: str) -> Sequence[RunEdit]:
    """Return the changes of a plan by one step."""
    return desk.game.title.advice.edits(desk.game.state, desk.seat, plan)


def list_amounts(desk: Desk, plan: str) -> Sequence[RunEdit]:
    """Return a plan for each other amount."""
    return desk.game.title.advice.amounts(desk.game.state, desk.seat, plan)


def _make_run_buttons(desk: Desk, run: Action) -> list[Button]:
    """Return the buttons that run by a plan, and that do with it what most would do after it.

    Raises:
        RuleError: it is not legal.
    """
    told = f"Run {_describe_plan(desk, run)}"
    meant = f"{run.verb}.*~{make_mark(run)}"
    alone = Button(told, desk.make_control("do", meant), "main")
    buttons: list[Button] = []
    for follow in list_follow_ups(desk.game, desk.seat, run):
        words = f"{told}, {follow.words}{', end turn' * follow.ends}"
        sign = f"+{len(follow.actions)}{make_mark(*follow.actions)}"
        tone: Tone = "plain" if buttons else "main"
        buttons.append(Button(fit_run_label(words, follow.aside), desk.make_control("do", f"{meant}~{sign}"), tone))
    return [*buttons[:MAX_FOLLOW_UPS], msgspec.structs.replace(alone, tone="plain" if buttons else "main")]


def _make_run(desk: Desk, plan: str) -> Action:
    """Return the action that runs by a plan.

    Raises:
        BotError: it cannot be read.
    """
    kind = next((kind for kind in desk.game.title.actions if kind.verb in desk.game.title.open_verbs), None)
    if kind is None:
        raise BotError(OUT_OF_DATE)
    try:
        return read_action(desk.game, desk.legal, desk.follow(f"{kind.verb}.*", plan))
    except WordingError:
        raise BotError(OUT_OF_DATE) from None


def _describe_plan(desk: Desk, run: Action) -> str:
    """Return what a plan earns: "£180 + 10cc".

    Raises:
        RuleError: it is not legal.
    """
    event = desk.game.play(desk.seat, run).events[0]
    return find_sum(desk.game.title.words.say(event, desk.names).partition(":")[0].rstrip("."))


def make_amount_menus(desk: Desk, plan: str) -> tuple[Menu, ...]:
    """Return the menus of other amounts than a plan earns; smaller below each the runs of its plan that differ."""
    kept, found = {run.strip() for run in plan.split(";")}, list_amounts(desk, plan)
    options = [
        MenuOption(
            fit_label(edit.words),
            str(FIRST_AMOUNT + number),
            clip("; ".join(run.strip() for run in edit.plan.split(";") if run.strip() not in kept), MAX_OPTION_LENGTH),
        )
        for number, edit in enumerate(found)
    ]
    parts = [options[start : start + MAX_MENU_OPTIONS] for start in range(0, len(options), MAX_MENU_OPTIONS)]
    return tuple(
        Menu(
            "Run for another amount" if not number else f"… from {part[0].label} to {part[-1].label}",
            desk.make_control("pick", f"{EDITOR}0/a{number}"),
            tuple(part),
        )
        for number, part in enumerate(parts)
    )


def make_amount_menu_ahead(after: Desk, ahead: RunAhead, control: Control) -> tuple[Menu, ...]:
    """Return the menu of other amounts for which a company can run after a move, what comes before the run declined."""
    there = msgspec.structs.replace(after, game=ahead.game, legal=())
    menus = make_amount_menus(there, next(iter(write_parameters(ahead.best).values())))[:1]
    start = f"{AFTER_PASS * len(ahead.declines)}{EDITOR}0."
    return tuple(
        Menu(
            "Then run for another amount", msgspec.structs.replace(control, arg=f"{control.arg}~{EDITOR}"),
            tuple(msgspec.structs.replace(each, value=f"{start}{each.value}") for each in menu.options),
        )
        for menu in menus
    )  # fmt: skip


def _make_menus(desk: Desk, at: int, count: int, edits: Sequence[RunEdit]) -> tuple[Menu, ...]:
    """Return the menus of what can be changed of a run, its ends and the stops between them, and of idle trains."""
    found = []
    for run, end, question in (
        (at, True, "Where does it begin and end?"),
        (at, False, "Which stops does it count?"),
        (count, True, "Where does an idle train run?"),
    ):
        options = [
            MenuOption(fit_label(edit.words), str(number), clip(_weigh_edit(desk, edit), MAX_OPTION_LENGTH))
            for number, edit in enumerate(edits)
            if edit.run == run and edit.end is end
        ]
        for start in range(0, len(options), MAX_MENU_OPTIONS):
            part = options[start : start + MAX_MENU_OPTIONS]
            more = f" ({start + 1} to {start + len(part)})" * (len(options) > MAX_MENU_OPTIONS)
            arg = f"{EDITOR}{run}/{int(end)}{start}"
            found.append(Menu(f"{question}{more}", desk.make_control("pick", arg), tuple(part)))
    return tuple(found[:MAX_CHANGE_MENUS])


def _weigh_edit(desk: Desk, edit: RunEdit) -> str:
    """Return what the plan earns after a change, or that something is still missing."""
    try:
        return _describe_plan(desk, _make_run(desk, edit.plan))
    except (RuleError, BotError):
        return "not legal yet"
