"""The Discord client: services, commands, controls and the sender of posts, wired together."""

import asyncio
from functools import partial

import discord
from discord import app_commands

from bot.commands.tree import tree
from bot.discord.answer import DiscordAnswer
from bot.discord.channels import Channels
from bot.discord.controls import dispatch
from bot.discord.declaration import Declaration
from bot.discord.menus import add_menus
from bot.discord.post_writer import PostWriter
from bot.discord.poster import Poster
from bot.discord.slash import build, misfit
from bot.screens.drawing import Draw
from bot.service.declared import declared_file
from bot.service.services import Services


class LoginRefusedError(Exception):
    """Discord does not take the token; the message is one clear line."""


class RailBot(discord.Client):
    """The bot; ``start`` it with a token, ``close`` it. It needs no privileged intent.

    Args:
        services: the services; whoever opened it closes it.
        draw: draws views off the event loop.
        card_gap: seconds between two edits of one table message, at least.
    """

    def __init__(self, services: Services, draw: Draw, card_gap: float = 2.0) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
        )
        self.services = services
        self.answers = partial(DiscordAnswer, services=services, draw=draw)
        self.poster = Poster(services, PostWriter(services, draw, Channels(self)), card_gap)
        self.tree = app_commands.CommandTree(
            self,
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
        )
        self.declaration = Declaration(self.tree, declared_file(services.database.path))
        self._tasks: list[asyncio.Task[None]] = []

    async def login(self, token: str) -> None:
        """Log in.

        Raises:
            LoginRefusedError: the token is wrong.
        """
        try:
            await super().login(token)
        except discord.LoginFailure:
            raise LoginRefusedError("Discord does not take this token; see DISCORD_TOKEN in the README.") from None

    async def setup_hook(self) -> None:
        """Declare the commands and begin to send what is owed."""
        build(self.tree, tree(), self.answers)
        add_menus(self.tree, self.answers)
        self.tree.error(partial(misfit, self.answers))
        await self.declaration.renew()
        self._tasks = [asyncio.create_task(self.poster.run()), asyncio.create_task(self.declaration.run())]

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Handle buttons, menus and forms; commands go their own way through the tree."""
        if interaction.type in {discord.InteractionType.component, discord.InteractionType.modal_submit}:
            await dispatch(self.answers, interaction)

    async def close(self) -> None:
        """Stop sending, let what is on its way arrive, and hang up."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)
            self._tasks = []
            await self.poster.stop()
        await super().close()
