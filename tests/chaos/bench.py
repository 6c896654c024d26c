"""Tables that are played while the bot is killed and everything around it fails."""

import asyncio
import contextlib
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from bot.model.records import Home, NewTable
from bot.model.records import Person as Host
from bot.service.services import Services
from tests.chaos.expected_posts import Findings, compare
from tests.chaos.fault_schedule import FaultSchedule
from tests.chaos.fork_server import MAX_START_SECONDS, ForkServer
from tests.chaos.prefork_child import CONDITIONS, Life
from tests.chaos.stores import Store
from tests.discord.interactions import Interaction
from tests.discord.person import Person
from tests.discord.stand_in import StandIn
from tests.discord.world import Channel, Message

MOMENTS = {"any": 80, "commit": 60, "request": 25, "post": 25, "acknowledgement": 8}
"""When a bot may die, and after how many of such moments at most."""
MAX_SETTLE_SECONDS = 240.0
NEVER = 1 << 40


class Bench:
    """One run: so many kills, a comparison after every few.

    Args:
        folder: for the bot's log and what all lives share.
        store: where they play; nothing is in it.
        seed: settles all chance that is ours.
        bots: processes side by side, each with a shard; one is killed at a time, the others go on.
    """

    longest_life = 6.0
    """Seconds after which a bot is killed at the latest."""

    def __init__(self, server: StandIn, folder: Path, store: Store, seed: int, tables: int = 6, bots: int = 1) -> None:
        self.server = server
        self.store = store
        self.folder = folder
        self.chance = random.Random(seed)  # noqa: S311 - not a secret
        self.faults = FaultSchedule(server, self.chance)
        self.tables = tables
        self.kills: Counter[str] = Counter()
        self.findings = Findings()
        self.told: list[Interaction] = []
        self.gone: set[int] = set()
        self.answers: Counter[str] = Counter()
        self.took: Counter[str] = Counter()
        self._conditions = folder / "conditions"
        self._seen = (folder / "requests.log").open("w", buffering=1)
        self._ahead = 0.0
        self._full = False
        self._aim = ""
        self._left = 0
        self._fork_servers = [ForkServer(server, f"{number}/{bots}") for number in range(bots)]
        self._victim = self._fork_servers[0]

    async def run(self, kills: int, between: int, compared: Callable[[], None] = lambda: None) -> None:
        """Kill so many bots; after every ``between`` compare the channels with the log, and call ``compared``."""
        await self._fill(full=False)
        self.server.witness = self.witness
        for fork_server in self._fork_servers:
            await fork_server.begin()
        try:
            while self.kills.total() < kills:
                await self._open_tables()
                for _ in range(min(between, kills - self.kills.total())):
                    await self._live_and_die()
                await self._settle_and_compare()
                compared()
        finally:
            for fork_server in self._fork_servers:
                await fork_server.end()
            await self.store.close()
            self._seen.close()

    # --- lives --------------------------------------------------------------------

    async def _live_and_die(self) -> None:
        """Let a bot live for a while among faults, and kill it."""
        self._forget_nonces()
        moment = self.chance.choice(list(MOMENTS))
        most = self.chance.randint(1, MOMENTS[moment])
        commits = most if moment == "commit" else 0
        self.faults.change()
        started = time.monotonic()
        self._victim = self.chance.choice(self._fork_servers)
        self._victim.kill()  # if it lives on from before; what it was to die at is settled at its birth
        await self._victim.wait_until_dead()
        await self._start_bots(self._fork_servers, commits=commits, after=self.chance.random() < 0.5)
        self.took["starts"] += int(1000 * (time.monotonic() - started))
        self._aim, self._left = moment, most
        trouble = asyncio.create_task(self._trouble())
        play = asyncio.create_task(self._play())
        try:
            async with asyncio.timeout(self.longest_life):
                await self._victim.dead.wait()
        except TimeoutError:
            moment = "after a long life"
            if not self.answers:  # the machine is busy: a bench in which no one gets to play finds nothing
                with contextlib.suppress(TimeoutError):
                    come = lambda: self.answers or self._victim.dead.is_set()  # noqa: E731
                    await self.server.world.until(come, MAX_START_SECONDS)
        finally:
            self._aim = ""
            self._victim.kill()
            await self._victim.wait_until_dead()
            if len(self._fork_servers) > 1:  # the others may go on a little alone
                await asyncio.sleep(self.chance.uniform(0, 4))
            for task in (trouble, play):
                task.cancel()
            for ended in await asyncio.gather(trouble, play, return_exceptions=True):
                if isinstance(ended, Exception):  # a bench that does nothing finds nothing
                    raise ended
        self.kills[moment] += 1
        self.took["lives"] += int(1000 * (time.monotonic() - started))

    async def _start_bots(self, fork_servers: Sequence[ForkServer], *, commits: int = 0, after: bool = False) -> None:
        """Start the bots that are dead; the victim dies at a commit."""
        for fork_server in fork_servers:
            if fork_server.dead.is_set():
                mine = commits if fork_server is self._victim else 0
                conditions, log = str(self._conditions), str(self.folder / "bot.log")
                life = Life(self.server.url, self.store.address, conditions, log, mine, after, fork_server.shard)
                await fork_server.start_bot(life)
        for fork_server in self._fork_servers:
            if fork_server.exit_code:
                self.findings.silent.append(f"a bot ended unasked with {fork_server.exit_code}; see bot.log")
                fork_server.exit_code = 0

    def witness(self, method: str, path: str, moment: str) -> None:
        """Kill at the moment that is aimed at; note every request, so that a finding can be read to its cause."""
        print(f"{datetime.now(UTC):%H:%M:%S.%f}", moment, method, path, file=self._seen)
        is_post = method in ("POST", "PATCH") and path.startswith("/channels")
        hit = {
            "any": True,
            "request": moment == "before" and is_post,
            "post": moment == "after" and is_post,
            "acknowledgement": moment == "after" and path.startswith("/interactions"),
        }.get(self._aim, False)
        self._left -= hit
        if hit and self._left <= 0:
            self._aim = ""
            self._note("killed")
            self._victim.kill()

    def _note(self, what: str) -> None:
        print(f"{datetime.now(UTC):%H:%M:%S.%f} ---", what, file=self._seen)

    # --- what happens around it ---------------------------------------------------

    async def _trouble(self) -> None:
        """Strike at the server, the disk and the clock now and then."""
        while True:
            await asyncio.sleep(self.chance.uniform(0.2, 1.5))
            what = self.chance.choice(("server", "server", "disk", "lock", "line", "clock", "frozen", ""))
            self._note(what)
            if what == "server":
                threads = {number: place for number, place in (await self._threads()).items() if place.is_thread}
                lost = await self.faults.strike(list(threads.values()))
                self.gone |= {number for number, thread in threads.items() if thread is lost}
            elif what == "disk":
                self.faults.seen["full disk"] += 1
                await self._fill(full=True)
                await asyncio.sleep(self.chance.uniform(0.1, 1.0))
                await self._fill(full=False)
            elif what == "lock":
                self.faults.seen["long lock"] += await self.store.lock(self.chance.choice((0.2, 1.0, 4.0)))
            elif what == "line":
                self.faults.seen["lines to the store cut"] += await self.store.cut()
            elif what == "clock":
                self.faults.seen["clock jump"] += 1
                self._ahead += self.chance.choice((-86400, -3600, -60, 60, 3600))
                await self._jump()
            elif what == "frozen":
                self.faults.seen["process frozen"] += await self.chance.choice(self._fork_servers).freeze(
                    self.chance.choice((0.3, 1.0, 3.0))
                )

    async def _fill(self, *, full: bool) -> None:
        self._full = full
        self._write_conditions()
        await self.store.fill(full=full)

    async def _jump(self) -> None:
        self._write_conditions()
        await self.store.jump(self._ahead)

    def _write_conditions(self) -> None:
        self._conditions.touch()
        with self._conditions.open("r+b") as conditions:  # in place: a bot has it mapped
            conditions.write(CONDITIONS.pack(self._ahead, self._full))

    def _forget_nonces(self) -> None:
        if self.chance.random() < 0.5:
            self.faults.seen["nonces forgotten"] += 1
            self._note("nonces forgotten")
            for message in self.server.world.messages.values():
                message.nonce = None
        # two bots need them: one that stood still within a request sends what the other has sent meanwhile
        self.server.world.knows_nonces = len(self._fork_servers) > 1 or self.chance.random() < 0.7
        self.faults.seen["a life without nonces"] += not self.server.world.knows_nonces

    # --- players ------------------------------------------------------------------

    async def _play(self) -> None:
        """Let all players press what they see, at all tables at once."""
        async with asyncio.TaskGroup() as group:
            for number in await self._running():
                group.create_task(self._play_at(number))

    def _is_heard(self) -> bool:
        return self.server.gateway.listeners(self.server.guild.id) > 0

    def _is_answered(self, item: Interaction) -> bool:
        return item.done or all(fork_server.dead.is_set() for fork_server in self._fork_servers)

    async def _play_at(self, number: int) -> None:
        while True:
            turn = await self._turn(number)
            person = self._find_asked(turn) if turn else None
            if turn is None or person is None or not self._is_heard():
                await asyncio.sleep(0.05)
                continue
            label = self.chance.choice([each for each in turn.labels if each.startswith(("Bid", "pass"))] or ["Act"])
            try:
                item = await person.click(turn, label, wait="no")
            except LookupError:
                continue
            with contextlib.suppress(TimeoutError):
                await self.server.world.until(partial(self._is_answered, item), 3.0)
            said = item.text if item.done else "nothing"
            self.answers[said[:1] if said.startswith("✓") else said[:40]] += 1
            if "✓" in said:
                self.told.append(item)

    async def _turn(self, number: int) -> Message | None:
        """Return what a player sees as the turn: the newest message with an Act button, but for the table message."""
        place = (await self._threads()).get(number)
        found = [
            message
            for channel in (place, self.server.games)
            if channel is not None
            for message in channel.public
            if "Act" in message.labels and not message.text.startswith("##") and self._is_of(message, number)
        ]
        return max(found, key=lambda message: message.id, default=None)

    def _is_of(self, message: Message, number: int) -> bool:
        from bot.screens.screen import read_custom_id

        control = read_custom_id(message.controls[0]["custom_id"])
        return control is not None and control.game == number

    def _find_asked(self, turn: Message) -> Person | None:
        for user in self.server.world.users.values():
            if f"<@{user.id}>" in turn.text:
                return Person(self.server, user)
        return None

    # --- tables -------------------------------------------------------------------

    async def _running(self) -> list[int]:
        return [row["id"] for row in await self.store.rows("SELECT id FROM game WHERE state = 'running'")]

    async def _threads(self) -> dict[int, Channel]:
        known = self.server.world.channels
        found = await self.store.rows("SELECT id, thread FROM game WHERE state = 'running' AND thread != ''")
        return {row["id"]: known[int(row["thread"])] for row in found if int(row["thread"]) in known}

    async def _open_tables(self) -> None:
        """Open tables until enough are running; no bot lives now."""
        services = await Services.open(self.store.address, lambda: int(time.time() + self._ahead))
        try:
            missing = self.tables - len(await self._running())
            for _ in range(missing):
                host, guest = (self.server.person(name) for name in self.chance.sample(PEOPLE, 2))
                home = Home(str(self.server.guild.id), str(self.server.games.id))
                wish = NewTable("toy", 2, "Friday", {"length": "long"}, seed=self.chance.randrange(1000))
                table = await services.lobby.create(Host(str(host.id), host.user.name), wish, home)
                await services.lobby.join(table.id, Host(str(guest.id), guest.user.name))
                await services.lobby.start(table.id, str(host.id), "as joined")
        finally:
            await services.close()

    # --- comparing ----------------------------------------------------------------

    async def _settle_and_compare(self) -> None:
        """Let everything be well until nothing is owed, then look at what stands in the channels."""
        started = time.monotonic()
        self._note("calm")
        self.faults.end_all()
        await self._fill(full=False)
        for fork_server in self._fork_servers[1:]:  # the clock is put forward below: leases would end within a request
            fork_server.kill()
            await fork_server.wait_until_dead()
        await self._start_bots(self._fork_servers[:1])
        end = time.monotonic() + MAX_SETTLE_SECONDS
        while await self._count_owed() and time.monotonic() < end and not self._fork_servers[0].dead.is_set():
            await asyncio.sleep(0.1)
            self._ahead += 5  # rests and waits pass quickly
            await self._jump()
        if await self._count_owed():
            self._fork_servers[0].dump_tasks()
        await asyncio.sleep(0.2)
        self._fork_servers[0].kill()
        await self._fork_servers[0].wait_until_dead()
        self.took["settling"] += int(1000 * (time.monotonic() - started))
        found = await compare(self.server, self.store, self.told, self.gone)
        for name, sentences in vars(found).items():
            known = getattr(self.findings, name)
            known += [sentence for sentence in sentences if sentence not in known]

    async def _count_owed(self) -> int:
        """Return how many posts are owed, and how many tables live in a thread that is gone."""
        query = (
            "SELECT count(*) AS owed FROM outbox"
            " WHERE state IN ('owed', 'paused') AND kind NOT IN ('ping', 'ring', 'expire')"
        )
        lost = "SELECT id, thread FROM game WHERE state = 'running' AND thread != ''"
        homeless = [row for row in await self.store.rows(lost) if int(row["thread"]) not in self.server.world.channels]
        return int((await self.store.rows(query))[0]["owed"]) + len(homeless)


PEOPLE = ("alice", "bob", "carol", "dave", "eve", "frank", "grace", "heidi")
