"""Logs as bytes: one JSON row an action in the database, one JSON document a file.

A file is ``{"stationmaster": 1, "setup": …, "log": [{"seat", "action"}, …]}``.
One that was taken while the game ran is sealed: it has the fingerprint of the
seed in the seed's place, and can be played through once the seed is known.
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Annotated, Any

import msgspec

from engine.errors import LogError, RuleError, UnreadableLogError
from engine.game import LogEntry, Redo, Undo, find_title
from engine.record import Action, Record
from engine.setup import RULES, Setup

VERSION = 1
MAX_FILE_BYTES = 16 * 1024 * 1024
SEALED = (
    "This log was exported during the game, so it contains only a fingerprint of the seed, under sealed, and not the "
    "seed itself. When the game is over, the table shows the seed: with it, this log can be replayed, which proves "
    "that no other seed was used."
)
_LONG_NUMBER = re.compile(rb"[:,\[\s]-?(\d{19,})")
_LARGEST = b"9223372036854775807"


@cache
def _make_decoder(title: str) -> msgspec.json.Decoder[Any]:
    """Return the decoder of one title's actions."""
    kinds = find_title(Setup(title, 0)).actions
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
        action: Action = _make_decoder(title).decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError) as cause:
        raise UnreadableLogError(f"This isn't an action of {title}: {cause}.") from None
    return action


def encode_entry(entry: LogEntry) -> bytes:
    """Return an entry of a log as a row of the database: its action, with the runs where it holds some."""
    if not entry.runs:
        return encode_action(entry.action)
    return msgspec.json.encode(_Stored(msgspec.Raw(encode_action(entry.action)), entry.runs))


def decode_entry(title: str, seat: int, payload: bytes | str) -> LogEntry:
    """Return the entry of a stored row, in its form with runs or without.

    Raises:
        UnreadableLogError: the row is no action of this title.
    """
    try:
        row = msgspec.json.decode(payload, type=_Stored)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return LogEntry(seat, decode_action(title, payload))
    return LogEntry(seat, decode_action(title, bytes(row.action)), row.runs)


class _Stored(msgspec.Struct, frozen=True):
    """A row that holds runs beside its action; a bare action has no such fields."""

    action: msgspec.Raw
    runs: tuple[str, ...]


class GameFile(Record, frozen=True):
    """A whole game as our own files have it; ``names`` of the players may be missing."""

    setup: Setup
    log: tuple[LogEntry, ...]
    names: tuple[str, ...] = ()


class _Setup(msgspec.Struct, frozen=True):
    title: str
    seats: Annotated[int, msgspec.Meta(ge=0, le=100)]
    options: dict[str, str] = {}
    seed: Annotated[int, msgspec.Meta(ge=0)] = 0
    rules: Annotated[int, msgspec.Meta(ge=1)] = 1


class _File(msgspec.Struct, frozen=True):
    stationmaster: int
    setup: _Setup
    log: tuple[msgspec.Raw, ...]
    players: tuple[str, ...] = ()
    sealed: str = ""


class _Row(msgspec.Struct, frozen=True):
    seat: int
    action: msgspec.Raw
    runs: tuple[str, ...] = ()


def fingerprint(seed: int) -> str:
    """Return what is published of a seed before the end of its game."""
    return hashlib.sha256(f"stationmaster {seed}".encode()).hexdigest()[:16]


def encode_file(setup: Setup, log: Iterable[LogEntry], names: Sequence[str] = (), *, sealed: bool = False) -> bytes:
    """Return a whole game as a document that ``decode_file`` reads; a sealed one keeps its seed back."""
    document: dict[str, object] = {"stationmaster": VERSION, "setup": setup}
    if sealed:
        shown = {"title": setup.title, "seats": setup.seats, "options": setup.options, "rules": setup.rules}
        document |= {"setup": shown, "sealed": fingerprint(setup.seed), "note": SEALED}
    if names:
        document["players"] = names
    document["log"] = [
        {"seat": entry.seat, "action": entry.action, **({"runs": entry.runs} if entry.runs else {})} for entry in log
    ]
    return msgspec.json.format(msgspec.json.encode(document), indent=1)


def decode_file(data: bytes) -> tuple[Setup, Sequence[LogEntry]]:
    """Read the set-up and the log of a game.

    Raises:
        UnreadableLogError, LogError: see ``read_file``.
    """
    file = read_file(data)
    return file.setup, list(file.log)


def read_file(data: bytes, seed: int | None = None) -> GameFile:
    """Read a whole game.

    Args:
        data: the file.
        seed: opens a sealed one.

    Raises:
        UnreadableLogError: the bytes aren't a log in our format, or it's sealed; the message is one line.
        LogError: an entry cannot be read.
    """
    check_limits(data)
    try:
        document = msgspec.json.decode(data, type=_File)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as cause:
        raise UnreadableLogError(f"This isn't a game log: {cause}.") from None
    if document.stationmaster > VERSION:
        raise UnreadableLogError(
            f"This log has format {document.stationmaster}; this program reads formats up to {VERSION}."
        )
    if document.setup.rules > RULES:
        raise UnreadableLogError(
            f"This log uses version {document.setup.rules} of the rules; this program knows versions up to {RULES}."
        )
    given = msgspec.structs.asdict(document.setup)
    setup = Setup(**{**given, "seed": verify_seed(document.sealed, seed)} if document.sealed else given)
    try:
        title = find_title(setup)
    except RuleError as refusal:
        raise UnreadableLogError(refusal.sentence) from None
    return GameFile(setup, tuple(_read_entries(title.id, document.log)), document.players)


def check_limits(data: bytes) -> None:
    """Refuse bytes that no log needs, before they are decoded.

    Raises:
        UnreadableLogError: there are too many, or one of the numbers is beyond 64 bits.
    """
    if len(data) > MAX_FILE_BYTES:
        raise UnreadableLogError(f"The file has {len(data)} bytes; the limit is {MAX_FILE_BYTES}.")
    for found in _LONG_NUMBER.finditer(data):
        if (len(found[1]), found[1]) > (len(_LARGEST), _LARGEST):
            raise UnreadableLogError(
                f"This isn't a game log: the number at byte {found.start(1)} doesn't fit in 64 bits."
            )


def verify_seed(sealed: str, seed: int | None) -> int:
    """Return the seed of a sealed log.

    Args:
        sealed: fingerprint of the seed.
        seed: the one to check.

    Raises:
        UnreadableLogError: no seed is given, or another one.
    """
    if seed is None:
        raise UnreadableLogError(
            "This log was exported during the game, so it has no seed. When the game is over, the table shows the "
            "seed; provide it with the file to replay the log."
        )
    if fingerprint(seed) != sealed:
        raise UnreadableLogError(
            f"The seed {str(seed)[:20]} isn't the seed of this log, whose fingerprint is {sealed[:16]}."
        )
    return seed


def _read_entries(title: str, rows: Sequence[msgspec.Raw]) -> Iterable[LogEntry]:
    """Yield the entries of a log.

    Raises:
        LogError: one cannot be read.
    """
    for index, raw in enumerate(rows):
        try:
            row = msgspec.json.decode(raw, type=_Row)
            yield LogEntry(row.seat, decode_action(title, bytes(row.action)), row.runs)
        except (msgspec.DecodeError, UnreadableLogError, RecursionError) as cause:
            raise LogError(index, f"{str(cause).rstrip('.')}.") from None
