"""What the bot may do in a channel, and the sentence when it may not."""

import discord

from bot.model.errors import BotError

NEEDED = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "attach_files": "Attach Files",
    "read_message_history": "Read Message History",
}
IN_THREADS = {"send_messages_in_threads": "Send Messages in Threads"}


def refuse_missing(interaction: discord.Interaction, channel: str = "") -> None:
    """Refuse to play where the bot may not post.

    Args:
        interaction: what somebody did.
        channel: where the table lives or will live, if not where that was done.

    Raises:
        BotError: names the channel and every permission that is missing.
    """
    words = missing(interaction, channel)
    if words:
        raise BotError(words)


def missing(interaction: discord.Interaction, channel: str = "") -> str:
    """Return the sentence that names the permissions which are missing in a channel; empty if we know of none."""
    place = interaction.channel
    granted = interaction.app_permissions
    if channel and channel != str(interaction.channel_id):
        guild = interaction.guild
        place = guild and guild.get_channel_or_thread(int(channel))  # type: ignore[assignment]  # what it really gives
        if guild is None or place is None or guild.me is None:
            return ""
        granted = place.permissions_for(guild.me)
    needed = NEEDED | IN_THREADS
    if isinstance(place, discord.Thread):
        needed = {name: words for name, words in needed.items() if name != "send_messages"}
    lacking = [words for name, words in needed.items() if not getattr(granted, name)]
    if not lacking:
        return ""
    called = getattr(place, "name", None)
    what = "look back" if lacking == [NEEDED["read_message_history"]] else "post"
    return f"I can't {what} in {f'#{called}' if called else 'here'}: I need {', '.join(lacking)}."
