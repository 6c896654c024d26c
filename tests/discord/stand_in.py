"""A stand-in for Discord on 127.0.0.1: REST and gateway for an unmodified client.

``async with StandIn() as discord:`` points discord.py at it (two class
attributes), and stops by itself after ``life`` seconds. It waits ``patience``
seconds for the answer to an interaction: Discord waits three, a test longer,
for its machine may be busy. What it must answer and which limits it checks: see
``limits.py``. Broken limits are collected in ``violations`` and refused as
Discord refuses them.
"""

import asyncio
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Self

import yarl
from aiohttp import web
from aiohttp.typedefs import Handler
from discord.gateway import DiscordWebSocket
from discord.http import Route

from tests.discord.gateway import Gateway, speak_to
from tests.discord.interactions import Interaction, InteractionRoutes
from tests.discord.person import Person
from tests.discord.rest import ChannelRoutes, Refused, plain
from tests.discord.world import FORUM, TEXT, Channel, Clock, File, Guild, Message, World

CHANNEL_IDS = frozenset({"id", "guild_id", "parent_id", "type", "name"})


@dataclass
class Fault:
    """What goes wrong with the next requests that match.

    Args:
        method, path: of the request; ``path`` is a part of it.
        status: the answer; 0 handles the request and answers after ``wait`` seconds, -1 cuts the line before
            it is handled, -2 cuts it afterwards (Discord did it, the bot does not know).
        via: a 429 without ``Via`` counts as a ban for the client.
        everywhere: a 429 that is not of this route alone.
        done: with a status above 0: Discord did it all the same.
        code: of Discord, in the answer. body: the answer instead, JSON where it begins like that.
    """

    method: str
    path: str
    status: int
    times: int = 1
    wait: float = 0.0
    retry_after: float = 0.05
    via: bool = True
    everywhere: bool = False
    done: bool = False
    code: int = 0
    body: bytes | None = None


def calm(method: str, path: str) -> Fault | None:
    """Let nothing go wrong."""
    del method, path
    return None


def _cut(request: web.Request) -> None:
    """Cut the line that a request came by."""
    assert request.transport is not None
    request.transport.abort()


def look_away(method: str, path: str, moment: str) -> None:
    """Do nothing when a request has come ("before") or was handled ("after")."""
    del method, path, moment


class StandIn:
    """One Discord with one server, a text channel ``games`` and a forum ``tables``."""

    def __init__(self, *, life: float = 280.0, heartbeat_ms: int = 5000, patience: float = 60.0) -> None:
        self.clock = Clock()
        self.world = World(self.clock)
        self.life = life
        self.patience = patience
        self.violations: list[str] = []
        self.refusals: list[str] = []
        self.requests: list[str] = []
        self.faults: list[Fault] = []
        self.interactions: dict[int, Interaction] = {}
        self.tokens: dict[str, Interaction] = {}
        self.gateway = Gateway(self, heartbeat_ms)
        self.guild: Guild = self.world.guild("Friday crew")
        self.games: Channel = self.world.channel(self.guild, "games", TEXT)
        self.forum: Channel = self.world.channel(self.guild, "tables", FORUM)
        self.rewording: Callable[[dict[str, Any]], dict[str, Any]] = lambda command: command
        self.choose_fault: Callable[[str, str], Fault | None] = calm
        self.witness: Callable[[str, str, str], None] = look_away
        self.url = ""
        self._saved: tuple[str, yarl.URL] | None = None
        self._end: asyncio.Task[None] | None = None
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        app = web.Application(middlewares=[self._guard], client_max_size=128 * 1024 * 1024)
        app.add_routes(ChannelRoutes(self).routes() + InteractionRoutes(self).routes())
        app.router.add_get("/gateway", self.gateway.connect)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        self._saved = (Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY)
        speak_to(self.url)
        self._end = asyncio.create_task(self._expire())
        return self

    async def __aexit__(self, *exc: object) -> None:
        if self._end:
            self._end.cancel()
        if self._saved:
            Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = self._saved
        await self.stop()

    async def stop(self) -> None:
        """Hang up on everyone and close the port."""
        await self.gateway.hang_up()
        if self._runner:
            await self._runner.cleanup()
            self._runner = None

    async def _expire(self) -> None:
        await asyncio.sleep(self.life)
        self.violations.append(f"the stand-in stopped by itself after {self.life} s")
        await self.stop()

    # what a test does

    def person(self, name: str, *, admin: bool = False) -> Person:
        """Return a person of the server by name."""
        return Person(self, self.world.user(name), admin=admin)

    def fault(self, fault: Fault) -> None:
        """Let something go wrong with the next requests."""
        self.faults.append(fault)

    def delete(self, channel: Channel) -> None:
        """Delete a channel with its threads, or a thread, and tell the clients."""
        for thread in [each for each in self.world.channels.values() if each.parent is channel]:
            self.delete(thread)
        self.world.forget(channel)
        data = {key: value for key, value in channel.json(self.clock).items() if key in CHANNEL_IDS}
        self.emit("THREAD_DELETE" if channel.is_thread else "CHANNEL_DELETE", data)

    def expel(self) -> None:
        """Remove the bot from the server."""
        self.world.absent.add(self.guild.id)
        self.emit("GUILD_DELETE", {"id": str(self.guild.id)})

    def readmit(self) -> None:
        """Let the bot into the server again."""
        self.world.absent.discard(self.guild.id)
        self.emit("GUILD_CREATE", self.guild.json(self.clock, self.world.me))

    def pings(self, channel: Channel | None = None) -> list[str]:
        """Return the names of those whose phone rang, in order."""
        return [p.user.name for p in self.world.pings if channel is None or p.message.channel is channel]

    def list_unanswered(self) -> list[Interaction]:
        """Return the interactions the bot never acknowledged."""
        return [i for i in self.interactions.values() if i.answer == 0]

    @property
    def threads(self) -> list[Channel]:
        """All threads and posts, oldest first."""
        return [c for c in self.world.channels.values() if c.is_thread]

    async def settle(self, seconds: float = 0.15, most: float = 10.0) -> None:
        """Wait until no request came for a while: the bot has said all it owes."""
        deadline = self.clock.now() + most
        seen = -1
        while seen != len(self.requests) and self.clock.now() < deadline:
            seen = len(self.requests)
            await asyncio.sleep(seconds)

    def check(self) -> None:
        """Fail if a limit was broken or an interaction never acknowledged."""
        assert self.violations == []
        assert [str(i) for i in self.list_unanswered()] == []

    # what the routes use

    def judge(self, where: str, sentences: Iterable[str]) -> None:
        """Note broken limits and refuse the request.

        Raises:
            Refused: a limit is broken.
        """
        found = [f"{where}: {sentence}" for sentence in sentences]
        self.violations += found
        if found:
            raise Refused(400, 50035, "Invalid Form Body: " + "; ".join(found))

    def note(self, sentence: str) -> None:
        """Note what Discord lets pass, but we do not."""
        self.violations.append(sentence)

    def require(self, channel: Channel, *names: str) -> None:
        """Refuse what the bot has no permission for.

        Raises:
            Refused: a permission is missing.
        """
        granted = self.world.list_permissions(channel)
        if channel.guild and channel.guild.id in self.world.absent:
            raise Refused(403, 50001, "Missing Access")
        if "view_channel" not in granted:
            raise Refused(403, 50001, "Missing Access")
        if missing := [name for name in names if name not in granted]:
            raise Refused(403, 50013, f"Missing Permissions ({', '.join(missing)})")

    def emit(self, event: str, data: dict[str, Any]) -> None:
        """Send an event to every client whose intents cover it."""
        self.gateway.emit(event, data)

    def announce(self, message: Message) -> None:
        """Tell the clients about a new message."""
        if not message.ephemeral:
            self.emit("MESSAGE_CREATE", self.message_json(message))

    def message_json(self, message: Message) -> dict[str, Any]:
        """Return a message as Discord shows it to the bot."""
        data = {
            "id": str(message.id), "channel_id": str(message.channel.id), "author": message.author.json(),
            "content": message.content, "timestamp": message.sent, "tts": False, "mention_everyone": False,
            "edited_timestamp": self.clock.iso() if message.edits else None, "mentions": [], "mention_roles": [],
            "embeds": message.embeds, "components": message.components, "flags": message.flags, "type": 0,
            "pinned": message.pinned, "attachments": [self._file_json(f) for f in message.files], "reactions": [],
        }  # fmt: skip
        if message.nonce:
            data["nonce"] = message.nonce
        if message.author is self.world.me:
            data["application_id"] = str(self.world.app_id)
        if message.reply_to:
            data["message_reference"] = {"message_id": str(message.reply_to), "channel_id": str(message.channel.id)}
        return data

    def _file_json(self, file: File) -> dict[str, Any]:
        url = f"{self.url}/cdn/{file.id}/{file.name}"
        return {
            "id": str(file.id), "filename": file.name, "size": len(file.data), "url": url, "proxy_url": url,
            "description": file.alt, "content_type": file.kind,
        }  # fmt: skip

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Play the faults, word the refusals, and note what no route answers."""
        path = request.path.removeprefix("/api/v10")
        if path == "/gateway":
            shut = self._fault_for(request.method, path)
            return _failure(shut) if shut else await handler(request)
        self.requests.append(f"{request.method} {path}")
        self.witness(request.method, path, "before")
        fault = self._fault_for(request.method, path) or self.choose_fault(request.method, path)
        if fault and (fault.status == -1 or (fault.status > 0 and not fault.done)):
            await asyncio.sleep(fault.wait)
            if fault.status > 0:
                return _failure(fault)
            _cut(request)
            raise ConnectionResetError
        try:
            response = await handler(request)
        except Refused as refusal:
            self.refusals.append(f"{request.method} {path}: {refusal.status} {refusal.code} {refusal}")
            response = plain({"code": refusal.code, "message": str(refusal)}, refusal.status)
        except web.HTTPNotFound:
            self.violations.append(f"no route for {request.method} {path}")
            response = plain({"code": 0, "message": "404: Not Found"}, 404)
        self.world.touch()
        self.witness(request.method, path, "after")
        if fault:
            await asyncio.sleep(fault.wait)
            if fault.status == -2:
                _cut(request)
                raise ConnectionResetError
            if fault.done:
                return _failure(fault)
        return response

    def _fault_for(self, method: str, path: str) -> Fault | None:
        for fault in self.faults:
            if fault.times > 0 and fault.method == method and fault.path in path:
                fault.times -= 1
                return fault
        return None


def _failure(fault: Fault) -> web.Response:
    if fault.body is not None:
        kind = "application/json" if fault.body[:1] in (b"{", b"[", b'"', b"n") else "text/html"
        via = {"Via": "1.1 google"} if fault.via else {}
        return web.Response(body=fault.body, status=fault.status, content_type=kind, headers=via)
    if fault.status != 429:
        return plain({"code": fault.code, "message": f"{fault.status}: injected"}, fault.status)
    body = {"message": "You are being rate limited.", "retry_after": fault.retry_after, "global": fault.everywhere}
    body |= {"code": fault.code} if fault.code else {}
    headers = {"Retry-After": str(fault.retry_after)} | ({"Via": "1.1 google"} if fault.via else {})
    return web.Response(body=json.dumps(body).encode(), status=429, content_type="application/json", headers=headers)
