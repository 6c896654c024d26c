"""Runs composed by taps: an end moved, a stop passed by or counted, trains exchanged, each redrawn at once.

The plan stands in the message itself, as typed text does; a path "=1.7" shows its second run after the eighth change.
"""

import re
from collections.abc import Sequence
from contextlib import suppress

from bot.model.errors import BotError
from bot.screens.desk import Desk, read_action
from bot.screens.desk_menus import find_amount, fit_label
from bot.screens.screen import (
    MAX_MENU_OPTIONS,
    MAX_OPTION_LENGTH,
    OUT_OF_DATE,
    Button,
    Menu,
    MenuOption,
    Screen,
    clip,
    make_mark,
    make_rows,
    read_number,
)
from bot.screens.text import quote_typed
from engine import Action, RuleError
from engine.hints import RunEdit
from engine.words import WordingError, write_parameters

EDITOR = "="
"""What the path of the editor begins with; the number of the run follows."""
MAX_TRAIN_BUTTONS = 4
_AND, _WORDS = re.compile(r" and \D*?(?=[^\w\s]?\d)"), re.compile(r"(?<=\d|c) [a-z ]+$")
"""What stands between two amounts and behind them: "£180 and 10cc for halts"."""


def show_editor(desk: Desk, path: str, typed: str) -> Screen:
    """Return the screen on which the runs of a company are changed.

    Raises:
        BotError: there is no such run, or no such change of it.
    """
    number, _, step = path.removeprefix(EDITOR).partition(".")
    at, chosen = read_number(number), read_number(step) if step else None
    best = next((tip.action for tip in desk.advised.tips if tip.short is not None), None)
    plan = typed or ("" if best is None else next(iter(write_parameters(best).values()), ""))
    edits = desk.game.title.advice.edits(desk.game.state, desk.seat, plan)
    if at is None or not edits or (step and (chosen is None or chosen >= len(edits))):
        raise BotError(OUT_OF_DATE)
    if chosen is not None:
        plan = edits[chosen].plan
        edits = desk.game.title.advice.edits(desk.game.state, desk.seat, plan)
    runs = [run for part in plan.split(";") for run in part.split(" + ")]
    at = min(at, len(runs) - 1)
    run = _make_run(desk, plan)
    lines = ["**How do the trains run?**"]
    buttons: list[Button] = []
    try:
        told = _describe_plan(desk, run)
        buttons.append(Button(f"Run {told}", desk.make_control("do", f"{run.verb}.*~{make_mark(run)}"), "main"))
    except RuleError as refusal:
        lines.append(f"Not yet: {refusal.sentence}")
    lines += [
        f"{'▸ ' if at == place else ''}{place + 1} · {each.strip().replace('-', '–')}"
        for place, each in enumerate(runs)
    ]
    lines.append(quote_typed(plan))
    others = [(place, each) for place, each in enumerate(runs[:MAX_TRAIN_BUTTONS]) if place != at]
    buttons += [
        Button(
            fit_label(f"Change {each.strip().partition(' ')[0]} ({place + 1})"),
            desk.make_control("at", f"{EDITOR}{place}"),
        )
        for place, each in others
    ]
    buttons.append(Button("Back", desk.make_control("at")))
    drawn = None
    with suppress(RuleError):
        drawn = desk.game.illustrate(desk.request, (run,))
    pictures = () if drawn is None else (drawn,)
    return Screen("\n".join(lines), pictures, menus=_make_menus(desk, at, edits), rows=make_rows(buttons))


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
    told = find_amount(desk.game.title.words.say(event, desk.names).partition(":")[0].rstrip("."))
    return _WORDS.sub("", _AND.sub(" + ", told))


def _make_menus(desk: Desk, at: int, edits: Sequence[RunEdit]) -> tuple[Menu, ...]:
    """Return the menus of what can be changed of a run: its ends, and the stops between them."""
    found = []
    for end, question in ((True, "Where does it begin and end?"), (False, "Which stops does it count?")):
        options = [
            MenuOption(fit_label(edit.words), str(number), clip(_weigh_edit(desk, edit), MAX_OPTION_LENGTH))
            for number, edit in enumerate(edits)
            if edit.run == at and edit.end is end
        ]
        for start in range(0, len(options), MAX_MENU_OPTIONS):
            more = f" ({start + 1} to {min(start + MAX_MENU_OPTIONS, len(options))})" * (
                len(options) > MAX_MENU_OPTIONS
            )
            arg = f"{EDITOR}{at}/{int(end)}{start}"
            part = tuple(options[start : start + MAX_MENU_OPTIONS])
            found.append(Menu(f"{question}{more}", desk.make_control("pick", arg), part))
    return tuple(found)


def _weigh_edit(desk: Desk, edit: RunEdit) -> str:
    """Return what the plan earns after a change, or that something is still missing."""
    try:
        return _describe_plan(desk, _make_run(desk, edit.plan))
    except (RuleError, BotError):
        return "not legal yet"
