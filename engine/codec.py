"""Logs as bytes: one JSON row an action in the store, one JSON document a file.

A file is ``{"stationmaster": 1, "setup": …, "log": [{"seat", "action"}, …]}``.
``upcast`` brings rows of older versions to today's form.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import msgspec

from engine.errors import LogError, RuleError, UnreadableLogError
from engine.game import title_of
from engine.log import Redo, Said, Undo
from engine.record import Action
from engine.title import Setup

VERSION = 1
MOST_BYTES = 16 * 1024 * 1024


@cache
def _decoder(title: str) -> msgspec.json.Decoder[Any]:
    """Return the decoder of one title's actions."""
    kinds = title_of(Setup(title, 0)).actions
    union: Any = Undo | Redo
    for kind in kinds:
        union = union | kind
    return msgspec.json.Decoder(union)


def encode_action(action: Action) -> bytes:
    """Return an action as one line of JSON."""
    return msgspec.json.encode(action)


def decode_action(title: str, payload: bytes | str) -> Action:
    """Return the action of a stored row.

    Raises:
        UnreadableLogError: the row is no action of this title.
    """
    try:
        action: Action = _decoder(title).decode(upcast(title, payload))
    except (msgspec.DecodeError, UnicodeDecodeError) as cause:
        raise UnreadableLogError(f"This is no action of {title}: {cause}.") from None
    return action


def upcast(title: str, payload: bytes | str) -> bytes | str:
    """Return a stored row in today's form; so far there is one form only."""
    del title
    return payload


def encode_said(said: Said) -> bytes:
    """Return an entry of a log as a row of the store: its action, with the runs where it holds some."""
    if not said.runs:
        return encode_action(said.action)
    return msgspec.json.encode(_Stored(msgspec.Raw(encode_action(said.action)), said.runs))


def decode_said(title: str, seat: int, payload: bytes | str) -> Said:
    """Return the entry of a stored row, in its form with runs or without.

    Raises:
        UnreadableLogError: the row is no action of this title.
    """
    try:
        row = msgspec.json.decode(payload, type=_Stored)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return Said(seat, decode_action(title, payload))
    return Said(seat, decode_action(title, bytes(row.action)), row.runs)


class _Stored(msgspec.Struct, frozen=True):
    """A row that holds runs beside its action; a bare action has no such fields."""

    action: msgspec.Raw
    runs: tuple[str, ...]


class _File(msgspec.Struct, frozen=True):
    stationmaster: int
    setup: Setup
    log: tuple[msgspec.Raw, ...]


class _Row(msgspec.Struct, frozen=True):
    seat: int
    action: msgspec.Raw
    runs: tuple[str, ...] = ()


def encode_file(setup: Setup, log: Iterable[Said]) -> bytes:
    """Return a whole game as a document that ``decode_file`` reads."""
    rows = [
        {"seat": entry.seat, "action": entry.action, **({"runs": entry.runs} if entry.runs else {})} for entry in log
    ]
    return msgspec.json.format(msgspec.json.encode({"stationmaster": VERSION, "setup": setup, "log": rows}), indent=1)


def decode_file(data: bytes) -> tuple[Setup, Sequence[Said]]:
    """Read a whole game.

    Raises:
        UnreadableLogError: the bytes are no log of ours; one clear line.
        LogError: an entry cannot be read.
    """
    if len(data) > MOST_BYTES:
        raise UnreadableLogError(f"The file is too large: {len(data)} bytes, at most {MOST_BYTES}.")
    try:
        document = msgspec.json.decode(data, type=_File)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as cause:
        raise UnreadableLogError(f"This is no game log: {cause}.") from None
    if document.stationmaster > VERSION:
        raise UnreadableLogError(f"The log has version {document.stationmaster}; this program reads {VERSION}.")
    try:
        title = title_of(document.setup)
    except RuleError as refusal:
        raise UnreadableLogError(refusal.sentence) from None
    log: list[Said] = []
    for index, raw in enumerate(document.log):
        try:
            row = msgspec.json.decode(raw, type=_Row)
            log.append(Said(row.seat, decode_action(title.id, bytes(row.action)), row.runs))
        except (msgspec.DecodeError, UnreadableLogError) as cause:
            raise LogError(index, str(cause)) from None
    return document.setup, log
