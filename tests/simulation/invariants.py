"""What must hold once everything that is owed has had its time, as far as the bot itself can't see it.

What it can see is in ``bot.service.invariants``, which judges each run too (``World.judge``). Here are pings, what
people were told, duplicates, the order of messages, moments, and secrets: pure functions that take a ``Snapshot`` and
yield a sentence for everything that is wrong.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bot.screens.since import stands_as_logged

Row = Mapping[str, Any]
UNWANTED = "no longer wanted"
PROMISED = ("ring", "clockalarm", "timeup", "ping", "turn", "summary", "end")
LATE_SECONDS = 75
"""After which something that could be sent all the time is late."""
SETTLED_SECONDS = 240
"""After which what failed again and again while it could be sent won't be sent any more."""
CARD_HEADING = "## "


class Shown(NamedTuple):
    """A message of the bot that people can see.

    Args:
        post: number of the row of the outbox that it comes from, 0 if from none.
    """

    id: int
    channel: int
    post: int
    text: str


class Ring(NamedTuple):
    """A ping or a private message: whose phone rang, and for which post."""

    user: str
    post: int


@dataclass(frozen=True)
class Snapshot:
    """A moment.

    Args:
        now: second of the epoch. games, log, outbox: rows of the store.
        shown: messages of the bot. rings: phones that rang.
        told: ids of interactions that were answered by "your move was made".
        outages: spans, from and to, in which nothing could be sent.
        obligations: rows of the store, but for those of people who want no call.
        words: everything sent to people who may not know ``secrets``.
        paired: seats at unfinished tables of seasons. follows: tables over that someone followed who didn't play there.
    """

    now: float
    games: Sequence[Row]
    log: Sequence[Row]
    outbox: Sequence[Row]
    shown: Sequence[Shown]
    rings: Sequence[Ring] = ()
    told: Sequence[str] = ()
    outages: Sequence[tuple[float, float]] = ()
    secrets: Mapping[str, str] = field(default_factory=dict)
    words: str = ""
    obligations: Sequence[Row] = ()
    paired: Sequence[Row] = ()
    follows: Sequence[Row] = ()

    def time_to_send(self, since: float, until: float) -> float:
        """Return the seconds between two moments in which something could be sent."""
        out = sum(max(0.0, min(until, end) - max(since, begin)) for begin, end in self.outages)
        return max(0.0, until - since - out)


def check_moves(seen: Snapshot) -> Iterator[str]:
    """No move is lost or doubled, and each log is without gaps."""
    stored = Counter(row["interaction"] for row in seen.log if row["interaction"])
    yield from (f"move {key} stands {count} times" for key, count in stored.items() if count > 1)
    yield from (f"move {key} was told and is not stored" for key in seen.told if key not in stored)
    places: dict[int, list[int]] = {}
    for row in seen.log:
        places.setdefault(row["game"], []).append(row["seq"])
    for game, numbers in places.items():
        if sorted(numbers) != list(range(len(numbers))):
            yield f"the log of table {game} has gaps or doubles: {numbers}"


def check_rings(seen: Snapshot) -> Iterator[str]:
    """A post pings each person once at most, and the players who must act were pinged."""
    rung = Counter(seen.rings)
    yield from (f"post {ring.post} rang {ring.user} {count} times" for ring, count in rung.items() if count > 1)
    rows = {row["key"]: row for row in seen.outbox}
    for game in seen.games:
        turn = rows.get(f"{game['id']}:turn:{game['turn_from']}")
        if game["state"] != "running" or turn is None or turn["state"] != "sent":
            continue
        post = json.loads(turn["payload"])
        pings = [row for row in seen.outbox if row["key"].startswith(f"{turn['key']}:ping:") and row["state"] == "sent"]
        asked = {(user, turn["id"]) for user in post["pings"]}
        asked |= {(user, row["id"]) for row in pings for user in json.loads(row["payload"]).get("mention", ())}
        for user in {user for user, _ in asked} & set(post["mention"]):
            if not any(Ring(user, call) in rung for of, call in asked if of == user):
                yield f"{turn['key']} never rang {user}"


def check_called(seen: Snapshot) -> Iterator[str]:
    """Whoever is counted as called to a turn was: in its message, by a ping or in private."""
    keys = {row["id"]: row["key"] for row in seen.outbox}
    rung = {(ring.user, keys[ring.post].partition(":ping:")[0]) for ring in seen.rings if ring.post in keys}
    turns = {f"{game['id']}:turn:{game['turn_from']}" for game in seen.games if game["state"] == "running"}
    for row in seen.obligations:
        is_called = row["open"] and row["pings"] and row["user"].isdecimal() and row["subject"] in turns
        is_settled = seen.time_to_send(row["pinged"], seen.now) > SETTLED_SECONDS
        if is_called and is_settled and (row["user"], row["subject"]) not in rung:
            yield f"{row['subject']} was to call {row['user']}, whose phone never rang"


def check_doubles(seen: Snapshot) -> Iterator[str]:
    """No post stands twice."""
    standing = Counter(each.post for each in seen.shown if each.post)
    yield from (f"post {post} stands {count} times" for post, count in standing.items() if count > 1)


def check_order(seen: Snapshot) -> Iterator[str]:
    """Turns and their results stand in a channel in the order in which they were played, unless something failed."""
    turns = {row["id"]: row["key"].split(":") for row in seen.outbox if row["kind"] in ("turn", "summary")}
    if seen.outages:
        return
    last: dict[tuple[int, str], int] = {}
    for message in sorted(seen.shown, key=lambda message: message.id):
        if message.post in turns:
            game, _, turn = turns[message.post]
            if int(turn) < last.get((message.channel, game), 0):
                yield f"turn {turn} of table {game} stands below turn {last[message.channel, game]}"
            last[message.channel, game] = int(turn)


def check_letters(seen: Snapshot) -> Iterator[str]:
    """No letter was given up while it was wanted."""
    for row in seen.outbox:
        if row["kind"] == "letter" and row["state"] == "dropped" and row["attempts"] and row["error"] != UNWANTED:
            yield f"{row['key']} was given up: {row['error']}"


def check_results(seen: Snapshot) -> Iterator[str]:
    """Each result of a turn that was sent stands once, a long one in fewer words in the message of its post."""
    texts = {message.id: message.text for message in seen.shown}
    results = [row for row in seen.outbox if row["kind"] == "summary"]
    lines = Counter(json.loads(row["payload"])["line"] for row in results)
    owed = Counter(json.loads(row["payload"])["line"] for row in results if row["state"] == "owed")
    for line, count in lines.items():
        stands = sum(line in text for text in texts.values() if not text.startswith(CARD_HEADING))
        if stands_as_logged(line) and stands < count - owed[line]:
            yield f"the result {line[:60]!r} stands {stands} times, not {count - owed[line]}"
    for row in results:
        is_long = not stands_as_logged(json.loads(row["payload"])["line"])
        if is_long and row["state"] == "sent" and not texts.get(int(row["message"] or 0)):
            yield f"{row['key']} doesn't stand in its message {row['message']}"


def check_secrets(seen: Snapshot) -> Iterator[str]:
    """Secrets, all of them numbers, appear only where they belong."""
    yield from find_secrets(seen, seen.words)


def find_secrets(seen: Snapshot, words: str) -> Iterator[str]:
    """Yield what can be read in words that many people get; these are read once, however many secrets there are."""
    numbers = set(re.findall(r"\d+", words))
    assert all(secret.isdecimal() for secret in seen.secrets.values())
    yield from (f"{name} can be read" for name, secret in seen.secrets.items() if secret in numbers)


def check_promises(seen: Snapshot) -> Iterator[str]:
    """What was promised for a moment came then: reminders, snoozes, deadlines; what is owed is tried in time."""
    for row in seen.outbox:
        is_late = seen.time_to_send(row["due"], seen.now) > LATE_SECONDS
        if row["state"] == "owed" and is_late and row["kind"] != "expire":
            yield f"{row['key']} is {seen.now - row['due']:.0f} s late after {row['attempts']} tries: {row['error']}"
        if row["state"] == "owed" and row["attempts"] and seen.time_to_send(row["created"], seen.now) > SETTLED_SECONDS:
            yield f"{row['key']} still fails after {row['attempts']} tries: {row['error']}"
        if row["kind"] in PROMISED and row["state"] == "sent" and row["sent"] is not None:
            late = seen.time_to_send(row["due"], row["sent"])
            if late > LATE_SECONDS:
                yield f"{row['key']} came {late:.0f} s late"
            if row["sent"] < row["due"]:
                yield f"{row['key']} came {row['due'] - row['sent']} s early"


def check_pairings(seen: Snapshot) -> Iterator[str]:
    """No one sits at two tables of a season at a time."""
    seated = Counter((row["season"], row["user"]) for row in seen.paired)
    yield from (f"{user} sits at {count} tables of season {of}" for (of, user), count in seated.items() if count > 1)


def check_followers(seen: Snapshot) -> Iterator[str]:
    """Each follower is told of each turning point once, and of the end."""
    rows = [row for row in seen.outbox if ":news:" in row["key"]]
    told = Counter((row["game"], row["key"].split(":")[2], json.loads(row["payload"])["text"]) for row in rows)
    yield from (f"{user} is told {text[:60]!r} {count} times" for (_, user, text), count in told.items() if count > 1)
    ends = {(game, user) for game, user, text in told if ": The game is over" in text}
    for row in seen.follows:
        if (row["game"], row["user"]) not in ends:
            yield f"{row['user']} follows table {row['game']} and isn't told that it is over"


CHECKS: tuple[Callable[[Snapshot], Iterator[str]], ...] = (
    check_moves, check_rings, check_called, check_doubles, check_order, check_results, check_letters, check_secrets,
    check_promises, check_pairings, check_followers,
)  # fmt: skip


def find_faults(seen: Snapshot) -> list[str]:
    """Return everything that is wrong."""
    return [f"{check.__name__.removeprefix('check_')}: {each}" for check in CHECKS for each in check(seen)]
