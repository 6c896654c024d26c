"""What the bot may do in a channel, and the sentence when it may not."""

import discord

from bot.service.errors import BotError

NEEDED = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "attach_files": "Attach Files",
}
IN_THREADS = {"send_messages_in_threads": "Send Messages in Threads"}


def refuse_missing(interaction: discord.Interaction) -> None:
    """Refuse to play where the bot may not post.

    Raises:
        BotError: names the channel and every permission that is missing.
    """
    channel = interaction.channel
    needed = NEEDED | IN_THREADS
    if isinstance(channel, discord.Thread):
        needed = {name: words for name, words in needed.items() if name != "send_messages"}
    granted = interaction.app_permissions
    lacking = [words for name, words in needed.items() if not getattr(granted, name)]
    if lacking:
        place = getattr(channel, "name", None)
        raise BotError(f"I can't post in {f'#{place}' if place else 'here'}: I need {', '.join(lacking)}.")
