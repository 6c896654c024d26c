"""``/act``: every verb of every title, made from the action types."""

from collections.abc import Mapping, Sequence
from functools import cache

import msgspec

from bot.commands.command import GAME, Call, Command, CommandParameter, Group, Kind, Reply
from bot.model.errors import BotError
from bot.model.records import Choice
from bot.model.seating import explain_blocked, list_acting_seats
from bot.screens.lesson_controls import answer_learner, find_place, write_plain
from bot.screens.lesson_screens import LessonAsked, LessonPlace
from bot.screens.screen import Screen
from bot.screens.text import format_outcome
from bot.service.table import Typed
from bot.service.workers.choices import MenuLine
from engine import TITLES, Action
from engine.title import insert_names
from engine.words import list_parameters, write_command, write_parameters

MAX_HELP_LENGTH = 100
_MAX_MENU_LINES = 40
WAYS = "Answer with /act …; /act menu lists your moves. Also: /learn hint, /learn rule, /learn skip, /learn again."
WAYS_AT_TABLE = "Answer with /learn move:… Also: /learn hint, /learn rule, /learn skip, /learn again."
WAYS_ON = "To go on: /learn next."


def build_act() -> Group:
    """Return the group with all verbs of the titles."""
    kinds: dict[str, list[type[Action]]] = {}
    for title in TITLES.values():
        for kind in (each for each in title.actions if each.verb):
            kinds.setdefault(kind.verb, []).append(kind)
    menu = Command("menu", "List your legal moves.", (GAME,), _menu)
    return Group("act", "Make your move.", (menu, *(_build_command(verb, group) for verb, group in kinds.items())))


def _build_command(verb: str, kinds: Sequence[type[Action]]) -> Command:
    """Return the subcommand of a verb: the parameters of all action types that share it."""

    async def run(call: Call) -> Reply:
        words = {name: call.read_text(name) for name in call.values if name != "game"}
        if (place := await find_lesson_place(call)) is not None:
            return await answer_in_lesson(call, place, verb, words)
        game = await call.find_game()
        outcome = await call.services.table.submit(game, call.person.id, Typed(verb, words), call.delivery)
        return Reply(format_outcome(outcome), game=game, outcome=outcome)

    async def complete(call: Call, parameter: str) -> list[Choice]:
        words = {name: call.read_text(name) for name in call.values if name not in ("game", parameter)}
        game = await call.find_game()
        found = await call.services.table.complete(game, call.person.id, Typed(verb, words), parameter)
        return [*found[:1], *await _list_ways_to_run(call, verb, parameter), *found[1:]] if found else found

    return Command(verb, read_help(kinds[0]), (*_join_parameters(kinds), GAME), run, complete)


async def find_lesson_place(call: Call) -> LessonPlace | None:
    """Return where the person is in a lesson, if a move that names no table and is made at none is for it."""
    if call.here is not None or "game" in call.values:
        return None
    return await find_place(call.services, call.person.id)


async def answer_in_lesson(call: Call, place: LessonPlace, verb: str, words: Mapping[str, str]) -> Reply:
    """Answer a move that was typed in a lesson."""
    asked = LessonAsked(place, "typed", verb=verb, words=words)
    screen = await answer_learner(call.services, call.person.id, asked)
    return reply_in_lesson(screen, WAYS_ON if "✓ " in screen.text else name_ways(call))


def name_ways(call: Call) -> str:
    """Return how a step of a lesson is answered: where there is a table, moves go there."""
    return WAYS if call.here is None or call.hot_seat else WAYS_AT_TABLE


def reply_in_lesson(screen: Screen, way: str) -> Reply:
    """Return the reply that shows a screen of a lesson, with the way to go on where there are no buttons."""
    return Reply(write_plain(screen, way), screen=screen)


async def _list_ways_to_run(call: Call, verb: str, parameter: str) -> list[Choice]:
    """Return the ways to run beside the best one, by the numbers that they have at the desk."""
    here = await call.services.table.load_position(await call.find_game())
    known, seats = here.game.title.orders, list_acting_seats(here, call.person.id)
    if known is None or known.run is None or known.run.verb != verb or not seats:
        return []
    plans = await call.services.table.advice.find_plans_soon(here, seats[0])
    said = [
        (write_parameters(tip.short), insert_names(tip.label, here.table.names))
        for tip in plans[1:]
        if tip.short is not None
    ]
    return [Choice(words[parameter], label) for words, label in said if words.get(parameter)]


def read_help(kind: type[Action]) -> str:
    """Return the first line of an action's docstring: its description."""
    return (kind.__doc__ or kind.verb).strip().partition("\n")[0][:MAX_HELP_LENGTH]


def _join_parameters(kinds: Sequence[type[Action]]) -> list[CommandParameter]:
    """Return the union of the parameters; required is the first one of every type: what fits alone may be missing."""
    found: dict[str, CommandParameter] = {}
    for kind in kinds:
        for each in list_parameters(kind):
            whole = each.whole and (each.name not in found or found[each.name].kind == "int")
            help_text = found[each.name].help if each.name in found else each.help[:MAX_HELP_LENGTH]
            required = all(
                each.name == next(iter(list_parameters(other))).name for other in kinds if list_parameters(other)
            )
            required = required and all(each.name in _list_required(other) for other in kinds)
            form: Kind = "int" if whole else "text"
            found[each.name] = CommandParameter(each.name, help_text, form, required, completes=True)
    return sorted(found.values(), key=lambda each: not each.required)


@cache  # each of a verb's types is asked for each parameter of all of them
def _list_required(kind: type[Action]) -> frozenset[str]:
    """Return the parameters of a type that must be given: those with a field that has no default."""
    needed = {field.name for field in msgspec.structs.fields(kind) if field.required}
    spans = kind.command or {name: (name,) for name in kind.__struct_fields__}
    return frozenset(name for name, span in spans.items() if needed.intersection(span))


async def _menu(call: Call) -> Reply:
    """Open the private desk; its text twin lists what is legal."""
    if (place := await find_lesson_place(call)) is not None:
        screen = await answer_learner(call.services, call.person.id, LessonAsked(place, "menu"))
        return reply_in_lesson(screen, name_ways(call))
    table, game = call.services.table, await call.find_game()
    call.spend("searches")
    here = await table.load_position(game)
    lines = await table.list_menu(game, call.person.id)
    if not lines:
        raise BotError(explain_blocked(here, call.person.id))
    free = here.game.title.open_verbs
    known = await table.advice.find_plans(here, list_acting_seats(here, call.person.id)[0])
    others = known.plans[1:] or known.tips[1:]
    tips = [tip for tip in (*known.tips[:1], *others) if tip.action.verb in free]
    told = {write_command(tip.short) for tip in tips if tip.short is not None}
    shown = format_menu([line for line in lines if line.typed not in told])
    shown += [f"{write_command(tip.short or tip.action)} — {insert_names(tip.label, here.table.names)}" for tip in tips]
    return Reply("\n".join(shown), game=game, desk=True)


def format_menu(lines: Sequence[MenuLine]) -> list[str]:
    """Return what may be done, a line a choice: as one would type it, and what it does."""
    return [" — ".join(filter(None, (line.typed, line.words))) for line in lines][:_MAX_MENU_LINES]
