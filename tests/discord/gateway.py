"""The gateway: hello, identify, resume, heartbeats, and events as the intents allow."""

import asyncio
import json
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import yarl
from aiohttp import WSMsgType, web
from discord.gateway import DiscordWebSocket
from discord.http import Route

if TYPE_CHECKING:
    from tests.discord.stand_in import StandIn
    from tests.discord.world import Guild

GUILDS, GUILD_MESSAGES, DIRECT_MESSAGES = 1, 1 << 9, 1 << 12
PRIVILEGED = 1 << 1 | 1 << 8 | 1 << 15


def speak_to(url: str) -> None:
    """Point the clients of this process at a stand-in."""
    Route.BASE = f"{url}/api/v10"
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"{url.replace('http', 'ws', 1)}/gateway")


@dataclass(eq=False)
class Session:
    """One client: its socket while it is connected, its shard of how many, and all events it was sent."""

    id: str
    intents: int
    shard: tuple[int, int] = (0, 1)
    socket: web.WebSocketResponse | None = None
    sent: list[dict[str, Any]] = field(default_factory=list)


class Gateway:
    """All sessions of the stand-in."""

    def __init__(self, server: "StandIn", heartbeat_ms: int) -> None:
        self.server = server
        self.heartbeat_ms = heartbeat_ms
        self.sessions: dict[str, Session] = {}
        self.identified = 0
        self.resumed = 0
        self._sockets: set[web.WebSocketResponse] = set()
        self._sending: set[asyncio.Task[None]] = set()

    @property
    def online(self) -> bool:
        """Return whether a client listens."""
        return any(s.socket is not None for s in self.sessions.values())

    def listeners(self, guild: int) -> int:
        """Return how many clients are told now what happens in a server."""
        return sum(s.socket is not None and not s.socket.closed and _hears(s, guild) for s in self.sessions.values())

    async def connect(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        self._sockets.add(socket)
        session: Session | None = None
        await socket.send_json({"op": 10, "s": None, "t": None, "d": {"heartbeat_interval": self.heartbeat_ms}})
        try:
            async for frame in socket:
                if frame.type is not WSMsgType.TEXT:
                    break
                packet = json.loads(frame.data)
                if packet["op"] == 1:
                    await socket.send_json({"op": 11, "s": None, "t": None, "d": None})
                elif packet["op"] == 2:
                    session = await self._identify(socket, packet["d"])
                elif packet["op"] == 6:
                    session = await self._resume(socket, packet["d"])
        finally:
            self._sockets.discard(socket)
            if session and session.socket is socket:
                session.socket = None
            self.server.world.touch()
        return socket

    async def _identify(self, socket: web.WebSocketResponse, data: dict[str, Any]) -> Session:
        if data["intents"] & PRIVILEGED:
            self.server.note(f"a privileged intent is asked for: {data['intents']}")
        session = Session(secrets.token_hex(8), data["intents"], tuple(data.get("shard", (0, 1))), socket)
        self.sessions[session.id] = session
        self.identified += 1
        world = self.server.world
        ready = {
            "v": 10, "user": world.me.json(), "session_id": session.id, "shard": data.get("shard", [0, 1]),
            "resume_gateway_url": self.server.url.replace("http", "ws") + "/gateway", "private_channels": [],
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in self._here(session)],
            "application": {"id": str(world.app_id), "flags": 0},
        }  # fmt: skip
        await self._send(session, "READY", ready)
        if session.intents & GUILDS:
            for guild in self._here(session):
                await self._send(session, "GUILD_CREATE", guild.json(world.clock, world.me))
        world.touch()
        return session

    def _here(self, session: Session) -> list["Guild"]:
        world = self.server.world
        return [guild for guild in world.guilds.values() if guild.id not in world.absent and _hears(session, guild.id)]

    async def _resume(self, socket: web.WebSocketResponse, data: dict[str, Any]) -> Session | None:
        session = self.sessions.get(data["session_id"])
        if session is None:
            await socket.send_json({"op": 9, "s": None, "t": None, "d": False})
            return None
        session.socket = socket
        self.resumed += 1
        for packet in session.sent[data["seq"] or 0 :]:
            await socket.send_json(packet)
        await self._send(session, "RESUMED", {})
        self.server.world.touch()
        return session

    async def _send(self, session: Session, event: str, data: dict[str, Any]) -> None:
        packet = {"op": 0, "t": event, "s": len(session.sent) + 1, "d": data}
        session.sent.append(packet)
        if session.socket is not None and not session.socket.closed:
            try:
                await session.socket.send_json(packet)
            except (ConnectionError, RuntimeError):
                session.socket = None

    def emit(self, event: str, data: dict[str, Any]) -> None:
        """Send an event to every session whose intents cover it; it is kept for a resume."""
        need = GUILDS
        if event.startswith("MESSAGE_"):
            need = GUILD_MESSAGES | DIRECT_MESSAGES
        guild = int(data.get("guild_id") or (data["id"] if event.startswith("GUILD_") else 0))
        for session in list(self.sessions.values()):
            if _hears(session, guild) and (event == "INTERACTION_CREATE" or session.intents & need):
                task = asyncio.ensure_future(self._send(session, event, data))
                self._sending.add(task)
                task.add_done_callback(self._sending.discard)

    async def drop(self) -> None:
        """Cut all lines without a word; sessions stay open for a resume."""
        for socket in list(self._sockets):
            await socket.close(code=4000, message=b"dropped")

    async def reconnect(self) -> None:
        """Ask all clients to connect again (op 7)."""
        for socket in list(self._sockets):
            await socket.send_json({"op": 7, "s": None, "t": None, "d": None})

    async def invalidate(self) -> None:
        """Cut all lines and forget all sessions: a resume of them fails (op 9)."""
        self.sessions.clear()
        await self.drop()

    def forget(self) -> None:
        """Forget all sessions without a socket: a resume of them fails."""
        self.sessions = {key: s for key, s in self.sessions.items() if s.socket is not None}

    async def hang_up(self) -> None:
        """Close every socket."""
        for socket in list(self._sockets):
            await socket.close(code=1001)


def shard_of(guild: int, count: int) -> int:
    """Return which of so many shards is told what happens in a server."""
    return (guild >> 22) % count


def _hears(session: Session, guild: int) -> bool:
    number, count = session.shard
    return shard_of(guild, count) == number
