"""What people see of a table in the tests' Discord, as the bot's invariants look at it."""

from bot.screens.screen import read_custom_id
from bot.service.invariants import ShownMessage, Visible, list_expected
from bot.store.fates import TableFates
from tests.chaos.expected_posts import number_of
from tests.discord.world import Message, World


def look_at_world(world: World, table: TableFates) -> Visible:
    """Return all messages of the bot that people can see, and the ids of those of a table that are gone."""
    ours = [each for each in world.messages.values() if each.author is world.me and not each.ephemeral]
    shown = tuple(show(each) for each in ours if world.is_visible(each))
    here = {each.message for each in shown}
    return Visible(shown, frozenset(post.message for post in list_expected(table).values()) - here)


def show(message: Message) -> ShownMessage:
    """Return a message with what its buttons do."""
    ids = [str(part.get("custom_id", "")) for part in message.controls]
    controls = [control for control in map(read_custom_id, ids) if control is not None]
    return ShownMessage(
        str(message.channel.id), str(message.id), number_of(message),
        tuple((each.game, each.version, each.verb, each.arg) for each in controls),
    )  # fmt: skip
