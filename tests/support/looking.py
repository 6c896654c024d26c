"""What people see of a table in the tests' Discord, as the bot's invariants look at it."""

from collections import defaultdict

from bot.screens.screen import read_custom_id
from bot.service.invariants import ShownMessage, Visible, list_expected
from bot.store.fates import TableFates
from tests.chaos.expected_posts import number_of
from tests.discord.world import Message, World


class Look:
    """All messages of the bot that people can see at a moment.

    Args:
        world: where they stand.
    """

    def __init__(self, world: World) -> None:
        self._all: dict[str, ShownMessage] = {}
        self._of_post: dict[int, list[ShownMessage]] = defaultdict(list)
        self._of_game: dict[int, list[ShownMessage]] = defaultdict(list)
        for message in world.messages.values():
            if message.author is not world.me or message.ephemeral or not world.is_visible(message):
                continue
            shown = self._all[str(message.id)] = show(message)
            self._of_post[shown.number].append(shown)
            for game in {each[0] for each in shown.controls}:
                self._of_game[game].append(shown)

    def at(self, table: TableFates) -> Visible:
        """Return the messages of a table's posts and those with buttons for it, and the ids of posts that are gone."""
        expected = list_expected(table).values()
        found = [*self._of_game[table.game], *(each for post in expected for each in self._of_post[post.id])]
        found += [self._all[post.message] for post in expected if post.message in self._all]
        gone = {post.message for post in expected} - self._all.keys()
        return Visible(tuple({each.message: each for each in found}.values()), frozenset(gone))


def show(message: Message) -> ShownMessage:
    """Return a message with what its buttons do."""
    ids = [str(part.get("custom_id", "")) for part in message.controls]
    controls = [control for control in map(read_custom_id, ids) if control is not None]
    return ShownMessage(
        str(message.channel.id), str(message.id), number_of(message),
        tuple((each.game, each.version, each.verb, each.arg) for each in controls),
    )  # fmt: skip
