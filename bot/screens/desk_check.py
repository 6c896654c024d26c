"""The check of a move: what will happen, tried on a copy, and what most would do right after it."""

from collections.abc import Sequence

import msgspec

from bot.model.errors import BotError
from bot.screens.desk import RAISED, Desk, Draft, read_action
from bot.screens.desk_menus import (
    MAX_SHORT_LABEL,
    find_amount,
    find_whole_moves,
    fit_label,
    fit_run_label,
    label_move,
    make_further_menu,
    write_steps,
)
from bot.screens.run_editor import make_amount_menu_ahead
from bot.screens.screen import (
    MAX_MENU_OPTIONS,
    MAX_OPTION_LENGTH,
    MAX_PHONE_LINES,
    OUT_OF_DATE,
    Button,
    Menu,
    MenuOption,
    Screen,
    clip,
    count_lines,
    make_mark,
    read_number,
)
from bot.screens.text import quote_typed
from bot.service.workers.choices import has_picture_changed, mark_changes
from bot.service.workers.next_up import (
    Raised,
    RunAhead,
    find_run_ahead,
    list_duties_ahead,
    list_follow_ups,
    list_runs_after,
)
from engine import Action, Game, Request, RuleError
from engine.title import insert_names
from engine.view import View
from engine.words import find_pass, merge_repeats

MAX_HEADLINE = 36
"""Characters of a move in the headline of its check, where the lines are needed for what follows."""
MAX_FURTHER = 2
"""Ways to go on after a move that come before all other buttons but *Confirm*."""


def format_basket(desk: Desk) -> list[str]:
    """Return what the moves that were put aside bring, a line each."""
    return ["**In your basket** (nothing is played yet)", *(f"• {line}" for line in desk.basket)] if desk.basket else []


def format_after(after: Game, desk: Desk) -> list[str]:
    """Return how a player would stand after the moves: money, certificates, what is left to do."""
    ask = after.ask().insert_names(desk.names)
    return [f"-# Then: {line.removeprefix('Then: ')}" for line in ask.lines] if desk.seat in ask.seats else []


def _can_add_move(desk: Desk, after: Game) -> bool:
    """Return whether a player's own turn goes on after a move, so that more moves can be added."""
    ask = after.ask()
    return not desk.game.ask().company and not ask.company and ask.seats[:1] == (desk.seat,)


def show_check(desk: Desk, draft: Draft, typed: str, *, whole: bool = False) -> Screen:
    """Return what will happen, tried on a copy, with Confirm, what may follow, and Back."""
    action = desk.advised.resolve(read_action(desk.game, desk.legal, draft))
    played = desk.game.play(desk.seat, action)
    names, aside = desk.names, bool(desk.basket) and not desk.declined
    label = desk.label(action, "") or f"{draft.verb} {' '.join(draft.given.values())}"
    lines = [quote_typed(typed)] if typed else []
    lines += [*desk.list_regrets(action), *_format_gain(desk, action)]
    told = (insert_names(desk.game.title.words.say(event, names), names) for event in played.events)
    lines += [f"• {line}" for line in (*desk.basket, *merge_repeats(told))]
    goes_on = _can_add_move(desk, played.game)
    after = format_after(played.game, desk) if goes_on or aside else []
    lines += after if whole else after[:1]
    meant = f"{draft.path}~{make_mark(action)}"
    confirm = Button("Confirm all" if aside else "Confirm", desk.make_control("do", meant), "good")
    ahead = _find_run_ahead(desk, action, played.game)
    further = _make_further_buttons(desk, action, played.game, ahead, meant)
    labels = _list_declines(desk, played.game)
    declined = ", ".join(f"{label[:1].lower()}{label[1:]}" for label in labels)
    declining: list[Button] = []
    if declined:
        words = f"Confirm, {declined}" if len(declined) + 9 <= MAX_SHORT_LABEL else "Confirm, nothing more"
        declining = [Button(words, desk.make_control("do", f"{meant}~{len(labels)}"), "good")]
        lines += [f"-# *{further[0].label}* also means: {declined}."] if further else []
    adding = [Button("Add a move…", desk.make_control("basket", meant))] if goes_on and not desk.declined else []
    cancel = Button("Cancel", desk.make_control("at"), "bad")
    came_from = draft.path.partition(".")[0] if draft.back and find_whole_moves(desk, draft.verb) else draft.back
    back = [Button("Back", desk.make_control("at", came_from))] if came_from else [cancel]
    buttons = [confirm, *further[:MAX_FURTHER], *declining, *adding, *back, *further[MAX_FURTHER:]]
    full, short = (f"**Check — {words}**" for words in (clip(label, 300), fit_label(label, MAX_HEADLINE)))
    is_long = count_lines("\n".join([full, *lines])) > MAX_PHONE_LINES - desk.above
    text, rows = desk.fit(draft.path, [short if is_long and not whole else full, *lines], buttons, whole=whole)
    later = Desk(desk.number, names, played.game, desk.seat, _list_further(desk, played.game))
    control = desk.make_control("then", meant)
    menus = make_further_menu(later, _decline_next(desk, later), control)
    menus += make_amount_menu_ahead(later, ahead, control) if ahead is not None else ()
    return Screen(clip(text, 3500), preview(desk, played.action, played.game), "", menus, rows)


def make_raised_menu(desk: Desk, found: Sequence[Sequence[Raised]]) -> tuple[Menu, ...]:
    """Return the menu of what can be bought after a sale, with the least sale that is enough."""
    options = []
    for number, (first, *others) in enumerate(found[:MAX_MENU_OPTIONS]):
        words = _label_after(desk, first.sales[0], first.purchase)
        sale = f"First: {label_move(desk, first.sales[0])}" + "; other prices too" * bool(others)
        options.append(MenuOption(fit_label(words), str(number), clip(sale, MAX_OPTION_LENGTH)))
    return (Menu("Sell, then buy…", desk.make_control("pick", RAISED), tuple(options)),) if options else ()


def show_raised(desk: Desk, found: Sequence[Sequence[Raised]], path: str, *, whole: bool = False) -> Screen:
    """Return the check of a purchase after a sale, both made by one press, with menus of other sales.

    Raises:
        BotError: there is no such purchase, or no such sale.
    """
    numbers = [each for word in path.split(".")[1:] if (each := read_number(word)) is not None]
    group, number, way = (*(numbers or [len(found)]), 0, 0)[:3]
    if group >= len(found) or number >= len(found[group]):
        raise BotError(OUT_OF_DATE)
    raised = found[group][number]
    if way >= len(raised.sales):
        raise BotError(OUT_OF_DATE)
    sale, purchase = raised.sales[way], raised.purchase
    sold = desk.game.play(desk.seat, sale)
    bought = sold.game.play(desk.seat, purchase)
    told = [desk.game.title.words.say(event, desk.names) for event in (*sold.events, *bought.events)]
    lines = [f"**Check — {fit_label(_label_after(desk, sale, purchase), MAX_HEADLINE)}**", *desk.list_regrets(sale)]
    lines += [f"• {insert_names(sentence, desk.names)}" for sentence in merge_repeats(told)]
    lines += format_after(bought.game, desk)[:1]
    meant = f"{f'{sale.verb}.{write_steps(desk, sale)}'.rstrip('.')}~{make_mark(sale)}~+1{make_mark(purchase)}"
    buttons = [Button("Confirm both", desk.make_control("do", meant), "good"), Button("Back", desk.make_control("at"))]
    text, rows = desk.fit(path, lines, buttons, whole=whole)
    start = f"{RAISED}.{group}"
    sales = [MenuOption(label_move(desk, each), str(at)) for at, each in enumerate(raised.sales) if at != way]
    others = [
        MenuOption(fit_label(_label_after(desk, each.sales[0], each.purchase)), str(at))
        for at, each in enumerate(found[group])
        if at != number
    ]
    menus = [("Sell something else…", f"{start}.{number}", sales), ("Buy at another price…", start, others)]
    shown = tuple(
        Menu(question, desk.make_control("pick", arg), tuple(options[:MAX_MENU_OPTIONS]))
        for question, arg, options in menus
        if options
    )
    return Screen(text, preview(desk, sale, bought.game), menus=shown, rows=rows)


def _label_after(desk: Desk, sale: Action, purchase: Action) -> str:
    """Return the words of a purchase as it is after a sale."""
    after = msgspec.structs.replace(desk, game=desk.game.play(desk.seat, sale).game)
    return after.label(purchase, "") or label_move(after, purchase)


def _list_further(desk: Desk, after: Game) -> tuple[Action, ...]:
    """Return what may be done after a move in the same turn."""
    ask, company = after.ask(), desk.game.ask().company
    goes_on = ask.company == company and ask.seats[:1] == (desk.seat,)
    return after.choices(desk.seat) if goes_on else ()


def _decline_next(desk: Desk, after: Desk) -> Desk | None:
    """Return the desk at the step after the next one of a company, if that can be declined."""
    no = find_pass(desk.game.title.actions)
    if no is None or no not in after.legal or not desk.game.ask().company:
        return None
    game = after.game.play(desk.seat, no).game
    return msgspec.structs.replace(after, game=game, legal=_list_further(desk, game))


def _format_gain(desk: Desk, action: Action) -> list[str]:
    """Return what a move brings the runs of the company, where that is found quickly."""
    gains = desk.find_gains()
    old, new = gains.now, gains.estimate_after(desk.seat, action)
    if old is None or new is None:
        return []
    return [f"Best run {old.words} → **{new.words}**" if new.words != old.words else f"Best run stays {old.words}"]


def _find_run_ahead(desk: Desk, action: Action, after: Game) -> RunAhead | None:
    """Return the run to which a company comes after a move, if its best one is found quickly."""
    new = desk.find_gains().estimate_after(desk.seat, action)
    return find_run_ahead(after, desk.seat) if new is not None and new.proven else None


def _make_further_buttons(desk: Desk, action: Action, after: Game, ahead: RunAhead | None, meant: str) -> list[Button]:
    """Return the buttons that make a move, and run after it, to pay or to keep, or do what must be done next."""
    new = desk.find_gains().estimate_after(desk.seat, action)
    run = f"run {find_amount(new.words)}, " if ahead is not None and new is not None else ""
    buttons = []
    for follow in list_runs_after(ahead, desk.seat) if ahead is not None else list_duties_ahead(after, desk.seat):
        words = f"Confirm, {run}{follow.words}{', end turn' * follow.ends}"
        sign = f"+{len(follow.actions)}{make_mark(*follow.actions)}"
        buttons.append(Button(fit_run_label(words, ""), desk.make_control("do", f"{meant}~{sign}"), "good"))
    return buttons


def _list_declines(desk: Desk, after: Game) -> list[str]:
    """Return the words of all that may be declined next in the same turn, one step after the other."""
    found: list[str] = []
    company, no = after.ask().company, find_pass(desk.game.title.actions)
    while no is not None and company and after.ask().company == company and after.ask().seats[:1] == (desk.seat,):
        try:
            declined = after.play(desk.seat, no).game
        except RuleError:
            break
        found.append(insert_names(after.title.words.label(after.state, no, ""), desk.names) or no.verb)
        after = declined
    return found


def preview(desk: Desk, action: Action, after: Game) -> tuple[View, ...]:
    """Return the map as it will look if the move changes it, else the title's picture of the move."""
    first = next((picture for picture in desk.game.title.views.pictures if picture.every_turn), None)
    if first is not None:
        request = Request(first.name, desk.seat, names=desk.names)
        before, then = desk.game.look(request), after.look(request)
        if has_picture_changed(before, then):
            return (mark_changes(before, then, "what this changes"),)
    drawn = desk.game.illustrate(desk.request, (action,))
    return () if drawn is None else (drawn,)


def list_moves_after(desk: Desk, action: Action, wanted: str) -> tuple[Action, ...] | None:
    """Return the moves that are made after a checked one; ``None`` if the button was drawn for others."""
    no = find_pass(desk.game.title.actions)
    if not wanted.startswith("+"):
        return (no,) * (read_number(wanted) or 0) if no is not None else ()
    if action.verb in desk.game.title.open_verbs:
        found = [*list_follow_ups(desk.game, desk.seat, action)]
    else:
        then = desk.game.play(desk.seat, action).game
        if not desk.game.ask().company:  # a purchase after a sale
            return next(((each,) for each in then.choices(desk.seat) if wanted == f"+1{make_mark(each)}"), None)
        ahead = find_run_ahead(then, desk.seat)
        found = list_runs_after(ahead, desk.seat) if ahead is not None else list_duties_ahead(then, desk.seat)
    moves = (follow.actions for follow in found)
    return next((each for each in moves if wanted == f"+{len(each)}{make_mark(*each)}"), None)
