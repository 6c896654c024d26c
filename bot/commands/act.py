"""``/act``: a subcommand for every verb of every title, made from the action types."""

from collections.abc import Sequence

import msgspec

from bot.commands.command import GAME, Call, Command, Group, Kind, Parameter, Reply
from bot.screens.present import told
from bot.service.errors import BotError
from bot.service.press import press
from bot.service.records import Choice
from bot.service.table import Typed
from engine import TITLES, Action
from engine.title import named
from engine.words import parameters, spoken

MOST_HELP = 100
_MENU_LINES = 40


def act() -> Group:
    """Return the group with all verbs of the titles on the shelf."""
    kinds: dict[str, list[type[Action]]] = {}
    for title in TITLES.values():
        for kind in (each for each in title.actions if each.verb):
            kinds.setdefault(kind.verb, []).append(kind)
    menu = Command("menu", "Show what you may do now, to choose from.", (GAME,), _menu)
    return Group("act", "Make your move.", (menu, *(_command(verb, group) for verb, group in kinds.items())))


def _command(verb: str, kinds: Sequence[type[Action]]) -> Command:
    """Return the subcommand of a verb: the parameters of all action types that share it."""

    async def run(call: Call) -> Reply:
        words = {name: call.text(name) for name in call.values if name != "game"}
        game = await call.game()
        outcome = await press(call.services, game, call.person.id, Typed(verb, words), call.delivery)
        return Reply(told(outcome), game=game, outcome=outcome)

    async def complete(call: Call, parameter: str) -> list[Choice]:
        words = {name: call.text(name) for name in call.values if name not in ("game", parameter)}
        return await call.services.table.complete(await call.game(), call.person.id, Typed(verb, words), parameter)

    return Command(verb, first_line(kinds[0]), (*_joined(kinds), GAME), run, complete)


def first_line(kind: type[Action]) -> str:
    """Return the first line of an action's docstring: its description."""
    return (kind.__doc__ or kind.verb).strip().partition("\n")[0][:MOST_HELP]


def _joined(kinds: Sequence[type[Action]]) -> list[Parameter]:
    """Return the union of the parameters; required are those that every type requires, and they come first."""
    found: dict[str, Parameter] = {}
    for kind in kinds:
        for each in parameters(kind):
            whole = each.whole and (each.name not in found or found[each.name].kind == "whole")
            help_text = found[each.name].help if each.name in found else each.help[:MOST_HELP]
            required = all(each.name in _required(other) for other in kinds)
            form: Kind = "whole" if whole else "text"
            found[each.name] = Parameter(each.name, help_text, form, required, completes=True)
    return sorted(found.values(), key=lambda each: not each.required)


def _required(kind: type[Action]) -> set[str]:
    """Return the parameters of a type that must be given: those with a field that has no default."""
    needed = {field.name for field in msgspec.structs.fields(kind) if field.required}
    spans = kind.command or {name: (name,) for name in kind.__struct_fields__}
    return {name for name, span in spans.items() if needed.intersection(span)}


async def _menu(call: Call) -> Reply:
    """Open the private desk; its text twin lists what is legal."""
    table, game = call.services.table, await call.game()
    call.spend("searches")
    here = await table.position(game)
    legal = await table.legal(game, call.person.id)
    if not legal:
        raise BotError(f"You have nothing to decide at “{here.table.name}” now. /rules now says who has.")
    free = here.game.title.open_verbs
    tips = [tip for tip in await table.tips(game, call.person.id) if tip.action.verb in free]
    told = {tip.short for tip in tips}
    lines = legal_lines([action for action in legal if action not in told])
    lines += [f"{legal_lines([tip.short or tip.action])[0]} — {named(tip.label, here.table.names)}" for tip in tips]
    return Reply("\n".join(lines), game=game, desk=True)


def legal_lines(legal: Sequence[Action]) -> list[str]:
    """Return the legal actions as one would type them, a verb with few values spelled out."""
    by_verb: dict[str, list[str]] = {}
    for action in legal:
        said = "".join(f" {name}:{_quoted(value)}" for name, value in spoken(action).items())
        by_verb.setdefault(action.verb, []).append(said)
    lines: list[str] = []
    for verb, each_said in by_verb.items():
        shown = each_said if len(each_said) <= 6 else [*each_said[:5], f" … ({len(each_said)} in all)"]
        lines += [f"/act {verb}{each}" for each in shown]
    return lines[:_MENU_LINES]


def _quoted(value: str) -> str:
    return f'"{value}"' if " " in value or not value else value
