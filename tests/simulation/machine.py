"""What is replaced while a simulation runs: clocks, chance, sockets, threads, the heartbeat of Discord's library."""

import asyncio
import contextlib
import gc
import os
import random
import socket
import sqlite3
import threading
import time
from asyncio import sleep
from collections.abc import Iterator
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import aiohttp
import discord
from aiohttp import connector
from discord import backoff, gateway
from yarl import URL

from bot.discord.errors import Refusals
from bot.model.clock import SteadyClock
from bot.operations import serve
from bot.operations.settings import Settings
from bot.service import advice
from bot.service.servers import Quota
from bot.service.workers.pool import Workers
from bot.store import sqlite
from tests.discord.stand_in import Fault as DiscordFault
from tests.simulation import mail_lines
from tests.simulation.loop import PROCESS
from tests.simulation.network import MemoryConnector
from tests.simulation.points import Fault
from tests.simulation.store import RawConnection, SimulatedConnection

if TYPE_CHECKING:
    from tests.simulation.simulation import Simulation

SEARCH_BUDGETS = (0, 1000)
"""Of the search for better runs, which has minutes of another processor elsewhere."""


class ForbiddenError(RuntimeError):
    """Something real was asked for: a thread, a socket, sleep."""


@contextlib.contextmanager
def replace_machine(run: "Simulation") -> Iterator[None]:
    """Replace everything that is not simulated until the end of the block."""
    loop, chance = run.loop, run.entropy
    state = random.getstate()
    random.seed(run.seed)
    connect = sqlite3.connect

    def connect_simulated(path: Any, **named: Any) -> sqlite3.Connection:  # noqa: ANN401
        made: RawConnection = connect(path, **named, factory=RawConnection)
        made.process = PROCESS.get()
        made.process.resources[made] = made.vanish
        made.opened = run.connections
        if not str(path).endswith(".lock"):  # which a bot holds all its life
            made.opened.add(made)
        return made

    def refuse(*_: object, **__: object) -> None:
        raise ForbiddenError

    changes: tuple[tuple[Any, str, Any], ...] = (
        (time, "time", loop.epoch),
        (time, "monotonic", loop.time),
        (time, "perf_counter", loop.time),
        (time, "clock_gettime", lambda _: loop.time()),
        (time, "sleep", refuse),
        (os, "urandom", chance.randbytes),
        (random, "_urandom", chance.randbytes),
        (backoff, "random", SimpleNamespace(Random=lambda: random.Random(chance.random()))),  # noqa: S311
        (discord.utils, "utcnow", lambda: datetime.fromtimestamp(loop.epoch(), UTC)),
        (gateway, "KeepAliveHandler", KeepAlive),
        (aiohttp, "TCPConnector", MemoryConnector),
        (connector, "monotonic", loop.time),
        (aiohttp.ClientSession, "_request", _requesting(run, aiohttp.ClientSession._request)),
        (asyncio, "sleep", _sleeping(run, asyncio.sleep)),
        (asyncio.Lock, "acquire", _locking(run, asyncio.Lock.acquire)),
        (asyncio.Event, "wait", _locking(run, asyncio.Event.wait)),
        (sqlite3, "connect", connect_simulated),
        (sqlite, "ThreadConnection", _connecting(run)),
        (threading.Thread, "start", refuse),
        (socket.socket, "connect", refuse),
        (serve, "Watchdog", NoWatchdog),
        (serve, "warm_up", _warm_up),
        (serve, "_check_in_process", _check_nothing),
        (gc, "freeze", lambda: None),
        (gc, "collect", lambda _=2: 0),
        (advice, "SEARCH_BUDGETS", SEARCH_BUDGETS),
        (SteadyClock.__init__, "__defaults__", (loop.time,)),
        (Refusals.__init__, "__defaults__", (loop.time,)),
        (Quota.__init__, "__defaults__", (None, loop.time)),
        *mail_lines.list_changes(run),
    )
    with contextlib.ExitStack() as stack:
        for place, name, instead in changes:
            stack.enter_context(patch.object(place, name, instead))
        asyncio.set_event_loop(loop)
        gc.disable()
        try:
            yield
        finally:
            gc.enable()
            random.setstate(state)


def _connecting(run: "Simulation") -> Any:  # noqa: ANN401
    class Connection(SimulatedConnection):
        simulation = run

    return Connection


def _requesting(run: "Simulation", request: Any) -> Any:  # noqa: ANN401
    async def requesting(session: aiohttp.ClientSession, method: str, url: Any, **named: Any) -> Any:  # noqa: ANN401
        path = URL(url).path.removeprefix("/api/v10")
        fault = run.points.meet("request")
        run.note(f"request {method} {path}")
        if run.strike(fault, "before"):
            await run.loop.create_future()
        if fault is not None and (made := make_weather(method, path, fault)) is not None:
            run.weather[method, path] = made
        response = await request(session, method, url, **named)
        if fault is not None and fault.name == "twice" and not isinstance(named.get("data"), aiohttp.FormData):
            response.release()
            response = await request(session, method, url, **named)
        run.note(f"answer {response.status} to {method} {path}")
        if run.strike(fault, "after"):
            await run.loop.create_future()
        return response

    return requesting


def make_weather(method: str, path: str, fault: Fault) -> DiscordFault | None:
    """Return what the tests' Discord does with a request, ``None`` for nothing out of the ordinary."""
    if fault.name in ("reset before", "reset after"):
        return DiscordFault(method, path, -1 if fault.name == "reset before" else -2)
    if fault.name == "done":
        return DiscordFault(method, path, 502, done=True)
    if fault.late:
        return DiscordFault(method, path, 0, wait=fault.late)
    return DiscordFault(method, path, fault.status, retry_after=2.0) if fault.status else None


def _locking(run: "Simulation", acquire: Any) -> Any:  # noqa: ANN401
    async def locking(lock: Any) -> Any:  # noqa: ANN401
        if run.strike(run.points.meet("lock"), "before"):
            await run.loop.create_future()
        return await acquire(lock)

    return locking


def _sleeping(run: "Simulation", sleep: Any) -> Any:  # noqa: ANN401
    async def sleeping(delay: float, result: Any = None) -> Any:  # noqa: ANN401
        if run.strike(run.points.meet("sleep"), "before"):
            await run.loop.create_future()
        return await sleep(delay, result)

    return sleeping


class KeepAlive(gateway.KeepAliveHandler):
    """Keeps a line of the gateway alive by a task instead of a thread."""

    _task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin; where beats are rare, silence lasts longer."""
        self.heartbeat_timeout = max(self.heartbeat_timeout, 1.2 * (self.interval or 0))
        self.ws._max_heartbeat_timeout = self.heartbeat_timeout
        self._task = asyncio.get_running_loop().create_task(self._beat())

    def stop(self) -> None:
        """End."""
        if self._task is not None:
            self._task.cancel()

    async def _beat(self) -> None:
        while True:
            await sleep(self.interval or 40)
            if self._last_recv + self.heartbeat_timeout < time.perf_counter():
                await self.ws.close(4000)
                return
            try:
                await self.ws.send_heartbeat(self.get_payload())
            except Exception:  # noqa: BLE001 - as the library does
                return
            self._last_send = time.perf_counter()


class NoWatchdog:
    """Watches nothing: the simulated loop does."""

    async def run(self) -> None:
        """Wait for ever."""
        await asyncio.get_running_loop().create_future()


async def _warm_up(workers: Workers) -> None:
    """Draw nothing beforehand."""


async def _check_nothing(settings: Settings) -> tuple[int, str]:
    """Leave the look at the whole store to whoever runs the simulation."""
    del settings
    return 0, ""
