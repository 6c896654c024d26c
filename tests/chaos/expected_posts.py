"""What was played, as the store says it, and what the channels say of it, compared."""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.chaos.stores import Row, Store
from tests.discord.interactions import Interaction
from tests.discord.stand_in import StandIn
from tests.discord.world import Message

MARK = 1000


@dataclass
class Findings:
    """What is wrong, a sentence each."""

    moves_lost: list[str] = field(default_factory=list)
    moves_doubled: list[str] = field(default_factory=list)
    posts_doubled: list[str] = field(default_factory=list)
    posts_lost: list[str] = field(default_factory=list)
    rings_doubled: list[str] = field(default_factory=list)
    live_buttons: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)

    def counts(self) -> dict[str, int]:
        """Return the number of each."""
        return {name: len(found) for name, found in vars(self).items()}

    def sentences(self) -> list[str]:
        """Return everything that is wrong."""
        return [f"{name}: {sentence}" for name, found in vars(self).items() for sentence in found]


def number_of(message: Message) -> int:
    """Return the number of the post that a message is, 0 if it is none."""
    first = message.components[0] if message.components else {}
    number: int = first.get("id", 0)
    return max(0, number - MARK)


async def compare(server: StandIn, store: Store, told: list[Interaction], gone: set[int]) -> Findings:
    """Compare the channels with the log.

    Args:
        server: the stand-in.
        store: the store.
        told: presses that were answered with "done".
        gone: tables whose thread was deleted; what stood there is no longer missed.
    """
    found = Findings()
    _moves(found, await store.rows("SELECT game, seq, user, interaction, told FROM log"), told)
    standing = _standing(server)
    for number, messages in standing.items():
        if len(messages) > 1:
            found.posts_doubled.append(f"post {number}: {[_describe_message(message) for message in messages]}")
    rung = Counter((number_of(ping.message), ping.user.name) for ping in server.world.pings if number_of(ping.message))
    found.rings_doubled += [f"post {post} rang {who} {count} times" for (post, who), count in rung.items() if count > 1]
    posts = await store.rows("SELECT * FROM outbox")
    running = await store.rows("SELECT id, turn_from FROM game WHERE state = 'running'")
    current = {f"{row['id']}:turn:{row['turn_from']}" for row in running}
    turns = {row["key"]: row for row in posts if row["kind"] == "turn"}
    for row in posts:
        if row["kind"] == "summary":
            _summary(found, row, turns, standing, gone)
        elif row["kind"] == "turn":
            _turn(found, row, standing, now=row["key"] in current)
        elif row["kind"] == "end" and row["game"] not in gone and not standing[row["id"]]:
            found.silent.append(f"{row['key']}: the end was not told: {row['state']} {row['error'][:200]}")
    return found


def _standing(server: StandIn) -> defaultdict[int, list[Message]]:
    """Return the messages of the bot that can be seen, by the number of their post."""
    standing: defaultdict[int, list[Message]] = defaultdict(list)
    for message in server.world.messages.values():
        if message.author is server.world.me and server.world.is_visible(message) and number_of(message):
            standing[number_of(message)].append(message)
    return standing


def _describe_message(message: Message) -> str:
    return f"{message.channel.id}/{message.id} {message.sent} {message.text[:60]}"


def _turn(found: Findings, row: Row, standing: dict[int, list[Message]], *, now: bool) -> None:
    """The turn that runs has live buttons, and no other has."""
    live = [message for message in standing[row["id"]] if "Act" in message.labels]
    if now and not live:
        found.silent.append(f"{row['key']}: {row['state']} {row['error'][:200]}")
    if not now:
        found.live_buttons += [f"{row['key']}: {message.text[:80]}" for message in live]


def _moves(found: Findings, log: Sequence[Row], told: list[Interaction]) -> None:
    stored = Counter(row["interaction"] for row in log)
    found.moves_doubled += [f"{key} stands {count} times" for key, count in stored.items() if key and count > 1]
    found.moves_lost += [f"{item}: {item.text[:80]}" for item in told if str(item.id) not in stored]
    places = Counter((row["game"], row["seq"]) for row in log)
    found.moves_doubled += [f"two entries at {place}" for place, count in places.items() if count > 1]


def _summary(
    found: Findings,
    row: Row,
    turns: dict[str, Row],
    standing: dict[int, list[Message]],
    gone: set[int],
) -> None:
    """A result stands once: in place of its turn message, or as a message of its own."""
    post = json.loads(row["payload"])
    turn = turns[post["follows"]]
    parts = post["line"].split(" · ")  # the toy tells each in a line of its own
    shown = [message for number in (row["id"], turn["id"]) for message in standing[number]]
    told = [message for message in shown if all(part in message.text for part in parts)]
    if len(told) > 1:
        found.posts_doubled.append(f"{row['key']}: {[_describe_message(message) for message in told]}")
    if not told and row["game"] not in gone:
        found.posts_lost.append(f"{row['key']} ({row['state']} {row['error'][:100]}): {post['line'][:60]}")
