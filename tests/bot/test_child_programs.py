"""What runs in processes of its own, run here: it bounds itself first, and answers each file, set-up and position."""

import io
import os
import resource
import sys
from types import SimpleNamespace

import msgspec
import pytest

from bot.service.workers import bounded, proof, reading, trial
from bot.service.workers.reading import Brought, FileAsked, FileRefused
from engine import Game, Said, Setup
from engine.codec import encode_file
from tests.support.toy import Bid


class Process:
    """The streams and bounds of a process that is none."""

    def __init__(self, given: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
        self.bounds: dict[int, tuple[int, int]] = {}
        self.nice: list[int] = []
        self.out = io.BytesIO()
        monkeypatch.setattr(sys, "argv", ["program", "3", "64"])
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(given)))
        monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=self.out))
        monkeypatch.setattr(resource, "setrlimit", self.bounds.__setitem__)
        monkeypatch.setattr(os, "nice", self.nice.append)


def test_a_process_for_strangers_is_bounded_before_it_looks_at_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    process = Process(b"abc", monkeypatch)
    bounds: list[int] = []

    def work(data: bytes) -> bytes:
        bounds.extend(process.bounds)
        return data.upper()

    bounded.main(work)
    assert process.out.getvalue() == b"ABC"
    assert set(bounds) == {resource.RLIMIT_CPU, resource.RLIMIT_AS, resource.RLIMIT_CORE}
    assert process.bounds[resource.RLIMIT_CPU] == (3, 3)
    assert process.bounds[resource.RLIMIT_AS] == (64 << 20, 64 << 20)
    assert process.nice == [5]


def test_where_the_system_bounds_nothing_the_work_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    process = Process(b"abc", monkeypatch)
    monkeypatch.setattr(bounded, "resource", None)
    bounded.main(bytes.upper)
    assert (process.out.getvalue(), process.bounds) == (b"ABC", {})


def test_a_file_is_answered_with_its_game_or_its_refusal() -> None:
    file = encode_file(Setup("toy", 2), [Said(0, Bid(3))])
    brought = msgspec.msgpack.decode(reading._work(msgspec.msgpack.encode(FileAsked(file))), type=Brought | FileRefused)
    assert isinstance(brought, Brought)
    assert len(brought.rows) == 1
    told = msgspec.msgpack.decode(
        reading._work(msgspec.msgpack.encode(FileAsked(b"hello"))), type=Brought | FileRefused
    )
    assert isinstance(told, FileRefused)
    assert "This is no game log" in told.sentence


def test_a_set_up_is_answered_with_nothing_or_its_refusal() -> None:
    assert trial._work(msgspec.json.encode(Setup("toy", 2))) == b""
    assert "The toy is for 2 to 4 players" in trial._work(msgspec.json.encode(Setup("toy", 9))).decode()


def test_a_defect_is_not_told_as_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process breaks, and whoever asked hears that it did."""

    def broken(asked: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(reading, "read", broken)
    monkeypatch.setattr(trial, "play_all", broken)
    with pytest.raises(ZeroDivisionError):
        reading._work(msgspec.msgpack.encode(FileAsked(b"")))
    with pytest.raises(ZeroDivisionError):
        trial._work(msgspec.json.encode(Setup("toy", 2)))


def test_the_proof_of_a_position_is_polite_and_tells_each_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """With nothing left to prove it tells nothing; a system without such bounds is no reason to stop."""
    game = Game.new(Setup("steel_driver", 3))
    process = Process(proof.write_job(game, game.actors[0], ()), monkeypatch)

    def refused(what: int, most: tuple[int, int]) -> None:
        raise ValueError

    proof.main()
    assert process.nice
    assert resource.RLIMIT_AS in process.bounds
    assert process.out.getvalue() == b""
    again = Process(proof.write_job(game, game.actors[0], game.tips(game.actors[0])), monkeypatch)
    monkeypatch.setattr(resource, "setrlimit", refused)
    proof.main()
    for line in again.out.getvalue().splitlines():
        assert proof.read_tips("steel_driver", line)
