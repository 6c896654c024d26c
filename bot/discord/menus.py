"""Context menus: what people find when they press on a message, or on a person, for long."""

import discord
from discord import app_commands

from bot.commands.game import games_with
from bot.commands.replies import reply_with
from bot.discord.answer import Answers, DiscordAnswer, guarded
from bot.discord.calls import call_of
from bot.model.errors import BotError
from bot.model.records import Person
from bot.screens.screen import Screen
from bot.service.table import Look

SHOW = "Show position here"
SHARED = "Games we share"


def add_menus(tree: app_commands.CommandTree[discord.Client], answers: Answers) -> None:
    """Declare the context menus on the tree, for servers only."""

    async def callback(interaction: discord.Interaction, message: discord.Message) -> None:
        answer = answers(interaction)
        await guarded(answer, _show(answer, message), command=SHOW)

    async def of_person(interaction: discord.Interaction, user: discord.User) -> None:
        answer = answers(interaction)
        await guarded(answer, _shared(answer, user), command=SHARED)

    for menu in (
        app_commands.ContextMenu(name=SHOW, callback=callback),
        app_commands.ContextMenu(name=SHARED, callback=of_person),
    ):
        tree.add_command(app_commands.guild_only(menu))


async def _shared(answer: DiscordAnswer, user: discord.User) -> None:
    """List the tables that two people share in this server."""
    await answer.acknowledge()
    call = await call_of(answer, SHARED, {})
    await reply_with(answer, await games_with(call, Person(str(user.id), user.display_name)))


async def _show(answer: DiscordAnswer, message: discord.Message) -> None:
    """Show the first picture of every turn as it was when a message of a table was written."""
    await answer.acknowledge()
    services = answer.services
    found = await services.posted.moment(str(message.channel.id), str(message.id))
    if found is None:
        raise BotError("This message tells of no position. Try it on the result of a turn.")
    services.quota.spend("pictures", answer.user, answer.guild)
    here = await services.table.position(found.game)
    move = min(found.move, len(here.game.line))
    pictures = here.game.title.views.pictures
    picture = next((each for each in pictures if each.every_turn), pictures[0])
    seen = await services.table.look(found.game, answer.user, Look(picture.name, at=move))
    await answer.show(Screen(f"**{here.table.name}** after {move} move{'s' * (move != 1)}", (seen,)))
