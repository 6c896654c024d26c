"""What passes between the bot and a worker: one job out, one reply back, each a frame of MessagePack.

A position travels as its log, whole the first time, then as what was said
since. A refusal comes back as the error it was.
"""

import struct
from collections.abc import Sequence
from typing import Literal

import msgspec

from bot.model.errors import BotError
from engine import LogEntry, LogError, Rule, RuleError, Setup, UnreadableLogError
from engine.codec import decode_entry, encode_entry
from engine.words import WordingError

LENGTH = struct.Struct(">I")
"""Each frame has its length before it."""
Refusal = BotError | RuleError | WordingError | LogError | UnreadableLogError
REFUSALS = (BotError, RuleError, WordingError, LogError, UnreadableLogError)


class WireEntry(msgspec.Struct, frozen=True, array_like=True):
    """A log entry on the wire, said as the store has it."""

    seat: int
    said: bytes


class Entries(msgspec.Struct, frozen=True):
    """A position: the entries that follow the first ``base`` of a log; with a ``setup`` the whole log."""

    game: int
    base: int
    rows: tuple[WireEntry, ...]
    setup: Setup | None = None


class Job(msgspec.Struct, frozen=True):
    """A task of a room with what it takes, encoded, the position it is about, and how long it may keep a processor."""

    room: str
    task: str
    takes: bytes
    place: Entries | None
    cpu_seconds: int | None = None


class Done(msgspec.Struct, frozen=True, tag=True):
    """What a task gives, encoded."""

    value: bytes


class Refused(msgspec.Struct, frozen=True, tag=True):
    """A refusal for a person."""

    kind: Literal["bot", "rule", "wording", "log", "unreadable"]
    sentence: str
    rule: Rule | None = None
    index: int = 0


class Missing(msgspec.Struct, frozen=True, tag=True):
    """The worker does not know the position that the entries follow."""


class Broken(msgspec.Struct, frozen=True, tag=True):
    """A defect of ours, with its trace."""

    trace: str


Reply = Done | Refused | Missing | Broken


class DefectError(Exception):
    """A defect of ours that a worker met; the message is the trace."""


def encode_row(said: LogEntry) -> WireEntry:
    """Return an entry for the wire."""
    return WireEntry(said.seat, encode_entry(said))


def decode_rows(title: str, rows: Sequence[WireEntry]) -> list[LogEntry]:
    """Return entries from the wire."""
    return [decode_entry(title, each.seat, each.said) for each in rows]


def encode_refusal(error: Refusal) -> Refused:
    """Return a refusal for the wire."""
    if isinstance(error, RuleError):
        return Refused("rule", error.sentence, error.rule)
    if isinstance(error, LogError):
        return Refused("log", error.cause, index=error.index)
    if isinstance(error, WordingError):
        return Refused("wording", str(error))
    if isinstance(error, UnreadableLogError):
        return Refused("unreadable", str(error))
    return Refused("bot", error.sentence)


def decode_error(reply: Refused | Broken) -> Exception:
    """Return the error that a reply tells of."""
    if isinstance(reply, Broken):
        return DefectError(reply.trace)
    if reply.kind == "rule" and reply.rule is not None:
        return RuleError(reply.sentence, reply.rule)
    if reply.kind == "log":
        return LogError(reply.index, reply.sentence)
    if reply.kind == "wording":
        return WordingError(reply.sentence)
    return UnreadableLogError(reply.sentence) if reply.kind == "unreadable" else BotError(reply.sentence)
