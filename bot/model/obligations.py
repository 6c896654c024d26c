"""Obligations: what one person is asked to do at a table, or to know, and when they are pinged for it.

A turn, a vote, a maximum bid, news (that they are next, that an order has stopped, that the game is over): each is one
record for each person. A ping is put off, never dropped. What a person wishes (quiet hours, absence, delay, number of
reminders, a snooze) is applied in ``find_due``, ``ask`` and ``ring``.
"""

from collections.abc import Collection

from bot.model.clock import DAY, HOUR
from bot.model.posts import (
    SAME_WAITS,
    build_ping_key,
)
from bot.model.quiet import find_awake
from bot.model.records import Calls
from engine import Record

TABLE = ""
"""Stands for the user whose obligation is the table's patience: when it ends, the others are asked."""
FOR_THE_TURN = -1
"""As ``snooze``: no ping until the turn is over."""
DIGEST_SECONDS = 365 * DAY
"""A letter that the digest replaces is held back for so long; it is dropped when the turn is over."""
BID_SECONDS = HOUR
"""For so long after they were asked for a maximum bid, people aren't pinged for their turn too; then, if it waits."""
NEWS = ("ondeck", "end", "stopnote")
"""Kinds of obligations for which a person is pinged once, and needn't do anything."""
Key = tuple[str, str]
"""The key of the post that asks, and the user."""


class Obligation(Record, frozen=True):
    """What one person is asked to do, until it is done or no longer wanted.

    Args:
        game: number of the table. subject: key of the post that asks. kind: of that post.
        user: who is asked; ``TABLE`` for its patience.
        since: moment from which the table waits. first: moment of the first ping, but for what its person wishes.
        wait: seconds after which the table reminds, 0 for no reminders; as ``TABLE``: after which it asks again.
        pings: how many there were. pinged: moment of the last.
        snooze: moment until which it is put off, 0 if it is not, ``FOR_THE_TURN``.
        refused: private messages don't reach this person. stands: a ping of its own stands at the table.
        open: it is still to be done.
        due: moment of the next ping as it was last computed; ``None`` if there is none to come.
    """

    game: int
    subject: str
    kind: str
    user: str
    since: int
    first: int
    wait: int = 0
    pings: int = 0
    pinged: int = 0
    snooze: int = 0
    refused: bool = False
    stands: bool = False
    open: bool = True
    due: int | None = None

    @property
    def key(self) -> Key:
        """What it is known by."""
        return self.subject, self.user

    @property
    def is_known(self) -> bool:
        """Whether it is never pinged for again: news, and a prompt that was given."""
        return self.kind in NEWS or (self.kind == "prompt" and self.pings > 0)


def find_due(row: Obligation, calls: Calls, now: int = 0) -> int | None:
    """Return the moment of the next ping, ``None`` if none is to come.

    One that is late comes ``now``, or on waking: a person who is back earlier than they said may be asleep.
    A snooze that someone asked for comes, whatever number of reminders they wish.
    """
    if not row.open or row.snooze == FOR_THE_TURN or (row.kind == "ondeck" and not calls.on_deck):
        return None
    if row.user == TABLE:
        return row.first if row.pings == 0 else row.pinged + row.wait
    if row.snooze:
        base = row.snooze
    elif row.pings == 0:
        base = max(row.first, row.since + 60 * calls.delay)
    elif not row.wait or not calls.reminders or row.pings > calls.most:
        return None
    elif row.pings > 1 and calls.every:
        base = row.pinged + calls.every * HOUR
    else:
        base = row.pinged + (row.wait if row.pings <= SAME_WAITS else DAY)
    return find_awake(calls, max(base, now))


def list_ping_keys(row: Obligation) -> list[str]:
    """Return the keys that the last ping of an obligation may have."""
    key = build_ping_key(row.subject, row.pinged, row.pings - 1)
    return [key, *(f"{key}:{end}" for end in ("refused", f"refused:{row.user}", row.user))]


def list_answered(before: Collection[Obligation], left: Collection[Obligation]) -> dict[str, set[str]]:
    """Return, by subject, the users who needn't answer any more and whose pings stand at the table."""
    waiting, found = {row.key for row in left if row.open}, dict[str, set[str]]()
    for row in before:
        if row.stands and row.key not in waiting:
            found.setdefault(row.subject, set()).add(row.user)
    return found
