"""What goes wrong between the bot and Discord, and with the machine under it; every kind is counted."""

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

from tests.discord.stand_in import Fault, StandIn
from tests.discord.world import Channel

FAULT_KINDS = (
    "429 of a route", "429 everywhere", "429 without Via", "5xx burst", "5xx after", "503", "reset before",
    "reset after", "slow answers", "401", "404 of webhooks", "reset at the start",
)  # fmt: skip
PATHS_OF_KIND = {"404 of webhooks": ("/webhooks",), "reset at the start": ("/users/@me", "/oauth2", "/applications")}
MAX_RESETS = 3
"""Of a start: a bot waits twice as long after each, and a life is to begin within a minute."""
DEFAULT_PATHS = ("/channels", "/interactions", "/webhooks")
LOST = ("send_messages_in_threads", "attach_files", "read_message_history", "view_channel", "send_messages")

STRIKES = (
    "permission", "permission of the server", "permission of the channel", "invalid session", "line of the gateway cut",
    "asked to connect again", "expelled", "locked", "archived", "deleted",
)  # fmt: skip


class FaultSchedule:
    """Faults by chance; ``end_all`` ends them all.

    Args:
        server: the stand-in. chance: where they come from.
    """

    def __init__(self, server: StandIn, chance: random.Random) -> None:
        self.server = server
        self.chance = chance
        self.seen: Counter[str] = Counter()
        self.kind = ""
        self.probability = 0.0
        self._resets = 0
        self._emit = server.gateway.emit
        server.choose_fault = self.choose_fault
        server.gateway.emit = self.emit  # type: ignore[method-assign]

    def change(self) -> None:
        """Choose which fault happens from now on, or none."""
        self._resets = MAX_RESETS
        self.kind = self.chance.choice(("", "", "", *FAULT_KINDS))
        self.probability = self.chance.choice((0.05, 0.2, 0.6))

    def end_all(self) -> None:
        """Let nothing go wrong from now on."""
        self.kind, self.probability = "", 0.0
        self.server.guild.granted = self.server.guild.granted | set(LOST)
        if self.server.guild.id in self.server.world.absent:  # it was to be readmitted when the bench went on
            self.server.readmit()
        for channel in self.server.world.channels.values():
            channel.denied, channel.locked = frozenset(), False

    def choose_fault(self, method: str, path: str) -> Fault | None:
        """Return what happens to a request."""
        if not self.kind or not path.startswith(PATHS_OF_KIND.get(self.kind, DEFAULT_PATHS)):
            return None
        if self.chance.random() > self.probability:
            return None
        if self.kind == "reset at the start":
            if not self._resets:
                return None
            self._resets -= 1
        self.seen[self.kind] += 1
        wait = self.chance.uniform(0, 0.2)
        return {
            "429 of a route": Fault(method, path, 429, retry_after=wait),
            "429 everywhere": Fault(method, path, 429, retry_after=wait, everywhere=True),
            "429 without Via": Fault(method, path, 429, retry_after=wait, via=False),
            "5xx burst": Fault(method, path, 500),
            "5xx after": Fault(method, path, 502, done=True),
            "503": Fault(method, path, 503),
            "reset before": Fault(method, path, -1),
            "reset after": Fault(method, path, -2),
            "slow answers": Fault(method, path, 0, wait=self.chance.choice((8, 20)) * wait),
            "401": Fault(method, path, 401),
            "404 of webhooks": Fault(method, path, 404),
            "reset at the start": Fault(method, path, -1),
        }[self.kind]

    def emit(self, event: str, data: dict[str, Any]) -> None:
        """Send an event, sometimes twice, sometimes after those that follow it."""
        if event == "INTERACTION_CREATE" and self.kind and self.chance.random() < 0.2:
            self.seen["doubled event"] += 1
            self._emit(event, data)
        if self.kind and self.chance.random() < 0.1:
            self.seen["reordered event"] += 1
            asyncio.get_running_loop().call_later(self.chance.uniform(0, 0.1), self._emit, event, data)
        else:
            self._emit(event, data)

    async def strike(self, threads: list[Channel]) -> Channel | None:
        """Do one thing to the server itself; return the thread that is gone, if one is."""
        what = self.chance.choice((*STRIKES, *[""] * 6))
        thread = self.chance.choice(threads) if threads else None
        strikes: dict[str, Callable[[], Awaitable[None]]] = {
            "invalid session": self.server.gateway.invalidate,
            "line of the gateway cut": self.server.gateway.drop,
            "asked to connect again": self.server.gateway.reconnect,
            "expelled": self._expel,
        }
        lost = self.chance.choice(LOST)
        if what in strikes:
            await strikes[what]()
        elif what == "permission of the server":
            self.server.guild.granted = self.server.guild.granted - {lost}
        elif what == "permission of the channel":
            self.server.games.denied = frozenset({lost})
        elif thread is None or not what:
            return None
        else:
            self._strike(thread, what, lost)
        self.seen[what] += 1
        return thread if what == "deleted" else None

    def _strike(self, thread: Channel, what: str, lost: str) -> None:
        if what == "permission":
            thread.denied = frozenset({lost})
        elif what == "deleted":
            self.server.delete(thread)
        else:
            thread.archived = True
            thread.locked = thread.locked or what == "locked"

    async def _expel(self) -> None:
        self.server.expel()
        await asyncio.sleep(self.chance.uniform(0.1, 1.0))
        self.server.readmit()
