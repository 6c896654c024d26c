"""Buttons, menus and forms as Discord delivers them, led to what they do."""

import discord

from bot.discord.answer import Answers, guarded
from bot.screens.controls import UNKNOWN, handle
from bot.screens.screen import control_of


async def dispatch(answers: Answers, interaction: discord.Interaction) -> None:
    """Handle a button, a menu or a form of ours by its custom id; no view need be remembered for it."""
    text = str(interaction.data.get("custom_id", "")) if interaction.data else ""
    control = control_of(text)
    answer = answers(interaction)
    if control is None:
        await guarded(answer, answer.tell(UNKNOWN), control=text)
        return
    await guarded(answer, handle(answer, control), game=control.game, control=control.verb)
