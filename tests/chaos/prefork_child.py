"""A process that has everything loaded and starts one bot after the other: ``python -m tests.chaos.prefork_child``.

It reads a life as JSON from each line, forks, writes the number of the child,
and writes its exit code when it is dead. So a start takes a fiftieth of a second.
"""

import asyncio
import os
import signal
import struct
import sys
import time
import traceback
from mmap import ACCESS_READ, mmap

import msgspec
from sqlalchemy import event, text
from sqlalchemy.engine import Connection

from bot.discord.client import DiscordClient, ShardTakeover
from bot.model.clock import SteadyClock
from bot.operations.logs import set_up
from bot.service import duties, outbox
from bot.service.services import Services
from bot.store import leases
from bot.store.address import is_server
from engine import TITLES
from engine.view import View
from tests.discord.conftest import DOT
from tests.discord.gateway import speak_to
from tests.support.toy import toy

CONDITIONS = struct.Struct("d?")
"""What all lives share: seconds by which the clock is ahead, and whether the disk is full."""
ENDLESS = 1 << 30


class Life(msgspec.Struct):
    """How a bot lives and dies.

    Args:
        url: of Discord. database: address of the store. conditions, log: files.
        commits: number of the commit at which it dies, 0 for none. after: just after it, not just before.
        shard: its number and how many there are.
    """

    url: str
    database: str
    conditions: str
    log: str
    commits: int = 0
    after: bool = False
    shard: str = "0/1"


def live(life: Life) -> None:
    """Be the bot, until killed."""
    out = os.open(life.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(out, 1)
    os.dup2(out, 2)
    speak_to(life.url)
    set_up("INFO", as_json=False)
    asyncio.run(_live(life))


async def _live(life: Life) -> None:
    with open(life.conditions, "rb") as file, mmap(file.fileno(), CONDITIONS.size, access=ACCESS_READ) as conditions:
        is_file = not is_server(life.database)
        clock = SteadyClock(lambda: int(time.time() + CONDITIONS.unpack(conditions[:])[0])) if is_file else None
        services = await Services.open(life.database, clock)
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, _dump_tasks)
        _die_at_commit(services, life)
        _fill_disk(services, conditions)

        async def draw(view: View, palette: str) -> bytes:
            return DOT

        own, _, count = life.shard.partition("/")

        def hear(number: int, *, only_listens: bool = True) -> DiscordClient:
            return DiscordClient(services, draw, 0.05, (number, int(count)), only_listens=only_listens)

        bot = hear(int(own), only_listens=False)
        await asyncio.gather(bot.start("token"), ShardTakeover(bot, services.duties, hear, "token").run())


def _dump_tasks() -> None:
    """Print what every task waits for, to explain a bench in which nothing happens."""
    for task in asyncio.all_tasks():
        task.print_stack()
    sys.stderr.flush()


def _die_at_commit(services: Services, life: Life) -> None:
    left = [life.commits]

    def dies(connection: Connection) -> None:
        if not _writes(connection) or not left[0]:
            return
        left[0] -= 1
        if not left[0]:
            if life.after:
                connection.connection.commit()
            os.kill(os.getpid(), signal.SIGKILL)

    backend = services.database.backend
    engine = backend.writer if services.database.shared else backend.reader  # the one that the other is made of
    event.listen(engine.sync_engine, "commit", dies)


def _writes(connection: Connection) -> bool:
    options = connection.get_execution_options()
    is_file = connection.dialect.name == "sqlite"
    return "begin" in options if is_file else options.get("isolation_level") != "REPEATABLE READ"


def _fill_disk(services: Services, conditions: mmap) -> None:
    """Let SQLite find no page beyond those it has while the disk is full; a server's disk is another's."""
    if services.database.shared:
        return

    def measure(connection: Connection) -> None:
        if _writes(connection):
            most = 1 if CONDITIONS.unpack(conditions[:])[1] else ENDLESS
            connection.exec_driver_sql(f"PRAGMA max_page_count = {most}")

    event.listen(services.database.backend.reader.sync_engine, "begin", measure)


def main() -> None:
    """Start a bot for each line, one at a time."""
    TITLES["toy"] = toy()
    outbox.LEASE_SECONDS = duties.LEASE_SECONDS = 2  # what a dead one had is soon another's; lives are short here
    leases.CLOCK_FRESH_SECONDS = 0.0  # the server's clock jumps here
    leases.ASK_CLOCK = text("SELECT extract(epoch FROM clock_timestamp()) + ahead FROM chaos_disk")
    for line in sys.stdin:
        life = msgspec.json.decode(line, type=Life)
        child = os.fork()
        if child == 0:
            try:
                live(life)
            except BaseException:  # noqa: BLE001 - it must not go on as a second fork server
                traceback.print_exc()
            finally:
                os._exit(1)
        print(child, flush=True)  # noqa: T201
        _, how = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(how), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
