"""Count the fewest taps by which people could have made the turns of a game, as a phone counts them.

A button is one tap, a menu two (it opens, one chooses), a form two and the typing. Typing is told apart: people take a
way without it unless that takes more taps than there are letters to type. The screens are those of the desk;
what a button does is read from its id as the bot reads it, and every way through them is tried. So a shortcut counts
only where the game really offers it. ``python -m tests.discord.taps GAME…`` prints the figures of kept games and, by
their file, of games beside the repository; ``--show`` lists what is pressed, ``--keep`` keeps the figures for the test.
"""

import argparse
import heapq
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple

import msgspec

from bot.model.errors import BotError
from bot.screens.desk import AFTER_PASS, RAISED, count_declines
from bot.screens.desk import read_action as read_draft
from bot.screens.desk_check import list_moves_after
from bot.screens.desk_screens import BUTTONS, SCREEN, list_combined_moves
from bot.screens.run_editor import EDITOR, FIRST_AMOUNT, list_edits
from bot.screens.screen import WHOLE_SCREEN, Button, Menu, Screen, make_mark
from bot.service.workers.choices import PLANS, Considered, decode_tips
from bot.service.workers.next_up import find_repeat, list_raised
from engine import Action, Game, RuleError
from engine.interop.exchange import import_log
from engine.words import WordingError, find_pass, write_parameters
from tests.discord.plan_distance import measure_plan
from tests.discord.turns import Place, Turn, list_turns
from tests.playthroughs.record import read
from tests.support.beside import beside

BUTTON_TAPS, MENU_TAPS, FORM_TAPS = 1, 2, 2
MAX_TAPS = 16
"""Of a turn that is counted."""


class Way(NamedTuple):
    """What can be pressed: how many taps it takes, what it says, where it leads, what one must type."""

    taps: int
    label: str
    then: Place
    typed: str = ""


class Counted(NamedTuple):
    """The fewest taps of a turn: how many, what was typed, and what was pressed."""

    taps: int
    typed: tuple[str, ...]
    pressed: tuple[str, ...]

    @property
    def types_run(self) -> bool:
        """Whether a run is typed, not only an amount."""
        return not all(word.isdecimal() for word in self.typed)


class KeptTaps(NamedTuple):
    """What a turn of a whole game took when it was counted."""

    taps: int
    types_run: bool = False


KEPT = Path(__file__).with_name("taps.json")
"""What each operating turn of whole games took, ``None`` where no way was found."""


def read_kept_taps() -> dict[str, list[KeptTaps | None]]:
    """Return what ``--keep`` wrote, by game."""
    return msgspec.json.decode(KEPT.read_bytes(), type=dict[str, list[KeptTaps | None]])


def count_taps(turn: Turn) -> Counted | None:
    """Return the fewest taps by which a turn can be made; ``None`` if no way leads there."""
    number = count()
    waiting: list[tuple[int, int, Place, Counted]] = [(0, next(number), Place(0, 0, "turn"), Counted(0, (), ()))]
    done: set[Place] = set()
    while waiting:
        effort, _, place, so_far = heapq.heappop(waiting)
        if place.played >= len(turn.moves):
            return so_far
        if place in done or so_far.taps > MAX_TAPS:
            continue
        done.add(place)
        for way in _list_ways(turn, place):
            if way.then not in done:
                typed = (*so_far.typed, *filter(None, [way.typed]))
                after = Counted(so_far.taps + way.taps, typed, (*so_far.pressed, way.label))
                heapq.heappush(waiting, (effort + way.taps + len(way.typed), next(number), way.then, after))
    return None


def _list_ways(turn: Turn, place: Place) -> Iterator[Way]:
    """Yield what can be pressed on a screen and where it leads, as far as it leads to the moves that were made."""
    if place.screen == "plans":
        yield from _list_plans(turn, place)
        return
    sitting, held = turn.sit(place), turn.hold(place.played)
    try:
        if place.screen == "turn":
            made = BUTTONS.do(held, sitting)
            shown = Screen("", menus=made.menus, rows=((*made.quick, *made.openers),))
            yield Way(BUTTON_TAPS, "Act", Place(place.played, 0, "desk"))
        else:
            shown = SCREEN.do(held, sitting).screen
    except (BotError, RuleError, WordingError):
        return
    for menu in shown.menus:
        yield from (_choose_next if menu.control.verb == "then" else _choose)(turn, place, menu)
    for button in (button for row in shown.rows for button in row):
        if press := PRESSES.get(button.control.verb):
            yield from press(turn, place, button)


def _choose(turn: Turn, place: Place, menu: Menu) -> Iterator[Way]:
    """Yield the values that a menu lets one say."""
    start = menu.control.arg.partition("/")[0]
    if start.startswith((EDITOR, RAISED)):
        yield from (_edit if start.startswith(EDITOR) else _choose_raised)(turn, place, menu)
        return
    for option in menu.options:
        if turn.leads_on(place, path := f"{start}.{option.value}"):
            yield Way(MENU_TAPS, f"<{option.label}>", place._replace(screen="desk", path=path, typed=""))


def _choose_raised(turn: Turn, place: Place, menu: Menu) -> Iterator[Way]:
    """Yield the purchases that a sale makes possible, as far as the next two moves are such."""
    at, start = place.played, menu.control.arg
    found = list_raised(turn.hold(at), turn.seat) if at + 1 < len(turn.moves) else []
    for option in menu.options if found else ():
        group, *further = map(int, f"{start}.{option.value}".split(".")[1:])
        raised = found[group][further[0] if further else 0]
        leads = turn.is_meant(at + 1, raised.purchase) and (
            len(further) < 2 or turn.is_meant(at, raised.sales[further[1]])
        )
        if leads or (not further and any(turn.is_meant(at + 1, each.purchase) for each in found[group])):
            path = f"{start}.{option.value}"
            yield Way(MENU_TAPS, f"<{option.label}>", place._replace(screen="desk", path=path, typed=""))


def _choose_next(turn: Turn, place: Place, menu: Menu) -> Iterator[Way]:
    """Yield the moves that can follow a checked one."""
    path = menu.control.arg.partition("~")[0]
    desk = turn.find_desk(place)
    checked = read_draft(desk.game, desk.legal, desk.follow(path, place.typed))
    aside = place.aside + 1 + count_declines(path)
    after = place._replace(aside=aside, screen="desk", path="", typed="")
    if turn.is_meant(after.played + after.aside - 1, checked):
        for option in menu.options:
            value = option.value.lstrip(AFTER_PASS)
            declines = len(option.value) - len(value)
            then, next_up = after._replace(aside=aside + declines), turn.moves[after.played + aside :][:declines]
            if len(next_up) < declines or any(move.verb != "pass" for move in next_up):
                continue
            if not value.startswith(EDITOR):
                if turn.leads_on(then, value):
                    yield Way(MENU_TAPS, f"<then {option.label}>", then._replace(path=value))
            elif then.played + then.aside < len(turn.moves) and turn.moves[then.played + then.aside].verb == "run":
                plan = turn.find_meant_amounts(then).get(int(value.partition(".")[2]))
                if plan is not None:
                    yield Way(MENU_TAPS, f"<then {option.label}>", then._replace(path=f"{EDITOR}0", typed=plan))


def _edit(turn: Turn, place: Place, menu: Menu) -> Iterator[Way]:
    """Yield the changes of a plan that bring it nearer to the runs that were made."""
    start, best = menu.control.arg.partition("/")[0], turn.find_best_plan(place)
    plan = place.typed or best
    desk = turn.find_desk(place)
    edits, made = list_edits(desk, plan), write_parameters(turn.moves[place.played + place.aside])["plan"]
    if others := turn.find_meant_amounts(place) if plan == best else {}:
        shown = [option for option in menu.options if int(option.value) in others]
        for option in shown:
            chosen = place._replace(screen="desk", path=start, typed=others[int(option.value)])
            yield Way(MENU_TAPS, f"<{option.label}>", chosen)
        return
    shown = [option for option in menu.options if int(option.value) < FIRST_AMOUNT]
    nearest = min(shown, key=lambda option: measure_plan(made, edits[int(option.value)].plan), default=None)
    if nearest is not None and measure_plan(made, after := edits[int(nearest.value)].plan) < measure_plan(made, plan):
        yield Way(MENU_TAPS, f"<{nearest.label}>", place._replace(path=start, typed=after))


def _go(turn: Turn, place: Place, button: Button) -> Iterator[Way]:
    arg, label = button.control.arg, f"[{button.label}]"
    if arg.startswith(WHOLE_SCREEN):
        yield Way(BUTTON_TAPS, label, place._replace(path=arg))
    elif arg.startswith(EDITOR):
        typed = place.typed or turn.find_best_plan(place)
        yield Way(BUTTON_TAPS, label, place._replace(screen="desk", path=arg, typed=typed))
    elif turn.leads_on(place, arg):
        yield Way(BUTTON_TAPS, label, place._replace(screen="desk", path=arg, typed=""))


def _type(turn: Turn, place: Place, button: Button) -> Iterator[Way]:
    path = button.control.arg.partition("/")[0]
    if turn.leads_on(place, path):
        asked = turn.find_desk(place).follow(path).asked
        assert asked is not None
        word = write_parameters(turn.moves[place.played + place.aside])[asked.name]
        form = place._replace(screen="desk", path=f"{path}.={word}" if asked.whole else f"{path}.*")
        form = form._replace(typed="" if asked.whole else word)
        yield Way(FORM_TAPS, f"[{button.label}] {word}", form, word)


def _play_tip(turn: Turn, place: Place, button: Button) -> Iterator[Way]:
    sign, _, then = button.control.arg.rpartition(".")[2].partition("+")
    held = turn.hold(place.played)
    tips = decode_tips(held.game.setup.title, turn.find_tips(place.played))
    action = next(tip.action for tip in tips if make_mark(tip.action) == sign)
    yield from _play(turn, place, button, [action, *list_combined_moves(held.game, turn.seat, action, then)])


def _repeat(turn: Turn, place: Place, button: Button) -> Iterator[Way]:
    action = find_repeat(turn.hold(place.played), turn.seat)
    yield from _play(turn, place, button, [action] if action is not None else [])


def _confirm(turn: Turn, place: Place, button: Button) -> Iterator[Way]:
    path, _, rest = button.control.arg.partition("~")
    desk = turn.find_desk(place._replace(path=path))
    action = desk.advised.resolve(read_draft(desk.game, desk.legal, desk.follow(path, place.typed)))
    no = find_pass(desk.game.title.actions)
    before = [no] * count_declines(path) if no is not None else []
    after = list_moves_after(desk, action, rest.partition("~")[2]) or ()
    yield from _play(turn, place, button, [*before, action, *after])


def _put_aside(turn: Turn, place: Place, button: Button) -> Iterator[Way]:
    path = button.control.arg.partition("~")[0]
    desk = turn.find_desk(place._replace(path=path))
    action = read_draft(desk.game, desk.legal, desk.follow(path, place.typed))
    if not desk.declined and turn.is_meant(place.played + place.aside, action):
        yield Way(BUTTON_TAPS, f"[{button.label}]", Place(place.played, place.aside + 1, "desk"))


def _play(turn: Turn, place: Place, button: Button, moves: Sequence[Action]) -> Iterator[Way]:
    at = place.played + place.aside
    if turn.are_meant(at, moves):
        yield Way(BUTTON_TAPS, f"[{button.label}]", Place(at + len(moves), 0, "desk"))


def _list_plans(turn: Turn, place: Place) -> Iterator[Way]:
    """Yield the ways to run that "Other plans…" shows."""
    held = turn.hold(place.played)
    found = PLANS.do(held, Considered(turn.seat, turn.find_tips(place.played)))
    for tip in decode_tips(held.game.setup.title, found):
        if turn.is_meant(place.played, tip.action):
            yield Way(BUTTON_TAPS, f"[{tip.label}]", Place(place.played + 1, 0, "desk"))


Press = Callable[[Turn, Place, Button], Iterator[Way]]
PRESSES: Mapping[str, Press] = {
    "at": _go,
    "ask": _type,
    "tip": _play_tip,
    "again": _repeat,
    "do": _confirm,
    "doin": _confirm,
    "basket": _put_aside,
    "plans": lambda _, place, button: iter([Way(1, f"[{button.label}]", place._replace(screen="plans", path=""))]),
    "doall": lambda turn, place, button: _play(turn, place, button, ()) if place.aside else iter(()),
}


def read_game(name: str) -> Game:
    """Return a kept game, or one beside the repository if a file is named."""
    if "/" in name:
        found = import_log(beside(name).read_bytes())
        return Game.replay(found.setup, found.log)
    kept = read(name)
    return Game.replay(kept.setup, kept.read_log())


def summarise(counted: Sequence[Counted]) -> str:
    """Return the figures of some turns in a line."""
    taps = sorted(each.taps for each in counted)
    middle, tenth, few = taps[len(taps) // 2], taps[len(taps) * 9 // 10], sum(each <= 8 for each in taps)
    typed, runs = sum(len(each.typed) for each in counted), sum(each.types_run for each in counted)
    return (
        f"{len(taps)} turns, median {middle}, 90% at most {tenth}, worst {taps[-1]}; "
        f"at most 8: {few * 100 // len(taps)}%; typed: {runs} runs, {typed - runs} amounts"
    )


def main() -> None:
    """Print the figures of games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="+")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--keep", action="store_true")
    wish = parser.parse_args()
    for name in wish.games:
        turns = [*list_turns(read_game(name))]
        for operating in (True, False):
            made = [count_taps(turn) for turn in turns if turn.is_operating is operating]
            counted = [each for each in made if each is not None]
            if counted:
                kind = "operating" if operating else "others"
                sys.stdout.write(f"{name}, {kind}: {summarise(counted)}; no way: {len(made) - len(counted)}\n")
            for each in counted if wish.show else ():
                sys.stdout.write(f"  {each.taps}{' typed' * bool(each.typed)}: {' '.join(each.pressed)}\n")
            sys.stdout.flush()
            if operating and wish.keep:
                known = read_kept_taps() | {name: [each and KeptTaps(each.taps, each.types_run) for each in made]}
                KEPT.write_bytes(msgspec.json.format(msgspec.json.encode(known, order="sorted"), indent=0) + b"\n")


if __name__ == "__main__":
    main()
