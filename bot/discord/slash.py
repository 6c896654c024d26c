"""Slash commands and context menus of Discord, made from the commands of ``bot.commands``, and synced with its list."""

import asyncio
import inspect
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

import aiohttp
import discord
import structlog
from discord import app_commands

from bot.commands.command import (
    MAX_INT,
    Call,
    ChannelOrRole,
    Command,
    CommandParameter,
    Group,
    Kind,
    Value,
    reply_with,
    suggest,
)
from bot.commands.game import list_games_with
from bot.discord.answer import TRIAL_COMMAND, DiscordAnswer, MakeAnswer, run_safely
from bot.discord.channels import AnyChannel
from bot.model.clock import Intervals
from bot.model.errors import BotError
from bot.model.plain import replace_unkept
from bot.model.records import Home, Person
from bot.screens.screen import Screen
from bot.service.duties import COMMANDS_DUTY, Declared, Duties, encode_declared
from bot.service.table import Delivery, Look
from engine import TITLES, Title

log = structlog.get_logger(__name__)
Callback = Callable[..., Coroutine[Any, Any, None]]
Completer = Callable[..., Coroutine[Any, Any, list[app_commands.Choice[Any]]]]
DISCORD_TYPES: dict[Kind, object] = {
    "text": str,
    "int": app_commands.Range[int, -MAX_INT, MAX_INT],
    "bool": bool,
    "user": discord.User,
    "channel": AnyChannel,
    "role": discord.Role,
    "file": discord.Attachment,
}
PREFIX = "p_"
MAX_COMMANDS_PER_GROUP = 25
COMMAND_CHANGED = "This command has changed. Wait a minute, or restart Discord, and type it again."
SHOW_POSITION = "Show position here"
SHARED_GAMES = "Games we share"
MAX_FILE_BYTES = 16 * 1024 * 1024
OPENING_COMMANDS = frozenset({"new", "import", "pair"})
MIN_RETRY_SECONDS, MAX_RETRY_SECONDS = 60.0, 6 * 60 * 60.0
LEASE_SECONDS = 120
_COMPARED = (
    "name", "description", "required", "autocomplete", "min_value", "max_value", "min_length", "max_length",
    "channel_types", "contexts", "integration_types", "nsfw",
)  # fmt: skip
"""What is compared of each command and parameter."""


async def refuse_outdated(make_answer: MakeAnswer, interaction: discord.Interaction, error: Exception) -> None:
    """Answer a command that Discord knows in an older form than we do."""
    if interaction.data is not None and interaction.data.get("name") == TRIAL_COMMAND:
        return
    log.warning("command refused by its form", error=repr(error))
    answer = make_answer(interaction)
    await run_safely(answer, answer.send_text(COMMAND_CHANGED))


def declare_commands(tree: app_commands.CommandTree[Any], groups: tuple[Group, ...], make_answer: MakeAnswer) -> None:
    """Declare all groups on the tree, for servers only."""
    for group in groups:
        if group.single:
            alone = _make_subcommand(group.commands[0], make_answer, free=group.free)
            tree.add_command(app_commands.guild_only(alone))
            continue
        managers = discord.Permissions(manage_guild=True) if group.managing else None
        made = app_commands.Group(
            name=group.name, description=group.help, guild_only=True, default_permissions=managers
        )
        common, own = split_by_title([command for command in group.commands if command.name])
        for title, commands in own.items():
            part = app_commands.Group(name=title, description=f"{group.help} {TITLES[title].name}."[:100], parent=made)
            for command in commands:
                part.add_command(_make_subcommand(command, make_answer, free=group.free))
        for command in common:
            made.add_command(_make_subcommand(command, make_answer, free=group.free))
        tree.add_command(made)


def split_by_title(commands: Sequence[Command]) -> tuple[list[Command], dict[str, list[Command]]]:
    """Return the commands that stay directly in a group, and those that go into a group of their title.

    Discord takes 25 in a group. Where there are more, what only one title has
    goes under its name ("/act steel_driver build"), beginning with the last
    title, until the rest fits.
    """
    common, own = list(commands), dict[str, list[Command]]()
    for title in reversed(TITLES.values()):
        if len(common) + len(own) <= MAX_COMMANDS_PER_GROUP:
            break
        others = {name for other in TITLES.values() if other is not title for name in _list_names(other)}
        only = [command for command in common if command.name in _list_names(title) - others]
        if only:
            own[title.id] = only
            common = [command for command in common if command not in only]
    return common, own


def _list_names(title: Title[Any]) -> set[str]:
    """Return the names of the commands a title asks for: its verbs and its pictures."""
    return {kind.verb for kind in title.actions} | {picture.name for picture in title.views.pictures}


def _make_subcommand(command: Command, make_answer: MakeAnswer, *, free: bool) -> app_commands.Command[Any, ..., None]:
    """Return one subcommand; its Python parameters have a prefix, because "from" can't be a name in Python."""
    parameters = [each for each in command.parameters if not each.local]
    callback = _make_callback(command, parameters, make_answer, free=free)
    made: app_commands.Command[Any, ..., None] = app_commands.Command(
        name=command.name,
        description=command.help,
        callback=callback,
    )
    for each in parameters:
        if each.completes:
            made.autocomplete(PREFIX + each.name)(_make_completer(command, each, make_answer))
    return made


def _make_callback(
    command: Command, parameters: list[CommandParameter], make_answer: MakeAnswer, *, free: bool
) -> Callback:
    """Return the function that Discord's library calls, with the command's parameters in its signature.

    It is refused while the server is paused, unless it is ``free``.
    """

    async def callback(interaction: discord.Interaction, **given: object) -> None:
        answer = make_answer(interaction)
        named = {name.removeprefix(PREFIX): value for name, value in given.items() if value is not None}
        await run_safely(answer, _run(command, answer, named, free=free), command=command.name)

    first = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=discord.Interaction)
    rest = [
        inspect.Parameter(
            PREFIX + each.name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            annotation=DISCORD_TYPES[each.kind],
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
    values: dict[str, Value] = {name: await read_value(value) for name, value in given.items()}
    if not free:
        await answer.services.servers.refuse_paused(answer.guild)
    call = await make_call(answer, command.name, values)
    if command.posts == "here":
        answer.refuse_missing_permissions(call.home.channel)
    elif command.posts == "there":
        answer.refuse_missing_permissions((await answer.services.lobby.get_table(await call.find_game())).home.channel)
    await reply_with(answer, await command.run(call))


def _make_completer(command: Command, parameter: CommandParameter, make_answer: MakeAnswer) -> Completer:
    """Return the function that completes a parameter, from memory and without the route search."""

    async def complete(interaction: discord.Interaction, current: object) -> list[app_commands.Choice[Any]]:
        given = {name: value for name, value in interaction.namespace if isinstance(value, str | int)}
        given.pop(parameter.name, None)
        try:
            call = await make_call(make_answer(interaction), command.name, given)
            found = await suggest(command, call, parameter.name, str(current))
        except Exception as error:  # noqa: BLE001 - an empty list does no harm
            log.warning("completion failed", command=command.name, error=repr(error))
            return []
        form = int if parameter.kind == "int" else str
        return [app_commands.Choice(name=each.label, value=form(each.value)) for each in found]

    return complete


def declare_menus(tree: app_commands.CommandTree[discord.Client], make_answer: MakeAnswer) -> None:
    """Declare the context menus on the tree, for servers only."""

    async def callback(interaction: discord.Interaction, message: discord.Message) -> None:
        answer = make_answer(interaction)
        await run_safely(answer, _show_position(answer, message), command=SHOW_POSITION)

    async def of_person(interaction: discord.Interaction, user: discord.User) -> None:
        answer = make_answer(interaction)
        await run_safely(answer, _list_shared_games(answer, user), command=SHARED_GAMES)

    for menu in (
        app_commands.ContextMenu(name=SHOW_POSITION, callback=callback),
        app_commands.ContextMenu(name=SHARED_GAMES, callback=of_person),
    ):
        tree.add_command(app_commands.guild_only(menu))


async def _list_shared_games(answer: DiscordAnswer, user: discord.User) -> None:
    """List the tables that the person shares with another in this server."""
    await answer.acknowledge()
    call = await make_call(answer, SHARED_GAMES, {})
    await reply_with(answer, await list_games_with(call, Person(str(user.id), user.display_name)))


async def _show_position(answer: DiscordAnswer, message: discord.Message) -> None:
    """Show the first picture of every turn as it was when a message of a table was written."""
    await answer.acknowledge()
    services = answer.services
    found = await services.posted.find_moment(str(message.channel.id), str(message.id))
    if found is None:
        raise BotError("This message doesn't show a position. Try it on a turn message.")
    services.quota.spend("pictures", answer.user, answer.guild)
    here = await services.table.load_position(found.game)
    move = min(found.move, len(here.game.line))
    pictures = here.game.title.views.pictures
    picture = next((each for each in pictures if each.every_turn), pictures[0])
    seen = await services.table.look(found.game, answer.user, Look(picture.name, at=move))
    await answer.show(Screen(f"**{here.table.name}** after {move} move{'s' * (move != 1)}", (seen,)))


async def read_value(value: object) -> Value:
    """Return a parameter as commands take it; a file is read.

    Raises:
        BotError: the file is too large, or can't be downloaded.
    """
    if isinstance(value, discord.User | discord.Member):
        return Person(str(value.id), value.display_name)
    if isinstance(value, discord.Role | app_commands.AppCommandChannel):
        return ChannelOrRole(str(value.id), value.name, isinstance(value, discord.Role) and value.mentionable)
    if isinstance(value, discord.Attachment):
        if value.size > MAX_FILE_BYTES:
            raise BotError(f"The file is too large: it has {value.size:,} bytes; the limit is {MAX_FILE_BYTES:,}.")
        try:
            return await value.read()
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            raise BotError("I couldn't get the file from Discord. Send it again in a minute.") from error
    return value if isinstance(value, int) else replace_unkept(str(value))


async def make_call(answer: DiscordAnswer, command: str, values: Mapping[str, Value]) -> Call:
    """Return the call of a command: who, where, and the game of this thread if one lives here.

    Raises:
        BotError: a second table can't be opened in a forum post.
    """
    interaction = answer.interaction
    channel = interaction.channel
    services = answer.services
    here = await services.lobby.find_game(str(interaction.channel_id or ""))
    place = str(interaction.channel_id or "")
    if command in OPENING_COMMANDS and here is not None:
        place, _ = answer.channels
    home = Home(guild=str(interaction.guild_id or ""), channel=place)
    parent = str(channel.parent_id) if isinstance(channel, discord.Thread) else place
    return Call(
        services,
        answer.person,
        values,
        here,
        home,
        Delivery(answer.key),
        channels=(place, parent),
        roles=answer.roles,
        manages=interaction.permissions.manage_guild,
        send_private=answer.send_private,
        operates=_is_operator(interaction),
    )


def _is_operator(interaction: discord.Interaction) -> bool:
    """Return whether the person owns the bot's application, or works on it in its team."""
    application = interaction.client.application
    if application is None:
        return False  # before the login, when there are no interactions
    if application.team is None:
        return interaction.user.id == application.owner.id
    joined, reads = discord.TeamMembershipState.accepted, discord.TeamMemberRole.read_only
    team = application.team.members
    return interaction.user.id in {
        each.id for each in team if each.membership_state is joined and each.role is not reads
    }


class CommandSync:
    """Keeps Discord's list of our commands up to date.

    Discord takes 200 new commands a day, so nothing is sent while its list is right. If it refuses them, the earlier
    ones still work, and we try again later.

    Args:
        tree: with all commands on it. duties: make one process do it, and note how it went.
        seconds: until the list is compared again.
    """

    def __init__(
        self, tree: app_commands.CommandTree[Any], duties: Duties, seconds: float = Intervals().commands
    ) -> None:
        self._tree = tree
        self._duties = duties
        self._seconds = seconds
        self._accepted: object = None
        self._refusals = 0
        self._is_left_to_another = False
        self.checked = asyncio.Event()
        """Set once the list was compared for the first time."""

    async def run(self) -> None:
        """Sync now and then, until cancelled: the commands may have been wiped on Discord's side."""
        while True:
            await self.sync()
            self.checked.set()
            wait = self._seconds
            if self._is_left_to_another:
                wait = LEASE_SECONDS
            elif self._refusals:
                wait = min(MAX_RETRY_SECONDS, MIN_RETRY_SECONDS * 2 ** (self._refusals - 1))
            await asyncio.sleep(wait)

    async def sync(self) -> None:
        """Send the commands if Discord lists others; a refusal is logged and noted, never raised."""
        wanted = [command.to_dict(self._tree) for command in self._tree.get_commands()]
        self._is_left_to_another = False
        try:
            listed = await self._fetch_commands()
            if normalise(listed) == normalise(wanted) or (
                self._accepted is not None and normalise(listed) == self._accepted
            ):
                self._refusals = 0
            elif not await self._duties.take_duty(COMMANDS_DUTY, LEASE_SECONDS):
                self._is_left_to_another = True  # which may die of it, so we check again
                return
            else:
                await self._tree.sync()
                self._refusals, self._accepted = 0, normalise(await self._fetch_commands())
                log.info("commands declared", commands=len(wanted))
            await self._note_result(Declared(len(wanted)))
        except (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError, BotError) as error:
            self._refusals += 1
            log.error(
                "commands not registered; the earlier ones still work", refusals=self._refusals, error=str(error)[:1500]
            )
            await self._note_result(Declared(len(wanted), str(error)[:500] or type(error).__name__))

    async def _fetch_commands(self) -> Sequence[Mapping[str, Any]]:
        """Return the commands that Discord lists."""
        client = self._tree.client
        assert client.application_id is not None  # known since the login
        listed: Sequence[Mapping[str, Any]] = await client.http.get_global_commands(client.application_id)
        return listed

    async def _note_result(self, how: Declared) -> None:
        try:
            await self._duties.write_note(COMMANDS_DUTY, encode_declared(how))
            await self._duties.give_back_duty(COMMANDS_DUTY)
        except BotError as error:
            log.warning("note of the commands not written", error=str(error))


def normalise(commands: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return commands in a form to compare, without what Discord adds (ids, versions) and leaves out (defaults)."""
    shapes = [_normalise_one({"type": 1, **command}) for command in commands]
    return sorted(shapes, key=lambda each: (each["type"], each["name"]))


def _normalise_one(node: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: node[key] for key in _COMPARED if node.get(key) not in (None, "", False, [])}
    kept["type"] = int(node["type"])
    if node.get("default_member_permissions") is not None:
        kept["default_member_permissions"] = str(node["default_member_permissions"])
    if node.get("options"):
        kept["options"] = [_normalise_one(option) for option in node["options"]]
    if node.get("choices"):
        kept["choices"] = [(choice["name"], choice["value"]) for choice in node["choices"]]
    return kept
