"""A run is its seed: played twice it is the same, whatever the machine does; and the invariants see each fault."""

import asyncio
import os
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.simulation.invariants import Ring, Shown, Snapshot, find_faults
from tests.simulation.loop import FrozenError, Process, StandstillError
from tests.simulation.machine import ForbiddenError
from tests.simulation.runs import Case, Runner
from tests.simulation.simulation import Simulation

PROGRAM = """
import sys
from pathlib import Path
from tests.simulation.runs import Case, Runner
print(Runner(Path(sys.argv[1])).run(Case(3, 'begin')).digest)
"""


@pytest.fixture
def runner(tmp_path: Path, fresh_store: Path) -> Runner:
    (tmp_path / "fresh.sqlite").write_bytes(fresh_store.read_bytes())
    return Runner(tmp_path)


def test_a_seed_settles_a_run_also_in_another_process(runner: Runner, tmp_path: Path) -> None:
    """Also where the hashes of strings differ."""
    first, other = runner.run_apart(Case(3, "begin")), runner.run_apart(Case(4, "begin"))
    assert first.faults == []
    assert first.moves == 2
    assert first.digest != other.digest
    settings = {**os.environ, "PYTHONHASHSEED": "1"}
    command = (sys.executable, "-c", PROGRAM, str(tmp_path))
    ended = subprocess.run(command, env=settings, capture_output=True, text=True, check=True)
    assert ended.stdout.split()[-1] == first.digest


def test_ready_tasks_go_on_in_an_order_that_the_seed_picks() -> None:
    """In the order in which they became ready, if so wished."""

    def order_of(seed: int, *, is_fifo: bool) -> list[int]:
        run, done = Simulation(seed, is_fifo=is_fifo), list[int]()

        async def note(number: int) -> None:
            await asyncio.sleep(0)
            done.append(number)

        async def main() -> None:
            await asyncio.gather(*map(note, range(6)))

        run.run(main())
        return done

    assert order_of(1, is_fifo=True) == list(range(6))
    assert order_of(1, is_fifo=False) == order_of(1, is_fifo=False)
    assert len({tuple(order_of(seed, is_fifo=False)) for seed in range(5)}) > 1


def test_time_jumps_and_nothing_real_is_used() -> None:
    run, began = Simulation(1), time.time()

    async def main() -> None:
        await asyncio.sleep(3600)
        with pytest.raises(ForbiddenError):
            time.sleep(1)
        with pytest.raises(ForbiddenError):
            threading.Thread(target=print).start()

    run.run(main())
    assert run.loop.time() == 3600
    assert time.time() - began < 60


def test_no_library_keeps_a_real_clock() -> None:
    """As one that was imported by name: a connection that rests would be closed sooner on a slow machine."""
    run, real = Simulation(1), (time.time, time.monotonic)
    parts = ("aiohttp", "aiosmtp", "imap_tools", "imaplib", "discord", "bot")

    async def main() -> None:
        for name, module in sys.modules.copy().items():
            if name.startswith(parts):
                assert not [each for each, value in vars(module).items() if any(value is clock for clock in real)], name

    run.run(main())


def test_what_waits_for_ever_or_never_ends_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.simulation.loop.TICK_SECONDS", 0.05)

    async def wait() -> None:
        await asyncio.get_running_loop().create_future()

    async def spin() -> None:
        while True:
            pass

    run = Simulation(1)
    run.most = None
    with pytest.raises(StandstillError):
        run.run(wait())
    with pytest.raises(FrozenError):
        Simulation(1).run(spin())


def test_a_killed_process_runs_nothing_more_and_leaves_what_was_committed(runner: Runner) -> None:
    """Neither a ``finally`` nor a callback; people see a line that was cut."""
    run, done = Simulation(1), list[str]()

    async def work() -> None:
        try:
            await asyncio.sleep(5)
        finally:
            done.append("finally")

    async def main() -> None:
        process = Process("victim")
        run.loop.spawn(process, work())
        await asyncio.sleep(1)
        process.kill()
        await asyncio.sleep(60)

    run.run(main())
    assert done == []


WELL = Snapshot(
    now=1000.0,
    games=[{"id": 1, "state": "running", "channel": "9", "turn_from": 2}],
    log=[{"game": 1, "seq": 0, "interaction": "a"}, {"game": 1, "seq": 1, "interaction": None}],
    outbox=[
        {"id": 5, "key": "1:turn:2", "kind": "turn", "state": "sent", "due": 990, "sent": 991, "attempts": 0,
         "error": "", "game": 1, "payload": '{"pings": ["7"], "mention": ["7"]}'},
        {"id": 6, "key": "1:summary:1", "kind": "summary", "state": "sent", "due": 990, "sent": 991, "attempts": 0,
         "error": "", "game": 1, "payload": '{"line": "Ann passes"}'},
    ],
    shown=[Shown(1, 1, 6, "Ann passes"), Shown(2, 1, 5, "Ann must bid")],
    rings=[Ring("7", 5)],
    told=["a"],
    secrets={"the seed": "4711"},
    words="Ann passes",
)  # fmt: skip


@pytest.mark.parametrize(("sentence", "changed"), [
    ("moves: move b was told and is not stored", {"told": ["a", "b"]}),
    ("moves: move a stands 2 times", {"log": [*WELL.log, {"game": 1, "seq": 2, "interaction": "a"}]}),
    ("moves: the log of table 1 has gaps or doubles: [0]", {"log": [{"game": 1, "seq": 0, "interaction": "a"}] * 1,
                                                            "told": []}),
    ("rings: post 5 rang 7 2 times", {"rings": [Ring("7", 5)] * 2}),
    ("rings: 1:turn:2 never rang 7", {"rings": []}),
    ("doubles: post 6 stands 2 times", {"shown": [Shown(0, 1, 6, "Ann passes"), *WELL.shown]}),
    ("order: turn 1 of table 1 stands below turn 2", {"shown": [Shown(3, 1, 6, "Ann passes"), WELL.shown[1]]}),
    ("letters: 1:summary:1 was given up", {"outbox": [WELL.outbox[0], {**WELL.outbox[1], "kind": "letter",
                                                                       "state": "dropped", "attempts": 3}]}),
    ("results: the result 'Ann passes' stands 0 times", {"shown": WELL.shown[1:]}),
    ("secrets: the seed can be read", {"words": "It was 4711."}),
    ("promises: 1:summary:1 is 500 s late", {"outbox": [WELL.outbox[0], {**WELL.outbox[1], "state": "owed",
                                                                         "due": 500}]}),
    ("pairings: 7 sits at 2 tables of season 3", {"paired": [{"season": 3, "id": 1, "user": "7"},
                                                             {"season": 3, "id": 2, "user": "7"}]}),
    ("followers: 8 follows table 1 and isn't told that it is over", {"follows": [{"game": 1, "user": "8"}]}),
    ("followers: 8 is told 'Ann wins' 2 times", {"outbox": [
        *WELL.outbox,
        *({**WELL.outbox[1], "id": each, "key": f"1:news:8:{each}", "kind": "told", "payload": '{"text": "Ann wins"}'}
          for each in (7, 8)),
    ]}),
    ("promises: 1:turn:2 came 490 s late", {"outbox": [{**WELL.outbox[0], "due": 501}, WELL.outbox[1]]}),
])  # fmt: skip
def test_each_invariant_notices(sentence: str, changed: dict[str, object]) -> None:
    assert find_faults(WELL) == []
    if "gaps" in sentence:
        changed = {**changed, "log": [{"game": 1, "seq": 1, "interaction": "a"}]}
        sentence = "moves: the log of table 1 has gaps or doubles: [1]"
    found = find_faults(replace(WELL, **changed))  # type: ignore[arg-type]  # one field of its own type each
    assert [each for each in found if each.startswith(sentence)], found
