"""Logs as bytes: read back alike; what is no log is refused in one clear line."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import TITLES, Action, LogEntry, LogError, Redo, Setup, Undo, UnreadableLogError
from engine.codec import (
    MAX_FILE_BYTES,
    check_limits,
    decode_action,
    decode_entry,
    decode_file,
    encode_action,
    encode_entry,
    encode_file,
    fingerprint,
    verify_seed,
)
from tests.support.toy import Answer, Bid, Offer, Pass, toy

LOG = (
    LogEntry(0, Bid(3)),
    LogEntry(1, Pass()),
    LogEntry(0, Undo(1)),
    LogEntry(1, Redo()),
    LogEntry(0, Offer(1, 1, 5)),
    LogEntry(1, Answer("é")),
)
SETUP = Setup("toy", 3, {"length": "long"}, 99)


@pytest.fixture(autouse=True)
def _toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TITLES, "toy", toy())


def test_a_file_is_read_back_alike() -> None:
    assert decode_file(encode_file(SETUP, LOG)) == (SETUP, list(LOG))


def test_a_file_is_readable() -> None:
    document = json.loads(encode_file(SETUP, LOG))
    assert document["stationmaster"] == 1
    assert document["log"][0] == {"seat": 0, "action": {"do": "bid", "amount": 3}}
    assert encode_file(SETUP, LOG).startswith(b'{\n "stationmaster": 1,\n "setup": {\n  "title": "toy",\n')


def test_an_entry_is_its_action_and_its_runs_only_where_it_holds_some() -> None:
    for said, row in (
        (LogEntry(1, Bid(3)), b'{"do":"bid","amount":3}'),
        (LogEntry(1, Bid(3), ("A-B",)), b'{"action":{"do":"bid","amount":3},"runs":["A-B"]}'),
    ):
        assert encode_entry(said) == row
        assert decode_entry("toy", 1, row) == said


def test_a_log_without_a_seed_has_none_to_speak_of() -> None:
    text = b'{"stationmaster":1,"setup":{"title":"toy","seats":2},"log":[]}'
    assert decode_file(text) == (Setup("toy", 2, {}, 0, 1), [])


class Claimed(bytes):
    """Bytes that say how many they are, so that no one must make so many."""

    claimed = 0

    def __len__(self) -> int:
        return self.claimed


@pytest.mark.parametrize("more", [0, 1])
def test_a_file_has_sixteen_mebibytes_at_most(more: int) -> None:
    data = Claimed(b"{}")
    data.claimed = 16 * 1024 * 1024 + more
    if not more:
        check_limits(data)
        return
    with pytest.raises(UnreadableLogError, match=r"The file has 16777217 bytes; the limit is 16777216\."):
        check_limits(data)


@pytest.mark.parametrize("action", [entry.action for entry in LOG])
def test_a_row_is_read_back_alike(action: Action) -> None:
    assert decode_action("toy", encode_action(action)) == action
    assert b"\n" not in encode_action(action)


@pytest.mark.parametrize(
    "row",
    [b"", b"{}", b"[]", b'{"do":"fly"}', b'{"do":"bid"}', b'{"do":"bid","amount":"3"}',
     b'{"do":"bid","amount":3,"x":1}', b"\xff", b'{"do":"bid","amount":1e999}', b"null"],
)  # fmt: skip
def test_a_row_that_is_no_action_is_refused(row: bytes) -> None:
    with pytest.raises(UnreadableLogError, match="isn't an action of toy"):
        decode_action("toy", row)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "a game log"), (b"hello", "a game log"), (b"[1, 2]", "a game log"),
        (b'"stationmaster"', "a game log"), (b"\x00\xff", "a game log"), (b"[" * 100_000, "a game log"),
        (b'{"stationmaster": 1}', "a game log"),
        (b'{"stationmaster":2,"setup":{"title":"toy","seats":2},"log":[]}', "format 2"),
        (b'{"stationmaster":1,"setup":{"title":"1830","seats":2},"log":[]}', "no game “1830”"),
        (b" " * (MAX_FILE_BYTES + 1), "the limit is"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_log_is_refused_in_one_line(data: bytes, words: str) -> None:
    with pytest.raises(UnreadableLogError, match=words) as error:
        decode_file(data)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("number", "beyond"), [("9223372036854775807", False), ("9223372036854775808", True), ("1" + 19 * "0", True)]
)
def test_a_number_beyond_64_bits_is_named_by_its_byte(number: str, beyond: bool) -> None:
    """JSON has no largest number; a reader that meets one of a million digits stands still."""
    data = f'{{"seed":{number}}}'.encode()
    if not beyond:
        check_limits(data)
        return
    with pytest.raises(UnreadableLogError, match=r"number at byte 8 doesn't fit in 64 bits"):
        check_limits(data)


def test_a_sealed_log_opens_with_its_seed_alone() -> None:
    assert verify_seed(fingerprint(7), 7) == 7
    assert fingerprint(7) == "695fedc65ed284ed", "what was published before stays true"
    for seed, words in ((8, "isn't the seed"), (None, "has no seed")):
        with pytest.raises(UnreadableLogError, match=words):
            verify_seed(fingerprint(7), seed)


@pytest.mark.parametrize(
    "row", ['{"seat":0}', '{"seat":"0","action":{"do":"pass"}}', '{"seat":0,"action":{"do":"fly"}}', "7"]
)
def test_an_unreadable_entry_is_named_by_its_place(row: str) -> None:
    good = '{"seat":0,"action":{"do":"pass"}}'
    text = f'{{"stationmaster":1,"setup":{{"title":"toy","seats":2}},"log":[{good},{row}]}}'
    with pytest.raises(LogError) as error:
        decode_file(text.encode())
    assert error.value.index == 1


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 400), st.binary(min_size=1, max_size=3))
def test_a_damaged_file_never_breaks_the_reader(place: int, noise: bytes) -> None:
    toys = {**TITLES}
    TITLES["toy"] = toy()
    try:
        data = encode_file(SETUP, LOG)
        damaged = data[: place % len(data)] + noise + data[place % len(data) + len(noise) :]
        try:
            decode_file(damaged)
        except (UnreadableLogError, LogError) as error:
            assert str(error)  # noqa: PT017 - it may be readable all the same
    finally:
        TITLES.clear()
        TITLES.update(toys)
