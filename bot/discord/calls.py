"""From what Discord delivers to a call of a command."""

from collections.abc import Mapping

import aiohttp
import discord
from discord import app_commands

from bot.commands.command import Call, ChannelOrRole, Value
from bot.discord.answer import DiscordAnswer
from bot.model.errors import BotError
from bot.model.records import Home, Person
from bot.service.table import Delivery

MOST_FILE = 16 * 1024 * 1024
OPENING = frozenset({"new", "import"})


async def value_of(value: object) -> Value:
    """Return a parameter as commands take it; a file is read.

    Raises:
        BotError: the file is too large, or cannot be had.
    """
    if isinstance(value, discord.User | discord.Member):
        return Person(str(value.id), value.display_name)
    if isinstance(value, discord.Role | app_commands.AppCommandChannel):
        return ChannelOrRole(str(value.id), value.name)
    if isinstance(value, discord.Attachment):
        if value.size > MOST_FILE:
            raise BotError(f"The file is too large: {value.size} bytes, at most {MOST_FILE}.")
        try:
            return await value.read()
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            raise BotError("Discord did not give me the file. Send it again in a minute.") from error
    if isinstance(value, str | int):
        return value
    return str(value)


async def call_of(answer: DiscordAnswer, command: str, values: Mapping[str, Value]) -> Call:
    """Return the call of a command: who, where, and the game of this thread if one lives here.

    A thread or forum post holds one table; a second one goes to the channel.

    Raises:
        BotError: a second table cannot be opened in a forum post.
    """
    interaction = answer.interaction
    channel = interaction.channel
    services = answer.services
    here = await services.lobby.find(str(interaction.channel_id or ""))
    place = str(interaction.channel_id or "")
    if command in OPENING and here is not None and isinstance(channel, discord.Thread):
        if isinstance(channel.parent, discord.ForumChannel):
            raise BotError("This post holds a table already. Make a new post in the forum, and open the table there.")
        place = str(channel.parent_id)
    home = Home(guild=str(interaction.guild_id or ""), channel=place)
    parent = str(channel.parent_id) if isinstance(channel, discord.Thread) else place
    return Call(
        services, answer.person, values, here, home, Delivery(answer.key),
        channels=(place, parent), roles=answer.roles, manages=interaction.permissions.manage_guild, reach=answer.reach,
        operates=_runs_the_bot(interaction),
    )  # fmt: skip


def _runs_the_bot(interaction: discord.Interaction) -> bool:
    """Return whether whoever acts owns the bot's application, or works on it in its team."""
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
