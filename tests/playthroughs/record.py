"""Playing, digesting, writing and reading the games that are kept."""

import gzip
import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from engine import TITLES, LogEntry, Rng, Setup
from engine.codec import decode_entry, encode_entry
from engine.game import play_entry
from engine.title import ignore_event

FOLDER = Path(__file__).parent / "games"
INDEX = FOLDER / "index.txt"
MAX_MOVES = 3000
"""Actions after which a game would be no game."""
EVERY = 20
"""Of a game that is kept in full, how many actions lie between two states."""
DIGITS = 8


class Kept(msgspec.Struct, frozen=True):
    """A game as it is kept.

    Args:
        log: (seat, entry as the store has it) of each action. digests: ``DIGITS`` digits for each, put together.
        reason: why it ended. totals: the score of each seat. states: (number of actions before, state) of some.
    """

    setup: Setup
    log: tuple[tuple[int, msgspec.Raw], ...]
    digests: str
    reason: str
    totals: tuple[int, ...]
    states: tuple[tuple[int, Any], ...] = ()

    def digest(self, count: int) -> str:
        """Return what the state after so many actions (from 1) is told by."""
        return self.digests[(count - 1) * DIGITS : count * DIGITS]

    def read_log(self) -> tuple[LogEntry, ...]:
        """Return the log as the engine has it."""
        return tuple(decode_entry(self.setup.title, seat, bytes(raw)) for seat, raw in self.log)


def plain(state: msgspec.Struct) -> object:
    """Return a state as JSON would give it back."""
    return msgspec.json.decode(_encode_state(state))


def _encode_state(state: msgspec.Struct) -> bytes:
    """Return a state as JSON, its mappings in the order they were made; fast, as it is done after every action.

    The rules are left out: they follow from the set-up and never change, and a new switch is no new state.
    """
    fields = {name: getattr(state, name) for name in state.__struct_fields__ if name != "rules"}
    return msgspec.json.encode(fields, enc_hook=_encode_unknown)


def _encode_unknown(value: object) -> object:
    """Return what msgspec does not know: a board as its tiles; what is printed never changes and counts nothing."""
    return {hex_: list(tile) for hex_, tile in value.laid.items()} if hasattr(value, "laid") else type(value).__name__


def digest(state: msgspec.Struct) -> str:
    """Return what tells a state from all others of its game."""
    return hashlib.sha256(_encode_state(state)).hexdigest()[:DIGITS]


def states(setup: Setup, log: Sequence[LogEntry]) -> Iterator[tuple[LogEntry, Any]]:
    """Yield each entry as it was played, and the state after it; always the same object, changed in place.

    Raises:
        RuleError: an action breaks a rule.
    """
    title = TITLES[setup.title]
    state = title.deal(setup)
    for entry in log:
        yield play_entry(title, state, entry, ignore_event), state


def play(setup: Setup) -> tuple[LogEntry, ...]:
    """Return the log of a game that the title's own player plays to its end."""
    title, rng = TITLES[setup.title], Rng(setup.seed)
    state = title.deal(setup)
    log: list[LogEntry] = []
    while (seats := title.actors(state)) and len(log) < MAX_MOVES:
        seat = seats[0]
        action = title.spell_out(state, seat, title.advice.choose(state, seat, rng))
        log.append(play_entry(title, state, LogEntry(seat, action), ignore_event))
    return tuple(log)


def keep(setup: Setup, log: Sequence[LogEntry], *, full: bool) -> Kept:
    """Return a game with its digests.

    Raises:
        RuleError: an action of the log breaks a rule.
    """
    digests, some, played, state = [], [], [], None
    for count, (entry, state) in enumerate(states(setup, log), 1):
        digests.append(digest(state))
        played.append(entry)
        if full and count % EVERY == 0:
            some.append((count, plain(state)))
    result = TITLES[setup.title].result(state)
    assert result is not None, f"{setup} came to no end"
    totals = {score.seat: score.total for score in result.scores}
    return Kept(
        setup,
        tuple((entry.seat, msgspec.Raw(encode_entry(entry))) for entry in played),
        "".join(digests),
        result.reason,
        tuple(totals[seat] for seat in range(setup.seats)),
        tuple(some),
    )


def read(name: str) -> Kept:
    """Return a game that is kept."""
    return msgspec.json.decode(gzip.decompress((FOLDER / f"{name}.json.gz").read_bytes()), type=Kept)


def write(name: str, kept: Kept) -> None:
    """Write a game; the same game always gives the same bytes."""
    data = msgspec.json.encode(kept, order="deterministic")
    (FOLDER / f"{name}.json.gz").write_bytes(gzip.compress(data, 9, mtime=0))


def line(name: str, kept: Kept) -> str:
    """Return a game as a line of the index: its digests at every fifty actions show where two versions part."""
    marks = " ".join(kept.digest(count) for count in range(50, len(kept.log), 50))
    return f"{name}: {len(kept.log)} actions, {kept.reason}, {' '.join(map(str, kept.totals))} | {marks}"
