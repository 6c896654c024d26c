"""Slash commands of Discord, made from the commands defined once in ``bot.commands``."""

import inspect
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import discord
import structlog
from discord import app_commands

from bot.commands.command import MOST_WHOLE, Command, CommandParameter, Group, Kind, suggest
from bot.commands.replies import reply_with
from bot.discord.answer import Answers, DiscordAnswer, guarded
from bot.discord.calls import call_of, value_of
from engine import TITLES, Title

if TYPE_CHECKING:
    from bot.commands.command import Value

log = structlog.get_logger(__name__)
Callback = Callable[..., Coroutine[Any, Any, None]]
Completer = Callable[..., Coroutine[Any, Any, list[app_commands.Choice[Any]]]]
Whole = app_commands.Range[int, -MOST_WHOLE, MOST_WHOLE]
FORMS: dict[Kind, object] = {
    "text": str,
    "whole": Whole,
    "yes": bool,
    "user": discord.User,
    "channel": app_commands.AppCommandChannel,
    "role": discord.Role,
    "file": discord.Attachment,
}
PREFIX = "p_"
MOST_IN_GROUP = 25


CHANGED = "This command has changed. Wait a minute, or restart Discord, and type it again."


async def misfit(answers: Answers, interaction: discord.Interaction, error: Exception) -> None:
    """Answer a command that Discord knows in an older form than we do."""
    log.warning("command refused by its form", error=repr(error))
    answer = answers(interaction)
    await guarded(answer, answer.tell(CHANGED))


def build(tree: app_commands.CommandTree[Any], groups: tuple[Group, ...], answers: Answers) -> None:
    """Declare all groups on the tree, for servers only."""
    for group in groups:
        managers = discord.Permissions(manage_guild=True) if group.managing else None
        made = app_commands.Group(
            name=group.name, description=group.help, guild_only=True, default_permissions=managers
        )
        common, own = shelved([command for command in group.commands if command.name])
        for title, commands in own.items():
            part = app_commands.Group(name=title, description=f"{group.help} {TITLES[title].name}."[:100], parent=made)
            for command in commands:
                part.add_command(_made(command, answers, free=group.free))
        for command in common:
            made.add_command(_made(command, answers, free=group.free))
        tree.add_command(made)


def shelved(commands: Sequence[Command]) -> tuple[list[Command], dict[str, list[Command]]]:
    """Return the commands of a group that stand in it, and those that stand in a group of their title.

    Discord takes 25 in a group. Where there are more, what only one title has
    goes under its name ("/act steel_driver build"), from the last title of
    the shelf on, until the rest fits.
    """
    common, own = list(commands), dict[str, list[Command]]()
    for title in reversed(TITLES.values()):
        if len(common) + len(own) <= MOST_IN_GROUP:
            break
        others = {name for other in TITLES.values() if other is not title for name in _names(other)}
        only = [command for command in common if command.name in _names(title) - others]
        if only:
            own[title.id] = only
            common = [command for command in common if command not in only]
    return common, own


def _names(title: Title[Any]) -> set[str]:
    """Return the names of the commands a title asks for: its verbs and its pictures."""
    return {kind.verb for kind in title.actions} | {picture.name for picture in title.views.pictures}


def _made(command: Command, answers: Answers, *, free: bool) -> app_commands.Command[Any, ..., None]:
    """Return one subcommand; its Python parameters have a prefix, for "from" is no name in Python."""
    parameters = [each for each in command.parameters if not each.local]
    callback = _callback(command, parameters, answers, free=free)
    made: app_commands.Command[Any, ..., None] = app_commands.Command(
        name=command.name,
        description=command.help,
        callback=callback,
    )
    for each in parameters:
        if each.completes:
            made.autocomplete(PREFIX + each.name)(_completer(command, each, answers))
    return made


def _callback(command: Command, parameters: list[CommandParameter], answers: Answers, *, free: bool) -> Callback:
    """Return the function that Discord's library calls, signed with the command's parameters.

    What is not ``free`` is refused while the server is paused.
    """

    async def callback(interaction: discord.Interaction, **given: object) -> None:
        answer = answers(interaction)
        named = {name.removeprefix(PREFIX): value for name, value in given.items() if value is not None}
        await guarded(answer, _run(command, answer, named, free=free), command=command.name)

    first = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=discord.Interaction)
    rest = [
        inspect.Parameter(
            PREFIX + each.name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            annotation=FORMS[each.kind],
            default=inspect.Parameter.empty if each.required else None,
        )
        for each in parameters
    ]
    callback.__signature__ = inspect.Signature([first, *rest])  # type: ignore[attr-defined]  # read by inspect
    app_commands.describe(**{PREFIX + each.name: each.help for each in parameters})(callback)
    app_commands.rename(**{PREFIX + each.name: each.name for each in parameters})(callback)
    fixed = {
        PREFIX + each.name: [app_commands.Choice(name=c.label, value=c.value) for c in each.choices]
        for each in parameters
        if each.choices and not each.completes
    }
    app_commands.choices(**fixed)(callback)
    return callback


async def _run(command: Command, answer: DiscordAnswer, given: Mapping[str, object], *, free: bool) -> None:
    """Acknowledge, do what the command does, and show its reply."""
    await answer.acknowledge(private=given.get("share") is not True)
    values: dict[str, Value] = {name: await value_of(value) for name, value in given.items()}
    if not free:
        await answer.services.servers.refuse_paused(answer.guild)
    call = await call_of(answer, command.name, values)
    if command.posts == "here":
        answer.refuse_missing_permissions(call.home.channel)
    elif command.posts == "there":
        answer.refuse_missing_permissions((await answer.services.lobby.info(await call.game())).home.channel)
    await reply_with(answer, await command.run(call))


def _completer(command: Command, parameter: CommandParameter, answers: Answers) -> Completer:
    """Return the function that completes a parameter; from memory, never with the route search."""

    async def complete(interaction: discord.Interaction, current: object) -> list[app_commands.Choice[Any]]:
        given = {name: value for name, value in interaction.namespace if isinstance(value, str | int)}
        given.pop(parameter.name, None)
        try:
            call = await call_of(answers(interaction), command.name, given)
            found = await suggest(command, call, parameter.name, str(current))
        except Exception as error:  # noqa: BLE001 - a list that stays empty harms nobody
            log.warning("completion failed", command=command.name, error=repr(error))
            return []
        form = int if parameter.kind == "whole" else str
        return [app_commands.Choice(name=each.label, value=form(each.value)) for each in found]

    return complete
