"""Workers that are processes: they play, look and draw as we do, come to bad ends, and are bounded."""

import asyncio
import importlib
import io
import os
import pkgutil
import resource
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

import bot
from bot.model.errors import BotError
from bot.model.standing import Standing
from bot.screens.desk import DeskAsked
from bot.screens.desk_screens import BUTTONS, SCREEN
from bot.screens.drawing import DRAW, Drawing
from bot.service.workers import processes
from bot.service.workers.jobs import LANES, Job, Lane, Task
from bot.service.workers.pool import TooMuchError, Workers
from bot.service.workers.processes import ProcessPipe, strip_tokens
from bot.service.workers.tasks import BACK, DEAL, LOOK, PLAY, STAND, PictureAsked, UndoAsked, Wish
from engine import Request, Rng, RuleError, Setup
from engine.codec import encode_action
from engine.view import MapView
from render import PictureStyle, png
from tests.bot.test_workers import course_of, play_moves
from tests.support.sure import as_a

UNKNOWN_EXIT_CODE = 255
"""From asyncio on Python 3.11, if a process has just ended when it is killed: the kill takes its exit code away."""


@pytest.fixture
async def staff() -> AsyncIterator[Workers]:
    """One process for moves and one for looks."""
    workers = Workers.in_processes(1)
    yield workers
    await workers.close()


def process_of(workers: Workers, lane: Lane) -> asyncio.subprocess.Process:
    pipe = workers._crews[lane].workers[0].pipe
    assert isinstance(pipe, ProcessPipe)
    assert pipe._process is not None
    return pipe._process


def test_a_process_finds_every_task_in_its_room_by_its_name() -> None:
    modules = [each.name for each in pkgutil.walk_packages(bot.__path__, "bot.")]
    rooms = [importlib.import_module(name) for name in modules if name.startswith(("bot.service.", "bot.screens."))]
    found = {id(task): task for room in rooms for task in vars(room).values() if isinstance(task, Task)}
    assert {"stand", "play", "look", "prove", "read file", "try", "screen", "draw", "export"} <= {
        task.name for task in found.values()
    }
    for task in found.values():
        there = vars(importlib.import_module(task.room)).values()
        assert {each.do for each in there if isinstance(each, Task) and each.name == task.name} == {task.do}


async def test_processes_play_look_and_draw_as_we_do(staff: Workers) -> None:
    game = play_moves(Setup("1860", 3, seed=2), 20)
    seat, course = game.actors[0], course_of(game)
    assert await staff.do(STAND, None, course) == Standing.of(game).facts
    action = game.title.advice.choose(game.state, seat, Rng(1))
    made = await staff.do(PLAY, Wish((seat,), ("A", "B", "C"), action=encode_action(action)), course)
    assert made.facts == Standing.of(game.play(seat, action).game).facts
    view = await staff.do(LOOK, PictureAsked(Request("map")), course)
    assert view == game.look(Request("map"))
    assert await staff.do(DRAW, Drawing(as_a(MapView, view), PictureStyle("mono"))) == png(view, PictureStyle("mono"))
    sitting = DeskAsked(1, ("A", "B", "C"), seat)
    assert (await staff.do(BUTTONS, sitting, course)).quick
    assert "**" in (await staff.do(SCREEN, sitting, course)).screen.text
    with pytest.raises(RuleError, match="no move 99"):
        await staff.do(BACK, UndoAsked(0, 99), course)


async def test_a_process_that_is_killed_costs_a_second_try(staff: Workers) -> None:
    game = play_moves(Setup("1860", 3, seed=2), 5)
    await staff.do(STAND, None, course_of(game))
    process_of(staff, "moves").kill()
    assert await staff.do(STAND, None, course_of(game)) == Standing.of(game).facts


async def test_a_process_that_hangs_is_given_up_after_its_time(staff: Workers) -> None:
    game = play_moves(Setup("1860", 3, seed=2), 5)
    await staff.do(STAND, None, course_of(game))
    hung = process_of(staff, "moves")
    os.kill(hung.pid, signal.SIGSTOP)
    brief = msgspec.structs.replace(STAND, seconds=3.0)
    assert await staff.do(brief, None, course_of(game)) == Standing.of(game).facts
    assert hung.returncode == -signal.SIGKILL


async def test_a_job_that_breaks_every_process_is_refused_with_a_sentence(staff: Workers) -> None:
    unknown: Task[None, None] = Task("no such task", lambda _, __: None, None, None)
    with pytest.raises(BotError, match="memory; nothing was changed"):
        await staff.do(unknown, None)


async def test_an_abandoned_job_is_discarded(staff: Workers) -> None:
    game = play_moves(Setup("1860", 3, seed=2), 5)
    asked = asyncio.create_task(staff.do(STAND, None, course_of(game)))
    await asyncio.sleep(0.05)
    asked.cancel()
    assert await staff.do(STAND, None, course_of(game)) == Standing.of(game).facts


async def test_processes_end_with_us() -> None:
    workers = Workers.in_processes(1)
    await workers.do(DEAL, Setup("1860", 3))
    process = process_of(workers, "moves")
    os.kill(process.pid, signal.SIGTERM)  # as to the whole group, when the bot is told to end: the bot ends it
    await workers.do(DEAL, Setup("1860", 3))
    await workers.close()
    assert process.returncode == 0


def test_the_token_is_not_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not [name for name in strip_tokens({"DISCORD_TOKEN": "x", "PATH": "y"}) if "TOKEN" in name]


def test_a_warm_worker_hides_loaded_modules_from_the_garbage_collector(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Once after the warm-up, not after each job; the reply goes out before."""
    out, spared = io.BytesIO(), list[int]()
    monkeypatch.setattr(processes, "freeze_garbage_collector", lambda: spared.append(out.tell()))
    given = msgspec.msgpack.encode(None)
    jobs = [msgspec.msgpack.encode(Job(__name__, name, given, None)) for name in ("idle", "warming", "warming", "idle")]
    processes.do_jobs(jobs, out)
    replies = [*processes.read_frames(io.BytesIO(out.getvalue()))]
    assert len(replies) == 1 + len(jobs)
    lengths = [4 + len(reply) for reply in replies]
    assert spared == [sum(lengths[:3]), sum(lengths[:4])]


def test_a_worker_gives_free_memory_back_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every few seconds, and not after each job; the reply goes out before."""
    processes.trim_memory()
    out, trimmed, moments = io.BytesIO(), list[int](), iter((0.0, 4.0, 5.0, 5.0, 9.0))
    monkeypatch.setattr(processes, "trim_memory", lambda: trimmed.append(out.tell()))
    monkeypatch.setattr(processes, "time", SimpleNamespace(monotonic=lambda: next(moments)))
    given = msgspec.msgpack.encode(None)
    processes.do_jobs([msgspec.msgpack.encode(Job(__name__, "idle", given, None))] * 3, out)
    replies = [*processes.read_frames(io.BytesIO(out.getvalue()))]
    assert trimmed == [sum(4 + len(reply) for reply in replies[:3])]


# --- what is done apart ---------------------------------------------------------------------------


async def test_an_isolated_job_has_its_own_process_that_ends_with_it(
    staff: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = note_processes(monkeypatch)
    assert await staff.do(SAME, 7) == 7
    assert await staff.do(SAME, 8) == 8
    assert len(started) == 2
    assert all(process.returncode is not None for process in started)


async def test_an_isolated_job_ends_with_its_caller_and_the_next_one_runs(
    staff: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = note_processes(monkeypatch)
    asked = asyncio.create_task(staff.do(ENDLESS, None))
    while not started:
        await asyncio.sleep(0.01)
    await asyncio.sleep(1)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    assert started[0].returncode is not None
    assert await staff.do(SAME, 7) == 7


@pytest.mark.parametrize("bound", [{"cpu_seconds": 0}, {"seconds": 0.5}], ids=["processor", "clock"])
async def test_an_isolated_job_that_takes_too_long_is_ended_and_not_retried(
    staff: Workers, monkeypatch: pytest.MonkeyPatch, bound: dict[str, float]
) -> None:
    started = note_processes(monkeypatch)
    with pytest.raises(TooMuchError):
        await staff.do(msgspec.structs.replace(ENDLESS, **bound), None)
    assert len(started) == 1
    code = started[0].returncode
    assert code is not None
    assert code < 0 or code == UNKNOWN_EXIT_CODE


async def test_an_isolated_job_that_takes_too_much_memory_is_ended(staff: Workers) -> None:
    with pytest.raises(TooMuchError):
        await staff.do(GREEDY, LANES["files"].megabytes)


async def test_an_isolated_job_ends_with_the_bot(
    staff: Workers, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """However busy it is: it listens whether the bot hangs up, as it does where it dies."""
    started, begun = note_processes(monkeypatch), tmp_path / "begun"
    asked = asyncio.create_task(staff.do(BUSY, str(begun)))
    while not begun.exists():
        await asyncio.sleep(0.01)
    assert started[0].stdin is not None
    started[0].stdin.close()
    async with asyncio.timeout(20):  # on a machine that does nothing else well below a second
        await started[0].wait()
    with pytest.raises(TooMuchError):
        await asked


async def test_moves_are_played_while_an_isolated_job_runs(staff: Workers) -> None:
    asked = asyncio.create_task(staff.do(ENDLESS, None))
    game = play_moves(Setup("1860", 3, seed=2), 5)
    for _ in range(3):
        assert await staff.do(STAND, None, course_of(game)) == Standing.of(game).facts
    assert not asked.done()
    asked.cancel()
    await asyncio.gather(asked, return_exceptions=True)


def test_a_process_sets_its_limits_before_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    bounds, nice = dict[int, tuple[int, int]](), list[int]()
    monkeypatch.setattr(resource, "setrlimit", bounds.__setitem__)
    monkeypatch.setattr(resource, "getrlimit", lambda _: (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(os, "nice", nice.append)
    monkeypatch.setattr(time, "process_time", lambda: 1.2)
    processes.limit_process(LANES["files"])
    processes.limit_time(4)
    assert nice == [5]
    assert bounds[resource.RLIMIT_AS] == (512 << 20, 512 << 20)
    assert bounds[resource.RLIMIT_CORE] == (0, 0)
    assert bounds[resource.RLIMIT_CPU] == (6, resource.RLIM_INFINITY)
    processes.limit_time(None)
    assert bounds[resource.RLIMIT_CPU] == (resource.RLIM_INFINITY, resource.RLIM_INFINITY)


def test_where_the_system_bounds_nothing_a_process_works_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(os, "nice", lambda _: None)
    monkeypatch.setattr(processes, "resource", None)
    processes.limit_process(LANES["looks"])
    processes.limit_time(4)


def note_processes(monkeypatch: pytest.MonkeyPatch) -> list[asyncio.subprocess.Process]:
    """Return the processes that are started from now on."""
    start, started = asyncio.create_subprocess_exec, list[asyncio.subprocess.Process]()

    async def start_noted(*command: str, **how: Any) -> asyncio.subprocess.Process:  # noqa: ANN401  # as the library takes it
        started.append(await start(*command, **how))
        return started[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", start_noted)
    return started


def _idle(_: None, __: None) -> None:
    pass


def _same(_: None, number: int) -> int:
    return number


def _endless(_: None, __: None) -> None:
    while True:
        pass


def _busy(_: None, begun: str) -> None:
    Path(begun).touch()
    _endless(None, None)


def _greedy(_: None, megabytes: int) -> int:
    return len(bytearray(megabytes << 20))


IDLE = Task("idle", _idle, None, None)
WARMING = Task("warming", _idle, None, None, warms=True)
SAME = Task("same", _same, int, int, lane="files", seconds=240.0)
ENDLESS = Task("endless", _endless, None, None, lane="boards", seconds=240.0)
BUSY = Task("busy", _busy, str, None, lane="boards", seconds=240.0)
GREEDY = Task("greedy", _greedy, int, int, lane="files", seconds=240.0)
