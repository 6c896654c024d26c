"""What was sent and could not be noted, and what Discord would not take."""

from collections import Counter

import msgspec

from bot.store.outbox import StoredPost

Place = tuple[str, str]
"""Channel and message in which a post now stands."""


class Attempts:
    """The memory of this process, for as long as the store cannot take a note.

    On a full disk, or behind a long lock, a message stands and the store knows
    nothing of it: it is not sent again, only noted later.
    """

    def __init__(self) -> None:
        self._stands: dict[int, tuple[int, Place]] = {}
        self._refused: Counter[int] = Counter()

    def stands(self, stored: StoredPost, place: Place) -> None:
        """Remember where a post stands, until that is noted."""
        self._stands[stored.id] = (stored.revision, place)

    def place(self, stored: StoredPost) -> Place | None:
        """Return where this very revision of a post stands, if it was sent and could not be noted."""
        revision, place = self._stands.get(stored.id, (-1, ("", "")))
        return place if revision == stored.revision else None

    def known(self, stored: StoredPost) -> StoredPost:
        """Return a post with the message it has, if only we know of it."""
        if stored.message or stored.id not in self._stands:
            return stored
        channel, message = self._stands[stored.id][1]
        return msgspec.structs.replace(stored, channel=channel, message=message, unsure=False)

    def noted(self, stored: StoredPost) -> None:
        """Forget a post: the store knows all that there is to know."""
        self._stands.pop(stored.id, None)
        self._refused.pop(stored.id, None)

    def refused(self, stored: StoredPost) -> int:
        """Return how often Discord refused the form of a post."""
        return self._refused[stored.id]

    def refuse(self, stored: StoredPost) -> int:
        """Count one more refusal of its form, and return how many there are."""
        self._refused[stored.id] += 1
        return self._refused[stored.id]
